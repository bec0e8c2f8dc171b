"""What goes into a judgement and what comes out of it: plain values, nothing else.

A judgement always speaks about two statements, the new one and an old one; ``Newer`` says which
of the two holds now where one updates the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memctl.direct_members import with_direct_members
from memctl.memory import EventTime, MemoryType, RelationType
from memctl.new_memory import Outcome


@with_direct_members
class Relation(StrEnum):
    """What one statement is to another one."""

    SAME = "same"
    """Another wording of one claim."""
    UPDATES = "updates"
    """The same attribute of the same thing with another value, and one of them is newer."""
    CONTRADICTS = "contradicts"
    """Both cannot hold and nothing says which is newer."""
    RELATED = "related"
    """The same thing or topic, another claim; also whatever stays unclear."""
    DISTINCT = "distinct"
    """Neither; often the same words about another thing."""


@with_direct_members
class Newer(StrEnum):
    """Which of the two statements of an update holds now."""

    NEW = "new"
    OLD = "old"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A text and what is known about it; None where nothing is known.

    ``event_at`` is when the thing happened, ``said_at`` when the text was said or written: for
    what a person saves the time of saving (UTC), for what a file states the day of the file.
    ``stated_directly`` is False for what was read in a file, which may be older than all that was
    stored before it: the order in which two statements are compared then says nothing.
    """

    content: str
    memory_type: MemoryType | None = None
    subject: str | None = None
    event_at: EventTime | None = None
    said_at: EventTime | None = None
    stated_directly: bool = True


@dataclass(frozen=True, slots=True)
class Judgement:
    """A relation and why: ``reason`` is a short phrase for people.

    ``confidence`` lies in 0..1 and orders judgements of one relation. ``newer`` has a meaning for
    UPDATES only.
    """

    relation: Relation
    reason: str
    confidence: float = 0.5
    newer: Newer = Newer.NEW


@dataclass(frozen=True, slots=True)
class Link:
    """An association to make: from the new memory to ``id``, or the other way if ``reversed``.

    ``weight`` lies in 0..1; ``relation`` tells rewordings, which are kept as RELATED_TO of weight
    1, from what is only near.
    """

    id: str
    relation_type: RelationType
    weight: float
    relation: Relation
    reason: str
    similarity: float
    reversed: bool = False


@dataclass(frozen=True, slots=True)
class AssociationPlan:
    """What becomes of a new memory: the outcome for its receipt, and the links, strongest first."""

    outcome: Outcome
    links: tuple[Link, ...] = ()

    @property
    def superseded_by(self) -> str | None:
        """The id of an old memory that says what holds now, in place of the new one."""
        return next((link.id for link in self.links if link.reversed), None)
