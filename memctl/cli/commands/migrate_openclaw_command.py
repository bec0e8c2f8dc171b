"""``memctl migrate-openclaw``."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from memctl.cli.declaration import Argument, Option
from memctl.cli.migration_report import Migration, print_report, report_json, report_lines
from memctl.cli.options import DryRunOption, parse_time
from memctl.cli.session import Session
from memctl.document import DocumentStatus
from memctl.errors import ExitCode, LockedError, NothingToMigrateError, StoreError
from memctl.migrating import Migrating
from memctl.migration.discover import usual_places
from memctl.migration.foresight import Foresight
from memctl.migration.options import MigrationOptions
from memctl.migration.outcome import FileOutcome, Proof
from memctl.migration.plan import MigrationPlan
from memctl.plural import plural
from memctl.target_file import target_of, write_whole

FAILED_STATUSES = frozenset({DocumentStatus.UNREADABLE, DocumentStatus.FAILED})
"""Files that could not be read; the others are taken all the same."""


def migrate_openclaw(
    session: Session,
    path: Annotated[
        Path | None,
        Argument(
            metavar="[PATH]",
            help="A state folder, a workspace, one file, or a backup of these as a folder, .zip "
            "or .tar.gz; without it the usual places are looked up.",
        ),
    ] = None,
    dry_run: DryRunOption = False,
    verbose: Annotated[
        bool, Option("--verbose", "-v", help="Show every memory and every file that is left.")
    ] = False,
    sessions: Annotated[
        bool,
        Option("--sessions", help="Take transcripts too; `memctl channel` shows them."),
    ] = False,
    persona: Annotated[
        bool, Option("--persona", help="Take SOUL.md, the agent's character, too.")
    ] = False,
    follow_config: Annotated[
        bool,
        Option("--follow-config", help="Take workspaces that lie outside of PATH too."),
    ] = False,
    since: Annotated[
        str | None,
        Option("--since", metavar="WHEN", help="Only files of that day or later."),
    ] = None,
    workspace: Annotated[
        list[str] | None,
        Option("--workspace", metavar="NAME", help="Only this agent's; may repeat."),
    ] = None,
    channel_prefix: Annotated[
        str | None,
        Option(
            "--channel-prefix", metavar="TEXT", help="What stands before the agent in channels."
        ),
    ] = None,
    llm: Annotated[
        bool,
        Option("--llm", help="Let the language model type what nothing marks; needs llm.model."),
    ] = False,
    max_calls: Annotated[
        int | None,
        Option(
            "--max-calls", metavar="N", minimum=1, help="Ask the language model at most so often."
        ),
    ] = None,
    max_cost: Annotated[
        float | None,
        Option("--max-cost", metavar="USD", minimum=0, help="Ask nothing more once this is spent."),
    ] = None,
    report: Annotated[
        Path | None, Option("--report", metavar="FILE", help="Write all of it as JSON.")
    ] = None,
) -> None:
    """Move in from OpenClaw or ZeroClaw, with proof.

    The memory files of all workspaces become memories with type, day and place; the source is only
    ever read. Running it again adds what is new, and an edited line updates its memory. At the end
    the store is read back and compared with the plan. A dry run says what is new and what the
    store has already.

    \b
    Examples:
      memctl migrate-openclaw ~/.openclaw --dry-run
      memctl migrate-openclaw ~/.openclaw --sessions --report moved.json
      memctl migrate-openclaw old-laptop/workspace --workspace main --since 2026-01-01
      memctl migrate-openclaw 2026-03-09-openclaw-backup.tar.gz
    """
    home = Path(session.streams.environment.get("HOME") or "/")
    options = MigrationOptions(
        sessions=sessions,
        persona=persona,
        follow_config=follow_config,
        since=None if since is None else parse_time(since, session.runtime.clock(), "--since"),
        workspaces=tuple(workspace or ()),
        channel_prefix=channel_prefix,
        max_bytes=int(session.settings.ingest.max_file_megabytes * 1_000_000),
        chunk_tokens=session.settings.ingest.chunk_tokens,
    )
    migrating = Migrating(session.runtime, home=home, warn=session.output.warn)
    report_file = None if report is None else target_of(report, may_replace=True)
    session.runtime.limit_spending(max_calls=max_calls, max_cost_usd=max_cost)
    plan = _plan(session, migrating, _paths(session, path, home), options)
    foresight = _foresee(session, migrating, plan) if dry_run or llm else None
    if llm:
        _type_by_model(session, migrating, plan, foresight)
    outcomes: list[FileOutcome] = []
    proof: Proof | None = None
    if not dry_run:
        with session.output.progress(len(plan.taken), "Moving in") as progress:
            for outcome in migrating.apply(plan):
                outcomes.append(outcome)
                progress.advance(outcome.file.source.path.name)
        proof = migrating.prove(outcomes)
    migration = Migration(plan, outcomes, proof, foresight if dry_run else None)
    if report_file is not None:
        document = report_json(migration, session.output.warnings, verbose=True)
        write_whole(report_file, report_lines(document))
    print_report(session.output, migration, verbose=verbose)
    session.exit_code = _exit_code(plan, proof)


def _paths(session: Session, path: Path | None, home: Path) -> list[Path]:
    if path is not None:
        return [path]
    found = usual_places(home)
    if not found:
        raise NothingToMigrateError(
            path=str(home), why="no folder of OpenClaw or ZeroClaw is there"
        )
    for place in found:
        session.output.notice(f"found {place}")
    return found


def _plan(
    session: Session, migrating: Migrating, paths: list[Path], options: MigrationOptions
) -> MigrationPlan:
    with ExitStack() as shown:

        def begin_reading(total: int) -> Callable[[str], None]:
            return shown.enter_context(session.output.progress(total, "Reading")).advance

        plan = migrating.plan(paths, options, begin_reading)
    for warning in plan.warnings:
        session.output.warn(warning)
    is_anything = plan.workspaces or any(file.read or file.rows for file in plan.files)
    if not is_anything and any(path.is_dir() for path in paths):
        raise NothingToMigrateError(
            path=", ".join(map(str, paths)),
            why=f"nothing in it is an agent's memory ({plural(len(plan.files), 'file')} looked at)",
        )
    return plan


def _foresee(session: Session, migrating: Migrating, plan: MigrationPlan) -> Foresight | None:
    try:
        return migrating.foresee(plan)
    except (StoreError, LockedError) as error:
        session.output.warn(f"{error}; what of this is in the store already is not known")
        return None


def _type_by_model(
    session: Session, migrating: Migrating, plan: MigrationPlan, foresight: Foresight | None
) -> None:
    """Types what is new; a model that cannot go on leaves the rest as it is."""
    with session.output.progress(plan.memory_count, "Typing") as progress:
        typed = migrating.type_by_model(plan, foresight, progress.advance)
    if typed.problem is not None:
        session.output.warn(f"{typed.problem}; the built-in rules type the rest")
    session.output.notice(
        f"the language model typed {plural(typed.typed, 'statement')}, "
        f"{typed.changed} of them otherwise than the rules"
    )


def _exit_code(plan: MigrationPlan, proof: Proof | None) -> ExitCode:
    failed = [file for file in plan.files if file.status in FAILED_STATUSES]
    if proof is not None and not proof.holds:
        return ExitCode.PARTIAL
    if not failed:
        return ExitCode.OK
    return ExitCode.PARTIAL if plan.taken else ExitCode.FAILED
