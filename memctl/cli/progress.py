"""The progress bar of long commands, drawn by Rich on stderr."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from memctl.cli.text import shorten

LABEL_LENGTH = 40


class _Bar:
    """Advances one task of a Rich progress display."""

    def __init__(self, display: Progress, task: TaskID) -> None:
        self._display = display
        self._task = task

    def advance(self, label: str) -> None:
        """One more step is done; ``label`` names it."""
        self._display.update(self._task, advance=1, label=shorten(label, LABEL_LENGTH))


@contextmanager
def rich_progress(console: Console, total: int, title: str) -> Iterator[_Bar]:
    """A bar with ``total`` steps that is gone when the body ends."""
    display = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[label]}", markup=False),
        console=console,
        transient=True,
    )
    with display:
        yield _Bar(display, display.add_task(title, total=total, label=""))
