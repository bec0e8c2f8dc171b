"""Exact nearest neighbours of many vectors at once, by products of matrices.

Comparing a thousand new memories with a store one query at a time costs a search each; one pass
over the stored vectors costs a product. Pure but for numpy, which is loaded on use.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Portion = tuple[list[str], NDArray[np.float32]]

Hit = tuple[str, float]
"""An id and its cosine."""

QUERY_BLOCK = 256
"""Queries multiplied at a time: with portions of 8,192 rows their scores take 8 MB."""


def nearest_rows(
    queries: NDArray[np.float32], portions: Iterable[Portion], limit: int
) -> list[list[Hit]]:
    """For each row of ``queries``, its ``limit`` nearest of all rows, the best first.

    ``queries`` has shape (n, d); each portion holds m ids and their vectors of shape (m, d), all
    float32 of norm 1, so that the product is the cosine. Equal scores go by id.
    """
    best: list[list[Hit]] = [[] for _ in range(len(queries))]
    for ids, vectors in portions:
        for start in range(0, len(queries), QUERY_BLOCK):
            scores = queries[start : start + QUERY_BLOCK] @ vectors.T
            for row, found in enumerate(_top(scores, ids, limit), start=start):
                best[row] = _merge(best[row] + found, limit)
    return best


def _top(scores: NDArray[np.float32], ids: list[str], limit: int) -> Iterable[list[Hit]]:
    """For each row of ``scores`` (q, m), hits that hold its ``limit`` best columns."""
    import numpy as np

    count = min(limit, scores.shape[1])
    columns = np.argpartition(-scores, count - 1, axis=1)[:, :count]
    for row, chosen in zip(scores, columns, strict=True):
        yield [(ids[column], min(1.0, float(row[column]))) for column in chosen]


def _merge(hits: list[Hit], limit: int) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit]
