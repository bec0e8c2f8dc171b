"""How central each memory is in the graph: its degree, and PageRank along associations.

Associations count in both directions, by their weight. Pure but for numpy, loaded on use.
"""

from __future__ import annotations

from collections.abc import Sequence

DAMPING = 0.85
"""The usual share of the weight that goes on along associations (Brin and Page, 1998)."""

MAXIMUM_ROUNDS = 100

TOLERANCE = 1e-9
"""Change of the whole distribution at which it has settled."""

LEAST_WEIGHT = 1e-9
"""Associations of less weight carry nothing on: dividing by such a weight would overflow."""

WEIGHT_DIGITS = 6
"""Digits kept, so that rounding makes no row look changed."""


def centralities(edges: Sequence[tuple[str, str, float]]) -> dict[str, tuple[int, float]]:
    """For each memory that an edge (source, target, weight) touches, its degree, and its weight in
    0..1, that of the most central memory being 1."""
    import numpy as np

    if not edges:
        return {}
    ids = sorted({end for source, target, _ in edges for end in (source, target)})
    number = {memory_id: position for position, memory_id in enumerate(ids)}
    source = np.array([number[edge[0]] for edge in edges])
    target = np.array([number[edge[1]] for edge in edges])
    weight = np.array([edge[2] if edge[2] >= LEAST_WEIGHT else 0.0 for edge in edges])
    ends, others = np.concatenate([source, target]), np.concatenate([target, source])
    weights = np.concatenate([weight, weight])
    degree = np.bincount(ends, minlength=len(ids))
    strength = np.bincount(ends, weights=weights, minlength=len(ids))
    rank = np.full(len(ids), 1.0 / len(ids))
    for _ in range(MAXIMUM_ROUNDS):
        per_weight = np.divide(rank, strength, out=np.zeros_like(rank), where=strength > 0)
        flow = np.bincount(others, weights=per_weight[ends] * weights, minlength=len(ids))
        lost = rank[strength == 0].sum()
        following = (1 - DAMPING + DAMPING * lost) / len(ids) + DAMPING * flow
        settled = np.abs(following - rank).sum() < TOLERANCE
        rank = following
        if settled:
            break
    scaled = np.round(rank / rank.max(), WEIGHT_DIGITS)
    return {
        memory_id: (int(degree[position]), float(scaled[position]))
        for memory_id, position in number.items()
    }
