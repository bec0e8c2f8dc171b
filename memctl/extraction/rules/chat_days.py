"""On which days the messages of a chat were sent, as far as their stamps and the lines above say.

The order of day and month is what all stamps of the document allow, then the one by which its
messages follow each other in time, then that of its language. Else the stamps' own style tells it:
where AM and PM are in capitals, as in the United States, months go first, and days do where years
have four digits. Where it stays open, no day is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from memctl.blocks.chat import ChatMessage, Stamp
from memctl.extraction.rules.dates import DAY_FIRST_LANGUAGES, DateReader
from memctl.extraction.rules.language import detect_language
from memctl.extraction.rules.phrases import fold

LONG_YEAR_DIGITS = 4
CENTURY = 2000
"""What a year of two digits counts from: there were no chats to export before."""


class ChatDays:
    """Tells the day of each message; ``language`` (ISO 639-1) is that of most of the document."""

    def __init__(
        self, messages: Sequence[ChatMessage], dates: DateReader, language: str | None
    ) -> None:
        self._dates = dates
        self._language = language
        stamped = (one.stamp for one in messages if one.stamp is not None)
        dated = [one for one in stamped if one.date is not None]
        self._is_day_first = _is_day_first(dated)
        if self._is_day_first is None and language in DAY_FIRST_LANGUAGES:
            self._is_day_first = True
        if self._is_day_first is None:
            self._is_day_first = _is_day_first_by_style(dated)

    def day_of(self, message: ChatMessage) -> date | None:
        """The day of a message; None where nothing tells it, or it reads two ways."""
        stamp = message.stamp
        if stamp is not None and stamp.date is not None:
            return _stamped_day(stamp, is_day_first=self._is_day_first)
        word = None if stamp is None else stamp.day_word
        return self._named_day(word or message.day_line or "")

    def _named_day(self, text: str) -> date | None:
        mentions = self._dates.mentions(text, detect_language(fold(text), self._language))
        return mentions[0].day if mentions else None


def _is_day_first(stamps: Sequence[Stamp]) -> bool | None:
    """Whether days go before months in all stamps; None where both orders are possible."""
    days = {is_first: list(_days(stamps, is_day_first=is_first)) for is_first in (True, False)}
    for fits in (_all_exist, _follow_each_other):
        fitting = [is_first for is_first, found in days.items() if fits(found)]
        if len(fitting) == 1:
            return fitting[0]
    return None


def _is_day_first_by_style(stamps: Sequence[Stamp]) -> bool | None:
    """The order that the locale has whose times and years look so (by Unicode's CLDR), if one."""
    if any(stamp.half in {"AM", "PM"} for stamp in stamps):
        return False
    has_long_years = all(stamp.date and len(stamp.date[2]) == LONG_YEAR_DIGITS for stamp in stamps)
    return True if has_long_years and stamps else None


def _days(stamps: Sequence[Stamp], *, is_day_first: bool) -> Iterator[date | None]:
    for stamp in stamps:
        yield _stamped_day(stamp, is_day_first=is_day_first)


def _all_exist(days: Sequence[date | None]) -> bool:
    return None not in days


def _follow_each_other(days: Sequence[date | None]) -> bool:
    known = [day for day in days if day is not None]
    return all(day <= following for day, following in pairwise(known))


def _stamped_day(stamp: Stamp, *, is_day_first: bool | None) -> date | None:
    """The day that a stamp with a date names; years of four digits may stand in front."""
    first, second, third = stamp.date or ("", "", "")
    if len(first) == LONG_YEAR_DIGITS:
        return _day(first, second, third)
    if stamp.mark == "." or is_day_first or first == second:
        return _day(third, second, first)
    return None if is_day_first is None else _day(third, first, second)


def _day(year: str, month: str, day: str) -> date | None:
    full_year = int(year) if len(year) == LONG_YEAR_DIGITS else CENTURY + int(year)
    try:
        return date(full_year, int(month), int(day))
    except ValueError:
        return None
