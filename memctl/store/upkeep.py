"""When the search index is worth tidying up: pure decisions on a table's figures.

Every write leaves a fragment and a version, and rows that came after the full-text index was
built are read one by one. Tidying rewrites the table, so its cost grows with the rows that are
there: it waits until a share of them is new.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

MAXIMUM_FRAGMENTS = 40
"""Files of a table. Measured with 10,000 rows on 2 busy cores: 60 one-row fragments made a vector
query take 5 to 10 ms longer."""

MAXIMUM_OLD_VERSIONS = 200
"""Versions of a table that tidying would drop; deletions add to them without a fragment."""

VERSIONS_BETWEEN_LOOKS = 100
"""So many versions are made between two looks at how old they are: LanceDB reads a file for each of
them, 0.1 ms. They are the work of some thirty single saves."""

TOLERATED_UNINDEXED_ROWS = 1_000
"""Rows outside the full-text index: about 5 ms of a query. In a small table no more than half may
wait: LanceDB weighs terms by the indexed rows and those that pass the filter, so without an index
a narrow filter would change all scores."""

MAXIMUM_UNINDEXED_SHARE = 0.05
"""In large tables more may wait. Tidying 100,000 rows took 0.5 s of CPU, 2 s with a vector index,
so filling a table to that size in small batches spends some 20 s of CPU on it."""

VECTOR_INDEX_ROWS = 50_000
"""Rows from which vectors get an index. Up to there a query compares all of them: exact, and
about 0.5 ms per 1,000 rows on 2 cores. The index is IVF_FLAT: with 100,000 rows it was built in
3 s, found .997 of the nearest 50 in a fifth of the time, and its similarities are exact;
IVF_HNSW_SQ needed 70 s on the same busy machine and found .93 to .95."""

VERSION_RETENTION = timedelta(minutes=2)
"""How long the files of old versions stay for readers that have just opened them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """A table's figures. ``old_versions`` are past VERSION_RETENTION; ``unindexed_rows`` are those
    that the full-text index lacks."""

    rows: int
    fragments: int
    old_versions: int
    unindexed_rows: int
    has_vector_index: bool


def is_due(state: TableState) -> bool:
    """Whether compacting and indexing is worth its time now."""
    allowed = max(
        min(TOLERATED_UNINDEXED_ROWS, state.rows // 2), int(state.rows * MAXIMUM_UNINDEXED_SHARE)
    )
    return (
        state.fragments > MAXIMUM_FRAGMENTS
        or state.old_versions > MAXIMUM_OLD_VERSIONS
        or state.unindexed_rows > allowed
        or wants_vector_index(state)
    )


def wants_vector_index(state: TableState) -> bool:
    """Whether the table has grown to where a vector index pays."""
    return not state.has_vector_index and state.rows >= VECTOR_INDEX_ROWS
