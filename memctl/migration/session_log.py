"""Reads a session's JSON lines: a tree of entries, of which one branch is the conversation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from memctl.migration.transcript import Speaker, Transcript, TranscriptBuilder

EARLIEST_YEAR = 2000

_SPEAKERS = {"user": Speaker.USER, "assistant": Speaker.ASSISTANT}


@dataclass(frozen=True, slots=True)
class _Entry:
    line: int
    value: Mapping[str, object]

    @property
    def entry_id(self) -> str | None:
        value = self.value.get("id")
        return value if isinstance(value, str) else None


def read_session_log(text: str) -> Transcript:
    """The messages of people and of the assistant on the branch that ends with the last entry.

    Lines that are no JSON objects are counted in ``problem`` and cost no other line.
    """
    transcript = Transcript()
    entries, bad_lines = _read_entries(text)
    for entry in entries:
        if entry.value.get("type") == "session":
            transcript.session_id = transcript.session_id or entry.entry_id
            transcript.started_at = transcript.started_at or _moment(entry.value.get("timestamp"))
    builder = TranscriptBuilder(transcript)
    for entry in _active_branch(entries):
        _take(builder, entry)
    if bad_lines:
        transcript.problem = f"{bad_lines} of its lines are no JSON"
    return transcript


def _read_entries(text: str) -> tuple[list[_Entry], int]:
    entries: list[_Entry] = []
    bad_lines = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            entries.append(_Entry(number, value))
        else:
            bad_lines += 1
    return entries, bad_lines


def _active_branch(entries: list[_Entry]) -> list[_Entry]:
    """From the root to the last entry; all of them where the file knows no parents."""
    by_id = {entry.entry_id: entry for entry in entries if entry.entry_id is not None}
    linked = [entry for entry in entries if "parentId" in entry.value and entry.entry_id]
    if not linked:
        return entries
    branch: list[_Entry] = []
    seen: set[int] = set()
    current: _Entry | None = linked[-1]
    while current is not None and current.line not in seen:
        seen.add(current.line)
        branch.append(current)
        parent = current.value.get("parentId")
        current = by_id.get(parent) if isinstance(parent, str) else None
    return branch[::-1]


def _take(builder: TranscriptBuilder, entry: _Entry) -> None:
    message = entry.value.get("message")
    if not isinstance(message, dict):
        message = entry.value if "role" in entry.value else None
    if message is None:
        return
    speaker = _SPEAKERS.get(str(message.get("role")))
    if speaker is None or message.get("stopReason") == "error":
        return
    provenance = message.get("provenance")
    if isinstance(provenance, dict) and provenance.get("kind") == "inter_session":
        return
    text = "\n".join(_texts(message.get("content")))
    said_at = _moment(entry.value.get("timestamp")) or _moment(message.get("timestamp"))
    builder.add(
        speaker,
        text.split("\n"),
        first_line=entry.line,
        last_line=entry.line,
        said_at=said_at,
        entry_id=entry.entry_id,
    )


def _texts(content: object) -> Iterator[str]:
    """What was said: no thoughts, no tools, no pictures."""
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "text":
            text = part.get("text")
            if isinstance(text, str):
                yield text


def _moment(value: object) -> datetime | None:
    """An instant, as ISO 8601 text or as milliseconds since 1970; none from before there were such
    transcripts."""
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            found = (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found = datetime.fromtimestamp(value / 1_000, tz=UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return found if found.year >= EARLIEST_YEAR else None
