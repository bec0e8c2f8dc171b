"""The values that all layers share: memories, associations, chunks and citations.

No I/O, no clock, no settings. Every value is immutable; a changed one is made with
``dataclasses.replace``. All ``datetime`` values are aware and in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum

from memctl.direct_members import with_direct_members
from memctl.file_lines import LineStart, StatedAt, cited_lines, stated_places

ID_DISPLAY_LENGTH = 8
"""Characters of an id that people are shown."""

ID_PREFIX_MINIMUM = 4
"""Fewest characters of an id that a command takes."""


@with_direct_members
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


@with_direct_members
class MemorySort(StrEnum):
    """The order of a list; what is equal goes by creation, newest first."""

    RECENT = "recent"
    IMPORTANCE = "importance"
    ACCESS = "access"
    OLDEST = "oldest"
    HAPPENED = "happened"
    """By the event, else the creation; the latest first."""
    UPDATED = "updated"


@with_direct_members
class RelationType(StrEnum):
    """Direction is meaning: the source stands in this relation to the target."""

    RELATED_TO = "related_to"
    UPDATES = "updates"
    CONTRADICTS = "contradicts"
    CAUSED_BY = "caused_by"
    RESULT_OF = "result_of"
    PART_OF = "part_of"


@with_direct_members
class Origin(StrEnum):
    """Who stated a memory."""

    USER = "user"
    FILE = "file"
    LLM = "llm"
    IMPORT = "import"
    AGENT = "agent"


@with_direct_members
class ForgetReason(StrEnum):
    """Why a memory is hidden. Only USER keeps a later ingest from bringing its text back."""

    USER = "user"
    DOCUMENT = "document"
    """The file that had stated it no longer does."""
    EXPIRED = "expired"
    PRUNED = "pruned"
    MERGED = "merged"


@with_direct_members
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
class Association:
    """A directed edge of the graph; unique by source, target and type; ``weight`` in 0..1."""

    id: str
    source_id: str
    target_id: str
    relation_type: RelationType
    weight: float
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A verbatim span of a document's text; the chunks of a document joined give its text back.

    ``position`` counts from 0. ``first_line`` and ``last_line`` are lines of the file (from 1), or
    of the text where it has pages. ``line_starts`` (ascending) say on which of them the chunk's own
    lines stand; they are empty where these follow each other in the file. ``heading_path`` goes
    from the outermost heading inwards.
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
    line_starts: tuple[LineStart, ...] = ()

    def places(self, stated: StatedAt) -> tuple[int, int]:
        """Which of its own lines (first and last, from 0) state a memory; they may lie outside."""
        return stated_places(self.content, self.first_line, self.line_starts, stated)

    def stated_at(self, first_place: int, last_place: int, statement: str) -> StatedAt:
        """Where it makes a statement that is taken from its own lines of these places."""
        if not self.line_starts:
            return StatedAt(self.first_line + first_place, self.first_line + last_place)
        last_place = max(first_place, min(last_place, self.content.count("\n")))
        lines = cited_lines(self.content, self.line_starts, first_place, last_place, statement)
        return StatedAt(*lines, first_place, last_place)


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that states a memory, and where. ``retired`` says that the document no longer has
    the chunk."""

    chunk: Chunk
    stated: StatedAt
    retired: bool

    @property
    def cited_text(self) -> str:
        """What the chunk says on those lines."""
        first, last = self.chunk.places(self.stated)
        return "\n".join(self.chunk.content.split("\n")[max(first, 0) : last + 1])


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A chunk and the file that it is from; ``retired`` says that the file has it no more."""

    chunk: Chunk
    path: str
    retired: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories a reader wants; every field narrows, an empty one does not.

    ``types``, ``channels``, ``sources``, ``origins``: any of these. ``tags``: all of these. What
    was taken from a file has the path that it had then and the present one for sources.
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
