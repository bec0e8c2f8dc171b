"""What a language model is told of the memories that are there, and what it says about them.

The nearest memories of the same channel are offered with a chunk. The model's word is a hint: the
text that it read may be wrong or may have misled it. A repetition is believed unless the texts
differ in a value, a name or a denial; and nothing takes another memory's place on a model's word
alone, unless it is known which of the two is newer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memctl.association import Statement, may_repeat, thresholds_for
from memctl.document import Candidate
from memctl.errors import EmbeddingModelError, SearchIndexError
from memctl.extraction.extractor import KnownMemory
from memctl.memory import EntryKind, Memory, RelationType, happened_at
from memctl.new_memory import Outcome, RelatedMemory, SaveReceipt

if TYPE_CHECKING:
    from memctl.embedding import Embedder
    from memctl.store.graph import Graph
    from memctl.store.index import SearchIndex
    from memctl.store.operation import Operation

MOST_OFFERED = 6
"""Memories that are offered with one chunk: enough to hold the ones it may speak of, and few
enough for a small model to keep apart."""

LOOKED_AT = 24
"""Nearest memories among which those are sought."""

LONGEST_OFFERED = 400
"""Characters; longer memories would crowd out the text that is to be read."""

HINT_WEIGHT = 0.8
"""Weight of an association that rests on a model's word."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What a model says that the statement of a receipt is to a stored memory."""

    known_id: str
    outcome: Outcome


class KnownMemories:
    """Finds memories to offer, and weighs what the model says about them."""

    def __init__(
        self,
        graph: Graph,
        *,
        index_factory: Callable[[], SearchIndex],
        embedder_factory: Callable[[], Embedder],
        warn: Callable[[str], None],
    ) -> None:
        self._graph = graph
        self._index_factory = index_factory
        self._embedder_factory = embedder_factory
        self._warn = warn

    def near(self, text: str, channel_id: str | None) -> list[Memory]:
        """The live memories of the channel that are nearest to ``text``, the nearest first; none
        where they cannot be looked for."""
        try:
            embedder = self._embedder_factory()
            index = self._index_factory()
            if not text.strip() or not index.count(EntryKind.MEMORY):
                return []
            [vector] = embedder.embed_passages([text])
            hits = index.search_vector(EntryKind.MEMORY, vector, LOOKED_AT)
        except (EmbeddingModelError, SearchIndexError) as error:
            self._warn(f"known memories are not offered to the language model: {error}")
            return []
        least = thresholds_for(embedder.model.name).candidate
        memories = self._graph.memories(hit.id for hit in hits if hit.score >= least)
        found = (memories[hit.id] for hit in hits if hit.id in memories)
        return [one for one in found if _is_offered(one, channel_id)][:MOST_OFFERED]

    def repeats(self, candidate: Candidate, known: Memory) -> bool:
        """Whether the model says that the candidate repeats ``known``, and can be believed."""
        if candidate.known_outcome is not Outcome.SAME:
            return False
        new = Statement(
            content=candidate.content,
            memory_type=candidate.memory_type,
            subject=candidate.subject,
            event_at=candidate.event_at,
        )
        old = Statement(
            content=known.content,
            memory_type=known.memory_type,
            subject=known.subject,
            event_at=known.event_at,
        )
        try:
            embedder = self._embedder_factory()
            first, second = embedder.embed_passages([new.content, old.content])
        except EmbeddingModelError:
            return False
        thresholds = thresholds_for(embedder.model.name)
        return may_repeat(new, old, float(first @ second), thresholds)


def as_offered(memories: Iterable[Memory]) -> list[KnownMemory]:
    """Memories as an extractor takes them."""
    return [KnownMemory(id=memory.id, content=memory.content) for memory in memories]


def hint_of(candidate: Candidate) -> Hint | None:
    """What the model says about the candidate beyond its text."""
    if candidate.known_id is None or candidate.known_outcome is None:
        return None
    return Hint(candidate.known_id, candidate.known_outcome)


def apply_hints(
    operation: Operation,
    graph: Graph,
    receipts: Sequence[SaveReceipt],
    hints: Sequence[Hint | None],
    now: datetime,
) -> list[SaveReceipt]:
    """Writes down what the model said about new memories where the rules saw no more than a
    relation; returns the receipts with it. ``hints`` are parallel to ``receipts``."""
    hinted = [
        (place, hint)
        for place, hint in enumerate(hints)
        if hint is not None and receipts[place].outcome is not Outcome.UNCHANGED
    ]
    ids = {name for place, hint in hinted for name in (receipts[place].id, hint.known_id)}
    memories = graph.memories(ids)
    results = list(receipts)
    for place, hint in hinted:
        relation = _relation(results[place], hint, memories, now)
        if relation is not None:
            results[place] = _link(operation, results[place], hint.known_id, relation)
    return results


def _is_offered(memory: Memory, channel_id: str | None) -> bool:
    is_live = not memory.forgotten and memory.superseded_by is None
    return is_live and memory.channel_id == channel_id and len(memory.content) <= LONGEST_OFFERED


def _relation(
    receipt: SaveReceipt, hint: Hint, memories: Mapping[str, Memory], now: datetime
) -> RelationType | None:
    new, old = memories.get(receipt.id), memories.get(hint.known_id)
    if new is None or old is None or new.id == old.id or old.forgotten or old.superseded_by:
        return None
    if any(link.id == old.id and link.relation_type in _DECIDED for link in receipt.related):
        return None
    if hint.outcome is Outcome.UPDATED and _is_known_to_be_newer(new, old, now):
        return RelationType.UPDATES
    return RelationType.CONTRADICTS if hint.outcome in _CONFLICTS else None


_DECIDED = frozenset({RelationType.UPDATES, RelationType.CONTRADICTS})
_CONFLICTS = frozenset({Outcome.UPDATED, Outcome.CONTRADICTS})


def _is_known_to_be_newer(new: Memory, old: Memory, now: datetime) -> bool:
    """By their event times: when files were taken in says nothing about when they were written."""
    if new.event_at is None or old.event_at is None or type(new.event_at) is not type(old.event_at):
        return False
    return old.event_at < new.event_at and happened_at(new.event_at, now) <= now


def _link(
    operation: Operation, receipt: SaveReceipt, known_id: str, relation: RelationType
) -> SaveReceipt:
    with operation.transaction():
        operation.dissociate([(receipt.id, known_id, RelationType.RELATED_TO)])
        if relation is RelationType.UPDATES:
            operation.supersede(known_id, by=receipt.id)
        else:
            operation.associate([(receipt.id, known_id, relation, HINT_WEIGHT)])
    kept = tuple(link for link in receipt.related if link.id != known_id)
    outcome = Outcome.UPDATED if relation is RelationType.UPDATES else Outcome.CONTRADICTS
    related = (RelatedMemory(known_id, relation), *kept)
    return replace(receipt, outcome=outcome, related=related)
