"""Which memories of one type and channel have near vectors: candidates to stand for each other.

Memories that were compared before are only compared with new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from memctl.maintenance.near_pairs import MOST_NEIGHBOURS, near_pairs
from memctl.memory import EntryKind
from memctl.store.lance_index import LanceIndex
from memctl.store.upkeep_reads import MergeScope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEW_FRESH = 500
"""Up to so many new memories are looked up in the index; more are worth comparing all."""

Similarities = dict[tuple[str, str], float]
"""Cosines of pairs of ids, in the order of creation."""


def near_memories(
    index_factory: Callable[[], LanceIndex], scope: MergeScope, least: float
) -> Similarities:
    """The pairs of one group of ``scope`` whose cosine is above ``least`` and of which one is new.

    Without anything new the index is not even opened.
    """
    if not scope.fresh:
        return {}
    if len(scope.fresh) <= FEW_FRESH:
        return _near_fresh(index_factory(), scope, least)
    found: Similarities = {}
    for ids, vectors in _vectors_by_group(index_factory(), scope):
        for (one, other), score in near_pairs(vectors, least).items():
            if ids[one] in scope.fresh or ids[other] in scope.fresh:
                found[ids[one], ids[other]] = score
    return found


def _near_fresh(index: LanceIndex, scope: MergeScope, least: float) -> Similarities:
    """The neighbours of each new memory, from the index."""
    group_of = {key: number for number, group in enumerate(scope.groups) for key in group}
    position = {key: place for group in scope.groups for place, key in enumerate(group)}
    vectors = index.vectors(EntryKind.MEMORY, sorted(scope.fresh))
    hits = index.search_vectors(
        EntryKind.MEMORY, list(vectors.values()), MOST_NEIGHBOURS + 1, least
    )
    found: Similarities = {}
    for memory_id, nearest in zip(vectors, hits, strict=True):
        for hit in nearest:
            is_near = hit.id != memory_id and hit.score > least
            if is_near and group_of.get(hit.id) == group_of[memory_id]:
                one, other = sorted((memory_id, hit.id), key=position.__getitem__)
                found[one, other] = hit.score
    return found


def _vectors_by_group(
    index: LanceIndex, scope: MergeScope
) -> Iterable[tuple[Sequence[str], NDArray[np.float32]]]:
    """For each group that has something new, its ids in order and their vectors."""
    import numpy as np

    wanted = [
        group for group in scope.groups if len(group) > 1 and not scope.fresh.isdisjoint(group)
    ]
    place = {key: row for row, key in enumerate(key for group in wanted for key in group)}
    matrix: NDArray[np.float32] | None = None
    has_vector = np.zeros(len(place), dtype=bool)
    for ids, vectors in index.all_vectors(EntryKind.MEMORY):
        if matrix is None:
            matrix = np.zeros((len(place), vectors.shape[1]), dtype=np.float32)
        chosen = [(row, place[key]) for row, key in enumerate(ids) if key in place]
        if chosen:
            sources, targets = map(list, zip(*chosen, strict=True))
            matrix[targets] = vectors[sources]
            has_vector[targets] = True
    for group in wanted:
        keys = [key for key in group if has_vector[place[key]]]
        if matrix is not None and len(keys) > 1:
            yield keys, matrix[[place[key] for key in keys]]
