"""What stands next to a memory: by association, in its session, and in the text of a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from sqlalchemy import ScalarSelect, bindparam, false, select

from memctl.store.reads import in_batches
from memctl.store.ready_reader import ReadyReader
from memctl.store.schema import chunks, memories, memory_chunks
from memctl.store.sqlite_text import ReadyStatement, sqlite_text


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


def adjacent(reader: ReadyReader, ids: Sequence[str], reach: int) -> list[Adjacent]:
    """What stands up to ``reach`` places before and after in a session or a document's text."""
    found = _adjacent_in_sessions(reader, ids, reach)
    found += _adjacent_in_documents(reader, ids, reach)
    return sorted(
        found, key=lambda pair: (pair.distance, pair.memory_id, pair.neighbour_id, pair.kind)
    )


def _adjacent_in_sessions(reader: ReadyReader, ids: Sequence[str], reach: int) -> list[Adjacent]:
    found: list[Adjacent] = []
    steps = [step for step, _ in _places(reach)]
    for batch in in_batches(ids):
        for row in reader.run(_in_session(reach), {"ids": batch}):
            memory_id, *neighbour_ids = row.values()
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
def _in_session(reach: int) -> ReadyStatement:
    columns = [_nth_in_session(step, later=later) for step, later in _places(reach)]
    is_wanted = memories.c.id.in_(bindparam("ids", expanding=True))
    has_session = memories.c.session_id.is_not(None)
    return sqlite_text(select(memories.c.id, *columns).where(is_wanted, has_session))


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


def _adjacent_in_documents(reader: ReadyReader, ids: Sequence[str], reach: int) -> list[Adjacent]:
    """Order in a document is that of its chunks, then of lines, then of creation."""
    nearest: dict[tuple[str, str], int] = {}
    for batch in in_batches(ids):
        wanted = set(batch)
        for line in _lines_of_memories(reader, batch, reach):
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


def _lines_of_memories(reader: ReadyReader, ids: Sequence[str], reach: int) -> list[list[str]]:
    """By stretch of text around one of ``ids``, the visible memories in reading order."""
    lines: list[list[str]] = []
    last: tuple[str, int] | None = None
    for row in reader.run(_in_text(reach), {"ids": list(ids)}):
        document_id, position = row["document_id"], row["position"]
        follows = last is not None and document_id == last[0] and position - last[1] <= 1
        if not follows:
            lines.append([])
        lines[-1].append(row["id"])
        last = (document_id, position)
    return lines


@cache
def _in_text(reach: int) -> ReadyStatement:
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
    return sqlite_text(
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
