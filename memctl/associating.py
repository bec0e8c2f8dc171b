"""Compares new memories with the nearest old ones and writes down what they mean for each other.

Embeddings only name the candidates; ``association`` decides by what the texts say. A memory is
compared with those that came before it, and only a memory of the same channel can take another
one's place.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from memctl.association import (
    Analysis,
    AssociationPlan,
    Judgement,
    Link,
    Relation,
    Statement,
    analyse,
    associate,
    reconsider,
    thresholds_for,
    unclear_links,
    weigh_opinion,
)
from memctl.errors import LanguageModelError, StoreError, UsageError
from memctl.memory import EntryKind, RelationType
from memctl.new_memory import Outcome, RelatedMemory, SaveReceipt
from memctl.store.comparable import ComparableMemory
from memctl.store.graph import Graph
from memctl.store.index import IndexHit, SearchIndex, index_warning
from memctl.store.operation import Operation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CANDIDATES = 10
"""Nearest memories that a new one is compared with. Measured on pairs hidden among some hundred
other statements: the partner is nearly always among the first few."""

MOST_QUESTIONS = 2
"""Unclear pairs of one memory that a language model is asked about."""

AskOpinions = Callable[[Sequence[tuple[Statement, Statement]]], Sequence[Relation | None]]
"""Gives for each pair (new, old) what the two are to each other; None where nobody knows."""

MayReplace = Callable[[ComparableMemory, ComparableMemory], bool]
"""Whether the newer memory (second) may take the place of the older one, where the rules let it."""

MOST_ANALYSED = 16_384
"""Analyses kept, those used last: of some 2.5 kB each for a sentence. A new statement is compared
with others from the whole store, so what is not kept is taken apart once for each comparison: of
20,000 statements in one ingest, 8,192 kept meant three times as many analyses as statements."""

MOST_AT_ONCE = 1_024
"""Memories that are compared and written together, so that a large document needs no more room
than many small ones."""

MOST_LEFT_UNDONE = 2_000
"""Memories that a command takes up which an earlier one left without comparison, unless it is asked
for all: some seconds' work."""

_SENTENCE_ENDS = " .;,!。、；"

STORING_OUTCOMES = frozenset({Outcome.CREATED, Outcome.UPDATED})


class Associator:
    """Works on one store; ``model_name`` is the embedding model whose vectors it holds.

    ``ask_opinions`` is asked about pairs that the rules leave unclear; when it cannot answer, that
    is said and the rules' word stands.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        index_factory: Callable[[], SearchIndex],
        model_name: str,
        ask_opinions: AskOpinions | None = None,
        warn: Callable[[str], None],
    ) -> None:
        self._graph = graph
        self._index_factory = index_factory
        self._thresholds = thresholds_for(model_name)
        self._analyse = lru_cache(MOST_ANALYSED)(analyse)
        self._has_caught_up = False
        self._caught_up = 0
        self._ask_opinions = ask_opinions
        self._warn = warn

    @property
    def caught_up(self) -> int:
        """How many memories of earlier commands, which these had not compared, have been so far."""
        return self._caught_up

    def associate(
        self,
        operation: Operation,
        receipts: Sequence[SaveReceipt],
        *,
        vectors: Mapping[str, NDArray[np.float32]] | None = None,
        may_replace: MayReplace | None = None,
        take_up_all: bool = False,
        should_stop: Callable[[], bool] = bool,
    ) -> list[SaveReceipt]:
        """The receipts, with what was found out about those that stored something.

        The memories should be in the index by now; one that has no vector there is left for a
        later time. ``vectors`` are those, by memory, that need not be read from there; memories of
        others among them came to the index together with these, and whose comes later compares it
        with those before. The first
        call takes up what earlier commands left undone: with ``take_up_all`` everything, else no
        more than a moment's work. Many are compared in portions, each written
        in one transaction. What ``may_replace`` does not allow to take another's place is only
        related to it. When ``should_stop`` says so, the portions that are left are taken up by a
        later command.
        """
        stored = [receipt.id for receipt in receipts if receipt.outcome in STORING_OUTCOMES]
        most = None if take_up_all else MOST_LEFT_UNDONE
        left = self._left_undone({*stored, *(vectors or {})}, most)
        left_over = frozenset(left)
        ids = list(dict.fromkeys([*left, *stored]))
        position = {memory_id: number for number, memory_id in enumerate(ids)}
        plans: dict[str, AssociationPlan] = {}
        for start in range(0, len(ids), MOST_AT_ONCE):
            if should_stop():
                break
            some = ids[start : start + MOST_AT_ONCE]
            nearest = self._without_linked(
                self._nearest(some, vectors or {}), [one for one in some if one in left_over]
            )
            came_before = _CameBefore(position, vectors or {})
            found, compared = self._compare(operation, some, nearest, came_before, may_replace)
            plans |= found
            self._caught_up += len(left_over.intersection(compared))
        return [_with_plan(receipt, plans.get(receipt.id)) for receipt in receipts]

    def _compare(
        self,
        operation: Operation,
        ids: Sequence[str],
        nearest: Mapping[str, Sequence[IndexHit]],
        came_before: _CameBefore,
        may_replace: MayReplace | None,
    ) -> tuple[dict[str, AssociationPlan], list[str]]:
        """Compares memories with those of the ``nearest`` that ``came_before`` them, and writes
        down what comes of it; gives that by memory, and the ids of those that need no more
        comparison."""
        wanted = {hit.id for hits in nearest.values() for hit in hits}
        memories = self._graph.comparable_memories({*ids, *wanted})
        plans = self._reconsidered(dict(self._plans(nearest, memories, came_before)), memories)
        plans = {id_: _held_back(plan, id_, memories, may_replace) for id_, plan in plans.items()}
        compared = [id_ for id_ in ids if id_ in nearest or not _is_current(memories.get(id_))]
        if not plans and not compared:
            return plans, compared
        with operation.transaction():
            operation.mark_compared(compared)
            edges = []
            for memory_id, plan in plans.items():
                edges += self._take_places(operation, memories[memory_id], plan.links, memories)
            operation.associate(edges)
        return plans, compared

    def _left_undone(self, in_hand: Collection[str], most: int | None) -> list[str]:
        """What was saved earlier and never compared, when this is the first time to ask, no more
        than ``most``; what is ``in_hand`` is being compared."""
        if self._has_caught_up:
            return []
        self._has_caught_up = True
        left = self._graph.uncompared(None if most is None else most + len(in_hand))
        return [memory_id for memory_id in left if memory_id not in in_hand]

    def _without_linked(
        self, nearest: dict[str, list[IndexHit]], left: Collection[str]
    ) -> dict[str, list[IndexHit]]:
        """Leaves out the pairs that have been judged: memories that were saved after one that is
        ``left`` over have been compared with it, and it with some of them."""
        if not left:
            return nearest
        ends = {
            frozenset({association.source_id, association.target_id})
            for association in self._graph.associations_of(left)
        }
        return {
            memory_id: [hit for hit in hits if frozenset({memory_id, hit.id}) not in ends]
            for memory_id, hits in nearest.items()
        }

    def _nearest(
        self, ids: Sequence[str], told: Mapping[str, NDArray[np.float32]]
    ) -> dict[str, list[IndexHit]]:
        """By memory, in the order of ``ids``, the nearest other ones that are near enough; vectors
        that are not ``told`` come from the index. None where the index cannot be used, which is
        said: what is saved stays saved, and is compared by a later command."""
        try:
            return self._found_near(ids, told) if ids else {}
        except StoreError as error:
            self._warn(index_warning(error))
            return {}

    def _found_near(
        self, ids: Sequence[str], told: Mapping[str, NDArray[np.float32]]
    ) -> dict[str, list[IndexHit]]:
        index = self._index_factory()
        untold = [memory_id for memory_id in ids if memory_id not in told]
        vectors = {**told, **(index.vectors(EntryKind.MEMORY, untold) if untold else {})}
        known = [memory_id for memory_id in ids if memory_id in vectors]
        if not known:
            return {}
        found = index.search_vectors(
            EntryKind.MEMORY,
            [vectors[memory_id] for memory_id in known],
            CANDIDATES + 1,
            self._thresholds.candidate,
        )
        return {
            memory_id: [hit for hit in hits if hit.id != memory_id]
            for memory_id, hits in zip(known, found, strict=True)
        }

    def _plans(
        self,
        nearest: Mapping[str, Sequence[IndexHit]],
        memories: Mapping[str, ComparableMemory],
        came_before: _CameBefore,
    ) -> Iterable[tuple[str, AssociationPlan]]:
        compared = {
            memory_id: [
                hit
                for hit in hits
                if _is_current(memories.get(hit.id))
                and came_before(memories[hit.id], memories[memory_id])
            ]
            for memory_id, hits in nearest.items()
            if _is_current(memories.get(memory_id))
        }
        analyses = self._analyses(compared, memories)
        for memory_id, hits in compared.items():
            if hits:
                candidates = [(hit.id, analyses[hit.id], hit.score) for hit in hits]
                yield memory_id, associate(analyses[memory_id], candidates, self._thresholds)

    def _analyses(
        self, compared: Mapping[str, Sequence[IndexHit]], memories: Mapping[str, ComparableMemory]
    ) -> dict[str, Analysis]:
        """What the memories that are compared say, and what those say that are near them."""
        analyses: dict[str, Analysis] = {}
        for memory_id, hits in compared.items():
            for id_ in (memory_id, *(hit.id for hit in hits)) if hits else ():
                if id_ not in analyses:
                    analyses[id_] = self._analyse(_statement(memories[id_]))
        return analyses

    def _reconsidered(
        self, plans: dict[str, AssociationPlan], memories: Mapping[str, ComparableMemory]
    ) -> dict[str, AssociationPlan]:
        """The plans with what the language model says of their unclear links."""
        unclear = [
            (memory_id, link)
            for memory_id, plan in plans.items()
            for link in unclear_links(plan, self._thresholds)[:MOST_QUESTIONS]
        ]
        if self._ask_opinions is None or not unclear:
            return plans
        concerned = [memories[id_] for memory_id, link in unclear for id_ in (memory_id, link.id)]
        said = {memory.id: _statement(memory) for memory in concerned}
        pairs = [(said[memory_id], said[link.id]) for memory_id, link in unclear]
        try:
            opinions = self._ask_opinions(pairs)
        except LanguageModelError as error:
            self._warn(f"{error}; the built-in rules decide alone what memories mean for others")
            return plans
        changed: dict[str, dict[str, Judgement]] = {}
        for (memory_id, link), pair, opinion in zip(unclear, pairs, opinions, strict=True):
            judgement = opinion and weigh_opinion(opinion, *pair, link.similarity, self._thresholds)
            if judgement:
                changed.setdefault(memory_id, {})[link.id] = judgement
        return plans | {id_: reconsider(plans[id_], found) for id_, found in changed.items()}

    def _take_places(
        self,
        operation: Operation,
        new: ComparableMemory,
        links: Sequence[Link],
        memories: Mapping[str, ComparableMemory],
    ) -> list[tuple[str, str, RelationType, float]]:
        """Lets newer memories take the places of older ones; returns all associations to write."""
        edges = []
        for link in links:
            source, target = (link.id, new.id) if link.reversed else (new.id, link.id)
            edges.append((source, target, link.relation_type, link.weight))
            takes_place = link.relation_type is RelationType.UPDATES
            if takes_place and memories[link.id].channel_id == new.channel_id:
                _supersede(operation, target, by=source)
        return edges


@dataclass(frozen=True, slots=True)
class _CameBefore:
    """Which of two memories the other one is to be compared with: ``position`` orders those that
    are compared in one go; of those ``together`` in the index for the first time, the one that was
    made later has its own caller compare it; all others were there before."""

    position: Mapping[str, int]
    together: Collection[str]

    def __call__(self, other: ComparableMemory, memory: ComparableMemory) -> bool:
        if other.id in self.position:
            return self.position[other.id] < self.position[memory.id]
        if other.id in self.together:
            return (other.created_at, other.id) < (memory.created_at, memory.id)
        return True


def _held_back(
    plan: AssociationPlan,
    id_: str,
    memories: Mapping[str, ComparableMemory],
    may_replace: MayReplace | None,
) -> AssociationPlan:
    """The plan with a mere relation where nobody may take the other's place."""
    kept: dict[str, Judgement] = {}
    for link in plan.links:
        if link.relation is Relation.UPDATES:
            ends = (id_, link.id) if link.reversed else (link.id, id_)
            old, new = (memories[end] for end in ends)
            if _share_a_sentence(old, new):
                kept[link.id] = Judgement(Relation.RELATED, "parts of one sentence")
            elif may_replace is not None and not may_replace(old, new):
                kept[link.id] = Judgement(Relation.RELATED, "may not take its place")
    return reconsider(plan, kept) if kept else plan


def _share_a_sentence(one: ComparableMemory, other: ComparableMemory) -> bool:
    """Whether one of two memories from the same lines of a document repeats the other one in order
    to stand alone: neither is news to the other."""
    if one.document_id is None or one.document_id != other.document_id:
        return False
    if one.first_line is None or one.first_line != other.first_line:
        return False
    short, long = sorted((one.content, other.content), key=len)
    return short.rstrip(_SENTENCE_ENDS) in long


def _supersede(operation: Operation, old_id: str, *, by: str) -> None:
    """Several judgements of one batch can contradict each other in a circle; the later one then
    stays an association and takes nobody's place."""
    with contextlib.suppress(UsageError):
        operation.supersede(old_id, by=by)


def _is_current(memory: ComparableMemory | None) -> bool:
    return memory is not None and not memory.forgotten and memory.superseded_by is None


def _statement(memory: ComparableMemory) -> Statement:
    """What a file states is as old as the file says; when it was taken in says nothing."""
    return Statement(
        content=memory.content,
        memory_type=memory.memory_type,
        subject=memory.subject,
        event_at=memory.event_at,
        said_at=memory.created_at if memory.stated_directly else memory.document_date,
        stated_directly=memory.stated_directly,
    )


def _with_plan(receipt: SaveReceipt, plan: AssociationPlan | None) -> SaveReceipt:
    if plan is None or not plan.links:
        return receipt
    known = {(related.id, related.relation_type) for related in receipt.related}
    found = [
        RelatedMemory(link.id, link.relation_type, link.similarity)
        for link in plan.links
        if (link.id, link.relation_type) not in known
    ]
    outcome = plan.outcome if receipt.outcome is Outcome.CREATED else receipt.outcome
    return replace(receipt, outcome=outcome, related=(*receipt.related, *found))
