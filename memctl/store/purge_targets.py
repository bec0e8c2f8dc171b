"""What purging some memories or passages is to erase: they, and whatever says the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Column, Connection, or_, select

from memctl.content import hash_content
from memctl.memory import ForgetReason, Memory
from memctl.store.journal_reads import recorded_states, resolve_in_journal
from memctl.store.queries import existing_memories, memories_by_id, memories_where
from memctl.store.reads import in_batches
from memctl.store.schema import chunks, memories, memory_chunks, operation_changes


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeTargets:
    """What is to be erased: ``memories`` are those asked for and those that say the same,
    ``journal_ids`` those asked for that only the journal knows, because their saving was undone,
    ``texts`` all that they ever said. ``whole_chunks`` are passages, by id with the hash of their
    text, of which nothing is to be left."""

    memories: tuple[Memory, ...]
    texts: tuple[str, ...]
    journal_ids: tuple[str, ...] = ()
    whole_chunks: Mapping[str, str] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        return [*(memory.id for memory in self.memories), *self.journal_ids]

    @property
    def chunk_hashes(self) -> list[str]:
        """What passages of equal text are known by."""
        return list(dict.fromkeys(self.whole_chunks.values()))


def purge_targets(
    connection: Connection, ids: Sequence[str], chunk_ids: Sequence[str] = ()
) -> PurgeTargets:
    """What purging memories and whole passages is to erase. Raises UnknownMemoryError for a memory
    that the journal does not know either."""
    asked_for = _chunk_hashes(connection, chunks.c.id, chunk_ids)
    whole = _chunk_hashes(connection, chunks.c.content_hash, asked_for.values())
    in_store = memories_by_id(connection, ids)
    journal_ids = [memory_id for memory_id in ids if memory_id not in in_store]
    for memory_id in journal_ids:
        resolve_in_journal(connection, memory_id)
    asked = existing_memories(connection, [memory_id for memory_id in ids if memory_id in in_store])
    undone = _journal_texts(connection, journal_ids)
    hashes = [hash_content(text) for text in undone]
    equals = memories_where(connection, memories.c.content_hash, hashes)
    stated = _only_stated_by(connection, whole)
    return _targets(connection, [*asked, *equals, *stated], undone, journal_ids, whole)


def purge_targets_of_copy(
    connection: Connection, ids: Sequence[str], texts: Sequence[str], chunk_hashes: Sequence[str]
) -> PurgeTargets:
    """What a copy of the store has to lose where memories of ``ids`` and ``texts`` and passages of
    ``chunk_hashes`` are purged, whether it has them or not."""
    whole = _chunk_hashes(connection, chunks.c.content_hash, chunk_hashes)
    found = memories_by_id(connection, ids)
    found |= {memory.id: memory for memory in _only_stated_by(connection, whole)}
    hashes = [hash_content(text) for text in texts]
    found |= {
        memory.id: memory for memory in memories_where(connection, memories.c.content_hash, hashes)
    }
    return _targets(connection, list(found.values()), texts, (), whole)


def _targets(
    connection: Connection,
    asked: Sequence[Memory],
    also: Iterable[str],
    journal_ids: Iterable[str],
    whole_chunks: Mapping[str, str],
) -> PurgeTargets:
    gone = _with_equals(connection, asked)
    texts = dict.fromkeys([*also, *_texts(connection, gone)])
    return PurgeTargets(
        memories=tuple(gone),
        texts=tuple(texts),
        journal_ids=tuple(journal_ids),
        whole_chunks=whole_chunks,
    )


def _chunk_hashes(
    connection: Connection, column: Column[str], values: Iterable[str]
) -> dict[str, str]:
    """By id, the hashes of the passages that have one of the values in a column."""
    found: dict[str, str] = {}
    for batch in in_batches(values):
        statement = select(chunks.c.id, chunks.c.content_hash).where(column.in_(batch))
        rows = connection.execute(statement.order_by(chunks.c.id))
        found.update((chunk_id, content_hash) for chunk_id, content_hash in rows)
    return found


def _only_stated_by(connection: Connection, chunk_ids: Collection[str]) -> list[Memory]:
    """The memories that no other passages state, nor a user who saved, edited or pinned them."""
    stated: list[str] = []
    for batch in in_batches(chunk_ids):
        statement = select(memory_chunks.c.memory_id).where(memory_chunks.c.chunk_id.in_(batch))
        stated += connection.scalars(statement)
    elsewhere: set[str] = set()
    for batch in in_batches(stated):
        links = select(memory_chunks).where(memory_chunks.c.memory_id.in_(batch))
        elsewhere |= {
            link["memory_id"]
            for link in connection.execute(links).mappings()
            if link["chunk_id"] not in chunk_ids
        }
    kept = or_(memories.c.pinned, memories.c.stated_directly)
    only_here = [memory_id for memory_id in dict.fromkeys(stated) if memory_id not in elsewhere]
    found: list[Memory] = []
    for batch in in_batches(only_here):
        where = (memories.c.id.in_(batch), ~kept)
        ids = connection.scalars(select(memories.c.id).where(*where))
        found += memories_by_id(connection, ids).values()
    return found


def _with_equals(connection: Connection, asked: Sequence[Memory]) -> list[Memory]:
    """The memories, others of equal text, and originals hidden behind any of them."""
    found = {memory.id: memory for memory in asked}
    fresh = list(asked)
    while fresh:
        same = memories_where(
            connection, memories.c.content_hash, [memory.content_hash for memory in fresh]
        )
        behind = memories_where(
            connection, memories.c.superseded_by, [memory.id for memory in fresh]
        )
        merged = [m for m in behind if m.forgotten_reason is ForgetReason.MERGED]
        fresh = [memory for memory in (*same, *merged) if memory.id not in found]
        found |= {memory.id: memory for memory in fresh}
    return list(found.values())


def _texts(connection: Connection, gone: Sequence[Memory]) -> list[str]:
    """What the memories say and, as far as the journal knows, what they said before."""
    said = [memory.content for memory in gone]
    return list(dict.fromkeys([*said, *_journal_texts(connection, [memory.id for memory in gone])]))


def _journal_texts(connection: Connection, ids: Sequence[str]) -> list[str]:
    texts: dict[str, None] = {}
    for batch in in_batches(ids):
        statement = select(operation_changes).where(
            operation_changes.c.row_key.in_(batch),
            operation_changes.c.table_name == memories.name,
        )
        for row in connection.execute(statement).mappings():
            for state in recorded_states(row):
                content = state.get("content")
                if content:
                    texts[content] = None
    return list(texts)
