"""What becomes of a document's chunks when its text changes.

A chunk whose text is still there keeps its id and what was extracted from it, and moves to its new
lines with the memories that it states; new texts are added; what is left is retired, never removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select

from memctl.memory import Chunk, Memory
from memctl.store.journal import WriteTransaction
from memctl.store.memory_writes import update_memories
from memctl.store.queries import (
    memories_where,
)
from memctl.store.reads import in_batches
from memctl.store.rows import Row, chunk_to_row
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
    return replace(
        new,
        id=stored.id,
        document_id=stored.document_id,
        content=stored.content,
        extracted=stored.extracted,
        error=stored.error,
    )


def _move_memories(writes: WriteTransaction, kept: Sequence[Move]) -> None:
    shifts = {before.id: _Shift.between(before, after) for before, after in kept}
    shifts = {chunk_id: shift for chunk_id, shift in shifts.items() if shift.moves}
    for batch in in_batches(shifts):
        statement = select(memory_chunks).where(memory_chunks.c.chunk_id.in_(batch))
        rows: list[Row] = [dict(row) for row in writes.connection.execute(statement).mappings()]
        writes.update(memory_chunks, [(row, shifts[row["chunk_id"]].of_row(row)) for row in rows])
    moved = memories_where(writes.connection, memories.c.chunk_id, shifts)
    changes = [(memory, shifts[memory.chunk_id or ""].of_memory(memory)) for memory in moved]
    update_memories(writes, changes)


@dataclass(frozen=True, slots=True)
class _Shift:
    """By how many lines and pages a chunk has moved."""

    lines: int
    pages: int

    @classmethod
    def between(cls, before: Chunk, after: Chunk) -> _Shift:
        pages = (after.first_page or 0) - (before.first_page or 0)
        return cls(after.first_line - before.first_line, pages)

    @property
    def moves(self) -> bool:
        return bool(self.lines or self.pages)

    def of_row(self, row: Row) -> Row:
        return {
            **row,
            "first_line": _plus(row["first_line"], self.lines),
            "last_line": _plus(row["last_line"], self.lines),
            "page": _plus(row["page"], self.pages),
        }

    def of_memory(self, memory: Memory) -> Memory:
        return replace(
            memory,
            first_line=_plus(memory.first_line, self.lines),
            last_line=_plus(memory.last_line, self.lines),
            page=_plus(memory.page, self.pages),
        )


def _plus(number: int | None, shift: int) -> int | None:
    return None if number is None else number + shift
