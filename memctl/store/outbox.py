"""Draining the outbox: the search index is made to agree with what the database says now.

An outbox row says that the index may differ about one id. Draining it looks at the truth of the
moment under the index lock, so doing it twice, late, or from two processes is harmless, and a row
is removed only when its own change has reached the index: a later change has a later row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.embedding import Embedder, EmbeddingModel
from memctl.errors import (
    EmbeddingMismatchError,
    EmbeddingModelError,
    LockedError,
    MemctlError,
    StoreError,
)
from memctl.memory import EntryKind
from memctl.store.database import Database
from memctl.store.drain_batch import DrainBatch, Truth, Vectors
from memctl.store.facts import (
    facts_of_model,
    index_generation,
    model_of,
    read_facts,
    write_facts,
)
from memctl.store.index import IndexEntry, SearchIndex
from memctl.store.outbox_rows import (
    OTHER_ROW_STATEMENT,
    OutboxRow,
    QueueCounts,
    count_queue,
    delete_rows,
    has_unqueued,
    keep_waiting,
    last_sequence,
    queue_unqueued,
    rows_of_ids,
    rows_up_to,
    waiting_rows,
)
from memctl.store.rows import instant_to_text
from memctl.store.steps import Checkpoint, Step
from memctl.store.truth import visible_entries

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DRAIN_BATCH_SIZE = 1_000
"""Rows drained between two commits: some seconds of embedding, so a stop request waits no longer,
and few enough commits to LanceDB that a bulk import leaves few fragments."""

INDEX_LOCK = "index"
"""Held for every write to the index."""

DRAIN_LOCK = "drain"
"""Held by the one process that works off the backlog, while it embeds too, and by one that stores
much and will work it off itself."""

LAST_DRAINED_AT_KEY = "last_drained_at"

Progress = Callable[[int, int], object]
"""Called with the rows done and the rows that there are to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrainReport:
    """What a drain did. ``remaining`` rows are still to be drained; ``waiting`` ids are found by
    full text and have no vector yet.

    ``busy`` says that another process is at work on the backlog. ``error`` is what kept vectors or
    rows from the index; nothing is lost by it, and the next drain takes up the rest. A drain of
    some ids tells the ``vectors`` that it put, so that nobody has to read them back.
    """

    put: int = 0
    deleted: int = 0
    embedded: int = 0
    remaining: int = 0
    waiting: int = 0
    busy: bool = False
    error: MemctlError | None = None
    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)


class OutboxDrain:
    """One drain, from the first look to the last row; made anew each time."""

    def __init__(
        self,
        database: Database,
        *,
        make_index: Callable[[], SearchIndex],
        make_embedder: Callable[[], Embedder],
        checkpoint: Checkpoint,
        wait_seconds: float | None,
        on_progress: Progress | None = None,
        holds_backlog: bool = False,
        in_hand: Collection[str] = (),
        more_to_come: bool = False,
        tidying_waits: bool = False,
    ) -> None:
        """``holds_backlog`` says that this process holds DRAIN_LOCK already. What is ``in_hand`` is
        being drained by another thread. With ``more_to_come`` the index may wait longer to be
        tidied up; ``tidying_waits`` says that an earlier drain had it wait."""
        self._database = database
        self._in_hand = in_hand
        self._holds_backlog = holds_backlog
        self._more_to_come = more_to_come
        self._tidying_waits = tidying_waits
        self._make_index = make_index
        self._make_embedder = make_embedder
        self._checkpoint = checkpoint
        self._wait_seconds = wait_seconds
        self._on_progress = on_progress
        self._index: SearchIndex | None = None
        self._error: MemctlError | None = None
        self._put = self._deleted = self._embedded = self._done = 0
        self._told_vectors: dict[str, NDArray[np.float32]] | None = None

    def run(self, only: Sequence[str] | None, limit: int | None = None) -> DrainReport:
        """Drains the rows of ``only`` these ids, or the backlog, at most ``limit`` rows of it.

        The backlog is left alone while another process is at work on it. Raises nothing that the
        next drain can put right: that is in the report.
        """
        busy = False
        try:
            if only is not None:
                self._told_vectors = {}
                self._drain_ids(only)
            elif not (self._has_backlog() or self._tidying_waits):
                return DrainReport()
            else:
                busy = not self._drain_backlog(limit)
        except (StoreError, LockedError) as error:
            self._error = error
        counts = self._queue_counts()
        return DrainReport(
            put=self._put,
            deleted=self._deleted,
            embedded=self._embedded,
            remaining=counts.undrained,
            waiting=counts.waiting,
            busy=busy,
            error=self._error,
            vectors=self._told_vectors or {},
        )

    def _open_index(self) -> SearchIndex:
        """The index; one that has lost its rows gets them all again."""
        if self._index is None:
            self._index = self._make_index()
            self._queue_lost_rows(self._index)
        return self._index

    def _queue_lost_rows(self, index: SearchIndex) -> None:
        """Queues what an empty table ought to hold. Nobody fills one meanwhile: what another drain
        has just put and cleared would be queued again."""
        empty = [kind for kind in EntryKind if index.count(kind) == 0]
        with self._database.reading() as connection:
            suspects = [kind for kind in empty if has_unqueued(connection, kind)]
        if not suspects:
            return
        with self._database.exclusive(INDEX_LOCK, wait_seconds=self._wait_seconds):
            for kind in suspects:
                if index.count(kind) == 0:
                    with self._database.writing() as connection:
                        queue_unqueued(connection, kind)

    @cached_property
    def _embedder(self) -> Embedder:
        return self._make_embedder()

    def _has_backlog(self) -> bool:
        """Whether anything is to be drained that no other thread has in hand."""
        return bool(
            self._database.look_up(OTHER_ROW_STATEMENT, {"ids": json.dumps([*self._in_hand])})
        )

    def _queue_counts(self) -> QueueCounts:
        with self._database.reading() as connection:
            return count_queue(connection)

    def _drain_ids(self, ids: Sequence[str]) -> None:
        with self._database.reading() as connection:
            rows = rows_of_ids(connection, ids)
        for start in range(0, len(rows), DRAIN_BATCH_SIZE):
            self._drain_batch(rows[start : start + DRAIN_BATCH_SIZE])
        self._tidy()

    def _drain_backlog(self, limit: int | None) -> bool:
        """Works off what is queued; False when another process is at it."""
        with ExitStack() as held:
            try:
                if not self._holds_backlog:
                    held.enter_context(self._database.exclusive(DRAIN_LOCK, wait_seconds=0))
            except LockedError:
                return False
            self._drain_new(limit)
            self._drain_waiting(limit)
            self._tidy()
        return True

    def _drain_new(self, limit: int | None) -> None:
        if not self._queue_counts().undrained:
            return
        self._open_index()
        with self._database.reading() as connection:
            last, total = last_sequence(connection), count_queue(connection).undrained
        while size := self._next_size(limit):
            with self._database.reading() as connection:
                rows = rows_up_to(connection, last, size)
            if not rows:
                return
            self._drain_batch(rows)
            if self._on_progress is not None:
                self._on_progress(min(self._done, total), total)

    def _drain_waiting(self, limit: int | None) -> None:
        """Makes the vectors that could not be made earlier, as long as the model works."""
        with self._database.reading() as connection:
            last, after = last_sequence(connection), 0
        while not self._model_failed and (size := self._next_size(limit)):
            with self._database.reading() as connection:
                rows = waiting_rows(connection, after, last, size)
            if not rows:
                return
            after = rows[-1].sequence
            self._drain_batch(rows)

    def _next_size(self, limit: int | None) -> int:
        return DRAIN_BATCH_SIZE if limit is None else min(DRAIN_BATCH_SIZE, limit - self._done)

    @property
    def _model_failed(self) -> bool:
        return isinstance(self._error, EmbeddingModelError)

    def _drain_batch(self, rows: Sequence[OutboxRow]) -> None:
        keys = list(dict.fromkeys(row.key for row in rows))
        with self._database.noticing_changes() as has_changed:
            with self._database.reading() as connection:
                seen = visible_entries(connection, keys)
                generation = index_generation(connection)
            self._checkpoint(Step.OUTBOX_READ)
            batch = DrainBatch(rows, keys, seen, self._stored_vectors(rows, seen))
            batch.made = self._embed(batch)
            self._checkpoint(Step.EMBEDDED)
            if self._model_failed and all(row.waiting for row in rows):
                return
            # Loading LanceDB takes a second or more, in which nobody else should have to wait.
            self._open_index()
            with self._database.exclusive(INDEX_LOCK, wait_seconds=self._wait_seconds):
                self._checkpoint(Step.INDEX_LOCKED)
                with self._database.reading() as connection:
                    if index_generation(connection) != generation:
                        # The index was rebuilt meanwhile, perhaps with another model's vectors.
                        batch.stored = {}
                self._write_batch(batch, has_changed)
        self._done += len(rows)

    def _write_batch(self, batch: DrainBatch, has_changed: Callable[[], bool]) -> None:
        """Under the index lock: writes the truth of now to the index, clears the rows. The truth is
        read again if anything ``has_changed``."""
        if batch.made and not self._claim_model():
            batch.made = {}
        truth = batch.seen
        if has_changed():
            with self._database.reading() as connection:
                truth = visible_entries(connection, batch.keys)
        self._delete(batch, truth)
        self._put_entries(batch, truth)
        with self._database.writing() as connection:
            delete_rows(connection, batch.rows)
            keep_waiting(connection, batch.without_vector(truth))
            moment = instant_to_text(self._database.clock())
            write_facts(connection, {LAST_DRAINED_AT_KEY: moment})
        self._checkpoint(Step.OUTBOX_CLEARED)

    def _delete(self, batch: DrainBatch, truth: Truth) -> None:
        for kind in EntryKind:
            hidden = [key[1] for key in batch.keys if key[0] is kind and key not in truth]
            if hidden:
                self._open_index().delete(kind, hidden)
                self._deleted += len(hidden)
        self._checkpoint(Step.INDEX_DELETED)

    def _put_entries(self, batch: DrainBatch, truth: Truth) -> None:
        for kind in EntryKind:
            entries = [
                replace(truth[key].entry, vector=batch.vector(key, truth))
                for key in batch.keys
                if key[0] is kind and key in truth
            ]
            if entries:
                self._open_index().put(kind, entries, is_alone=True)
                self._put += len(entries)
                self._tell_vectors(entries)
        self._checkpoint(Step.INDEX_PUT)

    def _tell_vectors(self, entries: Sequence[IndexEntry]) -> None:
        if self._told_vectors is not None:
            self._told_vectors |= {
                entry.id: entry.vector for entry in entries if entry.vector is not None
            }

    def _stored_vectors(self, rows: Sequence[OutboxRow], seen: Truth) -> Vectors:
        """The vectors that the index has of entries whose text is the same as then."""
        changed = {row.key for row in rows if row.text_changed}
        vectors: Vectors = {}
        for kind in EntryKind:
            unchanged = [
                key[1]
                for key, visible in seen.items()
                if key[0] is kind and visible.wants_vector and key not in changed
            ]
            if unchanged:
                stored = self._open_index().vectors(kind, unchanged)
                vectors |= {(kind, entry_id): vector for entry_id, vector in stored.items()}
        return vectors

    def _embed(self, batch: DrainBatch) -> Vectors:
        """New vectors for the entries that want one and have none, if the model can be had."""
        keys = [
            key
            for key, visible in batch.seen.items()
            if visible.wants_vector and key not in batch.stored
        ]
        if not keys or self._model_failed:
            return {}
        try:
            self._check_model(self._model_of_store())
            array = self._embedder.embed_passages([batch.seen[key].entry.content for key in keys])
        except EmbeddingModelError as error:
            self._error = error
            return {}
        self._embedded += len(keys)
        return dict(zip(keys, array, strict=True))

    def _model_of_store(self) -> EmbeddingModel | None:
        with self._database.reading() as connection:
            return model_of(read_facts(connection))

    def _check_model(self, stored: EmbeddingModel | None) -> None:
        model = self._embedder.model
        if stored is not None and stored != model:
            raise EmbeddingMismatchError(model=model.name, stored=stored.name)

    def _claim_model(self) -> bool:
        """Records whose vectors the store holds before its first one goes in; False when they are
        another model's by now."""
        stored = self._model_of_store()
        try:
            self._check_model(stored)
        except EmbeddingMismatchError as error:
            self._error = error
            return False
        if stored is None:
            with self._database.writing() as connection:
                write_facts(connection, facts_of_model(self._embedder.model))
            self._checkpoint(Step.MODEL_RECORDED)
        return True

    def _tidy(self) -> None:
        if self._put or self._deleted or self._tidying_waits:
            with self._database.exclusive(INDEX_LOCK, wait_seconds=self._wait_seconds):
                self._open_index().optimise_if_due(is_filling=self._more_to_come)
