"""Options and arguments that several commands share, and how their values are understood.

The same option means the same thing everywhere, so each is defined once. Values that cannot be
understood raise UsageError with what would be right.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

from memctl import times
from memctl.advice import advice
from memctl.cli.declaration import Argument, Option
from memctl.cli.filter_words import source_forms
from memctl.errors import UsageError
from memctl.memory import EventTime, MemoryFilter, MemoryType, Origin, RelationType

STDOUT = Path("-")
"""Given in the place of a file that is to be written."""

TYPE_NAMES = ", ".join(MemoryType)

TypeFilterOption = Annotated[
    list[str] | None,
    Option("--type", "-t", metavar="TYPE", help=f"Only this type; may repeat: {TYPE_NAMES}."),
]
TagFilterOption = Annotated[
    list[str] | None,
    Option("--tag", metavar="TAG", help="Only with this tag; several must all be there."),
]
ChannelFilterOption = Annotated[
    list[str] | None, Option("--channel", metavar="NAME", help="Only from this channel.")
]
SessionFilterOption = Annotated[
    list[str] | None, Option("--session", metavar="ID", help="Only from this session.")
]
SourceFilterOption = Annotated[
    list[str] | None, Option("--source", metavar="TEXT", help="Only from this source, or file.")
]
OriginFilterOption = Annotated[
    list[str] | None,
    Option("--origin", metavar="NAME", help=f"Only stated by this origin: {', '.join(Origin)}."),
]
MinimumImportanceOption = Annotated[
    float | None,
    Option("--min-importance", metavar="N", help="Only at least this important (0 to 1)."),
]
PinnedFilterOption = Annotated[bool, Option("--pinned", help="Only pinned ones.")]
SinceOption = Annotated[
    str | None,
    Option("--since", metavar="WHEN", help="Happened (or else saved) at or after: 2026-03-04, 3d."),
]
UntilOption = Annotated[
    str | None,
    Option("--until", metavar="WHEN", help="Happened (or else saved) at or before this."),
]
AsOfOption = Annotated[
    str | None,
    Option("--as-of", metavar="WHEN", help="Only what was known and current then: 2026-03-04, 3d."),
]
DEFAULT_LIMIT = 20
"""Rows of a list where --limit says nothing."""

MAXIMUM_LIMIT = 10_000

LimitOption = Annotated[
    int,
    Option(
        "--limit",
        "-n",
        metavar="N",
        minimum=1,
        maximum=MAXIMUM_LIMIT,
        help="How many.",
    ),
]
IdsArgument = Annotated[
    list[str], Argument(metavar="ID...", help="Ids or unique beginnings of 4 or more.")
]
DryRunOption = Annotated[
    bool, Option("--dry-run", help="Show what would be done and change nothing.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterOptions:
    """Which memories a command is about: the options that all such commands share.

    A command's function takes one parameter of this type; ``cli/command`` makes options of it.
    """

    types: TypeFilterOption = None
    tags: TagFilterOption = None
    channels: ChannelFilterOption = None
    sessions: SessionFilterOption = None
    sources: SourceFilterOption = None
    origins: OriginFilterOption = None
    minimum_importance: MinimumImportanceOption = None
    pinned: PinnedFilterOption = False
    since: SinceOption = None
    until: UntilOption = None

    def to_filter(self, now: datetime) -> MemoryFilter:
        """The filter that they describe; raises UsageError for a value that makes no sense."""
        return MemoryFilter(
            types=tuple(parse_memory_type(name) for name in self.types or ()),
            tags=tuple(self.tags or ()),
            channels=tuple(self.channels or ()),
            sessions=tuple(self.sessions or ()),
            sources=tuple(form for text in self.sources or () for form in source_forms(text)),
            origins=tuple(parse_origin(name) for name in self.origins or ()),
            minimum_importance=parse_importance(self.minimum_importance),
            pinned=self.pinned,
            since=None if self.since is None else parse_time(self.since, now, "--since"),
            until=None if self.until is None else parse_time(self.until, now, "--until"),
        )

    @property
    def words(self) -> dict[str, list[str] | None]:
        """What only the store knows, by field: ``unknown_words`` says which of it is not there."""
        return {
            "tags": self.tags,
            "channels": self.channels,
            "sessions": self.sessions,
            "sources": self.sources,
        }


def parse_memory_type(name: str) -> MemoryType:
    """One of the eight types; raises UsageError naming them."""
    try:
        return MemoryType(name.strip().lower())
    except ValueError:
        raise UsageError(
            what=f"use the type {name!r}", why=_choices(name, list(MemoryType))
        ) from None


def parse_origin(name: str) -> Origin:
    """One of the origins; raises UsageError naming them."""
    try:
        return Origin(name.strip().lower())
    except ValueError:
        raise UsageError(
            what=f"use the origin {name!r}", why=_choices(name, list(Origin))
        ) from None


def parse_relation(name: str) -> RelationType:
    """One of the relation types, with - or blank for _; raises UsageError naming them."""
    try:
        return RelationType(name.strip().lower().replace("-", "_").replace(" ", "_"))
    except ValueError:
        raise UsageError(
            what=f"use the relation {name!r}", why=_choices(name, list(RelationType))
        ) from None


def parse_importance(value: float | None) -> float | None:
    """A number from 0 to 1; raises UsageError."""
    if value is not None and not 0 <= value <= 1:
        raise UsageError(
            what=f"use the importance {value:g}", why="it must lie between 0 and 1, such as 0.8"
        )
    return value


def parse_time(text: str, now: datetime, option: str) -> datetime:
    """An instant for --since, --until or --as-of; raises UsageError."""
    parse = times.parse_bound if option == "--since" else times.parse_upper_bound
    try:
        return parse(text, now)
    except ValueError as error:
        raise UsageError(what=f"understand {option}", why=str(error)) from None


def parse_event_time(text: str, now: datetime) -> EventTime:
    """A day or an instant for --event-at; raises UsageError."""
    try:
        return times.parse_event_time(text, now)
    except ValueError as error:
        raise UsageError(what="understand --event-at", why=str(error)) from None


def parse_time_to_live(text: str, now: datetime) -> datetime:
    """The instant at which a memory with this --ttl expires; raises UsageError."""
    try:
        return now + times.parse_duration(text)
    except ValueError as error:
        raise UsageError(what="understand --ttl", why=str(error)) from None


def join_words(words: list[str], what: str) -> str:
    """Words given without quotes as one text; raises UsageError for bytes that are no text."""
    text = " ".join(words)
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError(what=what, why="the text is not valid UTF-8")
    return text


def _choices(name: str, valid: list[str]) -> str:
    return f"it must be one of {', '.join(valid)}{advice(name.lower(), valid, '; ')}"


MaxCallsOption = Annotated[
    int | None,
    Option("--max-calls", metavar="N", minimum=1, help="Ask the language model at most so often."),
]
MaxCostOption = Annotated[
    float | None,
    Option("--max-cost", metavar="USD", minimum=0, help="Ask nothing more once this is spent."),
]
