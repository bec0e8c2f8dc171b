"""Reads of the journal: which operations there were, and what each of them changed.

An operation that an ``undo`` took back counts as undone until that undo is taken back itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, case, func, or_, select

from memctl.errors import DamagedRowError, UnknownOperationError
from memctl.store.readings import (
    Readings,
    optional,
    read_columns,
    read_json_object,
    read_text,
    read_whole_number,
    text_to_instant,
)
from memctl.store.reads import SHOWN_CANDIDATES, in_batches, the_one_meant, wanted_prefix
from memctl.store.rows import Row
from memctl.store.schema import documents, memories, metadata, operation_changes, operations
from memctl.store.unfinished import unfinished_operations

OPERATION_READINGS: Readings = {
    "id": read_whole_number,
    "command": read_text,
    "arguments": read_json_object,
    "started_at": text_to_instant,
    "finished_at": text_to_instant,
}
_ARGUMENT_READINGS: Readings = {"arguments": read_json_object}

CHANGE_READINGS: Readings = {
    "table_name": metadata.tables.__getitem__,
    "row_key": read_text,
    "row_before": optional(read_json_object),
    "row_after": optional(read_json_object),
}

UNDO_COMMAND = "undo"
PURGE_COMMAND = "forget --purge"

LARGEST_NUMBER = 2**63 - 1
"""The largest number that a database keeps in one column; its driver takes no larger one."""

_ADDED_AT = func.min(case((operation_changes.c.row_before.is_(None), operation_changes.c.id)))
_REMOVED_AT = func.min(case((operation_changes.c.row_after.is_(None), operation_changes.c.id)))
_NEWLY_THERE = func.sum(
    case((operation_changes.c.row_before.is_(None), 1), else_=0)
    - case((operation_changes.c.row_after.is_(None), 1), else_=0)
)
"""Of a row: 1 where an operation has added it in the end, -1 where it has removed it, else 0."""

_KIND = case(
    (_NEWLY_THERE > 0, "added"),
    (_NEWLY_THERE < 0, "removed"),
    (func.coalesce(_REMOVED_AT, _ADDED_AT) > _ADDED_AT, None),
    else_="changed",
)
"""What an operation has done to a row in the end; nothing to one that it added and removed."""

NAMED_MEMORIES = 3
"""Memories by which an operation can be known again: more are read than told apart."""

_CHANGED_MORE_THAN_A_LEDGER = (
    select(operation_changes.c.id)
    .where(
        operation_changes.c.operation_id == operations.c.id,
        operation_changes.c.table_name != documents.name,
    )
    .exists()
)
"""Where a file lies and how its reading ended are no doings that anybody means by the last one."""


@dataclass(frozen=True, slots=True)
class NamedMemory:
    """A memory that an operation changed, with its text as it is now, or was before it went."""

    id: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedOperation:
    """One operation: ``counts`` says for (table, "added", "changed" or "removed") how many rows it
    has done that to in the end, however often it wrote them. ``memories`` are the first that it
    changed, at most ``NAMED_MEMORIES``, without those whose text is nowhere any more. ``undone_by``
    is the operation that took it back. ``is_unfinished``: it is at work, or was broken off."""

    id: int
    command: str
    arguments: Mapping[str, object]
    started_at: datetime
    finished_at: datetime
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    memories: tuple[NamedMemory, ...] = ()
    undone_by: int | None = None
    is_unfinished: bool = False

    @property
    def undoes(self) -> int | None:
        """The operation that this one took back."""
        target = self.arguments.get("operation")
        return target if self.command == UNDO_COMMAND and isinstance(target, int) else None


@dataclass(frozen=True, slots=True)
class RowChange:
    """One change of a row; a row that was added has no ``before``, one that was removed no
    ``after``. Of a changed row both hold what changed; columns without a value are left out."""

    table_name: str
    row_key: str
    before: Row | None
    after: Row | None


def logged_operations(
    connection: Connection, *, limit: int | None = None, before: int | None = None
) -> list[LoggedOperation]:
    """Operations, the newest first, at most ``limit`` of those with an id below ``before``."""
    statement = select(operations).order_by(operations.c.id.desc()).limit(limit)
    if before is not None:
        statement = statement.where(operations.c.id < before)
    return _logged(connection, list(connection.execute(statement).mappings()))


def count_operations(connection: Connection) -> int:
    """How many operations the journal holds."""
    return connection.execute(select(func.count()).select_from(operations)).scalar_one()


def logged_operation(connection: Connection, operation_id: int) -> LoggedOperation:
    """The operation of that number. Raises UnknownOperationError."""
    if operation_id > LARGEST_NUMBER:
        raise UnknownOperationError(id=operation_id)
    statement = select(operations).where(operations.c.id == operation_id)
    found = _logged(connection, list(connection.execute(statement).mappings()))
    if not found:
        raise UnknownOperationError(id=operation_id)
    return found[0]


def newest_done(connection: Connection) -> int | None:
    """The newest operation that is neither undone nor an undo itself, among those that changed more
    than the ledger of documents. A purge counts, although it cannot be taken back."""
    changed = or_(operations.c.command == PURGE_COMMAND, _CHANGED_MORE_THAN_A_LEDGER)
    return _newest_not_undone(connection, changed)


def newest_undoable(connection: Connection, before: int) -> int | None:
    """The newest operation with a number below ``before`` that can be taken back."""
    return _newest_not_undone(
        connection,
        operations.c.id < before,
        operations.c.command != PURGE_COMMAND,
        _CHANGED_MORE_THAN_A_LEDGER,
    )


def _newest_not_undone(connection: Connection, *conditions: ColumnElement[bool]) -> int | None:
    undone = _undone_by(connection)
    statement = (
        select(operations.c.id)
        .where(operations.c.command != UNDO_COMMAND, *conditions)
        .order_by(operations.c.id.desc())
    )
    for operation_id in connection.scalars(statement):
        if operation_id not in undone:
            return int(operation_id)
    return None


def broken_off_before(connection: Connection, operation: LoggedOperation) -> int | None:
    """The newest operation of the same command before that one which is unfinished and not taken
    back."""
    return _newest_not_undone(
        connection,
        operations.c.id < operation.id,
        operations.c.id.in_(unfinished_operations(connection)),
        operations.c.command == operation.command,
    )


def changes_of(connection: Connection, operation_id: int) -> list[RowChange]:
    """Every change of an operation, in the order in which it happened."""
    statement = (
        select(operation_changes)
        .where(operation_changes.c.operation_id == operation_id)
        .order_by(operation_changes.c.id)
    )
    return [row_change(row) for row in connection.execute(statement).mappings()]


def resolve_in_journal(connection: Connection, prefix: str) -> str:
    """The one id that starts with ``prefix`` of all memories whose changes the journal holds, be
    they in the store or not; of a purged one it holds no more than that it was.

    Raises ShortPrefixError, UnknownMemoryError and AmbiguousMemoryError.
    """
    wanted = wanted_prefix(prefix)
    key = operation_changes.c.row_key
    statement = (
        select(key)
        .distinct()
        .join(operations, operations.c.id == operation_changes.c.operation_id)
        .where(
            operations.c.command != PURGE_COMMAND,
            operation_changes.c.table_name == memories.name,
            key.startswith(wanted, autoescape=True),
        )
        .order_by(key)
        .limit(SHOWN_CANDIDATES + 1)
    )
    found = connection.scalars(statement).all()
    return the_one_meant(prefix, [(one, "") for one in found])


def later_operations(
    connection: Connection, operation_id: int, row_keys: Iterable[str]
) -> dict[tuple[str, str], tuple[int, str]]:
    """For (table, row key), the id and command of the last operation after that one that changed
    the row."""
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for batch in in_batches(row_keys):
        statement = (
            select(
                operation_changes.c.table_name,
                operation_changes.c.row_key,
                operations.c.id,
                operations.c.command,
            )
            .join(operations, operations.c.id == operation_changes.c.operation_id)
            .where(operation_changes.c.row_key.in_(batch), operations.c.id > operation_id)
            .order_by(operations.c.id)
        )
        for table_name, key, number, command in connection.execute(statement):
            found[table_name, key] = (int(number), command)
    return found


def last_change_id(connection: Connection) -> int:
    """The number of the newest change, 0 without any. An operation of several transactions may add
    changes after others have begun, so its own number does not tell what came when."""
    return int(connection.scalar(select(func.max(operation_changes.c.id))) or 0)


def changed_keys_since(
    connection: Connection, change_id: int, table_name: str, *, but_by: str = ""
) -> set[str]:
    """The keys of the rows of a table that changes after that one concern, other than those of the
    command ``but_by``."""
    statement = (
        select(operation_changes.c.row_key)
        .join(operations, operations.c.id == operation_changes.c.operation_id)
        .where(
            operation_changes.c.id > change_id,
            operation_changes.c.table_name == table_name,
            operations.c.command != but_by,
        )
        .distinct()
    )
    return set(connection.scalars(statement))


def _logged(connection: Connection, rows: list[RowMapping]) -> list[LoggedOperation]:
    undone = _undone_by(connection)
    unfinished = unfinished_operations(connection)
    counts = _counts(connection, [row["id"] for row in rows])
    return [
        LoggedOperation(
            **read_columns("operation", row, OPERATION_READINGS),
            counts=counts.get(row["id"], {}),
            memories=_named_memories(connection, row["id"]),
            undone_by=undone.get(row["id"]),
            is_unfinished=row["id"] in unfinished,
        )
        for row in rows
    ]


def _named_memories(connection: Connection, operation_id: int) -> tuple[NamedMemory, ...]:
    """Which memories an operation changed first."""
    changes = (
        select(operation_changes, memories.c.content)
        .outerjoin(memories, memories.c.id == operation_changes.c.row_key)
        .where(
            operation_changes.c.operation_id == operation_id,
            operation_changes.c.table_name == memories.name,
        )
        .order_by(operation_changes.c.id)
        .limit(NAMED_MEMORIES)
    )
    named: dict[str, NamedMemory] = {}
    for row in connection.execute(changes).mappings():
        content = row["content"] or _recorded_content(row)
        if isinstance(content, str) and content:
            named[row["row_key"]] = NamedMemory(row["row_key"], content)
    return tuple(named.values())


def _recorded_content(row: RowMapping) -> str | None:
    """What a memory said by a change; nothing where that cannot be read, as ``doctor`` says."""
    try:
        change = row_change(row)
    except DamagedRowError:
        return None
    content: str | None = (change.before or change.after or {}).get("content")
    return content


def _undone_by(connection: Connection) -> dict[int, int]:
    """By operation that is undone now, the one that undid it."""
    statement = (
        select(operations.c.id, operations.c.arguments)
        .where(operations.c.command == UNDO_COMMAND)
        .order_by(operations.c.id.desc())
    )
    undone: dict[int, int] = {}
    for row in connection.execute(statement).mappings():
        arguments = read_columns("operation", row, _ARGUMENT_READINGS)["arguments"]
        if row["id"] not in undone and "operation" in arguments:
            undone[arguments["operation"]] = row["id"]
    return undone


def _counts(
    connection: Connection, operation_ids: Iterable[int]
) -> dict[int, dict[tuple[str, str], int]]:
    found: dict[int, dict[tuple[str, str], int]] = {}
    for batch in in_batches(operation_ids):
        names = operation_changes.c.operation_id, operation_changes.c.table_name
        rows = (
            select(*names, _KIND.label("kind"))
            .where(operation_changes.c.operation_id.in_(batch))
            .group_by(*names, operation_changes.c.row_key)
            .subquery()
        )
        columns = rows.c.operation_id, rows.c.table_name, rows.c.kind
        statement = (
            select(*columns, func.count()).where(rows.c.kind.is_not(None)).group_by(*columns)
        )
        for operation_id, table_name, kind, count in connection.execute(statement):
            found.setdefault(operation_id, {})[table_name, kind] = count
    return found


def row_change(row: RowMapping) -> RowChange:
    """The change that a row of the journal records. Raises DamagedRowError."""
    states = read_columns(
        f"change of operation {row['operation_id']}, number", row, CHANGE_READINGS
    )
    return RowChange(row["table_name"], row["row_key"], states["row_before"], states["row_after"])


def recorded_states(row: RowMapping) -> list[dict[str, Any]]:
    """The recorded states of a row, before and after. Raises DamagedRowError."""
    change = row_change(row)
    return [state for state in (change.before, change.after) if state]
