"""From a MemoryFilter and a reader's visibility to SQL conditions on table memories.

The one place where filters become SQL; every condition is built from typed values, never from
text, and applies before any limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    ScalarSelect,
    and_,
    bindparam,
    case,
    false,
    func,
    literal,
    null,
    or_,
    select,
    true,
)

from memctl.document import DocumentStatus
from memctl.memory import ForgetReason, MemoryFilter, happened_at
from memctl.store.filter_values import LIST_CONDITIONS, filter_values
from memctl.store.readings import DAY_TEXT_LENGTH
from memctl.store.rows import instant_to_text
from memctl.store.schema import documents, memories, memory_tags

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


def was_visible(moment: datetime) -> ColumnElement[bool]:
    """The condition that a memory has been hidden since ``moment``, when it had not expired, and
    that nobody asked for it."""
    then = literal(instant_to_text(moment))
    forgotten_sources = select(documents.c.id).where(
        documents.c.status == DocumentStatus.IGNORED.value
    )
    return and_(
        memories.c.forgotten == true(),
        memories.c.forgotten_reason != ForgetReason.USER.value,
        memories.c.updated_at > then,
        or_(memories.c.expires_at.is_(None), memories.c.expires_at > then),
        or_(memories.c.document_id.is_(None), memories.c.document_id.not_in(forgotten_sources)),
    )


def matches(memory_filter: MemoryFilter | None) -> ColumnElement[bool]:
    """The condition that a memory passes the filter."""
    conditions = filter_values(memory_filter).items()
    return and_(true(), *(condition(name, values) for name, values in conditions))


def matches_later(names: Iterable[str]) -> ColumnElement[bool]:
    """The condition that a memory fulfils all conditions of those names, whose parameters are bound
    later, for statements that name the ids to choose from.

    It is said in a way that no index serves: the planner would otherwise begin with all memories of
    a type or channel.
    """
    return and_(true(), *(condition(name, parameters(name), among_ids=True) for name in names))


def parameters(name: str) -> dict[str, BindParameter[Any]]:
    """The parameters of a condition, to be bound later."""
    return {
        key: bindparam(key, expanding=key in LIST_PARAMETERS) for key in CONDITION_PARAMETERS[name]
    }


def condition(
    name: str, values: Mapping[str, Any], *, among_ids: bool = False
) -> ColumnElement[bool]:
    """The condition of that name in ``filter_values``, whose parameters may be bound later."""
    if name in _COLUMNS:
        return _is_one_of(_COLUMNS[name], values[name], among_ids=among_ids)
    if name == "sources":
        return _comes_from(values["sources"], among_ids=among_ids)
    if name == "tags" and among_ids:
        has_all: ColumnElement[bool] = _tags_in(values["tags"]) == values["tag_count"]
        return has_all
    return _CONDITIONS[name](values)


def _is_one_of(column: ColumnElement[Any], values: Any, *, among_ids: bool) -> ColumnElement[bool]:
    return (func.coalesce(column, null()) if among_ids else column).in_(values)


def _comes_from(sources: Any, *, among_ids: bool) -> ColumnElement[bool]:
    """Also for what was taken from a file that lies there now and had another name then."""
    lying_there = select(documents.c.id).where(documents.c.path.in_(sources))
    return or_(
        _is_one_of(memories.c.source, sources, among_ids=among_ids),
        _is_one_of(memories.c.document_id, lying_there, among_ids=among_ids),
    )


def _has_all_tags(values: Mapping[str, Any]) -> ColumnElement[bool]:
    tagged = (
        select(memory_tags.c.memory_id)
        .where(memory_tags.c.tag.in_(values["tags"]))
        .group_by(memory_tags.c.memory_id)
        .having(func.count() == values["tag_count"])
    )
    return memories.c.id.in_(tagged)


def _tags_in(tags: Any) -> ScalarSelect[int]:
    """How many of the tags a memory has."""
    has_one = (memory_tags.c.memory_id == memories.c.id) & memory_tags.c.tag.in_(tags)
    return select(func.count()).select_from(memory_tags).where(has_one).scalar_subquery()


_COLUMNS: Mapping[str, ColumnElement[Any]] = {
    "types": memories.c.memory_type,
    "channels": memories.c.channel_id,
    "sessions": memories.c.session_id,
    "origins": memories.c.origin,
}

_CONDITIONS: Mapping[str, Callable[[Mapping[str, Any]], ColumnElement[bool]]] = {
    "minimum_importance": lambda values: memories.c.importance >= values["minimum_importance"],
    "pinned": lambda _values: memories.c.pinned == true(),
    "tags": _has_all_tags,
    "since": lambda values: happened_column() >= values["since"],
    "until": lambda values: happened_column() < values["until"],
}

CONDITION_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in LIST_CONDITIONS},
    "minimum_importance": ("minimum_importance",),
    "pinned": (),
    "tags": ("tags", "tag_count"),
    "since": ("since",),
    "until": ("until",),
}
"""The parameters of every condition, as ``filter_values`` gives them."""

LIST_PARAMETERS = frozenset({*LIST_CONDITIONS, "tags"})
"""Those that stand for the values of an IN list."""
