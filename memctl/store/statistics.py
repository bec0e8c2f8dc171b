"""Figures about the live memories, read for `stats`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from memctl.memory import MemoryType, Origin
from memctl.store.readings import read_columns, text_to_instant
from memctl.store.rows import MEMORY_READINGS, instant_to_text
from memctl.store.schema import memories, memory_tags
from memctl.store.where import Visibility, visible

_USE_COLUMNS = (
    "id", "importance", "decayed_from", "last_accessed_at", "updated_at", "memory_type", "pinned",
)  # fmt: skip
_SAVED_READINGS = {"created_at": text_to_instant}
_USE_READINGS = {name: MEMORY_READINGS[name] for name in _USE_COLUMNS}


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """How important one memory is, and when it was last used: recalled, edited or saved."""

    importance: float
    decayed_from: float | None
    touched_at: datetime
    memory_type: MemoryType
    pinned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFigures:
    """About live memories. ``saved_at`` are the times since the wanted one at which some of them
    were saved. ``tags`` are the most used first."""

    by_type: dict[MemoryType, int]
    by_origin: dict[Origin, int]
    tags: list[tuple[str, int]]
    uses: list[MemoryUse]
    saved_at: list[datetime]


def read_figures(
    connection: Connection, *, now: datetime, since: datetime, most_tags: int
) -> MemoryFigures:
    """All figures of one moment."""
    is_live = visible(Visibility(now=now))
    tags = (
        select(memory_tags.c.tag, func.count())
        .join(memories, memories.c.id == memory_tags.c.memory_id)
        .where(is_live)
        .group_by(memory_tags.c.tag)
        .order_by(func.count().desc(), memory_tags.c.tag)
        .limit(most_tags)
    )
    saved = select(memories.c.id, memories.c.created_at).where(
        is_live, memories.c.created_at >= instant_to_text(since)
    )
    types = _counts(connection, memories.c.memory_type, is_live)
    origins = _counts(connection, memories.c.origin, is_live)
    return MemoryFigures(
        by_type={kind: types[kind] for kind in MemoryType if kind in types},
        by_origin={origin: origins[origin] for origin in Origin if origin in origins},
        tags=[(tag, count) for tag, count in connection.execute(tags)],
        uses=_uses(connection, is_live),
        saved_at=[
            read_columns("memory", row, _SAVED_READINGS)["created_at"]
            for row in connection.execute(saved).mappings()
        ],
    )


def _uses(connection: Connection, condition: ColumnElement[bool]) -> list[MemoryUse]:
    statement = select(*(memories.c[name] for name in _USE_COLUMNS)).where(condition)
    return [
        _use(read_columns("memory", row, _USE_READINGS))
        for row in connection.execute(statement).mappings()
    ]


def _use(values: Mapping[str, Any]) -> MemoryUse:
    return MemoryUse(
        values["importance"],
        values["decayed_from"],
        max(values["last_accessed_at"], values["updated_at"]),
        values["memory_type"],
        values["pinned"],
    )


def _counts(
    connection: Connection, column: ColumnElement[str], condition: ColumnElement[bool]
) -> dict[str, int]:
    statement = select(column, func.count()).where(condition).group_by(column)
    return {name: count for name, count in connection.execute(statement)}  # noqa: C416 - rows
