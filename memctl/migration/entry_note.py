"""Notes whose memory stands in their front matter: ``content: "..."`` with its time and weight."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from memctl.blocks.front_matter import take_front_matter
from memctl.extraction.rules.classifier import classify
from memctl.ingestion.readers.dates import date_of_value
from memctl.memory import MemoryType
from memctl.migration.cleaning import scaled_importance
from memctl.migration.statement import PlannedMemory

_CONTENT_KEYS = ("content", "memory", "fact", "text")
_DAY_KEYS = ("timestamp", "time", "date", "day", "created", "created_at", "createdat")
_TYPE_KEYS = ("memory_type", "type", "category", "kind")
_PAIR = re.compile(r"(?P<key>[A-Za-z_]+)\s*:\s*(?P<value>.*)$")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?\d?\s*$")


@dataclass(frozen=True, slots=True)
class EntryNote:
    """What the front matter says: a day, an importance, and a memory where it holds one."""

    day: date | None = None
    importance: float | None = None
    memory: PlannedMemory | None = None


def read_entry_note(text: str) -> EntryNote:
    """The front matter of a redacted text; empty where it is silent."""
    block, _ = take_front_matter(text)
    if block is None:
        return EntryNote()
    fields = _fields(block.text)
    days = (date_of_value(fields[key][0]) for key in _DAY_KEYS if key in fields)
    day = next((found for found in days if found is not None), None)
    importance = _number(fields.get("importance", ("", 0, 0))[0])
    content = next((fields[key] for key in _CONTENT_KEYS if key in fields), None)
    if content is None or not content[0].strip():
        return EntryNote(day, importance)
    named = [fields[key][0] for key in _TYPE_KEYS if key in fields]
    found = classify(content[0])
    memory_type = next((kind for name in named if (kind := _type(name))), found.memory_type)
    weight = found.importance if memory_type is found.memory_type else None
    memory = PlannedMemory(
        content=content[0].strip(),
        memory_type=memory_type,
        importance=importance or weight or memory_type.default_importance,
        event_at=day,
        first_line=content[1],
        last_line=content[2],
        reason="front matter",
    )
    return EntryNote(day, importance, memory)


def _fields(block: str) -> dict[str, tuple[str, int, int]]:
    """Top-level keys in lower case with value, first and last line in the file (from 1)."""
    fields: dict[str, tuple[str, int, int]] = {}
    key = ""
    for number, line in enumerate(block.split("\n"), start=2):
        pair = _PAIR.match(line)
        if pair is not None:
            key = pair["key"].lower()
            value = "" if _BLOCK_SCALAR.match(pair["value"]) else _unquoted(pair["value"])
            fields.setdefault(key, (value, number, number))
        elif key and line[:1].isspace() and line.strip():
            value, first, _ = fields[key]
            fields[key] = (f"{value} {line.strip()}".strip(), first, number)
    return fields


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        inner = value[1:-1]
        return inner.replace('\\"', '"') if value[0] == '"' else inner.replace("''", "'")
    return value


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return scaled_importance(value) if value > 0 else None


def _type(name: str) -> MemoryType | None:
    try:
        return MemoryType(name.strip().lower())
    except ValueError:
        return None
