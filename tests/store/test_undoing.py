"""Undo puts back exactly what an operation changed, and nothing that was changed later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from harness import Harness, ingest
from sqlalchemy import select

from memctl.errors import (
    RestoreConflictError,
    UndoConflictError,
    UndoError,
    UnknownOperationError,
)
from memctl.memory import RelationType
from memctl.new_memory import NewMemory
from memctl.store.schema import metadata

NOT_RESTORED = {"operations", "operation_changes", "outbox", "meta", "uncompared"}

Act = Callable[[Harness], None]


def rows_of(harness: Harness) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table that an undo puts back."""
    with harness.database.reading() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
            if table.name not in NOT_RESTORED
        }


def undo(harness: Harness, operation_id: int | None = None, *, force: bool = False) -> int:
    """Takes back an operation and gives the number of the undo."""
    with harness.store.operation("undo") as operation:
        operation.undo(operation_id, force=force)
        assert operation.id is not None
        return operation.id


def last(harness: Harness) -> int:
    """The number of the newest operation."""
    return harness.graph.log(limit=1)[0].id


def prepare(harness: Harness) -> dict[str, str]:
    """Memories that know each other, and a file."""
    ids = {
        "keyed": harness.save("keyed", key="k", tags=("a", "b")).id,
        "other": harness.save("other", channel_id="ops").id,
        "third": harness.save("third", importance=0.4).id,
    }
    with harness.store.operation("link") as operation:
        operation.associate([(ids["keyed"], ids["other"], RelationType.PART_OF, 0.5)])
    ingest(harness, "/a.md", ["alpha one\nalpha two", "beta one"])
    harness.drain()
    return ids


def edit_all(harness: Harness, ids: dict[str, str]) -> None:
    harness.edit(ids["keyed"], content="new text", tags=("b", "c"), key=None, importance=0.1)


def forget_some(harness: Harness, ids: dict[str, str]) -> None:
    harness.forget(ids["keyed"], ids["third"])


def take_its_key(harness: Harness, ids: dict[str, str]) -> None:
    harness.save("successor", key="k")


def save_new(harness: Harness, ids: dict[str, str]) -> None:
    harness.save("brand new", tags=("t",))


def link_two(harness: Harness, ids: dict[str, str]) -> None:
    with harness.store.operation("link") as operation:
        operation.associate([(ids["keyed"], ids["other"], RelationType.PART_OF, 0.9)])
        operation.associate([(ids["third"], ids["other"], RelationType.CAUSED_BY, 0.9)])
        operation.supersede(ids["third"], by=ids["other"])


def unlink_two(harness: Harness, ids: dict[str, str]) -> None:
    with harness.store.operation("unlink") as operation:
        operation.dissociate([(ids["keyed"], ids["other"], RelationType.PART_OF)])


def ingest_new(harness: Harness, ids: dict[str, str]) -> None:
    ingest(harness, "/b.md", ["gamma one", "third"])


def ingest_changed(harness: Harness, ids: dict[str, str]) -> None:
    ingest(harness, "/a.md", ["before all", "alpha one\nalpha two"])


ACTS = [
    edit_all, forget_some, take_its_key, save_new, link_two, unlink_two, ingest_new, ingest_changed,
]  # fmt: skip


@pytest.mark.parametrize("act", ACTS)
def test_undo_puts_everything_back_and_undoing_that_does_it_again(
    harness: Harness, act: Callable[[Harness, dict[str, str]], None]
) -> None:
    ids = prepare(harness)
    before = rows_of(harness)
    act(harness, ids)
    after, done = rows_of(harness), last(harness)
    assert before != after
    first = undo(harness)
    assert rows_of(harness) == before
    harness.drain()
    harness.check_agreement()
    undo(harness, first)
    assert rows_of(harness) == after
    harness.drain()
    harness.check_agreement()
    harness.check_truth()
    assert harness.graph.log()[-done].undone_by is None


def test_undo_after_undo_goes_further_back(harness: Harness) -> None:
    harness.save("first")
    before = rows_of(harness)
    harness.save("second")
    harness.save("third")
    undo(harness)
    undo(harness)
    assert rows_of(harness) == before
    undo(harness)
    with pytest.raises(UndoError, match="nothing to take back"):
        undo(harness)


def test_accesses_counted_meanwhile_stay(harness: Harness) -> None:
    receipt = harness.save("a")
    harness.edit(receipt.id, importance=0.1)
    harness.store.record_accesses([receipt.id])
    undo(harness)
    memory = harness.graph.memory(receipt.id)
    assert (memory.importance, memory.access_count) == (0.6, 1)


def test_a_later_change_of_another_column_stays(harness: Harness) -> None:
    receipt = harness.save("a")
    harness.edit(receipt.id, importance=0.1)
    edited = last(harness)
    harness.edit(receipt.id, pinned=True)
    undo(harness, edited)
    memory = harness.graph.memory(receipt.id)
    assert (memory.importance, memory.pinned) == (0.6, True)


def test_what_was_changed_later_is_named_and_overwritten_only_by_force(harness: Harness) -> None:
    receipt = harness.save("a")
    harness.edit(receipt.id, importance=0.1)
    edited = last(harness)
    harness.edit(receipt.id, importance=0.2)
    with pytest.raises(UndoConflictError) as refusal:
        undo(harness, edited)
    expected = (
        f"memory {receipt.id[:8]} (importance) was changed by operation {last(harness)} (edit)"
    )
    assert expected in str(refusal.value)
    assert harness.graph.memory(receipt.id).importance == 0.2
    undo(harness, edited, force=True)
    assert harness.graph.memory(receipt.id).importance == 0.6


def test_what_was_built_upon_goes_with_it_only_by_force(harness: Harness) -> None:
    first = harness.save("a")
    saved = last(harness)
    second = harness.save("b")
    with harness.store.operation("link") as operation:
        operation.associate([(second.id, first.id, RelationType.PART_OF, 0.5)])
        operation.supersede(first.id, by=second.id)
    with pytest.raises(UndoConflictError, match="association"):
        undo(harness, saved)
    undo(harness, saved, force=True)
    harness.check_truth()
    assert harness.listed() == ["b"]
    assert harness.graph.associations_of([second.id]) == []


def test_an_operation_is_not_undone_twice(harness: Harness) -> None:
    harness.save("a")
    saved = last(harness)
    by = undo(harness)
    with pytest.raises(UndoError, match=f"operation {by} took it back already"):
        undo(harness, saved)
    for unknown in (99, 2**63, 10**30):
        with pytest.raises(UnknownOperationError):
            undo(harness, unknown)


def test_nothing_comes_back_beside_a_live_memory_that_says_the_same(harness: Harness) -> None:
    first = harness.save("a")
    harness.forget(first.id)
    forgotten = last(harness)
    second = harness.save("a")
    assert second.id != first.id
    for force in (False, True):
        with pytest.raises(RestoreConflictError):
            undo(harness, forgotten, force=force)
    harness.forget(second.id)
    undo(harness, forgotten)
    assert harness.graph.memory(first.id).forgotten is False


def test_the_log_counts_what_each_operation_changed(harness: Harness) -> None:
    receipt = harness.save("a", tags=("t",))
    harness.edit(receipt.id, tags=(), importance=0.1)
    by = undo(harness)
    undone, edited, saved = harness.graph.log()
    assert saved.counts == {("memories", "added"): 1, ("memory_tags", "added"): 1}
    assert edited.counts == {("memories", "changed"): 1, ("memory_tags", "removed"): 1}
    assert (edited.undone_by, undone.undoes) == (by, edited.id)
    assert [entry.id for entry in harness.graph.log(limit=1, before=edited.id)] == [saved.id]


def test_the_log_counts_each_row_once_by_what_became_of_it(harness: Harness) -> None:
    """A row that one operation writes several times is added, changed or removed, or nothing."""
    old, new = harness.save("old").id, harness.save("new").id
    kept = harness.save("kept", tags=("t",)).id
    edge, again = (old, new, RelationType.RELATED_TO), (new, old, RelationType.RELATED_TO)
    with harness.store.operation("link") as operation:
        operation.associate([(*edge, 0.5), (*again, 0.5)])
        operation.associate([(*edge, 0.7)])
        operation.dissociate([again])
        operation.forget([old])
        operation.restore([old])
        operation.edit(kept, {"tags": ()})
        operation.edit(kept, {"tags": ("t",)})
        operation.edit(kept, {"importance": 0.1})
    assert harness.graph.log(limit=1)[0].counts == {
        ("associations", "added"): 1,
        ("memories", "changed"): 2,
        ("memory_tags", "changed"): 1,
    }


def test_what_only_the_removed_one_had_outdated_is_as_important_as_before(
    harness: Harness,
) -> None:
    old = harness.save("old", importance=0.6).id
    new = harness.save("new").id
    saved = last(harness)
    with harness.store.operation("link") as operation:
        operation.supersede(old, by=new)
    assert harness.graph.memory(old).importance == 0.3
    forced = undo(harness, saved, force=True)
    memory = harness.graph.memory(old)
    assert (memory.superseded_by, memory.importance) == (None, 0.6)
    undo(harness, forced)
    memory = harness.graph.memory(old)
    assert (memory.superseded_by, memory.importance) == (new, 0.3)


def test_a_plan_is_refused_as_the_undo_itself_is(harness: Harness) -> None:
    first = harness.save("a")
    harness.forget(first.id)
    forgotten = last(harness)
    second = harness.save("a")
    plan = harness.graph.plan_undo(forgotten)
    assert isinstance(plan.refusal(force=True), RestoreConflictError)
    harness.forget(second.id)
    assert harness.graph.plan_undo(forgotten).refusal(force=False) is None


def test_a_comparison_that_another_operation_had_left_is_open_again(harness: Harness) -> None:
    left = harness.save("left without a comparison")
    assert harness.graph.uncompared(9) == [left.id]
    with harness.store.operation("save") as operation:
        receipt = operation.save(NewMemory(content="the next one"))
        operation.mark_compared([left.id, receipt.id])
        operation.associate([(left.id, receipt.id, RelationType.RELATED_TO, 0.5)])
    assert harness.graph.uncompared(9) == []
    by = undo(harness)
    assert harness.graph.uncompared(9) == [left.id]
    undo(harness, by)
    assert harness.graph.uncompared(9) == []
    assert len(harness.graph.associations_of([left.id])) == 1
