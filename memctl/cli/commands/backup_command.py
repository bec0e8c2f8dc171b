"""``memctl backup``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from memctl.care import Care
from memctl.cli.backups import manifest_json, manifest_text
from memctl.cli.declaration import Argument, Option
from memctl.cli.session import Session


def backup(
    session: Session,
    file: Annotated[Path, Argument(metavar="FILE", help="Where to write it (a tar file).")],
    force: Annotated[bool, Option("--force", "-f", help="Replace the file if it exists.")] = False,
) -> None:
    """Copy the whole store into one file, while others use it.

    The file holds the database, the search index and a manifest with a checksum of each, and is
    read back before it takes its name. It is yours alone to read, and holds every memory in plain
    text.

    \b
    Examples:
      memctl backup memctl-2026-03-04.tar
      memctl backup --force ~/backups/memctl.tar --json
    """
    manifest = Care(session.runtime).back_up(file, overwrite=force)
    size_bytes = file.stat().st_size
    if session.output.as_json:
        session.output.json({"path": str(file), "bytes": size_bytes, **manifest_json(manifest)})
        return
    session.output.line(f"{file}: {manifest_text(manifest)}, {size_bytes / 1e6:,.1f} MB")
