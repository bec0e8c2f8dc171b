"""Finds memories that state one claim in nearly the same words, and plans which stands for which.

Nearness of their vectors only names the candidates; the judge of ``association`` decides by what
the texts say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memctl.association import Analysis, Relation, SimilarityThresholds, Statement, analyse, judge
from memctl.maintenance.clusters import better_first, may_be_one, pairwise_clusters
from memctl.maintenance.nearness import Similarities, near_memories
from memctl.maintenance.plan import MAINTAIN_COMMAND
from memctl.memory import Memory
from memctl.store.graph import Graph
from memctl.store.lance_index import LanceIndex
from memctl.store.merging import Merge

ANALYSES_KEPT = 20_000
"""Analyses in memory: some 100 MB."""


@dataclass(frozen=True, slots=True)
class MergeWork:
    """The planned merges, and the last change whose memory has been compared with them, None where
    merges were left for a later run."""

    merges: tuple[Merge, ...]
    up_to: int | None

    @property
    def hidden_count(self) -> int:
        """How many memories the merges hide."""
        return sum(len(merge.hidden) for merge in self.merges)

    def within(self, room: int) -> MergeWork:
        """What of it hides at most ``room`` memories (0 or more): the first merges, the last of
        them for a part of its memories where the whole is too much."""
        if self.hidden_count <= room:
            return self
        return MergeWork(_hiding_at_most(room, self.merges), None)


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
        near = near_memories(self._index_factory, scope, self._least)
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


def _hiding_at_most(room: int, merges: Sequence[Merge]) -> tuple[Merge, ...]:
    chosen: list[Merge] = []
    for merge in merges:
        if room == 0:
            break
        hidden = merge.hidden[:room]
        chosen.append(Merge(merge.kept, hidden))
        room -= len(hidden)
    return tuple(chosen)


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
