"""A memory that is to be taken over, as it was read from one place of one file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memctl.memory import EventTime, MemoryType


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedMemory:
    """One memory. ``first_line``/``last_line`` count from 1 in the file as it is.

    ``channel_id`` overrides the workspace's channel where the file itself gives one.
    """

    content: str
    memory_type: MemoryType
    importance: float
    event_at: EventTime | None = None
    first_line: int | None = None
    last_line: int | None = None
    tags: tuple[str, ...] = ()
    subject: str | None = None
    key: str | None = None
    session_id: str | None = None
    channel_id: str | None = None
    pinned: bool | None = None
    expires_at: datetime | None = None
    reason: str = ""
    is_promoted: bool = False
    """Whether OpenClaw copied it from a daily note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRow:
    """A memory of a database, with the id and times that it has there."""

    row_id: str
    memory: PlannedMemory
    created_at: datetime | None = None
    updated_at: datetime | None = None
