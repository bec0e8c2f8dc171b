"""Chats in a document to statements: each message for itself, with its day and who said it.

What the writer of the document says is said as in any note. What another one says has the name in
front, so that "I" stays somebody's, and is never about the writer's own identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memctl.blocks import parse_plain
from memctl.blocks.chat import Chat, ChatMessage, find_chats
from memctl.extraction.rules.chat_days import ChatDays
from memctl.extraction.rules.dates import DateReader
from memctl.extraction.rules.labels import SKIP, key_of, label_of, role_of
from memctl.extraction.rules.language import detect_language
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.quality import is_question
from memctl.extraction.rules.reading import Reading, Rejection, Statement
from memctl.extraction.rules.statements import read_statements
from memctl.memory import MemoryType

CHAT_NOTICE = "chat notice"
"""Why a message is left out in whose place a program has put a note; also its section."""

LONGEST_DAY_LINE_CHARACTERS = 50

TALKING_SHARE = 4
"""One message in so many asks, greets, or speaks of "I" where no stamp tells a chat."""

_DAY_LINE_EDGE = "#-–—=*_ []"


def find_document_chats(text: str, dates: DateReader, language: str | None) -> list[Chat]:
    """The chats in a document's text; ``language`` (ISO 639-1) is that of most of it."""

    def is_day_line(line: str) -> bool:
        if len(line) > LONGEST_DAY_LINE_CHARACTERS or not any(map(str.isdigit, line)):
            return False
        bare = line.strip(_DAY_LINE_EDGE)
        return dates.is_bare_day(bare, detect_language(fold(bare), language))

    def is_talk(chat: Chat) -> bool:
        return _is_talk(chat, language)

    return find_chats(text.split("\n"), is_day_line=is_day_line, is_talk=is_talk)


def without_chats(text: str, chats: Sequence[Chat]) -> str:
    """The text with blank lines in the place of its chats, so that all others keep their number."""
    lines = text.split("\n")
    for chat in chats:
        lines[chat.first_line - 1 : chat.last_line] = [""] * (chat.last_line - chat.first_line + 1)
    return "\n".join(lines)


def read_chats(chats: Sequence[Chat], dates: DateReader, language: str | None) -> Reading:
    """The statements of all chats of a document, and what was left out, with its lines."""
    reading = Reading()
    messages = [message for chat in chats for message in chat.messages]
    days = ChatDays(messages, dates, language)
    dates = dates.of_talk()
    for message in messages:
        reason = _reject_message(message, language)
        if reason is not None:
            reading.rejections.append(Rejection(message.first_line, reason))
            continue
        day = days.day_of(message)
        blocks = parse_plain("\n".join(message.texts))
        read = read_statements(blocks, dates.counted_from(day), language, named_day=day)
        reading.statements += [_placed(one, message) for one in read.statements]
        reading.rejections += [
            replace(one, line=message.line_of(one.line)) for one in read.rejections
        ]
    return reading


def _placed(statement: Statement, message: ChatMessage) -> Statement:
    """A statement of a message, with its speaker's name unless that is the document's writer."""
    placed = replace(
        statement,
        first_line=message.line_of(statement.first_line),
        last_line=message.line_of(statement.last_line),
    )
    name = message.speaker or ""
    if role_of(name) is not None:
        return placed
    found = placed.classification
    if found.memory_type is MemoryType.IDENTITY:
        fact = MemoryType.FACT
        found = replace(found, memory_type=fact, importance=fact.default_importance)
    return replace(placed, content=f"{name}: {placed.content}", classification=found)


def _reject_message(message: ChatMessage, language: str | None) -> str | None:
    text = "\n".join(message.texts).strip()
    if role_of(message.speaker or "") == "machine":
        return "machine chatter"
    if text.startswith("<") and text.endswith(">"):
        return CHAT_NOTICE
    folded = fold(text)
    is_notice = detect_language(folded, language).has(folded, CHAT_NOTICE)
    return CHAT_NOTICE if is_notice else None


def _is_talk(chat: Chat, language: str | None) -> bool:
    """Whether people talk in what looks like a chat: none of them is called like a field, and some
    of them ask, greet, or speak of themselves, unless a messenger has written it down."""
    names = {message.speaker or "" for message in chat.messages}
    if any(role_of(name) is None and _is_title(name) for name in names):
        return False
    if chat.is_export:
        return True
    talking = sum(_sounds_like_talk(message, language) for message in chat.messages)
    return talking > 0 and (chat.is_stamped or talking * TALKING_SHARE >= len(chat.messages))


def _is_title(name: str) -> bool:
    return label_of(name) is not None or key_of(name) == SKIP


def _sounds_like_talk(message: ChatMessage, language: str | None) -> bool:
    text = " ".join(message.texts).strip()
    folded = fold(text)
    table = detect_language(folded, language)
    return (
        is_question(text)
        or table.has(folded, "first person")
        or table.has(folded, "personal")
        or table.small_talk.search(folded) is not None
    )
