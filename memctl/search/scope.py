"""Which memories a request may see: its filter, the instant as of which it asks, and visibility."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memctl.memory import Memory, MemoryFilter, happened_at
from memctl.search.request import RecallRequest
from memctl.store.graph import Graph

_INSTANT = timedelta(microseconds=1)

MOST_SUCCESSORS = 20
"""Links of a chain of successors that are followed."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What ``request`` may see of ``graph`` at ``now``, which is its ``as_of`` where it has one."""

    graph: Graph
    request: RecallRequest
    now: datetime

    @property
    def memory_filter(self) -> MemoryFilter:
        """The filter with what was stated after ``as_of`` left out."""
        wanted = self.request.memory_filter
        if self.request.as_of is None:
            return wanted
        bound = self.request.as_of + _INSTANT
        until = bound if wanted.until is None else min(bound, wanted.until)
        return replace(wanted, until=until)

    def visible(self, ids: Iterable[str]) -> dict[str, Memory]:
        """Those of ``ids`` that the request may see; outdated ones too, because they lead to what
        stands in their place."""
        return self.graph.visible_memories(ids, self.memory_filter, now=self.now)

    def is_current(self, memory: Memory, known: Mapping[str, Memory]) -> bool:
        """Whether nothing stands in the memory's place at the instant of the request."""
        if memory.superseded_by is None:
            return True
        if self.request.as_of is None:
            return False
        successor = known.get(memory.superseded_by)
        return successor is not None and not self._is_stated(successor)

    def with_successors(self, memories: Mapping[str, Memory]) -> dict[str, Memory]:
        """``memories`` and all that stand in the place of one of them, hidden ones too."""
        known = dict(memories)
        for _ in range(MOST_SUCCESSORS):
            missing = {
                memory.superseded_by for memory in known.values() if memory.superseded_by
            } - known.keys()
            if not missing:
                break
            found = self.graph.memories(sorted(missing))
            if not found:
                break
            known |= found
        return known

    def last_successors(self, known: Mapping[str, Memory]) -> dict[str, str]:
        """For each outdated memory the one that stands in its place now, along all its chain."""
        return {key: self._last(key, known) for key in known if self._next(key, known) is not None}

    def _last(self, key: str, known: Mapping[str, Memory]) -> str:
        for _ in range(MOST_SUCCESSORS):
            following = self._next(key, known)
            if following is None:
                break
            key = following
        return key

    def _next(self, key: str, known: Mapping[str, Memory]) -> str | None:
        memory = known.get(key)
        if memory is None or self.is_current(memory, known):
            return None
        return memory.superseded_by

    def _is_stated(self, memory: Memory) -> bool:
        return happened_at(memory.event_at, memory.created_at) <= self.now
