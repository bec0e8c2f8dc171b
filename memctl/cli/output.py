"""What people and scripts see: tables on a terminal, plain lines in a pipe, JSON on request.

stdout carries the answer, stderr everything else. Text from the store is printed inert: control
characters and escape sequences appear as backslash escapes, and Rich markup is never interpreted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TextIO

from memctl.cli.text import inert, inert_json, one_line

if TYPE_CHECKING:
    from rich.console import Console

JSON_SCHEMA_VERSION = 1
"""Goes up when a documented key changes its meaning or goes away."""

_PLAIN_WIDTH = 80


class Progress(Protocol):
    """Tells how far a long command is."""

    def advance(self, label: str) -> None:
        """One more step is done; ``label`` names it."""
        ...


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    ``wrap`` allows several lines; the width that is left is shared out among such columns by
    ``share``. ``from_width`` is the terminal's width (in columns) below which it is left out.
    """

    title: str
    wrap: bool = False
    right: bool = False
    share: int = 1
    from_width: int = 0


class Output:
    """The two streams of one command and how to write on them."""

    def __init__(
        self, stdout: TextIO, stderr: TextIO, environment: Mapping[str, str], *, as_json: bool
    ) -> None:
        self.stdout = stdout
        self.stderr = stderr
        self.as_json = as_json
        self._environment = environment
        self._warnings: list[str] = []

    @property
    def is_rich(self) -> bool:
        """Whether stdout takes tables and colour: a terminal, or FORCE_COLOR asks for it."""
        if self._environment.get("FORCE_COLOR"):
            return True
        return _is_terminal(self.stdout) and self._environment.get("TERM") != "dumb"

    def json(self, value: Mapping[str, object]) -> None:
        """Prints one object on one line (a script's line) or indented (a person's terminal)."""
        document = {"schema_version": JSON_SCHEMA_VERSION, **value}
        indent = 2 if _is_terminal(self.stdout) else None
        text = json.dumps(document, ensure_ascii=not self.is_unicode, indent=indent)
        self.stdout.write(inert_json(text) + "\n")

    def line(self, text: str = "") -> None:
        """One line of the answer."""
        self.stdout.write(inert(text) + "\n")

    def notice(self, text: str) -> None:
        """Something worth knowing, on stderr."""
        self.stderr.write(f"memctl: {inert(text)}\n")

    def warn(self, text: str) -> None:
        """A warning: on stderr at once, said only once."""
        if text not in self._warnings:
            self._warnings.append(text)
            self.stderr.write(f"memctl: warning: {inert(text)}\n")

    @property
    def width(self) -> int:
        """Columns of stdout: the terminal's, else COLUMNS, else 80."""
        return self._console(self.stdout).width

    @property
    def warnings(self) -> list[str]:
        """Every warning said so far, for the JSON answer."""
        return list(self._warnings)

    def table(
        self, columns: Sequence[Column], rows: Sequence[Sequence[str]], *, title: str = ""
    ) -> None:
        """A table on a terminal; in a pipe one row a line, cells between tabs, no header."""
        if self.is_rich:
            self._rich_table(columns, rows, title)
            return
        for row in rows:
            self.stdout.write("\t".join(one_line(cell) for cell in row).rstrip("\t") + "\n")

    def fields(self, rows: Sequence[tuple[str, str]]) -> None:
        """Names and values, one a line; lines after a value's first are indented."""
        width = max((len(name) for name, _ in rows), default=0) + 2
        for name, value in rows:
            text = inert(value).replace("\n", "\n" + " " * width)
            self.stdout.write(f"{name + ':':<{width}}{text}\n")

    @contextmanager
    def progress(self, total: int, title: str) -> Iterator[Progress]:
        """A bar on stderr while the body runs, when stderr is a terminal; else nothing."""
        if not _is_terminal(self.stderr) or self._environment.get("TERM") == "dumb" or total < 2:
            yield _Silent()
            return
        from memctl.cli.progress import rich_progress

        with rich_progress(self.error_console(), total, title) as bar:
            yield bar

    def error_console(self) -> Console:
        """The Rich console of stderr."""
        return self._console(self.stderr)

    def _rich_table(
        self, columns: Sequence[Column], rows: Sequence[Sequence[str]], title: str
    ) -> None:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        console = self._console(self.stdout)
        shown = [
            number for number, column in enumerate(columns) if column.from_width <= console.width
        ]
        table = Table(
            expand=any(column.wrap for column in columns),
            title=Text(title) if title else None,
            title_justify="left",
            box=box.SIMPLE_HEAD if self.is_unicode else box.ASCII2,
            pad_edge=False,
        )
        for column in (columns[number] for number in shown):
            table.add_column(
                column.title,
                justify="right" if column.right else "left",
                no_wrap=not column.wrap,
                overflow="fold" if column.wrap else "ellipsis",
                ratio=column.share if column.wrap else None,
            )
        for row in rows:
            table.add_row(*(Text(inert(row[number])) for number in shown))
        console.print(table)

    def _console(self, stream: TextIO) -> Console:
        from rich.console import Console

        no_color = bool(self._environment.get("NO_COLOR"))
        return Console(
            file=stream,
            markup=False,
            emoji=False,
            highlight=False,
            no_color=no_color,
            legacy_windows=False,
            width=None if _is_terminal(stream) or self._has_width() else _PLAIN_WIDTH,
            _environ=dict(self._environment),
        )

    def _has_width(self) -> bool:
        return self._environment.get("COLUMNS", "").isdecimal()

    @property
    def is_unicode(self) -> bool:
        """Whether stdout takes any character."""
        encoding = (getattr(self.stdout, "encoding", None) or "ascii").lower().replace("-", "")
        return encoding.startswith("utf")


class _Silent:
    """No progress bar."""

    def advance(self, label: str) -> None:
        """Says nothing."""


def _is_terminal(stream: TextIO) -> bool:
    return bool(getattr(stream, "isatty", lambda: False)())
