"""Which tags, channels, sessions and sources there are, for who asks for one that is not there."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import ColumnElement, Connection, select

from memctl.store.schema import memories, memory_tags

_COLUMNS: Mapping[str, ColumnElement[str]] = {
    "tags": memory_tags.c.tag,
    "channels": memories.c.channel_id,
    "sessions": memories.c.session_id,
    "sources": memories.c.source,
}


def known_values(connection: Connection, name: str) -> list[str]:
    """The values of a field of MemoryFilter (``tags``, ``channels``, ``sessions`` or ``sources``)
    that any memory has, hidden ones included, in order."""
    column = _COLUMNS[name]
    statement = select(column).where(column.is_not(None)).distinct().order_by(column)
    return list(connection.scalars(statement))
