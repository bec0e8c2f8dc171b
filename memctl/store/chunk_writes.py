"""What becomes of a document's chunks when its text changes.

A chunk whose text is still there but for blanks and line ends keeps its id and what was extracted
from it, and moves to its new lines with the memories that it states; new texts are added; what is
left is retired, never removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select

from memctl.content import hash_content
from memctl.file_lines import moved_places
from memctl.memory import Chunk
from memctl.store.journal import WriteTransaction
from memctl.store.memory_writes import update_memories
from memctl.store.queries import (
    memories_where,
)
from memctl.store.reads import in_batches
from memctl.store.rows import Row, chunk_to_row, row_to_stated
from memctl.store.schema import chunks, memories, memory_chunks

Move = tuple[Chunk, Chunk]
"""A stored chunk and what it is to become."""


@dataclass(frozen=True, slots=True)
class ChunkPlan:
    """What is to be done to the chunks of one document; ``kept`` and ``added`` by position."""

    kept: list[Move]
    added: list[Chunk]
    retired: list[Chunk]

    @property
    def current(self) -> tuple[Chunk, ...]:
        """The document's chunks afterwards, by position."""
        chunks_now = [*self.added, *(after for _, after in self.kept)]
        return tuple(sorted(chunks_now, key=lambda chunk: chunk.position))


def plan_chunks(
    document_id: str, known: Sequence[Chunk], new: Sequence[Chunk], *, keep: bool
) -> ChunkPlan:
    """Compares by content hash, equal texts in their order; with ``keep`` false nothing is kept."""
    by_hash: dict[str, list[Chunk]] = {}
    for chunk in reversed(known if keep else []):
        by_hash.setdefault(chunk.content_hash, []).append(chunk)
    kept: list[Move] = []
    added: list[Chunk] = []
    for chunk in new:
        stored = by_hash.get(chunk.content_hash)
        if stored:
            kept.append((stored[-1], _moved(stored.pop(), chunk)))
        else:
            added.append(replace(chunk, document_id=document_id))
    kept_ids = {chunk.id for chunk, _ in kept}
    return ChunkPlan(kept, added, [chunk for chunk in known if chunk.id not in kept_ids])


def apply_chunk_plans(writes: WriteTransaction, plans: Sequence[ChunkPlan]) -> None:
    """Writes the plans of several documents."""
    retired = [chunk_to_row(chunk) for plan in plans for chunk in plan.retired]
    writes.update(
        chunks, [({**row, "retired": False}, {**row, "retired": True}) for row in retired]
    )
    kept = [move for plan in plans for move in plan.kept]
    update_chunks(writes, kept)
    _move_memories(writes, kept)
    added = [chunk_to_row(chunk) for plan in plans for chunk in plan.added]
    writes.insert(chunks, [{**row, "retired": False} for row in added])


def update_chunks(writes: WriteTransaction, moves: Sequence[Move]) -> None:
    """Writes chunks, given as (before, after)."""
    writes.update(chunks, [(chunk_to_row(before), chunk_to_row(after)) for before, after in moves])


def _moved(stored: Chunk, new: Chunk) -> Chunk:
    # What was purged from a stored chunk does not come back with a file that still has it.
    is_whole = hash_content(stored.content) == stored.content_hash
    return replace(
        new,
        id=stored.id,
        document_id=stored.document_id,
        content=new.content if is_whole else stored.content,
        extracted=stored.extracted,
        error=stored.error,
    )


def _move_memories(writes: WriteTransaction, kept: Sequence[Move]) -> None:
    shifts = {before.id: _Shift(before, after) for before, after in kept}
    shifts = {chunk_id: shift for chunk_id, shift in shifts.items() if shift.moves}
    lines: dict[tuple[str, str], Row] = {}
    for batch in in_batches(shifts):
        statement = select(memory_chunks, memories.c.content).where(
            memory_chunks.c.chunk_id.in_(batch), memory_chunks.c.memory_id == memories.c.id
        )
        rows: list[Row] = [dict(row) for row in writes.connection.execute(statement).mappings()]
        pairs = [(row, shifts[row["chunk_id"]].of_row(row, row.pop("content"))) for row in rows]
        writes.update(memory_chunks, pairs)
        lines |= {(after["memory_id"], after["chunk_id"]): after for _, after in pairs}
    moved = memories_where(writes.connection, memories.c.chunk_id, shifts)
    changes = []
    for memory in moved:
        row = lines.get((memory.id, memory.chunk_id or ""))
        if row is not None:
            places = {name: row[name] for name in ("first_line", "last_line", "page")}
            changes.append((memory, replace(memory, **places)))
    update_memories(writes, changes)


@dataclass(frozen=True, slots=True)
class _Shift:
    """A chunk that stands on other lines or pages now."""

    before: Chunk
    after: Chunk

    @property
    def pages(self) -> int:
        return (self.after.first_page or 0) - (self.before.first_page or 0)

    @property
    def moves(self) -> bool:
        before, after = self.before, self.after
        has_moved = before.first_line != after.first_line or before.line_starts != after.line_starts
        return bool(has_moved or self.pages or before.content != after.content)

    def of_row(self, row: Row, statement: str) -> Row:
        """The row of ``memory_chunks`` for a memory of this content."""
        stated = row_to_stated(row)
        if stated.first_line is not None:
            places = self.before.places(stated)
            if self.before.content != self.after.content:
                places = moved_places(self.before.content, self.after.content, *places)
            stated = self.after.stated_at(*places, statement)
        return {**row, **stated._asdict(), "page": _plus(row["page"], self.pages)}


def _plus(number: int | None, shift: int) -> int | None:
    return None if number is None else number + shift
