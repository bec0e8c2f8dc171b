"""The search index: vectors and full text, derived from SQLite and rebuilt from it at any time.

``SearchIndex`` is what the rest of memctl knows; ``LanceIndex`` is its LanceDB adapter. The index
is fed by the outbox only and holds no fact of its own.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from memctl.errors import DimensionMismatchError, FullDiskError, SearchIndexError
from memctl.memory import EntryKind, EventTime, MemoryFilter, MemoryType, Origin, happened_at
from memctl.store.index_filter import condition_of, condition_of_ids, microseconds
from memctl.store.terms import ANALYSER_VERSION, analyse_query, index_column

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from lancedb.table import Table
    from numpy.typing import NDArray

TIE_MARGIN = 16
"""Rows read past the limit, so that equal scores at its border are ordered by id."""

IDS_PER_CONDITION = 500
"""Ids in one condition; more are asked for in several turns."""

_TABLE_NAMES = {EntryKind.MEMORY: "memories", EntryKind.CHUNK: "chunks"}
_ANALYSER_KEY = "memctl.analyser"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """A row of the index: a visible memory or a chunk, and the columns that filters need.

    ``vector`` has shape (dimension,), float32, norm 1, or is None: such a row is found by full
    text only. The memory-only fields are empty for chunks.
    """

    id: str
    kind: EntryKind
    content: str
    vector: NDArray[np.float32] | None
    created_at: datetime
    memory_type: MemoryType | None = None
    channel_id: str | None = None
    session_id: str | None = None
    source: str | None = None
    origin: Origin | None = None
    tags: tuple[str, ...] = ()
    event_at: EventTime | None = None


@dataclass(frozen=True, slots=True)
class IndexHit:
    """A row found: ``score`` is a cosine similarity (vectors) or a BM25 score (text)."""

    id: str
    score: float


class SearchIndex(Protocol):
    """Rows keyed by id, in one table for each kind.

    Searches return hits with the best score first, equal scores by id; a filter applies before
    the limit, except ``minimum_importance``, which the index does not know.
    """

    def put(self, kind: EntryKind, entries: Sequence[IndexEntry]) -> None:
        """Inserts rows or replaces those of the same id, all at once."""
        ...

    def delete(self, kind: EntryKind, ids: Iterable[str]) -> None:
        """Removes rows; unknown ids are no error."""
        ...

    def search_vector(
        self,
        kind: EntryKind,
        vector: NDArray[np.float32],
        limit: int,
        memory_filter: MemoryFilter | None = None,
    ) -> list[IndexHit]:
        """The nearest rows by cosine similarity."""
        ...

    def search_text(
        self,
        kind: EntryKind,
        query: str,
        limit: int,
        memory_filter: MemoryFilter | None = None,
    ) -> list[IndexHit]:
        """The best rows by BM25 over any of the query's terms. Any text is a valid query."""
        ...

    def vectors(self, kind: EntryKind, ids: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """The stored vectors of those ids that have one."""
        ...

    def ids(self, kind: EntryKind) -> set[str]:
        """All ids of a kind."""
        ...

    def ids_without_vector(self, kind: EntryKind) -> set[str]:
        """The ids that only full text finds yet."""
        ...

    def count(self, kind: EntryKind) -> int:
        """How many rows of a kind there are."""
        ...

    def optimise_if_due(self) -> bool:
        """Compacts, folds new rows into the indexes and drops old versions when enough changed
        to make that worth while; True when it did."""
        ...

    def close(self) -> None:
        """Lets go of files and memory."""
        ...


class LanceIndex:
    """The search index in LanceDB, at a path or an object store's URI.

    Each kind has its table, made when its first row comes. Readers see what other processes wrote
    before the call. ``storage_options`` go to LanceDB as they are.
    """

    def __init__(
        self,
        uri: str | Path,
        *,
        dimension: int,
        storage_options: Mapping[str, str] | None = None,
    ) -> None:
        """Opens the index or starts an empty one. Raises SearchIndexError when it cannot be
        opened, and DimensionMismatchError when it holds vectors of another dimension."""
        import lancedb

        self._uri = str(uri)
        self._dimension = dimension
        self._tables: dict[EntryKind, Table] = {}
        with self._translated():
            self._database = lancedb.connect(
                self._uri,
                storage_options=dict(storage_options) if storage_options else None,
                read_consistency_interval=timedelta(0),
            )
            names = set(self._database.list_tables().tables)
        self.is_new = not names
        """Whether nothing was there when it was opened: the caller then sends it everything."""
        for kind in EntryKind:
            if _TABLE_NAMES[kind] in names:
                self._open(kind)

    def put(self, kind: EntryKind, entries: Sequence[IndexEntry]) -> None:
        if not entries:
            return
        latest = list({entry.id: entry for entry in entries}.values())
        rows = self._rows(latest)
        with self._translated():
            (
                self._existing_or_new(kind)
                .merge_insert("id")
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .execute(rows, on_bad_vectors="null")
            )

    def delete(self, kind: EntryKind, ids: Iterable[str]) -> None:
        table = self._table(kind)
        if table is None:
            return
        with self._translated():
            for some in _portions(ids):
                table.delete(condition_of_ids(some))

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
        if vector.shape != (self._dimension,):
            raise DimensionMismatchError(
                path=self._uri, found=vector.shape[-1], expected=self._dimension
            )
        with self._translated():
            query: Any = table.search(vector, query_type="vector", vector_column_name="vector")
            found = self._run(query.distance_type("cosine"), limit, memory_filter, "_distance")
        return _best([IndexHit(row_id, 1.0 - distance) for row_id, distance in found], limit)

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
        table = self._table(kind)
        if table is None:
            return {}
        found: dict[str, NDArray[np.float32]] = {}
        with self._translated():
            for some in _portions(ids):
                condition = f"{condition_of_ids(some)} AND vector IS NOT NULL"
                rows = _scan(table, ["id", "vector"], condition)
                flat = rows["vector"].combine_chunks().flatten().to_numpy()
                matrix = flat.reshape(-1, self._dimension)
                found.update(zip(rows["id"].to_pylist(), matrix, strict=True))
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
        done = False
        for kind in EntryKind:
            table = self._table(kind)
            if table is not None:
                with self._translated():
                    table.optimize()
                done = True
        return done

    def close(self) -> None:
        self._tables.clear()

    def _run(self, query: Any, limit: int, memory_filter: MemoryFilter | None, score: str) -> Any:
        """Pairs of id and score; some more than the limit, so that ties can be put in order."""
        condition = condition_of(memory_filter)
        if condition is not None:
            query = query.where(condition, prefilter=True)
        rows = query.select(["id", score]).limit(limit + TIE_MARGIN).to_arrow()
        return zip(rows["id"].to_pylist(), rows[score].to_pylist(), strict=True)

    def _ids_where(self, kind: EntryKind, condition: str | None) -> set[str]:
        table = self._table(kind)
        if table is None:
            return set()
        with self._translated():
            return set(_scan(table, ["id"], condition)["id"].to_pylist())

    def _table(self, kind: EntryKind) -> Table | None:
        """The kind's table, also when another process made it meanwhile; None before that."""
        if kind not in self._tables:
            with self._translated():
                names = self._database.list_tables().tables
            if _TABLE_NAMES[kind] in names:
                self._open(kind)
        return self._tables.get(kind)

    def _open(self, kind: EntryKind) -> None:
        with self._translated():
            table = self._database.open_table(_TABLE_NAMES[kind])
            found = table.schema.field("vector").type.list_size
        if found != self._dimension:
            raise DimensionMismatchError(path=self._uri, found=found, expected=self._dimension)
        self._tables[kind] = table

    def _existing_or_new(self, kind: EntryKind) -> Table:
        from lancedb.index import FTS

        table = self._table(kind)
        if table is None:
            table = self._database.create_table(
                _TABLE_NAMES[kind], schema=self._schema(), exist_ok=True
            )
            configuration = FTS(
                base_tokenizer="whitespace",
                with_position=False,
                lower_case=False,
                stem=False,
                remove_stop_words=False,
                ascii_folding=False,
                max_token_length=None,
            )
            table.create_index("terms", config=configuration)
            self._tables[kind] = table
        return table

    def _schema(self) -> pa.Schema:
        import pyarrow as pa

        return pa.schema(
            [
                pa.field("id", pa.string(), nullable=False),
                pa.field("terms", pa.string(), nullable=False),
                pa.field("vector", pa.list_(pa.float32(), self._dimension)),
                pa.field("happened_at", pa.int64(), nullable=False),
                pa.field("memory_type", pa.string()),
                pa.field("channel_id", pa.string()),
                pa.field("session_id", pa.string()),
                pa.field("source", pa.string()),
                pa.field("origin", pa.string()),
                pa.field("tags", pa.list_(pa.string())),
            ],
            metadata={_ANALYSER_KEY: str(ANALYSER_VERSION)},
        )

    def _rows(self, entries: Sequence[IndexEntry]) -> pa.Table:
        import pyarrow as pa

        for entry in entries:
            if entry.vector is not None and entry.vector.shape != (self._dimension,):
                raise DimensionMismatchError(
                    path=self._uri, found=entry.vector.shape[-1], expected=self._dimension
                )
        schema = self._schema()
        columns = {
            "id": [entry.id for entry in entries],
            "terms": [index_column(entry.content) for entry in entries],
            "vector": [entry.vector for entry in entries],
            "happened_at": [
                microseconds(happened_at(entry.event_at, entry.created_at)) for entry in entries
            ],
            "tags": [list(entry.tags) for entry in entries],
        }
        for name in ("memory_type", "channel_id", "session_id", "source", "origin"):
            columns[name] = [getattr(entry, name) for entry in entries]
        return pa.table(
            {name: pa.array(columns[name], schema.field(name).type) for name in schema.names},
            schema=schema,
        )

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turns what LanceDB raises into errors of the store."""
        try:
            yield
        except (OSError, RuntimeError, ValueError) as error:
            if "os error 28" in str(error) or getattr(error, "errno", None) == errno.ENOSPC:
                raise FullDiskError(path=self._uri) from error
            raise SearchIndexError(path=self._uri, why=_first_line(error)) from error


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


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
