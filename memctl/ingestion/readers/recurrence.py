"""A rule by which an event of a calendar comes back, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

_UNITS = {
    "SECONDLY": "second",
    "MINUTELY": "minute",
    "HOURLY": "hour",
    "DAILY": "day",
    "WEEKLY": "week",
    "MONTHLY": "month",
    "YEARLY": "year",
}
_DAYS = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}
_PLACES = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}
MONTHS = (
    "January February March April May June July August September October November December"
).split()
_DAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)")


def recurrence_text(rule: Any) -> str:
    """``every 2 weeks on Tuesday and Friday until 2026-12-31``; empty without a rule, or where it
    does not say how often. ``rule`` maps the names of RFC 5545 to lists of values."""
    rule = rule[0] if isinstance(rule, list) and rule else rule
    if not isinstance(rule, dict):
        return ""
    unit = _UNITS.get(str(_first(rule, "FREQ")).upper())
    if unit is None:
        return ""
    interval = _first(rule, "INTERVAL")
    is_each = not isinstance(interval, int) or interval <= 1
    words = [f"every {unit}" if is_each else f"every {interval} {unit}s"]
    days = [text for day in rule.get("BYDAY", []) if (text := _day_text(str(day)))]
    if days:
        words.append(f"on {_listed(days)}")
    in_month = [str(day) for day in rule.get("BYMONTHDAY", [])]
    if in_month:
        words.append(f"on day {_listed(in_month)}")
    months = [MONTHS[int(one) - 1] for one in rule.get("BYMONTH", []) if 1 <= int(one) <= 12]
    if months:
        words.append(f"in {_listed(months)}")
    until, count = _first(rule, "UNTIL"), _first(rule, "COUNT")
    if isinstance(until, date):
        words.append(f"until {until:%Y-%m-%d}")
    if isinstance(count, int):
        words.append(f"{count} times")
    return " ".join(words)


def _first(rule: dict[str, Any], key: str) -> Any:
    values = rule.get(key)
    return values[0] if isinstance(values, list) and values else values


def _day_text(day: str) -> str:
    found = _DAY.fullmatch(day.upper())
    if found is None:
        return ""
    if found[1] is None:
        return _DAYS[found[2]]
    place = int(found[1])
    return f"the {_PLACES.get(place, f'{place}.')} {_DAYS[found[2]]}"


def _listed(words: Sequence[str]) -> str:
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} and {words[-1]}"
