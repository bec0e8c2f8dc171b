"""Taking an operation back: the rows that it changed are as they were, by an operation of its own.

What a later operation changed, or built upon, is a conflict: it is named, and overwritten only by
force. Whatever is forced, at most one live memory says one thing and no reference dangles.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Column, Connection, Table, select

from memctl.errors import (
    PurgeUndoError,
    RestoreConflictError,
    UndoConflictError,
    UndoError,
)
from memctl.memory import ID_DISPLAY_LENGTH, EntryKind
from memctl.store.journal import WriteTransaction, key_columns, row_key
from memctl.store.journal_reads import (
    PURGE_COMMAND,
    LoggedOperation,
    RowChange,
    broken_off_before,
    changes_of,
    later_operations,
    logged_operation,
    newest_done,
    newest_undoable,
)
from memctl.store.live import LiveMemories, held_key, is_live
from memctl.store.queries import (
    live_holders,
    memories_where,
)
from memctl.store.reads import in_batches
from memctl.store.rows import Row, row_to_memory
from memctl.store.saving import no_longer_superseded
from memctl.store.schema import chunks, memories, memory_chunks, metadata
from memctl.store.undo_plan import Conflict, RowKey, RowRepair, net_changes, repairs

SHOWN_CONFLICTS = 3
"""How many conflicts the error names."""


ROW_NAMES = {
    "memories": "memory",
    "memory_tags": "tag of memory",
    "memory_chunks": "citation of memory",
    "associations": "association",
    "documents": "document",
    "chunks": "passage",
    "messages": "message",
    "uncompared": "open comparison of memory",
}
"""What people call a row of each journalled table."""


@dataclass(frozen=True, slots=True)
class LaterChange:
    """A conflict, with the operation that made it where the journal still knows."""

    conflict: Conflict
    operation_id: int | None
    command: str | None

    def __str__(self) -> str:
        where = f"{ROW_NAMES[self.conflict.table_name]} {_short(self.conflict.row_key)}"
        what = f" ({', '.join(self.conflict.columns)})" if self.conflict.columns else ""
        by = f" by operation {self.operation_id} ({self.command})" if self.operation_id else ""
        return f"{where}{what} was {self.conflict.why}{by}"


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What taking back ``operation`` would do, and what of it would overwrite something."""

    operation: LoggedOperation
    repairs: tuple[RowRepair, ...]
    conflicts: tuple[LaterChange, ...]
    double: RestoreConflictError | None = None
    """Set where two live memories would say one thing or have one key, which nothing forces."""
    broken_off: int | None = None
    """An unfinished operation of the same command before it, which stays."""

    def refusal(self, *, force: bool) -> UndoConflictError | RestoreConflictError | None:
        """The error with which this plan is refused, None where it may be carried out."""
        if self.conflicts and not force:
            shown = "; ".join(map(str, self.conflicts[:SHOWN_CONFLICTS]))
            more = len(self.conflicts) - SHOWN_CONFLICTS
            why = shown + (f"; and {more} more" if more > 0 else "")
            return UndoConflictError(id=self.operation.id, why=why)
        return self.double

    @property
    def memory_ids(self) -> list[str]:
        """The memories whose own rows change."""
        return [entry.row_key for entry in self.repairs if entry.table_name == memories.name]


def plan_undo(connection: Connection, operation_id: int | None) -> UndoPlan:
    """The plan for an operation, or for the newest that is not taken back yet.

    Raises UnknownOperationError, PurgeUndoError for a purge, which is not passed by even where no
    operation is named, and UndoError where nothing can be taken back.
    """
    if operation_id is None:
        operation_id = newest_done(connection)
        if operation_id is None:
            raise UndoError(what="undo anything", why="the journal holds nothing to take back")
    operation = logged_operation(connection, operation_id)
    recorded = changes_of(connection, operation_id)
    _refuse(connection, operation, recorded)
    changes = net_changes(recorded)
    planned, conflicts = repairs(changes, _current_rows(connection, changes))
    sound = {(entry.table_name, entry.row_key): entry for entry in planned}
    found = [*conflicts, *_free(connection, sound), *_complete(connection, sound)]
    later = later_operations(connection, operation_id, [entry.row_key for entry in found])
    return UndoPlan(
        operation,
        tuple(sound.values()),
        tuple(_later_change(conflict, later) for conflict in found),
        _double(connection, sound.values()),
        broken_off_before(connection, operation),
    )


def apply_undo(writes: WriteTransaction, plan: UndoPlan, *, force: bool) -> None:
    """Writes a plan that was made in the same transaction.

    Raises UndoConflictError for a plan with conflicts unless ``force``, and RestoreConflictError
    where a live memory says the same as one that is to come back, or has its key.
    """
    refusal = plan.refusal(force=force)
    if refusal is not None:
        raise refusal
    for table in reversed(metadata.sorted_tables):
        gone = [entry.now for entry in _of(plan, table) if entry.then is None]
        writes.delete(table, [row for row in gone if row is not None])
    for table in metadata.sorted_tables:
        _update(writes, table, _of(plan, table))
        _insert(writes, table, [entry.then for entry in _of(plan, table) if entry.now is None])
    _mark_chunks(writes, plan)


def _refuse(
    connection: Connection, operation: LoggedOperation, recorded: Sequence[RowChange]
) -> None:
    if operation.command == PURGE_COMMAND:
        raise PurgeUndoError(id=operation.id, earlier=_earlier(connection, operation.id))
    what = f"undo operation {operation.id}"
    if operation.undone_by is not None:
        why = f"operation {operation.undone_by} took it back already"
        raise UndoError(what=what, why=why)
    if not recorded:
        raise UndoError(what=what, why="the journal no longer holds what it changed")


def _earlier(connection: Connection, operation_id: int) -> str:
    """What was done before an operation and can be taken back, as a sentence."""
    earlier = newest_undoable(connection, operation_id)
    if earlier is None:
        return "Nothing that was done before it can be taken back."
    command = logged_operation(connection, earlier).command
    return f"`memctl undo {earlier}` takes back what was done before it ({command})."


def _of(plan: UndoPlan, table: Table) -> list[RowRepair]:
    return [entry for entry in plan.repairs if entry.table_name == table.name]


def _later_change(
    conflict: Conflict, later: Mapping[tuple[str, str], tuple[int, str]]
) -> LaterChange:
    operation_id, command = later.get((conflict.table_name, conflict.row_key), (None, None))
    return LaterChange(conflict, operation_id, command)


def _current_rows(connection: Connection, keys: Iterable[RowKey]) -> dict[RowKey, Row]:
    wanted: dict[str, list[str]] = {}
    for table_name, key in keys:
        wanted.setdefault(table_name, []).append(key)
    found: dict[RowKey, Row] = {}
    for table_name, row_keys in wanted.items():
        table = metadata.tables[table_name]
        first = table.c[key_columns(table)[0]]
        is_single = len(key_columns(table)) == 1
        values = row_keys if is_single else [json.loads(key)[0] for key in row_keys]
        chosen = set(row_keys)
        for row in _rows_where(connection, first, values):
            if row_key(table, row) in chosen:
                found[table_name, row_key(table, row)] = row
    return found


def _rows_where(
    connection: Connection, column: Column[object], values: Iterable[object]
) -> Iterator[Row]:
    for batch in in_batches(values):
        statement = select(column.table).where(column.in_(batch))
        for row in connection.execute(statement).mappings():
            yield dict(row)


def _references() -> Iterator[tuple[Table, Column[object], Table]]:
    """Every foreign key between tables whose rows are journalled: table, column, table meant."""
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            if table.name != "operation_changes":
                yield table, key.parent, key.column.table


def _free(connection: Connection, planned: dict[RowKey, RowRepair]) -> list[Conflict]:
    """Adds to the plan what refers to rows that are to go: it goes too, or loses the reference."""
    conflicts: list[Conflict] = []
    going = [entry for entry in planned.values() if entry.then is None]
    while going:
        next_going: list[RowRepair] = []
        for table, column, meant in _references():
            ids = {
                entry.now["id"] for entry in going if entry.now and entry.table_name == meant.name
            }
            for row in _rows_where(connection, column, ids):
                key = (table.name, row_key(table, row))
                then = planned[key].then if key in planned else row
                if then is None or then[column.name] not in ids:
                    continue
                then = _without_reference(then, column) if column.nullable else None
                planned[key] = RowRepair(*key, row, then)
                conflicts.append(Conflict(*key, (), "added or changed"))
                if then is None:
                    next_going.append(planned[key])
        going = next_going
    return conflicts


def _without_reference(row: Row, column: Column[object]) -> Row:
    """The row without what a column refers to; a memory that was outdated only by that has its
    whole importance again."""
    left = {**row, column.name: None}
    if column is not memories.c.superseded_by or row.get("superseded_by") is None:
        return left
    memory = no_longer_superseded(row_to_memory(_filled(memories, row)))
    return {**left, "importance": memory.importance, "decayed_from": memory.decayed_from}


def _complete(connection: Connection, planned: dict[RowKey, RowRepair]) -> list[Conflict]:
    """Takes out of the plan what would refer to rows that are not there, such as purged ones."""
    conflicts: list[Conflict] = []
    for table, column, meant in _references():
        entries = [e for e in planned.values() if e.table_name == table.name and e.then]
        wanted = {e.then.get(column.name) for e in entries if e.then} - {None}
        there = {row["id"] for row in _rows_where(connection, meant.c.id, wanted)}
        there |= {key for name, key in planned if name == meant.name and planned[name, key].then}
        there -= {
            key for name, key in planned if name == meant.name and not planned[name, key].then
        }
        for entry in entries:
            if (entry.then or {}).get(column.name) in {None, *there}:
                continue
            key = (entry.table_name, entry.row_key)
            conflicts.append(Conflict(*key, (column.name,), "left without what it refers to"))
            if column.nullable:
                left = _without_reference(entry.then or {}, column)
                planned[key] = RowRepair(*key, entry.now, left)
            else:
                del planned[key]
    return conflicts


def _double(connection: Connection, planned: Iterable[RowRepair]) -> RestoreConflictError | None:
    """What stands against a plan after which two live memories say one thing or have one key."""
    changed = {e.row_key: e for e in planned if e.table_name == memories.name}
    after = [
        row_to_memory(_filled(memories, entry.then)) for entry in changed.values() if entry.then
    ]
    hashes = [memory.content_hash for memory in after]
    rivals = memories_where(connection, memories.c.content_hash, hashes)
    rivals += live_holders(connection, [memory.key for memory in after if memory.key is not None])
    live = LiveMemories([*after, *(rival for rival in rivals if rival.id not in changed)])
    for memory in after:
        other_id = (live.saying(memory) or live.holding_key(memory)) if is_live(memory) else None
        if other_id is not None:
            other = other_id[:ID_DISPLAY_LENGTH]
            why = f"memory {other} says the same or has its key {memory.key!r}, and is live"
            return RestoreConflictError(id=memory.short_id, other=other, why=why)
    return None


def _update(writes: WriteTransaction, table: Table, entries: Sequence[RowRepair]) -> None:
    pairs = [(entry.now, entry.then) for entry in entries if entry.now and entry.then]
    if table is memories:
        # A key is free for its next holder once the last one has let go of it.
        letting_go = [pair for pair in pairs if _holds(pair[0]) and not _holds(pair[1])]
        writes.update(table, letting_go)
        pairs = [pair for pair in pairs if pair not in letting_go]
        moving = [now["id"] for now, then in pairs if _holds(now) and now["key"] != then["key"]]
        for batch in in_batches(moving):
            without_key = table.update().where(table.c.id.in_(batch)).values(key=None)
            writes.connection.execute(without_key)
    writes.update(table, pairs)


def _holds(row: Row) -> bool:
    return held_key(row_to_memory(_filled(memories, row))) is not None


def _insert(writes: WriteTransaction, table: Table, added: Sequence[Row | None]) -> None:
    rows = [_filled(table, row) for row in added if row is not None]
    if table is memories and rows:
        taken = {
            row["sequence"]
            for row in _rows_where(
                writes.connection, memories.c.sequence, [row["sequence"] for row in rows]
            )
        }
        following = writes.next_memory_sequence()
        for row in rows:
            if row["sequence"] is None or row["sequence"] in taken:
                row["sequence"], following = following, following + 1
    writes.insert(table, rows)


def _mark_chunks(writes: WriteTransaction, plan: UndoPlan) -> None:
    """Which statements a chunk makes decides whether it gets a vector of its own."""
    ids = [json.loads(entry.row_key)[1] for entry in _of(plan, memory_chunks)]
    there = [row["id"] for row in _rows_where(writes.connection, chunks.c.id, ids)]
    writes.mark_dirty(EntryKind.CHUNK, there, text_changed=True)


def _filled(table: Table, row: Row | None) -> Row:
    """The row with all columns of its table."""
    return {column.name: (row or {}).get(column.name) for column in table.columns}


def _short(key: str) -> str:
    if not key.startswith("["):
        return key[:ID_DISPLAY_LENGTH]
    return " ".join(str(part)[:ID_DISPLAY_LENGTH] for part in json.loads(key))
