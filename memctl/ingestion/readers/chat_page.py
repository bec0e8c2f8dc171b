"""Chats that messengers export as pages of HTML: Telegram's, and those of DiscordChatExporter.

Told by the classes that only these give their elements. The parser is the standard library's, which
takes any input; on some hostile one it needs time out of proportion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from memctl.pipe_messages import Message

MESSENGER = "system"
BOT = "bot"

_MESSAGE, _NOTICE, _SPEAKER, _TIME, _TEXT, _BOT, _FORWARDED, _ASIDE = (
    *("message", "notice", "speaker", "time", "text", "bot", "forwarded", "aside"),
)
_TELEGRAM = {"from_name": _SPEAKER, "date": _TIME, "text": _TEXT, "forwarded": _FORWARDED}
_DISCORD = {
    "chatlog__message": _MESSAGE,
    "chatlog__system-notification": _NOTICE,
    "chatlog__author": _SPEAKER,
    "chatlog__author-tag": _BOT,
    "chatlog__bot-label": _BOT,
    "chatlog__timestamp": _TIME,
    "chatlog__short-timestamp": _TIME,
    "chatlog__content": _TEXT,
    "chatlog__edited-timestamp": _ASIDE,
}
_SIGNS = {"chat_page": _TELEGRAM, "chatlog__message-group": _DISCORD}
MOST_LEFT_OPEN = 50
"""Elements without an end that one around them may close."""

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "wbr", "col", "path"})


def is_chat_page(source: str) -> bool:
    """Whether a page looks like one of these, by words that stand in their classes."""
    return any(sign in source for sign in _SIGNS)


def chat_page_messages(data: bytes, _options: Message) -> Iterator[Message]:
    """The title of the chat, and its messages in order, each with its speaker, time and lines, for
    the worker. No messages where the page is none of these."""
    parser = _Parser()
    parser.feed(data.decode("utf-8"))
    parser.close()
    yield {
        "kind": "chat_page",
        "title": " ".join(parser.title.split()),
        "messages": [
            {"speaker": one.shown_speaker, "time": one.time, "lines": one.lines}
            for one in parser.said
            if any(line.strip() for line, _ in one.lines)
        ],
    }


@dataclass(frozen=True, slots=True)
class _Said:
    """A message as far as it was read; ``lines`` are texts with their line (from 1) of the page."""

    speaker: str = ""
    forwarded_from: str = ""
    time: str = ""
    is_bot: bool = False
    lines: list[tuple[str, int]] = field(default_factory=list)

    @property
    def shown_speaker(self) -> str:
        speaker = " ".join((self.forwarded_from or self.speaker).split())
        return BOT if self.is_bot else speaker or MESSENGER


class _Parser(HTMLParser):
    """Follows the open elements by what their classes make of them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.said: list[_Said] = []
        self._roles: dict[str, str] = {}
        self._open: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opens an element; what its class tells begins."""
        if tag == "br" and self._role() == _TEXT and self.said:
            self.said[-1].lines.append(("", self.getpos()[0]))
        if tag in _VOID:
            return
        attributes = dict(attrs)
        classes = (attributes.get("class") or "").split()
        for one in classes:
            self._roles = _SIGNS.get(one, self._roles)
        role = self._role_of(classes)
        if role in (_MESSAGE, _NOTICE):
            self._begin(is_notice=role == _NOTICE)
        elif role == _BOT and self.said:
            self.said[-1] = replace(self.said[-1], is_bot=True)
        elif role == _TIME and self.said and not self.said[-1].time:
            self.said[-1] = replace(self.said[-1], time=attributes.get("title") or "")
        elif role == _SPEAKER and self.said and not self._is_in(_FORWARDED):
            self.said[-1] = replace(self.said[-1], speaker="", is_bot=False)
        self._open.append((tag, role))

    def handle_endtag(self, tag: str) -> None:
        """Closes the last open element of that name, and what was left open in it."""
        for place in range(len(self._open) - 1, max(len(self._open) - MOST_LEFT_OPEN, 0) - 1, -1):
            if self._open[place][0] == tag:
                del self._open[place:]
                return

    def handle_data(self, data: str) -> None:
        """Takes a text for what the element around it is."""
        role = self._role()
        if not self.said:
            self.title += data if role == _TEXT and self._roles is not _DISCORD else ""
        elif role == _SPEAKER and self._is_in(_FORWARDED):
            said = self.said[-1]
            self.said[-1] = replace(said, forwarded_from=said.forwarded_from + data)
        elif role == _SPEAKER:
            self.said[-1] = replace(self.said[-1], speaker=self.said[-1].speaker + data)
        elif role == _TEXT:
            self._add(data)

    def _add(self, data: str) -> None:
        lines, line = self.said[-1].lines, self.getpos()[0]
        for number, part in enumerate(data.split("\n")):
            if number or not lines:
                lines.append((part, line + number))
            else:
                lines[-1] = lines[-1][0] + part, lines[-1][1] if lines[-1][0] else line

    def _begin(self, *, is_notice: bool) -> None:
        """Begins a message, said by the one before unless it tells another speaker."""
        above = self.said[-1] if self.said else _Said()
        speaker = "" if is_notice else above.speaker
        self.said.append(_Said(speaker=speaker, is_bot=above.is_bot and not is_notice))

    def _role_of(self, classes: list[str]) -> str | None:
        if "message" in classes and self._roles is _TELEGRAM:
            return _NOTICE if "service" in classes else _MESSAGE
        roles = self._roles or _TELEGRAM
        return next((roles[one] for one in classes if one in roles), None)

    def _role(self) -> str | None:
        """What the innermost element is that is something."""
        return next((role for _, role in reversed(self._open) if role is not None), None)

    def _is_in(self, role: str) -> bool:
        return any(one == role for _, one in self._open)
