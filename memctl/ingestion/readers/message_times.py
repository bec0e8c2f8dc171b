"""When a message was sent, as records of chats have it: numbers, or texts of any usual form."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from memctl.ingestion.readers.dates import date_of_value

_EARLIEST_YEAR, _LATEST_YEAR = 2000, 2099
_MILLISECONDS_FROM = 100_000_000_000
"""Larger numbers of seconds lie beyond the year 5000: these count milliseconds."""


def moment_of(value: object) -> datetime | date | None:
    """A point in time: seconds or milliseconds since 1970 (UTC), or a text, with its own day."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _moment_of_number(value)
    if not isinstance(value, str):
        return None
    if re.fullmatch(r"\d{10,13}(?:\.\d+)?", value):
        return _moment_of_number(float(value))
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return date_of_value(value)
    if not _EARLIEST_YEAR <= moment.year <= _LATEST_YEAR:
        return None
    return moment if ":" in value or "T" in value else moment.date()


def _moment_of_number(number: float) -> datetime | None:
    earliest = datetime(_EARLIEST_YEAR, 1, 1, tzinfo=UTC).timestamp()
    latest = datetime(_LATEST_YEAR, 12, 31, tzinfo=UTC).timestamp()
    if not earliest <= number <= latest * 1000:
        return None
    seconds = number / 1000 if number >= _MILLISECONDS_FROM else number
    return datetime.fromtimestamp(seconds, UTC) if earliest <= seconds <= latest else None
