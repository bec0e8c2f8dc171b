"""The way back to OpenClaw: Markdown files from which migrating gives the same memories.

MEMORY.md holds what knows no day, memory/YYYY-MM-DD.md what happened on one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import PurePosixPath

from memctl.memory import Memory, event_day
from memctl.migration.tagged import tagged_lines

MEMORY_FILE = PurePosixPath("MEMORY.md")
DAY_FOLDER = PurePosixPath("memory")


def workspace_files(memories: Iterable[Memory]) -> Iterator[tuple[PurePosixPath, list[str]]]:
    """Each file of the folder with its lines: MEMORY.md, then the days in order.

    Memories keep their order within a file's sections.
    """
    by_day: dict[date | None, list[Memory]] = {}
    for memory in memories:
        day = None if memory.event_at is None else event_day(memory.event_at)
        by_day.setdefault(day, []).append(memory)
    yield MEMORY_FILE, list(tagged_lines("MEMORY.md", by_day.pop(None, []), None))
    for day in sorted(day for day in by_day if day is not None):
        lines = list(tagged_lines(day.isoformat(), by_day[day], day))
        yield DAY_FOLDER / f"{day.isoformat()}.md", lines
