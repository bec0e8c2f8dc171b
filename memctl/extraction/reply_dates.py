"""Dates as language models write them into an answer.

Only a full day counts: a month or a year alone, a date that could be read two ways, and a word such
as "yesterday" give None, because a guessed date is worse than none.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time

from memctl.memory import EventTime

_YEAR_FIRST = re.compile(r"\D*(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)\s?日?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})\Z")
_DAY_FIRST = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})\Z")
_NAMED_MONTH = re.compile(
    r"(?:[a-z]{3,9}\.?,?\s+)??(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?)?"
    r"(?P<month>[a-z]{3,9})\.?\s+(?:(?P<day_after>\d{1,2})(?:st|nd|rd|th)?,?\s+)?(?P<year>\d{4})\Z"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def read_event_time(value: object) -> EventTime | None:
    """A day, or an instant in UTC where the text gives a time and its offset; else None."""
    if not isinstance(value, str):
        return None
    text = value.strip().casefold()
    if not text or len(text) > 60:
        return None
    return _read_instant(value.strip()) or _read_day(text)


def _read_instant(text: str) -> datetime | None:
    """An instant with its offset. Midnight is how models write a day, so it is none."""
    if not re.match(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:", text):
        return None
    try:
        moment = datetime.fromisoformat(text.replace("t", "T").replace("z", "Z"))
    except ValueError:
        return None
    if moment.tzinfo is None or moment.time() == time():
        return None
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None


def _read_day(text: str) -> date | None:
    if match := _YEAR_FIRST.match(text) or _COMPACT.match(text):
        return _day(match[1], match[2], match[3])
    if match := _DAY_FIRST.match(text):
        first, second = int(match[1]), int(match[3])
        if match[2] == "." or first > 12 or first == second:
            return _day(match[4], match[3], match[1])
        return _day(match[4], match[1], match[3]) if second > 12 else None
    match = _NAMED_MONTH.match(text)
    if match is None or match["month"][:3] not in _MONTHS:
        return None
    day = match["day"] or match["day_after"]
    month = _MONTHS.index(match["month"][:3]) + 1
    return _day(match["year"], month, day) if day else None


def _day(year: str, month: str | int, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
