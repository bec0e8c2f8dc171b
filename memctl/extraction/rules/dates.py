"""Dates and times that a text writes out.

Nothing is guessed: a date that exists in no calendar is none, nor is one that reads two ways
(03/04/2026) where no other date of the document tells which is meant. One without a year counts
only near the day that its text belongs to, and words like "yesterday" only count from that day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache

from memctl.extraction.rules.language import DAYS_OF_WEEK, Language, languages
from memctl.extraction.rules.phrases import fold
from memctl.memory import EventTime
from memctl.times import local_instant

EARLIEST_YEAR = 1900
LATEST_YEAR = 2100
"""Numbers outside these years are no dates of notes but parts of other numbers."""

NEAR_DAYS = 183
"""A day and month without a year mean the nearest such day when that is within half a year."""

DEADLINE_CHARACTERS = 24
"""How far before a date the word stands that makes it a deadline."""

NEAR_DAY_OFFSETS = (-2, -1, 0, 2, 1)
"""The sections of words for near days, the longer words ("the day after tomorrow") first."""

DAY_FIRST_LANGUAGES = frozenset({"de", "fr", "es", "it", "pt", "nl", "pl", "ru"})

_TIME = r"(?P<hour>[01]?\d|2[0-3])[:h](?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?"
_ZONE = r"(?P<zone>Z|UTC|GMT|[+-](?:0\d|1[0-4]):?[0-5]\d)?"
_AROUND_DAY = " .,;:：()[]*_-–—"
_DAY_MARKS = "日号일"
_BETWEEN_DATES = re.compile(
    r"[\s,.(]*(?:(?:the|den|dem|der|vom|am|le|el|il|o|de|dia|día|on)\s+)?", re.IGNORECASE
)
"""What stands between a weekday and the day of the month that it is."""

_YEAR = re.compile(r"\d{4}")
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_ISO = re.compile(
    r"(?<![\d.-])(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?![\d-])"
    rf"(?:[T ,]{{1,2}}{_TIME}(?![\d:])\s?{_ZONE})?"
)
_YEAR_FIRST = re.compile(
    r"(?<![\d.])(?P<year>\d{4})\s?(?:[/.]|年|년)\s?(?P<month>\d{1,2})\s?(?:[/.]|月|월)\s?"
    r"(?P<day>\d{1,2})(?![\d/])"
)
_DOTTED = re.compile(
    r"(?<![\w.])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})(?!\.?\d)"
)
_SLASHED = re.compile(r"(?<![\d/-])(?P<a>\d{1,2})[/-](?P<b>\d{1,2})[/-](?P<year>\d{4})(?![\d/])")
_CJK_MONTH_DAY = re.compile(
    r"(?<![\d年년])(?P<month>\d{1,2})\s?(?:月|월)\s?(?P<day>\d{1,2})\s?(?:日|号|일)"
)
_CLOCK = re.compile(
    r"(?<![\d:.,+])(?P<hour>[01]?\d|2[0-3])(?:[:h](?P<minute>[0-5]\d)|(?:[:.](?P<minute2>[0-5]\d))?"
    r"\s?(?:(?P<half>[ap]\.?m\b\.?)|Uhr\b)|\s?(?:時|点|시)\s?(?:(?P<minute3>[0-5]?\d)\s?(?:分|분))?)(?![\d:])",
    re.IGNORECASE,
)
_LINE_TIME = re.compile(
    r"[\[(]?(?P<hour>[01]?\d|2[0-3])[:h](?P<minute>[0-5]\d)(?::[0-5]\d)?(?P<half>\s?[ap]\.?m\.?)?"
    r"(?:\s?(?:Uhr|(?P<zone>UTC|GMT)|h))?[\])]?(?:\s*[-–—:：,|]\s*|\s+|$)",
    re.IGNORECASE,
)
_ZONE_AFTER_CLOCK = re.compile(
    r"\s?(?:(?P<zone>Z|UTC|GMT|\+(?:0\d|1[0-4]):[0-5]\d)|(?P<other>[A-Z]{1,3}T))(?![\w:])"
)
"""What names the zone of a time of day: one that is fixed, or the letters of another (CET, PT)."""


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date at ``start``..``end`` of a text, written as ``day``. ``deadline``: a day by which, not
    on which; ``is_coming``: a word like "tomorrow", for a day after that of the text. ``told_day``:
    the day before it that is meant instead where the text tells of the past."""

    start: int
    end: int
    value: EventTime
    day: date
    deadline: bool = False
    is_coming: bool = False
    told_day: date | None = None


class DateReader:
    """Reads dates as they are meant in one document.

    ``anchor`` is the day that the document belongs to, or None; naive times are in ``timezone``,
    None being the machine's own.
    ``day_first`` says how its dates with slashes are meant, or None where that is not known.
    ``is_talk``: it is said to somebody, so that a weekday alone is the last or the coming one.
    """

    def __init__(
        self,
        anchor: date | None = None,
        timezone: tzinfo | None = UTC,
        *,
        day_first: bool | None = None,
        is_talk: bool = False,
    ) -> None:
        self.anchor = anchor
        self.timezone = timezone
        self._day_first = day_first
        self._is_talk = is_talk
        self._last: tuple[str, str] | None = None
        self._last_mentions: Sequence[DateMention] = ()

    def counted_from(self, day: date | None) -> DateReader:
        """The reader of a part of the document that belongs to ``day``; this one where it does to
        none of its own."""
        if day is None or day == self.anchor:
            return self
        return DateReader(day, self.timezone, day_first=self._day_first, is_talk=self._is_talk)

    def of_talk(self) -> DateReader:
        """The reader of what people say to each other in the document."""
        return DateReader(self.anchor, self.timezone, day_first=self._day_first, is_talk=True)

    def is_bare_day(self, text: str, language: Language) -> bool:
        """Whether a text is nothing but a day, perhaps with its weekday: ``Monday, 23 November
        2026``; also where it reads two ways."""
        bare = text.strip(_AROUND_DAY)
        if _SLASHED.fullmatch(bare):
            return True
        mentions = self.mentions(text, language)
        if len(mentions) != 1 or _DIGIT.search(text) is None:
            return False
        around = text[: mentions[0].start] + text[mentions[0].end :].lstrip(_DAY_MARKS)
        return set(_LETTERS.findall(fold(around))) <= day_names() and not _DIGIT.search(around)

    def mentions(self, text: str, language: Language) -> Sequence[DateMention]:
        """The dates in a text, in order, without overlaps."""
        if self._last != (text, language.code):
            self._last_mentions = self._read(text, language)
            self._last = (text, language.code)
        return self._last_mentions

    def _read(self, text: str, language: Language) -> Sequence[DateMention]:
        found: list[DateMention] = []
        if _YEAR.search(text) is not None:
            found.extend(self._complete(text, language))
        if self.anchor is not None and _DIGIT.search(text) is not None:
            found.extend(self._partial(text))
        if self.anchor is not None:
            found.extend(_relative(text, language, self.anchor))
        if self.anchor is not None and self._is_talk:
            found.extend(_weekday_in_talk(text, language, self.anchor))
        found = _without_weekdays_of_dates(text, found)
        found.sort(key=lambda mention: (mention.start, -mention.end))
        kept: list[DateMention] = []
        for mention in found:
            if not kept or mention.start >= kept[-1].end:
                kept.append(_mark_deadline(text, mention, language))
        return kept

    def clock_time(self, text: str, day: date) -> datetime | None:
        """The instant that the only time of day in ``text`` names on ``day``; None where its zone
        is named by letters that mean several."""
        matches = [match for match in _CLOCK.finditer(text) if match[0].strip()]
        if len(matches) != 1:
            return None
        match = matches[0]
        zone = _ZONE_AFTER_CLOCK.match(text, match.end())
        if zone is not None and zone["other"]:
            return None
        minute = match["minute"] or match["minute2"] or match["minute3"] or "0"
        return self._instant(day, match["hour"], minute, match["half"], zone and zone["zone"])

    def line_time(self, text: str, day: date) -> tuple[datetime, int] | None:
        """The instant that a line begins with (``14:20 - ...``) on ``day``, and where it ends."""
        match = _LINE_TIME.match(text)
        if match is None:
            return None
        moment = self._instant(day, match["hour"], match["minute"], match["half"], match["zone"])
        return (moment, match.end()) if moment is not None else None

    def day_of(self, value: EventTime) -> date:
        """The day of an event time, where this document was written."""
        return value.astimezone(self.timezone).date() if isinstance(value, datetime) else value

    def _instant(
        self, day: date, hour: str, minute: str, half: str | None, zone: str | None
    ) -> datetime | None:
        """A time of a day in ``zone`` (the document's when None), in UTC."""
        hours = int(hour)
        if half:
            if not 1 <= hours <= 12:
                return None
            hours = hours % 12 + (12 if half.strip().lower().startswith("p") else 0)
        naive = datetime.combine(day, time(hours, int(minute)))
        return local_instant(naive, _zone(zone) or self.timezone)

    def _complete(self, text: str, language: Language) -> Iterator[DateMention]:
        for match in _ISO.finditer(text):
            yield from self._iso_mention(match)
        for pattern in (_YEAR_FIRST, _DOTTED):
            for match in pattern.finditer(text):
                yield from _mention(match, int(match["month"]), int(match["day"]))
        for match in _SLASHED.finditer(text):
            yield from self._slashed_mention(match, language)
        for match in _named_months(text):
            if match["year"]:
                month = _months()[fold(match["month"] or match["month2"])]
                yield from _mention(match, month, int(match["day"] or match["day2"]))

    def _slashed_mention(self, match: re.Match[str], language: Language) -> Iterator[DateMention]:
        """03/14/2026 says which part is the month; 03/04/2026 only where it is known whether days
        go first."""
        first, second = int(match["a"]), int(match["b"])
        day_first = self._day_first
        if day_first is None and language.code in DAY_FIRST_LANGUAGES:
            day_first = True
        if first > 12 or first == second or (day_first and second <= 12):
            yield from _mention(match, second, first)
        elif second > 12 or day_first is False:
            yield from _mention(match, first, second)

    def _iso_mention(self, match: re.Match[str]) -> Iterator[DateMention]:
        day = _day(int(match["year"]), int(match["month"]), int(match["day"]))
        if day is None:
            return
        value: EventTime = day
        if match["hour"] is not None:
            zone = _zone(match["zone"]) or self.timezone
            hour, minute = int(match["hour"]), int(match["minute"])
            value = local_instant(datetime.combine(day, time(hour, minute)), zone)
        yield DateMention(match.start(), match.end(), value, day)

    def _partial(self, text: str) -> Iterator[DateMention]:
        """Days and months without a year, as the day nearest to the document's."""
        for match in _CJK_MONTH_DAY.finditer(text):
            yield from self._near(match, int(match["month"]), int(match["day"]))
        for match in _named_months(text):
            if not match["year"]:
                month = _months()[fold(match["month"] or match["month2"])]
                yield from self._near(match, month, int(match["day"] or match["day2"]))

    def _near(self, match: re.Match[str], month: int, day: int) -> Iterator[DateMention]:
        anchor = self.anchor
        if anchor is None:
            return
        years = (anchor.year - 1, anchor.year, anchor.year + 1)
        days = [found for year in years if (found := _day(year, month, day)) is not None]
        nearest = min(days, key=lambda found: abs(found - anchor), default=None)
        if nearest is not None and abs(nearest - anchor) <= timedelta(days=NEAR_DAYS):
            yield DateMention(match.start(), match.end(), nearest, nearest)


def _mention(match: re.Match[str], month: int, day: int) -> Iterator[DateMention]:
    found = _day(int(match["year"]), month, day)
    if found is not None:
        yield DateMention(match.start(), match.end(), found, found)


def _relative(text: str, language: Language, anchor: date) -> Iterator[DateMention]:
    """The first near day that a text names by a word, and the first weekdays."""
    folded = fold(text)
    found = language.day_findings(folded)
    void = found.get("day 1 not", ())
    for offset in NEAR_DAY_OFFSETS:
        findings = [
            finding
            for finding in found.get(f"day {offset}", ())
            if not any(one.start <= finding.start < one.end for one in void)
        ]
        if findings:
            first = min(findings, key=lambda finding: (finding.start, finding.end))
            day = anchor + timedelta(days=offset)
            yield _relative_mention(text, first.start, first.end, day, is_coming=offset > 0)
            break
    yield from _weekdays(text, folded, language, anchor)


def _weekdays(text: str, folded: str, language: Language, anchor: date) -> Iterator[DateMention]:
    """The first coming weekday that a text names, and the first one of this or the next week."""
    for weeks, pattern in language.weekday_of_week:
        match = pattern.search(folded)
        if match is not None:
            number = language.weekdays[match[match.lastindex or 0]]
            day = anchor + timedelta(days=number - anchor.weekday() + weeks * DAYS_OF_WEEK)
            yield _relative_mention(text, *match.span(), day, is_coming=day > anchor)
    match = language.next_weekday.search(folded)
    if match is not None:
        ahead = (language.weekdays[match[match.lastindex or 0]] - anchor.weekday()) % DAYS_OF_WEEK
        day = anchor + timedelta(days=ahead or DAYS_OF_WEEK)
        yield _relative_mention(text, *match.span(), day, is_coming=True)


def _weekday_in_talk(text: str, language: Language, anchor: date) -> Iterator[DateMention]:
    """The first weekday alone, unless something comes back on it; not that of today, of which
    nothing tells whether it is meant."""
    folded = fold(text)
    match = language.weekday_in_talk.search(folded)
    if match is None or language.has(folded, "recurring"):
        return
    ahead = (language.weekdays[match[match.lastindex or 0]] - anchor.weekday()) % DAYS_OF_WEEK
    if ahead:
        day = anchor + timedelta(days=ahead)
        mention = _relative_mention(text, *match.span(), day, is_coming=True)
        yield replace(mention, told_day=day - timedelta(days=DAYS_OF_WEEK))


def _without_weekdays_of_dates(text: str, found: Sequence[DateMention]) -> list[DateMention]:
    """The dates without those that a weekday alone would be: beside a day of the month
    ("Tuesday, 27 January"; "27.1. (Dienstag)") it names no other day than that."""
    dated = [one for one in found if _DIGIT.search(text, one.start, one.end)]
    alone = [one for one in found if _DIGIT.search(text, one.start, one.end) is None]
    return dated + [one for one in alone if not any(_touch(text, one, other) for other in dated)]


def _touch(text: str, one: DateMention, other: DateMention) -> bool:
    first, second = (one, other) if one.start <= other.start else (other, one)
    return _BETWEEN_DATES.fullmatch(text, first.end, max(first.end, second.start)) is not None


def _relative_mention(
    text: str, start: int, end: int, day: date, *, is_coming: bool
) -> DateMention:
    """What stands in the folded text stands about there in the text itself."""
    start, end = min(start, len(text)), min(end, len(text))
    return DateMention(start, end, day, day, is_coming=is_coming)


def slashed_order(text: str) -> bool | None:
    """Whether days go first in the dates with slashes of a text (22/11/2026), where those that
    read one way only agree; None where there are none or they do not."""
    orders = set()
    for match in _SLASHED.finditer(text):
        first, second = int(match["a"]), int(match["b"])
        if max(first, second) > 12 >= min(first, second):
            orders.add(first > 12)
    return orders.pop() if len(orders) == 1 else None


def _mark_deadline(text: str, mention: DateMention, language: Language) -> DateMention:
    before = fold(text[max(mention.start - DEADLINE_CHARACTERS, 0) : mention.start])
    after = fold(text[mention.end : mention.end + DEADLINE_CHARACTERS])
    words_before = language.lines("deadline before")
    words_after = language.lines("deadline after")
    is_deadline = any(_ends_with_word(before, fold(word)) for word in words_before) or any(
        after.lstrip("日일 ").startswith(fold(word)) for word in words_after
    )
    if not is_deadline:
        return mention
    return replace(mention, deadline=True)


def _ends_with_word(text: str, word: str) -> bool:
    if not text.endswith(word):
        return False
    position = len(text) - len(word)
    return position == 0 or not text[position - 1].isalnum()


def _zone(text: str | None) -> tzinfo | None:
    if not text:
        return None
    if text.upper() in ("Z", "UTC", "GMT"):
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=minutes if text[0] == "+" else -minutes))


def _day(year: int, month: int, day: int) -> date | None:
    if not EARLIEST_YEAR <= year <= LATEST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


@cache
def _months() -> dict[str, int]:
    months: dict[str, int] = {}
    for language in languages():
        for number, line in enumerate(language.lines("months"), start=1):
            for name in line.split():
                months.setdefault(fold(name), number)
    return months


@cache
def day_names() -> frozenset[str]:
    """The names of months and weekdays in all languages, folded."""
    return frozenset([*_months(), *weekday_names()])


@cache
def weekday_names() -> frozenset[str]:
    """The names of weekdays in all languages, folded."""
    return frozenset(name for one in languages() for name in one.weekdays)


def _named_months(text: str) -> Iterable[re.Match[str]]:
    """The places of ``2 March`` and its like; most texts have no month's name at all."""
    months = _months()
    if not any(word in months for word in _LETTERS.findall(fold(text))):
        return ()
    return _named_month().finditer(text)


@cache
def _named_month() -> re.Pattern[str]:
    """``2 March 2026``, ``2. März 2026``, ``2 de marzo de 2026``, ``March 2nd, 2026``."""
    names = "|".join(sorted(map(re.escape, _months()), key=len, reverse=True))
    day = r"(?P<{0}>\d{{1,2}})(?:st|nd|rd|th|er|º|ª|\.|-?го)?"
    range_end = r"(?:\s?[-–/]\s?\d{1,2}\.?|\s(?:to|bis|und|and|au|al|a|e|et|y)\s\d{1,2}\.?)?"
    year = r"(?P<year>\d{{4}})"
    first = day.format("day") + range_end
    second = day.format("day2")
    return re.compile(
        rf"(?<![\d.:/-])(?:{first}\s+(?:de\s+|of\s+|d')?(?P<month>{names})\b\.?"
        rf"|\b(?P<month2>{names})\b\.?\s+{second}(?!\s?[:h]\d)\b)"
        rf"(?:,?\s+(?:de[l]?\s+)?{year.format()}(?!\d))?",
        re.IGNORECASE,
    )
