"""A chat of a program as lines: how a reader writes it down, and how it is read back.

``[2026-10-12 18:04] Mara: text`` begins a message, and its further lines are indented, so that
nothing in a message is ever taken for the beginning of another one. An underlined line is the title
of a conversation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from memctl.blocks.chat import Chat, ChatMessage, Stamp
from memctl.file_lines import PlacedText, join_lines

PROGRAM_SPEAKERS = frozenset({"system", "developer", "tool", "function", "ipython"})
"""Roles in which no one speaks to anybody: what they say is text, but no message."""

LONGEST_SPEAKER_CHARACTERS = 60
LONGEST_TITLE_CHARACTERS = 100

_INDENT = "  "
_LINE_BREAK = re.compile("\r\n?|[\n\u2028\u2029]")
_TITLE_RULE = "="
_BEGIN = re.compile(
    r"(?:\[(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}))?\] )?"
    rf"(?P<speaker>[^\s:][^:]{{0,{LONGEST_SPEAKER_CHARACTERS}}}):(?: |$)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMessage:
    """A message to be written down.

    ``said_at`` is a day where no time is known. ``file_lines`` are the lines (from 1) of the file
    on which those of the text stand, as ``text_lines`` parts them.
    """

    speaker: str
    text: str
    said_at: datetime | date | None = None
    file_lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in order, and what they are about as their program says, if it does."""

    title: str | None
    messages: Sequence[WrittenMessage]


def text_lines(text: str) -> list[str]:
    """The lines of a text, whatever ends them."""
    return _LINE_BREAK.split(text)


def write_chat(conversations: Sequence[Conversation]) -> PlacedText:
    """The messages as lines, in order. A title stands above those of its conversation. Each
    conversation has a message at least."""
    lines: list[str] = []
    numbers: list[int] = []
    for one in conversations:
        said = [line for message in one.messages for line in _lines(message)]
        begin = said[0][1]
        title = _title_text(one.title or "")
        above = [""] if lines else []
        above += [title, _TITLE_RULE * len(title)] if title else []
        lines += [*above, *(text for text, _ in said)]
        numbers += [*(begin for _ in above), *(number for _, number in said)]
    return join_lines(lines, numbers)


def read_written_chat(lines: Sequence[str]) -> Chat | None:
    """The chat that ``write_chat`` made these lines of; None where they hold no message."""
    messages: list[ChatMessage] = []
    blank: list[str] = []
    """Lines that belong to a message if it goes on behind them."""
    for number, line in enumerate(lines, start=1):
        if _is_title(lines, number - 1) or _is_title(lines, number - 2):
            continue
        begin = _BEGIN.match(line)
        if begin is not None:
            text = line[begin.end() :]
            messages.append(ChatMessage(begin["speaker"], _stamp(begin), number, [text]))
            blank.clear()
        elif not line:
            blank.append(line)
        elif messages:
            messages[-1].texts += [*blank, line.removeprefix(_INDENT)]
            blank.clear()
    said = [one for one in messages if one.speaker not in PROGRAM_SPEAKERS]
    if not said:
        return None
    is_stamped = all(one.stamp is not None for one in said)
    return Chat(said, 1, len(lines), is_stamped)


def _lines(message: WrittenMessage) -> list[tuple[str, int]]:
    """The lines of a message with those of the file, without blank ones at both ends."""
    said = list(zip(text_lines(message.text), message.file_lines, strict=True))
    while len(said) > 1 and not said[-1][0].strip():
        said.pop()
    while len(said) > 1 and not said[0][0].strip():
        said.pop(0)
    (first, begin), *others = said
    speaker = _speaker_text(message.speaker)
    return [
        (f"{_stamp_text(message.said_at)}{speaker}: {first.strip()}", begin),
        *((f"{_INDENT}{line}".rstrip(), number) for line, number in others),
    ]


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
