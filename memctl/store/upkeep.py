"""When the search index is worth tidying up: pure decisions on a table's figures.

Every write leaves a fragment and a version, and rows that came after the full-text index was
built are read one by one. Tidying rewrites the table, so its cost grows with the rows that are
there: it waits until a share of them is new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

MAXIMUM_FRAGMENTS = 20
"""Files of a table besides one for each part of its vector index. Measured with 10,000 rows, each
one-row fragment made a vector query take 0.2 ms of CPU longer, and tidying took 0.1 s: with some
recalls for every save, about so many fragments cost least."""

MAXIMUM_OLD_VERSIONS = 200
"""Versions of a table that tidying would drop; deletions add to them without a fragment."""

VERSIONS_BETWEEN_LOOKS = 100
"""So many versions are made between two looks at how old they are: LanceDB reads a file for each of
them, 0.1 ms. They are the work of some thirty single saves."""

TOLERATED_UNINDEXED_ROWS = 1_000
"""Rows outside the full-text index: about 5 ms of a query. In a small table no more than half may
wait: LanceDB weighs terms by the indexed rows and those that pass the filter, so without an index
a narrow filter would change all scores."""

TOLERATED_WHILE_FILLING = 5_000
"""Rows outside the indexes while many more are about to come: about 25 ms of a query by words and
10 of one by vector, as long as that goes on. Taking in 10,000 small files tidied up 31 times with
the number above, in a twentieth of its CPU time, and does so 13 times with this one."""

MAXIMUM_UNINDEXED_SHARE = 0.05
"""In large tables more may wait. Tidying 100,000 rows took 0.5 s of CPU, 2 s with a vector index,
so filling a table to that size in small batches spends some 20 s of CPU on it."""

VECTOR_INDEX_ROWS = 5_000
"""Vectors from which they get an index, when the table is tidied up. Rows without one do not count:
an index of no vectors cannot be built. Without one a query reads and compares all of them, 1.3 ms
of CPU per 1,000 rows; with one 2 ms and 0.2 ms per 1,000 rows, because the vectors stay in memory.
The index is IVF_FLAT: its similarities are exact, and up to some 80,000 rows a query looks at all
its partitions, so it finds just the same; of 100,000 rows it found .998 of the nearest 50 in a
seventh of the time. It was built in 0.2 s of CPU for 10,000 rows and in 2 s for 100,000.
IVF_HNSW_SQ needed 70 s on a busy machine and found .93 to .95."""

MAXIMUM_VECTOR_INDEX_PARTS = 8
"""Each tidying adds a part to the index of vectors and keeps the table's files as they were for the
older parts. Measured with 10,000 rows, a part makes a query 0.3 ms longer; building the index anew
as one part takes 0.2 s."""

VERSION_RETENTION = timedelta(minutes=2)
"""How long the files of old versions stay for readers that have just opened them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """A table's figures. ``old_versions`` are past VERSION_RETENTION; ``unindexed_rows`` are those
    that the full-text index lacks, all of them where there is none."""

    rows: int
    fragments: int
    old_versions: int
    unindexed_rows: int
    vector_index_parts: int


def is_due(state: TableState, *, is_filling: bool = False) -> bool:
    """Whether compacting and indexing is worth its time now; ``is_filling`` says that many more
    rows are about to come, after which it is asked again."""
    tolerated = TOLERATED_WHILE_FILLING if is_filling else TOLERATED_UNINDEXED_ROWS
    allowed = max(min(tolerated, state.rows // 2), int(state.rows * MAXIMUM_UNINDEXED_SHARE))
    return (
        state.fragments - state.vector_index_parts > MAXIMUM_FRAGMENTS
        or state.old_versions > MAXIMUM_OLD_VERSIONS
        or state.unindexed_rows > allowed
        or state.vector_index_parts > MAXIMUM_VECTOR_INDEX_PARTS
    )


def pays_vector_index(vectors: int) -> bool:
    """Whether so many vectors are worth an index."""
    return vectors >= VECTOR_INDEX_ROWS


def with_new_part(state: TableState) -> TableState:
    """The state after the rows that came since have got a part of the vector index."""
    if not state.vector_index_parts or not state.unindexed_rows:
        return state
    return replace(state, vector_index_parts=state.vector_index_parts + 1)
