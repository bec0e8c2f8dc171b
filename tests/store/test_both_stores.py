"""SQLite and LanceDB together: the same ids after whatever happened, a kill -9 included."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes.hash_embedder import HashEmbedder
from harness import Harness, ingest

from memctl.errors import SearchIndexError
from memctl.memory import EntryKind, MemoryFilter, MemoryType
from memctl.store.event_loop import wait_for
from memctl.store.index_table import row_schema
from memctl.store.lance_import import import_lancedb
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


def only_folder(table: Path) -> None:
    shutil.rmtree(table / "_versions")
    shutil.rmtree(table / "_transactions")


def no_versions(table: Path) -> None:
    shutil.rmtree(table / "_versions")


def draft_of_version(table: Path) -> None:
    for path in (table / "_versions").iterdir():
        path.unlink()
    (table / "_versions" / f"{2**64 - 2}.manifest#1").write_bytes(b"begun")


def no_text_index(_table: Path) -> None:
    """The table is committed, its full-text index was to follow."""


HALVES = [only_folder, no_versions, draft_of_version, no_text_index]
"""How far a process had come with a table when it was killed, from the first step to the last."""


def leave_half_made(index: Path, dimension: int, kind: str, undo: Callable[[Path], None]) -> None:
    """Makes a table as LanceDB does, without its full-text index, and takes away the rest."""

    async def make() -> None:
        database = await import_lancedb(str(index)).connect_async(str(index))
        await database.create_table(kind, schema=row_schema(dimension))

    wait_for(make())
    undo(index / f"{kind}.lance")


@pytest.mark.parametrize("undo", HALVES, ids=lambda undo: undo.__name__)
def test_a_process_killed_while_it_makes_a_table_is_repaired_by_the_next(
    tmp_path: Path, undo: Callable[[Path], None]
) -> None:
    """What is saved then is found by word and by vector, and the table is tidied up as others."""
    folder = tmp_path / "memory"
    harness = Harness(folder, embedder=HashEmbedder())
    for table in ("memories_v1", "chunks_v1"):
        leave_half_made(folder / "lance", harness.embedder.model.dimension, table, undo)
    index = lance_index(harness)
    harness.index = index  # type: ignore[assignment]
    assert index.search_text(EntryKind.MEMORY, "river", 5) == []
    saved = harness.save("the river floods in spring")
    ingest(harness, "/notes/a.md", ["alpha\nbeta"])
    assert harness.drain().error is None
    check_same_ids(harness)
    found = index.search_text(EntryKind.MEMORY, "river", 5)
    assert [hit.id for hit in found] == [saved.id]
    query = harness.embedder.embed_query("river floods")
    assert index.search_vector(EntryKind.MEMORY, query, 1)[0].id == saved.id
    for kind in EntryKind:
        made = index._table(kind)
        assert (made.count(), made.state().unindexed_rows) == (len(index.ids(kind)), 0)
    index.compact(grace_seconds=0)
    check_same_ids(harness)
    index.close()
    harness.close()


def test_a_table_whose_versions_are_lost_is_damaged_and_not_half_made(both: Harness) -> None:
    """Its rows are there, so an answer without them would be a wrong one."""
    both.save("the river floods in spring")
    both.drain()
    both.index.close()
    no_versions(both.folder / "lance" / "memories_v1.lance")
    with pytest.raises(SearchIndexError, match="missing"):
        lance_index(both).search_text(EntryKind.MEMORY, "river", 5)
