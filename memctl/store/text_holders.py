"""Which rows of the database hold a text as a part of their own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, null, select

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
from memctl.store.text_search import TextSearch


def standing_texts(
    connection: Connection, texts: Sequence[str], chunk_ids: Collection[str]
) -> list[str]:
    """Those of the texts that other rows than those of the passages hold as well."""
    search = TextSearch(form for text in texts for form in (text, _in_json(text)))
    columns = (
        (chunks.c.content, chunks.c.id),
        (chunks.c.heading_path, chunks.c.id),
        (operation_changes.c.row_before, operation_changes.c.row_key),
        (operation_changes.c.row_after, operation_changes.c.row_key),
        *((column, null()) for column in _OTHER_TEXTS),
    )
    held: set[str] = set()
    for column, key in columns:
        for where, row_key in connection.execute(select(column, key).where(column.is_not(None))):
            if row_key not in chunk_ids:
                held |= search.found_in(where)
    return [text for text in texts if not held.isdisjoint((text, _in_json(text)))]


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


def _in_json(text: str) -> str:
    return to_json(text)[1:-1]


def holders_of(connection: Connection, texts: Sequence[str]) -> list[str]:
    """What else holds one of the texts as a part of its own, in words: as its content or as
    something that it was labelled with."""
    search = TextSearch(texts)
    labels = (memories.c.content, memories.c.subject, memories.c.source, memories.c.key)
    tags = select(memory_tags.c.memory_id, memory_tags.c.tag)
    tagged = {memory_id for memory_id, tag in connection.execute(tags) if search.is_in(tag)}
    rows = connection.execute(select(memories.c.id, *labels).order_by(memories.c.sequence))
    return [
        f"memory {memory_id[:ID_DISPLAY_LENGTH]}"
        for memory_id, *values in rows
        if memory_id in tagged or any(search.is_in(value) for value in values if value)
    ]
