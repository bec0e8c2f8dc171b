"""Memories as JSON lines and back: what `export` writes and `import` reads.

A line is one memory or one association. Reading takes keys in any order, defaults those that are
missing and says of each line what is wrong with it; what was exported comes back as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from memctl.content import normalise_content
from memctl.errors import abridged
from memctl.memory import (
    Association,
    Citation,
    EventTime,
    ForgetReason,
    Memory,
    MemoryType,
    Origin,
    RelationType,
)
from memctl.new_memory import ForeignMemory, NewMemory
from memctl.records import association_record, memory_record
from memctl.times import EARLIEST_YEAR, LATEST_YEAR

MEMORY_KIND = "memory"
ASSOCIATION_KIND = "association"

_ID = re.compile(r"[0-9a-z][0-9a-z_.:-]{3,127}")
"""Ids that can be named on a command line, by a prefix too."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""What a byte that is no UTF-8 was read as."""


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One line that was understood, by its number from 1: a memory of a known id, a new one
    without, or an association."""

    line: int
    value: ForeignMemory | NewMemory | Association


@dataclass(frozen=True, slots=True)
class BadRow:
    """One line that was not understood, and why."""

    line: int
    reason: str


def export_lines(
    memories: Iterable[tuple[Memory, Citation | None]], associations: Iterable[Association]
) -> Iterator[str]:
    """One JSON object a line: the memories in the given order, then the associations."""
    for memory, citation in memories:
        record = {"kind": MEMORY_KIND, **memory_record(memory, citation)}
        yield json.dumps(record, ensure_ascii=False)
    for association in associations:
        record = {"kind": ASSOCIATION_KIND, **association_record(association)}
        yield json.dumps(record, ensure_ascii=False)


def read_rows(
    lines: Iterable[str], *, now: datetime, clean: Callable[[str], str]
) -> Iterator[ImportRow | BadRow]:
    """What each line that is not blank says. ``clean`` takes secrets out of a content."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield ImportRow(number, _read_record(_object(line), now, clean))
        except ValueError as error:
            yield BadRow(number, abridged(" ".join(str(error).split())))


def _object(line: str) -> dict[str, Any]:
    """The JSON object of a line; raises ValueError with a sentence that people understand."""
    if _LONE_SURROGATE.search(line):
        raise ValueError("it is not UTF-8 text")
    try:
        record = json.loads(line.rstrip())
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no whole JSON object (see column {error.colno})") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(record, dict):
        raise ValueError("it is no JSON object")
    return record


def _read_record(
    record: Mapping[str, Any], now: datetime, clean: Callable[[str], str]
) -> ForeignMemory | NewMemory | Association:
    if record.get("kind", MEMORY_KIND) == ASSOCIATION_KIND:
        return _read_association(record, now)
    content = record.get("content")
    if not isinstance(content, str) or not content.strip():
        raise ValueError("it has no content")
    if record.get("id") is None:
        return _read_new(record, clean(content))
    return _read_known(record, clean(content), now)


def _read_association(record: Mapping[str, Any], now: datetime) -> Association:
    return Association(
        id=_text(record, "id") or "",
        source_id=_required(record, "source_id"),
        target_id=_required(record, "target_id"),
        relation_type=_choice(RelationType, _required(record, "relation_type")),
        weight=_unit(record, "weight", 1.0),
        created_at=_instant(record, "created_at") or now,
    )


def _read_new(record: Mapping[str, Any], content: str) -> NewMemory:
    named_type = _text(record, "memory_type") or _text(record, "type")
    return NewMemory(
        content=content,
        memory_type=None if named_type is None else _choice(MemoryType, named_type),
        importance=None if record.get("importance") is None else _unit(record, "importance", 0),
        source=_text(record, "source"),
        channel_id=_text(record, "channel_id"),
        session_id=_text(record, "session_id"),
        subject=_text(record, "subject"),
        key=_text(record, "key"),
        tags=_tags(record),
        event_at=_moment(record, "event_at"),
        created_at=_instant(record, "created_at"),
        expires_at=_instant(record, "expires_at"),
        pinned=_flag(record, "pinned") or None,
        origin=_choice(Origin, _text(record, "origin") or Origin.IMPORT.value),
    )


def _read_known(record: Mapping[str, Any], content: str, now: datetime) -> ForeignMemory:
    new = _read_new(record, content)
    memory_type = new.memory_type or MemoryType.FACT
    created_at = new.created_at or now
    updated_at = _instant(record, "updated_at") or created_at
    reason = _text(record, "forgotten_reason")
    forgotten = _flag(record, "forgotten")
    citation = _citation(record)
    memory = Memory(
        id=_id(record),
        content=content,
        memory_type=memory_type,
        importance=_unit(record, "importance", memory_type.default_importance),
        created_at=created_at,
        updated_at=updated_at,
        last_accessed_at=_instant(record, "last_accessed_at") or updated_at,
        access_count=_count(record, "access_count"),
        source=new.source,
        channel_id=new.channel_id,
        session_id=new.session_id,
        subject=new.subject,
        key=new.key,
        tags=new.tags,
        event_at=new.event_at,
        expires_at=new.expires_at,
        pinned=bool(new.pinned),
        forgotten=forgotten,
        forgotten_reason=_choice(ForgetReason, reason or "user") if forgotten else None,
        origin=new.origin,
        stated_directly=_flag(record, "stated_directly", default=citation is None),
        superseded_by=_text(record, "superseded_by"),
        decayed_from=None
        if record.get("decayed_from") is None
        else _unit(record, "decayed_from", 0),
        document_id=_text(record, "document_id") if citation is not None else None,
        first_line=None if citation is None else citation.first_line,
        last_line=None if citation is None else citation.last_line,
        page=None if citation is None else citation.page,
    )
    return ForeignMemory(memory=memory, citation=citation)


def _citation(record: Mapping[str, Any]) -> Citation | None:
    value = record.get("citation")
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValueError("citation is no object")
    numbers = [_place(value, name) for name in ("first_line", "last_line", "page")]
    return Citation(_required(value, "path"), *numbers)


def _text(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} is no text")
    return value or None


def _required(record: Mapping[str, Any], name: str) -> str:
    value = _text(record, name)
    if value is None:
        raise ValueError(f"it has no {name}")
    return value


def _id(record: Mapping[str, Any]) -> str:
    value = _required(record, "id").lower()
    if not _ID.fullmatch(value):
        raise ValueError(
            f"its id {value[:40]!r} cannot be one: 4 to 128 letters, digits and any of _ . : - are"
        )
    return value


def _flag(record: Mapping[str, Any], name: str, *, default: bool = False) -> bool:
    value = record.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise ValueError(f"{name} is neither true nor false")
    return value


def _unit(record: Mapping[str, Any], name: str, default: float) -> float:
    value = record.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{name} is no number from 0 to 1")
    return float(value)


def _count(record: Mapping[str, Any], name: str) -> int:
    value = record.get(name) or 0
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise ValueError(f"{name} is no count")
    return value


def _place(record: Mapping[str, Any], name: str) -> int | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 2**31:
        raise ValueError(f"{name} is no number of a line or page")
    return value


def _tags(record: Mapping[str, Any]) -> tuple[str, ...]:
    value = record.get("tags")
    if value is None:
        return ()
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise ValueError("tags is no list of texts")
    return tuple(filter(None, map(normalise_content, value)))


def _choice(choices: Any, name: str) -> Any:
    try:
        return choices(name)
    except ValueError:
        raise ValueError(f"{name!r} is none of {', '.join(choices)}") from None


def _moment(record: Mapping[str, Any], name: str) -> EventTime | None:
    text = _text(record, name)
    if text is None:
        return None
    try:
        is_day = len(text) == len("2026-03-04")
        moment = date.fromisoformat(text) if is_day else datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{name} is {text!r}, which is no ISO 8601 time") from None
    if not EARLIEST_YEAR <= moment.year <= LATEST_YEAR:
        raise ValueError(f"{name} is {text!r}: years {EARLIEST_YEAR} to {LATEST_YEAR} are taken")
    if not isinstance(moment, datetime):
        return moment
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def _instant(record: Mapping[str, Any], name: str) -> datetime | None:
    moment = _moment(record, name)
    if moment is None or isinstance(moment, datetime):
        return moment
    return datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
