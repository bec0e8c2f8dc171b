"""The statements of ``reads`` by their names, as SQLAlchemy builds them.

``docs/generate.py`` writes down as ``ready_sql`` what it makes of them for SQLite, so that there is
one description of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    UnaryExpression,
    bindparam,
    case,
    false,
    func,
    literal,
    or_,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy.sql.operators import desc_op

from memctl.memory import MemorySort
from memctl.store.comparable import COMPARABLE_READINGS
from memctl.store.reads import FILTER_PLACE, list_name, visibility_name
from memctl.store.schema import (
    associations,
    chunks,
    documents,
    memories,
    memory_chunks,
    memory_tags,
)
from memctl.store.sqlite_text import ReadyStatement, sqlite_text
from memctl.store.where import (
    CONDITION_PARAMETERS,
    condition,
    happened_column,
    parameters,
    visible_at,
)

ORDERS: dict[MemorySort, tuple[ColumnElement[Any], ...]] = {
    MemorySort.RECENT: (memories.c.created_at.desc(), memories.c.sequence.desc()),
    MemorySort.IMPORTANCE: (memories.c.importance.desc(), memories.c.sequence.desc()),
    MemorySort.ACCESS: (
        memories.c.access_count.desc(),
        memories.c.last_accessed_at.desc(),
        memories.c.sequence.desc(),
    ),
    MemorySort.OLDEST: (memories.c.created_at, memories.c.sequence),
    MemorySort.HAPPENED: (happened_column().desc(), memories.c.sequence.desc()),
    MemorySort.UPDATED: (memories.c.updated_at.desc(), memories.c.sequence.desc()),
}


def order_of(sort: MemorySort, *, reverse: bool) -> tuple[ColumnElement[Any], ...]:
    """The columns by which a list is ordered."""
    return tuple(map(_turned, ORDERS[sort])) if reverse else ORDERS[sort]


def _turned(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The other direction of one part of an order."""
    if isinstance(column, UnaryExpression) and column.modifier is desc_op:
        return column.element
    return column.desc()


@cache
def statements() -> dict[str, Executable]:
    """All statements; built once, for that takes longer than running one."""
    return dict(_statements())


def _statements() -> Iterator[tuple[str, Executable]]:
    ids: Any = bindparam("ids", expanding=True)
    is_wanted = memories.c.id.in_(ids)
    yield "memories", select(memories).where(is_wanted).order_by(memories.c.sequence)
    comparable = [memories.c[name] for name in COMPARABLE_READINGS]
    yield (
        "comparable memories",
        select(*comparable, documents.c.document_date)
        .outerjoin(documents, documents.c.id == memories.c.document_id)
        .where(is_wanted),
    )
    yield "memory types", select(memories.c.id, memories.c.memory_type).where(is_wanted)
    yield (
        "tags",
        select(memory_tags.c.memory_id, memory_tags.c.tag)
        .where(memory_tags.c.memory_id.in_(ids))
        .order_by(memory_tags.c.memory_id, memory_tags.c.tag),
    )
    ends = or_(associations.c.source_id.in_(ids), associations.c.target_id.in_(ids))
    yield "associations", select(associations).where(ends)
    for name, by_type in (("neighbours", False), ("neighbours by type", True)):
        ways = (_one_way(by_type=by_type, outgoing=outgoing) for outgoing in (True, False))
        yield name, union_all(*ways)
    yield from _chains(ids)
    yield from _places(ids)
    yield from _prefixes()
    yield from _lists()
    yield from _known_values()
    yield "document paths", select(documents.c.path)
    accessed = {
        "access_count": memories.c.access_count + 1,
        "last_accessed_at": bindparam("now"),
    }
    yield "count accesses", update(memories).where(is_wanted).values(**accessed)


def _known_values() -> Iterator[tuple[str, Executable]]:
    """The values of the filter's fields that only the store knows, hidden memories included."""
    columns = {
        "tags": memory_tags.c.tag,
        "channels": memories.c.channel_id,
        "sessions": memories.c.session_id,
    }
    for name, column in columns.items():
        known = select(column.label("value")).where(column.is_not(None))
        yield f"known {name}", known.distinct().order_by(column)
    renamed = select(documents.c.path).join(memories, memories.c.document_id == documents.c.id)
    source = select(memories.c.source.label("value")).where(memories.c.source.is_not(None))
    yield "known sources", source.union(renamed).order_by("value")


def _chains(ids: Any) -> Iterator[tuple[str, Executable]]:
    """Who stood in a memory's place before, and who stands there later."""
    superseded_by = memories.c.superseded_by
    before = select(memories.c.id).where(superseded_by == bindparam("id")).cte(recursive=True)
    earlier = select(memories.c.id).where(superseded_by == before.c.id)
    yield "earlier", select(before.union(earlier).c.id)
    after = (
        select(superseded_by.label("id"))
        .where(memories.c.id.in_(ids), superseded_by.is_not(None))
        .cte(recursive=True)
    )
    later = select(superseded_by).where(memories.c.id == after.c.id, superseded_by.is_not(None))
    yield "later", select(after.union(later).c.id)


def _places(ids: Any) -> Iterator[tuple[str, Executable]]:
    """Where memories stand in documents."""
    yield (
        "passages",
        select(
            memory_chunks.c.memory_id,
            memory_chunks.c.first_line.label("stated_from"),
            memory_chunks.c.last_line.label("stated_to"),
            memory_chunks.c.first_place,
            memory_chunks.c.last_place,
            chunks,
        )
        .join(chunks, chunks.c.id == memory_chunks.c.chunk_id)
        .where(memory_chunks.c.memory_id.in_(ids))
        .order_by(chunks.c.retired, chunks.c.document_id, chunks.c.position, chunks.c.id),
    )
    is_first = case((memory_chunks.c.chunk_id == memories.c.chunk_id, 0), else_=1)
    columns = ("first_line", "last_line", "page")
    yield (
        "citations",
        select(
            memory_chunks.c.memory_id,
            documents.c.path,
            *(memory_chunks.c[name] for name in columns),
        )
        .join(memories, memories.c.id == memory_chunks.c.memory_id)
        .join(chunks, chunks.c.id == memory_chunks.c.chunk_id)
        .join(documents, documents.c.id == chunks.c.document_id)
        .where(memory_chunks.c.memory_id.in_(ids))
        .order_by(chunks.c.retired, is_first, documents.c.path, chunks.c.position),
    )
    yield (
        "citations by document",
        select(
            memories.c.id.label("memory_id"),
            documents.c.path,
            *(memories.c[name] for name in columns),
        )
        .join(documents, documents.c.id == memories.c.document_id)
        .where(memories.c.id.in_(ids)),
    )


def _prefixes() -> Iterator[tuple[str, Executable]]:
    """Ids that begin with some characters."""
    statement = (
        select(memories.c.id, memories.c.content)
        .where(memories.c.id.between(bindparam("first"), bindparam("last")))
        .order_by(memories.c.id)
        .limit(bindparam("limit"))
    )
    yield "ids with a prefix", statement
    yield (
        "memories of a passage",
        select(memory_chunks.c.memory_id)
        .join(memories, memories.c.id == memory_chunks.c.memory_id)
        .where(memory_chunks.c.chunk_id == bindparam("id"))
        .order_by(memories.c.sequence),
    )
    yield (
        "passages with a prefix",
        select(chunks, documents.c.path)
        .join(documents, documents.c.id == chunks.c.document_id)
        .where(chunks.c.id.between(bindparam("first"), bindparam("last")))
        .order_by(chunks.c.id)
        .limit(bindparam("limit")),
    )
    yield "visible ids with a prefix", statement.where(memories.c.forgotten.is_(False))


def _lists() -> Iterator[tuple[str, Executable]]:
    """Lists in every order, and their lengths, each with a place for a filter's conditions."""
    for only_forgotten, include_superseded in ((False, False), (False, True), (True, True)):
        seen = {"only_forgotten": only_forgotten, "include_superseded": include_superseded}
        name = visibility_name(**seen)
        is_listed = visible_at(bindparam("now"), **seen) & text(FILTER_PLACE)
        count = select(func.count().label("count")).select_from(memories).where(is_listed)
        yield f"count {name}", count
        for sort in MemorySort:
            for reverse in (False, True):
                listed = select(memories).where(is_listed)
                yield (
                    list_name(sort, name, reverse=reverse),
                    listed.order_by(*order_of(sort, reverse=reverse))
                    .limit(bindparam("limit"))
                    .offset(bindparam("offset")),
                )


def _one_way(*, by_type: bool, outgoing: bool) -> Any:
    """One step along associations, in their direction or against it."""
    near, far = associations.c.source_id, associations.c.target_id
    if not outgoing:
        near, far = far, near
    statement = (
        select(
            near.label("memory_id"),
            far.label("neighbour_id"),
            associations.c.relation_type,
            associations.c.weight,
            literal(int(outgoing)).label("outgoing"),
        )
        .join(memories, memories.c.id == far)
        .where(
            near.in_(bindparam("ids", expanding=True)),
            memories.c.forgotten == false(),
            associations.c.weight >= bindparam("minimum_weight"),
        )
    )
    if not by_type:
        return statement
    types: Any = bindparam("types", expanding=True)
    return statement.where(associations.c.relation_type.in_(types))


def sqlite_texts() -> dict[str, ReadyStatement]:
    """By name, each statement for the bare driver: named parameters, IN lists as JSON arrays, and
    the values of the parameters that are always the same."""
    return {name: sqlite_text(statement) for name, statement in statements().items()}


def sqlite_conditions() -> dict[str, ReadyStatement]:
    """The same of every condition of a filter; what is always the same has a name of its own."""
    texts = {}
    for name in CONDITION_PARAMETERS:
        sql, fixed = sqlite_text(condition(name, parameters(name)))
        for key in fixed:
            sql = re.sub(rf":{key}\b", f":{name}_{key}", sql)
        texts[name] = sql, {f"{name}_{key}": value for key, value in fixed.items()}
    return texts
