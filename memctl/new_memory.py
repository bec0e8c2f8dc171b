"""What is to be remembered, and what became of it.

Every value is immutable; all ``datetime`` values are aware and in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memctl.memory import Citation, EventTime, Memory, MemoryType, Origin, RelationType


class Outcome(StrEnum):
    """What became of a text that was to be saved."""

    CREATED = "created"
    UNCHANGED = "unchanged"
    SAME = "same"
    UPDATED = "updated"
    CONTRADICTS = "contradicts"
    RELATED = "related"
    DIFFERENT = "different"
    """Not taken from an import: the store holds another text under that id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """What a caller wants to be remembered; the store fills in the rest.

    None means "not said": the type is then ``suggested_type`` or FACT, the importance that of the
    type. Only what was said can change a memory that already holds the same content.
    """

    content: str
    memory_type: MemoryType | None = None
    suggested_type: MemoryType | None = None
    """A classifier's guess: the type of a new memory where none was said, never an edit."""
    importance: float | None = None
    source: str | None = None
    channel_id: str | None = None
    session_id: str | None = None
    subject: str | None = None
    key: str | None = None
    tags: tuple[str, ...] = ()
    event_at: EventTime | None = None
    created_at: datetime | None = None
    """When it was saved elsewhere; None: now."""
    expires_at: datetime | None = None
    pinned: bool | None = None
    origin: Origin = Origin.USER
    document_id: str | None = None
    chunk_id: str | None = None
    first_line: int | None = None
    last_line: int | None = None
    first_place: int | None = None
    """With ``last_place``: those lines of the chunk (from 0) where they are none of the file."""
    last_place: int | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class RelatedMemory:
    """A memory that a new one was linked with. ``similarity`` is a cosine in -1..1, or None."""

    id: str
    relation_type: RelationType
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class SaveReceipt:
    """What `save` did: the id that now stands for the text, and what it was linked with."""

    id: str
    outcome: Outcome
    related: tuple[RelatedMemory, ...] = ()
    redactions: tuple[str, ...] = ()
    """The kinds of secret that were taken out, one per place, in reading order."""
    event_at: EventTime | None = None
    """When it happened, as it was given or read in the text; None for what nothing dated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignMemory:
    """A memory with the id and times that it has elsewhere; ``citation`` names its file."""

    memory: Memory
    citation: Citation | None = None
