"""ZeroClaw's MEMORY_SNAPSHOT.md, and how a key of ZeroClaw reads in front of its content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memctl.extraction.rules.classifier import classify
from memctl.migration.statement import PlannedMemory

_TITLE = re.compile(r"###\s+(?:\S+\s+)?`(?P<key>[^`]+)`\s*$")
_STAMP = re.compile(r"\s*\*Created:.*\*\s*$")
_RULE = re.compile(r"\s*-{3,}\s*$")
_SLUG = re.compile(r"[^\W\d_][\w .-]*$")
_MACHINE_KEY = re.compile(
    r"(?:user|assistant|conversation|conv|daily|core|mem|memory|msg|message|context|ctx|note|entry"
    r"|session|webhook|whatsapp|telegram|auto|autosave)(?:[_-](?:msg|message|resp|response))?"
    r"(?:[_-]?[0-9a-f]*\d[0-9a-f_-]*)?$|[0-9a-f-]{16,}$|.*[0-9a-f]{8}-[0-9a-f]{4}-.*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SnapshotEntry:
    """One key of a snapshot with its text and lines (from 1)."""

    key: str
    content: str
    first_line: int
    last_line: int


def read_snapshot(text: str) -> Iterator[SnapshotEntry]:
    """The entries of a snapshot in its order; the rest of the file is about the file."""
    key: str | None = None
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        title = _TITLE.match(line.strip())
        if title is not None:
            yield from _entry(key, lines)
            key, lines = title["key"], []
        elif key is not None and not _STAMP.match(line) and not _RULE.match(line):
            lines.append((number, line))
    yield from _entry(key, lines)


def _entry(key: str | None, lines: list[tuple[int, str]]) -> Iterator[SnapshotEntry]:
    filled = [number for number, line in lines if line.strip()]
    if key is None or not filled:
        return
    content = "\n".join(line for _, line in lines).strip()
    yield SnapshotEntry(key, content, filled[0], filled[-1])


def keyed_content(key: str, content: str) -> str:
    """The content with its key in front in words, unless the key says nothing or stands there."""
    words = " ".join(re.split(r"[_\s]+", key)).strip()
    if not _SLUG.match(key) or _MACHINE_KEY.match(key):
        return content
    return content if words.lower() in content.lower() else f"{words}: {content}"


def keyed_memory(
    key: str, content: str, *, first_line: int | None = None, last_line: int | None = None
) -> PlannedMemory:
    """A memory of ZeroClaw: the rules type it by key and wording."""
    text = keyed_content(key, content.strip())
    found = classify(text)
    return PlannedMemory(
        content=text,
        memory_type=found.memory_type,
        importance=found.importance,
        first_line=first_line,
        last_line=last_line,
        reason=found.reason,
    )
