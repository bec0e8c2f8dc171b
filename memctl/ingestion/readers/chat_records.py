"""Chats that programs export as JSON: records with a role and what was said in it.

Told by form alone, all or nothing: a value of which any part is no message is no chat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from memctl.blocks.written_chat import PROGRAM_SPEAKERS, Conversation, WrittenMessage, text_lines
from memctl.ingestion.readers.chat_tree import branch_of, tree_of
from memctl.ingestion.readers.message_times import moment_of
from memctl.ingestion.readers.placed_json import PlacedString, load_placed

ASSISTANT = "assistant"
USER = "user"

_ROLES = {
    **dict.fromkeys(("user", "human"), USER),
    **dict.fromkeys(("assistant", "ai", "bot", "chatbot", "model"), ASSISTANT),
    **{role: role for role in PROGRAM_SPEAKERS},
}
_ROLE_KEYS = ("role", "sender", "author")
_PART_KEYS = ("text", "value", "parts")
_TEXT_KEYS = ("content", "text")
_LIST_KEYS = ("messages", "chat_messages")
_TITLE_KEYS = ("title", "name")
_TIME_KEYS = ("timestamp", "created_at", "createdAt", "create_time", "ts", "time", "date")
DEEPEST_PART = 20
"""Lists and objects inside each other; exports have three."""

_Lines = Sequence[tuple[str, int]]
"""Lines of a text, each with that (from 1) of the file on which it stands."""

_FIRST_LINE = 1
"""Of texts whose line is not told otherwise."""


@dataclass(frozen=True, slots=True)
class _Record:
    """A message as its file has it: the role as one of those above."""

    role: str
    name: str
    said_at: datetime | date | None
    lines: _Lines

    @property
    def text(self) -> str:
        return "\n".join(text for text, _ in self.lines)


@dataclass(frozen=True, slots=True)
class _Talk:
    """A conversation as its file has it: None in the place of what is no message."""

    records: Sequence[_Record | None]
    title: str | None = None


def chat_of_json(value: object, text: str) -> Sequence[Conversation]:
    """The conversations of ``text``, whose JSON is ``value``: one or an array of such, or an array
    of messages. None of them where it is something else."""
    return _chat_of(load_placed(text)) if _chat_of(value) else ()


def chat_of_json_lines(values: Sequence[tuple[int, object]]) -> Sequence[Conversation]:
    """The conversations of a file of records, each with its line (from 1); one record may be a
    message or a conversation."""
    return _written(
        _talk(value, line) if _is_talk(value) else _Talk([_record(value, line)])
        for line, value in values
    )


def _chat_of(value: object) -> Sequence[Conversation]:
    if isinstance(value, Mapping):
        return _written([_talk(value, _FIRST_LINE)])
    if not isinstance(value, list) or not value:
        return ()
    if _is_talk(value[0]):
        return _written(_talk(one, _FIRST_LINE) for one in value)
    return _written([_Talk(list(_records(value, _FIRST_LINE, None)))])


def _written(talks: Iterable[_Talk]) -> Sequence[Conversation]:
    found = list(talks)
    records = [record for talk in found for record in talk.records]
    whole = [record for record in records if record is not None]
    if len(whole) < len(records) or not any(record.role == USER for record in whole):
        return ()
    has_names = len({record.name for record in whole if record.role == USER}) > 1
    conversations = (_conversation(talk, has_names=has_names) for talk in found)
    return [one for one in conversations if one.messages]


def _conversation(talk: _Talk, *, has_names: bool) -> Conversation:
    said = (record for record in talk.records if record is not None and record.text.strip())
    return Conversation(talk.title, [_message(record, has_names=has_names) for record in said])


def _message(record: _Record, *, has_names: bool) -> WrittenMessage:
    is_named = has_names and record.name and record.role == USER
    return WrittenMessage(
        speaker=record.name if is_named else record.role,
        text=record.text,
        said_at=record.said_at,
        file_lines=tuple(line for _, line in record.lines),
    )


def _list_of(value: object) -> Sequence[object] | None:
    """The messages of a conversation, or None where it is none."""
    if not isinstance(value, Mapping):
        return None
    lists = (value.get(key) for key in _LIST_KEYS)
    return next((one for one in lists if isinstance(one, list)), None)


def _is_talk(value: object) -> bool:
    return _list_of(value) is not None or tree_of(value) is not None


def _talk(value: object, line: int) -> _Talk:
    """The conversation that a value is; one of no message where it is none. Its texts stand on
    ``line`` unless they say otherwise."""
    messages = _list_of(value)
    nodes = None if messages is not None else tree_of(value)
    if not isinstance(value, Mapping) or (messages is None and nodes is None):
        return _Talk([None])
    if nodes is not None:
        messages = branch_of(value, nodes)
    titles = (value[key] for key in _TITLE_KEYS if isinstance(value.get(key), str))
    return _Talk(list(_records(messages or (), line, _said_at(value))), next(titles, None))


def _records(
    values: Sequence[object], line: int, begun_at: datetime | date | None
) -> Iterator[_Record | None]:
    """A record for each value, or None where it is no message."""
    for value in values:
        record = _record(value, line)
        if record is not None and record.said_at is None:
            record = replace(record, said_at=begun_at)
        yield record


def _record(value: object, line: int) -> _Record | None:
    if not isinstance(value, Mapping):
        return None
    inner = value.get("message")
    message = inner if isinstance(inner, Mapping) else value
    role, name = _speaker(message)
    held = [message[key] for key in _TEXT_KEYS if key in message]
    if role.casefold() not in _ROLES or not held:
        return None
    return _Record(
        role=_ROLES[role.casefold()],
        name=name,
        said_at=_said_at(message) or _said_at(value),
        lines=next(filter(_says_something, (_lines_of(one, line) for one in held)), ()),
    )


def _speaker(message: Mapping[str, object]) -> tuple[str, str]:
    """Role and name of who says a message; each empty where it is not told."""
    author = message.get("author")
    told = author if isinstance(author, Mapping) else message
    roles = (role for key in _ROLE_KEYS if isinstance(role := told.get(key), str))
    name = told.get("name")
    return next(roles, ""), name if isinstance(name, str) else ""


def _says_something(lines: _Lines) -> bool:
    return any(text.strip() for text, _ in lines)


def _lines_of(content: object, line: int, depth: int = 0) -> _Lines:
    """What is text in a message, one part below the other; pictures, calls of tools and what lies
    deeper than in any message are none. Its file has it on ``line`` unless it says otherwise."""
    if depth > DEEPEST_PART:
        return ()
    if isinstance(content, str):
        own = content.line if isinstance(content, PlacedString) else line
        return [(text, own) for text in text_lines(content)] if content else ()
    if isinstance(content, list):
        return [text for part in content for text in _lines_of(part, line, depth + 1)]
    if isinstance(content, Mapping):
        held = (content[key] for key in _PART_KEYS if key in content)
        return _lines_of(next(held, None), line, depth + 1)
    return ()


def _said_at(record: Mapping[object, object]) -> datetime | date | None:
    moments = (moment_of(record[key]) for key in _TIME_KEYS if key in record)
    return next((moment for moment in moments if moment is not None), None)
