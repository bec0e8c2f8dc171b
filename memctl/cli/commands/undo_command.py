"""``memctl undo``."""

from __future__ import annotations

from typing import Annotated

import typer

from memctl.cli.journal_views import change_line, summary, undo_json
from memctl.cli.options import DryRunOption
from memctl.cli.session import Session

SHOWN_ROWS = 20


def undo(
    session: Session,
    operation: Annotated[
        int | None,
        typer.Argument(
            metavar="OPERATION", min=1, help="Number in `log`; the newest one when not given."
        ),
    ] = None,
    dry_run: DryRunOption = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite what was changed later, too.")
    ] = False,
) -> None:
    """Take back what a command did.

    What was changed later is named and left alone unless --force is given. Undo is an operation
    itself, so it can be taken back as well; without a number, it goes one step further back each
    time.

    \b
    Examples:
      memctl undo
      memctl undo 12 --dry-run
      memctl undo 12 --force
    """
    runtime = session.runtime
    plan = runtime.graph.plan_undo(operation) if dry_run else runtime.undo(operation, force=force)
    output = session.output
    if output.as_json:
        output.json(undo_json(plan, dry_run=dry_run))
        return
    word = "Would take back" if dry_run else "Taken back"
    done = plan.operation
    output.line(f"{word}: {done.id} ({done.command}): {summary(done.counts)}")
    if not dry_run:
        return
    for entry in plan.repairs[:SHOWN_ROWS]:
        output.line(f"  {change_line(entry.table_name, entry.row_key, entry.now, entry.then)}")
    if len(plan.repairs) > SHOWN_ROWS:
        output.line(f"  and {len(plan.repairs) - SHOWN_ROWS:,} more rows")
    for later in plan.conflicts[:SHOWN_ROWS]:
        output.notice(f"{later}; only --force overwrites that")
