"""Which memories a request may see: its filter, the instant as of which it asks, and visibility."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from memctl.memory import Memory, happened_at
from memctl.search.request import RecallRequest

if TYPE_CHECKING:
    from memctl.store.graph import Graph

MOST_SUCCESSORS = 20
"""Links of a chain of successors that are followed."""


class Scope(NamedTuple):
    """What ``request`` may see of ``graph`` at ``now``, which is its ``as_of`` where it has one."""

    graph: Graph
    request: RecallRequest
    now: datetime

    def visible(self, ids: Iterable[str]) -> dict[str, Memory]:
        """Those of ``ids`` that the request may see; outdated ones too, because they lead to what
        stands in their place."""
        found = self.graph.visible_memories(ids, self.request.memory_filter, now=self.now)
        return {key: memory for key, memory in found.items() if self.is_stated(memory)}

    def hidden_since(self) -> list[Memory]:
        """The memories that the request may see because they have been hidden since the instant
        that it asks about, and not because somebody wanted them hidden; none where it asks about
        the present."""
        if self.request.as_of is None:
            return []
        found = self.graph.hidden_since(self.request.as_of, self.request.memory_filter)
        return [memory for memory in found if self.is_stated(memory)]

    def is_stated(self, memory: Memory) -> bool:
        """Whether the memory was known at the instant of the request: saved by then, or about
        something that had happened by then, as in old notes that were taken in later."""
        if self.request.as_of is None:
            return True
        happened = happened_at(memory.event_at, memory.created_at)
        return min(happened, memory.created_at) <= self.request.as_of

    def is_current(self, memory: Memory, known: Mapping[str, Memory]) -> bool:
        """Whether nothing stands in the memory's place at the instant of the request."""
        if memory.superseded_by is None:
            return True
        if self.request.as_of is None:
            return False
        successor = known.get(memory.superseded_by)
        return successor is not None and not self.is_stated(successor)

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
