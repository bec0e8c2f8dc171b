"""Where the search index and the database disagree about which rows there are."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from memctl.memory import EntryKind
from memctl.store.database import Database
from memctl.store.index import SearchIndex
from memctl.store.outbox_rows import queue_keys
from memctl.store.schema import chunks, documents, memories, outbox
from memctl.store.truth import visible_entries


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexDifferences:
    """Ids of one kind: ``missing`` in the index, ``surplus`` there, and ``without_vector``."""

    missing: frozenset[str]
    surplus: frozenset[str]
    without_vector: frozenset[str]

    @property
    def all_ids(self) -> frozenset[str]:
        return self.missing | self.surplus | self.without_vector


def find_differences(database: Database, index: SearchIndex, kind: EntryKind) -> IndexDifferences:
    """Where the index and the database disagree about a kind, besides what is queued anyway.

    Only memories must have a vector. Exact while the caller holds the index lock; without it, what
    another process changes meanwhile may look like a difference.
    """
    indexed = index.ids(kind)
    without_vector = index.ids_without_vector(kind) if kind is EntryKind.MEMORY else set()
    queued, visible = _queued_ids(database, kind), visible_ids(database, kind)
    return IndexDifferences(
        missing=frozenset(visible - indexed - queued),
        surplus=frozenset(indexed - visible - queued),
        without_vector=frozenset((visible & without_vector) - queued),
    )


def check_whole(database: Database, index: SearchIndex) -> None:
    """Reads every id and vector of the index, and asks it in each way in which it is asked.

    Raises SearchIndexError where it cannot answer, as when files of it are missing or damaged.
    """
    for kind in EntryKind:
        for _ in index.all_vectors(kind):
            pass
        check_answers(database, index, kind)


def check_answers(database: Database, index: SearchIndex, kind: EntryKind) -> None:
    """Asks the index for one of its rows of a kind in each way in which it is asked.

    Raises SearchIndexError where it cannot answer, as when files of it are missing or damaged.
    """
    for entry_id in sorted(index.ids(kind) & visible_ids(database, kind))[:1]:
        with database.reading() as connection:
            truth = visible_entries(connection, [(kind, entry_id)])
        for visible in truth.values():
            index.search_text(kind, visible.entry.content, 1)
        for vector in index.vectors(kind, [entry_id]).values():
            index.search_vector(kind, vector, 1)


def queue_differences(database: Database, index: SearchIndex) -> int:
    """Queues ids that only one side has, and memories without a vector; gives how many.

    What another process changes meanwhile may be queued for nothing, which is harmless.
    """
    count = 0
    for kind in EntryKind:
        differing = sorted(find_differences(database, index, kind).all_ids)
        with database.writing() as connection:
            queue_keys(connection, [(kind, entry_id) for entry_id in differing], text_changed=True)
        count += len(differing)
    return count


def _queued_ids(database: Database, kind: EntryKind) -> set[str]:
    statement = select(outbox.c.entry_id).where(outbox.c.kind == str(kind))
    with database.reading() as connection:
        return set(connection.scalars(statement))


def visible_ids(database: Database, kind: EntryKind) -> set[str]:
    """The ids of a kind that the index ought to hold. A passage without a document is none."""
    statement = {
        EntryKind.MEMORY: select(memories.c.id).where(memories.c.forgotten.is_(False)),
        EntryKind.CHUNK: select(chunks.c.id)
        .join(documents, documents.c.id == chunks.c.document_id)
        .where(chunks.c.retired.is_(False)),
    }[kind]
    with database.reading() as connection:
        return set(connection.scalars(statement))
