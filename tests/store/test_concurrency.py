"""Several processes use one store at once: nobody's save is lost, nobody waits for long."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from harness import Harness, ingest

from memctl.memory import EntryKind
from memctl.new_memory import NewMemory

SAVES = 200
FORK = multiprocessing.get_context("fork")


def save_many_times(folder: Path, name: str) -> None:
    harness = Harness(folder, wait_seconds=30)
    for number in range(SAVES):
        harness.save(f"{name} {number}", key=f"{name}.{number % 20}")
        if number % 40 == 0:
            harness.drain(only=[harness.graph.list_memories(limit=1)[0].id])
    harness.drain()
    harness.close()


def ingest_many_times(folder: Path, name: str) -> None:
    harness = Harness(folder, wait_seconds=30)
    for number in range(15):
        ingest(harness, f"/notes/{name}.md", [f"{name} line {number}", "the same everywhere"])
        harness.drain()
    harness.close()


def run_at_once(folder: Path, *acts: tuple[Callable[[Path, str], None], str]) -> None:
    processes = [FORK.Process(target=act, args=(folder, name)) for act, name in acts]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * len(processes)


@pytest.mark.slow
def test_two_processes_that_save_at_once_lose_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    run_at_once(folder, (save_many_times, "a"), (save_many_times, "b"))
    harness = Harness(folder)
    contents = harness.listed(include_superseded=True)
    assert sorted(contents) == sorted(f"{name} {n}" for name in "ab" for n in range(SAVES))
    assert harness.operation_count() == 2 * SAVES
    assert len(harness.listed()) == 2 * 20
    harness.drain()
    harness.check_agreement()
    harness.check_truth()
    assert harness.index.ids_without_vector(EntryKind.MEMORY) == set()
    harness.close()


@pytest.mark.slow
def test_processes_that_ingest_the_same_and_other_files_double_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    run_at_once(
        folder, (ingest_many_times, "a"), (ingest_many_times, "a"), (ingest_many_times, "b")
    )
    harness = Harness(folder)
    assert sorted(harness.listed()) == ["a line 14", "b line 14", "the same everywhere"]
    assert len(harness.graph.documents()) == 2
    harness.drain()
    harness.check_agreement()
    harness.check_truth()
    harness.close()


def test_readers_see_whole_transactions_while_others_write(harness: Harness) -> None:
    stop = threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not stop.is_set():
            seen.append(harness.graph.counts().visible)
            time.sleep(0.001)

    reader = threading.Thread(target=read)
    reader.start()
    for batch in range(20):
        with harness.store.operation("import") as operation:
            operation.save_many([NewMemory(content=f"{batch} {number}") for number in range(10)])
    stop.set()
    reader.join(10)
    assert seen == sorted(seen)
    assert {count % 10 for count in seen} == {0}
    assert len(set(seen)) > 1
