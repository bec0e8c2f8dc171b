"""``memctl restore-backup``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

from memctl.care import Care
from memctl.cli.backups import manifest_json, manifest_text
from memctl.cli.confirmation import is_confirmed
from memctl.cli.declaration import Argument, Option
from memctl.cli.options import DryRunOption
from memctl.cli.render import near_path
from memctl.cli.session import Session
from memctl.errors import BackupError, ExitCode, MissingPathError


def restore_backup(
    session: Session,
    file: Annotated[Path, Argument(metavar="FILE", help="What `memctl backup` wrote.")],
    yes: Annotated[bool, Option("--yes", help="Do not ask at a terminal.")] = False,
    dry_run: DryRunOption = False,
) -> None:
    """Put a backup in the place of the store, which is kept aside.

    Every byte of the backup is checked first, its database by SQLite's own check, and its search
    index by asking it. A backup that is not whole changes nothing; an index that alone does not
    answer is built again from the database. The replaced store stays in a folder replaced-DATE
    beside the database, and --store opens it. memctl undo does not take a restore back: what it
    prints says how to look into the replaced store and how to go back to it. Where there is a
    store, it asks first at a terminal, unless --yes is given.

    \b
    Examples:
      memctl restore-backup memctl-2026-03-04.tar --dry-run
      memctl restore-backup memctl-2026-03-04.tar
    """
    if not file.exists():
        raise MissingPathError(path=file)
    if not file.is_file():
        raise BackupError(path=file, why="it is no file")
    care = Care(session.runtime)
    if not (dry_run or yes) and not _is_wanted(session, file):
        session.output.notice("nothing was restored")
        session.exit_code = ExitCode.FAILED
        return
    if dry_run:
        manifest, kept_at, is_kept_damaged = care.verify_backup(file).manifest, None, False
    else:
        report = care.restore_backup(file)
        manifest, kept_at = report.backup.manifest, report.kept_at
        is_kept_damaged = report.is_kept_damaged
    output = session.output
    if output.as_json:
        output.json(
            {
                "path": str(file),
                "dry_run": dry_run,
                "kept_at": None if kept_at is None else str(kept_at),
                **manifest_json(manifest),
                "warnings": output.warnings,
            }
        )
        return
    word = "Would restore" if dry_run else "Restored"
    output.line(f"{word}: {manifest_text(manifest)}, of {manifest.created_at[:16]}")
    if kept_at is not None:
        _tell_of_replaced(session, kept_at, is_damaged=is_kept_damaged)


def _is_wanted(session: Session, file: Path) -> bool:
    store = session.settings.store
    if not store.has_database:
        return True
    place = near_path(str(store.path))
    return is_confirmed(session, f"put {file} in the place of the store {place}, kept aside?")


def _tell_of_replaced(session: Session, kept_at: Path, *, is_damaged: bool) -> None:
    """Where the replaced store is, and the commands that open it and bring it back."""
    options, output = session.options, session.output
    if is_damaged:
        output.line(f"The replaced store was damaged, and is kept as it was in {kept_at}")
        return
    here = ["memctl"]
    if options.store is not None:
        here += ["--store", str(options.store)]
    if options.config is not None:
        here += ["--config", str(options.config)]
    there, copy = ["memctl", "--store", str(kept_at)], f"{kept_at.name}.tar"
    output.line(f"The replaced store is kept in {kept_at}; `memctl undo` does not bring it back")
    output.line(f"To look into it: {shlex.join([*there, 'list'])}")
    back = [[*there, "backup", copy], [*here, "restore-backup", copy]]
    output.line(f"To go back to it: {' && '.join(map(shlex.join, back))}")
