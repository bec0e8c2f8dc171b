"""The modes that need no query: memories in order of time, importance or use, from SQLite alone."""

from __future__ import annotations

from memctl.errors import UsageError
from memctl.memory import Memory
from memctl.search.request import RecallMode, RecallRequest, RecallSort
from memctl.search.scope import Scope
from memctl.store.graph import MemorySort

_SORTS = {
    RecallSort.RECENT: MemorySort.RECENT,
    RecallSort.IMPORTANCE: MemorySort.IMPORTANCE,
    RecallSort.ACCESSED: MemorySort.ACCESS,
}


def list_in_order(scope: Scope) -> list[Memory]:
    """The first memories of the request's order; raises UsageError for TYPED without a type.

    Outdated ones are left out: nothing puts them below their successors here.
    """
    request = scope.request
    if request.mode is RecallMode.TYPED and not request.memory_filter.types:
        raise UsageError(what="recall by type", why="no type is given")
    if request.as_of is None:
        return scope.graph.list_memories(
            request.memory_filter, sort=_sort_of(request), limit=request.limit, now=scope.now
        )
    every = scope.graph.list_memories(
        request.memory_filter, sort=_sort_of(request), include_superseded=True, now=scope.now
    )
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
