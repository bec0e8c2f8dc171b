"""``memctl undo``."""

from __future__ import annotations

from typing import Annotated

from memctl.cli.declaration import Argument, Option
from memctl.cli.errors import CommandLineError
from memctl.cli.journal_views import change_line, summary_with_texts, undo_json
from memctl.cli.options import DEFAULT_LIMIT, MAXIMUM_LIMIT, DryRunOption
from memctl.cli.session import Session
from memctl.errors import ExitCode
from memctl.plural import plural
from memctl.store.undoing import UndoPlan
from memctl.times import format_relative


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
    limit: Annotated[
        int | None,
        Option(
            "--limit",
            "-n",
            metavar="N",
            minimum=1,
            maximum=MAXIMUM_LIMIT,
            help=f"With --dry-run: how many rows to show (default: {DEFAULT_LIMIT}).",
        ),
    ] = None,
) -> None:
    """Take back what a command did.

    Without a number, that is the newest command which changed memories, passages or links: one that
    changed nothing, such as the saving of a known text, is not in the journal and is passed over.
    So look at what it names, or at `log` and --dry-run before. A run that was broken off is an
    operation of its own, also where another one has gone on with it.

    What was changed later is named and left alone unless --force is given. With --dry-run nothing
    is changed, and the exit status is that of the real run. Undo is an operation itself, so it can
    be taken back as well; without a number, it goes one step further back each time. It stops at a
    `forget --purge`, which cannot be taken back, and says what can be that was done before.

    \b
    Examples:
      memctl undo
      memctl undo 12 --dry-run --limit 100
      memctl undo 12 --force
    """
    if limit is not None and not dry_run:
        raise CommandLineError(command="memctl undo", why="--limit goes with --dry-run")
    output = session.output
    if dry_run:
        plan = session.runtime.graph.plan_undo(operation)
        _show_plan(session, plan, limit or DEFAULT_LIMIT, force=force)
        return
    plan = session.runtime.undo(operation, force=force)
    if output.as_json:
        output.json(undo_json(plan, dry_run=False))
        return
    output.line(f"Taken back: {_operation_text(session, plan)}")
    output.notice(f"`memctl undo {plan.operation.undone_by}` brings it back")
    _tell_of_broken_off(session, plan)


def _show_plan(session: Session, plan: UndoPlan, limit: int, *, force: bool) -> None:
    """Shows what would be done and ends as the real run would: with the error that refuses it.

    People see ``limit`` rows and as many later changes at the most, and how many more there are.
    """
    output = session.output
    refusal = plan.refusal(force=force)
    if output.as_json:
        refused = None if refusal is None else str(refusal)
        output.json({**undo_json(plan, dry_run=True), "refused": refused})
        session.exit_code = ExitCode.OK if refusal is None else refusal.exit_code
        return
    output.line(f"Would take back: {_operation_text(session, plan)}")
    for entry in plan.repairs[:limit]:
        output.line(f"  {change_line(entry.table_name, entry.row_key, entry.now, entry.then)}")
    if len(plan.repairs) > limit:
        output.line(f"  and {_more(len(plan.repairs), limit, 'row')}")
    consequence = "that is overwritten" if force else "only --force overwrites that"
    for later in plan.conflicts[:limit]:
        output.notice(f"{later}; {consequence}")
    if len(plan.conflicts) > limit:
        output.notice(f"and {_more(len(plan.conflicts), limit, 'later change')}")
    if refusal is not None:
        raise refusal
    _tell_of_broken_off(session, plan)


def _tell_of_broken_off(session: Session, plan: UndoPlan) -> None:
    """What a run has stored that did not come to its end, and that another one has gone on with."""
    number = plan.broken_off
    if number is not None:
        command = plan.operation.command
        session.output.notice(
            f"an earlier {command}, operation {number}, was broken off, and what it stored stays: "
            f"`memctl undo {number}` takes it back"
        )


def _more(total: int, shown: int, name: str) -> str:
    """``5 more rows; --limit 25 shows all``."""
    way = f"--limit {total}" if total <= MAXIMUM_LIMIT else "--json"
    return f"{plural(total - shown, f'more {name}')}; {way} shows all"


def _operation_text(session: Session, plan: UndoPlan) -> str:
    done = plan.operation
    age = format_relative(done.finished_at, session.runtime.clock())
    return f"{done.id} ({done.command}, {age}): {summary_with_texts(done)}"
