"""What stands in front of a statement: a date, a time of day, who speaks, a label or field name."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime

from memctl.extraction.rules.classifier import bare_name, split_lead
from memctl.extraction.rules.dates import DateReader, weekday_names
from memctl.extraction.rules.labels import label_of, role_of
from memctl.extraction.rules.language import Language
from memctl.extraction.rules.phrases import fold

_OPEN = " [(*_#>→•-–—"
_AFTER_DATE = re.compile(r"[\])*_]*\s*(?:[:：,;|–—-]+\s*|$)")
_ISO_START = re.compile(r"\d{4}-\d{2}-\d{2}")
_BRACKET_LABEL = re.compile(
    r"\[(?P<name>[^\]]{2,30})\]\s*[:：–—-]?\s*(?=\S)|#(?P<tag>[^\W\d][\w-]{1,30})\s*:?\s+(?=\S)"
)
_DASH_LABEL = re.compile(r"(?P<name>[^\W\d_][\w' ]{1,40}?)\s+[-–—]\s+(?=\S)")
_SHOUTED = re.compile(r"(?P<name>TODO|TO-DO|FIXME|ACTION|DECISION)\b\s*[:：–—-]?\s+(?=\S)")
_ROLE = re.compile(r"\**(?P<name>[^\W\d_][\w ]{0,20}?)\**\s*[:：]\**\s*")
_PARENTHESIS = re.compile(r"\s*[(\[（].*?[)\]）]")
_WEEKDAY = re.compile(
    r"([^\W\d_]{2,15})\.?,?\s+(?:(?:the|den|dem|der|le|el|il)\s+)?", re.IGNORECASE
)
_SHORT_WEEKDAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*")

MAXIMUM_LEAD_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Opening:
    """The front of a text, taken apart.

    ``rest`` begins at ``offset`` of the text. ``name`` is the label or field name before it, or
    None; ``role`` is ``user`` or ``machine`` where the line names its speaker.
    """

    rest: str
    offset: int
    name: str | None = None
    day: date | None = None
    moment: datetime | None = None
    role: str | None = None


def read_opening(
    text: str, lead: str | None, day: date | None, dates: DateReader, language: Language
) -> Opening:
    """Takes the front of a block's text apart; ``day`` is what a bare time of day belongs to."""
    opening = Opening(text, 0)
    opening = _take_date(opening, dates, language)
    opening = _take_time(opening, day, dates)
    opening = _take_role(opening)
    return _take_name(opening, lead, dates, language)


def _advance(opening: Opening, characters: int) -> Opening:
    rest = opening.rest[characters:]
    stripped = rest.lstrip()
    offset = opening.offset + characters + len(rest) - len(stripped)
    return replace(opening, rest=stripped, offset=offset)


def _take_date(opening: Opening, dates: DateReader, language: Language) -> Opening:
    text = opening.rest
    start = len(text) - len(text.lstrip(_OPEN))
    weekday = _WEEKDAY.match(text, start)
    start = weekday.end() if weekday is not None and _is_weekday(weekday[1]) else start
    mention = next(iter(dates.mentions(text[: start + 80], language)), None)
    if mention is None or mention.start != start:
        return opening
    after = _AFTER_DATE.match(text, mention.end)
    is_iso = _ISO_START.match(text, start) is not None
    if (after is None and not is_iso) or not text[mention.end :].strip(_OPEN + ":*])"):
        return opening
    end = after.end() if after is not None else mention.end
    if isinstance(mention.value, datetime):
        return replace(_advance(opening, end), day=mention.day, moment=mention.value)
    return replace(_advance(opening, end), day=mention.value)


def _is_weekday(word: str) -> bool:
    folded = fold(word)
    return folded in weekday_names() or _SHORT_WEEKDAY.fullmatch(folded) is not None


def _take_time(opening: Opening, day: date | None, dates: DateReader) -> Opening:
    known_day = opening.day or day or dates.anchor
    if known_day is None or opening.moment is not None:
        return opening
    found = dates.line_time(opening.rest, known_day)
    if found is None or not opening.rest[found[1] :].strip():
        return opening
    return replace(_advance(opening, found[1]), moment=found[0])


def _take_role(opening: Opening) -> Opening:
    match = _ROLE.match(opening.rest)
    role = role_of(match["name"]) if match is not None else None
    if match is None or role is None:
        return opening
    return replace(_advance(opening, match.end()), role=role)


def _take_name(
    opening: Opening, lead: str | None, dates: DateReader, language: Language
) -> Opening:
    text = opening.rest
    for pattern in (_BRACKET_LABEL, _SHOUTED, _DASH_LABEL):
        match = pattern.match(text)
        name = match.group(match.lastgroup or 0) if match is not None else ""
        if match is not None and _is_type_label(name):
            return replace(_advance(opening, match.end()), name=name)
    if lead is not None and text.startswith(lead):
        return _take_emphasised(opening, lead, dates, language)
    head, rest = split_lead(text)
    if head is None:
        return opening
    return _named(opening, head, len(text) - len(rest), dates, language)


def _take_emphasised(opening: Opening, lead: str, dates: DateReader, language: Language) -> Opening:
    after = opening.rest[len(lead) :]
    parenthesis = _PARENTHESIS.match(after)
    head_end = len(lead) + (parenthesis.end() if parenthesis is not None else 0)
    tail = opening.rest[head_end:].lstrip(" .")
    if tail.startswith((":", "：", "–", "—", "- ")):
        mark = len(opening.rest) - len(tail)
        rest = tail.lstrip(":：–—- ")
        end = mark + len(tail) - len(rest)
        return _named(opening, opening.rest[:head_end], end, dates, language)
    head, rest = split_lead(opening.rest)
    if head is None:
        return opening
    return _named(opening, head, len(opening.rest) - len(rest), dates, language)


def _named(opening: Opening, head: str, end: int, dates: DateReader, language: Language) -> Opening:
    if len(head) > MAXIMUM_LEAD_CHARACTERS:
        return opening
    mentions = [m for m in dates.mentions(head, language) if not m.deadline]
    opening = _advance(opening, end)
    name = bare_name(_PARENTHESIS.sub("", head)) or head
    if len(mentions) == 1:
        value, day = mentions[0].value, mentions[0].day
        moment = value if isinstance(value, datetime) else opening.moment
        return replace(opening, name=name, day=day, moment=moment)
    return replace(opening, name=name)


def _is_type_label(name: str) -> bool:
    label = label_of(name)
    return label is not None and label.exact and label.memory_type is not None
