"""What stands next to a memory: by association, in its session, and in the text of a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from sqlalchemy import (
    CompoundSelect,
    Connection,
    ScalarSelect,
    Select,
    bindparam,
    false,
    literal,
    select,
    union_all,
)

from memctl.memory import RelationType
from memctl.store.queries import in_batches
from memctl.store.schema import associations, chunks, memories, memory_chunks


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One step of traversal from ``memory_id`` to ``neighbour_id``.

    ``outgoing`` says that the association begins at ``memory_id``. ``weight`` lies in 0..1.
    """

    memory_id: str
    neighbour_id: str
    relation_type: RelationType
    weight: float
    outgoing: bool


class AdjacencyKind(StrEnum):
    """What two memories have in common that stand next to each other."""

    SESSION = "session"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Adjacent:
    """A memory ``distance`` places (from 1) before or after another one."""

    memory_id: str
    neighbour_id: str
    kind: AdjacencyKind
    distance: int


def neighbours(
    connection: Connection,
    ids: Iterable[str],
    relation_types: Sequence[RelationType] | None,
    minimum_weight: float,
) -> list[Neighbour]:
    """Associated visible memories in both directions, heaviest first, then by ids."""
    names = None if relation_types is None else tuple(map(str, relation_types))
    found: list[Neighbour] = []
    for batch in in_batches(ids):
        values = {"ids": batch, "minimum_weight": minimum_weight}
        found += [
            Neighbour(memory_id, neighbour_id, RelationType(relation), weight, bool(outgoing))
            for memory_id, neighbour_id, relation, weight, outgoing in connection.execute(
                _both_ways(names), values
            )
        ]
    return sorted(
        found,
        key=lambda step: (-step.weight, step.memory_id, step.neighbour_id, step.relation_type),
    )


@cache
def _both_ways(relation_types: tuple[str, ...] | None) -> CompoundSelect[Any]:
    """Built once: putting it together takes longer than running it."""
    return union_all(
        _one_way(relation_types, outgoing=True), _one_way(relation_types, outgoing=False)
    )


def _one_way(relation_types: tuple[str, ...] | None, *, outgoing: bool) -> Select[Any]:
    near, far = associations.c.source_id, associations.c.target_id
    if not outgoing:
        near, far = far, near
    statement = (
        select(
            near,
            far,
            associations.c.relation_type,
            associations.c.weight,
            literal(int(outgoing)),
        )
        .join(memories, memories.c.id == far)
        .where(
            near.in_(bindparam("ids", expanding=True)),
            memories.c.forgotten == false(),
            associations.c.weight >= bindparam("minimum_weight"),
        )
    )
    if relation_types is None:
        return statement
    return statement.where(associations.c.relation_type.in_(relation_types))


def adjacent(connection: Connection, ids: Sequence[str], reach: int) -> list[Adjacent]:
    """What stands up to ``reach`` places before and after in a session or a document's text."""
    found = _adjacent_in_sessions(connection, ids, reach)
    found += _adjacent_in_documents(connection, ids, reach)
    return sorted(
        found, key=lambda pair: (pair.distance, pair.memory_id, pair.neighbour_id, pair.kind)
    )


def _adjacent_in_sessions(connection: Connection, ids: Sequence[str], reach: int) -> list[Adjacent]:
    found: list[Adjacent] = []
    steps = [step for step, _ in _places(reach)]
    for batch in in_batches(ids):
        for memory_id, *neighbour_ids in connection.execute(_in_session(reach), {"ids": batch}):
            found += [
                Adjacent(memory_id, neighbour_id, AdjacencyKind.SESSION, step)
                for step, neighbour_id in zip(steps, neighbour_ids, strict=True)
                if neighbour_id is not None
            ]
    return found


def _places(reach: int) -> list[tuple[int, bool]]:
    """Distances up to ``reach``, each before and after."""
    return [(step, later) for step in range(1, reach + 1) for later in (False, True)]


@cache
def _in_session(reach: int) -> Select[Any]:
    columns = [_nth_in_session(step, later=later) for step, later in _places(reach)]
    return select(memories.c.id, *columns).where(
        memories.c.id.in_(bindparam("ids", expanding=True)), memories.c.session_id.is_not(None)
    )


def _nth_in_session(step: int, *, later: bool) -> ScalarSelect[str]:
    """The id of the visible memory ``step`` places after or before in the same session of the same
    channel: two channels may number their sessions alike."""
    other = memories.alias()
    order = other.c.sequence if later else other.c.sequence.desc()
    is_beyond = (
        other.c.sequence > memories.c.sequence if later else other.c.sequence < memories.c.sequence
    )
    return (
        select(other.c.id)
        .where(
            other.c.session_id == memories.c.session_id,
            other.c.channel_id.is_not_distinct_from(memories.c.channel_id),
            is_beyond,
            other.c.forgotten == false(),
        )
        .order_by(order)
        .limit(1)
        .offset(step - 1)
        .correlate(memories)
        .scalar_subquery()
    )


def _adjacent_in_documents(
    connection: Connection, ids: Sequence[str], reach: int
) -> list[Adjacent]:
    """Order in a document is that of its chunks, then of lines, then of creation."""
    nearest: dict[tuple[str, str], int] = {}
    for batch in in_batches(ids):
        wanted = set(batch)
        for line in _lines_of_memories(connection, batch, reach):
            for place, memory_id in enumerate(line):
                if memory_id not in wanted:
                    continue
                for other_place in range(max(0, place - reach), min(len(line), place + reach + 1)):
                    pair = (memory_id, line[other_place])
                    if line[other_place] != memory_id:
                        distance = abs(other_place - place)
                        nearest[pair] = min(distance, nearest.get(pair, distance))
    return [
        Adjacent(memory_id, neighbour_id, AdjacencyKind.DOCUMENT, distance)
        for (memory_id, neighbour_id), distance in nearest.items()
    ]


def _lines_of_memories(connection: Connection, ids: Sequence[str], reach: int) -> list[list[str]]:
    """By stretch of text around one of ``ids``, the visible memories in reading order."""
    lines: list[list[str]] = []
    last: tuple[str, int] | None = None
    for document_id, position, _, _, memory_id in connection.execute(_in_text(reach), {"ids": ids}):
        follows = last is not None and document_id == last[0] and position - last[1] <= 1
        if not follows:
            lines.append([])
        lines[-1].append(memory_id)
        last = (document_id, position)
    return lines


@cache
def _in_text(reach: int) -> Select[Any]:
    """The memories of the chunks around those that state one of the ids, in reading order."""
    own = memory_chunks.alias()
    own_chunk = chunks.alias()
    stretches = (
        select(own_chunk.c.document_id, own_chunk.c.position)
        .join(own, own.c.chunk_id == own_chunk.c.id)
        .where(
            own.c.memory_id.in_(bindparam("ids", expanding=True)), own_chunk.c.retired.is_(False)
        )
        .distinct()
        .subquery()
    )
    return (
        select(
            chunks.c.document_id,
            chunks.c.position,
            memory_chunks.c.first_line,
            memories.c.sequence,
            memories.c.id,
        )
        .select_from(stretches)
        .join(
            chunks,
            (chunks.c.document_id == stretches.c.document_id)
            & chunks.c.position.between(stretches.c.position - reach, stretches.c.position + reach),
        )
        .join(memory_chunks, memory_chunks.c.chunk_id == chunks.c.id)
        .join(memories, memories.c.id == memory_chunks.c.memory_id)
        .where(chunks.c.retired.is_(False), memories.c.forgotten == false())
        .distinct()
        .order_by(
            chunks.c.document_id,
            chunks.c.position,
            memory_chunks.c.first_line,
            memories.c.sequence,
        )
    )
