"""Reads the transcripts that a session hook writes into memory/: ``# Session: …`` files."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from memctl.migration.transcript import Speaker, Transcript, TranscriptBuilder

_TITLE = re.compile(r"#\s*Session:\s*(?P<when>.*)$", re.IGNORECASE)
_FIELD = re.compile(r"\s*[-*]\s*\*\*(?P<name>[\w ]+)\*\*\s*[:：]\s*(?P<value>.*?)\s*$")
_TURN = re.compile(r"(?P<who>user|human|assistant|system|tool)\s*:\s?(?P<rest>.*)$", re.IGNORECASE)
_MOMENT = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})(?:[ T](?P<time>\d{2}:\d{2}(?::\d{2})?))?")
_SPEAKERS = {"user": Speaker.USER, "human": Speaker.USER, "assistant": Speaker.ASSISTANT}


def is_session_note(text: str) -> bool:
    """Whether a markdown text is a transcript."""
    return _TITLE.match(text.lstrip().split("\n", 1)[0]) is not None


def read_session_note(text: str) -> Transcript:
    """The conversation of a ``# Session:`` file; its head gives key, id and start."""
    transcript = Transcript()
    builder = TranscriptBuilder(transcript)
    turn: tuple[Speaker | None, int, list[str]] | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        match = _TURN.match(line)
        if match is not None:
            _add(builder, turn)
            turn = (_SPEAKERS.get(match["who"].lower()), number, [match["rest"]])
        elif turn is not None:
            turn[2].append(line)
        else:
            _read_head(transcript, line)
    _add(builder, turn)
    return transcript


def _add(builder: TranscriptBuilder, turn: tuple[Speaker | None, int, list[str]] | None) -> None:
    speaker, first_line, lines = turn or (None, 0, [])
    if speaker is None:
        return
    while lines and not lines[-1].strip():
        lines.pop()
    last_line = first_line + max(len(lines) - 1, 0)
    builder.add(speaker, lines, first_line=first_line, last_line=last_line)


def _read_head(transcript: Transcript, line: str) -> None:
    title = _TITLE.match(line.strip())
    if title is not None:
        transcript.started_at = _moment(title["when"])
        return
    field = _FIELD.match(line)
    if field is None:
        return
    if field["name"].lower() == "session key":
        transcript.session_key = field["value"] or None
    elif field["name"].lower() == "session id":
        transcript.session_id = field["value"] or None


def _moment(text: str) -> datetime | None:
    match = _MOMENT.search(text)
    if match is None:
        return None
    try:
        return datetime.fromisoformat(f"{match['day']}T{match['time'] or '00:00'}").replace(
            tzinfo=UTC
        )
    except ValueError:
        return None
