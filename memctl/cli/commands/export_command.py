"""``memctl export``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from memctl.cli.declaration import Argument, Option
from memctl.cli.options import STDOUT
from memctl.cli.session import Session
from memctl.errors import UsageError, WriteError
from memctl.memory import MemoryFilter, MemorySort, MemoryType
from memctl.migration.writing import workspace_files
from memctl.plural import plural
from memctl.runtime import Runtime
from memctl.target_file import target_of, write_whole

FORMATS = ("jsonl", "markdown", "openclaw")


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
    count = write_whole(target_of(file, may_replace=force), lines)
    if session.output.as_json:
        session.output.json({"path": str(file), "lines": count})
    else:
        session.output.notice(f"wrote {plural(count, 'line')} to {file}")


def _export_workspace(session: Session, folder: Path, *, force: bool) -> None:
    if folder == STDOUT:
        raise UsageError(what="export as 'openclaw'", why="it makes a folder, which must be named")
    memories = session.runtime.graph.list_memories(sort=MemorySort.OLDEST)
    files = [(folder / name, lines) for name, lines in workspace_files(memories)]
    for parent in dict.fromkeys(path.parent for path, _ in files):
        try:
            parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(path=parent, why=(error.strerror or str(error)).lower()) from error
    targets = [target_of(path, may_replace=force) for path, _ in files]
    for target, (_, lines) in zip(targets, files, strict=True):
        write_whole(target, lines)
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
