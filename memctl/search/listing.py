"""The modes that need no query: memories in order of time, importance or use, from SQLite alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from memctl.errors import UsageError
from memctl.memory import Memory, MemoryFilter, MemorySort, RelationType
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
    return known_then(graph, request.memory_filter, request.as_of, _sort_of(request))[
        : request.limit
    ]


def known_then(
    graph: Graph,
    memory_filter: MemoryFilter,
    as_of: datetime,
    sort: MemorySort,
    *,
    reverse: bool = False,
    include_superseded: bool = False,
) -> list[Memory]:
    """The memories that pass the filter and were known at the instant ``as_of``, in the order of
    ``sort`` or, with ``reverse``, from its end.

    By default those that were current then. What somebody has forgotten since is left out.
    """
    scope = Scope(graph, RecallRequest(memory_filter=memory_filter, as_of=as_of), as_of)
    hidden_since = {memory.id for memory in scope.hidden_since()}
    listed = graph.list_memories(
        memory_filter,
        sort=sort,
        reverse=reverse,
        include_forgotten=True,
        include_superseded=True,
        now=as_of,
    )
    known = [
        memory
        for memory in listed
        if scope.is_stated(memory) and (not memory.forgotten or memory.id in hidden_since)
    ]
    if include_superseded:
        return known
    by_id = scope.with_successors({memory.id: memory for memory in known})
    return [memory for memory in known if scope.is_current(memory, by_id)]


def _sort_of(request: RecallRequest) -> MemorySort:
    if request.mode is RecallMode.RECENT:
        return MemorySort.RECENT
    if request.mode is RecallMode.IMPORTANT:
        return MemorySort.IMPORTANCE
    return _SORTS[request.sort]
