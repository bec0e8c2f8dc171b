"""``memctl maintain``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

from memctl.cli.declaration import Option
from memctl.cli.errors import CommandLineError
from memctl.cli.options import DryRunOption, MaxCallsOption, MaxCostOption
from memctl.cli.session import Session
from memctl.cli.text import shorten
from memctl.crontab import crontab_line
from memctl.errors import MemctlError, UsageError, WriteError
from memctl.maintenance.plan import (
    DEFAULT_STEPS,
    Consolidated,
    Consolidation,
    PlannedChange,
    StepName,
    StepReport,
)
from memctl.maintenance.timer import CRON_TIME, UNIT_NAME, service_unit, timer_unit
from memctl.memory import ID_DISPLAY_LENGTH
from memctl.times import format_local

SHOWN_CHANGES = 20
"""Planned changes of one step that people are shown; `--json` has them all."""

CONTENT_LENGTH = 60
CLEARING_UP = frozenset({StepName.CENTRALITY, StepName.REINDEX, StepName.COMPACT})
"""Steps that work on what the ones before them leave, which a dry run cannot know."""

STEP_NAMES = ", ".join(StepName)


def maintain(
    session: Session,
    only: Annotated[
        list[str] | None,
        Option("--only", metavar="STEPS", help=f"Only these steps, of {STEP_NAMES}."),
    ] = None,
    dry_run: DryRunOption = False,
    yes: Annotated[
        bool, Option("--yes", help="Hide more than a fifth of the store if need be.")
    ] = False,
    if_due: Annotated[
        bool,
        Option(
            "--if-due",
            help="Do nothing until maintenance.interval_hours have passed, a week; for cron.",
        ),
    ] = False,
    reindex: Annotated[bool, Option("--reindex", help="Only build the search index anew.")] = False,
    model: Annotated[
        str | None,
        Option("--model", metavar="NAME", help="Move the store to this embedding model."),
    ] = None,
    consolidate: Annotated[
        bool,
        Option(
            "--consolidate",
            help="Also let the language model write one memory for up to five near ones.",
        ),
    ] = False,
    max_calls: MaxCallsOption = None,
    max_cost: MaxCostOption = None,
    install_timer: Annotated[
        bool,
        Option(
            "--install-timer",
            help="Let systemd ask daily whether maintenance is due, and do it then; where none "
            "answers, show a line for cron.",
        ),
    ] = False,
    print_only: Annotated[
        bool, Option("--print", help="With --install-timer: show it, write nothing.")
    ] = False,
) -> None:
    """Keep the store in shape: fade, hide, merge, and tidy up.

    Importance decays when a memory is not used for 30 days, and comes back with a use. What has
    expired or faded is hidden. Of memories that say one thing in nearly the same words one stays,
    the others are hidden. One run hides at most a fifth of the store; the rest waits for the next
    run, or for --yes. The search index is checked and compacted. Nothing is erased: `undo` brings
    all of it back. Identities and pinned memories are left alone, but for an expiry of their own.

    The steps count memories, reindex rows of the search index, and compact old operations of the
    journal and loose pieces of the index. The last three work on what the others leave, so a dry
    run says what they would have to do as the store is now.

    With --consolidate the configured language model writes one statement for up to five memories of
    one matter. It is taken only if it keeps every number and name and most words of each; they
    are hidden behind it.

    \b
    Examples:
      memctl maintain --dry-run
      memctl maintain --only decay,prune
      memctl maintain --if-due
      memctl maintain --install-timer
      memctl maintain --consolidate --max-calls 20
      memctl maintain --model sentence-transformers/all-MiniLM-L6-v2
    """
    if print_only and not install_timer:
        why = "--print goes with --install-timer"
        raise CommandLineError(command="memctl maintain", why=why)
    if install_timer:
        left_out = {
            "--only": only is not None,
            "--reindex": reindex,
            "--model": model is not None,
            "--consolidate": consolidate,
            "--max-calls": max_calls is not None,
            "--max-cost": max_cost is not None,
            "--yes": yes,
        }
        for name, is_given in left_out.items():
            if is_given:
                why = f"--install-timer runs all steps when they are due, and takes no {name}"
                raise CommandLineError(command="memctl maintain", why=why)
        _install_timer(session, print_only=print_only or dry_run)
        return
    names = _names(only, whole_index=reindex or model is not None)
    if consolidate and StepName.CONSOLIDATE not in names:
        names.append(StepName.CONSOLIDATE)
    from memctl.maintaining import Maintaining

    maintaining = Maintaining(session.runtime)
    due = maintaining.due()
    if if_due and due.next is not None and not due.is_due(session.runtime.clock()):
        if session.output.as_json:
            session.output.json({"due": False, "next": due.next.isoformat(), "steps": []})
        else:
            session.output.notice(f"maintenance is not due before {format_local(due.next)}")
        return
    session.runtime.limit_spending(max_calls=max_calls, max_cost_usd=max_cost)
    with ExitStack() as bars:
        reports = list(
            maintaining.run(
                names,
                dry_run=dry_run,
                unbounded=yes,
                whole_index=reindex or model is not None,
                model_name=model,
                on_step=_progress(session, bars),
            )
        )
    is_due = due.next is None or due.is_due(session.runtime.clock())
    _show(session, reports, dry_run=dry_run, is_due=is_due)
    _end_as_the_steps_did(session, reports)
    if model is not None and not dry_run and model != session.settings.embedding.model:
        session.output.notice(
            f"the store's vectors are of {model} now; set it with "
            f"`memctl config set embedding.model {model}`"
        )


def _names(only: Sequence[str] | None, *, whole_index: bool) -> list[StepName]:
    words = [part.strip() for listed in only or () for part in listed.split(",")]
    if whole_index:
        if only and words != [StepName.REINDEX]:
            raise UsageError(what="use --only", why="--reindex and --model are the step reindex")
        return [StepName.REINDEX]
    if not only:
        return list(DEFAULT_STEPS)
    chosen = []
    for word in filter(None, words):
        if word not in set(StepName):
            raise UsageError(what="use --only", why=f"{word!r} is no step; there are {STEP_NAMES}")
        chosen.append(StepName(word))
    if not chosen:
        raise UsageError(what="use --only", why=f"it names no step; there are {STEP_NAMES}")
    return chosen


def _progress(
    session: Session, bars: ExitStack
) -> Callable[[StepName, int], Callable[[int], None]]:
    def on_step(name: StepName, count: int) -> Callable[[int], None]:
        bars.pop_all().close()
        bar = bars.enter_context(session.output.progress(count, name.value))

        def advance(done: int) -> None:
            for _ in range(done):
                bar.advance("")

        return advance

    return on_step


def _show(session: Session, reports: Sequence[StepReport], *, dry_run: bool, is_due: bool) -> None:
    output = session.output
    if output.as_json:
        output.json(
            {
                "due": is_due,
                "dry_run": dry_run,
                "steps": [_step_json(report) for report in reports],
                "warnings": output.warnings,
            }
        )
        return
    ids = [change.memory_id for report in reports for change in report.plan.changes[:SHOWN_CHANGES]]
    memories = session.runtime.graph.memories(ids)
    texts = {key: shorten(memory.content, CONTENT_LENGTH) for key, memory in memories.items()}
    for report in reports:
        output.line(_step_line(report, dry_run=dry_run))
        if dry_run:
            for change in report.plan.changes[:SHOWN_CHANGES]:
                output.line(f"  {_change_line(change, texts)}")
            if len(report.plan.changes) > SHOWN_CHANGES:
                output.line(f"  and {len(report.plan.changes) - SHOWN_CHANGES:,} more")
        if report.consolidation is not None:
            _show_consolidation(session, report.consolidation)
        if report.plan.withheld:
            output.notice(
                f"{report.name}: {report.plan.withheld:,} more are left for later, so that one run "
                "does not hide too much; --yes hides them too"
            )


def _show_consolidation(session: Session, consolidation: Consolidation) -> None:
    output = session.output
    for written in consolidation.written[:SHOWN_CHANGES]:
        behind = ", ".join(memory_id[:ID_DISPLAY_LENGTH] for memory_id in written.hidden_ids)
        text = shorten(written.content, CONTENT_LENGTH)
        output.line(f"  {written.memory_id[:ID_DISPLAY_LENGTH]}  {text} (for {behind})")
    for left in consolidation.left_alone[:SHOWN_CHANGES]:
        ids = ", ".join(memory_id[:ID_DISPLAY_LENGTH] for memory_id in left.memory_ids)
        output.notice(f"{ids} were left as they are: {left.why}")


def _end_as_the_steps_did(session: Session, reports: Sequence[StepReport]) -> None:
    """What stopped a step, or the language model, ends the command once all else is done and
    shown."""
    for report in reports:
        error = _error_of(report)
        if error is not None and session.output.as_json:
            session.exit_code = error.exit_code
        elif error is not None:
            raise error


def _error_of(report: StepReport) -> MemctlError | None:
    if report.consolidation is not None and report.consolidation.error is not None:
        return report.consolidation.error
    return report.error


def _step_json(report: StepReport) -> dict[str, Any]:
    done, error = report.consolidation, _error_of(report)
    return {
        "name": report.name.value,
        "planned": report.planned,
        "applied": report.applied,
        "withheld": report.plan.withheld,
        "seconds": round(report.seconds, 3),
        "changes": [
            {"id": change.memory_id, "note": change.note, "into": change.into}
            for change in report.plan.changes
        ],
        "written": [] if done is None else [_written_json(one) for one in done.written],
        "left_alone": []
        if done is None
        else [{"ids": list(left.memory_ids), "reason": left.why} for left in done.left_alone],
        "error": None if error is None else str(error),
    }


def _written_json(written: Consolidated) -> dict[str, Any]:
    return {
        "id": written.memory_id,
        "content": written.content,
        "hidden": list(written.hidden_ids),
    }


def _step_line(report: StepReport, *, dry_run: bool) -> str:
    nothing = "nothing to do"
    if report.error is not None:
        return f"{report.name}: not done, because the search index cannot be used"
    if dry_run:
        planned = f"{report.planned:,} planned"
        if report.name in CLEARING_UP:
            planned += ", as the store is now"
        return f"{report.name}: {planned if report.planned else nothing}"
    done = f"{report.applied:,} done in {report.seconds:.1f} s" if report.planned else nothing
    return f"{report.name}: {done}"


def _change_line(change: PlannedChange, texts: Mapping[str, str]) -> str:
    return f"{change.memory_id[:8]}  {change.note}: {texts.get(change.memory_id, '')}"


def _install_timer(session: Session, *, print_only: bool) -> None:
    from memctl.cli.service_setup import (
        has_user_systemd,
        setting_variables,
        store_and_configuration,
    )

    command = [*_own_command(), "maintain", "--if-due", *store_and_configuration(session)]
    variables = setting_variables(session)
    environment = session.streams.environment
    output = session.output
    if not has_user_systemd(environment):
        line = crontab_line(CRON_TIME, command, variables)
        if output.as_json:
            output.json({"crontab": line, "files": [], "enable": None})
            return
        output.notice("no systemd of yours answers here; add this line with `crontab -e`")
        output.line(line)
        return
    home = environment.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    folder = Path(home) / "systemd" / "user"
    units = {
        folder / f"{UNIT_NAME}.service": service_unit(command, variables),
        folder / f"{UNIT_NAME}.timer": timer_unit(),
    }
    for path, text in units.items():
        if not print_only:
            _write(path, text)
    enable = f"systemctl --user daemon-reload && systemctl --user enable --now {UNIT_NAME}.timer"
    if output.as_json:
        output.json({"crontab": None, "files": [str(path) for path in units], "enable": enable})
        return
    for path, text in units.items():
        output.line(f"# {path}\n{text}" if print_only else f"wrote {path}")
    if print_only:
        output.notice("nothing has been written")
        return
    output.notice(f"start it with: {enable}")


def _own_command() -> list[str]:
    script = Path(sys.argv[0])
    if script.name == "memctl" and script.exists():
        return [str(script.absolute())]
    return [sys.executable, "-m", "memctl"]


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise WriteError(path=path, why=error.strerror or str(error)) from error
