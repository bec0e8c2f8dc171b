"""Where the search index and the database disagree about which rows there are."""

from __future__ import annotations

from sqlalchemy import select

from memctl.memory import EntryKind
from memctl.store.database import Database
from memctl.store.index import SearchIndex
from memctl.store.outbox_rows import queue_keys
from memctl.store.schema import chunks, memories


def queue_differences(database: Database, index: SearchIndex) -> int:
    """Queues ids that only one side has, and memories without a vector; gives how many.

    What another process changes meanwhile may be queued for nothing, which is harmless.
    """
    count = 0
    for kind in EntryKind:
        indexed = index.ids(kind)
        without_vector = index.ids_without_vector(kind) if kind is EntryKind.MEMORY else set()
        visible = _visible_ids(database, kind)
        differing = sorted((visible ^ indexed) | (visible & without_vector))
        with database.writing() as connection:
            queue_keys(connection, [(kind, entry_id) for entry_id in differing], text_changed=True)
        count += len(differing)
    return count


def _visible_ids(database: Database, kind: EntryKind) -> set[str]:
    statement = {
        EntryKind.MEMORY: select(memories.c.id).where(memories.c.forgotten.is_(False)),
        EntryKind.CHUNK: select(chunks.c.id).where(chunks.c.retired.is_(False)),
    }[kind]
    with database.reading() as connection:
        return set(connection.scalars(statement))
