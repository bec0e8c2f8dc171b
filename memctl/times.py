"""Times as people write and read them: dates, durations, "last week", "3 days ago".

Pure: the present moment is always handed in. Instants are aware and in UTC; a plain ``date`` knows
the day only.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from memctl.memory import EventTime

DAYS_PER_UNIT = {"d": 1, "w": 7, "mo": 30, "y": 365}
"""Calendar units as days; a month and a year are round figures, as in most command lines."""

SECONDS_PER_UNIT = {
    "s": 1,
    "m": 60,
    "h": 3_600,
    **{unit: days * 86_400 for unit, days in DAYS_PER_UNIT.items()},
}

_UNIT_WORDS = {
    "s": ("s", "sec", "secs", "second", "seconds"),
    "m": ("m", "min", "mins", "minute", "minutes"),
    "h": ("h", "hr", "hrs", "hour", "hours"),
    "d": ("d", "day", "days"),
    "w": ("w", "wk", "week", "weeks"),
    "mo": ("mo", "month", "months"),
    "y": ("y", "yr", "year", "years"),
}
_UNIT_BY_WORD = {word: unit for unit, words in _UNIT_WORDS.items() for word in words}
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)\s*")
MONTHS_PER_YEAR = 12

EARLIEST_YEAR, LATEST_YEAR = 2, 9_998
"""Days of the years next to these lie, in some time zones, beyond what a date can say."""

_EARLIEST_SECONDS = datetime(EARLIEST_YEAR, 1, 1, tzinfo=UTC).timestamp()
_LATEST_SECONDS = datetime(LATEST_YEAR, 12, 31, tzinfo=UTC).timestamp()

_MAXIMUM_DURATION = timedelta(days=200 * 365)

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_DAYS_AGO = {
    "today": 0,
    "yesterday": 1,
    "tomorrow": -1,
    "last week": 7,
    "last month": 30,
    "last year": 365,
    "next week": -7,
    "next month": -30,
    "next year": -365,
}

TIME_FORMS = "2026-03-04, 2026-03-04T14:20, yesterday, last week, next friday, 3d or in 3d"
"""What ``parse_event_time`` understands, by examples for messages."""

_RELATIVE_STEPS = (
    (60, 1, "s"),
    (3_600, 60, "min"),
    (86_400, 3_600, "h"),
    (14 * 86_400, 86_400, "d"),
    (60 * 86_400, 7 * 86_400, "w"),
    (2 * 365 * 86_400, 30 * 86_400, "mo"),
)


def instant_of_file(seconds: float) -> datetime | None:
    """When a file was changed, of the seconds since 1970 that the system gives; None where no date
    says it, as a faulty disk or an archive may have it."""
    if not _EARLIEST_SECONDS <= seconds <= _LATEST_SECONDS:
        return None
    return datetime.fromtimestamp(seconds, UTC)


def utc_now() -> datetime:
    """The present moment in UTC: the clock that the runtime hands to everything."""
    return datetime.now(UTC)


class UnreachableTimeError(ValueError):
    """A well-formed time so far away that no clock can reckon with it."""


def parse_duration(text: str) -> timedelta:
    """A positive span such as ``7d``, ``2w``, ``36h``, ``1 day 12 hours``.

    Raises ValueError with a sentence that says what is understood.
    """
    rest = text.strip().lower()
    seconds = 0.0
    position = 0
    while match := _DURATION_PART.match(rest, position):
        unit = _UNIT_BY_WORD.get(match[2])
        if unit is None:
            break
        seconds += float(match[1]) * SECONDS_PER_UNIT[unit]
        position = match.end()
    if not rest or position != len(rest):
        raise ValueError(f"{text!r} is no duration; write for example 45m, 12h, 7d, 2w, 6mo or 1y")
    if not seconds:
        raise ValueError(f"{text!r} is no time at all; write for example 12h or 30d")
    if seconds > _MAXIMUM_DURATION.total_seconds():
        raise ValueError(f"{text!r} is longer than 200 years")
    return timedelta(seconds=seconds)


def parse_event_time(text: str, now: datetime, zone: tzinfo | None = None) -> EventTime:
    """When a thing happened, from ``2026-03-04``, ``2026-03-04 14:20``, ``yesterday``, ``3d``.

    A span (``3d``, ``3 days ago``, ``last week``) counts back from ``now``, with ``in`` in front
    of it onwards; ``next friday`` is the first one after today. A time without an offset is taken
    in ``zone`` (the machine's own when None). Gives a ``date`` where only the day is known. Raises
    ValueError with a sentence that says what is understood.
    """
    cleaned = " ".join(text.strip().lower().split())
    today = now.astimezone(zone).date()
    if exact := _parse_exact(text.strip(), zone):
        return exact
    if named := _parse_named_day(cleaned, today):
        return named
    is_ahead = cleaned.startswith("in ")
    span = cleaned.removeprefix("in ") if is_ahead else cleaned.removesuffix(" ago")
    try:
        return _away_from(now, today, span, is_ahead=is_ahead)
    except ValueError:
        raise ValueError(f"{text!r} is no time; write for example {TIME_FORMS}") from None


def parse_bound(text: str, now: datetime, zone: tzinfo | None = None) -> datetime:
    """An instant for ``--since``: the start of a day, or the instant itself.

    ``2026-03`` and ``2026`` mean their first day. Raises ValueError as ``parse_event_time``.
    """
    if match := re.fullmatch(r"\s*(\d{4})(?:-(\d{1,2}))?\s*", text):
        _check_year(int(match[1]), text)
        try:
            return start_of_day(date(int(match[1]), int(match[2] or 1), 1), zone)
        except ValueError:
            raise ValueError(f"{text!r} is no month") from None
    moment = parse_event_time(text, now, zone)
    return moment if isinstance(moment, datetime) else start_of_day(moment, zone)


def parse_upper_bound(text: str, now: datetime, zone: tzinfo | None = None) -> datetime:
    """An instant for ``--until`` that is itself excluded: a day, month or year counts whole."""
    if match := re.fullmatch(r"\s*(\d{4})(?:-(\d{1,2}))?\s*", text):
        year, month = int(match[1]), int(match[2] or 12)
        _check_year(year, text)
        if not 1 <= month <= MONTHS_PER_YEAR:
            raise ValueError(f"{text!r} is no month")
        first = date(year + month // MONTHS_PER_YEAR, month % MONTHS_PER_YEAR + 1, 1)
        return start_of_day(first, zone)
    moment = parse_event_time(text, now, zone)
    if isinstance(moment, datetime):
        return moment
    return start_of_day(moment + timedelta(days=1), zone)


def start_of_day(day: date, zone: tzinfo | None = None) -> datetime:
    """Midnight at the start of ``day`` in ``zone`` (the machine's own when None), in UTC."""
    return local_instant(datetime.combine(day, time()), zone)


def local_instant(naive: datetime, zone: tzinfo | None = None) -> datetime:
    """What a clock in ``zone`` (the machine's own when None) showed as ``naive``, in UTC."""
    return (naive.replace(tzinfo=zone) if zone else naive.astimezone()).astimezone(UTC)


def format_iso(moment: EventTime) -> str:
    """ISO 8601: ``2026-03-04`` for a day, ``2026-03-04T14:20:00+00:00`` for an instant."""
    if isinstance(moment, datetime):
        return moment.astimezone(UTC).isoformat()
    return moment.isoformat()


def format_relative(moment: datetime, now: datetime) -> str:
    """A short age for people: ``now``, ``5 min ago``, ``3 d ago``, ``in 2 w``."""
    seconds = (now - moment).total_seconds()
    size = abs(seconds)
    if size < 1:
        return "now"
    amount, unit = int(size // (365 * 86_400)), "y"
    for limit, divisor, name in _RELATIVE_STEPS:
        if size < limit:
            amount, unit = int(size // divisor), name
            break
    return f"{amount} {unit} ago" if seconds > 0 else f"in {amount} {unit}"


def format_local(moment: EventTime, zone: tzinfo | None = None) -> str:
    """A time for people: local, to the minute; a day alone stays a day."""
    if isinstance(moment, datetime):
        return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M")
    return moment.isoformat()


def _parse_exact(text: str, zone: tzinfo | None) -> EventTime | None:
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            day = date.fromisoformat(text)
            _check_year(day.year, text)
            return day
        if not re.match(r"\d{4}-\d{2}-\d{2}[T ]\d", text):
            return None
        moment = datetime.fromisoformat(text)
    except UnreachableTimeError:
        raise
    except ValueError:
        return None
    _check_year(moment.year, text)
    if moment.tzinfo is None:
        return local_instant(moment, zone)
    return moment.astimezone(UTC)


def _check_year(year: int, text: str) -> None:
    """Raises UnreachableTimeError for a year whose first or last day has no place in another time
    zone."""
    if not EARLIEST_YEAR <= year <= LATEST_YEAR:
        raise UnreachableTimeError(
            f"{text!r} is out of reach: years from {EARLIEST_YEAR} to {LATEST_YEAR} are understood"
        )


def _parse_named_day(text: str, today: date) -> date | None:
    if text in _DAYS_AGO:
        return today - timedelta(days=_DAYS_AGO[text])
    if text.startswith("next ") and text.removeprefix("next ") in _WEEKDAYS:
        wanted = _WEEKDAYS.index(text.removeprefix("next "))
        return today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)
    name = text.removeprefix("last ")
    if name in _WEEKDAYS:
        back = (today.weekday() - _WEEKDAYS.index(name) - 1) % 7 + 1
        return today - timedelta(days=back)
    return None


def _away_from(now: datetime, today: date, text: str, *, is_ahead: bool) -> EventTime:
    """A span in days or longer units gives a day; in hours or shorter, an instant.

    Raises ValueError for what is no span, or leads beyond what a date can say.
    """
    size = parse_duration(text)
    span = size if is_ahead else -size
    units = {_UNIT_BY_WORD[match[2]] for match in _DURATION_PART.finditer(text)}
    try:
        return today + span if units <= set(DAYS_PER_UNIT) else now + span
    except OverflowError:
        raise ValueError(text) from None
