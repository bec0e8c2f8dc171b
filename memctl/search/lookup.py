"""Asks the search index for its best rows, and deeper while a filter that it does not know takes
them away, so that every filter holds before the limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memctl.memory import EntryKind, Memory, MemoryFilter
from memctl.search.concepts import translated_words
from memctl.search.fusion import RankedList, ranked
from memctl.search.names import terms_of_names, without_names
from memctl.search.query import Query
from memctl.search.settings import ListWeights
from memctl.store.index import IndexHit, SearchIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEPTH_GROWTH = 4
"""How many times more rows each further look asks for."""

Keep = Callable[[Iterable[str]], Mapping[str, Memory]]
"""Those of some ids that the request may see."""


@dataclass(frozen=True, slots=True)
class IndexLists:
    """The rows found by vector and by text, each list best first, and the memories they are.

    ``asked`` are those found by the vector of what the query asks, without the names in it; empty
    where it has none.
    """

    vector: Sequence[IndexHit] = ()
    text: Sequence[IndexHit] = ()
    asked: Sequence[IndexHit] = ()
    names: frozenset[str] = frozenset()
    memories: Mapping[str, Memory] = field(default_factory=dict)

    @property
    def name_terms(self) -> frozenset[str]:
        """The index terms of the names."""
        return terms_of_names(self.names)

    @property
    def ids(self) -> list[str]:
        return list(
            dict.fromkeys(hit.id for hits in (self.vector, self.text, self.asked) for hit in hits)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexQuestion:
    """What is looked for: ``vector`` has shape (dimension,), float32, norm 1, or is None where
    there is no usable one. ``embed`` makes such a vector of another text."""

    query: Query
    vector: NDArray[np.float32] | None
    embed: Callable[[str], NDArray[np.float32]]
    memory_filter: MemoryFilter | None


def look_up_memories(
    index: SearchIndex, question: IndexQuestion, *, depth: int, wanted: int, keep: Keep
) -> IndexLists:
    """Both lists, holding only what ``keep`` lets through.

    Each has ``wanted`` rows at least, unless the index has no more.
    """
    while True:
        found = look_up(index, EntryKind.MEMORY, question, depth)
        kept = keep(found.ids)
        lists = IndexLists(
            [hit for hit in found.vector if hit.id in kept],
            [hit for hit in found.text if hit.id in kept],
            memories=kept,
        )
        if all(
            len(after) >= wanted or len(before) < depth
            for before, after in ((found.vector, lists.vector), (found.text, lists.text))
        ):
            return lists
        depth *= DEPTH_GROWTH


def look_up_asked(
    index: SearchIndex,
    question: IndexQuestion,
    lists: IndexLists,
    names: frozenset[str],
    *,
    depth: int,
    keep: Keep,
) -> IndexLists:
    """The lists with what is found by the query without the ``names`` in it."""
    if question.vector is None:
        return lists
    asking = without_names(question.query, names)
    if not asking:
        return lists
    found = index.search_vector(
        EntryKind.MEMORY, question.embed(asking), depth, question.memory_filter
    )
    kept = keep(hit.id for hit in found)
    return replace(
        lists,
        asked=[hit for hit in found if hit.id in kept],
        names=names,
        memories={**lists.memories, **kept},
    )


def look_up_translated(
    index: SearchIndex, question: IndexQuestion, lists: IndexLists, *, depth: int, keep: Keep
) -> IndexLists:
    """The lists with what the query's words find in other languages in the place of what they
    themselves find."""
    words = translated_words(question.query)
    if not words:
        return lists
    found = index.search_text(EntryKind.MEMORY, words, depth, question.memory_filter)
    kept = keep(hit.id for hit in found)
    return replace(
        lists,
        text=[hit for hit in found if hit.id in kept],
        memories={**lists.memories, **kept},
    )


def look_up(index: SearchIndex, kind: EntryKind, question: IndexQuestion, depth: int) -> IndexLists:
    """Both lists as the index has them, at most ``depth`` rows of each."""
    text = index.search_text(kind, question.query.key_text, depth, question.memory_filter)
    if question.vector is None:
        return IndexLists((), text)
    vector = index.search_vector(kind, question.vector, depth, question.memory_filter)
    return IndexLists(vector, text)


def base_lists(lists: IndexLists, weights: ListWeights, noise: float) -> list[RankedList]:
    """The lists for fusion: a cosine counts by how far it rises over what unrelated texts reach, a
    BM25 score by the best of its list, because BM25 knows no best. Where the query has names, what
    it asks about them has half of the vectors' weight."""
    best = lists.text[0].score if lists.text else 0.0
    vector_weight = weights.vector / 2 if lists.asked else weights.vector
    return [
        RankedList("vector", vector_weight, ranked(_pairs(lists.vector), floor=noise, full=1.0)),
        RankedList("asked", vector_weight, ranked(_pairs(lists.asked), floor=noise, full=1.0)),
        RankedList("text", weights.text, ranked(_pairs(lists.text), floor=0.0, full=best)),
    ]


def _pairs(hits: Sequence[IndexHit]) -> list[tuple[str, float]]:
    return [(hit.id, hit.score) for hit in hits]
