"""One table of the search index in LanceDB: its columns, reads, commits and figures.

Each method is one piece of work for LanceDB's coroutines; its errors pass as they are. A commit
that another process got in the way of is tried again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from memctl.store.event_loop import wait_for
from memctl.store.upkeep import (
    MAXIMUM_VECTOR_INDEX_PARTS,
    VERSION_RETENTION,
    VERSIONS_BETWEEN_LOOKS,
    TableState,
    is_due,
    pays_vector_index,
    with_new_part,
)

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from lancedb.db import AsyncConnection
    from lancedb.table import AsyncTable
    from numpy.typing import NDArray

CONFLICT_PAUSES_SECONDS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Waits before a commit that another process got in the way of is tried again."""

KEEP_ALL_VERSIONS = timedelta(days=36_500)
"""A retention that drops nothing."""

NO_RETENTION = timedelta(milliseconds=1)
"""A retention that keeps nothing but the present version."""

_COMMIT_CONFLICT = "Retryable commit conflict"
_PRIMARY_KEY = {"lance-schema:unenforced-primary-key": "true"}
"""Without it two processes that put the same new id at once would both insert it."""

ScoredId = tuple[str, float]

T = TypeVar("T")


class IndexTable:
    """Rows of one kind with vectors of ``dimension``. Readers see what other processes wrote before
    the call."""

    def __init__(self, table: AsyncTable, dimension: int, *, version: int) -> None:
        self._table = table
        self.dimension = dimension
        self._looks = version // VERSIONS_BETWEEN_LOOKS

    @classmethod
    def open(cls, database: AsyncConnection, name: str) -> IndexTable:
        """A table that is there."""

        async def opened() -> IndexTable:
            table = await database.open_table(name)
            schema, version = await asyncio.gather(table.schema(), table.version())
            return cls(table, _dimension_of(schema), version=version)

        return wait_for(opened())

    @classmethod
    def create(cls, database: AsyncConnection, name: str, dimension: int) -> IndexTable:
        """A new table with its full-text index, or the one that another process has just made."""

        async def created() -> IndexTable:
            table = await database.create_table(name, schema=row_schema(dimension), exist_ok=True)
            await _index_terms(table)
            return cls(table, _dimension_of(await table.schema()), version=0)

        return wait_for(created())

    def put(self, rows: pa.Table) -> None:
        """Inserts rows, or replaces those of the same ids."""
        merge = self._table.merge_insert("id").when_matched_update_all()
        merge = merge.when_not_matched_insert_all()
        wait_for(_retried(lambda: merge.execute(rows, on_bad_vectors="null")))

    def append(self, rows: pa.Table) -> None:
        """Adds rows of ids that the table does not hold, nor will get meanwhile. Measured with
        10,000 rows, one row costs 2 ms of CPU, where ``put`` takes 10."""
        wait_for(_retried(lambda: self._table.add(rows, on_bad_vectors="null")))

    def delete(self, condition: str) -> None:
        wait_for(_retried(lambda: self._table.delete(condition)))

    def count(self, condition: str | None = None) -> int:
        """How many rows there are, or how many of them fulfil the condition."""
        return int(wait_for(self._table.count_rows(condition)))

    def nearest(
        self, vector: NDArray[np.float32], limit: int, condition: str | None
    ) -> list[ScoredId]:
        """Ids and cosine distances of the rows that fulfil the condition, the nearest first."""
        query = self._table.query().nearest_to(vector).column("vector").distance_type("cosine")
        return self._scored(query, limit, condition, "_distance")

    def matching(self, terms: Sequence[str], limit: int, condition: str | None) -> list[ScoredId]:
        """Ids and BM25 scores of the rows that hold any of the terms, the best first."""
        query = self._table.query().nearest_to_text(" ".join(terms), columns=["terms"])
        return self._scored(query, limit, condition, "_score")

    def scan(self, columns: Sequence[str], condition: str | None) -> pa.Table:
        """The columns of all rows that fulfil the condition."""
        query = self._table.query().select(list(columns))
        if condition is not None:
            query = query.where(condition)
        found: pa.Table = wait_for(query.to_arrow())
        return found

    def portions(
        self, columns: Sequence[str], condition: str, most_rows: int
    ) -> Iterator[pa.RecordBatch]:
        """The same, at most ``most_rows`` at a time; only so many are in memory."""
        query = self._table.query().select(list(columns)).where(condition)
        batches = wait_for(query.to_batches(max_batch_length=most_rows))

        async def following() -> pa.RecordBatch | None:
            return await anext(batches, None)

        while (batch := wait_for(following())) is not None:
            yield batch

    def optimise_if_due(self, *, is_filling: bool = False) -> bool:
        """Tidies the table up where that is worth its time now; see ``upkeep.is_due``."""
        return wait_for(self._optimise_if_due(is_filling=is_filling))

    def compact(self) -> None:
        """Tidies it up, due or not, with an index of the vectors in one part; keeps all versions
        for readers that have opened one."""
        wait_for(self._optimise(KEEP_ALL_VERSIONS, most_parts=1))

    def drop_versions(self) -> None:
        """Drops all versions but the present one."""
        wait_for(_retried(lambda: self._table.optimize(cleanup_older_than=NO_RETENTION)))

    def loose_pieces(self) -> int:
        """How many fragments and old versions there are besides the present ones."""

        async def counted() -> int:
            state, versions = await self._state(), await self._versions()
            return max(0, state.fragments - 1) + max(0, len(versions) - 1)

        return wait_for(counted())

    def state(self) -> TableState:
        """All figures but the age of the versions."""
        return wait_for(self._state())

    def _scored(self, query: Any, limit: int, condition: str | None, score: str) -> list[ScoredId]:
        if condition is not None:
            query = query.where(condition)
        rows = wait_for(query.select(["id", score]).limit(limit).to_arrow())
        return list(zip(rows["id"].to_pylist(), rows[score].to_pylist(), strict=True))

    async def _optimise_if_due(self, *, is_filling: bool) -> bool:
        state, version = await asyncio.gather(self._state(), self._table.version())
        # The age of versions is looked at each time that a number of new ones has come, whichever
        # processes made them.
        looks = version // VERSIONS_BETWEEN_LOOKS
        if looks != self._looks:
            self._looks = looks
            state = replace(state, old_versions=await self._old_versions())
        if not is_due(state, is_filling=is_filling):
            return False
        await self._optimise(VERSION_RETENTION, most_parts=MAXIMUM_VECTOR_INDEX_PARTS)
        return True

    async def _optimise(self, retention: timedelta, *, most_parts: int) -> None:
        """Drops versions that are older than ``retention``; an index of the vectors is built first
        where one is wanted, anew where it would be in more than ``most_parts``, since fragments of
        two parts are never joined, and one of the terms where a process that was killed has left
        the table without."""
        from lancedb.index import IvfFlat

        if not any(index.columns == ["terms"] for index in await self._table.list_indices()):
            await _index_terms(self._table)
        if await self._wants_vector_index(most_parts):
            configuration = IvfFlat(distance_type="cosine")
            await _retried(lambda: self._table.create_index("vector", config=configuration))
        await _retried(lambda: self._table.optimize(cleanup_older_than=retention))

    async def _wants_vector_index(self, most_parts: int) -> bool:
        """Whether the vectors have no index yet and are worth one, or the one that they have would
        be in more than ``most_parts``."""
        state = with_new_part(await self._state())
        if state.vector_index_parts:
            return state.vector_index_parts > most_parts
        # Counting vectors reads through the rows, which those of a small table need not.
        return pays_vector_index(state.rows) and pays_vector_index(
            await self._table.count_rows("vector IS NOT NULL")
        )

    async def _state(self) -> TableState:
        statistics: Any
        statistics, indices = await asyncio.gather(self._table.stats(), self._table.list_indices())
        by_column = {index.columns[0]: index for index in indices}
        return TableState(
            rows=statistics["num_rows"],
            fragments=statistics["fragment_stats"]["num_fragments"],
            old_versions=0,
            unindexed_rows=(by_column["terms"].num_unindexed_rows or 0)
            if "terms" in by_column
            else statistics["num_rows"],
            vector_index_parts=(by_column["vector"].num_segments or 1)
            if "vector" in by_column
            else 0,
        )

    async def _old_versions(self) -> int:
        """How many versions are older than what tidying leaves, by the time of the newest one."""
        moments = [version["timestamp"] for version in await self._versions()]
        oldest_kept = max(moments) - VERSION_RETENTION
        return sum(moment < oldest_kept for moment in moments)

    async def _versions(self) -> list[dict[str, Any]]:
        table: Any = self._table
        versions: list[dict[str, Any]] = await table.list_versions()
        return versions


def row_schema(dimension: int) -> pa.Schema:
    """The columns of a table whose vectors have ``dimension``."""
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


def _dimension_of(schema: pa.Schema) -> int:
    return int(schema.field("vector").type.list_size)


async def _index_terms(table: AsyncTable) -> None:
    """Builds the full-text index of a table."""
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
    await _retried(lambda: table.create_index("terms", config=configuration))


async def _retried(commit: Callable[[], Awaitable[T]]) -> T:
    """Runs a commit again while other processes' commits get in its way."""
    for pause_seconds in CONFLICT_PAUSES_SECONDS:
        try:
            return await commit()
        except RuntimeError as error:
            if _COMMIT_CONFLICT not in str(error):
                raise
        await asyncio.sleep(pause_seconds)
    return await commit()
