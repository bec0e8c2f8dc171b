"""Exact nearest neighbours of many vectors at once, by products of matrices.

Comparing a thousand new memories with a store one query at a time costs a search each; one pass
over the stored vectors costs a product. Only scores that can still be among the best are looked at
one by one. Pure but for numpy and the threads of its BLAS, which are loaded on use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Portion = tuple[list[str], NDArray[np.float32]]

Hit = tuple[str, float]
"""An id and its cosine."""

QUERY_BLOCK = 256
ROW_BLOCK = 4_096
"""Queries and stored rows that are multiplied at a time: their scores take 4 MB."""


def nearest_rows(
    queries: NDArray[np.float32],
    portions: Iterable[Portion],
    limit: int,
    least: float = -math.inf,
) -> list[list[Hit]]:
    """For each row of ``queries``, its ``limit`` nearest of all rows, the best first.

    ``queries`` has shape (n, d); each portion holds m ids and their vectors of shape (m, d), all
    float32 of norm 1, so that the product is the cosine. Rows of a cosine below ``least`` are left
    out. Equal scores go by id.

    One core does it: threads of BLAS wait for each other without rest, which beside an embedding
    model that has the other cores costs three times the work.
    """
    import numpy as np
    from threadpoolctl import threadpool_limits

    best: list[list[Hit]] = [[] for _ in queries]
    floors = np.full(len(queries), least, dtype=np.float32)
    with threadpool_limits(limits=1, user_api="blas"):
        for ids, vectors in portions:
            for start in range(0, len(queries), QUERY_BLOCK):
                block = slice(start, start + QUERY_BLOCK)
                found = _hits_above(floors[block], queries[block], ids, vectors, limit)
                for row, hits in enumerate(found, start):
                    if hits:
                        best[row] = _merge(best[row] + hits, limit)
                        if len(best[row]) == limit:
                            floors[row] = best[row][-1][1]
    return best


def _hits_above(
    floors: NDArray[np.float32],
    queries: NDArray[np.float32],
    ids: list[str],
    vectors: NDArray[np.float32],
    limit: int,
) -> list[list[Hit]]:
    """For each query, hits that hold its ``limit`` best rows of those that reach its floor.

    ``floors`` (q,) go up with what is found, so that later rows have to be better.
    """
    found: list[list[Hit]] = [[] for _ in queries]
    for start in range(0, len(ids), ROW_BLOCK):
        scores = queries @ vectors[start : start + ROW_BLOCK].T
        for row, column, score in _good_enough(scores, floors, limit):
            found[row].append((ids[start + column], score))
    return found


def _good_enough(
    scores: NDArray[np.float32], floors: NDArray[np.float32], limit: int
) -> Iterator[tuple[int, int, float]]:
    """Row, column and score of what reaches the floor (q,) of its row in ``scores`` (q, m), after
    the floors of rows with more than ``limit`` of them have been raised to the last of these."""
    import numpy as np

    width = scores.shape[1]
    good = np.flatnonzero(scores >= floors[:, np.newaxis])
    crowded = np.flatnonzero(np.bincount(good // width, minlength=len(scores)) > limit)
    if crowded.size:
        floors[crowded] = np.partition(scores[crowded], -limit, axis=1)[:, -limit]
        good = np.flatnonzero(scores >= floors[:, np.newaxis])
    rows, columns = np.divmod(good, width)
    cosines = np.minimum(scores.ravel()[good], 1.0)
    return zip(rows.tolist(), columns.tolist(), cosines.tolist(), strict=True)


def _merge(hits: list[Hit], limit: int) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit]
