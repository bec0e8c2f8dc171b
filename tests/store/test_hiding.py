"""Forgetting, restoring, superseding: nothing is lost, nothing is outdated by what is not there."""

from __future__ import annotations

import pytest
from harness import Harness, ingest

from memctl.errors import RestoreConflictError, UnknownMemoryError, UsageError
from memctl.memory import ForgetReason, RelationType
from memctl.new_memory import Outcome
from memctl.store.saving import SUPERSEDED_IMPORTANCE_FACTOR


def supersede(harness: Harness, old_id: str, new_id: str) -> None:
    with harness.store.operation("link") as operation:
        operation.supersede(old_id, by=new_id)


def test_a_forgotten_memory_is_hidden_and_kept(harness: Harness) -> None:
    receipt = harness.save("My PIN is in the drawer")
    assert harness.forget(receipt.id) == [receipt.id]
    assert harness.listed() == []
    assert harness.listed(only_forgotten=True) == ["My PIN is in the drawer"]
    memory = harness.graph.memory(receipt.id)
    assert (memory.forgotten, memory.forgotten_reason) == (True, ForgetReason.USER)


def test_forgetting_twice_is_once(harness: Harness) -> None:
    receipt = harness.save("text")
    harness.forget(receipt.id, receipt.id)
    assert harness.forget(receipt.id) == []
    assert harness.operation_count() == 2


def test_forgetting_several_of_which_one_is_unknown_hides_none(harness: Harness) -> None:
    receipt = harness.save("text")
    with pytest.raises(UnknownMemoryError):
        harness.forget(receipt.id, "unknown id")
    assert harness.listed() == ["text"]


def test_forgetting_one_touches_no_other(harness: Harness) -> None:
    receipts = [harness.save(f"text {number}", channel_id="a") for number in range(5)]
    harness.forget(receipts[2].id)
    assert sorted(harness.listed()) == ["text 0", "text 1", "text 3", "text 4"]


def test_restoring_brings_back_the_same_memory(harness: Harness) -> None:
    receipt = harness.save("text", tags=("a",), key="k")
    before = harness.graph.memory(receipt.id)
    harness.forget(receipt.id)
    assert harness.restore(receipt.id) == [receipt.id]
    after = harness.graph.memory(receipt.id)
    assert after.updated_at > before.updated_at
    assert harness.graph.find_by_key("k") == after
    assert harness.restore(receipt.id) == []


def test_a_memory_whose_text_lives_elsewhere_is_not_restored(harness: Harness) -> None:
    old = harness.save("text")
    harness.forget(old.id)
    new = harness.save("text")
    with pytest.raises(RestoreConflictError) as caught:
        harness.restore(old.id)
    assert new.id[:8] in str(caught.value)
    assert "says the same" in str(caught.value)
    harness.forget(new.id)
    assert harness.restore(old.id) == [old.id]


def test_a_memory_whose_key_another_has_is_not_restored(harness: Harness) -> None:
    old = harness.save("value 1", key="k")
    harness.forget(old.id)
    harness.save("value 2", key="k")
    with pytest.raises(RestoreConflictError, match="has its key 'k'"):
        harness.restore(old.id)


def test_of_several_to_be_restored_none_comes_back_when_one_cannot(harness: Harness) -> None:
    first, second = harness.save("one"), harness.save("two")
    harness.forget(first.id, second.id)
    harness.save("two")
    with pytest.raises(RestoreConflictError):
        harness.restore(first.id, second.id)
    assert harness.listed() == ["two"]


def test_two_forgotten_memories_of_one_text_do_not_both_come_back(harness: Harness) -> None:
    first = harness.save("text")
    harness.forget(first.id)
    second = harness.save("text")
    harness.forget(second.id)
    with pytest.raises(RestoreConflictError):
        harness.restore(first.id, second.id)
    assert harness.restore(second.id) == [second.id]


def test_superseding_links_marks_and_lowers_the_old_one(harness: Harness) -> None:
    old, new = harness.save("42 people", importance=0.8), harness.save("43 people")
    supersede(harness, old.id, new.id)
    memory = harness.graph.memory(old.id)
    assert memory.superseded_by == new.id
    assert memory.importance == pytest.approx(0.8 * SUPERSEDED_IMPORTANCE_FACTOR)
    [edge] = harness.graph.associations_of([new.id])
    assert (edge.source_id, edge.relation_type) == (new.id, RelationType.UPDATES)
    supersede(harness, old.id, new.id)
    assert harness.graph.memory(old.id) == memory


def test_a_memory_superseded_again_loses_importance_only_once(harness: Harness) -> None:
    old, new, newest = (harness.save(text, importance=0.8) for text in ("a", "b", "c"))
    supersede(harness, old.id, new.id)
    supersede(harness, old.id, newest.id)
    memory = harness.graph.memory(old.id)
    assert memory.superseded_by == newest.id
    assert memory.importance == pytest.approx(0.8 * SUPERSEDED_IMPORTANCE_FACTOR)


def test_no_memory_stands_in_its_own_place(harness: Harness) -> None:
    first, second, third = (harness.save(text).id for text in ("a", "b", "c"))
    supersede(harness, first, second)
    supersede(harness, second, third)
    for old, new in [(third, first), (second, first), (first, first)]:
        with pytest.raises(UsageError, match="its own place"):
            supersede(harness, old, new)


def test_a_hidden_memory_takes_no_place(harness: Harness) -> None:
    old, new = harness.save("a"), harness.save("b")
    harness.forget(new.id)
    with pytest.raises(UsageError, match="is forgotten"):
        supersede(harness, old.id, new.id)
    assert harness.listed() == ["a"]


def test_when_the_newer_is_forgotten_the_older_is_current_again(harness: Harness) -> None:
    old = harness.save("The database is MySQL", key="db", importance=0.7)
    new = harness.save("The database is SQLite", key="db")
    harness.forget(new.id)
    memory = harness.graph.memory(old.id)
    assert (memory.superseded_by, memory.importance) == (None, pytest.approx(0.7))
    assert harness.listed() == ["The database is MySQL"]


def test_restoring_the_newer_outdates_the_older_again(harness: Harness) -> None:
    old = harness.save("The database is MySQL", key="db")
    new = harness.save("The database is SQLite", key="db")
    before = harness.graph.memory(old.id)
    harness.forget(new.id)
    harness.restore(new.id)
    after = harness.graph.memory(old.id)
    assert (after.superseded_by, after.importance) == (new.id, before.importance)
    assert harness.listed() == ["The database is SQLite"]
    harness.check_truth()


def test_forgetting_the_middle_of_a_chain_hands_on_to_its_end(harness: Harness) -> None:
    first, second, third = (harness.save(text, key="k").id for text in ("a", "b", "c"))
    harness.forget(second)
    assert harness.graph.memory(first).superseded_by == third
    harness.forget(third)
    assert harness.listed() == ["a"]
    harness.restore(second)
    assert harness.listed() == ["b"]
    harness.restore(third)
    assert harness.listed() == ["c"]
    assert {memory.id for memory in harness.graph.history(third)} == {first, second, third}
    harness.check_truth()


def test_forgetting_a_whole_chain_leaves_nothing(harness: Harness) -> None:
    ids = [harness.save(text, key="k").id for text in ("a", "b", "c")]
    assert harness.forget(*ids) == ids
    assert harness.listed() == []
    assert harness.restore(*ids) == ids
    assert harness.listed() == ["c"]
    assert sorted(harness.listed(include_superseded=True)) == ["a", "b", "c"]


def test_a_memory_does_not_become_current_again_beside_another_of_its_key(
    harness: Harness,
) -> None:
    old = harness.save("value 1", key="k")
    new = harness.save("value 2", key="k")
    harness.edit(new.id, key="other")
    holder = harness.save("value 3", key="k")
    harness.forget(new.id)
    assert harness.graph.memory(old.id).superseded_by == holder.id
    harness.check_truth()


def test_a_memory_does_not_become_current_again_beside_one_that_says_the_same(
    harness: Harness,
) -> None:
    old, new = harness.save("MySQL"), harness.save("PostgreSQL")
    supersede(harness, old.id, new.id)
    twin = harness.save("MySQL")
    assert twin.outcome is Outcome.CREATED
    harness.forget(new.id)
    assert harness.graph.memory(old.id).superseded_by == twin.id
    harness.check_truth()


def test_restoring_a_memory_that_is_only_outdated_makes_it_current(harness: Harness) -> None:
    old, new = harness.save("MySQL", importance=0.6), harness.save("PostgreSQL")
    supersede(harness, old.id, new.id)
    assert harness.restore(old.id) == [old.id]
    memory = harness.graph.memory(old.id)
    assert (memory.superseded_by, memory.importance) == (None, pytest.approx(0.6))
    assert sorted(harness.listed()) == ["MySQL", "PostgreSQL"]


def test_a_memory_hidden_while_outdated_comes_back_outdated(harness: Harness) -> None:
    old, new = harness.save("MySQL"), harness.save("PostgreSQL")
    supersede(harness, old.id, new.id)
    harness.forget(old.id)
    harness.restore(old.id)
    assert harness.graph.memory(old.id).superseded_by == new.id
    assert harness.listed() == ["PostgreSQL"]


def merge(harness: Harness, original: str, merged: str) -> None:
    with harness.store.operation("maintain") as operation:
        operation.supersede(original, by=merged)
        operation.forget([original], ForgetReason.MERGED)


def test_what_was_merged_stays_hidden_with_the_merged_one_and_can_be_restored(
    harness: Harness,
) -> None:
    original, merged = harness.save("We use PG"), harness.save("We use PostgreSQL")
    merge(harness, original.id, merged.id)
    harness.forget(merged.id)
    assert harness.listed() == []
    assert harness.restore(original.id) == [original.id]
    assert harness.listed() == ["We use PG"]


def test_a_merged_original_can_be_restored_beside_the_merged_one(harness: Harness) -> None:
    original, merged = harness.save("We use PG"), harness.save("We use PostgreSQL")
    merge(harness, original.id, merged.id)
    harness.restore(original.id)
    assert sorted(harness.listed()) == ["We use PG", "We use PostgreSQL"]
    assert harness.graph.memory(original.id).superseded_by is None


def test_restoring_everything_that_a_file_lost_is_one_statement_each(harness: Harness) -> None:
    lines = [f"line {number}" for number in range(300)]
    ingest(harness, "/notes/a.md", ["\n".join(lines)])
    ingest(harness, "/notes/a.md", [])
    hidden = [memory.id for memory in harness.graph.list_memories(only_forgotten=True)]
    assert len(hidden) == 300
    assert set(harness.restore(*hidden)) == set(hidden)
    assert len(harness.listed()) == 300


def test_an_unknown_id_is_named(harness: Harness) -> None:
    for act in (harness.forget, harness.restore):
        with pytest.raises(UnknownMemoryError, match="no-such-id"):
            act("no-such-id")
    with pytest.raises(UnknownMemoryError, match="no-such-id"):
        harness.edit("no-such-id", content="x")
    known = harness.save("a").id
    for old, new in [(known, "no-such-id"), ("no-such-id", known)]:
        with pytest.raises(UnknownMemoryError, match="no-such-id"):
            supersede(harness, old, new)
    link = (known, "no-such-id", RelationType.RELATED_TO, 0.5)
    with (
        harness.store.operation("link") as operation,
        pytest.raises(UnknownMemoryError, match="no-such-id"),
    ):
        operation.associate([link])
