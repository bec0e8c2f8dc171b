"""Chats that somebody exported or pasted: runs of messages that begin in one shape.

Told by form: a stamp, a speaker, and what stands between them, again and again. A line that does
not begin a message goes on with the one above it; every line belongs to one message at most.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

SHORTEST_EXPORT = 1
SHORTEST_RUN = 2
SHORTEST_UNDATED_RUN = 3
SHORTEST_BARE_RUN = 4
"""Messages that make a chat: the more of them, the less a message's beginning says."""

MOST_SPEAKER_WORDS = 4
"""More words before a colon are a sentence, where no date is in front of them."""

_UNSEEN = "\u200e\u200f\u202a\u202c\ufeff"
"""Marks of direction: exports put them before lines, and before what the app itself says."""

_DATE = r"(?P<first>\d{1,4})(?P<mark>[-./])(?P<second>\d{1,2})(?P=mark)(?P<third>\d{2,4})"
_TIME = (
    r"(?:(?P<half_before>上午|下午|中午|凌晨|早上|晚上|午前|午後|오전|오후)\s?)?"
    r"(?P<hour>2[0-3]|[01]?\d):(?P<minute>[0-5]\d)(?::[0-5]\d)?"
    r"(?:\s?(?P<half>[ap]\.?\s?m\b\.?))?(?:\sUhr)?"
)
_DATED = rf"{_DATE}(?:T|,?\s+){_TIME}"
_EXPORTED = rf"{_DATE},\s{_TIME}"
_STAMP = rf"(?:{_DATE}(?:T|,?\s+(?:(?:at|um)\s)?))?{_TIME}"
_DAY_WORD = (
    r"(?:(?P<day_word>today|yesterday|heute|gestern|hoy|ayer|今天|昨天)(?:,|\s(?:at|um|a las))?\s)?"
)
_CONTACT = r"~?\s?(?P<speaker>[^\s:：<>\"“”„\[\]][^:：<>\"“”„\[\]]{0,39}?)"
_NAME = r"(?P<speaker>[^\W\d][^:：<>\"“”„\[\]=|/\\{}*]{0,39}?)"
_NICK = r"<[ @+%&~!]?(?P<speaker>[^<>\s/=\"]{1,30})>"
_SAYS = r"[:：](?:\s+|$|(?=[^\x00-\x7f]))"
_BULLET = r"(?:[-*]\s)?"
_APART = r"\s+(?:[—–-]\s)?"
_LOG_LEVEL = re.compile(
    r"(?:.*\W)?(?:debug|info|notice|warn(?:ing)?|error|err|trace|fatal|crit(?:ical)?|severe"
    r"|verbose|stdout|stderr|kernel|systemd|cron)",
    re.IGNORECASE,
)
_ENDS = ("#", "```", "~~~")
_CHAT_NOTICE = r"(?:-!-|\*{1,3}|-->|<--|[—→←]>?|={2,3}|-{3})\s"


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a message was sent, as it is written.

    The day is three numbers with ``mark`` between them, or a word, or not given; ``hour`` counts to
    12 where ``half`` (``pm``, ``下午``) is given.
    """

    date: tuple[str, str, str] | None
    mark: str
    day_word: str | None
    hour: str
    minute: str
    half: str | None


@dataclass(slots=True)
class ChatMessage:
    """One message: ``texts[i]`` is what stands of it on line ``first_line + i`` (from 1).

    ``speaker`` is None where the chat's program says something. ``day_line`` is the nearest line
    above it that is only a day or a heading, or None.
    """

    speaker: str | None
    stamp: Stamp | None
    first_line: int
    texts: list[str]
    day_line: str | None = None

    def line_of(self, place: int) -> int:
        """The line on which its text of that place (from 1) stands."""
        return self.first_line + place - 1


@dataclass(frozen=True, slots=True)
class Chat:
    """The messages of one run in order, those of the program left out.

    It covers the lines ``first_line`` to ``last_line``. ``is_stamped``: each has a date or time.
    ``is_export``: its messages begin as only messengers write them.
    """

    messages: Sequence[ChatMessage]
    first_line: int
    last_line: int
    is_stamped: bool
    is_export: bool = False


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a message begins, and how a line that only its program may have written.

    ``shortest``: how many messages make a chat. ``is_export``: only messengers write so, though a
    calendar may, where nobody comes back.
    """

    begin: re.Pattern[str]
    notice: re.Pattern[str] | None
    shortest: int
    is_export: bool


def _shape(
    begin: str, notice: str | None = None, *, shortest: int, is_export: bool = False
) -> _Shape:
    return _Shape(
        re.compile(begin, re.IGNORECASE),
        None if notice is None else re.compile(notice, re.IGNORECASE),
        shortest,
        is_export,
    )


_SHAPES = (
    _shape(
        rf"{_BULLET}\[{_EXPORTED}\]\s{_CONTACT}{_SAYS}",
        rf"\[{_EXPORTED}\]\s",
        shortest=SHORTEST_EXPORT,
        is_export=True,
    ),
    _shape(
        rf"{_EXPORTED}\s[-–]\s{_CONTACT}{_SAYS}",
        rf"{_EXPORTED}\s[-–]\s",
        shortest=SHORTEST_RUN,
        is_export=True,
    ),
    _shape(
        rf"{_BULLET}\[{_DATED}\]\s+{_CONTACT}{_SAYS}", rf"\[{_DATED}\]\s", shortest=SHORTEST_RUN
    ),
    _shape(rf"{_DATED}\s+[-–]\s+{_CONTACT}{_SAYS}", rf"{_DATED}\s+[-–]\s", shortest=SHORTEST_RUN),
    _shape(
        rf"\[?{_STAMP}\]?\s+{_NICK}\s",
        rf"\[?{_STAMP}\]?\s|{_CHAT_NOTICE}",
        shortest=SHORTEST_RUN,
    ),
    _shape(
        rf"{_BULLET}\[{_STAMP}\]\s+{_NAME}{_SAYS}",
        rf"\[{_STAMP}\]\s",
        shortest=SHORTEST_UNDATED_RUN,
    ),
    _shape(rf"{_STAMP}\s+(?:[-–]\s+)?{_NAME}{_SAYS}", shortest=SHORTEST_UNDATED_RUN),
    _shape(rf"{_NICK}\s", _CHAT_NOTICE, shortest=SHORTEST_UNDATED_RUN),
    _shape(rf"{_CONTACT},\s\[{_STAMP}\]$", shortest=SHORTEST_RUN),
    _shape(
        rf"\*\*{_NAME}\*\*{_APART}[\[(]?{_DAY_WORD}{_STAMP}[\])]?$",
        shortest=SHORTEST_RUN,
    ),
    _shape(
        rf"{_NAME}{_APART}[\[(]?{_DAY_WORD}{_STAMP}[\])]?$",
        shortest=SHORTEST_UNDATED_RUN,
    ),
    _shape(rf"{_NAME}{_SAYS}(?=\S)", shortest=SHORTEST_BARE_RUN),
)
"""From what says most to what says least: WhatsApp on iOS and on Android, with a comma that no log
has, both without it (and Signal), IRC with times, a name behind a time (with and without brackets),
IRC without, Telegram, Slack and Discord."""


def find_chats(
    lines: Sequence[str],
    *,
    is_day_line: Callable[[str], bool],
    is_talk: Callable[[Chat], bool],
) -> list[Chat]:
    """The chats in a text's lines, in order and without overlaps.

    ``is_day_line`` says of a line whether it only names a day, for the messages below it;
    ``is_talk`` whether people talk to each other in what looks like a chat.
    """
    cleaned = [line.strip(_UNSEEN + " \t") for line in lines]
    telling = [
        position
        for position, line in enumerate(cleaned)
        if ":" in line or "：" in line or line[:1] == "<"
    ]
    found: list[Chat] = []
    taken: set[int] = set()
    for shape in _SHAPES if telling else ():
        begins = {
            position: begin
            for position in telling
            if position + 1 not in taken
            and not (shape.shortest == SHORTEST_BARE_RUN and lines[position][:1].isspace())
            and (begin := shape.begin.match(cleaned[position])) is not None
        }
        for chat in _chats_of(shape, cleaned, begins, is_day_line):
            covered = range(chat.first_line, chat.last_line + 1)
            if taken.isdisjoint(covered) and is_talk(chat):
                found.append(chat)
                taken.update(covered)
    return sorted(found, key=lambda chat: chat.first_line)


def _chats_of(
    shape: _Shape,
    lines: Sequence[str],
    begins: Mapping[int, re.Match[str]],
    is_day_line: Callable[[str], bool],
) -> Iterator[Chat]:
    """The runs of messages of one shape that look like chats."""
    if len(begins) < shape.shortest:
        return
    for read in _RunReader(shape, is_day_line).runs(lines, begins):
        run = _from_first_message(read)
        messages = [one for one in run if one.speaker is not None and any(one.texts)]
        if _looks_like_chat(shape, messages):
            first, last = run[0].first_line, run[-1].first_line + len(run[-1].texts) - 1
            if first > 1 and is_day_line(lines[first - 2]):
                first -= 1
            speakers = {one.speaker for one in messages}
            is_export = shape.is_export and (
                shape.shortest == SHORTEST_EXPORT or len(speakers) < len(messages)
            )
            yield Chat(messages, first, last, messages[0].stamp is not None, is_export)


def _from_first_message(run: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
    """A run without what is before its first message but for the program's own lines directly
    above it."""
    start = next((place for place, one in enumerate(run) if one.speaker is not None), len(run))
    while start > 0 and len(run[start - 1].texts) == 1:
        start -= 1
    return run[start:]


class _RunReader:
    """Collects neighbouring messages of one shape, each with the lines that go on with it.

    A heading or a fence ends a run, and so does a blank line with something else below it, unless
    messages follow that nothing else looks like.
    """

    def __init__(self, shape: _Shape, is_day_line: Callable[[str], bool]) -> None:
        self._shape = shape
        self._is_day_line = is_day_line
        self._run: list[ChatMessage] = []
        self._below_blank: list[str] = []
        """Lines from a blank one on, which may belong to the last message or be something else."""
        self._day_line: str | None = None

    def runs(
        self, lines: Sequence[str], begins: Mapping[int, re.Match[str]]
    ) -> Iterator[list[ChatMessage]]:
        """The runs in order; ``begins`` are the lines (from 0) at which messages begin."""
        for position, line in enumerate(lines):
            begin = begins.get(position)
            if begin is None and line and self._is_day_line(line):
                self._day_line = line
                self._below_blank.clear()
            elif begin is not None or self._is_notice(line):
                if not self._holds_together():
                    yield self._ended()
                self._add(_message(begin, position, line, self._day_line))
            elif line.startswith(_ENDS):
                self._day_line = line
                yield self._ended()
            elif self._below_blank or not line:
                self._below_blank.append(line)
            elif self._run:
                self._run[-1].texts.append(line)
        yield self._ended()

    def _is_notice(self, line: str) -> bool:
        notice = self._shape.notice
        return notice is not None and notice.match(line) is not None

    def _holds_together(self) -> bool:
        return self._shape.shortest <= SHORTEST_RUN or not any(self._below_blank)

    def _add(self, message: ChatMessage) -> None:
        if self._run:
            self._run[-1].texts.extend(self._below_blank)
        self._below_blank.clear()
        self._run.append(message)

    def _ended(self) -> list[ChatMessage]:
        run, self._run = self._run, []
        self._below_blank.clear()
        return run


def _message(
    begin: re.Match[str] | None, position: int, line: str, day_line: str | None
) -> ChatMessage:
    if begin is None:
        return ChatMessage(None, None, position + 1, [""])
    text = line[begin.end() :]
    is_of_program = text[:1] != "" and text[0] in _UNSEEN
    speaker = None if is_of_program else begin["speaker"].strip(_UNSEEN + " *")
    return ChatMessage(speaker, _stamp(begin), position + 1, [text], day_line)


def _stamp(begin: re.Match[str]) -> Stamp | None:
    parts = begin.groupdict()
    if parts.get("hour") is None:
        return None
    date = (parts["first"], parts["second"], parts["third"]) if parts["first"] else None
    half = parts["half"] or parts["half_before"]
    mark = parts["mark"] or ""
    return Stamp(date, mark, parts.get("day_word"), parts["hour"], parts["minute"], half)


def _looks_like_chat(shape: _Shape, messages: Sequence[ChatMessage]) -> bool:
    """Whether there are enough messages, of people who come back the more, the less a message's
    beginning says."""
    counts = Counter(one.speaker or "" for one in messages)
    if len(messages) < shape.shortest or any(map(_LOG_LEVEL.fullmatch, counts)):
        return False
    if shape.shortest <= SHORTEST_RUN:
        return True
    is_named = all(len(name.split()) <= MOST_SPEAKER_WORDS for name in counts)
    if not is_named or len(counts) < SHORTEST_RUN or len(counts) == len(messages):
        return False
    if shape.shortest < SHORTEST_BARE_RUN:
        return True
    return min(counts.values()) > 1 and not any(map(_is_mark, counts))


def _is_mark(name: str) -> bool:
    """Whether a name is like ``Q`` and ``A`` of questions and answers, or a part of a play."""
    return name.isupper() and name.isascii()
