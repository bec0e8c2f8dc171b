"""Maintenance that is killed between two batches loses nothing, and the next run finishes it."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from workshop import JoiningModel, Workshop

from memctl.maintenance import steps
from memctl.maintenance.plan import StepName
from memctl.memory import RelationType
from memctl.store.steps import Step


class StoppedError(BaseException):
    """What a kill looks like from inside."""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed store with work for every step, in several batches each."""
    folder = tmp_path_factory.mktemp("prepared") / "memory"
    workshop = Workshop(folder)
    workshop.clock.advance(days=-300)
    for number in range(4):
        workshop.save(f"the operation {number} that will be trimmed")
    workshop.clock.advance(days=300)
    soon = workshop.clock.now + timedelta(days=1)
    places = ("hall", "shed", "attic", "cellar", "garage")
    texts = [f"The router stands in the {place}" for place in places]
    ids = workshop.save_many(*texts, *[text.replace("The", "the") for text in texts])
    workshop.save_many("e1", "e2", "e3", expires_at=soon)
    workshop.save_many("p1", "p2", "p3", importance=0.05)
    trees = workshop.save_many("Alders", "Birches", "Cedars", "Firs", "Limes")
    workshop.make_near(*workshop.save_many("The till has 2 drawers", "It is the oak till"))
    with workshop.store.operation("link") as operation:
        operation.associate([(ids[0], other, RelationType.RELATED_TO, 0.5) for other in ids[1:5]])
        operation.associate([(trees[0], tree, RelationType.RELATED_TO, 0.5) for tree in trees[1:]])
    workshop.close()
    return folder


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three memories or two merges a transaction."""
    monkeypatch.setattr(steps, "BATCH_SIZE", 3)
    monkeypatch.setattr(steps, "MERGES_PER_BATCH", 2)


def opened(prepared: Path, folder: Path) -> Workshop:
    """A copy of the prepared store, some months later."""
    shutil.copytree(prepared, folder)
    workshop = Workshop(folder)
    workshop.clock.advance(days=103)
    return workshop


def outcome(workshop: Workshop) -> Any:
    """What a finished run leaves, but for the times of its changes."""
    everything = workshop.graph.list_memories(
        include_forgotten=True, include_superseded=True, include_expired=True
    )
    contents = {memory.id: memory.content for memory in everything}
    state = {
        memory.content: (
            memory.importance,
            memory.forgotten_reason,
            contents.get(memory.superseded_by or ""),
            memory.tags,
        )
        for memory in everything
    }
    edges = sorted(
        (contents[edge.source_id], contents[edge.target_id])
        for edge in workshop.graph.associations_of(contents)
    )
    return state, edges


@pytest.mark.slow
def test_the_next_run_finishes_what_a_killed_one_began(prepared: Path, tmp_path: Path) -> None:
    whole = opened(prepared, tmp_path / "whole")
    seen: list[Step] = []
    whole.checkpoint = seen.append
    reports = whole.maintain()
    assert all(reports[name].applied for name in reports if name != "reindex")
    expected = outcome(whole)
    whole.close()
    assert len(seen) > 60
    # Of one transaction's steps, those before its commit leave the same.
    stops = [n for n, step in enumerate(seen) if step in {Step.COMMITTED, Step.OUTBOX_CLEARED}]
    for stop in [*stops[::2], len(seen) // 2]:
        workshop = opened(prepared, tmp_path / f"stop {stop}")
        left = stop

        def reach(_: Step) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise StoppedError

        workshop.checkpoint = reach
        with pytest.raises(StoppedError):
            workshop.maintain()
        workshop.checkpoint = lambda _: None
        workshop.reopen()
        before = {memory.id for memory in workshop.graph.list_memories(include_forgotten=True)}
        workshop.maintain()
        assert outcome(workshop) == expected
        assert before <= {m.id for m in workshop.graph.list_memories(
            include_forgotten=True, include_superseded=True, include_expired=True)}  # fmt: skip
        workshop.check_agreement()
        workshop.close()
        shutil.rmtree(workshop.folder)


@pytest.mark.slow
def test_no_batch_boundary_of_any_step_is_a_bad_time_to_be_killed(
    prepared: Path, tmp_path: Path
) -> None:
    whole = opened(prepared, tmp_path / "whole")
    batches: list[int] = []
    reports = whole.maintain(*StepName, model=JoiningModel(), advance=batches.append)
    worked = {name for name, report in reports.items() if report.applied}
    assert worked == set(StepName) - {StepName.REINDEX}
    expected = outcome(whole)
    whole.close()
    assert len(batches) > 20
    for stop in range(1, len(batches)):
        workshop = opened(prepared, tmp_path / f"stop {stop}")
        done: list[int] = []

        def advance(count: int, done: list[int] = done, stop: int = stop) -> None:
            done.append(count)
            if len(done) == stop:
                raise StoppedError

        with pytest.raises(StoppedError):
            workshop.maintain(*StepName, model=JoiningModel(), advance=advance)
        workshop.reopen()
        workshop.maintain(*StepName, model=JoiningModel())
        assert outcome(workshop) == expected
        workshop.check_agreement()
        workshop.close()
        shutil.rmtree(workshop.folder)
