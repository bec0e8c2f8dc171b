"""A file of the tree that is moved in from, what it is, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from memctl.document import DocumentStatus
from memctl.ingestion.discovery import Identity


class Role(StrEnum):
    """What a file is to its agent; how it is read follows from that."""

    MEMORY = "memory"
    """MEMORY.md, and the notes in memory/."""
    IDENTITY = "identity"
    USER = "user"
    PERSONA = "persona"
    SNAPSHOT = "snapshot"
    """ZeroClaw's MEMORY_SNAPSHOT.md."""
    DATABASE = "database"
    """SQLite: ZeroClaw's brain.db, or an index that is derived from other files."""
    TABLE = "table"
    """The table of OpenClaw's LanceDB plugin: a folder."""
    SESSION = "session"
    """A transcript as JSON lines."""
    OTHER = "other"
    """Whatever is left where it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """An agent's folder. ``names`` are all that the user may call it; the first one is shown.

    ``channel_id`` is the channel of its memories, None for none.
    """

    path: Path
    names: tuple[str, ...]
    channel_id: str | None = None

    @property
    def name(self) -> str:
        return self.names[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file, or a folder that is taken or left as a whole.

    ``path`` is where it lies in the tree that the user named, ``real_path`` where that leads
    without links. PENDING files are to be read; every other status is final and has a reason.
    """

    path: Path
    real_path: Path
    role: Role = Role.OTHER
    status: DocumentStatus = DocumentStatus.PENDING
    reason: str | None = None
    workspace: Workspace | None = None
    agent: str | None = None
    """Whose transcript it is."""
    identity: Identity | None = None
