"""What it takes of a memory to compare it with another one: a third of its row.

A new memory is compared with many that are there, so that reading whole rows took longer than
finding out what the memories are to each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import NamedTuple

from memctl.memory import EventTime, MemoryType
from memctl.store.readings import Readings, read_columns, read_value
from memctl.store.reads import Reader, Row, in_batches
from memctl.store.rows import MEMORY_READINGS


class ComparableMemory(NamedTuple):
    """The fields that ``Memory`` has under these names. ``document_date`` is the day that the
    document belongs to from which it came first, if that says one."""

    id: str
    content: str
    memory_type: MemoryType
    created_at: datetime
    channel_id: str | None
    subject: str | None
    event_at: EventTime | None
    forgotten: bool
    stated_directly: bool
    superseded_by: str | None
    document_id: str | None
    first_line: int | None
    document_date: date | None


COMPARABLE_READINGS: Readings = {
    name: reading for name, reading in MEMORY_READINGS.items() if name in ComparableMemory._fields
}
"""The fields that are columns of a memory's own row, as they are read."""


def comparable_memories(reader: Reader, ids: Iterable[str]) -> dict[str, ComparableMemory]:
    """The memories of those ids that exist, hidden ones too. Raises DamagedRowError."""
    return {
        row["id"]: _comparable_memory(row)
        for batch in in_batches(ids)
        for row in reader.rows("comparable memories", {"ids": batch})
    }


def _comparable_memory(row: Row) -> ComparableMemory:
    day = row["document_date"]
    if day is not None:
        document = f"document {row['document_id']}"
        day = read_value(document, "document_date", day, date.fromisoformat)
    return ComparableMemory(document_date=day, **read_columns("memory", row, COMPARABLE_READINGS))
