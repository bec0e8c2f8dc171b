"""Which day a document belongs to, as its front matter, file name or headings say.

A date is never guessed: one that exists in no calendar, or that reads two ways (03/04/2026), is no
date. The file's modification time and today play no part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime

EARLIEST_YEAR = 1900
LATEST_YEAR = 2099
"""Numbers outside these years are no dates of notes but parts of other numbers."""

_MONTH_NAMES = (
    "january januar janvier enero gennaio janeiro januari jan",
    "february februar février fevrier febrero febbraio fevereiro februari feb févr",
    "march märz maerz mars marzo março maart mar mär mrz",
    "april avril abril aprile apr avr abr",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho jun",
    "july juli juillet julio luglio julho jul juil",
    "august août aout agosto augustus aug ago",
    "september septembre septiembre settembre setembro sep sept set",
    "october oktober octobre octubre ottobre outubro oct okt ott out",
    "november novembre noviembre novembro nov",
    "december dezember décembre decembre diciembre dicembre dezembro dec dez déc dic",
)
_MONTHS = {
    name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()
}
_MONTH = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))

_YEAR_FIRST = re.compile(
    r"(?<![\d.])(?P<y>\d{4})(?:\s*[-/._年년]\s*)(?P<m>\d{1,2})(?:\s*[-/._月월]\s*)(?P<d>\d{1,2})"
    r"(?!\d)"
)
_DAY_FIRST = re.compile(r"(?<![\w.])(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)")
_SLASHED = re.compile(r"(?<![\d/])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d{4})(?![\d/])")
_DAY_MONTH = re.compile(
    rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+)?(?P<n>{_MONTH})\b\.?,?"
    r"\s+(?:de[l]?\s+)?(?P<y>\d{4})(?!\d)",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"\b(?P<n>{_MONTH})\b\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})(?!\d)",
    re.IGNORECASE,
)
_COMPACT = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})(?:\d{4}|\d{6})?(?!\d)")
_PATTERNS = (_YEAR_FIRST, _DAY_FIRST, _DAY_MONTH, _MONTH_DAY)


def dates_in(text: str) -> list[date]:
    """The complete dates that a short text writes out, in any usual order of day and month."""
    found = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = int(parts["m"]) if "m" in parts else _MONTHS[parts["n"].lower()]
            found.append(_day(int(parts["y"]), month, int(parts["d"])))
    found.extend(_slashed_day(match) for match in _SLASHED.finditer(text))
    return [day for day in found if day is not None]


def date_in_file_name(stem: str) -> date | None:
    """The day in a file's name without its suffix; None when it has none or several."""
    days = set(dates_in(stem))
    for match in _COMPACT.finditer(stem):
        day = _day(int(match["y"]), int(match["m"]), int(match["d"]))
        if day is not None:
            days.add(day)
    return days.pop() if len(days) == 1 else None


def date_of_value(value: object) -> date | None:
    """The day of a front matter value, which may be a text, a date or an instant."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        return None
    days = dates_in(value[:80])
    if days:
        return days[0]
    return date_in_file_name(value.strip()) if value.strip().isdigit() else None


def date_of_headings(headings: Iterable[str]) -> date | None:
    """The day that the headings name: that of the first heading, or the only one of them all.

    A log with an entry for each of several days belongs to none of them.
    """
    days: list[date] = []
    for position, heading in enumerate(headings):
        found = dates_in(heading)
        if position == 0 and len(set(found)) == 1:
            return found[0]
        days.extend(found)
    return days[0] if len(set(days)) == 1 else None


def _slashed_day(match: re.Match[str]) -> date | None:
    """03/14/2026 and 14/03/2026 say which part is the month; 03/04/2026 does not."""
    first, second, year = int(match["a"]), int(match["b"]), int(match["y"])
    if first > 12:
        return _day(year, second, first)
    if second > 12 or first == second:
        return _day(year, first, second)
    return None


def _day(year: int, month: int, day: int) -> date | None:
    if not EARLIEST_YEAR <= year <= LATEST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
