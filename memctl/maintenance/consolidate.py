"""The step that lets a language model write one statement for memories of one matter.

Nearness of their vectors names the groups, at most five memories that are pairwise near; the model
writes, ``consolidation`` checks, and what passes stands for the others, which are hidden behind it.
Each group is a transaction of its own, and the model is asked outside of it. What was looked at
once is looked at again only with something new, so that an idle store costs nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from memctl.errors import LanguageModelError, LanguageModelResponseError
from memctl.extraction.question import Model
from memctl.maintenance.clusters import pairwise_clusters
from memctl.maintenance.consolidation import MOST_MEMORIES, Proposal, propose
from memctl.maintenance.nearness import near_memories
from memctl.maintenance.plan import (
    MAINTAIN_COMMAND,
    Consolidated,
    Consolidation,
    LeftAlone,
    MaintenancePolicy,
    PlannedChange,
    StepPlan,
)
from memctl.maintenance.steps import Run, hide_room
from memctl.memory import Memory, RelationType
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.lance_index import LanceIndex
from memctl.store.memory_store import MemoryStore
from memctl.store.merging import CONSOLIDATION_SOURCE
from memctl.store.upkeep_reads import CONSOLIDATED_UP_TO_KEY

LEFT_ALONE_KEY = "consolidation_left_alone"
"""The fact that holds, as JSON, the digests of groups that are not to be asked about again."""

DIGEST_LENGTH = 16

Group = tuple[Memory, ...]
"""Memories for one statement, the oldest first."""


@dataclass(frozen=True, slots=True)
class ConsolidationWork:
    """The groups, and the last change whose memory has been looked at with them, None where
    groups were left for a later run."""

    groups: tuple[Group, ...]
    up_to: int | None


class ConsolidateStep:
    """Works on one store with one model."""

    def __init__(
        self,
        database: Database,
        store: MemoryStore,
        graph: Graph,
        *,
        policy: MaintenancePolicy,
        index_factory: Callable[[], LanceIndex],
        model_factory: Callable[[], Model],
    ) -> None:
        """``model_factory`` raises MissingLanguageModelError where there is no model."""
        self._database = database
        self._store = store
        self._graph = graph
        self._policy = policy
        self._index_factory = index_factory
        self._model_factory = model_factory

    def plan(self, run: Run) -> StepPlan:
        scope = self._graph.merge_scope(MAINTAIN_COMMAND, CONSOLIDATED_UP_TO_KEY)
        near = near_memories(self._index_factory, scope, self._policy.consolidate_similarity)
        ids = {memory_id for pair in near for memory_id in pair}
        memories = {
            key: memory
            for key, memory in self._graph.memories(ids).items()
            if key not in run.hidden and memory.source != CONSOLIDATION_SOURCE
        }
        at_odds = self._at_odds(ids)
        pairs = {
            frozenset(pair)
            for pair in near
            if memories.keys() >= set(pair) and frozenset(pair) not in at_odds
        }
        order = [memory_id for group in scope.groups for memory_id in group]
        clusters = pairwise_clusters(
            order,
            [pair for pair in near if frozenset(pair) in pairs],
            lambda one, other: frozenset((one, other)) in pairs,
            most=MOST_MEMORIES,
        )
        left_alone = self._left_alone()
        found = [tuple(memories[key] for key in cluster) for cluster in clusters]
        found = [group for group in found if _digest(group) not in left_alone]
        groups = self._within_bounds(found, run)
        changes = [
            PlannedChange(memory.id, f"with {len(group) - 1} more, into one statement")
            for group in groups
            for memory in group
        ]
        run.hidden |= {memory.id for group in groups for memory in group}
        withheld = len(found) - len(groups)
        work = ConsolidationWork(groups, None if withheld else scope.up_to)
        return StepPlan(len(groups), changes, withheld, work)

    def apply(self, plan: StepPlan, run: Run) -> int:
        work = plan.work
        assert isinstance(work, ConsolidationWork)
        run.consolidation = done = Consolidation()
        for group in work.groups:
            try:
                proposal = propose(self._model_factory(), group)
            except LanguageModelResponseError as error:
                proposal = Proposal(None, str(error))
            except LanguageModelError as error:
                done.error = error
                return len(done.written)
            if not self._write(run, group, proposal, done):
                left_alone = sorted({*self._left_alone(), _digest(group)})
                self._store.write_facts({LEFT_ALONE_KEY: json.dumps(left_alone)})
            run.advance(1)
        if work.up_to is not None:
            self._store.write_facts({CONSOLIDATED_UP_TO_KEY: str(work.up_to)})
            self._store.delete_facts([LEFT_ALONE_KEY])
        return len(done.written)

    def _left_alone(self) -> set[str]:
        """The digests of the groups that a run which did not come to its end has left alone."""
        return set(json.loads(self._graph.facts().get(LEFT_ALONE_KEY, "[]")))

    def _within_bounds(self, groups: Sequence[Group], run: Run) -> tuple[Group, ...]:
        """The first groups, as many as the share of the store that one run may hide allows, but
        one in a run that hides nothing else, so that a small store is maintained too."""
        room = hide_room(self._database, self._policy, run)
        if room is None:
            return tuple(groups)
        sizes = accumulate(map(len, groups))
        within = [group for group, size in zip(groups, sizes, strict=True) if size <= room]
        return tuple(within if within or run.hidden else groups[:1])

    def _write(self, run: Run, group: Group, proposal: Proposal, done: Consolidation) -> bool:
        """Notes what became of a group; whether it has one statement now."""
        ids = tuple(memory.id for memory in group)
        if proposal.statement is None:
            done.left_alone.append(LeftAlone(ids, proposal.refused or "there is no statement"))
            return False
        merge = run.operation.consolidate(proposal.statement, group)
        if merge is None:
            why = "they changed meanwhile, or another memory says that already"
            done.left_alone.append(LeftAlone(ids, why))
            return False
        hidden = tuple(memory.id for memory in merge.hidden)
        done.written.append(Consolidated(merge.kept.id, merge.kept.content, hidden))
        return True

    def _at_odds(self, ids: set[str]) -> set[frozenset[str]]:
        """The pairs that contradict each other: which of them holds is not for a model to say."""
        return {
            frozenset((edge.source_id, edge.target_id))
            for edge in self._graph.associations_of(ids)
            if edge.relation_type is RelationType.CONTRADICTS
        }


def _digest(group: Group) -> str:
    """Names a group by its memories and what they say."""
    said = sorted(f"{memory.id} {memory.content_hash}" for memory in group)
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:DIGEST_LENGTH]
