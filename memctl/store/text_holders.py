"""Which rows of the database hold a text as a part of their own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Column, Connection, func, or_, select

from memctl.memory import ID_DISPLAY_LENGTH
from memctl.store.rows import to_json
from memctl.store.schema import (
    chunks,
    documents,
    memories,
    memory_tags,
    messages,
    operation_changes,
    operations,
)


def standing_texts(
    connection: Connection, texts: Sequence[str], chunk_ids: Collection[str]
) -> list[str]:
    """Those of the texts that other rows than those of the passages hold as well."""
    columns = (
        (chunks.c.content, chunks.c.id),
        (chunks.c.heading_path, chunks.c.id),
        (operation_changes.c.row_before, operation_changes.c.row_key),
        (operation_changes.c.row_after, operation_changes.c.row_key),
        *((column, None) for column in _OTHER_TEXTS),
    )
    return [
        text
        for text in texts
        if any(_holds(connection, column, key, text, chunk_ids) for column, key in columns)
    ]


_OTHER_TEXTS = (
    memories.c.content,
    memories.c.subject,
    memories.c.source,
    memories.c.key,
    memory_tags.c.tag,
    messages.c.content,
    documents.c.path,
    operations.c.arguments,
)
"""Where texts stand besides passages and the journal of changes."""


def _holds(
    connection: Connection,
    column: Column[str],
    key: Column[str] | None,
    text: str,
    left_out: Collection[str],
) -> bool:
    """Whether the column holds the text, plainly or as in JSON, in a row whose key is not left
    out."""
    forms = {text, to_json(text)[1:-1]}
    holds = or_(*(func.instr(column, form) > 0 for form in forms))
    if key is None:
        return connection.execute(select(column).where(holds).limit(1)).first() is not None
    return any(one not in left_out for one in connection.scalars(select(key).where(holds)))


def holders_of(connection: Connection, texts: Sequence[str]) -> list[str]:
    """What else holds one of the texts as a part of its own, in words: as its content or as
    something that it was labelled with."""
    found: dict[str, None] = {}
    labels = (memories.c.content, memories.c.subject, memories.c.source, memories.c.key)
    for text in texts:
        tagged = select(memory_tags.c.memory_id).where(func.instr(memory_tags.c.tag, text) > 0)
        holds = or_(*(func.instr(column, text) > 0 for column in labels), memories.c.id.in_(tagged))
        ids = connection.scalars(select(memories.c.id).where(holds).order_by(memories.c.sequence))
        found |= dict.fromkeys(f"memory {memory_id[:ID_DISPLAY_LENGTH]}" for memory_id in ids)
    return list(found)
