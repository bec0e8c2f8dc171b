"""Draining: the index is made to agree with the truth, whatever happens in between."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import date

import pytest
from fakes.hash_embedder import HashEmbedder
from harness import Harness, ingest, make_chunks, make_document, statements_of

from memctl.document import DocumentStatus
from memctl.embedding import EmbeddingModel
from memctl.errors import (
    EmbeddingMismatchError,
    EmbeddingModelError,
    LockedError,
    SearchIndexError,
)
from memctl.memory import EntryKind, MemoryType
from memctl.new_memory import NewMemory
from memctl.store.index import IndexEntry
from memctl.store.outbox import DRAIN_BATCH_SIZE, DRAIN_LOCK, INDEX_LOCK
from memctl.store.steps import Step, no_checkpoint


def test_a_saved_memory_reaches_the_index_with_all_that_filters_need(harness: Harness) -> None:
    receipt = harness.save(
        "text",
        memory_type=MemoryType.EVENT,
        tags=("a", "b"),
        channel_id="ops",
        session_id="s",
        source="here",
        event_at=date(2026, 3, 1),
    )
    report = harness.drain()
    assert (report.put, report.embedded, report.remaining, report.error) == (1, 1, 0, None)
    memory = harness.graph.memory(receipt.id)
    entry = harness.index.rows(EntryKind.MEMORY)[receipt.id]
    for name in ("content", "memory_type", "tags", "channel_id", "session_id", "source", "origin"):
        assert getattr(entry, name) == getattr(memory, name)
    assert (entry.event_at, entry.created_at) == (memory.event_at, memory.created_at)
    assert entry.vector is not None


def test_without_anything_to_do_neither_index_nor_model_is_loaded(harness: Harness) -> None:
    harness.save("text")
    harness.drain()
    harness.index = None  # type: ignore[assignment]
    harness.embedder = None  # type: ignore[assignment]
    assert harness.drain().put == 0


def test_a_change_without_another_text_keeps_the_vector(harness: Harness) -> None:
    receipt = harness.save("text")
    harness.drain()
    vector = harness.index.rows(EntryKind.MEMORY)[receipt.id].vector
    harness.edit(receipt.id, memory_type=MemoryType.GOAL, tags=("new",))
    report = harness.drain()
    assert (report.put, report.embedded) == (1, 0)
    entry = harness.index.rows(EntryKind.MEMORY)[receipt.id]
    assert entry.memory_type is MemoryType.GOAL
    assert (entry.vector == vector).all()
    assert harness.embedder.history == ["text"]


def test_what_the_index_does_not_show_leaves_it_alone(harness: Harness) -> None:
    receipt, other = harness.save("text"), harness.save("other")
    harness.drain()
    harness.edit(receipt.id, importance=0.1, pinned=True, subject="x", key="k")
    with harness.store.operation("link") as operation:
        operation.supersede(other.id, by=receipt.id)
    assert harness.graph.counts().pending == 0


def test_another_text_gets_another_vector(harness: Harness) -> None:
    receipt = harness.save("text")
    harness.drain()
    harness.edit(receipt.id, content="other")
    harness.edit(receipt.id, tags=("a",))
    harness.drain()
    assert harness.embedder.history == ["text", "other"]
    harness.check_agreement()


def test_a_forgotten_memory_leaves_the_index_and_a_restored_one_returns(harness: Harness) -> None:
    receipt = harness.save("text")
    harness.drain()
    harness.forget(receipt.id)
    assert harness.drain().deleted == 1
    assert harness.index.ids(EntryKind.MEMORY) == set()
    harness.restore(receipt.id)
    assert harness.drain().embedded == 1
    harness.check_agreement()


def test_what_comes_and_goes_between_drains_never_needs_the_model(harness: Harness) -> None:
    receipt = harness.save("text")
    harness.forget(receipt.id)
    harness.drain()
    assert harness.embedder.history == []


def test_a_superseded_memory_stays_in_the_index(harness: Harness) -> None:
    harness.save("old", key="k")
    harness.save("new", key="k")
    harness.drain()
    assert harness.index.count(EntryKind.MEMORY) == 2


def test_without_the_model_texts_go_in_and_wait_for_their_vectors(harness: Harness) -> None:
    harness.embedder.broken = True
    receipts = [harness.save(f"text {number}") for number in range(3)]
    report = harness.drain()
    assert (report.put, report.embedded, report.remaining, report.waiting) == (3, 0, 0, 3)
    assert isinstance(report.error, EmbeddingModelError)
    assert harness.index.ids_without_vector(EntryKind.MEMORY) == {each.id for each in receipts}
    again = harness.drain()
    assert (again.put, again.waiting) == (0, 3)
    harness.embedder.broken = False
    last = harness.drain()
    assert (last.embedded, last.waiting, last.error) == (3, 0, None)
    assert harness.index.ids_without_vector(EntryKind.MEMORY) == set()


def test_a_waiting_memory_that_changes_or_goes_is_up_to_date_in_the_end(harness: Harness) -> None:
    harness.embedder.broken = True
    edited, forgotten, tagged = (harness.save(text) for text in ("a", "b", "c"))
    harness.drain()
    harness.edit(edited.id, content="a new")
    harness.forget(forgotten.id)
    harness.edit(tagged.id, tags=("x",))
    harness.drain()
    harness.embedder.broken = False
    harness.drain()
    harness.check_agreement()
    assert harness.index.ids_without_vector(EntryKind.MEMORY) == set()
    assert harness.graph.counts().waiting == 0
    assert sorted(harness.embedder.history) == ["a new", "c"]


def test_the_first_vector_says_whose_they_are(harness: Harness) -> None:
    assert harness.graph.embedding_model() is None
    harness.save("text")
    harness.drain()
    assert harness.graph.embedding_model() == EmbeddingModel("hash", 32)


@pytest.mark.parametrize(
    "other", [HashEmbedder(name="other"), HashEmbedder(dimension=16)], ids=["name", "dimension"]
)
def test_vectors_of_two_models_never_mix(harness: Harness, other: HashEmbedder) -> None:
    first = harness.save("first")
    harness.drain()
    own, harness.embedder = harness.embedder, other
    second = harness.save("second")
    report = harness.drain()
    assert isinstance(report.error, EmbeddingMismatchError)
    assert "hash" in str(report.error)
    assert (report.put, report.waiting) == (1, 1)
    assert harness.index.ids_without_vector(EntryKind.MEMORY) == {second.id}
    assert other.history == []
    harness.edit(first.id, tags=("x",))
    harness.drain()
    assert harness.index.rows(EntryKind.MEMORY)[first.id].vector is not None
    harness.embedder = own
    assert harness.drain().embedded == 1
    assert harness.index.ids_without_vector(EntryKind.MEMORY) == set()


def test_some_ids_are_drained_without_the_others(harness: Harness) -> None:
    backlog = [harness.save(f"old {number}") for number in range(3)]
    own = harness.save("mine")
    report = harness.drain(only=[own.id])
    assert (report.put, report.remaining) == (1, 3)
    assert harness.index.ids(EntryKind.MEMORY) == {own.id}
    harness.drain()
    assert len(harness.index.ids(EntryKind.MEMORY)) == len(backlog) + 1


def test_a_limit_leaves_the_rest_for_later(harness: Harness) -> None:
    for number in range(5):
        harness.save(f"text {number}")
    report = harness.drain(limit=2)
    assert (report.put, report.remaining) == (2, 3)
    assert harness.drain().remaining == 0
    harness.check_agreement()


def test_progress_is_told_batch_by_batch(harness: Harness) -> None:
    count = DRAIN_BATCH_SIZE + 10
    with harness.store.operation("import") as operation:
        operation.save_many([NewMemory(content=f"text {number}") for number in range(count)])
    told: list[tuple[int, int]] = []
    harness.drain(on_progress=lambda done, total: told.append((done, total)))
    assert told == [(DRAIN_BATCH_SIZE, count), (count, count)]
    harness.check_agreement()


def test_the_backlog_is_left_to_whoever_is_at_work_on_it(harness: Harness) -> None:
    harness.save("text")
    mine = harness.save("mine")
    with harness.database.exclusive(DRAIN_LOCK):
        report = harness.drain()
        assert (report.busy, report.put, report.remaining) == (True, 0, 2)
        assert report.error is None
        assert harness.drain(only=[mine.id]).put == 1
    assert not harness.drain().busy
    harness.check_agreement()


def test_what_one_stores_and_will_index_itself_others_leave_alone(harness: Harness) -> None:
    """Until the drain of the one who stored it, or until that one gives it up."""
    with closing(Harness(harness.folder, clock=harness.clock)) as other:
        harness.store.hold_backlog()
        harness.store.hold_backlog()
        first = harness.save("text")
        report = other.drain()
        assert (report.busy, report.put, report.remaining) == (True, 0, 1)
        assert harness.drain(only=[first.id]).put == 1
        harness.save("another text")
        assert other.drain().busy
        assert harness.drain().put == 1
        harness.save("a third text")
        assert other.drain().put == 1
        harness.store.hold_backlog()
        harness.save("a fourth text")
        harness.store.release_backlog()
        assert other.drain().put == 1
    harness.check_agreement()


def test_what_one_thread_is_draining_another_does_not_begin_to_drain(harness: Harness) -> None:
    """A recall beside a save neither embeds the new memory once more nor waits for it; what else
    there is to drain is drained, and so is what the save could not bring to the index."""
    saved, other = harness.save("one").id, harness.save("two").id
    begun, go_on = threading.Event(), threading.Event()

    def wait(step: Step) -> None:
        if step is Step.EMBEDDED:
            begun.set()
            assert go_on.wait(10)

    harness.checkpoint = wait
    save = threading.Thread(target=lambda: harness.store.drain(only=[saved]))
    save.start()
    assert begun.wait(10)
    harness.checkpoint = no_checkpoint
    with closing(Harness(harness.folder, clock=harness.clock)) as another:
        assert another.drain(only=[other]).put == 1
    assert harness.store.drain().put == 0
    go_on.set()
    save.join()
    assert harness.index.ids(EntryKind.MEMORY) == {saved, other}
    with harness.database.exclusive(INDEX_LOCK):
        third = harness.save("three").id
        assert harness.store.drain(only=[third], wait_seconds=0).error is not None
    assert harness.store.drain().put == 1


def test_a_backlog_that_another_holds_for_long_keeps_nobody_from_storing(harness: Harness) -> None:
    with closing(Harness(harness.folder, clock=harness.clock, wait_seconds=0.05)) as other:
        harness.store.hold_backlog()
        other.store.hold_backlog()
        other.save("text")
        assert other.drain().busy
        assert harness.drain().put == 1
    harness.check_agreement()


def test_an_index_that_another_process_holds_too_long_is_said(harness: Harness) -> None:
    receipt = harness.save("text")
    with harness.database.exclusive(INDEX_LOCK):
        report = harness.drain(wait_seconds=0.05)
    assert isinstance(report.error, LockedError)
    assert "index" in str(report.error)
    assert harness.graph.memory(receipt.id).content == "text"
    assert (report.put, report.remaining) == (0, 1)
    assert harness.drain().put == 1


def test_no_lock_and_no_transaction_is_held_while_texts_are_embedded(harness: Harness) -> None:
    receipt = harness.save("text")
    seen: list[Step] = []

    def check(step: Step) -> None:
        seen.append(step)
        if step is Step.EMBEDDED:
            with harness.database.exclusive(INDEX_LOCK, wait_seconds=0):
                harness.store.write_facts({"written": "meanwhile"})

    harness.checkpoint = check
    harness.drain(only=[receipt.id])
    assert Step.EMBEDDED in seen
    assert harness.graph.facts()["written"] == "meanwhile"


@pytest.mark.parametrize("step", [Step.OUTBOX_READ, Step.EMBEDDED, Step.INDEX_PUT])
@pytest.mark.parametrize("change", ["edited", "forgotten", "tagged"])
def test_what_changes_while_a_drain_is_under_way_is_right_in_the_end(
    harness: Harness, step: Step, change: str
) -> None:
    receipt = harness.save("text")

    def interfere(reached: Step) -> None:
        if reached is step:
            harness.checkpoint = lambda _: None
            if change == "edited":
                harness.edit(receipt.id, content="new text")
            elif change == "forgotten":
                harness.forget(receipt.id)
            else:
                harness.edit(receipt.id, tags=("x",))

    harness.checkpoint = interfere
    harness.drain()
    harness.drain()
    harness.check_agreement()
    assert harness.graph.counts().pending == 0
    assert harness.graph.counts().waiting == 0
    assert harness.index.ids_without_vector(EntryKind.MEMORY) == set()


def test_a_vector_is_never_put_beside_a_text_that_it_was_not_made_of(harness: Harness) -> None:
    receipt = harness.save("text")

    def interfere(reached: Step) -> None:
        if reached is Step.EMBEDDED:
            harness.checkpoint = lambda _: None
            harness.edit(receipt.id, content="new text")

    harness.checkpoint = interfere
    harness.drain(limit=1)
    entry = harness.index.rows(EntryKind.MEMORY)[receipt.id]
    assert (entry.content, entry.vector) == ("new text", None)


def test_two_drains_at_once_do_no_harm(harness: Harness) -> None:
    with harness.store.operation("import") as operation:
        receipts = operation.save_many([NewMemory(content=f"text {n}") for n in range(300)])
    ids = [receipt.id for receipt in receipts]
    threads = [
        threading.Thread(target=harness.drain, kwargs={"only": ids[start:]})
        for start in (0, 100, 200)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    harness.check_agreement()
    assert harness.graph.counts().pending == 0


def test_a_drain_that_finds_an_empty_index_does_not_queue_again_what_another_has_just_put(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = harness.save("first"), harness.save("second")
    another = Harness(harness.folder)
    count = harness.index.count

    def count_and_interfere(kind: EntryKind) -> int:
        found = count(kind)
        monkeypatch.setattr(harness.index, "count", count)
        another.drain(only=[second.id])
        return found

    monkeypatch.setattr(harness.index, "count", count_and_interfere)
    assert harness.drain(only=[first.id]).remaining == 0
    harness.check_agreement()
    another.close()


def test_threads_that_bring_ids_at_the_same_time_do_so_in_one_commit(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the first one embeds, three others come; each is told the vectors of all of them."""
    receipts = [harness.save(f"text {number}") for number in range(4)]
    puts, begun, may_go_on = [], threading.Event(), threading.Event()
    put = harness.index.put

    def count_put(kind: EntryKind, entries: Sequence[IndexEntry], **options: bool) -> None:
        puts.append({entry.id for entry in entries})
        put(kind, entries, **options)

    def wait_once(step: Step) -> None:
        if step is Step.EMBEDDED and not begun.is_set():
            begun.set()
            assert may_go_on.wait(10)

    monkeypatch.setattr(harness.index, "put", count_put)
    harness.checkpoint = wait_once
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(harness.drain, only=[receipts[0].id])
        assert begun.wait(10)
        others = [pool.submit(harness.drain, only=[one.id]) for one in receipts[1:]]
        while len(harness.store._shared_drain._next.parts) < len(others):
            time.sleep(0.001)
        may_go_on.set()
        together = {one.id for one in receipts[1:]}
        assert set(first.result(10).vectors) == {receipts[0].id}
        assert all(set(other.result(10).vectors) == together for other in others)
    assert puts == [{receipts[0].id}, together]
    harness.check_agreement()
    assert harness.graph.counts().pending == 0


class BrokenIndex:
    """An index that cannot be opened."""

    def __getattr__(self, name: str) -> object:
        raise SearchIndexError(path="/index", why="it is broken")


def test_a_broken_index_is_reported_and_loses_nothing(harness: Harness) -> None:
    harness.save("text")
    index, harness.index = harness.index, BrokenIndex()  # type: ignore[assignment]
    report = harness.drain()
    assert isinstance(report.error, SearchIndexError)
    assert report.remaining == 1
    harness.index = index
    assert harness.drain().put == 1


def test_an_index_that_was_moved_away_gets_its_rows_again(harness: Harness) -> None:
    for number in range(3):
        harness.save(f"text {number}")
    ingest(harness, "/a.md", ["alpha"])
    harness.drain()
    for kind in EntryKind:
        harness.index.delete(kind, harness.index.ids(kind))
    harness.save("one more")
    harness.drain()
    harness.check_agreement()


def test_all_is_queued_for_a_new_index_beside_an_old_store(harness: Harness) -> None:
    for number in range(3):
        harness.save(f"text {number}")
    ingest(harness, "/a.md", ["alpha"])
    harness.drain()
    for kind in EntryKind:
        harness.index.delete(kind, harness.index.ids(kind))
    assert harness.store.queue_differences() == 5
    assert harness.store.queue_differences() == 0
    harness.drain()
    harness.check_agreement()


def test_differences_between_the_stores_are_found_and_mended(harness: Harness) -> None:
    receipts = [harness.save(f"text {number}") for number in range(4)]
    harness.drain()
    assert harness.store.queue_differences() == 0
    missing, blind = receipts[0].id, receipts[1].id
    rows = harness.index.rows(EntryKind.MEMORY)
    stray = replace(rows[blind], id="stray")
    harness.index.put(EntryKind.MEMORY, [stray])
    harness.index.delete(EntryKind.MEMORY, [missing])
    assert harness.store.queue_differences() == 2
    harness.drain()
    harness.check_agreement()
    assert harness.store.queue_differences() == 0


def test_the_index_is_tidied_after_changes_only(harness: Harness) -> None:
    harness.save("text")
    harness.drain()
    assert harness.index.waits == [False]
    harness.drain()
    assert harness.index.waits == [False]


def test_the_last_drain_of_many_makes_up_for_tidying_that_waited(harness: Harness) -> None:
    """Also where the last one finds nothing left to bring to the index."""
    harness.save("text")
    harness.store.drain(more_to_come=True)
    assert harness.index.waits == [True]
    harness.store.drain(more_to_come=True)
    assert harness.index.waits == [True]
    harness.store.drain()
    harness.store.drain()
    assert harness.index.waits == [True, False]


def test_the_time_of_the_last_drain_is_kept(harness: Harness) -> None:
    harness.save("text")
    harness.drain()
    assert harness.graph.facts()["last_drained_at"].startswith("2026-03-04T12:00:")


def test_a_chunk_whose_memories_say_it_all_has_no_vector_of_its_own(harness: Harness) -> None:
    ingest(harness, "/a.md", ["alpha beta gamma\ndelta epsilon"])
    report = harness.drain()
    assert report.embedded == 2
    assert harness.index.count(EntryKind.CHUNK) == 1
    assert harness.index.ids_without_vector(EntryKind.CHUNK) == harness.index.ids(EntryKind.CHUNK)
    assert harness.graph.counts().waiting == 0


def test_a_chunk_of_which_no_memory_says_much_has_a_vector(harness: Harness) -> None:
    document = make_document("/a.md", "x")
    chunks = make_chunks("a long line that nothing was made of\nalpha", "beta is all here")
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(document, chunks)
        first, second = begun.chunks
        operation.commit_chunk(first.id, statements_of(first)[1:])
        operation.commit_chunk(second.id, statements_of(second))
        operation.finish_document(begun.document.id, DocumentStatus.DONE)
    harness.drain()
    assert harness.index.ids(EntryKind.CHUNK) == {first.id, second.id}
    assert harness.index.ids_without_vector(EntryKind.CHUNK) == {second.id}


def test_a_chunk_is_searchable_by_word_before_it_is_extracted(harness: Harness) -> None:
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(make_document("/a.md", "x"), make_chunks("alpha"))
        harness.drain()
        assert harness.index.ids(EntryKind.CHUNK) == {begun.chunks[0].id}
        assert harness.embedder.history == []
        assert harness.graph.counts().waiting == 0
        operation.finish_document(begun.document.id, DocumentStatus.FAILED, "no model")
    harness.drain()
    assert harness.index.ids_without_vector(EntryKind.CHUNK) == set()


def test_retired_chunks_leave_the_index(harness: Harness) -> None:
    ingest(harness, "/a.md", ["alpha", "beta"])
    harness.drain()
    ingest(harness, "/a.md", ["alpha"])
    harness.drain()
    harness.check_agreement()
    assert harness.index.count(EntryKind.CHUNK) == 1
    assert harness.index.count(EntryKind.MEMORY) == 1
