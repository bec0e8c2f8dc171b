"""How the columns of a row are read, and the error that names the row that cannot be.

What memctl writes can always be read. A hand or a faulty disk can put anything into a column, so
nothing that was read leaves here without having been understood.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memctl.errors import DamagedRowError
from memctl.memory import EventTime

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

Reading = Callable[[Any], Any]
"""Makes a value of what stands in a column. Raises one of ``UNREADABLE`` where that is none."""

Readings = Mapping[str, Reading]
"""By column."""

UNREADABLE = (KeyError, ValueError, TypeError)

DAY_TEXT_LENGTH = len("2026-03-04")


def text_to_instant(text: str) -> datetime:
    """The aware datetime that an instant was written as."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    return moment


def text_to_event(text: str) -> EventTime:
    """The day, or else the instant, that the time of an event was written as."""
    return date.fromisoformat(text) if len(text) == DAY_TEXT_LENGTH else text_to_instant(text)


def read_text(value: object) -> str:
    """Text, and nothing else."""
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def read_number(value: object) -> float:
    """A finite number, whole or not."""
    if not isinstance(value, int | float):
        raise TypeError(value)
    return value


def read_whole_number(value: object) -> int:
    """A whole number."""
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def read_truth(value: object) -> bool:
    """A truth value, which a database may keep as 0 or 1."""
    if not isinstance(value, int) or value not in {0, 1}:
        raise TypeError(value)
    return bool(value)


def read_json_list(text: str) -> tuple[Any, ...]:
    """The members of a JSON list."""
    members = json.loads(text)
    if not isinstance(members, list):
        raise TypeError(text)
    return tuple(members)


def read_json_object(text: str) -> dict[str, Any]:
    """The members of a JSON object."""
    members = json.loads(text)
    if not isinstance(members, dict):
        raise TypeError(text)
    return members


def read_member(kind: type[StrEnum]) -> Reading:
    """The reading of a column that holds a member of ``kind``."""
    members: dict[object, StrEnum] = {member.value: member for member in kind}
    return members.__getitem__


def optional(reading: Reading) -> Reading:
    """The reading of a column that may be empty."""

    def read(value: Any) -> Any:
        return None if value is None else reading(value)

    return read


read_optional_text = optional(read_text)


def read_columns(
    kind: str, row: Mapping[str, Any] | RowMapping, readings: Readings, key: str = "id"
) -> dict[str, Any]:
    """The values of a row's columns, as far as there are readings for them. ``kind`` is what people
    call such a row; ``key`` names the column by which it is known.

    Raises DamagedRowError.
    """
    try:
        return {column: reading(row[column]) for column, reading in readings.items()}
    except UNREADABLE as error:
        column = damaged_columns(row, readings)[0]
        raise _damaged(f"{kind} {row[key]}", column, row[column]) from error


def read_value(what: str, column: str, value: Any, reading: Reading) -> Any:
    """The value of a column of a row that is known as ``what``. Raises DamagedRowError."""
    try:
        return reading(value)
    except UNREADABLE as error:
        raise _damaged(what, column, value) from error


def damaged_columns(row: Mapping[str, Any] | RowMapping, readings: Readings) -> list[str]:
    """The columns of a row that cannot be read."""
    return [column for column, reading in readings.items() if not _is_read(row[column], reading)]


def _is_read(value: Any, reading: Reading) -> bool:
    try:
        reading(value)
    except UNREADABLE:
        return False
    return True


def _damaged(what: str, column: str, value: object) -> DamagedRowError:
    return DamagedRowError(row=what, column=column, value=repr(value))
