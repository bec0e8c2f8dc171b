"""Documents go through the pipeline in batches, one of them always a step behind."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

import pytest
from fakes.hash_embedder import HashEmbedder

from memctl import associating
from memctl.config import Settings, StoreSettings
from memctl.document import DocumentStatus
from memctl.file_runtime import FileRuntime
from memctl.ingestion import pipeline
from memctl.ingestion.options import IngestOptions
from memctl.memory import EntryKind
from memctl.runtime import Runtime
from memctl.store.operation import Operation

FILE_COUNT = 9
SIX_IN_A_BATCH = {"settle_memories": 6}


@pytest.fixture
def runtime(store_path: Path) -> Iterator[Runtime]:
    runtime = Runtime(Settings(store=StoreSettings(path=store_path)), warn=print)
    runtime.embedder = HashEmbedder()
    yield runtime
    runtime.close()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Files of two statements each."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(FILE_COUNT):
        text = f"- Shed {number} holds the ladder of house {number}.\n- Ada owns shed {number}.\n"
        (folder / f"note-{number}.md").write_text(text)
    return folder


def take_in(runtime: Runtime, notes: Path, **options: object) -> list:
    files = FileRuntime(runtime)
    return list(files.ingest(files.discover([notes]), IngestOptions(**options)))


def indexed_ids(runtime: Runtime) -> set[str]:
    return set(runtime.index.ids(EntryKind.MEMORY))


def stored_ids(runtime: Runtime) -> set[str]:
    return {memory.id for memory in runtime.graph.list_memories(limit=100)}


def test_receipts_come_in_the_order_of_the_files(runtime, notes):
    """However the batches are cut, each file has its receipt, in order, and all is searchable."""
    receipts = take_in(runtime, notes, **SIX_IN_A_BATCH)
    assert [Path(receipt.path).name for receipt in receipts] == [
        f"note-{number}.md" for number in range(FILE_COUNT)
    ]
    assert all(len(receipt.saved) == 2 for receipt in receipts)
    assert len(stored_ids(runtime)) == 2 * FILE_COUNT
    assert indexed_ids(runtime) == stored_ids(runtime)


def test_a_run_compares_all_that_an_earlier_one_has_left(runtime, notes, store_path, monkeypatch):
    """However much that is, and whether or not there is a new file; it says how much it was."""
    take_in(runtime, notes, should_stop=lambda: bool(runtime.graph.uncompared(1)))
    left = len(runtime.graph.uncompared(None))
    assert left > 1
    monkeypatch.setattr(associating, "MOST_LEFT_UNDONE", 1)
    with closing(Runtime(Settings(store=StoreSettings(path=store_path)), warn=print)) as other:
        other.embedder = HashEmbedder()
        take_in(other, notes)
        assert FileRuntime(other).caught_up == left
        assert other.graph.uncompared(None) == []


def test_what_is_begun_is_what_the_index_asks_for(runtime, notes, monkeypatch):
    """The texts that are embedded ahead are those of the stored memories, to the letter, each
    once; what an earlier run has stored is not embedded again."""
    monkeypatch.setattr(pipeline, "TEXTS_AHEAD", 4)
    take_in(runtime, notes, **SIX_IN_A_BATCH)
    contents = sorted(memory.content for memory in runtime.graph.list_memories(limit=100))
    assert sorted(runtime.embedder.begun) == contents
    runtime.embedder.begun.clear()
    (notes / "note-0.md").write_text("- Ada owns shed 0.\n- The roof of shed 0 leaks.\n")
    take_in(runtime, notes)
    assert runtime.embedder.begun == ["The roof of shed 0 leaks."]


def test_the_first_statements_do_not_wait_for_many_others(runtime, notes, monkeypatch):
    """So the model is loaded while further files are read; each portion is twice the one before,
    up to the full size."""
    monkeypatch.setattr(pipeline, "SETTLE_SECONDS", math.inf)
    monkeypatch.setattr(pipeline, "FIRST_TEXTS_AHEAD", 2)
    monkeypatch.setattr(pipeline, "TEXTS_AHEAD", 6)
    monkeypatch.setattr(pipeline, "LEAST_DOCUMENTS", FILE_COUNT)
    sizes = []
    monkeypatch.setattr(runtime.embedder, "embed_ahead", lambda texts: sizes.append(len(texts)))
    take_in(runtime, notes)
    assert sizes == [2, 4, 6, 6]


def test_the_last_batches_become_smaller(runtime, notes, monkeypatch):
    """Each is half of the files that are left, so that little is done with nothing beside it."""
    monkeypatch.setattr(pipeline, "SETTLE_SECONDS", math.inf)
    monkeypatch.setattr(pipeline, "SETTLE_DOCUMENTS", 3)
    monkeypatch.setattr(pipeline, "LEAST_DOCUMENTS", 1)
    sizes = []
    store = Operation.store_documents
    monkeypatch.setattr(
        Operation,
        "store_documents",
        lambda self, documents: sizes.append(len(documents)) or store(self, documents),
    )
    take_in(runtime, notes)
    assert sizes == [3, 3, 1, 1, 1]


def test_the_model_is_prepared_for_many_new_files(runtime, notes, monkeypatch):
    """Once for a run over many files of which one at least is new, and released at its end."""
    told = runtime.embedder.calls
    monkeypatch.setattr(pipeline, "MANY_FILES", FILE_COUNT + 1)
    (notes / "note-0.md").write_text("- The roof of shed 0 leaks.\n")
    take_in(runtime, notes)
    assert told == []
    monkeypatch.setattr(pipeline, "MANY_FILES", FILE_COUNT)
    take_in(runtime, notes)
    assert told == []
    (notes / "note-3.md").write_text("- The roof of shed 3 leaks.\n")
    take_in(runtime, notes)
    assert told == ["expect many", "close"]


def test_many_files_are_looked_up_together(runtime, notes, monkeypatch):
    """Files that are asked for a few at a time are known as ever: changed ones are read again,
    forgotten and unchanged ones left alone."""
    monkeypatch.setattr(pipeline, "LOOKED_UP", 4)
    take_in(runtime, notes)
    FileRuntime(runtime).forget_source(notes / "note-3.md", dry_run=False)
    for number in (0, 3, 8):
        (notes / f"note-{number}.md").write_text(f"- The roof of shed {number} leaks.\n")
    receipts = take_in(runtime, notes)
    read = {Path(receipt.path).name for receipt in receipts if not receipt.already_ingested}
    assert read == {"note-0.md", "note-8.md"}
    assert receipts[3].status is DocumentStatus.IGNORED


def test_other_commands_do_not_begin_to_embed_what_an_ingest_has_stored(
    runtime, notes, store_path, monkeypatch
):
    """They would let their users wait for it; the ingest does it when it settles the batch."""
    other = Runtime(Settings(store=StoreSettings(path=store_path)), warn=print)
    other.embedder = HashEmbedder()
    reports = []
    begin = pipeline.IngestPipeline._embed_ahead

    def drain_beside(ours, batch):
        reports.append(other.store.drain())
        begin(ours, batch)

    monkeypatch.setattr(pipeline.IngestPipeline, "_embed_ahead", drain_beside)
    take_in(runtime, notes, **SIX_IN_A_BATCH)
    assert any(report.busy for report in reports)
    assert not any(report.put for report in reports)
    monkeypatch.undo()
    assert indexed_ids(runtime) == stored_ids(runtime)
    assert not other.store.drain().busy
    other.close()


@pytest.mark.parametrize("steps", [0, 7, 14, 21, 28])
def test_a_run_that_is_stopped_anywhere_is_ended_by_the_next(runtime, notes, steps):
    """What has a receipt is stored and searchable; the rest is taken in later, nothing twice."""
    asked = iter(range(steps))
    first = take_in(runtime, notes, **SIX_IN_A_BATCH, should_stop=lambda: next(asked, None) is None)
    stated = {saved.id for receipt in first for saved in receipt.saved}
    assert stated == stored_ids(runtime) == indexed_ids(runtime)
    second = take_in(runtime, notes, **SIX_IN_A_BATCH)
    assert all(receipt.status is DocumentStatus.DONE for receipt in second)
    assert sum(receipt.already_ingested for receipt in second) == len(first)
    assert len(stored_ids(runtime)) == 2 * FILE_COUNT
    assert indexed_ids(runtime) == stored_ids(runtime)


def test_a_task_is_not_of_a_day_that_came_after_the_file_was_changed(runtime, tmp_path):
    """A heading's day dates a task, unless the file was last changed before that day."""
    for name, changed in (("early.md", "2026-03-01"), ("late.md", "2026-03-14")):
        note = tmp_path / name
        note.write_text(f"# 2026-03-14\n\n- [ ] order sails for the {name}\n")
        seconds = datetime.fromisoformat(f"{changed}T12:00:00+00:00").timestamp()
        os.utime(note, (seconds, seconds))
    take_in(runtime, tmp_path)
    found = {
        memory.content.split()[-1]: memory.event_at
        for memory in runtime.graph.list_memories(limit=10)
    }
    assert found == {"early.md": None, "late.md": date(2026, 3, 14)}
