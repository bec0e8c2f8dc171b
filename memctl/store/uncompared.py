"""Which memories have not been compared with the others yet.

A memory is marked in the transaction that creates it, and the mark goes in the one that writes its
associations: what a killed process leaves undone, the next command finds here. An operation that
takes up what another one left has that in its journal, so that its undo opens the comparison again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Connection, select

from memctl.store.journal import WriteTransaction
from memctl.store.reads import in_batches
from memctl.store.schema import memories, uncompared


def mark_uncompared(connection: Connection, ids: Iterable[str]) -> None:
    """Marks memories that have just been created, or have another text now."""
    rows = [{"memory_id": memory_id} for memory_id in ids]
    if rows:
        connection.execute(uncompared.insert().prefix_with("OR IGNORE"), rows)


def mark_compared(
    writes: WriteTransaction, ids: Iterable[str], created: Sequence[Collection[str]]
) -> None:
    """Removes the marks that there are. Those of memories that this operation has not ``created``
    itself go into the journal."""
    for batch in in_batches(ids):
        own = [memory_id for memory_id in batch if any(memory_id in some for some in created)]
        if own:
            writes.connection.execute(uncompared.delete().where(uncompared.c.memory_id.in_(own)))
        others = sorted({*batch}.difference(own))
        if others:
            marked = select(uncompared).where(uncompared.c.memory_id.in_(others))
            writes.delete(uncompared, list(map(dict, writes.connection.execute(marked).mappings())))


def uncompared_ids(connection: Connection, limit: int | None) -> list[str]:
    """The marked memories in the order in which they were created, at most ``limit`` or all; also
    such as have been erased since."""
    order = select(uncompared.c.memory_id).outerjoin(
        memories, memories.c.id == uncompared.c.memory_id
    )
    return list(connection.scalars(order.order_by(memories.c.sequence).limit(limit)))
