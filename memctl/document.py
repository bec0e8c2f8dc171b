"""Documents and what is taken from them: files, where they stand, candidates, and what it cost.

Every value is immutable; all ``datetime`` values are aware and in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from memctl.direct_members import with_direct_members
from memctl.memory import EventTime, MemoryType
from memctl.new_memory import Outcome

IMPORT_EXTRACTOR = "import"
"""Extractor of a document that is known by an import only: ingesting it reads it afresh."""


@with_direct_members
class DocumentStatus(StrEnum):
    """Where a document stands. The first three are on the way, the others are ends."""

    PENDING = "pending"
    READING = "reading"
    EXTRACTING = "extracting"
    DONE = "done"
    EMPTY = "empty"
    NO_TEXT = "no_text"
    ENCRYPTED = "encrypted"
    UNREADABLE = "unreadable"
    UNSUPPORTED = "unsupported"
    IGNORED = "ignored"
    FAILED = "failed"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file that was ingested. ``path`` is absolute; ``content_hash`` is over its bytes."""

    id: str
    path: str
    content_hash: str
    size_bytes: int
    modified_at: datetime | None
    status: DocumentStatus
    reason: str | None = None
    encoding: str | None = None
    page_count: int | None = None
    pages_without_text: tuple[int, ...] = ()
    document_date: date | None = None
    extractor: str | None = None
    """"rules" or the language model's name: another extractor makes the document new."""
    attempts: int = 0
    next_attempt_at: datetime | None = None
    redaction_count: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that an extractor proposes.

    ``content`` is a self-contained statement; ``first_line``/``last_line`` count from 1 in the
    file, or in the text of one with pages; ``first_place``/``last_place`` are those lines of the
    chunk (from 0) where lines of the text are none of the file, else None; ``page`` counts from 1.
    ``reason`` names the rule or the model.
    """

    content: str
    memory_type: MemoryType
    importance: float
    event_at: EventTime | None = None
    first_line: int | None = None
    last_line: int | None = None
    first_place: int | None = None
    last_place: int | None = None
    page: int | None = None
    subject: str | None = None
    key: str | None = None
    tags: tuple[str, ...] = ()
    reason: str = ""
    known_id: str | None = None
    known_outcome: Outcome | None = None
    """What a model says that this means for the stored memory ``known_id``: SAME, UPDATED or
    CONTRADICTS. It is a hint: the text behind it may be wrong, or may have misled the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the extraction of a chunk cost; zeros where no model was asked."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
