"""``memctl restore-backup``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from memctl.care import Care
from memctl.cli.backups import manifest_json, manifest_text
from memctl.cli.declaration import Argument
from memctl.cli.options import DryRunOption
from memctl.cli.session import Session
from memctl.errors import BackupError, MissingPathError


def restore_backup(
    session: Session,
    file: Annotated[Path, Argument(metavar="FILE", help="What `memctl backup` wrote.")],
    dry_run: DryRunOption = False,
) -> None:
    """Put a backup in the place of the store, which is kept aside.

    Every byte of the backup is checked first, its database by SQLite's own check, and its search
    index by asking it. A backup that is not whole changes nothing; an index that alone does not
    answer is built again from the database. The replaced store stays in a folder replaced-DATE
    beside the database, and --store opens it.

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
    if dry_run:
        manifest, kept_at = care.verify_backup(file).manifest, None
    else:
        report = care.restore_backup(file)
        manifest, kept_at = report.backup.manifest, report.kept_at
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
        output.line(f"The replaced store is kept in {kept_at}")
