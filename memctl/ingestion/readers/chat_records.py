"""Chats that programs export as JSON: records with a role and what was said in it.

Told by form alone, all or nothing: a value of which any part is no message is no chat.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from memctl.blocks.written_chat import PROGRAM_SPEAKERS, WrittenMessage
from memctl.ingestion.readers.dates import date_of_value

ASSISTANT = "assistant"
USER = "user"

_ROLES = {
    **dict.fromkeys(("user", "human"), USER),
    **dict.fromkeys(("assistant", "ai", "bot", "chatbot", "model"), ASSISTANT),
    **{role: role for role in PROGRAM_SPEAKERS},
}
_ROLE_KEYS = ("role", "sender")
_TEXT_KEYS = ("content", "text")
_LIST_KEYS = ("messages", "chat_messages")
_TIME_KEYS = ("timestamp", "created_at", "createdAt", "create_time", "ts", "time", "date")
_EARLIEST_YEAR, _LATEST_YEAR = 2000, 2099
_MILLISECONDS_FROM = 100_000_000_000
"""Larger numbers of seconds lie beyond the year 5000: these count milliseconds."""

_LIST_BEGIN = re.compile(r'"(?:chat_)?messages"\s*:\s*\[')
_BETWEEN_ELEMENTS = re.compile(r"[\s,]*")


@dataclass(frozen=True, slots=True)
class _Record:
    """A message as its file has it: the role as one of those above."""

    role: str
    name: str
    text: str
    said_at: datetime | date | None
    first_line: int


def chat_of_json(value: object, text: str) -> Sequence[WrittenMessage]:
    """The messages of ``text``, whose JSON is ``value``: an array of messages, ``{"messages": …}``,
    or an array of such. None of them where it is something else."""
    if isinstance(value, Mapping):
        array = _LIST_BEGIN.search(text)
        lines = _element_lines(text, array.end()) if array else ()
        return _written(_conversation(value, lines))
    if not isinstance(value, list) or not value:
        return ()
    if _list_of(value[0]) is not None:
        return _written(record for one in value for record in _conversation(one, ()))
    return _written(_records(value, _element_lines(text, text.index("[") + 1), None))


def chat_of_json_lines(values: Sequence[tuple[int, object]]) -> Sequence[WrittenMessage]:
    """The messages of a file of records, each with its line (from 1); one may be a conversation."""
    return _written(
        record
        for line, value in values
        for record in (
            _records([value], [line], None) if _list_of(value) is None else _conversation(value, ())
        )
    )


def _written(records: Iterable[_Record | None]) -> Sequence[WrittenMessage]:
    found = list(records)
    whole = [record for record in found if record is not None]
    if len(whole) < len(found) or not any(record.role == USER for record in whole):
        return ()
    names = {record.name for record in whole if record.role == USER}
    has_names = len(names) > 1
    return [
        WrittenMessage(
            speaker=record.name
            if has_names and record.name and record.role == USER
            else record.role,
            text=record.text,
            said_at=record.said_at,
            first_line=record.first_line,
        )
        for record in whole
        if record.text.strip()
    ]


def _list_of(value: object) -> Sequence[object] | None:
    """The messages of a conversation, or None where it is none."""
    if not isinstance(value, Mapping):
        return None
    lists = (value.get(key) for key in _LIST_KEYS)
    return next((one for one in lists if isinstance(one, list)), None)


def _conversation(value: object, lines: Iterable[int]) -> Iterator[_Record | None]:
    messages = _list_of(value)
    if messages is None or not isinstance(value, Mapping):
        yield None
    else:
        yield from _records(messages, lines, _said_at(value))


def _records(
    values: Sequence[object], lines: Iterable[int], begun_at: datetime | date | None
) -> Iterator[_Record | None]:
    """A record for each value, or None where it is no message."""
    known = iter(lines)
    for value in values:
        record = _record(value, next(known, 0))
        if record is not None and record.said_at is None:
            record = replace(record, said_at=begun_at)
        yield record


def _record(value: object, first_line: int) -> _Record | None:
    if not isinstance(value, Mapping):
        return None
    inner = value.get("message")
    message = inner if isinstance(inner, Mapping) else value
    role = next((message[key] for key in _ROLE_KEYS if isinstance(message.get(key), str)), "")
    held = next((message[key] for key in _TEXT_KEYS if key in message), value)
    if role.casefold() not in _ROLES or held is value:
        return None
    name = message.get("name")
    return _Record(
        role=_ROLES[role.casefold()],
        name=name if isinstance(name, str) else "",
        text=_text_of(held),
        said_at=_said_at(message) or _said_at(value),
        first_line=first_line,
    )


def _text_of(content: object) -> str:
    """What is text in a message, one part below the other; pictures and calls of tools are none."""
    if isinstance(content, str):
        return content.replace("\r\n", "\n").replace("\r", "\n")
    if isinstance(content, list):
        return "\n".join(filter(None, map(_text_of, content)))
    if isinstance(content, Mapping):
        return _text_of(content.get("text", content.get("value")))
    return ""


def _said_at(record: Mapping[object, object]) -> datetime | date | None:
    moments = (_moment(record[key]) for key in _TIME_KEYS if key in record)
    return next((moment for moment in moments if moment is not None), None)


def _moment(value: object) -> datetime | date | None:
    """A point in time: seconds or milliseconds since 1970 (UTC), or a text, with its own day."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _moment_of_number(value)
    if not isinstance(value, str):
        return None
    if re.fullmatch(r"\d{10,13}(?:\.\d+)?", value):
        return _moment_of_number(float(value))
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return date_of_value(value)
    if not _EARLIEST_YEAR <= moment.year <= _LATEST_YEAR:
        return None
    return moment if ":" in value or "T" in value else moment.date()


def _moment_of_number(number: float) -> datetime | None:
    seconds = number / 1000 if number >= _MILLISECONDS_FROM else number
    earliest = datetime(_EARLIEST_YEAR, 1, 1, tzinfo=UTC).timestamp()
    latest = datetime(_LATEST_YEAR, 12, 31, tzinfo=UTC).timestamp()
    return datetime.fromtimestamp(seconds, UTC) if earliest <= seconds <= latest else None


def _element_lines(text: str, position: int) -> Iterator[int]:
    """The lines (from 1) on which the elements of the array begin whose inside is ``position``."""
    decoder = json.JSONDecoder()
    line, counted = 1, 0
    while True:
        gap = _BETWEEN_ELEMENTS.match(text, position)
        position = gap.end() if gap else position
        if text[position : position + 1] in {"]", ""}:
            return
        line += text.count("\n", counted, position)
        counted = position
        yield line
        _, position = decoder.raw_decode(text, position)
