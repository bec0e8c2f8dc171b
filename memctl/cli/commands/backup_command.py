"""``memctl backup``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from memctl.backup.archive import Manifest
from memctl.care import Care
from memctl.cli.backups import manifest_json, manifest_text
from memctl.cli.declaration import Argument, Option
from memctl.cli.errors import AnswerError
from memctl.cli.options import STDOUT
from memctl.cli.session import Session
from memctl.errors import UsageError


def backup(
    session: Session,
    file: Annotated[
        Path, Argument(metavar="FILE", help="Where to write it (a tar file); - is stdout.")
    ],
    force: Annotated[bool, Option("--force", "-f", help="Replace the file if it exists.")] = False,
) -> None:
    """Copy the whole store into one file, while others use it.

    The file holds the database, the search index and a manifest with a checksum of each, and is
    read back before it takes its name. A search index that is damaged is left out with a warning:
    restoring builds it again. The file is yours alone to read, and holds every memory in plain
    text.

    \b
    Examples:
      memctl backup memctl-2026-03-04.tar
      memctl backup --force ~/backups/memctl.tar --json
      memctl backup - | ssh host 'cat > memctl.tar'
    """
    if file == STDOUT:
        _back_up_to_stdout(session)
        return
    manifest = Care(session.runtime).back_up(file, overwrite=force)
    size_bytes = file.stat().st_size
    if session.output.as_json:
        session.output.json(
            {
                "path": str(file),
                "bytes": size_bytes,
                **manifest_json(manifest),
                "warnings": session.output.warnings,
            }
        )
        return
    session.output.line(f"{file}: {_made(manifest, size_bytes)}")


def _back_up_to_stdout(session: Session) -> None:
    """The tar itself is the answer; what it holds is said on stderr."""
    output = session.output
    if output.as_json:
        raise UsageError(what="back up to stdout", why="--json writes there, too; name a file")
    if output.is_terminal:
        raise UsageError(
            what="back up to stdout", why="it is a terminal; name a file, or add > or a pipe"
        )
    with Care(session.runtime).passing_backup() as (made, manifest):
        try:
            with made.open("rb") as archive:
                output.copy(archive)
            session.streams.stdout.flush()
        except BrokenPipeError as error:
            # Half of a backup is none, however quietly other answers end.
            raise AnswerError(why="its reader went away before the end") from error
        output.notice(f"wrote {_made(manifest, made.stat().st_size)} to stdout")


def _made(manifest: Manifest, size_bytes: int) -> str:
    return f"{manifest_text(manifest)}, {size_bytes / 1e6:,.1f} MB"
