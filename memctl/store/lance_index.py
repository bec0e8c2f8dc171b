"""The search index in LanceDB: one table for each kind of entry.

Rows appended since the indexes were built are found at once: LanceDB searches them one by one
until the table is tidied up. Filters apply before the limit, and no commit of another process is
lost or stops this one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from memctl.errors import DimensionMismatchError
from memctl.memory import EntryKind, MemoryFilter, happened_at
from memctl.store.index import IndexEntry, IndexHit
from memctl.store.index_filter import condition_of, condition_of_ids, microseconds
from memctl.store.lance_errors import translate_lance_error
from memctl.store.lance_import import import_lancedb
from memctl.store.nearest import nearest_rows
from memctl.store.terms import analyse_query, index_column
from memctl.store.upkeep import (
    VERSION_RETENTION,
    VERSIONS_BETWEEN_LOOKS,
    TableState,
    is_due,
    wants_vector_index,
)

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from lancedb.table import Table
    from numpy.typing import NDArray

INDEX_FORMAT = 1
"""Part of the tables' names: raised with every change of their columns or of the terms that
``store/terms`` makes. Tables of another format stay until the new ones hold as many rows."""

TIE_MARGIN = 16
"""Rows read past the limit, so that equal scores at its border are ordered by id."""

IDS_PER_CONDITION = 500
"""Ids in one condition; more are asked for in several turns."""

CONFLICT_PAUSES_SECONDS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Waits before a commit that another process got in the way of is tried again."""

SEPARATE_SEARCHES = 4
"""Up to so many vectors are searched one by one; more of them are worth a pass over all rows."""

PORTION_ROWS = 8_192
"""Rows of that pass that are in memory at a time: 12 MB of 384 floats."""

KEEP_ALL_VERSIONS = timedelta(days=36_500)
"""A retention that drops nothing."""

NO_RETENTION = timedelta(milliseconds=1)
"""A retention that keeps nothing but the present version."""

_STEMS = {EntryKind.MEMORY: "memories_v", EntryKind.CHUNK: "chunks_v"}
_COMMIT_CONFLICT = "Retryable commit conflict"
_PRIMARY_KEY = {"lance-schema:unenforced-primary-key": "true"}
"""Without it two processes that put the same new id at once would both insert it."""

T = TypeVar("T")


class LanceIndex:
    """The search index in LanceDB, at a path or an object store's URI.

    Each kind has its table, made when its first row comes. Readers see what other processes wrote
    before the call. Vectors of another dimension than the table's are refused with
    DimensionMismatchError, while full text goes on. A full disk is a FullDiskError, a folder that
    may not be written a ReadOnlyStoreError, whatever else LanceDB cannot do a SearchIndexError.
    """

    def __init__(
        self,
        uri: str | Path,
        *,
        dimension: int,
        storage_options: Mapping[str, str] | None = None,
        generation: Callable[[], int] = lambda: 0,
    ) -> None:
        """Opens the index or starts an empty one, whose vectors will have ``dimension``.

        ``storage_options`` go to LanceDB as they are. ``generation`` says which set of tables holds
        now; it is asked before each use, so that another process can build the next set beside this
        one and put it in its place.
        """
        self._uri = str(uri)
        lancedb = import_lancedb(self._uri)
        self._dimension = dimension
        self._generation = generation
        self._tables: dict[str, Table] = {}
        self._looks: dict[str, int] = {}
        with self._translated():
            self._database = lancedb.connect(
                self._uri,
                storage_options=dict(storage_options) if storage_options else None,
                read_consistency_interval=timedelta(0),
            )
        names = self._table_names()
        self._outdated = {kind: [n for n in names if _is_outdated(kind, n)] for kind in EntryKind}
        self.is_new = not any(_table_name(kind, generation()) in names for kind in EntryKind)
        """Whether it held nothing usable when it was opened: the caller sends it everything."""

    def put(self, kind: EntryKind, entries: Sequence[IndexEntry]) -> None:
        if not entries:
            return
        latest = list({entry.id: entry for entry in entries}.values())
        table = self._table(kind) or self._create(kind)
        rows = self._rows(latest, self._dimension_of(table))
        with self._translated():
            merge = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            _retried(lambda: merge.execute(rows, on_bad_vectors="null"))

    def delete(self, kind: EntryKind, ids: Iterable[str]) -> None:
        table = self._table(kind)
        if table is None:
            return
        with self._translated():
            for some in _portions(ids):
                _retried(partial(table.delete, condition_of_ids(some)))

    def search_vector(
        self,
        kind: EntryKind,
        vector: NDArray[np.float32],
        limit: int,
        memory_filter: MemoryFilter | None = None,
    ) -> list[IndexHit]:
        table = self._table(kind)
        if table is None or limit < 1:
            return []
        self._check_dimension(vector, self._dimension_of(table))
        with self._translated():
            query: Any = table.search(vector, query_type="vector", vector_column_name="vector")
            query = query.distance_type("cosine")
            found = self._run(query, limit, memory_filter, "_distance")
        hits = [IndexHit(row_id, min(1.0, 1.0 - distance)) for row_id, distance in found]
        return _best(hits, limit)

    def search_vectors(
        self, kind: EntryKind, vectors: Sequence[NDArray[np.float32]], limit: int
    ) -> list[list[IndexHit]]:
        import numpy as np

        table = self._table(kind)
        if table is None or not vectors or limit < 1:
            return [[] for _ in vectors]
        # Asking the table costs a look at the disk.
        dimension = self._dimension_of(table)
        for vector in vectors:
            self._check_dimension(vector, dimension)
        if len(vectors) <= SEPARATE_SEARCHES:
            return [self.search_vector(kind, vector, limit) for vector in vectors]
        with self._translated():
            found = nearest_rows(np.stack(vectors), self._portions_with_vectors(table), limit)
        return [[IndexHit(row_id, score) for row_id, score in hits] for hits in found]

    def search_text(
        self,
        kind: EntryKind,
        query: str,
        limit: int,
        memory_filter: MemoryFilter | None = None,
    ) -> list[IndexHit]:
        table = self._table(kind)
        terms = analyse_query(query)
        if table is None or not terms or limit < 1:
            return []
        with self._translated():
            match = table.search(" ".join(terms), query_type="fts", fts_columns="terms")
            found = self._run(match, limit, memory_filter, "_score")
        return _best([IndexHit(row_id, score) for row_id, score in found], limit)

    def vectors(self, kind: EntryKind, ids: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        wanted = dict.fromkeys(ids)
        table = self._table(kind)
        found = {} if table is None else self._vectors_in(table, wanted)
        for name in self._outdated[kind]:
            missing = [entry_id for entry_id in wanted if entry_id not in found]
            with self._translated():
                older = self._database.open_table(name)
            if missing and self._dimension_of(older) == self._dimension:
                found |= self._vectors_in(older, missing)
        return found

    def ids(self, kind: EntryKind) -> set[str]:
        return self._ids_where(kind, None)

    def ids_without_vector(self, kind: EntryKind) -> set[str]:
        return self._ids_where(kind, "vector IS NULL")

    def count(self, kind: EntryKind) -> int:
        table = self._table(kind)
        if table is None:
            return 0
        with self._translated():
            return int(table.count_rows())

    def optimise_if_due(self) -> bool:
        due = [kind for kind in EntryKind if self._optimise_kind_if_due(kind)]
        return bool(due)

    def compact(self, *, grace_seconds: float) -> None:
        """Rewrites what is in small pieces, due or not, and drops all old versions.

        Readers that opened one have ``grace_seconds`` to finish.
        """
        tables = [table for kind in EntryKind if (table := self._table(kind)) is not None]
        with self._translated():
            for table in tables:
                self._optimise(table, KEEP_ALL_VERSIONS)
            if tables:
                time.sleep(grace_seconds)
            for table in tables:
                _retried(partial(table.optimize, cleanup_older_than=NO_RETENTION))

    def loose_pieces(self) -> int:
        """How many fragments and old versions there are besides the present ones."""
        tables = [table for kind in EntryKind if (table := self._table(kind)) is not None]
        with self._translated():
            fragments = [_state_of(table).fragments for table in tables]
            versions = [len(table.list_versions()) for table in tables]
        return sum(max(0, count - 1) for count in [*fragments, *versions])

    def all_vectors(self, kind: EntryKind) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
        """All ids with a vector, some thousand at a time, with their vectors of shape (n, d)."""
        table = self._table(kind)
        if table is not None:
            with self._translated():
                yield from self._portions_with_vectors(table)

    def create_tables(self) -> None:
        """Makes the tables of all kinds, empty, where they are missing."""
        for kind in EntryKind:
            if self._table(kind) is None:
                self._create(kind)

    def drop_others(self, keep: Iterable[int] = ()) -> None:
        """Drops the tables of every generation and format but the present ones and ``keep``."""
        wanted = {_table_name(kind, number) for number in keep for kind in EntryKind}
        wanted |= {_table_name(kind, self._generation()) for kind in EntryKind}
        stems = tuple(_STEMS.values())
        with self._translated():
            for name in self._table_names():
                if name.startswith(stems) and name not in wanted:
                    self._database.drop_table(name)
        self._outdated = {kind: [] for kind in EntryKind}
        self._tables = {name: table for name, table in self._tables.items() if name in wanted}

    def close(self) -> None:
        self._tables.clear()

    def _optimise_kind_if_due(self, kind: EntryKind) -> bool:
        table = self._table(kind)
        if table is None:
            return False
        self._drop_outdated(kind)
        with self._translated():
            if not is_due(self._state(table)):
                return False
            self._optimise(table, VERSION_RETENTION)
        return True

    def _state(self, table: Table) -> TableState:
        """The table's figures, with the age of its versions each time that a number of new ones
        has come, whichever processes made them."""
        state, looks = _state_of(table), table.version // VERSIONS_BETWEEN_LOOKS
        if looks != self._looks.get(table.name):
            self._looks[table.name] = looks
            return replace(state, old_versions=_old_versions(table))
        return state

    def _optimise(self, table: Table, retention: timedelta) -> None:
        from lancedb.index import IvfFlat

        state = _state_of(table)
        _retried(lambda: table.optimize(cleanup_older_than=retention))
        if wants_vector_index(state):
            configuration = IvfFlat(distance_type="cosine")
            _retried(lambda: table.create_index("vector", config=configuration))

    def _drop_outdated(self, kind: EntryKind) -> None:
        for name in list(self._outdated[kind]):
            with self._translated():
                older = self._database.open_table(name)
                if older.count_rows() <= self.count(kind):
                    self._database.drop_table(name)
                    self._outdated[kind].remove(name)

    def _run(self, query: Any, limit: int, memory_filter: MemoryFilter | None, score: str) -> Any:
        """Pairs of id and score; some more than the limit, so that ties can be put in order."""
        condition = condition_of(memory_filter)
        if condition is not None:
            query = query.where(condition, prefilter=True)
        rows = query.select(["id", score]).limit(limit + TIE_MARGIN).to_arrow()
        return zip(rows["id"].to_pylist(), rows[score].to_pylist(), strict=True)

    def _vectors_in(self, table: Table, ids: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        dimension = self._dimension_of(table)
        found: dict[str, NDArray[np.float32]] = {}
        with self._translated():
            for some in _portions(ids):
                rows = _scan(table, ["id", "vector"], condition_of_ids(some))
                rows = rows.filter(rows["vector"].is_valid())
                flat = rows["vector"].combine_chunks().flatten().to_numpy()
                matrix = flat.reshape(-1, dimension)
                found.update(zip(rows["id"].to_pylist(), matrix, strict=True))
        return found

    def _portions_with_vectors(
        self, table: Table
    ) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
        query = table.search().select(["id", "vector"]).where("vector IS NOT NULL")
        dimension = self._dimension_of(table)
        for batch in query.to_batches(PORTION_ROWS):
            flat = batch.column("vector").flatten().to_numpy(zero_copy_only=False)
            yield batch.column("id").to_pylist(), flat.reshape(-1, dimension)

    def _ids_where(self, kind: EntryKind, condition: str | None) -> set[str]:
        table = self._table(kind)
        if table is None:
            return set()
        with self._translated():
            return set(_scan(table, ["id"], condition)["id"].to_pylist())

    def _table(self, kind: EntryKind) -> Table | None:
        """The kind's table, also when another process made it meanwhile; None before that."""
        name = _table_name(kind, self._generation())
        if name not in self._tables and name in self._table_names():
            with self._translated():
                opened = self._tables[name] = self._database.open_table(name)
                self._looks[name] = opened.version // VERSIONS_BETWEEN_LOOKS
        return self._tables.get(name)

    def _table_names(self) -> set[str]:
        with self._translated():
            return set(self._database.list_tables().tables)

    def _create(self, kind: EntryKind) -> Table:
        from lancedb.index import FTS

        configuration = FTS(
            base_tokenizer="whitespace",
            with_position=False,
            lower_case=False,
            stem=False,
            remove_stop_words=False,
            ascii_folding=False,
            max_token_length=None,
        )
        name = _table_name(kind, self._generation())
        with self._translated():
            schema = _schema(self._dimension)
            table: Table = self._database.create_table(name, schema=schema, exist_ok=True)
            _retried(lambda: table.create_index("terms", config=configuration))
        self._tables[name], self._looks[name] = table, 0
        return table

    def _rows(self, entries: Sequence[IndexEntry], dimension: int) -> pa.Table:
        import numpy as np
        import pyarrow as pa

        schema = _schema(dimension)
        matrix = np.zeros((len(entries), dimension), dtype=np.float32)
        for row, entry in enumerate(entries):
            if entry.vector is not None:
                self._check_dimension(entry.vector, dimension)
                matrix[row] = entry.vector
        missing = pa.array([entry.vector is None for entry in entries])
        flat = pa.array(matrix.ravel())
        columns = {"vector": pa.FixedSizeListArray.from_arrays(flat, dimension, mask=missing)}
        for name, values in _plain_columns(entries).items():
            columns[name] = pa.array(values, schema.field(name).type)
        return pa.table([columns[name] for name in schema.names], schema=schema)

    def _dimension_of(self, table: Table) -> int:
        with self._translated():
            return int(table.schema.field("vector").type.list_size)

    def _check_dimension(self, vector: NDArray[np.float32], dimension: int) -> None:
        if vector.shape != (dimension,):
            raise DimensionMismatchError(path=self._uri, found=vector.size, expected=dimension)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turns what LanceDB raises into errors of the store."""
        try:
            yield
        except (OSError, RuntimeError, ValueError) as error:
            raise translate_lance_error(self._uri, error) from error


def _table_name(kind: EntryKind, generation: int) -> str:
    suffix = f"g{generation}" if generation else ""
    return f"{_STEMS[kind]}{INDEX_FORMAT}{suffix}"


def _is_outdated(kind: EntryKind, name: str) -> bool:
    """Whether a table of this kind has another format than the present one."""
    stem = _STEMS[kind]
    return name.startswith(stem) and name[len(stem) :].partition("g")[0] != str(INDEX_FORMAT)


def _schema(dimension: int) -> pa.Schema:
    import pyarrow as pa

    texts = ("memory_type", "channel_id", "session_id", "source", "origin")
    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False, metadata=_PRIMARY_KEY),
            pa.field("terms", pa.string(), nullable=False),
            pa.field("vector", pa.list_(pa.float32(), dimension)),
            pa.field("happened_at", pa.int64(), nullable=False),
            *(pa.field(name, pa.string()) for name in texts),
            pa.field("tags", pa.list_(pa.string())),
        ]
    )


def _plain_columns(entries: Sequence[IndexEntry]) -> dict[str, list[Any]]:
    """The values of all columns but the vector's."""
    return {
        "id": [entry.id for entry in entries],
        "terms": [index_column(entry.content) for entry in entries],
        "happened_at": [
            microseconds(happened_at(entry.event_at, entry.created_at)) for entry in entries
        ],
        "memory_type": [entry.memory_type for entry in entries],
        "channel_id": [entry.channel_id for entry in entries],
        "session_id": [entry.session_id for entry in entries],
        "source": [entry.source for entry in entries],
        "origin": [entry.origin for entry in entries],
        "tags": [list(entry.tags) for entry in entries],
    }


def _state_of(table: Table) -> TableState:
    """All figures but the age of the versions."""
    statistics: Any = table.stats()
    by_column = {index.columns[0]: index for index in table.list_indices()}
    return TableState(
        rows=statistics["num_rows"],
        fragments=statistics["fragment_stats"]["num_fragments"],
        old_versions=0,
        unindexed_rows=by_column["terms"].num_unindexed_rows or 0,
        has_vector_index="vector" in by_column,
    )


def _old_versions(table: Table) -> int:
    """How many versions are older than what tidying leaves, by the time of the newest one."""
    moments = [version["timestamp"] for version in table.list_versions()]
    oldest_kept = max(moments) - VERSION_RETENTION
    return sum(moment < oldest_kept for moment in moments)


def _best(hits: list[IndexHit], limit: int) -> list[IndexHit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


def _portions(ids: Iterable[str]) -> Iterator[list[str]]:
    remaining = iter(dict.fromkeys(ids))
    while some := list(islice(remaining, IDS_PER_CONDITION)):
        yield some


def _scan(table: Table, columns: list[str], condition: str | None) -> pa.Table:
    query = table.search().select(columns)
    if condition is not None:
        query = query.where(condition)
    return query.to_arrow()


def _retried(commit: Callable[[], T]) -> T:
    """Runs a commit again while other processes' commits get in its way."""
    for pause_seconds in CONFLICT_PAUSES_SECONDS:
        try:
            return commit()
        except RuntimeError as error:
            if _COMMIT_CONFLICT not in str(error):
                raise
        time.sleep(pause_seconds)
    return commit()
