"""The modes that need no query: memories in order of time, importance or use, from SQLite alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from memctl.errors import UsageError
from memctl.memory import Memory, MemorySort, RelationType
from memctl.search.fusion import ScoreSheet
from memctl.search.presentation import memory_hits
from memctl.search.ranked import RankedMemories
from memctl.search.request import RecallMode, RecallRequest, RecallSort
from memctl.search.scope import Scope
from memctl.search_hit import ScorePart, SearchResult
from memctl.store.light_graph import LightGraph

if TYPE_CHECKING:
    from memctl.store.graph import Graph

_SORTS = {
    RecallSort.RECENT: MemorySort.RECENT,
    RecallSort.IMPORTANCE: MemorySort.IMPORTANCE,
    RecallSort.ACCESSED: MemorySort.ACCESS,
}


LINK_TYPES = (RelationType.RELATED_TO, RelationType.CONTRADICTS)
"""The associations that fold hits together or set them against each other."""


def answer_in_order(
    graph: Graph | LightGraph, request: RecallRequest, now: datetime
) -> SearchResult:
    """The hits of a request that needs no query. A light graph knows no ``as_of``.

    Raises UsageError for TYPED without a type.
    """
    memories = {memory.id: memory for memory in _in_order(graph, request, now)}
    sheet = ScoreSheet()
    for key in memories:
        sheet.add(key, ScorePart(request.mode.value, 0.0))
    links = graph.neighbours(memories, relation_types=LINK_TYPES)
    found = RankedMemories(sheet, memories)
    return SearchResult(hits=tuple(memory_hits(graph, found, dict.fromkeys(memories, ()), links)))


def _in_order(graph: Graph | LightGraph, request: RecallRequest, now: datetime) -> Iterable[Memory]:
    """The first memories of the request's order. Outdated ones are left out: nothing puts them
    below their successors here."""
    if request.mode is RecallMode.TYPED and not request.memory_filter.types:
        raise UsageError(what="recall by type", why="no type is given")
    if request.as_of is None or isinstance(graph, LightGraph):
        return graph.list_memories(
            request.memory_filter, sort=_sort_of(request), limit=request.limit, now=now
        )
    return _known_then(Scope(graph, request, request.as_of))


def _known_then(scope: Scope) -> list[Memory]:
    """The same for what was known and current at the instant of the request."""
    request = scope.request
    hidden_since = {memory.id for memory in scope.hidden_since()}
    listed = scope.graph.list_memories(
        request.memory_filter,
        sort=_sort_of(request),
        include_forgotten=True,
        include_superseded=True,
        now=scope.now,
    )
    every = [memory for memory in listed if not memory.forgotten or memory.id in hidden_since]
    known = scope.with_successors({memory.id: memory for memory in every})
    current = [
        memory for memory in every if scope.is_stated(memory) and scope.is_current(memory, known)
    ]
    return current[: request.limit]


def _sort_of(request: RecallRequest) -> MemorySort:
    if request.mode is RecallMode.RECENT:
        return MemorySort.RECENT
    if request.mode is RecallMode.IMPORTANT:
        return MemorySort.IMPORTANCE
    return _SORTS[request.sort]
