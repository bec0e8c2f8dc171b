"""Editing, linking, and the journal that keeps every change with the rows before and after."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from harness import Harness, ingest, make_chunks, make_document
from sqlalchemy import select

from memctl.errors import LockedError, UsageError
from memctl.memory import MemoryType, RelationType
from memctl.new_memory import NewMemory
from memctl.store.database import Database
from memctl.store.migrations import MIGRATIONS, latest_version
from memctl.store.operation import Operation
from memctl.store.rows import memory_to_row
from memctl.store.schema import operations


def test_an_edit_changes_what_it_names_and_nothing_else(harness: Harness) -> None:
    receipt = harness.save("old text", tags=("a", "b"), subject="Ada", key="k")
    before = harness.graph.memory(receipt.id)
    edited = harness.edit(
        receipt.id,
        content=" new text ",
        memory_type=MemoryType.GOAL,
        importance=0.25,
        tags=("b", "c"),
        event_at=date(2026, 3, 1),
        subject=None,
        pinned=True,
    )
    assert edited == harness.graph.memory(receipt.id)
    assert (edited.content, edited.memory_type, edited.importance) == (
        "new text",
        MemoryType.GOAL,
        0.25,
    )
    assert (edited.tags, edited.subject, edited.pinned) == (("b", "c"), None, True)
    assert (edited.key, edited.created_at) == (before.key, before.created_at)
    assert edited.content_hash != before.content_hash
    assert edited.updated_at > before.updated_at


def test_an_edit_that_changes_nothing_writes_nothing(harness: Harness) -> None:
    receipt = harness.save("text", tags=("a",))
    harness.edit(receipt.id, content="text", tags=("a",))
    assert harness.operation_count() == 1


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"content": " "}, "empty"),
        ({"importance": 1.5}, "between 0 and 1"),
        ({"content": "other"}, "says that already"),
        ({"key": "taken"}, "has the key 'taken'"),
    ],
)
def test_an_edit_that_is_not_possible_is_refused(
    harness: Harness, changes: dict[str, object], why: str
) -> None:
    receipt = harness.save("text")
    harness.save("other", key="taken")
    with pytest.raises(UsageError, match=why):
        harness.edit(receipt.id, **changes)
    assert harness.graph.memory(receipt.id).content == "text"


def test_a_forgotten_memory_is_not_edited(harness: Harness) -> None:
    receipt = harness.save("text")
    harness.forget(receipt.id)
    with pytest.raises(UsageError, match="forgotten"):
        harness.edit(receipt.id, content="other")


def test_links_are_unique_and_can_be_weighed_anew(harness: Harness) -> None:
    first, second = harness.save("a").id, harness.save("b").id
    with harness.store.operation("link") as operation:
        [made] = operation.associate([(first, second, RelationType.RELATED_TO, 0.5)])
        assert operation.associate([(first, second, RelationType.RELATED_TO, 0.5)]) == []
        [changed] = operation.associate([(first, second, RelationType.RELATED_TO, 0.75)])
        operation.associate([(second, first, RelationType.CAUSED_BY, 1.0)])
    assert (changed.id, changed.weight) == (made.id, 0.75)
    kinds = {
        (edge.source_id, edge.relation_type) for edge in harness.graph.associations_of([first])
    }
    assert kinds == {(first, RelationType.RELATED_TO), (second, RelationType.CAUSED_BY)}


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan")])
def test_a_weight_outside_0_to_1_is_refused(harness: Harness, weight: float) -> None:
    first, second = harness.save("a").id, harness.save("b").id
    with pytest.raises(UsageError, match="weight"), harness.store.operation("link") as operation:
        operation.associate([(first, second, RelationType.RELATED_TO, weight)])


def test_a_memory_is_not_linked_with_itself(harness: Harness) -> None:
    only = harness.save("a").id
    with pytest.raises(UsageError, match="same memory"), harness.store.operation("l") as operation:
        operation.associate([(only, only, RelationType.RELATED_TO, 0.5)])


def test_unlinking_removes_the_one_link_that_is_meant(harness: Harness) -> None:
    first, second = harness.save("a").id, harness.save("b").id
    links = [(first, second, relation, 0.5) for relation in RelationType]
    with harness.store.operation("link") as operation:
        operation.associate(links)
    with harness.store.operation("unlink") as operation:
        [gone] = operation.dissociate([(first, second, RelationType.PART_OF)])
        assert operation.dissociate([(first, second, RelationType.PART_OF)]) == []
    assert gone.relation_type is RelationType.PART_OF
    assert len(harness.graph.associations_of([first])) == len(RelationType) - 1


def test_one_command_is_one_operation_however_many_transactions_it_has(harness: Harness) -> None:
    with harness.store.operation("save", {"origin": "test"}) as operation:
        assert operation.id is None
        first = operation.save(NewMemory(content="a"))
        number = operation.id
        second = operation.save(NewMemory(content="b"))
        operation.associate([(first.id, second.id, RelationType.RELATED_TO, 0.5)])
        assert operation.id == number
    with harness.database.reading() as connection:
        [row] = connection.execute(select(operations)).mappings().all()
    assert (row["id"], row["command"], row["arguments"]) == (number, "save", '{"origin":"test"}')
    assert row["started_at"] < row["finished_at"]
    assert [change["table_name"] for change in harness.journal()] == [
        "memories",
        "memories",
        "associations",
    ]


def test_reading_in_an_operation_leaves_no_trace(harness: Harness) -> None:
    with harness.store.operation("save") as operation:
        pass
    assert operation.id is None
    assert harness.operation_count() == 0


def test_the_journal_has_what_changed_before_and_after(harness: Harness) -> None:
    receipt = harness.save("old", tags=("a",))
    before = harness.graph.memory(receipt.id)
    after = harness.edit(receipt.id, content="new", tags=("b",))
    inserted, tagged, edited, untagged, retagged = harness.journal()
    assert (inserted["row_before"], tagged["row_before"]) == (None, None)
    assert inserted["row_key"] == edited["row_key"] == receipt.id
    assert {**inserted["row_after"], "sequence": None} == {
        **{name: value for name, value in memory_to_row(before).items() if value is not None},
        "sequence": None,
    }
    old, new = memory_to_row(before), memory_to_row(after)
    changed = {"content", "content_hash", "updated_at"}
    assert {name for name in old if old[name] != new[name]} == changed
    assert edited["row_before"] == {name: old[name] for name in changed}
    assert edited["row_after"] == {name: new[name] for name in changed}
    assert untagged["row_before"] == {"memory_id": receipt.id, "tag": "a"}
    assert untagged["row_after"] is None
    assert retagged["row_after"] == {"memory_id": receipt.id, "tag": "b"}
    assert [change["command"] for change in harness.journal()] == ["save"] * 2 + ["edit"] * 3


def test_the_journal_does_not_repeat_the_text_of_chunks(harness: Harness) -> None:
    document = make_document("/a.md", "x")
    with harness.store.operation("ingest") as operation:
        operation.begin_document(document, make_chunks("a very long paragraph"))
    assert "a very long paragraph" not in str(harness.journal())


def test_writes_of_one_block_commit_together(harness: Harness) -> None:
    """Nobody else sees them before; the block itself reads what it has written."""
    with harness.store.operation("import") as operation:
        with operation.transaction():
            first = operation.save(NewMemory(content="a"))
            second = operation.save(NewMemory(content="b"))
            operation.associate([(first.id, second.id, RelationType.RELATED_TO, 0.5)])
            assert len(harness.listed()) == 2
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(harness.listed).result() == []
        assert len(harness.listed()) == 2
    assert harness.operation_count() == 1


def save_in_one_transaction(operation: Operation, *texts: str) -> None:
    with operation.transaction():
        for text in texts:
            operation.save(NewMemory(content=text))


def test_a_block_that_fails_leaves_nothing_and_its_operation_can_go_on(harness: Harness) -> None:
    with harness.store.operation("import") as operation:
        with pytest.raises(UsageError):
            save_in_one_transaction(operation, "a", " ")
        assert operation.id is None
        operation.save(NewMemory(content="b"))
    assert harness.listed() == ["b"]
    assert harness.operation_count() == 1


def test_what_was_committed_before_an_error_stays(harness: Harness) -> None:
    with harness.store.operation("import") as operation:
        operation.save(NewMemory(content="a"))
        with pytest.raises(UsageError):
            operation.save(NewMemory(content=" "))
    assert harness.listed() == ["a"]


def test_accesses_are_counted_and_not_journalled(harness: Harness) -> None:
    first, second = harness.save("a"), harness.save("b")
    harness.drain()
    before = harness.graph.memory(first.id)
    harness.store.record_accesses([first.id, first.id, "unknown"])
    harness.store.record_accesses([first.id])
    harness.store.record_accesses([])
    memory = harness.graph.memory(first.id)
    assert memory.access_count == 2
    assert memory.last_accessed_at > before.last_accessed_at
    assert memory.updated_at == before.updated_at
    assert harness.graph.memory(second.id).access_count == 0
    assert harness.operation_count() == 2
    assert harness.graph.counts().pending == 0


def test_counting_accesses_does_not_wait_long_for_another_writer(harness: Harness) -> None:
    receipt = harness.save("a")
    path = harness.folder / "truth" / "memory.db"
    holder = Database.open(path, clock=harness.clock)
    with holder.writing():
        assert harness.store.record_accesses([receipt.id]) is False
    assert harness.store.record_accesses([receipt.id]) is True
    assert harness.graph.memory(receipt.id).access_count == 1
    holder.close()


def test_facts_replace_earlier_ones(harness: Harness) -> None:
    harness.store.write_facts({"heartbeat": "1", "watching": "/notes"})
    harness.store.write_facts({"heartbeat": "2"})
    facts = harness.graph.facts()
    assert (facts["heartbeat"], facts["watching"]) == ("2", "/notes")
    assert facts["schema_version"] == str(latest_version(MIGRATIONS))


def test_a_save_that_cannot_get_the_store_names_the_holder(harness: Harness) -> None:
    path = harness.folder / "truth" / "memory.db"
    impatient = Harness(harness.folder, wait_seconds=0.05)
    holder = Database.open(path, clock=harness.clock)
    with holder.writing(), pytest.raises(LockedError, match="process"):
        impatient.save("a")
    impatient.save("a")
    assert harness.listed() == ["a"]
    holder.close()
    impatient.close()


@pytest.mark.slow
def test_ten_thousand_texts_go_in_one_transaction_of_few_statements(harness: Harness) -> None:
    news = [NewMemory(content=f"statement number {number}") for number in range(10_000)]
    with harness.store.operation("import") as operation:
        receipts = operation.save_many(news)
    assert len({receipt.id for receipt in receipts}) == 10_000
    assert harness.graph.counts().visible == 10_000
    assert harness.graph.counts().pending == 10_000


def test_ingesting_is_journalled_too(harness: Harness) -> None:
    ingest(harness, "/notes/a.md", ["one line"])
    tables = {change["table_name"] for change in harness.journal()}
    assert tables == {"documents", "chunks", "memories", "memory_chunks"}
    assert harness.operation_count() == 1
