"""Several memories of one claim become one: what the kept one takes over, and how that is written.

Nothing of the others is lost: their tags, associations, accesses and sources go to the kept one,
and they themselves are hidden behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import or_, select

from memctl.content import hash_content
from memctl.memory import Association, ForgetReason, Memory, Origin, RelationType
from memctl.new_memory import NewMemory
from memctl.store.association_writes import Link, associate_memories, associations_between
from memctl.store.journal import MakeId, WriteTransaction
from memctl.store.live import is_live
from memctl.store.memory_writes import add_statements, hide, save_memories, update_memories
from memctl.store.queries import memories_by_id, memories_where
from memctl.store.reads import in_batches
from memctl.store.rows import row_to_association, row_to_stated
from memctl.store.saving import Statement
from memctl.store.schema import associations, memories, memory_chunks

CONSOLIDATION_SOURCE = "consolidation"
"""Source of memories that a language model wrote for others: they are not consolidated again."""


@dataclass(frozen=True, slots=True)
class Merge:
    """``kept`` is to stand for ``hidden`` as well, as they were when that was planned."""

    kept: Memory
    hidden: tuple[Memory, ...]

    @property
    def ids(self) -> list[str]:
        return [self.kept.id, *(memory.id for memory in self.hidden)]


def joined(kept: Memory, others: Sequence[Memory]) -> Memory:
    """``kept`` with what the others add to it. Its text, type, channel and times of creation and
    change stay, so that a merge does not count as a sign of use."""
    group = (kept, *others)
    strongest = max(group, key=lambda memory: memory.whole_importance)
    return replace(
        kept,
        importance=strongest.importance,
        decayed_from=strongest.decayed_from,
        access_count=sum(memory.access_count for memory in group),
        last_accessed_at=max(memory.last_accessed_at for memory in group),
        tags=tuple(sorted({tag for memory in group for tag in memory.tags})),
        key=_first(memory.key for memory in group),
        subject=_first(memory.subject for memory in group),
        source=_first(memory.source for memory in group),
        session_id=_first(memory.session_id for memory in group),
        stated_directly=any(memory.stated_directly for memory in group),
    )


def merge_memories(
    writes: WriteTransaction, merges: Sequence[Merge], make_id: MakeId
) -> list[Merge]:
    """Writes merges; gives those that could be: the memories are live and say what they said."""
    known = memories_by_id(writes.connection, [key for merge in merges for key in merge.ids])
    sound = [merge for merge in merges if _still_fits(merge, known)]
    successors = {memory.id: merge.kept.id for merge in sound for memory in merge.hidden}
    hidden = [known[memory_id] for memory_id in successors]
    behind = [replace(memory, superseded_by=successors[memory.id]) for memory in hidden]
    update_memories(writes, list(zip(hidden, behind, strict=True)))
    hide(writes, behind, ForgetReason.MERGED)
    changes = [
        (known[merge.kept.id], joined(known[merge.kept.id], [known[m.id] for m in merge.hidden]))
        for merge in sound
    ]
    update_memories(writes, changes)
    _hand_on_statements(writes, successors)
    _hand_on_associations(writes, successors, make_id)
    return sound


def consolidate_memories(
    writes: WriteTransaction, statement: str, originals: Sequence[Memory], make_id: MakeId
) -> Merge | None:
    """Adds ``statement`` and hides ``originals`` behind it, or behind the one of them that says
    it; gives that as a merge. None, and nothing is written, where one of them changed since it was
    read, or another memory says that already.

    A new memory fades as the strongest of them would have: it is no sign of use.
    """
    known = memories_by_id(writes.connection, [memory.id for memory in originals])
    if not all(_is_as_planned(memory, known) for memory in originals):
        return None
    group = [known[memory.id] for memory in originals]
    same = memories_where(writes.connection, memories.c.content_hash, [hash_content(statement)])
    saying = {memory.id for memory in same if memory.channel_id == group[0].channel_id}
    if saying:
        own = [memory for memory in group if memory.id in saying]
        others = tuple(memory for memory in group if memory.id not in saying)
        merge = Merge(own[0], others) if len(own) == len(saying) == 1 else None
    else:
        merge = Merge(_written(writes, statement, group, make_id), tuple(group))
    return merge if merge and merge_memories(writes, [merge], make_id) else None


def _written(
    writes: WriteTransaction, statement: str, group: Sequence[Memory], make_id: MakeId
) -> Memory:
    strongest = max(group, key=lambda memory: memory.whole_importance)
    events = {memory.event_at for memory in group}
    new = NewMemory(
        content=statement,
        memory_type=group[0].memory_type,
        importance=strongest.whole_importance,
        channel_id=group[0].channel_id,
        event_at=events.pop() if len(events) == 1 else None,
        source=CONSOLIDATION_SOURCE,
        origin=Origin.LLM,
    )
    [receipt] = save_memories(writes, [new], make_id)
    written = memories_by_id(writes.connection, [receipt.id])[receipt.id]
    kept = replace(
        written,
        importance=strongest.importance,
        decayed_from=strongest.decayed_from,
        updated_at=max(memory.updated_at for memory in group),
        last_accessed_at=max(memory.last_accessed_at for memory in group),
        stated_directly=any(memory.stated_directly for memory in group),
    )
    update_memories(writes, [(written, kept)])
    return kept


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value is not None), None)


def _still_fits(merge: Merge, known: Mapping[str, Memory]) -> bool:
    return all(_is_as_planned(memory, known) for memory in (merge.kept, *merge.hidden))


def _is_as_planned(memory: Memory, known: Mapping[str, Memory]) -> bool:
    now = known.get(memory.id)
    return (
        now is not None
        and is_live(now)
        and now.content_hash == memory.content_hash
        and not now.pinned
    )


def _hand_on_statements(writes: WriteTransaction, successors: Mapping[str, str]) -> None:
    statements = []
    for batch in in_batches(successors):
        rows = writes.connection.execute(
            select(memory_chunks).where(memory_chunks.c.memory_id.in_(batch))
        )
        statements += [
            Statement(
                successors[row["memory_id"]], row["chunk_id"], row_to_stated(row), row["page"]
            )
            for row in rows.mappings()
        ]
    unique = {(entry.memory_id, entry.chunk_id): entry for entry in statements}
    add_statements(writes, list(unique.values()))


def _hand_on_associations(
    writes: WriteTransaction, successors: Mapping[str, str], make_id: MakeId
) -> None:
    weights: dict[tuple[str, str, RelationType], float] = {}
    for edge in _associations_of(writes, list(successors)):
        source = successors.get(edge.source_id, edge.source_id)
        target = successors.get(edge.target_id, edge.target_id)
        if source != target:
            key = (source, target, edge.relation_type)
            weights[key] = max(edge.weight, weights.get(key, 0.0))
    known = associations_between(writes, weights)
    links: list[Link] = [
        (*key, weight)
        for key, weight in weights.items()
        if key not in known or known[key].weight < weight
    ]
    if links:
        associate_memories(writes, links, make_id)


def _associations_of(writes: WriteTransaction, ids: Sequence[str]) -> list[Association]:
    found: dict[str, Association] = {}
    for batch in in_batches(ids):
        ends = or_(associations.c.source_id.in_(batch), associations.c.target_id.in_(batch))
        statement = select(associations).where(ends).order_by(associations.c.id)
        for row in writes.connection.execute(statement).mappings():
            found[row["id"]] = row_to_association(row)
    return list(found.values())
