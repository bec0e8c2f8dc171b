"""Finds memories that state one claim in nearly the same words, and plans which stands for which.

Nearness of their vectors only names the candidates; the judge of ``association`` decides by what
the texts say. Memories that were compared before are only compared with new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memctl.association import Analysis, Relation, SimilarityThresholds, Statement, analyse, judge
from memctl.maintenance.clusters import better_first, may_be_one, pairwise_clusters
from memctl.maintenance.near_pairs import MOST_NEIGHBOURS, near_pairs
from memctl.maintenance.plan import MAINTAIN_COMMAND
from memctl.memory import EntryKind, Memory
from memctl.store.graph import Graph
from memctl.store.lance_index import LanceIndex
from memctl.store.merging import Merge
from memctl.store.upkeep_reads import MergeScope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEW_FRESH = 500
"""Up to so many new memories are looked up in the index; more are worth comparing all."""

ANALYSES_KEPT = 20_000
"""Analyses in memory: some 100 MB."""

Similarities = dict[tuple[str, str], float]
"""Cosines of pairs of ids, in the order of creation."""


@dataclass(frozen=True, slots=True)
class MergeWork:
    """The planned merges, and the last operation whose memories have been compared with them."""

    merges: tuple[Merge, ...]
    up_to: int


class MergePlanner:
    """Plans merges in one store."""

    def __init__(
        self,
        graph: Graph,
        *,
        index_factory: Callable[[], LanceIndex],
        thresholds: SimilarityThresholds,
        least_similarity: float,
    ) -> None:
        self._graph = graph
        self._index_factory = index_factory
        self._thresholds = thresholds
        self._least = least_similarity

    def plan(self, gone: frozenset[str] = frozenset()) -> MergeWork:
        """The merges that are to be made once the memories ``gone`` are hidden."""
        scope = self._graph.merge_scope(MAINTAIN_COMMAND)
        near = self._near(scope) if scope.fresh else {}
        near = {pair: score for pair, score in near.items() if gone.isdisjoint(pair)}
        if not near:
            return MergeWork((), scope.up_to)
        memories = self._graph.memories({memory_id for pair in near for memory_id in pair})
        same = _SameClaim(memories, near, self._thresholds)
        pairs = [pair for pair in sorted(near) if same(*pair)]
        order = [memory_id for group in scope.groups for memory_id in group]
        merges = []
        for cluster in pairwise_clusters(order, pairs, same):
            kept, *others = better_first(memories[memory_id] for memory_id in cluster)
            merges.append(Merge(kept, tuple(others)))
        return MergeWork(tuple(merges), scope.up_to)

    def _near(self, scope: MergeScope) -> Similarities:
        if len(scope.fresh) <= FEW_FRESH:
            return self._near_fresh(scope)
        found: Similarities = {}
        for ids, vectors in self._vectors_by_group(scope):
            for (one, other), score in near_pairs(vectors, self._least).items():
                if ids[one] in scope.fresh or ids[other] in scope.fresh:
                    found[ids[one], ids[other]] = score
        return found

    def _near_fresh(self, scope: MergeScope) -> Similarities:
        """The neighbours of each new memory, from the index."""
        index = self._index_factory()
        group_of = {key: number for number, group in enumerate(scope.groups) for key in group}
        position = {key: place for group in scope.groups for place, key in enumerate(group)}
        vectors = index.vectors(EntryKind.MEMORY, sorted(scope.fresh))
        hits = index.search_vectors(EntryKind.MEMORY, list(vectors.values()), MOST_NEIGHBOURS + 1)
        found: Similarities = {}
        for memory_id, nearest in zip(vectors, hits, strict=True):
            for hit in nearest:
                is_near = hit.id != memory_id and hit.score > self._least
                if is_near and group_of.get(hit.id) == group_of[memory_id]:
                    one, other = sorted((memory_id, hit.id), key=position.__getitem__)
                    found[one, other] = hit.score
        return found

    def _vectors_by_group(
        self, scope: MergeScope
    ) -> Iterable[tuple[Sequence[str], NDArray[np.float32]]]:
        """For each group that has something new, its ids in order and their vectors."""
        import numpy as np

        wanted = [
            group for group in scope.groups if len(group) > 1 and not scope.fresh.isdisjoint(group)
        ]
        place = {key: row for row, key in enumerate(key for group in wanted for key in group)}
        matrix: NDArray[np.float32] | None = None
        has_vector = np.zeros(len(place), dtype=bool)
        for ids, vectors in self._index_factory().all_vectors(EntryKind.MEMORY):
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


class _SameClaim:
    """Whether two memories, the older one first, are one claim; each pair is judged once."""

    def __init__(
        self,
        memories: Mapping[str, Memory],
        near: Similarities,
        thresholds: SimilarityThresholds,
    ) -> None:
        self._memories = memories
        self._near = near
        self._thresholds = thresholds
        self._analysis = lru_cache(maxsize=ANALYSES_KEPT)(self._analyse)
        self._judged: dict[tuple[str, str], bool] = {}

    def __call__(self, one: str, other: str) -> bool:
        pair = (one, other) if (one, other) in self._near else (other, one)
        if pair not in self._judged:
            self._judged[pair] = self._judge(*pair)
        return self._judged[pair]

    def _judge(self, older: str, newer: str) -> bool:
        similarity = self._near.get((older, newer))
        if similarity is None or not may_be_one(self._memories[older], self._memories[newer]):
            return False
        sides = self._analysis(newer), self._analysis(older)
        return judge(*sides, similarity, self._thresholds).relation is Relation.SAME

    def _analyse(self, memory_id: str) -> Analysis:
        memory = self._memories[memory_id]
        return analyse(
            Statement(
                content=memory.content,
                memory_type=memory.memory_type,
                subject=memory.subject,
                event_at=memory.event_at,
                said_at=memory.created_at if memory.stated_directly else None,
                stated_directly=memory.stated_directly,
            )
        )
