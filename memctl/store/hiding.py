"""What hiding and bringing back memories means for those before and after them: plans on values.

A memory is outdated only by something that is there: when its successor is hidden, the next one of
the chain stands in its place, or else it is current again. A hidden memory comes back unless a live
one says the same or holds its key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memctl.errors import RestoreConflictError
from memctl.memory import ID_DISPLAY_LENGTH, ForgetReason, Memory
from memctl.store.live import LiveMemories, is_live
from memctl.store.saving import no_longer_superseded, superseded

Change = tuple[Memory, Memory]
"""A memory before and after."""


def plan_hiding(
    hidden: Sequence[Memory],
    predecessors: Sequence[Memory],
    known: Mapping[str, Memory],
    *,
    reason: ForgetReason,
    now: datetime,
) -> list[Change]:
    """Hides ``hidden``, and hands on ``predecessors``, whose successor is one of them.

    ``known`` holds all memories that come after the hidden ones, and all with a text or key of a
    predecessor. Merged originals stay hidden with the merged one.
    """
    after = {
        memory.id: replace(memory, forgotten=True, forgotten_reason=reason, updated_at=now)
        for memory in hidden
        if not memory.forgotten
    }
    changes = [(memory, after[memory.id]) for memory in hidden if memory.id in after]
    current = {**known, **after}
    live = LiveMemories(current.values())
    for memory in predecessors:
        if memory.forgotten or memory.id in after:
            continue
        successor_id = (
            visible_successor(memory, current) or live.saying(memory) or live.holding_key(memory)
        )
        if successor_id is not None:
            handed_on = replace(memory, superseded_by=successor_id, updated_at=now)
        else:
            handed_on = _current_again(memory, now)
            live.add(handed_on)
        changes.append((memory, handed_on))
    return changes


def plan_restoring(
    ids: Sequence[str],
    known: Mapping[str, Memory],
    outdated_by: Mapping[str, Sequence[str]],
    *,
    now: datetime,
) -> list[Change]:
    """Brings memories back. Raises RestoreConflictError, and then plans nothing.

    ``known`` holds the memories of ``ids``, all that come after them, all with one of their texts
    or keys, and the targets of their ``updates`` associations, which ``outdated_by`` lists by id.
    """
    current = {**known, **{key: _unhidden(known[key], now) for key in ids}}
    for memory_id in ids:
        current[memory_id] = _in_its_place(known[memory_id], current, now)
    for memory_id in ids:
        if known[memory_id].forgotten:
            for older_id in outdated_by.get(memory_id, ()):
                if is_live(current[older_id]) and older_id not in ids:
                    current[older_id] = superseded(current[older_id], memory_id, now)
    live = LiveMemories(current.values())
    for memory_id in ids:
        _check_place(current[memory_id], live)
    return [(known[key], current[key]) for key in known if known[key] != current[key]]


def visible_successor(memory: Memory, known: Mapping[str, Memory]) -> str | None:
    """The first memory down the chain from ``memory`` that is not hidden."""
    seen = {memory.id}
    successor_id = memory.superseded_by
    while successor_id is not None and successor_id not in seen:
        seen.add(successor_id)
        successor = known[successor_id]
        if not successor.forgotten:
            return successor_id
        successor_id = successor.superseded_by
    return None


def _unhidden(memory: Memory, now: datetime) -> Memory:
    if not memory.forgotten:
        return memory
    successor_id = memory.superseded_by
    if memory.forgotten_reason is ForgetReason.MERGED:
        successor_id = None
    return replace(
        memory,
        forgotten=False,
        forgotten_reason=None,
        superseded_by=successor_id,
        updated_at=now,
    )


def _in_its_place(before: Memory, current: Mapping[str, Memory], now: datetime) -> Memory:
    """The memory as outdated as it was, unless nothing visible outdates it or it was asked for
    because it is only outdated."""
    memory = current[before.id]
    if memory.superseded_by is None:
        return memory
    successor_id = visible_successor(memory, current) if before.forgotten else None
    if successor_id is None:
        return _current_again(memory, now)
    return replace(memory, superseded_by=successor_id)


def _current_again(memory: Memory, now: datetime) -> Memory:
    return replace(no_longer_superseded(memory), updated_at=now)


def _check_place(memory: Memory, live: LiveMemories) -> None:
    if not is_live(memory):
        return
    same_id, holder_id = live.saying(memory), live.holding_key(memory)
    if same_id is not None:
        why = f"memory {same_id[:ID_DISPLAY_LENGTH]} says the same and is live"
    elif holder_id is not None:
        why = f"memory {holder_id[:ID_DISPLAY_LENGTH]} has its key {memory.key!r} now"
    else:
        return
    other = (same_id or holder_id or "")[:ID_DISPLAY_LENGTH]
    raise RestoreConflictError(id=memory.short_id, other=other, why=why)
