"""From a MemoryFilter and a reader's visibility to SQL conditions on table memories.

The one place where filters become SQL; every condition is built from typed values, never from
text, and applies before any limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, false, func, literal, null, or_, select, true

from memctl.memory import MemoryFilter, happened_at
from memctl.store.rows import DAY_TEXT_LENGTH, instant_to_text
from memctl.store.schema import memories, memory_tags

_SOME_DAY = date(2000, 1, 1)
_HOUR_OF_DAYS = instant_to_text(happened_at(_SOME_DAY, datetime.min.replace(tzinfo=UTC)))[
    DAY_TEXT_LENGTH:
]
"""Added to the text of a plain day, this gives the instant for which ``happened_at`` takes it."""


def happened_column() -> ColumnElement[Any]:
    """``happened_at`` of memory.py, said in SQL."""
    is_day = func.length(memories.c.event_at) == DAY_TEXT_LENGTH
    return case(
        (is_day, memories.c.event_at + _HOUR_OF_DAYS),
        else_=func.coalesce(memories.c.event_at, memories.c.created_at),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Visibility:
    """Which memories a reader sees besides the live ones, at the instant ``now``.

    ``only_forgotten`` wins over ``include_forgotten``.
    """

    now: datetime
    include_forgotten: bool = False
    only_forgotten: bool = False
    include_superseded: bool = False
    include_expired: bool = False


def visible(visibility: Visibility) -> ColumnElement[bool]:
    """The condition that a memory is seen; hidden ones are seen whatever else is true of them."""
    return visible_at(
        literal(instant_to_text(visibility.now)),
        include_forgotten=visibility.include_forgotten,
        only_forgotten=visibility.only_forgotten,
        include_superseded=visibility.include_superseded,
        include_expired=visibility.include_expired,
    )


def visible_at(
    now: ColumnElement[str],
    *,
    include_forgotten: bool = False,
    only_forgotten: bool = False,
    include_superseded: bool = False,
    include_expired: bool = False,
) -> ColumnElement[bool]:
    """``visible`` at the instant that ``now`` stands for, as text; the flags are Visibility's."""
    if only_forgotten:
        return memories.c.forgotten == true()
    conditions: list[ColumnElement[bool]] = []
    if not include_superseded:
        conditions.append(memories.c.superseded_by.is_(None))
    if not include_expired:
        conditions.append(or_(memories.c.expires_at.is_(None), memories.c.expires_at > now))
    if include_forgotten:
        return or_(memories.c.forgotten == true(), and_(true(), *conditions))
    return and_(memories.c.forgotten == false(), *conditions)


def matches(memory_filter: MemoryFilter | None, *, among_ids: bool = False) -> ColumnElement[bool]:
    """The condition that a memory passes the filter.

    With ``among_ids`` it is said in a way that no index serves, for statements that name the ids
    to choose from: the planner would otherwise begin with all memories of a type or channel.
    """
    if memory_filter is None or memory_filter.is_empty:
        return true()
    chosen: list[tuple[ColumnElement[str | None], Sequence[str]]] = [
        (memories.c.memory_type, [str(memory_type) for memory_type in memory_filter.types]),
        (memories.c.channel_id, memory_filter.channels),
        (memories.c.session_id, memory_filter.sessions),
        (memories.c.source, memory_filter.sources),
        (memories.c.origin, [str(origin) for origin in memory_filter.origins]),
    ]
    conditions: list[ColumnElement[bool]] = [
        (func.coalesce(column, null()) if among_ids else column).in_(list(values))
        for column, values in chosen
        if values
    ]
    if memory_filter.minimum_importance is not None:
        conditions.append(memories.c.importance >= memory_filter.minimum_importance)
    if memory_filter.pinned:
        conditions.append(memories.c.pinned == true())
    tags = sorted(set(memory_filter.tags))
    if among_ids:
        conditions += [_has_tag(tag) for tag in tags]
    elif tags:
        conditions.append(_has_all_tags(tags))
    conditions += _time_conditions(memory_filter.since, memory_filter.until)
    return and_(true(), *conditions)


def _has_all_tags(tags: Sequence[str]) -> ColumnElement[bool]:
    tagged = (
        select(memory_tags.c.memory_id)
        .where(memory_tags.c.tag.in_(tags))
        .group_by(memory_tags.c.memory_id)
        .having(func.count() == len(tags))
    )
    return memories.c.id.in_(tagged)


def _has_tag(tag: str) -> ColumnElement[bool]:
    tagged = select(memory_tags.c.tag).where(
        memory_tags.c.memory_id == memories.c.id, memory_tags.c.tag == tag
    )
    return tagged.exists()


def _time_conditions(since: datetime | None, until: datetime | None) -> list[ColumnElement[bool]]:
    moment = happened_column()
    conditions: list[ColumnElement[bool]] = []
    if since is not None:
        conditions.append(moment >= instant_to_text(since))
    if until is not None:
        conditions.append(moment < instant_to_text(until))
    return conditions
