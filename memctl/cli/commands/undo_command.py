"""``memctl undo``."""

from __future__ import annotations

from typing import Annotated

from memctl.cli.declaration import Argument, Option
from memctl.cli.journal_views import change_line, summary_with_texts, undo_json
from memctl.cli.options import DryRunOption
from memctl.cli.session import Session
from memctl.errors import ExitCode
from memctl.store.undoing import UndoPlan
from memctl.times import format_relative

SHOWN_ROWS = 20


def undo(
    session: Session,
    operation: Annotated[
        int | None,
        Argument(
            metavar="OPERATION", minimum=1, help="Number in `log`; the newest one when not given."
        ),
    ] = None,
    dry_run: DryRunOption = False,
    force: Annotated[
        bool, Option("--force", help="Overwrite what was changed later, too.")
    ] = False,
) -> None:
    """Take back what a command did.

    Without a number, that is the newest command which changed memories, passages or links: one that
    changed nothing, such as the saving of a known text, is not in the journal and is passed over.
    So look at what it names, or at `log` and --dry-run before.

    What was changed later is named and left alone unless --force is given. With --dry-run nothing
    is changed, and the exit status is that of the real run. Undo is an operation itself, so it can
    be taken back as well; without a number, it goes one step further back each time. It stops at a
    `forget --purge`, which cannot be taken back, and says what can be that was done before.

    \b
    Examples:
      memctl undo
      memctl undo 12 --dry-run
      memctl undo 12 --force
    """
    output = session.output
    if dry_run:
        _show_plan(session, session.runtime.graph.plan_undo(operation), force=force)
        return
    plan = session.runtime.undo(operation, force=force)
    if output.as_json:
        output.json(undo_json(plan, dry_run=False))
        return
    output.line(f"Taken back: {_operation_text(session, plan)}")
    output.notice(f"`memctl undo {plan.operation.undone_by}` brings it back")


def _show_plan(session: Session, plan: UndoPlan, *, force: bool) -> None:
    """Shows what would be done and ends as the real run would: with the error that refuses it."""
    output = session.output
    refusal = plan.refusal(force=force)
    if output.as_json:
        refused = None if refusal is None else str(refusal)
        output.json({**undo_json(plan, dry_run=True), "refused": refused})
        session.exit_code = ExitCode.OK if refusal is None else refusal.exit_code
        return
    output.line(f"Would take back: {_operation_text(session, plan)}")
    for entry in plan.repairs[:SHOWN_ROWS]:
        output.line(f"  {change_line(entry.table_name, entry.row_key, entry.now, entry.then)}")
    if len(plan.repairs) > SHOWN_ROWS:
        output.line(f"  and {len(plan.repairs) - SHOWN_ROWS:,} more rows")
    consequence = "that is overwritten" if force else "only --force overwrites that"
    for later in plan.conflicts[:SHOWN_ROWS]:
        output.notice(f"{later}; {consequence}")
    if refusal is not None:
        raise refusal


def _operation_text(session: Session, plan: UndoPlan) -> str:
    done = plan.operation
    age = format_relative(done.finished_at, session.runtime.clock())
    return f"{done.id} ({done.command}, {age}): {summary_with_texts(done)}"
