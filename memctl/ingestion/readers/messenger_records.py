"""Chats that messengers export as JSON: who said what, and when, in the form of each of them.

Told by form alone, all or nothing: where any part is no message of the form, it is no such chat.
What a messenger itself says (who joined, what was pinned) and what bots say is written down, and
is nobody's message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from memctl.blocks.written_chat import Conversation, WrittenMessage
from memctl.ingestion.readers.message_times import moment_of
from memctl.ingestion.readers.placed_json import joined_lines, load_placed
from memctl.ingestion.readers.slack import is_slack_message, shown_names, shown_text

MESSENGER = "system"
"""In whose name stands what a messenger says itself."""

BOT = "bot"
OWNER = "user"
"""Who says what, where an export has only what its owner has said."""

NOBODY = "Deleted Account"
"""Whose account is gone, in Telegram's words."""

_SLACK_SPOKEN = (None, "file_share", "me_message", "thread_broadcast")
_DISCORD_SPOKEN = ("Default", "Reply")
_TELEGRAM_KINDS = ("message", "service", "unsupported")
_DISCORD_OWN = frozenset({"ID", "Timestamp", "Contents"})

_Record = Mapping[str, object]
_Lines = Sequence[tuple[str, int]]
"""Lines of a text, each with that (from 1) of the file on which it stands."""


@dataclass(frozen=True, slots=True)
class _Form:
    """How one messenger writes a chat down.

    ``holds`` says of a record whether it is a message of it, ``speaker`` and ``text`` who says
    what in one, and ``time_keys`` under which keys stands when, the best first.
    """

    holds: Callable[[_Record], bool]
    speaker: Callable[[_Record], str]
    text: Callable[[_Record], _Lines]
    time_keys: Sequence[str]


class _Talk(NamedTuple):
    """A chat as its file has it."""

    title: str | None
    form: _Form
    records: Sequence[_Record]


def messenger_chat_of_json(value: object, text: str) -> Sequence[Conversation] | None:
    """The conversations of ``text``, whose JSON is ``value``, without those in which nobody says
    anything; None where no messenger writes so."""
    if not _talks(value):
        return None
    found = (
        Conversation(title, [_message(form, record) for record in records if _says(form, record)])
        for title, form, records in _talks(load_placed(text))
    )
    return [one for one in found if one.messages]


def _talks(value: object) -> Sequence[_Talk]:
    """The chats of a file."""
    if isinstance(value, list):
        return _talk(None, value, (_slack(value), _DISCORD_PACKAGE))
    if not isinstance(value, Mapping):
        return ()
    if "messages" in value:
        messages = value["messages"]
        forms = (_telegram(value), _slack(messages), _DISCORD, _FACEBOOK, _GOOGLE, _MATRIX)
        return _talk(_title(value), messages, forms)
    return _telegram_chats(value)


def _telegram_chats(value: _Record) -> Sequence[_Talk]:
    """Those of all that somebody has in Telegram."""
    lists = (_list(_inner(value, key).get("list")) for key in ("chats", "left_chats"))
    chats = [chat for one in lists for chat in one if isinstance(chat, Mapping)]
    full = [chat for chat in chats if chat.get("messages")]
    found = [_talk(_title(chat), chat.get("messages"), (_telegram(chat),)) for chat in full]
    return [talk for one in found for talk in one] if all(found) else ()


def _talk(title: str | None, messages: object, forms: Iterable[_Form]) -> Sequence[_Talk]:
    records = [one for one in _list(messages) if isinstance(one, Mapping)]
    if not records or len(records) < len(_list(messages)):
        return ()
    fitting = (_Talk(title, form, records) for form in forms if all(map(form.holds, records)))
    return list(islice(fitting, 1))


def _title(chat: _Record) -> str | None:
    """What a chat is called, and the server above it where that has a name."""
    guild, channel = _inner(chat, "guild"), _inner(chat, "channel")
    names = [guild.get("name"), channel.get("name"), chat.get("name"), chat.get("title")]
    told = [name for name in (*names, chat.get("room_name")) if isinstance(name, str) and name]
    return " > ".join(told) or None


def _says(form: _Form, record: _Record) -> bool:
    return any(text.strip() for text, _ in form.text(record))


def _message(form: _Form, record: _Record) -> WrittenMessage:
    lines = form.text(record)
    moments = (moment_of(record.get(key)) for key in form.time_keys)
    return WrittenMessage(
        speaker=form.speaker(record),
        text="\n".join(text for text, _ in lines),
        said_at=next((moment for moment in moments if moment is not None), None),
        file_lines=tuple(line for _, line in lines),
    )


def _lines_of(*parts: object) -> _Lines:
    """What parts of a message say one behind the other: texts, or objects with a ``text``."""
    said = (part.get("text") if isinstance(part, Mapping) else part for part in parts)
    return joined_lines(one for one in said if isinstance(one, str))


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _inner(record: _Record, key: str) -> _Record:
    inner = record.get(key)
    return inner if isinstance(inner, Mapping) else {}


def _named(*names: object) -> str:
    """The first of them that is a name, or nothing."""
    return next((name for name in names if isinstance(name, str) and name.strip()), "")


def _slack(messages: object) -> _Form:
    """That of Slack, in which people are named by ids; each of them that has a name in any of the
    messages has it in all."""
    names = shown_names(one for one in _list(messages) if isinstance(one, Mapping))

    def speaker(record: _Record) -> str:
        if record.get("bot_id"):
            return BOT
        if record.get("subtype") not in _SLACK_SPOKEN:
            return MESSENGER
        user = _named(record.get("user"))
        return names.get(user) or _named(record.get("username"), user) or NOBODY

    def text(record: _Record) -> _Lines:
        lines = _lines_of(record.get("text"))
        return [(shown_text(line, names), number) for line, number in lines]

    return _Form(is_slack_message, speaker, text, ("ts",))


def _telegram(chat: _Record) -> _Form:
    """That of Telegram Desktop; in the chat with a bot, the bot has the chat's name."""
    bot = chat.get("name") if chat.get("type") == "bot_chat" else None

    def holds(record: _Record) -> bool:
        return record.get("type") in _TELEGRAM_KINDS and "date" in record and "text" in record

    def speaker(record: _Record) -> str:
        if record.get("type") != "message":
            return MESSENGER
        name = _named(record.get("forwarded_from"), record.get("from"))
        return BOT if name and name == bot else name or NOBODY

    def text(record: _Record) -> _Lines:
        said = record.get("text")
        return _lines_of(*said) if isinstance(said, list) else _lines_of(said)

    return _Form(holds, speaker, text, ("date", "date_unixtime"))


def _is_discord(record: _Record) -> bool:
    names = _inner(record, "author")
    return "name" in names and "timestamp" in record and isinstance(record.get("content"), str)


def _discord_speaker(record: _Record) -> str:
    author = _inner(record, "author")
    if author.get("isBot"):
        return BOT
    if record.get("type") not in _DISCORD_SPOKEN:
        return MESSENGER
    return _named(author.get("nickname"), author.get("name")) or NOBODY


def _is_google(record: _Record) -> bool:
    return "creator" in record and "created_date" in record


def _google_speaker(record: _Record) -> str:
    creator = _inner(record, "creator")
    if creator.get("user_type") == "Bot":
        return BOT
    return _named(creator.get("name"), creator.get("email")) or NOBODY


def _is_matrix(record: _Record) -> bool:
    return "sender" in record and "origin_server_ts" in record and "content" in record


def _matrix_speaker(record: _Record) -> str:
    if record.get("type") != "m.room.message":
        return MESSENGER
    return _named(record.get("sender")).removeprefix("@").partition(":")[0] or NOBODY


def _repaired(line: str) -> str:
    """A line of which each byte of UTF-8 was written as a character, as Facebook does."""
    try:
        return line.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return line


def _facebook_text(record: _Record) -> _Lines:
    return [(_repaired(line), number) for line, number in _lines_of(record.get("content"))]


_DISCORD = _Form(
    _is_discord, _discord_speaker, lambda record: _lines_of(record.get("content")), ("timestamp",)
)
"""DiscordChatExporter's."""

_DISCORD_PACKAGE = _Form(
    lambda record: record.keys() >= _DISCORD_OWN,
    lambda _: OWNER,
    lambda record: _lines_of(record.get("Contents")),
    ("Timestamp",),
)
"""What Discord gives its users of themselves."""

_FACEBOOK = _Form(
    lambda record: "sender_name" in record and "timestamp_ms" in record,
    lambda record: _repaired(_named(record.get("sender_name"))) or NOBODY,
    _facebook_text,
    ("timestamp_ms",),
)
"""Messenger's and Instagram's."""

_GOOGLE = _Form(
    _is_google, _google_speaker, lambda record: _lines_of(record.get("text")), ("created_date",)
)
"""Google Chat's, as Takeout has it."""

_MATRIX = _Form(
    _is_matrix,
    _matrix_speaker,
    lambda record: _lines_of(_inner(record, "content").get("body")),
    ("origin_server_ts",),
)
"""Element's."""
