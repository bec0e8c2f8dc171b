"""A chat of a program as lines: how a reader writes it down, and how it is read back.

``[2026-10-12 18:04] Mara: text`` begins a message, and its further lines are indented, so that
nothing in a message is ever taken for the beginning of another one. An underlined line is the title
of a conversation. Lines for which their file has only one are told apart by a line separator.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from memctl.blocks.chat import Chat, ChatMessage, Stamp
from memctl.blocks.shared_lines import LINE_SEPARATOR

PROGRAM_SPEAKERS = frozenset({"system", "developer", "tool", "function", "ipython"})
"""Roles in which no one speaks to anybody: what they say is text, but no message."""

LONGEST_SPEAKER_CHARACTERS = 60
LONGEST_TITLE_CHARACTERS = 100

_INDENT = "  "
_LINE_BREAK = re.compile("[\n\u2028\u2029]")
_TITLE_RULE = "="
_BEGIN = re.compile(
    r"(?:\[(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}))?\] )?"
    rf"(?P<speaker>[^\s:][^:]{{0,{LONGEST_SPEAKER_CHARACTERS}}}):(?: |$)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMessage:
    """A message to be written down.

    ``said_at`` is a day where no time is known. ``first_line`` and ``last_line`` (from 1) are where
    it stands in its file, or 0.
    """

    speaker: str
    text: str
    said_at: datetime | date | None = None
    first_line: int = 0
    last_line: int = 0


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in order, and what they are about as their program says, if it does."""

    title: str | None
    messages: Sequence[WrittenMessage]


@dataclass(frozen=True, slots=True)
class ChatText:
    """Conversations as text. ``file_lines[i]`` is the line of the file for line i + 1 of the text;
    empty where the file has no lines that tell messages apart."""

    text: str
    file_lines: tuple[int, ...] = ()


def write_chat(conversations: Sequence[Conversation]) -> ChatText:
    """The messages as lines, in order. A title stands above those of its conversation unless the
    lines are those of the file. Each conversation has a message at least."""
    messages = [message for one in conversations for message in one.messages]
    if _have_lines(messages):
        return _write_with_file_lines(messages)
    parts = []
    for one in conversations:
        title = _title_text(one.title or "")
        heading = [title, _TITLE_RULE * len(title)] if title else []
        parts.append("\n".join([*heading, *(line for m in one.messages for line in _lines(m))]))
    return ChatText("\n\n".join(parts))


def read_written_chat(lines: Sequence[str]) -> Chat | None:
    """The chat that ``write_chat`` made these lines of; None where they hold no message."""
    messages: list[ChatMessage] = []
    blank: list[str] = []
    """Lines that belong to a message if it goes on behind them."""
    for number, line in enumerate(lines, start=1):
        if _is_title(lines, number - 1) or _is_title(lines, number - 2):
            continue
        for part in line.split(LINE_SEPARATOR):
            begin = _BEGIN.match(part)
            if begin is not None:
                text = part[begin.end() :]
                messages.append(ChatMessage(begin["speaker"], _stamp(begin), number, [text]))
                blank.clear()
            elif not part:
                blank.append(part)
            elif messages:
                messages[-1].texts += [*blank, part.removeprefix(_INDENT)]
                messages[-1].last_line = number
                blank.clear()
    said = [one for one in messages if one.speaker not in PROGRAM_SPEAKERS]
    if not said:
        return None
    is_stamped = all(one.stamp is not None for one in said)
    return Chat(said, 1, len(lines), is_stamped)


def _have_lines(messages: Sequence[WrittenMessage]) -> bool:
    """Whether the messages follow each other line by line in a file, not all of them on one."""
    lines = [line for message in messages for line in (message.first_line, message.last_line)]
    return lines == sorted(lines) and lines[0] > 0 and (len(messages) == 1 or lines[0] < lines[-1])


def _write_with_file_lines(messages: Iterable[WrittenMessage]) -> ChatText:
    lines: list[str] = []
    file_lines: list[int] = []
    for message in messages:
        written = _lines(message)
        lines += written
        last_line = message.last_line
        file_lines += [min(message.first_line + i, last_line) for i in range(len(written))]
    return ChatText("\n".join(lines), tuple(file_lines))


def _lines(message: WrittenMessage) -> list[str]:
    first, *others = _LINE_BREAK.split(message.text.strip())
    begin = f"{_stamp_text(message.said_at)}{_speaker_text(message.speaker)}: {first}"
    return [begin, *(f"{_INDENT}{line}".rstrip() for line in others)]


def _is_title(lines: Sequence[str], place: int) -> bool:
    """Whether the line of that place (from 0) is one with a rule below it."""
    if not 0 <= place < len(lines) - 1:
        return False
    rule = lines[place + 1]
    return rule != "" and rule.strip(_TITLE_RULE) == ""


def _title_text(title: str) -> str:
    return " ".join(title.split())[:LONGEST_TITLE_CHARACTERS].strip(f"{_TITLE_RULE} ")


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
