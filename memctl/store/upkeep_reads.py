"""What maintenance reads: columns of the whole store, cheap enough for 100,000 memories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from sqlalchemy import ColumnElement, Connection, and_, bindparam, case, func, or_, select

from memctl.memory import Importances, Memory, MemoryType, RelationType
from memctl.store.facts import read_facts
from memctl.store.journal_reads import changed_keys_since, last_change_id
from memctl.store.queries import select_memories
from memctl.store.readings import (
    Readings,
    optional,
    read_columns,
    read_number,
    read_text,
    text_to_instant,
)
from memctl.store.reads import in_batches
from memctl.store.ready_reader import ReadyReader
from memctl.store.rows import instant_to_text
from memctl.store.schema import associations, centrality, memories, operations
from memctl.store.sqlite_text import ReadyStatement, sqlite_text

MERGED_UP_TO_KEY = "merged_up_to_change"
"""The last change of the journal whose memory has been compared for a merge."""

CONSOLIDATED_UP_TO_KEY = "consolidated_up_to_change"
"""The last change whose memory has been looked at for a consolidation."""

TRIMMED_UP_TO_KEY = "journal_trimmed_up_to_change"
"""The last change that is no longer in the journal for its age."""

CENTRAL_UP_TO_KEY = "centrality_up_to_change"
"""The newest change when centrality was computed last."""

NEEDING_RELATIONS = (str(RelationType.PART_OF), str(RelationType.UPDATES))
"""By these a live memory needs the one that they lead to."""


_DECAY_READINGS: Readings = {
    "id": read_text,
    "importance": read_number,
    "decayed_from": optional(read_number),
    "touched_at": text_to_instant,
}


@dataclass(frozen=True, slots=True)
class DecayRow:
    """What decay needs to know of a memory."""

    id: str
    importance: float
    decayed_from: float | None
    touched_at: datetime
    """When it was last accessed or changed, whichever is later."""

    @property
    def importances(self) -> Importances:
        return self.importance, self.decayed_from


def visible_count(connection: Connection) -> int:
    """How many memories are not hidden."""
    statement = select(func.count()).where(memories.c.forgotten.is_(False))
    return int(connection.scalar(statement) or 0)


def decay_rows(connection: Connection, untouched_since: datetime) -> list[DecayRow]:
    """Visible memories that decay may change: untouched since then, or decayed earlier; no
    identities and no pinned ones. By id."""
    moment = instant_to_text(untouched_since)
    may_change = or_(
        and_(memories.c.last_accessed_at <= moment, memories.c.updated_at <= moment),
        memories.c.decayed_from.is_not(None),
    )
    return _decay_rows(connection, may_change)


def decay_rows_of(connection: Connection, ids: Iterable[str]) -> list[DecayRow]:
    """Those of ``ids`` that decay may change at any time. By id."""
    found: list[DecayRow] = []
    for batch in in_batches(ids):
        found += _decay_rows(connection, memories.c.id.in_(batch))
    return found


def _decay_rows(connection: Connection, condition: ColumnElement[bool]) -> list[DecayRow]:
    columns = (
        memories.c.id,
        memories.c.importance,
        memories.c.decayed_from,
        case(
            (memories.c.last_accessed_at > memories.c.updated_at, memories.c.last_accessed_at),
            else_=memories.c.updated_at,
        ).label("touched_at"),
    )
    statement = (
        select(*columns)
        .where(
            memories.c.forgotten.is_(False),
            memories.c.pinned.is_(False),
            memories.c.memory_type != str(MemoryType.IDENTITY),
            condition,
        )
        .order_by(memories.c.id)
    )
    return [
        DecayRow(**read_columns("memory", row, _DECAY_READINGS))
        for row in connection.execute(statement).mappings()
    ]


def expired_memories(connection: Connection, now: datetime) -> list[Memory]:
    """Visible memories whose time has run out, the first to run out first."""
    statement = (
        select(memories)
        .where(memories.c.forgotten.is_(False), memories.c.expires_at <= instant_to_text(now))
        .order_by(memories.c.expires_at, memories.c.sequence)
    )
    return select_memories(connection, statement)


def faded_ids(connection: Connection, importance_below: float) -> list[str]:
    """The ids of visible memories whose importance is below that."""
    is_faded = memories.c.importance < importance_below
    return list(
        connection.scalars(select(memories.c.id).where(memories.c.forgotten.is_(False), is_faded))
    )


def prunable_memories(
    connection: Connection, ids: Iterable[str], created_before: datetime
) -> list[Memory]:
    """Those of the memories that pruning may hide: old enough, not pinned, no identity, and not
    needed by a live memory that is a part of them or updates them. By id."""
    source = memories.alias()
    is_needed = (
        select(associations.c.id)
        .join(source, source.c.id == associations.c.source_id)
        .where(
            associations.c.target_id == memories.c.id,
            associations.c.relation_type.in_(NEEDING_RELATIONS),
            source.c.forgotten.is_(False),
        )
        .exists()
    )
    found: list[Memory] = []
    for batch in in_batches(sorted(ids)):
        statement = (
            select(memories)
            .where(
                memories.c.id.in_(batch),
                memories.c.forgotten.is_(False),
                memories.c.pinned.is_(False),
                memories.c.memory_type != str(MemoryType.IDENTITY),
                memories.c.created_at <= instant_to_text(created_before),
                ~is_needed,
            )
            .order_by(memories.c.id)
        )
        found += select_memories(connection, statement)
    return found


@dataclass(frozen=True, slots=True)
class MergeScope:
    """Which memories a merge may compare: ``groups`` of one type and channel, each in the order of
    creation; ``fresh`` are those not compared before; ``up_to`` the last change of that moment."""

    groups: tuple[tuple[str, ...], ...]
    fresh: frozenset[str]
    up_to: int


def merge_scope(
    connection: Connection, command: str, up_to_key: str = MERGED_UP_TO_KEY
) -> MergeScope:
    """Live memories that are neither pinned nor identities, without expiry; what the operations of
    ``command`` changed is not new, nor what is older than the fact ``up_to_key`` says."""
    facts = read_facts(connection)
    since = int(facts.get(up_to_key, 0))
    up_to = max(since, last_change_id(connection))
    changed: set[str] | None = None
    if since and since >= int(facts.get(TRIMMED_UP_TO_KEY, 0)):
        changed = changed_keys_since(connection, since, memories.name, but_by=command)
        if not changed:
            return MergeScope((), frozenset(), up_to)
    groups = _mergeable(connection)
    everything = {memory_id for group in groups for memory_id in group}
    fresh = everything if changed is None else everything & changed
    return MergeScope(groups, frozenset(fresh), up_to)


def _mergeable(connection: Connection) -> tuple[tuple[str, ...], ...]:
    """The ids of the memories that may be merged, by type and channel, each in the order of
    creation."""
    groups: dict[tuple[str, str | None], list[str]] = {}
    statement = (
        select(memories.c.id, memories.c.memory_type, memories.c.channel_id)
        .where(
            memories.c.forgotten.is_(False),
            memories.c.superseded_by.is_(None),
            memories.c.pinned.is_(False),
            memories.c.expires_at.is_(None),
            memories.c.memory_type != str(MemoryType.IDENTITY),
        )
        .order_by(memories.c.sequence)
    )
    for memory_id, memory_type, channel_id in connection.execute(statement):
        groups.setdefault((memory_type, channel_id), []).append(memory_id)
    return tuple(map(tuple, groups.values()))


def visible_edges(connection: Connection) -> list[tuple[str, str, float]]:
    """The associations between visible memories, as (source, target, weight)."""
    source, target = memories.alias(), memories.alias()
    statement = (
        select(associations.c.source_id, associations.c.target_id, associations.c.weight)
        .join(source, source.c.id == associations.c.source_id)
        .join(target, target.c.id == associations.c.target_id)
        .where(source.c.forgotten.is_(False), target.c.forgotten.is_(False))
        .order_by(associations.c.source_id, associations.c.target_id, associations.c.id)
    )
    return [tuple(row) for row in connection.execute(statement)]


def graph_is_unchanged(connection: Connection) -> bool:
    """Whether no change has been recorded since centrality was computed last."""
    stored = read_facts(connection).get(CENTRAL_UP_TO_KEY)
    return stored == str(last_change_id(connection))


def stored_centrality(connection: Connection) -> dict[str, tuple[int, float]]:
    """By memory, its degree and weight as they were computed last."""
    rows = connection.execute(select(centrality))
    return {memory_id: (degree, weight) for memory_id, degree, weight in rows}


def centrality_of(reader: ReadyReader, ids: Iterable[str]) -> dict[str, float]:
    """The weights in 0..1 that were computed last for those of ``ids`` that had associations."""
    found: dict[str, float] = {}
    for batch in in_batches(ids):
        rows = reader.run(_centrality_of_ids(), {"ids": batch})
        found |= {row["memory_id"]: row["weight"] for row in rows}
    return found


@cache
def _centrality_of_ids() -> ReadyStatement:
    is_wanted = centrality.c.memory_id.in_(bindparam("ids", expanding=True))
    return sqlite_text(select(centrality.c.memory_id, centrality.c.weight).where(is_wanted))


def old_operations(connection: Connection, finished_before: datetime) -> list[int]:
    """The operations that ended before then, oldest first."""
    statement = (
        select(operations.c.id)
        .where(operations.c.finished_at < instant_to_text(finished_before))
        .order_by(operations.c.id)
    )
    return list(connection.scalars(statement))
