"""The lines of conversations, and how much of them a channel holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A line of a conversation. ``said_at`` is in UTC, None where nothing says when.

    ``position`` counts from 0 within its session. ``document_id`` and ``line`` (from 1) say in
    which file it stands.
    """

    id: str
    channel_id: str
    session_id: str | None
    role: str
    author: str | None = None
    said_at: datetime | None = None
    position: int
    content: str
    document_id: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSummary:
    """How much a channel's transcript holds, and from when to when it goes."""

    channel_id: str
    message_count: int
    first_at: datetime | None
    last_at: datetime | None
