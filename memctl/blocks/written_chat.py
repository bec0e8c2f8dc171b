"""A chat of a program as lines: how a reader writes it down, and how it is read back.

``[2026-10-12 18:04] Mara: text`` begins a message, and its further lines are indented, so that
nothing in a message is ever taken for the beginning of another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from memctl.blocks.chat import Chat, ChatMessage, Stamp

PROGRAM_SPEAKERS = frozenset({"system", "developer", "tool", "function", "ipython"})
"""Roles in which no one speaks to anybody: what they say is text, but no message."""

LONGEST_SPEAKER_CHARACTERS = 60

_INDENT = "  "
_BEGIN = re.compile(
    r"(?:\[(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}))?\] )?"
    rf"(?P<speaker>[^\s:][^:]{{0,{LONGEST_SPEAKER_CHARACTERS}}}):(?: |$)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMessage:
    """A message to be written down.

    ``said_at`` is a day where no time is known. ``first_line`` (from 1) is where it stands in its
    file, or 0.
    """

    speaker: str
    text: str
    said_at: datetime | date | None = None
    first_line: int = 0


def write_chat(messages: Iterable[WrittenMessage]) -> str:
    """The messages as lines, in order, each on the line of its file as far as there is room."""
    lines: list[str] = []
    for message in messages:
        lines += [""] * (message.first_line - 1 - len(lines))
        first, *others = message.text.strip().split("\n")
        lines.append(f"{_stamp_text(message.said_at)}{_speaker_text(message.speaker)}: {first}")
        lines += [f"{_INDENT}{line}".rstrip() for line in others]
    return "\n".join(lines)


def read_written_chat(lines: Sequence[str]) -> Chat | None:
    """The chat that ``write_chat`` made these lines of; None where they hold no message."""
    messages: list[ChatMessage] = []
    for number, line in enumerate(lines, start=1):
        begin = _BEGIN.match(line)
        if begin is not None:
            text = line[begin.end() :]
            messages.append(ChatMessage(begin["speaker"], _stamp(begin), number, [text]))
        elif messages:
            messages[-1].texts.append(line.removeprefix(_INDENT))
    said = [one for one in messages if one.speaker not in PROGRAM_SPEAKERS]
    if not said:
        return None
    is_stamped = all(one.stamp is not None for one in said)
    return Chat(said, 1, len(lines), is_stamped)


def _stamp_text(said_at: datetime | date | None) -> str:
    if said_at is None:
        return ""
    return f"[{said_at:%Y-%m-%d %H:%M}] " if isinstance(said_at, datetime) else f"[{said_at}] "


def _speaker_text(speaker: str) -> str:
    bare = " ".join(speaker.replace(":", " ").split()).lstrip("[")
    return bare[:LONGEST_SPEAKER_CHARACTERS].strip() or "user"


def _stamp(begin: re.Match[str]) -> Stamp | None:
    year, month, day, hour, minute = begin.groups()[:5]
    if year is None:
        return None
    return Stamp((year, month, day), "-", None, hour or "0", minute or "0", None)
