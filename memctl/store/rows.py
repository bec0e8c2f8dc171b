"""How values become rows and rows become values.

Instants are UTC text of one fixed width and days are their first ten characters, so that text order
is time order, also between the two. Converting a value there and back gives an equal value.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

Row = dict[str, Any]
"""One row of a table by column name, with the values that the driver takes."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

DAY_TEXT_LENGTH = len("2026-03-04")


def instant_to_text(moment: datetime) -> str:
    """``2026-03-04T05:06:07.000008Z`` for an aware datetime."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def text_to_instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def event_to_text(moment: EventTime) -> str:
    """``2026-03-04`` for a day, else as ``instant_to_text``."""
    return instant_to_text(moment) if isinstance(moment, datetime) else moment.isoformat()


def text_to_event(text: str) -> EventTime:
    if len(text) == DAY_TEXT_LENGTH:
        return date.fromisoformat(text)
    return datetime.fromisoformat(text)


def storable_text(text: str) -> str:
    """``text`` with what no encoding explains (bytes of file names) written as escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def to_json(value: object) -> str:
    """Compact JSON that the driver takes."""
    return storable_text(_ENCODER.encode(value))


def optional_instant(moment: datetime | None) -> str | None:
    return None if moment is None else instant_to_text(moment)


def optional_text(text: str | None) -> str | None:
    return None if text is None else storable_text(text)


_MEMORY_FIELDS = tuple(field.name for field in fields(Memory) if field.name != "tags")
_ASSOCIATION_FIELDS = tuple(field.name for field in fields(Association))
_CHUNK_FIELDS = tuple(field.name for field in fields(Chunk))


def memory_to_row(memory: Memory) -> Row:
    """The row of table memories, without ``sequence``; tags have a table of their own."""
    row: Row = {name: getattr(memory, name) for name in _MEMORY_FIELDS}
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
    """The memory of a row that has at least the columns of ``memory_to_row``."""
    values: Row = {name: row[name] for name in _MEMORY_FIELDS}
    values["memory_type"] = MemoryType(values["memory_type"])
    values["origin"] = Origin(values["origin"])
    for name in ("created_at", "updated_at", "last_accessed_at"):
        values[name] = text_to_instant(values[name])
    if values["expires_at"] is not None:
        values["expires_at"] = text_to_instant(values["expires_at"])
    if values["event_at"] is not None:
        values["event_at"] = text_to_event(values["event_at"])
    if values["forgotten_reason"] is not None:
        values["forgotten_reason"] = ForgetReason(values["forgotten_reason"])
    for name in ("pinned", "forgotten", "stated_directly"):
        values[name] = bool(values[name])
    return Memory(tags=tags, **values)


def association_to_row(association: Association) -> Row:
    row: Row = {name: getattr(association, name) for name in _ASSOCIATION_FIELDS}
    row["relation_type"] = str(association.relation_type)
    row["created_at"] = instant_to_text(association.created_at)
    return row


def row_to_association(row: Mapping[str, Any] | RowMapping) -> Association:
    values: Row = {name: row[name] for name in _ASSOCIATION_FIELDS}
    values["relation_type"] = RelationType(values["relation_type"])
    values["created_at"] = text_to_instant(values["created_at"])
    return Association(**values)


def chunk_to_row(chunk: Chunk) -> Row:
    """The row of table chunks, without ``retired``."""
    row: Row = {name: getattr(chunk, name) for name in _CHUNK_FIELDS}
    row["content"] = storable_text(chunk.content)
    row["heading_path"] = to_json(list(chunk.heading_path))
    row["error"] = optional_text(chunk.error)
    return row


def row_to_chunk(row: Mapping[str, Any] | RowMapping) -> Chunk:
    values: Row = {name: row[name] for name in _CHUNK_FIELDS}
    values["heading_path"] = tuple(json.loads(values["heading_path"]))
    values["extracted"] = bool(values["extracted"])
    return Chunk(**values)
