"""The rows of the outbox: which ids may differ between the database and the search index.

Rows are only ever added, or removed by their sequence, which is never given twice: so removing what
one has read can not remove a mark that was made since.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, func, insert, literal, select

from memctl.memory import EntryKind
from memctl.store.readings import Readings, read_columns, read_member
from memctl.store.reads import in_batches
from memctl.store.row_insertion import insert_rows
from memctl.store.schema import chunks, memories, outbox

OTHER_ROW_STATEMENT = (
    "SELECT EXISTS (SELECT 1 FROM outbox WHERE entry_id NOT IN (SELECT value FROM json_each(:ids)))"
)
"""Reads whether there is a row of any other id than ``ids``, a JSON array; every recall asks."""

OUTBOX_READINGS: Readings = {"kind": read_member(EntryKind)}

EntryKey = tuple[EntryKind, str]
"""Kind and id of a row of the index."""


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """One dirty mark. ``waiting`` ones are in the index already, but for their vector."""

    sequence: int
    key: EntryKey
    text_changed: bool
    waiting: bool


def rows_up_to(connection: Connection, last: int, limit: int) -> list[OutboxRow]:
    """The oldest rows that are not waiting for a vector, by sequence, up to that of ``last``."""
    wanted = outbox.c.waiting.is_(False) & (outbox.c.sequence <= last)
    return _rows(connection, select(outbox).where(wanted).limit(limit))


def undrained_rows(connection: Connection) -> list[OutboxRow]:
    """All rows that are not waiting for a vector, by sequence."""
    return _rows(connection, select(outbox).where(outbox.c.waiting.is_(False)))


def waiting_rows(connection: Connection, after: int, last: int, limit: int) -> list[OutboxRow]:
    """The oldest rows waiting for a vector, with a sequence above ``after`` and up to ``last``."""
    wanted = outbox.c.waiting.is_(True) & outbox.c.sequence.between(after + 1, last)
    return _rows(connection, select(outbox).where(wanted).limit(limit))


def rows_of_ids(connection: Connection, ids: Iterable[str]) -> list[OutboxRow]:
    """All rows of those ids, by sequence."""
    found: list[OutboxRow] = []
    for batch in in_batches(ids):
        found += _rows(connection, select(outbox).where(outbox.c.entry_id.in_(batch)))
    return sorted(found, key=lambda row: row.sequence)


def last_sequence(connection: Connection) -> int:
    """The sequence of the newest row, 0 when there is none."""
    return int(connection.scalar(select(func.max(outbox.c.sequence))) or 0)


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How many ids are still to be drained, and how many wait for their vector only."""

    undrained: int = 0
    waiting: int = 0


def count_queue(connection: Connection) -> QueueCounts:
    """Counts every id once, however often it was marked."""
    keys = select(outbox.c.kind, outbox.c.entry_id, outbox.c.waiting).distinct().subquery()
    counted = select(keys.c.waiting, func.count()).group_by(keys.c.waiting)
    by_waiting = {bool(waiting): count for waiting, count in connection.execute(counted)}
    return QueueCounts(by_waiting.get(False, 0), by_waiting.get(True, 0))


def delete_rows(connection: Connection, rows: Sequence[OutboxRow]) -> None:
    """Removes rows that were read."""
    for batch in in_batches(row.sequence for row in rows):
        connection.execute(outbox.delete().where(outbox.c.sequence.in_(batch)))


def keep_waiting(connection: Connection, keys: Sequence[EntryKey]) -> None:
    """Adds one row for each key that says that only its vector is missing."""
    if keys:
        rows = [_row(kind, entry_id, waiting=True) for kind, entry_id in keys]
        insert_rows(connection, outbox, rows)


def queue_keys(connection: Connection, keys: Iterable[EntryKey], *, text_changed: bool) -> None:
    """Marks ids as dirty that no write has changed."""
    rows = [_row(kind, entry_id, text_changed=text_changed) for kind, entry_id in keys]
    if rows:
        insert_rows(connection, outbox, rows)


def has_unqueued(connection: Connection, kind: EntryKind) -> bool:
    """Whether the index ought to hold anything of a kind that is not queued."""
    return connection.execute(_unqueued(kind).limit(1)).first() is not None


def queue_unqueued(connection: Connection, kind: EntryKind) -> int:
    """Queues all that the index ought to hold of a kind and that is not queued; gives how many."""
    columns = ["kind", "entry_id", "text_changed", "waiting"]
    return connection.execute(insert(outbox).from_select(columns, _unqueued(kind))).rowcount


def _unqueued(kind: EntryKind) -> Select[Any]:
    """As the rows that queue them."""
    table, is_visible = {
        EntryKind.MEMORY: (memories, memories.c.forgotten.is_(False)),
        EntryKind.CHUNK: (chunks, chunks.c.retired.is_(False)),
    }[kind]
    queued = select(outbox.c.entry_id).where(outbox.c.kind == str(kind))
    return select(literal(str(kind)), table.c.id, literal(value=True), literal(value=False)).where(
        is_visible, table.c.id.not_in(queued)
    )


def _row(
    kind: EntryKind, entry_id: str, *, text_changed: bool = True, waiting: bool = False
) -> dict[str, Any]:
    return {
        "kind": str(kind),
        "entry_id": entry_id,
        "text_changed": text_changed,
        "waiting": waiting,
    }


def _rows(connection: Connection, statement: Select[Any]) -> list[OutboxRow]:
    return [
        OutboxRow(
            row["sequence"], (_kind(row), row["entry_id"]), row["text_changed"], row["waiting"]
        )
        for row in connection.execute(statement.order_by(outbox.c.sequence)).mappings()
    ]


def _kind(row: RowMapping) -> EntryKind:
    kind: EntryKind = read_columns("outbox row", row, OUTBOX_READINGS, "sequence")["kind"]
    return kind
