"""Writes about memories and their associations, inside one write transaction.

Each function first reads and plans, then writes: an error that it raises leaves nothing half done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypedDict

from sqlalchemy import Connection, select

from memctl.content import hash_content, normalise_content
from memctl.errors import UsageError
from memctl.memory import (
    ID_DISPLAY_LENGTH,
    EventTime,
    ForgetReason,
    Importances,
    Memory,
    MemoryType,
    RelationType,
)
from memctl.new_memory import NewMemory, SaveReceipt
from memctl.store.association_writes import (
    SUPERSEDING_WEIGHT,
    associate_memories,
)
from memctl.store.hiding import Change, plan_hiding, plan_restoring
from memctl.store.journal import MakeId, WriteTransaction
from memctl.store.live import LiveMemories, held_key
from memctl.store.queries import (
    existing_memories,
    live_holders,
    memories_after,
    memories_by_id,
    memories_where,
)
from memctl.store.reads import in_batches
from memctl.store.rows import Row, memory_to_row
from memctl.store.saving import (
    SavePlan,
    Statement,
    check_importance,
    clean,
    clean_tags,
    plan_saves,
    superseded,
)
from memctl.store.schema import associations, memories, memory_chunks, memory_tags
from memctl.store.uncompared import mark_uncompared
from memctl.store.upkeep_reads import DecayRow, decay_rows_of


class MemoryChanges(TypedDict, total=False):
    """What to change of a memory; None clears a field that may be empty."""

    content: str
    memory_type: MemoryType
    importance: float
    source: str | None
    channel_id: str | None
    session_id: str | None
    subject: str | None
    key: str | None
    tags: tuple[str, ...]
    event_at: EventTime | None
    expires_at: datetime | None
    pinned: bool


def save_memories(
    writes: WriteTransaction, new_memories: Sequence[NewMemory], make_id: MakeId
) -> list[SaveReceipt]:
    """Saves texts in their order; see ``saving`` for what becomes of each. Raises UsageError."""
    cleaned = [clean(new) for new in new_memories]
    known = known_rivals(writes.connection, cleaned)
    plan = plan_saves(cleaned, known, now=writes.now, make_id=make_id)
    _write_plan(writes, plan, make_id)
    return plan.receipts


def known_rivals(connection: Connection, cleaned: Sequence[NewMemory]) -> list[Memory]:
    """The memories that ``plan_saves`` must know for these texts."""
    hashes = [hash_content(new.content) for new in cleaned]
    known = memories_where(connection, memories.c.content_hash, hashes)
    keys = [new.key for new in cleaned if new.key is not None]
    keys += [memory.key for memory in known if memory.key is not None]
    return known + live_holders(connection, keys)


def edit_memory(writes: WriteTransaction, memory_id: str, changes: MemoryChanges) -> Memory:
    """Changes a memory and returns it as it is then.

    Raises UnknownMemoryError, and UsageError for values that are not valid, for a forgotten
    memory, and where another live memory has the same content or key.
    """
    memory = existing_memories(writes.connection, [memory_id])[0]
    edited = _edited(memory, changes)
    if edited == memory:
        return memory
    if memory.forgotten:
        raise UsageError(what=f"edit memory {memory.short_id}", why="it is forgotten")
    _refuse_double(writes, edited)
    edited = replace(edited, stated_directly=True, updated_at=writes.now)
    update_memories(writes, [(memory, edited)])
    if edited.content_hash != memory.content_hash:
        mark_uncompared(writes.connection, [memory_id])
        # As with a new memory, the mark is this operation's own, and none of the journal's.
        writes.created_memories.add(memory_id)
    return edited


def forget_memories(
    writes: WriteTransaction, ids: Sequence[str], reason: ForgetReason
) -> list[str]:
    """Hides memories; returns those that were not hidden before. Raises UnknownMemoryError."""
    hidden = existing_memories(writes.connection, ids)
    hide(writes, hidden, reason)
    return [memory.id for memory in hidden if not memory.forgotten]


def hide(writes: WriteTransaction, hidden: Sequence[Memory], reason: ForgetReason) -> None:
    """Hides memories that have just been read; what they had outdated is current again."""
    ids = [memory.id for memory in hidden if not memory.forgotten]
    predecessors = memories_where(writes.connection, memories.c.superseded_by, ids)
    known = memories_after(writes.connection, ids) if predecessors else {}
    known |= _rivals(writes, predecessors)
    changes = plan_hiding(hidden, predecessors[::-1], known, reason=reason, now=writes.now)
    update_memories(writes, changes)


def restore_memories(writes: WriteTransaction, ids: Sequence[str]) -> list[str]:
    """Brings hidden or outdated memories back; returns those that changed.

    Raises UnknownMemoryError, and RestoreConflictError where a live memory is in the way; then
    none of them comes back.
    """
    wanted = existing_memories(writes.connection, ids)
    distinct = [memory.id for memory in wanted]
    outdated_by = _outdated_by(writes, distinct)
    targets = [target for found in outdated_by.values() for target in found]
    known = {
        **memories_after(writes.connection, distinct),
        **memories_by_id(writes.connection, targets),
        **_rivals(writes, wanted),
        **{memory.id: memory for memory in wanted},
    }
    changes = plan_restoring(distinct, known, outdated_by, now=writes.now)
    update_memories(writes, changes)
    changed = {before.id for before, _ in changes}
    return [memory_id for memory_id in distinct if memory_id in changed]


def fade_memories(
    writes: WriteTransaction, ids: Iterable[str], fade: Callable[[DecayRow], Importances]
) -> int:
    """Sets the importances of visible memories by a function of what they are now; gives how many
    changed. Reads and writes nothing but these columns, for decay concerns whole stores at once."""
    pairs: list[tuple[Row, Row]] = []
    for row in decay_rows_of(writes.connection, ids):
        importance, decayed_from = fade(row)
        if (importance, decayed_from) != row.importances:
            before = {"id": row.id, "importance": row.importance, "decayed_from": row.decayed_from}
            after = {"id": row.id, "importance": importance, "decayed_from": decayed_from}
            pairs.append((before, after))
    writes.update(memories, pairs)
    return len(pairs)


def supersede_memory(writes: WriteTransaction, old_id: str, new_id: str, make_id: MakeId) -> None:
    """Lets the memory ``new_id`` take the place of ``old_id``, which keeps its history.

    Raises UnknownMemoryError, and UsageError where that would make a circle or the new one is
    hidden.
    """
    known = {memory.id: memory for memory in existing_memories(writes.connection, [old_id, new_id])}
    old, new = known[old_id], known[new_id]
    if old_id in {new_id, *memories_after(writes.connection, [new_id])}:
        why = f"it would stand in its own place by way of memory {new.short_id}"
        raise UsageError(what=f"supersede memory {old.short_id}", why=why)
    if new.forgotten:
        why = f"memory {new.short_id}, which is to take its place, is forgotten"
        raise UsageError(what=f"supersede memory {old.short_id}", why=why)
    if old.superseded_by != new_id:
        update_memories(writes, [(old, superseded(old, new_id, writes.now))])
    link = (new_id, old_id, RelationType.UPDATES, SUPERSEDING_WEIGHT)
    associate_memories(writes, [link], make_id)


def update_memories(writes: WriteTransaction, changes: Iterable[Change]) -> None:
    """Writes (before, after) pairs, whichever of them take each other's keys."""
    _write_changes(writes, _free_keys(writes, list(changes)))


def _free_keys(writes: WriteTransaction, changes: Sequence[Change]) -> list[Change]:
    """Writes the memories that only give up a key and takes theirs from those that change it, so
    that others can have it; returns the changes that are left."""
    giving_up = [pair for pair in changes if held_key(pair[0]) and not held_key(pair[1])]
    moving = [
        before.id
        for before, after in changes
        if held_key(before) and held_key(after) and before.key != after.key
    ]
    _write_changes(writes, giving_up)
    for batch in in_batches(moving):
        without_key = memories.update().where(memories.c.id.in_(batch)).values(key=None)
        writes.connection.execute(without_key)
    return [pair for pair in changes if not held_key(pair[0]) or held_key(pair[1])]


def _write_changes(writes: WriteTransaction, changes: Sequence[Change]) -> None:
    rows = [(memory_to_row(before), memory_to_row(after)) for before, after in changes]
    writes.update(memories, rows)
    _update_tags(writes, changes)


def _write_plan(writes: WriteTransaction, plan: SavePlan, make_id: MakeId) -> None:
    left = _free_keys(writes, plan.changed)
    insert_memories(writes, plan.created)
    mark_uncompared(writes.connection, [memory.id for memory in plan.created])
    _write_changes(writes, left)
    add_statements(writes, plan.statements)
    links = [
        (newer, older, RelationType.UPDATES, SUPERSEDING_WEIGHT) for newer, older in plan.updates
    ]
    if links:
        associate_memories(writes, links, make_id)


def insert_memories(writes: WriteTransaction, created: Sequence[Memory]) -> None:
    """Adds memories that the database does not have, in their order."""
    if not created:
        return
    first = writes.next_memory_sequence()
    rows = [
        {"sequence": sequence, **memory_to_row(memory)}
        for sequence, memory in enumerate(created, start=first)
    ]
    writes.insert(memories, rows)
    writes.insert(memory_tags, [row for memory in created for row in _tag_rows(memory)])


def add_statements(writes: WriteTransaction, statements: Sequence[Statement]) -> None:
    """Adds which chunks state which memories, where that is not known yet."""
    known: set[tuple[str, str]] = set()
    for batch in in_batches(statement.chunk_id for statement in statements):
        found = select(memory_chunks.c.memory_id, memory_chunks.c.chunk_id)
        rows = writes.connection.execute(found.where(memory_chunks.c.chunk_id.in_(batch)))
        known |= {(memory_id, chunk_id) for memory_id, chunk_id in rows}
    new = [
        {
            "memory_id": statement.memory_id,
            "chunk_id": statement.chunk_id,
            **statement.stated._asdict(),
            "page": statement.page,
        }
        for statement in statements
        if (statement.memory_id, statement.chunk_id) not in known
    ]
    writes.insert(memory_chunks, new)


def _update_tags(writes: WriteTransaction, changes: Sequence[Change]) -> None:
    gone = [
        {"memory_id": before.id, "tag": tag}
        for before, after in changes
        for tag in sorted(set(before.tags) - set(after.tags))
    ]
    new = [
        {"memory_id": before.id, "tag": tag}
        for before, after in changes
        for tag in sorted(set(after.tags) - set(before.tags))
    ]
    writes.delete(memory_tags, gone)
    writes.insert(memory_tags, new)


def _tag_rows(memory: Memory) -> list[Row]:
    return [{"memory_id": memory.id, "tag": tag} for tag in memory.tags]


def _edited(memory: Memory, changes: MemoryChanges) -> Memory:
    values: dict[str, Any] = dict(changes)
    check_importance(changes.get("importance"))
    if "content" in changes:
        content = normalise_content(changes["content"])
        if not content:
            raise UsageError(what=f"edit memory {memory.short_id}", why="the new text is empty")
        values |= {"content": content, "content_hash": hash_content(content)}
    if "importance" in changes:
        values["decayed_from"] = None
    if "tags" in changes:
        values["tags"] = clean_tags(changes["tags"])
    if "key" in changes:
        values["key"] = normalise_content(changes["key"] or "") or None
    return replace(memory, **values)


def _refuse_double(writes: WriteTransaction, edited: Memory) -> None:
    live = LiveMemories(_rivals(writes, [edited]).values())
    same_id, holder_id = live.saying(edited), live.holding_key(edited)
    if edited.superseded_by is not None or (same_id is None and holder_id is None):
        return
    if same_id is not None:
        why = f"memory {same_id[:ID_DISPLAY_LENGTH]} says that already"
    else:
        why = f"memory {(holder_id or '')[:ID_DISPLAY_LENGTH]} has the key {edited.key!r}"
    raise UsageError(what=f"edit memory {edited.short_id}", why=why)


def _rivals(writes: WriteTransaction, candidates: Sequence[Memory]) -> dict[str, Memory]:
    """Memories with one of the candidates' texts, and live ones with one of their keys."""
    hashes = [memory.content_hash for memory in candidates]
    found = memories_where(writes.connection, memories.c.content_hash, hashes)
    keys = [memory.key for memory in candidates if memory.key is not None]
    found += live_holders(writes.connection, keys)
    return {memory.id: memory for memory in found}


def _outdated_by(writes: WriteTransaction, ids: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for batch in in_batches(ids):
        statement = select(associations.c.source_id, associations.c.target_id).where(
            associations.c.source_id.in_(batch),
            associations.c.relation_type == str(RelationType.UPDATES),
        )
        for source_id, target_id in writes.connection.execute(statement):
            found.setdefault(source_id, []).append(target_id)
    return found
