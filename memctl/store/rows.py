"""How values become rows and rows become values.

Instants are UTC text of one fixed width and days are their first ten characters, so that text order
is time order, also between the two. Converting a value there and back gives an equal value.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memctl.encodable import encodable_text
from memctl.file_lines import LineStart, StatedAt
from memctl.memory import (
    Association,
    Chunk,
    EventTime,
    ForgetReason,
    Memory,
    MemoryType,
    Origin,
    RelationType,
)
from memctl.store.readings import (
    Readings,
    optional,
    read_columns,
    read_json_list,
    read_member,
    read_number,
    read_optional_text,
    read_text,
    read_truth,
    read_whole_number,
    text_to_event,
    text_to_instant,
)

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

Row = dict[str, Any]
"""One row of a table by column name, with the values that the driver takes."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def instant_to_text(moment: datetime) -> str:
    """``2026-03-04T05:06:07.000008Z`` for an aware datetime."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def event_to_text(moment: EventTime) -> str:
    """``2026-03-04`` for a day, else as ``instant_to_text``."""
    return instant_to_text(moment) if isinstance(moment, datetime) else moment.isoformat()


def to_json(value: object) -> str:
    """Compact JSON that the driver takes."""
    return encodable_text(_ENCODER.encode(value))


def optional_instant(moment: datetime | None) -> str | None:
    return None if moment is None else instant_to_text(moment)


def optional_text(text: str | None) -> str | None:
    return None if text is None else encodable_text(text)


def read_line_starts(text: str | None) -> tuple[LineStart, ...]:
    """On which lines of its file a chunk's own lines stand."""
    triples = () if text is None else read_json_list(text)
    return tuple(LineStart(*map(read_whole_number, triple)) for triple in triples)


MEMORY_READINGS: Readings = {
    "id": read_text,
    "content": read_text,
    "memory_type": read_member(MemoryType),
    "importance": read_number,
    "created_at": text_to_instant,
    "updated_at": text_to_instant,
    "last_accessed_at": text_to_instant,
    "access_count": read_whole_number,
    "source": read_optional_text,
    "channel_id": read_optional_text,
    "session_id": read_optional_text,
    "subject": read_optional_text,
    "key": read_optional_text,
    "event_at": optional(text_to_event),
    "expires_at": optional(text_to_instant),
    "pinned": read_truth,
    "forgotten": read_truth,
    "forgotten_reason": optional(read_member(ForgetReason)),
    "origin": read_member(Origin),
    "stated_directly": read_truth,
    "content_hash": read_text,
    "superseded_by": read_optional_text,
    "decayed_from": optional(read_number),
    "document_id": read_optional_text,
    "chunk_id": read_optional_text,
    "first_line": optional(read_whole_number),
    "last_line": optional(read_whole_number),
    "page": optional(read_whole_number),
}
"""The fields of a memory that are columns of its row, as they are read."""

PLACE_READINGS: Readings = {
    name: optional(read_whole_number)
    for name in ("first_line", "last_line", "page", "first_place", "last_place")
}
"""Where a memory stands in a passage."""

ASSOCIATION_READINGS: Readings = {
    "id": read_text,
    "source_id": read_text,
    "target_id": read_text,
    "relation_type": read_member(RelationType),
    "weight": read_number,
    "created_at": text_to_instant,
}

CHUNK_READINGS: Readings = {
    "id": read_text,
    "document_id": read_text,
    "position": read_whole_number,
    "content": read_text,
    "content_hash": read_text,
    "first_line": read_whole_number,
    "last_line": read_whole_number,
    "first_page": optional(read_whole_number),
    "last_page": optional(read_whole_number),
    "heading_path": read_json_list,
    "extracted": read_truth,
    "error": read_optional_text,
    "line_starts": read_line_starts,
}


def memory_to_row(memory: Memory) -> Row:
    """The row of table memories, without ``sequence``; tags have a table of their own."""
    row: Row = {name: getattr(memory, name) for name in MEMORY_READINGS}
    row["memory_type"] = str(memory.memory_type)
    row["origin"] = str(memory.origin)
    for name in ("created_at", "updated_at", "last_accessed_at"):
        row[name] = instant_to_text(row[name])
    row["expires_at"] = optional_instant(memory.expires_at)
    row["event_at"] = None if memory.event_at is None else event_to_text(memory.event_at)
    reason = memory.forgotten_reason
    row["forgotten_reason"] = None if reason is None else str(reason)
    for name in ("source", "channel_id", "session_id", "subject", "key"):
        row[name] = optional_text(row[name])
    return row


def row_to_memory(row: Mapping[str, Any] | RowMapping, tags: tuple[str, ...] = ()) -> Memory:
    """The memory of a row that has at least the columns of ``memory_to_row``. Raises
    DamagedRowError."""
    return Memory(tags=tags, **read_columns("memory", row, MEMORY_READINGS))


def row_to_stated(row: Mapping[str, Any] | RowMapping) -> StatedAt:
    """Where a chunk states a memory; a row of the journal may be older than some columns."""
    return StatedAt(
        row["first_line"], row["last_line"], row.get("first_place"), row.get("last_place")
    )


def association_to_row(association: Association) -> Row:
    row: Row = {name: getattr(association, name) for name in ASSOCIATION_READINGS}
    row["relation_type"] = str(association.relation_type)
    row["created_at"] = instant_to_text(association.created_at)
    return row


def row_to_association(row: Mapping[str, Any] | RowMapping) -> Association:
    """Raises DamagedRowError."""
    return Association(**read_columns("association", row, ASSOCIATION_READINGS))


def chunk_to_row(chunk: Chunk) -> Row:
    """The row of table chunks, without ``retired``."""
    row: Row = {name: getattr(chunk, name) for name in CHUNK_READINGS}
    row["content"] = encodable_text(chunk.content)
    row["heading_path"] = to_json(list(chunk.heading_path))
    row["error"] = optional_text(chunk.error)
    row["line_starts"] = to_json(chunk.line_starts) if chunk.line_starts else None
    return row


def row_to_chunk(row: Mapping[str, Any] | RowMapping) -> Chunk:
    """Raises DamagedRowError."""
    return Chunk(**read_columns("passage", row, CHUNK_READINGS))
