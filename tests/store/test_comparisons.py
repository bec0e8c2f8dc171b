"""Memories are compared with the others once, whenever the process that saved them died."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from fakes.memory_index import MemoryIndex
from harness import Harness, ingest

from memctl.associating import Associator
from memctl.memory import MemoryType, RelationType
from memctl.new_memory import NewMemory, Outcome
from memctl.store.steps import Step

OLD, NEW = "The mill pump runs at 40 degrees.", "The mill pump now runs at 55 degrees."
SERVICE = "The bike was serviced on 2 August 2026 by Radwerk"
SERVICE_AND_CHAIN = f"{SERVICE}; they changed the chain."


class Killed(BaseException):
    """Stands for the end of the process."""


def _die_at(step: Step) -> Callable[[Step], None]:
    def checkpoint(reached: Step) -> None:
        if reached is step:
            raise Killed

    return checkpoint


def _associator(harness: Harness) -> Associator:
    return Associator(
        harness.graph, index_factory=lambda: harness.index, model_name="hash", warn=pytest.fail
    )


def _command(harness: Harness, *texts: str, kill_at: Step | None = None) -> list[Outcome]:
    """What a command does that saves texts: save, drain, compare. Killed before it compares, or at
    a step of that."""
    associator = _associator(harness)
    with harness.store.operation("save", {}) as operation:
        receipts = operation.save_many([NewMemory(content=text) for text in texts])
        assert harness.store.drain().error is None
        if kill_at is not None:
            harness.checkpoint = _die_at(kill_at)
        return [one.outcome for one in associator.associate(operation, receipts)]


def _edges(harness: Harness) -> list[tuple[str, str, RelationType]]:
    memories = {
        memory.id: memory for memory in harness.graph.list_memories(include_superseded=True)
    }
    found = harness.graph.associations_of(memories)
    return [
        (memories[one.source_id].content, memories[one.target_id].content, one.relation_type)
        for one in found
    ]


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    """A store whose index can be searched."""
    harness = Harness(tmp_path)
    harness.index = MemoryIndex(harness.embedder.model.dimension)  # type: ignore[assignment]
    return harness


def test_a_saved_memory_is_compared_and_not_again(harness: Harness) -> None:
    _command(harness, OLD)
    assert _command(harness, NEW) == [Outcome.UPDATED]
    assert harness.graph.uncompared(10) == []
    assert _edges(harness) == [(NEW, OLD, RelationType.UPDATES)]


@pytest.mark.parametrize("step", [Step.TRANSACTION_BEGUN, Step.TRUTH_WRITTEN, Step.JOURNAL_WRITTEN])
def test_what_a_killed_command_did_not_compare_the_next_one_does(
    harness: Harness, step: Step
) -> None:
    _command(harness, OLD)
    with pytest.raises(Killed):
        _command(harness, NEW, kill_at=step)
    harness.checkpoint = lambda _: None
    assert len(harness.graph.uncompared(10)) == 1
    assert _command(harness) == []
    assert harness.graph.uncompared(10) == []
    assert _edges(harness) == [(NEW, OLD, RelationType.UPDATES)]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_two_that_come_to_the_index_together_the_later_one_is_compared_with_the_earlier(
    harness: Harness, order: tuple[int, int]
) -> None:
    """As threads of a server do that save at the same time, whichever of them compares first."""
    associator = _associator(harness)
    with harness.store.operation("save", {}) as operation:
        receipts = [operation.save(NewMemory(content=text)) for text in (OLD, NEW)]
    vectors = harness.store.drain(only=[receipt.id for receipt in receipts]).vectors
    outcomes = {}
    for number in order:
        with harness.store.operation("save", {}) as operation:
            [receipt] = associator.associate(operation, [receipts[number]], vectors=vectors)
        outcomes[number] = receipt.outcome
    assert outcomes == {0: Outcome.CREATED, 1: Outcome.UPDATED}
    assert _edges(harness) == [(NEW, OLD, RelationType.UPDATES)]
    assert harness.graph.uncompared(10) == []


def test_a_command_that_died_after_its_comparison_left_nothing_undone(harness: Harness) -> None:
    _command(harness, OLD)
    with pytest.raises(Killed):
        _command(harness, NEW, kill_at=Step.COMMITTED)
    harness.checkpoint = lambda _: None
    assert harness.graph.uncompared(10) == []
    assert _edges(harness) == [(NEW, OLD, RelationType.UPDATES)]


def test_what_was_compared_with_a_memory_left_over_is_not_compared_again(harness: Harness) -> None:
    running = _associator(harness)
    with harness.store.operation("ingest", {}) as operation:
        running.associate(operation, [])
        harness.save(OLD)
        receipt = operation.save(NewMemory(content=NEW))
        harness.drain()
        running.associate(operation, [receipt])
    assert len(harness.graph.uncompared(10)) == 1
    _command(harness)
    assert harness.graph.uncompared(10) == []
    assert _edges(harness) == [(NEW, OLD, RelationType.UPDATES)]


def test_a_memory_without_a_vector_is_compared_once_it_has_one(harness: Harness) -> None:
    _command(harness, OLD)
    harness.embedder.broken = True
    with harness.store.operation("save", {}) as operation:
        receipt = operation.save(NewMemory(content=NEW))
        harness.store.drain()
        _associator(harness).associate(operation, [receipt])
    assert harness.graph.uncompared(10) == [receipt.id]
    harness.embedder.broken = False
    harness.store.drain()
    _command(harness)
    assert _edges(harness) == [(NEW, OLD, RelationType.UPDATES)]


def test_a_hidden_or_erased_memory_is_not_waited_for(harness: Harness) -> None:
    with harness.store.operation("save", {}) as operation:
        hidden, erased = (operation.save(NewMemory(content=text)) for text in (OLD, NEW))
    with harness.store.operation("forget", {}) as operation:
        operation.forget([hidden.id])
        operation.purge([erased.id])
    _command(harness)
    assert harness.graph.uncompared(10) == []


def test_portions_give_the_same_associations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "loud heavy rusty Danish borrowed insured dusty leaky oily spare grey shared".split()
    texts = [f"The mill pump in the yard is {word}." for word in words]
    found = []
    for size in (100, 5):
        harness = Harness(tmp_path / str(size))
        harness.index = MemoryIndex(harness.embedder.model.dimension)  # type: ignore[assignment]
        monkeypatch.setattr("memctl.associating.MOST_AT_ONCE", size)
        _command(harness, *texts)
        assert harness.graph.uncompared(20) == []
        found.append({(*sorted(edge[:2]), edge[2]) for edge in _edges(harness)})
    assert found[0] == found[1]
    assert len(found[0]) > len(texts)


@pytest.mark.parametrize(("second_line", "relation"), [(1, "related_to"), (2, "updates")])
def test_a_statement_that_repeats_another_one_of_its_lines_is_no_news_to_it(
    harness: Harness, second_line: int, relation: str
) -> None:
    """On another line of the document, the fuller statement takes the place of the first."""
    document = ingest(harness, "bike.md", ["notes"])
    lines = ((SERVICE, 1), (SERVICE_AND_CHAIN, second_line))
    stated = [
        NewMemory(
            content=text,
            memory_type=MemoryType.EVENT,
            event_at=date(2026, 8, 2),
            document_id=document.id,
            first_line=line,
            last_line=line,
        )
        for text, line in lines
    ]
    with harness.store.operation("ingest", {}) as operation:
        receipts = operation.save_many(stated)
        assert harness.store.drain().error is None
        _associator(harness).associate(operation, receipts)
    found = [edge for edge in _edges(harness) if edge[0] == SERVICE_AND_CHAIN]
    assert found == [(SERVICE_AND_CHAIN, SERVICE, RelationType(relation))]
