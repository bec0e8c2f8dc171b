"""``memctl export``."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from memctl.cli.declaration import Argument, Option
from memctl.cli.options import STDOUT
from memctl.cli.render import plural
from memctl.cli.session import Session
from memctl.errors import MissingFolderError, UsageError, WriteError
from memctl.memory import MemoryFilter, MemorySort, MemoryType
from memctl.migration.writing import workspace_files
from memctl.runtime import Runtime

FORMATS = ("jsonl", "markdown", "openclaw")

EXISTS = "it exists already (--force replaces it)"


def export(
    session: Session,
    file: Annotated[
        Path,
        Argument(metavar="FILE", help="Where to write; - is stdout. A folder for openclaw."),
    ] = STDOUT,
    output_format: Annotated[
        str,
        Option(
            "--format", metavar="NAME", help="jsonl (complete), markdown or openclaw (a folder)."
        ),
    ] = "jsonl",
    forgotten: Annotated[
        bool, Option("--forgotten", help="Forgotten memories too (jsonl only).")
    ] = False,
    force: Annotated[bool, Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write all memories to a file.

    JSON lines hold every field and the associations; `memctl import` takes them back as they were.
    The openclaw format writes MEMORY.md by type and memory/YYYY-MM-DD.md by event date;
    `memctl migrate-openclaw` takes that folder back.

    \b
    Examples:
      memctl export memories.jsonl
      memctl export --format markdown > memories.md
      memctl export - --forgotten | gzip > memories.jsonl.gz
      memctl export --format openclaw workspace/
    """
    if output_format == "openclaw":
        _export_workspace(session, file, force=force)
        return
    lines = _lines(session.runtime, output_format, forgotten=forgotten)
    if file == STDOUT:
        for line in lines:
            session.output.document(line)
        return
    if file.exists() and not force:
        raise WriteError(path=file, why=EXISTS)
    count = write_whole(file, lines)
    if session.output.as_json:
        session.output.json({"path": str(file), "lines": count})
    else:
        session.output.notice(f"wrote {plural(count, 'line')} to {file}")


def _export_workspace(session: Session, folder: Path, *, force: bool) -> None:
    if folder == STDOUT:
        raise UsageError(what="export as 'openclaw'", why="it makes a folder, which must be named")
    memories = session.runtime.graph.list_memories(sort=MemorySort.OLDEST)
    files = [(folder / name, lines) for name, lines in workspace_files(memories)]
    there = next((path for path, _ in files if path.exists()), None)
    if there is not None and not force:
        raise WriteError(path=there, why=EXISTS)
    for path, lines in files:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(
                path=path.parent, why=(error.strerror or str(error)).lower()
            ) from error
        write_whole(path, lines)
    if session.output.as_json:
        names = [str(path) for path, _ in files]
        session.output.json({"path": str(folder), "files": names, "memories": len(memories)})
    else:
        what = f"{plural(len(memories), 'memory')} in {plural(len(files), 'file')}"
        session.output.notice(f"wrote {what} to {folder}")


def _lines(runtime: Runtime, output_format: str, *, forgotten: bool) -> Iterator[str]:
    if output_format == "jsonl":
        return runtime.export(include_forgotten=forgotten)
    if output_format == "markdown":
        return _markdown(runtime)
    raise UsageError(
        what=f"export as {output_format!r}", why=f"it must be one of {', '.join(FORMATS)}"
    )


def _markdown(runtime: Runtime) -> Iterator[str]:
    """A section for each type; a memory is a list item, its day in front of it."""
    yield "# Memories"
    for memory_type in MemoryType:
        memories = runtime.graph.list_memories(MemoryFilter(types=(memory_type,)))
        if memories:
            yield f"\n## {memory_type.value.capitalize()}\n"
        for memory in memories:
            day = "" if memory.event_at is None else f"{memory.event_at.isoformat()[:10]}: "
            yield f"- {day}" + "\n  ".join(memory.content.splitlines())


def write_whole(file: Path, lines: Iterable[str]) -> int:
    """Writes beside the file and renames, so that it is either whole or as it was.

    Raises MissingFolderError and WriteError.
    """
    if not file.parent.is_dir():
        raise MissingFolderError(path=file, folder=file.parent)
    count = 0
    try:
        with tempfile.NamedTemporaryFile(
            "w", dir=file.parent, prefix=f".{file.name}.", encoding="utf-8", delete=False
        ) as handle:
            for line in lines:
                handle.write(line + "\n")
                count += 1
            handle.flush()
            os.fsync(handle.fileno())
        Path(handle.name).replace(file)
    except OSError as error:
        raise WriteError(path=file, why=(error.strerror or str(error)).lower()) from error
    return count
