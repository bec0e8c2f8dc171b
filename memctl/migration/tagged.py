"""The files that `memctl export --format openclaw` writes: Markdown whose list items are memories
word for word, with what a heading does not say in a comment above.

Writing and reading stand side by side here, because one must give back what the other took.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from memctl.memory import EventTime, Memory, MemoryType
from memctl.migration.statement import PlannedMemory
from memctl.times import format_iso

MARK = "<!-- memctl: each item below is one memory, word for word -->"
EXPORTED = "exported by memctl"
"""The reason of a memory's type: nothing was guessed."""

_MARK = re.compile(r"\s*<!-- memctl: each item below\b.*?-->\s*$")
_FIELDS = re.compile(r"\s*<!-- memctl (?P<fields>\{.*\}) -->\s*$")
_INDENT = "  "
_BULLET = "- "

TITLES = {
    MemoryType.IDENTITY: "Identity",
    MemoryType.GOAL: "Goals",
    MemoryType.DECISION: "Decisions",
    MemoryType.TODO: "Todos",
    MemoryType.PREFERENCE: "Preferences",
    MemoryType.FACT: "Facts",
    MemoryType.EVENT: "Events",
    MemoryType.OBSERVATION: "Observations",
}
_TYPES = {title.lower(): memory_type for memory_type, title in TITLES.items()}


def is_tagged(text: str) -> bool:
    """Whether a text is one of these files."""
    return any(_MARK.match(line) for line in text.split("\n", 5)[:5])


def tagged_lines(title: str, memories: Iterable[Memory], day: date | None) -> Iterator[str]:
    """The lines of a file: a section for each type; ``day`` is when its memories happened."""
    by_type: dict[MemoryType, list[Memory]] = {}
    for memory in memories:
        by_type.setdefault(memory.memory_type, []).append(memory)
    yield f"# {title}"
    yield MARK
    for memory_type in MemoryType:
        found = by_type.get(memory_type, [])
        if found:
            yield ""
            yield f"## {TITLES[memory_type]}"
            yield ""
        for memory in found:
            yield from _item(memory, day)


def _item(memory: Memory, day: date | None) -> Iterator[str]:
    fields = _fields_of(memory, day)
    if fields:
        text = json.dumps(fields, ensure_ascii=False).replace(">", "\\u003e")
        yield f"<!-- memctl {text} -->"
    first, *rest = memory.content.split("\n")
    yield _BULLET + first
    yield from (_INDENT + line if line else "" for line in rest)


def _fields_of(memory: Memory, day: date | None) -> dict[str, Any]:
    """What neither the section nor the file's name says."""
    fields: dict[str, Any] = {}
    if memory.importance != memory.memory_type.default_importance:
        fields["importance"] = memory.importance
    if memory.event_at is not None and memory.event_at != day:
        fields["event_at"] = format_iso(memory.event_at)
    if memory.expires_at is not None:
        fields["expires_at"] = format_iso(memory.expires_at)
    given = {
        "tags": list(memory.tags),
        "subject": memory.subject,
        "key": memory.key,
        "channel_id": memory.channel_id,
        "session_id": memory.session_id,
        "pinned": memory.pinned,
    }
    return fields | {name: value for name, value in given.items() if value}


def read_tagged(text: str, day: date | None) -> Iterator[PlannedMemory]:
    """The memories of such a file in its order; ``day`` is the one in its name."""
    memory_type = MemoryType.FACT
    fields: Mapping[str, Any] = {}
    item: list[str] = []
    first_line = 0
    for number, line in enumerate([*text.split("\n"), "# end"], start=1):
        if item and (line.startswith(_INDENT) or not line.strip()):
            item.append(line.removeprefix(_INDENT))
            continue
        if item:
            yield _memory(item, first_line, memory_type, fields, day)
            item, fields = [], {}
        comment = _FIELDS.match(line)
        if line.startswith(_BULLET):
            item, first_line = [line.removeprefix(_BULLET)], number
        elif comment is not None:
            fields = _parsed(comment["fields"])
        elif line.startswith("## "):
            memory_type = _TYPES.get(line[3:].strip().lower(), MemoryType.FACT)


def _memory(
    item: list[str],
    first_line: int,
    memory_type: MemoryType,
    fields: Mapping[str, Any],
    day: date | None,
) -> PlannedMemory:
    while len(item) > 1 and not item[-1].strip():
        item.pop()
    weight = fields.get("importance")
    tags = fields.get("tags")
    event_at = _moment(fields.get("event_at"))
    expires_at = _moment(fields.get("expires_at"))
    return PlannedMemory(
        content="\n".join(item),
        memory_type=memory_type,
        importance=float(weight)
        if isinstance(weight, int | float) and 0 <= weight <= 1
        else memory_type.default_importance,
        event_at=event_at if event_at is not None else day,
        first_line=first_line,
        last_line=first_line + len(item) - 1,
        tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
        subject=_text(fields, "subject"),
        key=_text(fields, "key"),
        channel_id=_text(fields, "channel_id"),
        session_id=_text(fields, "session_id"),
        pinned=True if fields.get("pinned") is True else None,
        expires_at=expires_at if isinstance(expires_at, datetime) else None,
        reason=EXPORTED,
    )


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) and value else None


def _moment(value: object) -> EventTime | None:
    if not isinstance(value, str):
        return None
    try:
        if len(value) == len("2026-03-04"):
            return date.fromisoformat(value)
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None
