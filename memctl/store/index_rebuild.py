"""Builds the search index anew beside the one in use, checks it, and puts it in its place.

The old one answers and is written to meanwhile; what changes during the work is caught up with
under the index lock before the swap, which is one fact in the database. A rebuild that was stopped
goes on where it was, and only texts without a vector of the right model are embedded.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from memctl.embedding import Embedder, EmbeddingModel
from memctl.errors import EmbeddingModelError, SearchIndexError
from memctl.memory import EntryKind
from memctl.plural import plural
from memctl.store.database import Database
from memctl.store.drain_batch import Vectors
from memctl.store.facts import (
    GENERATION_KEY,
    delete_facts,
    facts_of_model,
    index_generation,
    model_of,
    read_facts,
    write_facts,
)
from memctl.store.index import SearchIndex
from memctl.store.index_check import visible_ids
from memctl.store.journal_reads import changed_keys_since, last_change_id
from memctl.store.lance_index import LanceIndex
from memctl.store.outbox import INDEX_LOCK, Progress
from memctl.store.outbox_rows import EntryKey, keep_waiting, undrained_rows
from memctl.store.reads import in_batches
from memctl.store.schema import chunks, memories, memory_chunks, memory_tags
from memctl.store.steps import Checkpoint, Step, no_checkpoint
from memctl.store.terms import analyse_query
from memctl.store.truth import visible_entries

BUILDING_KEY = "index_building"
"""The fact about a rebuild that has begun: its generation, its model, and the last change when it
began, as JSON."""

REBUILD_BATCH_SIZE = 1_000
"""Rows put at a time: what a stop can cost to do again."""

SAMPLE_SIZE = 20
"""Rows that the new index must find by their own vector and by their own text."""

LEAST_SELF_SIMILARITY = 0.999
"""Cosine of a row found by its own vector; float32 rounding is far below the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildReport:
    """How many rows the new index holds, how many of them were embedded, and whether a rebuild
    that had been stopped went on."""

    rows: int
    embedded: int
    resumed: bool


@dataclass(frozen=True, slots=True)
class _Building:
    generation: int
    model: str | None
    since: int


class IndexRebuild:
    """One rebuild; made anew each time. Nobody else may rebuild meanwhile."""

    def __init__(
        self,
        database: Database,
        *,
        current: LanceIndex,
        open_generation: Callable[[int], LanceIndex],
        embedder_factory: Callable[[], Embedder],
        grace_seconds: float,
        checkpoint: Checkpoint = no_checkpoint,
        on_progress: Progress | None = None,
    ) -> None:
        """``open_generation`` opens the index with a fixed set of tables; readers of the old set
        have ``grace_seconds`` after the swap."""
        self._database = database
        self._current = current
        self._open_generation = open_generation
        self._embedder_factory = embedder_factory
        self._grace_seconds = grace_seconds
        self._checkpoint = checkpoint
        self._on_progress = on_progress
        self._embedded = 0
        self._embedder: Embedder | None = None
        self._model: EmbeddingModel | None = None
        self._copies = False

    def run(self, *, change_model: bool = False) -> RebuildReport:
        """Rebuilds for the model that the store has, or with ``change_model`` for the embedder's.

        An index that cannot be read is replaced all the same: every text is embedded then. Raises
        EmbeddingModelError when a model must be changed to that cannot be had, and SearchIndexError
        when the new index is not whole; the old one then stays, and the next rebuild begins anew.
        """
        self._choose_model(change_model=change_model)
        building, resumed = self._begin()
        try:
            rows = self._build(building)
        except SearchIndexError:
            self._abandon()
            if resumed:
                return self.run(change_model=change_model)
            raise
        return RebuildReport(rows=rows, embedded=self._embedded, resumed=resumed)

    def _build(self, building: _Building) -> int:
        """Fills, checks and installs the new index; gives the number of its rows."""
        new = self._open_generation(building.generation)
        new.create_tables()
        self._fill(new)
        new.compact(grace_seconds=0)
        with self._database.exclusive(INDEX_LOCK):
            self._catch_up(new, building.since)
            self._verify(new)
            rows = sum(new.count(kind) for kind in EntryKind)
            self._swap(building)
        self._checkpoint(Step.INDEX_SWAPPED)
        time.sleep(self._grace_seconds)
        self._current.drop_others()
        return rows

    def _abandon(self) -> None:
        """Forgets a rebuild that failed: going on with it would fail again."""
        with self._database.writing() as connection:
            delete_facts(connection, [BUILDING_KEY])

    def _choose_model(self, *, change_model: bool) -> None:
        with self._database.reading() as connection:
            stored = model_of(read_facts(connection))
        try:
            self._embedder = self._embedder_factory()
            if change_model:
                self._embedder.embed_passages([""])
        except EmbeddingModelError:
            if change_model:
                raise
        offered = None if self._embedder is None else self._embedder.model
        self._model = offered if change_model or stored is None else stored
        self._copies = self._model == stored
        if offered != self._model:
            self._embedder = None

    def _begin(self) -> tuple[_Building, bool]:
        model = None if self._model is None else self._model.name
        with self._database.writing() as connection:
            present = index_generation(connection)
            begun = _building(read_facts(connection))
            if begun is not None and begun.generation > present and begun.model == model:
                return begun, True
            building = _Building(present + 1, model, last_change_id(connection))
            values = [building.generation, building.model, building.since]
            write_facts(connection, {BUILDING_KEY: json.dumps(values)})
        self._current.drop_others()
        return building, False

    def _fill(self, new: LanceIndex) -> None:
        wanted = {kind: visible_ids(self._database, kind) for kind in EntryKind}
        keys: list[EntryKey] = []
        for kind, ids in wanted.items():
            finished = new.ids(kind) - new.ids_without_vector(kind)
            keys += [(kind, entry_id) for entry_id in sorted(ids - finished)]
        total = sum(map(len, wanted.values()))
        done = total - len(keys)
        for batch in in_batches(keys, REBUILD_BATCH_SIZE):
            self._put(new, batch, copy=self._copies)
            self._checkpoint(Step.REBUILT_ROWS_PUT)
            done += len(batch)
            if self._on_progress is not None:
                self._on_progress(done, total)

    def _put(self, new: LanceIndex, keys: Sequence[EntryKey], *, copy: bool) -> None:
        """Makes the new index agree with the truth about ``keys``."""
        with self._database.reading() as connection:
            truth = visible_entries(connection, keys)
        wanting = [key for key in keys if key in truth and truth[key].wants_vector]
        vectors = self._copied(wanting) if copy and self._copies else {}
        vectors |= self._made(
            {key: truth[key].entry.content for key in wanting if key not in vectors}
        )
        for kind in EntryKind:
            entries = [
                replace(truth[key].entry, vector=vectors.get(key))
                for key in keys
                if key[0] is kind and key in truth
            ]
            new.put(kind, entries)
            new.delete(kind, [key[1] for key in keys if key[0] is kind and key not in truth])
        missing = [key for key in wanting if key not in vectors]
        if missing:
            with self._database.writing() as connection:
                keep_waiting(connection, missing)

    def _copied(self, keys: Sequence[EntryKey]) -> Vectors:
        """Vectors of the index in use, as long as that can be read."""
        try:
            return _stored_vectors(self._current, keys)
        except SearchIndexError:
            self._copies = False
            return {}

    def _made(self, texts: Mapping[EntryKey, str]) -> Vectors:
        if not texts or self._embedder is None:
            return {}
        array = self._embedder.embed_passages(list(texts.values()))
        self._embedded += len(texts)
        return dict(zip(texts, array, strict=True))

    def _catch_up(self, new: LanceIndex, since: int) -> None:
        """Takes in what changed since the rebuild began; nobody else writes to an index now."""
        keys = set(self._changed_keys(since))
        for kind in EntryKind:
            wanted, there = visible_ids(self._database, kind), new.ids(kind)
            keys |= {(kind, entry_id) for entry_id in wanted ^ there}
        for batch in in_batches(sorted(keys), REBUILD_BATCH_SIZE):
            self._put(new, batch, copy=False)

    def _changed_keys(self, since: int) -> Iterable[EntryKey]:
        with self._database.reading() as connection:
            for key in changed_keys_since(connection, since, memories.name):
                yield EntryKind.MEMORY, key
            for key in changed_keys_since(connection, since, memory_tags.name):
                yield EntryKind.MEMORY, json.loads(key)[0]
            for key in changed_keys_since(connection, since, chunks.name):
                yield EntryKind.CHUNK, key
            for key in changed_keys_since(connection, since, memory_chunks.name):
                yield EntryKind.CHUNK, json.loads(key)[1]
            yield from _queued_keys(connection)

    def _verify(self, new: LanceIndex) -> None:
        for kind in EntryKind:
            wanted = visible_ids(self._database, kind)
            if new.ids(kind) != wanted or new.count(kind) != len(wanted):
                why = (
                    f"the rebuilt index holds {plural(new.count(kind), 'row')} "
                    f"where {len(wanted):,} should be"
                )
                raise SearchIndexError(path=self._database.location, why=why)
            ids = sorted(wanted)
            self._verify_sample(new, kind, ids[:: max(1, len(ids) // SAMPLE_SIZE)])

    def _verify_sample(self, new: LanceIndex, kind: EntryKind, ids: Sequence[str]) -> None:
        with self._database.reading() as connection:
            truth = visible_entries(connection, [(kind, entry_id) for entry_id in ids])
        for entry_id, vector in new.vectors(kind, ids).items():
            hits = new.search_vector(kind, vector, 1)
            if not hits or hits[0].score < LEAST_SELF_SIMILARITY:
                why = f"the rebuilt index does not find {entry_id} by its own vector"
                raise SearchIndexError(path=self._database.location, why=why)
        for (_, entry_id), visible in truth.items():
            content = visible.entry.content
            if analyse_query(content) and not new.search_text(kind, content, 1):
                why = f"the rebuilt index does not find {entry_id} by its own text"
                raise SearchIndexError(path=self._database.location, why=why)

    def _swap(self, building: _Building) -> None:
        facts = {GENERATION_KEY: str(building.generation)}
        if self._model is not None:
            facts |= facts_of_model(self._model)
        with self._database.writing() as connection:
            write_facts(connection, facts)
            delete_facts(connection, [BUILDING_KEY])


def _building(facts: Mapping[str, str]) -> _Building | None:
    text = facts.get(BUILDING_KEY)
    return None if text is None else _Building(*json.loads(text))


def _stored_vectors(index: SearchIndex, keys: Sequence[EntryKey]) -> Vectors:
    found: Vectors = {}
    for kind in EntryKind:
        ids = [entry_id for key_kind, entry_id in keys if key_kind is kind]
        vectors = index.vectors(kind, ids) if ids else {}
        found |= {(kind, entry_id): vector for entry_id, vector in vectors.items()}
    return found


def _queued_keys(connection: Connection) -> Iterable[EntryKey]:
    for row in undrained_rows(connection):
        yield row.key
