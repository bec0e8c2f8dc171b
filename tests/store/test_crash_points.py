"""A process stopped between any two steps of a write loses nothing committed and doubles nothing.

Each test kills a child process (SIGKILL, no clean-up of any kind) or raises an exception at one
step, then does what the next command does: opens the store, looks, drains, repeats the work.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from harness import Harness, extracted, ingest, make_chunks, make_document, statements_of

from memctl.document import DocumentStatus
from memctl.memory import EntryKind, RelationType
from memctl.new_memory import NewMemory
from memctl.store.steps import Checkpoint, Step, no_checkpoint

Act = Callable[[Harness], None]

PARAGRAPHS = ["alpha one\nalpha two", "beta one"]
CHANGED = ["new one", "alpha one\nalpha two"]


def prepare(harness: Harness) -> None:
    """What is there before: memories in both stores, one of them not yet in the index."""
    harness.save("kept", key="k")
    harness.save("to be edited", tags=("old",))
    harness.save("to be forgotten")
    ingest(harness, "/notes/a.md", PARAGRAPHS)
    harness.drain()
    harness.save("not drained yet")


def save_and_link(harness: Harness) -> None:
    with harness.store.operation("save") as operation:
        first = operation.save(NewMemory(content="first", tags=("a",), key="k"))
        second = operation.save(NewMemory(content="second"))
        operation.associate([(first.id, second.id, RelationType.RELATED_TO, 0.5)])
    harness.drain(only=[first.id, second.id])
    harness.store.record_accesses([first.id])


def edit_and_forget(harness: Harness) -> None:
    listed = harness.graph.list_memories(include_forgotten=True)
    ids = {memory.content: memory.id for memory in listed}
    edited = ids.get("to be edited") or ids["edited"]
    harness.edit(edited, content="edited", tags=("new",))
    harness.forget(ids["to be forgotten"])
    harness.drain()


def ingest_a_changed_file(harness: Harness) -> None:
    ingest(harness, "/notes/a.md", CHANGED)
    harness.drain()


def ingest_files_in_one_go(harness: Harness) -> None:
    files = {"/notes/b.md": ["delta one", "alpha one"], "/notes/a.md": CHANGED}
    with harness.store.operation("ingest") as operation:
        operation.store_documents([extracted(path, *files[path]) for path in files])
    harness.drain()


def save_in_several_threads(harness: Harness) -> None:
    """As a server does: while one save is brought to the index, two others come, and are brought
    there together by the next commit."""
    ids = [harness.save(f"thread {number}").id for number in range(3)]
    reach, threads = harness.checkpoint, list[threading.Thread]()

    def reach_with_others(step: Step) -> None:
        reach(step)
        if not threads:
            for memory_id in ids[1:]:
                other = threading.Thread(target=harness.drain, kwargs={"only": [memory_id]})
                other.start()
                threads.append(other)
            while len(harness.store._shared_drain._next.parts) < len(threads):
                time.sleep(0.001)

    harness.checkpoint = reach_with_others
    harness.drain(only=ids[:1])
    for thread in threads:
        thread.join()
    harness.checkpoint = reach


STEPS_OF_MAINTENANCE = {Step.REBUILT_ROWS_PUT, Step.INDEX_SWAPPED, Step.ERASED}
"""Those at which tests/maintenance stops."""

ACTS: list[Act] = [
    save_and_link,
    edit_and_forget,
    ingest_a_changed_file,
    ingest_files_in_one_go,
    save_in_several_threads,
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a closed store on which ``prepare`` was done, to be copied."""
    folder = tmp_path_factory.mktemp("prepared") / "memory"
    harness = Harness(folder)
    prepare(harness)
    harness.close()
    return folder


def copy_of(prepared: Path, folder: Path, checkpoint: Checkpoint = no_checkpoint) -> Harness:
    """A store like ``prepared``, open."""
    shutil.copytree(prepared, folder)
    return Harness(folder, checkpoint=checkpoint)


def steps_of(act: Act, prepared: Path, folder: Path) -> list[Step]:
    """The steps that an act goes through when nothing stops it."""
    seen: list[Step] = []
    harness = copy_of(prepared, folder, seen.append)
    act(harness)
    harness.close()
    return seen


def result_of(act: Act, prepared: Path, folder: Path) -> list[tuple[object, ...]]:
    """What a user sees when nothing stops the act."""
    harness = copy_of(prepared, folder)
    act(harness)
    harness.drain()
    harness.close()
    return state(Harness(folder))


def stopping_at(number: int, stop: Callable[[], None]) -> Checkpoint:
    """A checkpoint that calls ``stop`` at the step of that number, counted from 0."""
    numbers = itertools.count()

    def checkpoint(_: Step) -> None:
        if next(numbers) == number:
            stop()

    return checkpoint


def kill_this_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def run_until_killed(act: Act, folder: Path, number: int) -> None:
    """Runs the act in a child process that kills itself at its step of that number."""
    child = os.fork()
    if child == 0:
        try:
            act(Harness(folder, checkpoint=stopping_at(number, kill_this_process)))
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL


def state(harness: Harness) -> list[tuple[object, ...]]:
    """All that a user sees, without ids and times."""
    memories = harness.graph.list_memories(include_superseded=True)
    citations = harness.graph.citations([memory.id for memory in memories])
    return sorted(
        (
            memory.content,
            memory.tags,
            memory.key or "",
            memory.superseded_by is not None,
            str(citations.get(memory.id, "")),
        )
        for memory in memories
    )


def check_repaired(harness: Harness, act: Act, expected: list[tuple[object, ...]]) -> None:
    """What the next commands do: look, drain, do the same again."""
    harness.check_truth()
    texts = {entry[0] for entry in state(harness)}
    assert {"kept", "not drained yet"} <= texts
    harness.drain()
    harness.check_agreement()
    act(harness)
    harness.drain()
    harness.check_agreement()
    harness.check_truth()
    assert state(harness) == expected
    assert harness.index.ids_without_vector(EntryKind.MEMORY) == set()


@pytest.mark.slow
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_a_process_killed_at_any_step_is_repaired_by_the_next(
    act: Act, prepared: Path, tmp_path: Path
) -> None:
    expected = result_of(act, prepared, tmp_path / "expected")
    for number, step in enumerate(steps_of(act, prepared, tmp_path / "steps")):
        folder = tmp_path / f"{number} {step.value}"
        shutil.copytree(prepared, folder)
        run_until_killed(act, folder, number)
        harness = Harness(folder)
        check_repaired(harness, act, expected)
        harness.close()


class StoppedError(Exception):
    """What a checkpoint raises."""


def raise_stopped() -> None:
    raise StoppedError


@pytest.mark.parametrize(
    "act", [edit_and_forget, ingest_files_in_one_go], ids=lambda act: act.__name__
)
def test_an_exception_at_any_step_is_repaired_in_the_same_process(
    act: Act, prepared: Path, tmp_path: Path
) -> None:
    expected = result_of(act, prepared, tmp_path / "expected")
    for number, step in enumerate(steps_of(act, prepared, tmp_path / "steps")):
        checkpoint = stopping_at(number, raise_stopped)
        harness = copy_of(prepared, tmp_path / f"{number} {step.value}", checkpoint)
        with pytest.raises(StoppedError):
            act(harness)
        check_repaired(harness, act, expected)
        harness.close()


def save_first(harness: Harness) -> None:
    harness.save("the first")
    harness.drain()


def test_a_process_killed_before_its_first_vector_leaves_a_usable_store(tmp_path: Path) -> None:
    seen: list[Step] = []
    harness = Harness(tmp_path / "steps", checkpoint=seen.append)
    save_first(harness)
    harness.close()
    assert Step.MODEL_RECORDED in seen
    for number, step in enumerate(seen):
        folder = tmp_path / f"{number} {step.value}"
        run_until_killed(save_first, folder, number)
        harness = Harness(folder)
        save_first(harness)
        harness.check_agreement()
        assert harness.listed() == ["the first"]
        assert harness.index.ids_without_vector(EntryKind.MEMORY) == set()
        harness.close()


def test_the_acts_go_through_every_step_there_is(prepared: Path, tmp_path: Path) -> None:
    """A step at which no test stops would be a step that nothing vouches for."""
    seen = {Step.MODEL_RECORDED, *STEPS_OF_MAINTENANCE}
    for act in ACTS:
        seen |= set(steps_of(act, prepared, tmp_path / act.__name__))
    assert seen == set(Step)


@pytest.mark.parametrize("step", [Step.TRUTH_WRITTEN, Step.JOURNAL_WRITTEN])
def test_a_chunk_is_never_extracted_without_its_memories(tmp_path: Path, step: Step) -> None:
    harness = Harness(tmp_path / "memory")
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(make_document("/a.md", "x"), make_chunks("alpha"))

    def stop(reached: Step) -> None:
        if reached is step:
            raise StoppedError

    harness.checkpoint = stop
    [chunk] = begun.chunks
    with harness.store.operation("ingest") as operation, pytest.raises(StoppedError):
        operation.commit_chunk(chunk.id, statements_of(chunk))
    assert harness.listed() == []
    assert [each.extracted for each in harness.graph.chunks_of(begun.document.id)] == [False]
    harness.checkpoint = lambda _: None
    with harness.store.operation("ingest") as operation:
        operation.commit_chunk(chunk.id, statements_of(chunk))
        operation.finish_document(begun.document.id, DocumentStatus.DONE)
    assert harness.listed() == ["alpha"]
    harness.close()
