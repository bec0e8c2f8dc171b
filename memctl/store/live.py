"""Which memories are live: neither hidden nor outdated. At most one of them has a given key.

One text may be both an open todo and the event that it was done: those are two claims.
"""

from __future__ import annotations

from collections.abc import Iterable

from memctl.memory import EventTime, Memory, MemoryType

_Statement = tuple[str, str | None, EventTime | None]

_OPEN_AND_DONE = {MemoryType.TODO, MemoryType.EVENT}


def is_live(memory: Memory) -> bool:
    """Whether a memory is neither forgotten nor superseded."""
    return not memory.forgotten and memory.superseded_by is None


def only_one_is_done(first: MemoryType, second: MemoryType) -> bool:
    """Whether of two memories of one text one says that it is to be done, the other that it was."""
    return {first, second} == _OPEN_AND_DONE


def held_key(memory: Memory) -> str | None:
    """The key that a memory keeps others from having."""
    return memory.key if is_live(memory) else None


class LiveMemories:
    """The live ones of some memories, by what they say and by key."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        self._by_text: dict[_Statement, dict[str, MemoryType]] = {}
        self._by_key: dict[str, set[str]] = {}
        for memory in memories:
            if is_live(memory):
                self.add(memory)

    def add(self, memory: Memory) -> None:
        self._by_text.setdefault(_statement(memory), {})[memory.id] = memory.memory_type
        if memory.key is not None:
            self._by_key.setdefault(memory.key, set()).add(memory.id)

    def saying(self, memory: Memory) -> str | None:
        """The id of another one that says the same as ``memory``."""
        types = self._by_text.get(_statement(memory), {})
        same = {
            memory_id
            for memory_id, memory_type in types.items()
            if not only_one_is_done(memory_type, memory.memory_type)
        }
        return _other_than(memory, same)

    def holding_key(self, memory: Memory) -> str | None:
        """The id of another one that has the key of ``memory``."""
        return _other_than(memory, self._by_key.get(memory.key) if memory.key else None)


def _other_than(memory: Memory, ids: set[str] | None) -> str | None:
    return min((ids or set()) - {memory.id}, default=None)


def _statement(memory: Memory) -> _Statement:
    return memory.content_hash, memory.channel_id, memory.event_at
