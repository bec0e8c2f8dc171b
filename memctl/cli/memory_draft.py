"""A memory as a text for an editor, and what was changed in it.

The fields stand in front as TOML, the statement below a line of three plus signs as it is.
"""

from __future__ import annotations

import tomllib
from datetime import datetime

from memctl import times
from memctl.config_file import toml_value
from memctl.content import normalise_content
from memctl.memory import Memory, MemoryType
from memctl.store.memory_writes import MemoryChanges

SEPARATOR = "+++"

_HEADER = """\
# Memory {short_id}: change what you like, save, and quit the editor.
# An empty text clears a field. Types: {types}.
"""

_FOOTER = "# The memory itself stands below this line."

_TEXT_FIELDS = {
    "subject": "subject",
    "key": "key",
    "source": "source",
    "channel": "channel_id",
    "session": "session_id",
}
"""Fields of text by their name in the draft."""

_NAMES = frozenset(
    {*_TEXT_FIELDS, "type", "importance", "tags", "event_at", "expires_at", "pinned"}
)


def to_draft(memory: Memory) -> str:
    """The text for the editor."""
    event_at = "" if memory.event_at is None else times.format_iso(memory.event_at)
    expires_at = "" if memory.expires_at is None else times.format_iso(memory.expires_at)
    fields = [
        f"type = {toml_value(memory.memory_type.value)}",
        f"importance = {memory.importance!r}",
        f"tags = [{', '.join(map(toml_value, memory.tags))}]",
        f"event_at = {toml_value(event_at)}",
        f"expires_at = {toml_value(expires_at)}",
        *(
            f"{name} = {toml_value(getattr(memory, field) or '')}"
            for name, field in _TEXT_FIELDS.items()
        ),
        f"pinned = {toml_value(memory.pinned)}",
    ]
    header = _HEADER.format(short_id=memory.short_id, types=", ".join(MemoryType))
    return "\n".join([header.rstrip("\n"), *fields, _FOOTER, SEPARATOR, memory.content]) + "\n"


def from_draft(text: str, memory: Memory, now: datetime) -> MemoryChanges:
    """What the draft says that the memory does not say yet.

    Raises ValueError, naming the field, for a draft that cannot be understood.
    """
    header, found, content = text.partition(f"\n{SEPARATOR}\n")
    if not found:
        raise ValueError(f"the line {SEPARATOR} above the memory is gone")
    try:
        fields = tomllib.loads(header)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"its fields are no TOML: {error}") from None
    unknown = sorted(set(fields) - _NAMES)
    if unknown:
        raise ValueError(f"there is no field {unknown[0]}")
    wanted: MemoryChanges = {"content": normalise_content(content)}
    for name, value in fields.items():
        _take(wanted, name, value, now)
    changes: MemoryChanges = {}
    for name, value in wanted.items():
        if value != getattr(memory, name):
            changes[name] = value  # type: ignore[literal-required]
    if not wanted["content"]:
        raise ValueError("the memory is empty; `memctl forget` hides one")
    return changes


def _take(wanted: MemoryChanges, name: str, value: object, now: datetime) -> None:
    if name == "pinned":
        if not isinstance(value, bool):
            raise ValueError("pinned must be true or false")
        wanted["pinned"] = value
    elif name == "importance":
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise ValueError("importance must be a number from 0 to 1")
        wanted["importance"] = float(value)
    elif name == "tags":
        if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
            raise ValueError("tags must be a list of texts in quotes")
        wanted["tags"] = tuple(value)
    elif not isinstance(value, str):
        raise ValueError(f"{name} must be a text in quotes")
    else:
        _take_text(wanted, name, value.strip(), now)


def _take_text(wanted: MemoryChanges, name: str, text: str, now: datetime) -> None:
    if name == "type":
        if text not in list(MemoryType):
            raise ValueError(f"type must be one of {', '.join(MemoryType)}")
        wanted["memory_type"] = MemoryType(text)
    elif name == "event_at":
        wanted["event_at"] = times.parse_event_time(text, now) if text else None
    elif name == "expires_at":
        wanted["expires_at"] = parse_expiry(text, now) if text else None
    else:
        wanted[_TEXT_FIELDS[name]] = text or None  # type: ignore[literal-required]


def parse_expiry(text: str, now: datetime) -> datetime:
    """A span from now, such as 7d, or a time. Raises ValueError."""
    try:
        return now + times.parse_duration(text)
    except ValueError:
        return times.parse_upper_bound(text, now)
