"""What one run of a migration is told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memctl.ingestion.discovery import DEFAULT_MAX_BYTES

DEFAULT_CHANNEL_PREFIX = "openclaw:"
"""In front of an agent's name: the channel of all agents' memories but the default one's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrationOptions:
    """What is taken and how it is filed.

    ``since`` leaves out files of an earlier day (by the date in the name or front matter, else by
    when they were last changed). ``workspaces`` names the only ones that are taken; none means
    all. ``channel_prefix`` None files the default agent's memories under no channel.
    """

    sessions: bool = False
    persona: bool = False
    follow_config: bool = False
    since: datetime | None = None
    workspaces: tuple[str, ...] = ()
    channel_prefix: str | None = None
    max_bytes: int = DEFAULT_MAX_BYTES
    chunk_tokens: int = 200
