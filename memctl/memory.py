"""The values that all layers share: memories, associations, documents, candidates, hits.

No I/O, no clock, no settings. Every value is immutable; a changed one is made with
``dataclasses.replace``. All ``datetime`` values are aware and in UTC.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")

ID_DISPLAY_LENGTH = 8
"""Characters of an id that people are shown."""

ID_PREFIX_MINIMUM = 4
"""Fewest characters of an id that a command takes."""


class MemoryType(StrEnum):
    """What kind of statement a memory is (the eight types of Spacebot)."""

    IDENTITY = "identity"
    GOAL = "goal"
    DECISION = "decision"
    TODO = "todo"
    PREFERENCE = "preference"
    FACT = "fact"
    EVENT = "event"
    OBSERVATION = "observation"

    @property
    def default_importance(self) -> float:
        """Importance from 0 to 1 where the writer gives none."""
        return DEFAULT_IMPORTANCE[self]


DEFAULT_IMPORTANCE: dict[MemoryType, float] = {
    MemoryType.IDENTITY: 1.0,
    MemoryType.GOAL: 0.9,
    MemoryType.DECISION: 0.8,
    MemoryType.TODO: 0.8,
    MemoryType.PREFERENCE: 0.7,
    MemoryType.FACT: 0.6,
    MemoryType.EVENT: 0.4,
    MemoryType.OBSERVATION: 0.3,
}


class MemorySort(StrEnum):
    """The order of a list; what is equal goes by creation, newest first."""

    RECENT = "recent"
    IMPORTANCE = "importance"
    ACCESS = "access"
    OLDEST = "oldest"
    HAPPENED = "happened"
    """By the event, else the creation; the latest first."""
    UPDATED = "updated"


class RelationType(StrEnum):
    """Direction is meaning: the source stands in this relation to the target."""

    RELATED_TO = "related_to"
    UPDATES = "updates"
    CONTRADICTS = "contradicts"
    CAUSED_BY = "caused_by"
    RESULT_OF = "result_of"
    PART_OF = "part_of"


class Origin(StrEnum):
    """Who stated a memory."""

    USER = "user"
    FILE = "file"
    LLM = "llm"
    IMPORT = "import"
    AGENT = "agent"


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


class ForgetReason(StrEnum):
    """Why a memory is hidden. Only USER keeps a later ingest from bringing its text back."""

    USER = "user"
    DOCUMENT = "document"
    """The file that had stated it no longer does."""
    EXPIRED = "expired"
    PRUNED = "pruned"
    MERGED = "merged"


class EntryKind(StrEnum):
    """What a row of the search index stands for."""

    MEMORY = "memory"
    CHUNK = "chunk"


EventTime = date | datetime
"""When a thing happened: a plain ``date`` knows the day only, a ``datetime`` (UTC) the instant."""


Importances = tuple[float, float | None]
"""An importance (0..1) and the one that it decayed from, None where it is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One statement and all that is known about it.

    ``importance`` lies in 0..1. ``key`` is unique among the live memories of a store.
    ``document_id``, ``first_line``/``last_line`` (from 1) or ``page`` (from 1) say where it came
    from first. ``superseded_by`` is the id of the memory that stands in its place.
    """

    id: str
    content: str
    memory_type: MemoryType
    importance: float
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime
    access_count: int = 0
    source: str | None = None
    channel_id: str | None = None
    session_id: str | None = None
    subject: str | None = None
    key: str | None = None
    tags: tuple[str, ...] = ()
    event_at: EventTime | None = None
    expires_at: datetime | None = None
    pinned: bool = False
    forgotten: bool = False
    forgotten_reason: ForgetReason | None = None
    origin: Origin = Origin.USER
    stated_directly: bool = True
    """Whether somebody other than a file stated or edited it: a changed file cannot hide it."""
    content_hash: str = ""
    superseded_by: str | None = None
    decayed_from: float | None = None
    """The importance before decay, to which an access brings it back; None when it is whole."""
    document_id: str | None = None
    chunk_id: str | None = None
    first_line: int | None = None
    last_line: int | None = None
    page: int | None = None

    @property
    def short_id(self) -> str:
        return self.id[:ID_DISPLAY_LENGTH]

    @property
    def whole_importance(self) -> float:
        """The importance that it has when decay is left out."""
        return self.importance if self.decayed_from is None else self.decayed_from


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
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """A directed edge of the graph; unique by source, target and type; ``weight`` in 0..1."""

    id: str
    source_id: str
    target_id: str
    relation_type: RelationType
    weight: float
    created_at: datetime


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that an extractor proposes.

    ``content`` is a self-contained statement; ``first_line``/``last_line`` count from 1 in the
    document's text; ``page`` from 1 where it has pages. ``reason`` names the rule or the model.
    """

    content: str
    memory_type: MemoryType
    importance: float
    event_at: EventTime | None = None
    first_line: int | None = None
    last_line: int | None = None
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
class Chunk:
    """A verbatim span of a document's text; the chunks of a document joined give its text back.

    ``position`` counts from 0. ``heading_path`` goes from the outermost heading inwards.
    """

    id: str
    document_id: str
    position: int
    content: str
    content_hash: str
    first_line: int
    last_line: int
    first_page: int | None = None
    last_page: int | None = None
    heading_path: tuple[str, ...] = ()
    extracted: bool = False
    """Whether its candidates are committed; False after a crash or a failed model call."""
    error: str | None = None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the extraction of a chunk cost; zeros where no model was asked."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories a reader wants; every field narrows, an empty one does not.

    ``types``, ``channels``, ``sources``, ``origins``: any of these. ``tags``: all of these.
    ``pinned``: only those that are.
    ``since`` and ``until`` compare with ``happened_at``: the event time, or the creation time where
    no event time is known; ``since`` is included, ``until`` excluded.
    """

    types: tuple[MemoryType, ...] = ()
    tags: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()
    minimum_importance: float | None = None
    pinned: bool = False
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_empty(self) -> bool:
        return self == MemoryFilter()


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a text stands in a file: lines or page, counted from 1."""

    path: str
    first_line: int | None = None
    last_line: int | None = None
    page: int | None = None

    def __str__(self) -> str:
        if self.page is not None:
            return f"{self.path} p. {self.page}"
        if self.first_line is None:
            return self.path
        if self.last_line is None or self.last_line == self.first_line:
            return f"{self.path}:{self.first_line}"
        return f"{self.path}:{self.first_line}-{self.last_line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignMemory:
    """A memory with the id and times that it has elsewhere; ``citation`` names its file."""

    memory: Memory
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One contribution to a hit's score.

    ``rank`` counts from 1 in that strategy's list; ``raw_score`` is a cosine similarity (vector),
    a BM25 score (text) or a path weight (graph).
    """

    strategy: str
    contribution: float
    rank: int | None = None
    raw_score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One answer of recall: a memory, or a chunk where passages were asked for.

    ``rank`` counts from 1; ``score`` is the fused score, higher is better, and is comparable only
    within one answer. ``collapsed`` are ids of other wordings of the same claim.
    """

    rank: int
    score: float
    memory: Memory | None
    chunk: Chunk | None = None
    citation: Citation | None = None
    parts: tuple[ScorePart, ...] = ()
    collapsed: tuple[str, ...] = ()
    contradicted_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What recall answers: hits in order, and what the user should know about how it went."""

    hits: tuple[SearchHit, ...]
    warnings: tuple[str, ...] = ()


def normalise_content(text: str) -> str:
    """The form in which a memory's text is stored: NFC, LF line ends, no blank edges.

    NUL and lone surrogates, which no text holds, become U+FFFD. Nothing else changes.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    text = _LONE_SURROGATES.sub("\ufffd", text)
    return unicodedata.normalize("NFC", text).strip()


def hash_content(text: str) -> str:
    """SHA-256 in hex of the text as far as sameness goes: NFKC, white space folded to one blank.

    Case counts: it may carry meaning.
    """
    folded = " ".join(unicodedata.normalize("NFKC", text).split())
    return hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()


def event_day(moment: EventTime) -> date:
    """The day of an event time, in UTC where an instant is known."""
    return moment.astimezone(UTC).date() if isinstance(moment, datetime) else moment


def happened_at(event_at: EventTime | None, created_at: datetime) -> datetime:
    """The one instant that orders a memory in time: its event, else its creation.

    A plain day counts as 10:30 UTC, which lies between that day's midnights in every zone from
    -10 (Hawaii) to +13 hours (New Zealand in summer), so that bounds at local midnights hold it
    or not as people expect.
    """
    if event_at is None:
        return created_at
    if isinstance(event_at, datetime):
        return event_at
    return datetime.combine(event_at, time(10, 30), tzinfo=UTC)
