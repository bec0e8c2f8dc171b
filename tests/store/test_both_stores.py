"""SQLite and LanceDB together: the same ids after whatever happened, a kill -9 included."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.hash_embedder import HashEmbedder
from harness import Harness

from memctl.memory import EntryKind, MemoryFilter, MemoryType
from memctl.store.lance_index import LanceIndex
from memctl.store.steps import Step

CHILD = """
import os, signal, sys
from harness import Harness, ingest
from memctl.store.lance_index import LanceIndex

folder, step = sys.argv[1:]
harness = Harness(__import__("pathlib").Path(folder))
harness.index = LanceIndex(harness.folder / "lance", dimension=32)
gone = harness.save("to be forgotten").id
harness.drain()
harness.forget(gone)
harness.save("saved before the end")
ingest(harness, "/notes/a.md", ["alpha\\nbeta"])

def stop(reached):
    if reached.value == step:
        os.kill(os.getpid(), signal.SIGKILL)

harness.checkpoint = stop
harness.drain()
"""


def lance_index(harness: Harness) -> LanceIndex:
    return LanceIndex(harness.folder / "lance", dimension=harness.embedder.model.dimension)


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Harness]:
    """A store whose index is LanceDB's."""
    harness = Harness(tmp_path / "memory", embedder=HashEmbedder())
    harness.index = lance_index(harness)  # type: ignore[assignment]
    yield harness
    harness.index.close()
    harness.close()


def check_same_ids(harness: Harness) -> None:
    assert harness.index.ids(EntryKind.MEMORY) == harness.visible_ids()
    assert harness.index.ids_without_vector(EntryKind.MEMORY) == set()
    assert harness.store.queue_differences() == 0


def test_what_is_saved_is_found_and_what_is_forgotten_is_not(both: Harness) -> None:
    kept = both.save("the billing database is PostgreSQL", memory_type=MemoryType.DECISION)
    gone = both.save("the billing database was MySQL")
    both.drain()
    edited = both.save("the router is in the cellar")
    both.forget(gone.id)
    both.edit(edited.id, content="the router is in the attic")
    both.drain()
    check_same_ids(both)
    found = both.index.search_text(EntryKind.MEMORY, "billing database", 5)
    assert [hit.id for hit in found] == [kept.id]
    assert both.index.search_text(EntryKind.MEMORY, "cellar", 5) == []
    query = both.embedder.embed_query("router attic")
    assert both.index.search_vector(EntryKind.MEMORY, query, 1)[0].id == edited.id
    decisions = MemoryFilter(types=(MemoryType.DECISION,))
    hits = both.index.search_vector(EntryKind.MEMORY, query, 5, decisions)
    assert [hit.id for hit in hits] == [kept.id]
    both.restore(gone.id)
    both.drain()
    check_same_ids(both)


@pytest.mark.slow
@pytest.mark.parametrize("step", [Step.INDEX_DELETED, Step.INDEX_PUT])
def test_a_process_killed_while_it_writes_to_lancedb_is_repaired_by_the_next(
    tmp_path: Path, step: Step
) -> None:
    folder = tmp_path / "memory"
    search_path = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(folder), step.value],
        env={**os.environ, "PYTHONPATH": search_path},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    harness = Harness(folder)
    harness.index = lance_index(harness)  # type: ignore[assignment]
    harness.drain()
    check_same_ids(harness)
    assert sorted(harness.listed()) == ["alpha", "beta", "saved before the end"]
    assert harness.index.count(EntryKind.CHUNK) == 1
    harness.index.close()
    harness.close()
