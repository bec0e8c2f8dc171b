"""The search index in LanceDB: one table for each kind of entry.

Rows appended since the indexes were built are found at once: LanceDB searches them one by one
until the table is tidied up. Filters apply before the limit, and no commit of another process is
lost or stops this one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.errors import DimensionMismatchError
from memctl.memory import EntryKind, MemoryFilter, happened_at
from memctl.store.database import local_folder
from memctl.store.event_loop import wait_for
from memctl.store.index import IndexEntry, IndexHit
from memctl.store.index_filter import condition_of, condition_of_ids, microseconds
from memctl.store.index_table import IndexTable, row_schema
from memctl.store.lance_errors import translate_lance_error
from memctl.store.lance_import import import_lancedb
from memctl.store.nearest import nearest_rows
from memctl.store.terms import analyse_query, index_column

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

INDEX_FORMAT = 1
"""Part of the tables' names: raised with every change of their columns or of the terms that
``store/terms`` makes. Tables of another format stay until the new ones hold as many rows."""

TIE_MARGIN = 16
"""Rows read past the limit, so that equal scores at its border are ordered by id."""

IDS_PER_CONDITION = 500
"""Ids in one condition; more are asked for in several turns."""

SEPARATE_SEARCHES = 4
"""Up to so many vectors are searched one by one; more of them are worth a pass over all rows."""

PORTION_ROWS = 8_192
"""Rows of that pass that are in memory at a time: 12 MB of 384 floats."""

_VERSIONS_AND_ROWS = ("_versions/*.manifest", "data/*")
"""Which files in a table's folder hold its versions and its rows."""

_STEMS = {EntryKind.MEMORY: "memories_v", EntryKind.CHUNK: "chunks_v"}


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
        self._tables: dict[str, IndexTable] = {}
        with self._translated():
            self._database = wait_for(
                lancedb.connect_async(
                    self._uri,
                    storage_options=dict(storage_options) if storage_options else None,
                    read_consistency_interval=timedelta(0),
                )
            )
        names = self._table_names()
        self._outdated = {kind: [n for n in names if _is_outdated(kind, n)] for kind in EntryKind}
        self.is_new = not any(self._is_made(_table_name(kind, generation())) for kind in EntryKind)
        """Whether it held nothing usable when it was opened: the caller sends it everything."""

    def put(
        self, kind: EntryKind, entries: Sequence[IndexEntry], *, is_alone: bool = False
    ) -> None:
        if not entries:
            return
        latest = list({entry.id: entry for entry in entries}.values())
        table = self._table(kind)
        if table is None:
            table = self._create(kind)
        rows = self._rows(latest, table.dimension)
        with self._translated():
            if is_alone and not self._holds_any(table, latest):
                table.append(rows)
            else:
                table.put(rows)

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
        self._check_dimension(vector, table.dimension)
        with self._translated():
            found = table.nearest(vector, limit + TIE_MARGIN, condition_of(memory_filter))
        hits = [IndexHit(row_id, min(1.0, 1.0 - distance)) for row_id, distance in found]
        return _best(hits, limit)

    def search_vectors(
        self,
        kind: EntryKind,
        vectors: Sequence[NDArray[np.float32]],
        limit: int,
        least: float = -math.inf,
    ) -> list[list[IndexHit]]:
        import numpy as np

        table = self._table(kind)
        if table is None or not vectors or limit < 1:
            return [[] for _ in vectors]
        for vector in vectors:
            self._check_dimension(vector, table.dimension)
        if len(vectors) <= SEPARATE_SEARCHES:
            each = (self.search_vector(kind, vector, limit) for vector in vectors)
            return [[hit for hit in hits if hit.score >= least] for hits in each]
        with self._translated():
            portions = self._portions_with_vectors(table)
            found = nearest_rows(np.stack(vectors), portions, limit, least)
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
            found = table.matching(terms, limit + TIE_MARGIN, condition_of(memory_filter))
        return _best([IndexHit(row_id, score) for row_id, score in found], limit)

    def vectors(self, kind: EntryKind, ids: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        wanted = dict.fromkeys(ids)
        table = self._table(kind)
        found = {} if table is None else self._vectors_in(table, wanted)
        for name in self._outdated[kind]:
            missing = [entry_id for entry_id in wanted if entry_id not in found]
            with self._translated():
                older = IndexTable.open(self._database, name)
            if missing and older.dimension == self._dimension:
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
            return table.count()

    def optimise_if_due(self, *, is_filling: bool = False) -> bool:
        due = [kind for kind in EntryKind if self._optimise_kind_if_due(kind, is_filling)]
        return bool(due)

    def compact(self, *, grace_seconds: float) -> None:
        """Rewrites what is in small pieces, due or not, and drops all old versions.

        Readers that opened one have ``grace_seconds`` to finish.
        """
        tables = [table for kind in EntryKind if (table := self._table(kind)) is not None]
        with self._translated():
            for table in tables:
                table.compact()
            if tables:
                time.sleep(grace_seconds)
            for table in tables:
                table.drop_versions()

    def loose_pieces(self) -> int:
        """How many fragments and old versions there are besides the present ones."""
        tables = [table for kind in EntryKind if (table := self._table(kind)) is not None]
        with self._translated():
            return sum(table.loose_pieces() for table in tables)

    def all_vectors(self, kind: EntryKind) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
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
                    wait_for(self._database.drop_table(name))
        self._outdated = {kind: [] for kind in EntryKind}
        self._tables = {name: table for name, table in self._tables.items() if name in wanted}

    def close(self) -> None:
        self._tables.clear()

    @staticmethod
    def _holds_any(table: IndexTable, entries: Sequence[IndexEntry]) -> bool:
        """Whether the table has a row of one of the ids."""
        ids = (entry.id for entry in entries)
        return any(table.count(condition_of_ids(some)) for some in _portions(ids))

    def _optimise_kind_if_due(self, kind: EntryKind, is_filling: bool) -> bool:
        table = self._table(kind)
        if table is None:
            return False
        self._drop_outdated(kind)
        with self._translated():
            return table.optimise_if_due(is_filling=is_filling)

    def _drop_outdated(self, kind: EntryKind) -> None:
        for name in list(self._outdated[kind]):
            with self._translated():
                older = IndexTable.open(self._database, name)
                if older.count() <= self.count(kind):
                    wait_for(self._database.drop_table(name))
                    self._outdated[kind].remove(name)

    def _vectors_in(self, table: IndexTable, ids: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        found: dict[str, NDArray[np.float32]] = {}
        with self._translated():
            for some in _portions(ids):
                rows = table.scan(["id", "vector"], condition_of_ids(some))
                rows = rows.filter(rows["vector"].is_valid())
                flat = rows["vector"].combine_chunks().flatten().to_numpy()
                matrix = flat.reshape(-1, table.dimension)
                found.update(zip(rows["id"].to_pylist(), matrix, strict=True))
        return found

    def _portions_with_vectors(
        self, table: IndexTable
    ) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
        for batch in table.portions(["id", "vector"], "vector IS NOT NULL", PORTION_ROWS):
            flat = batch.column("vector").flatten().to_numpy(zero_copy_only=False)
            yield batch.column("id").to_pylist(), flat.reshape(-1, table.dimension)

    def _ids_where(self, kind: EntryKind, condition: str | None) -> set[str]:
        table = self._table(kind)
        if table is None:
            return set()
        with self._translated():
            return set(table.scan(["id"], condition)["id"].to_pylist())

    def _table(self, kind: EntryKind) -> IndexTable | None:
        """The kind's table, also when another process made it meanwhile; None before that."""
        name = _table_name(kind, self._generation())
        if name not in self._tables and self._is_made(name):
            with self._translated():
                self._tables[name] = IndexTable.open(self._database, name)
        return self._tables.get(name)

    def _is_made(self, name: str) -> bool:
        """Whether there is a table of that name, be it damaged. A process that is killed while it
        makes one may leave a folder without any version or row: that is none yet."""
        if name not in self._table_names():
            return False
        home = local_folder(self._uri)
        if home is None:
            return True
        folder = home / f"{name}.lance"
        return not folder.is_dir() or any(any(folder.glob(files)) for files in _VERSIONS_AND_ROWS)

    def _table_names(self) -> set[str]:
        with self._translated():
            return set(wait_for(self._database.list_tables()).tables)

    def _create(self, kind: EntryKind) -> IndexTable:
        name = _table_name(kind, self._generation())
        with self._translated():
            table = IndexTable.create(self._database, name, self._dimension)
        self._tables[name] = table
        return table

    def _rows(self, entries: Sequence[IndexEntry], dimension: int) -> pa.Table:
        import numpy as np
        import pyarrow as pa

        schema = row_schema(dimension)
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


def _best(hits: list[IndexHit], limit: int) -> list[IndexHit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


def _portions(ids: Iterable[str]) -> Iterator[list[str]]:
    remaining = iter(dict.fromkeys(ids))
    while some := list(islice(remaining, IDS_PER_CONDITION)):
        yield some
