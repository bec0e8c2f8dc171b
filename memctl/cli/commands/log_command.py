"""``memctl log``."""

from __future__ import annotations

from typing import Annotated

from memctl.cli.declaration import Argument
from memctl.cli.journal_views import change_json, change_line, operation_json, operation_note
from memctl.cli.options import DEFAULT_LIMIT, LimitOption
from memctl.cli.output import Column
from memctl.cli.session import Session
from memctl.times import format_local

COLUMNS = (
    Column("#", right=True),
    Column("when"),
    Column("command"),
    Column("what changed", wrap=True),
)


def log(
    session: Session,
    operation: Annotated[
        int | None,
        Argument(metavar="OPERATION", minimum=1, help="Show every change of this one."),
    ] = None,
    limit: LimitOption = DEFAULT_LIMIT,
) -> None:
    """Show what was done to the store, the newest first.

    Every command that writes is one operation; `undo` takes one back. With the number of an
    operation, each of its changes is shown. One that is "not finished" is at work, or was broken
    off: what it had stored by then stays.

    \b
    Examples:
      memctl log
      memctl log 12
    """
    if operation is not None:
        _show_one(session, operation)
        return
    graph = session.runtime.graph
    operations, total = graph.log(limit=limit), graph.count_operations()
    output = session.output
    if output.as_json:
        output.json({"operations": [operation_json(entry) for entry in operations], "total": total})
        return
    if not operations and output.is_rich:
        output.notice("the journal is empty")
        return
    rows = [
        [str(entry.id), format_local(entry.finished_at), entry.command, operation_note(entry)]
        for entry in operations
    ]
    output.table(COLUMNS, rows)
    if len(rows) < total:
        output.notice(f"the newest {len(rows):,} of {total:,}; --limit {total} shows more")


def _show_one(session: Session, number: int) -> None:
    operation, changes = session.runtime.graph.logged_operation(number)
    output = session.output
    if output.as_json:
        rows = [change_json(change) for change in changes]
        output.json({**operation_json(operation), "rows": rows})
        return
    when = format_local(operation.finished_at)
    output.line(f"{operation.id}  {when}  {operation.command}: {operation_note(operation)}")
    for change in changes:
        line = change_line(change.table_name, change.row_key, change.before, change.after)
        output.line(f"  {line}")
