"""What people and scripts see: tables on a terminal, plain lines in a pipe, JSON on request.

stdout carries the answer, stderr everything else. Text from the store is printed inert: control
characters and escape sequences appear as backslash escapes, and Rich markup is never interpreted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, TextIO

from memctl.cli.terminal_size import USUAL_WIDTH, without_wrong_sizes
from memctl.cli.text import ascii_json, encodable_json, inert, inert_json, one_line

if TYPE_CHECKING:
    from rich.console import Console

JSON_SCHEMA_VERSION = 1
"""Goes up when a documented key changes its meaning or goes away."""

LEAST_TABLE = 50
"""Columns below which a table has no room for its long cells beside the short ones."""

LEAST_ROOM = 8
"""Columns that are left for a text, however narrow the terminal is."""

_PLAIN_SIGNS = str.maketrans(
    {"…": "...", "→": "->", "←": "<-", "├": "|", "└": "`", "│": "|", "─": "-", "–": "-", "—": "-"}
)
"""Signs that this program itself prints, for streams of other encodings than UTF-8."""


class Progress(Protocol):
    """Tells how far a long command is."""

    def advance(self, label: str) -> None:
        """One more step is done; ``label`` names it."""
        ...


class Column(NamedTuple):
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
        self.is_answered = False
        """Whether anything of the answer is on stdout, beside which an error's object would make
        it unreadable."""
        self._environment = environment
        self._warnings: list[str] = []

    @property
    def is_terminal(self) -> bool:
        """Whether a person reads stdout as it is."""
        return _is_terminal(self.stdout)

    @property
    def is_rich(self) -> bool:
        """Whether stdout takes tables and colour: a terminal, or FORCE_COLOR asks for it."""
        if self._environment.get("FORCE_COLOR"):
            return True
        return self.is_terminal and self._environment.get("TERM") != "dumb"

    def json(self, value: Mapping[str, object]) -> None:
        """Prints one object on one line (a script's line) or indented (a person's terminal)."""
        self._write(self._json_text(value))

    def json_item(self, value: Mapping[str, object]) -> None:
        """Prints one of the objects that come one after the other, until an error's ends them."""
        self.stdout.write(self._json_text(value))

    def line(self, text: str = "") -> None:
        """One line of the answer."""
        self._write(self._shown(text) + "\n")

    def hanging(self, text: str, indent: int) -> None:
        """One line of the answer; on a terminal that is too narrow for it, what follows stands
        ``indent`` columns to the right."""
        for number, part in enumerate(self._wrapped(self._shown(text), indent)):
            self._write((" " * indent if number else "") + part + "\n")

    def cut(self, text: str) -> None:
        """One line of the answer, at most as wide as the terminal."""
        shown = self._shown(text)
        if self.is_rich:
            from rich.text import Text

            line = Text(shown)
            line.truncate(self.width, overflow="ellipsis" if self.is_unicode else "crop")
            shown = line.plain
        self._write(shown + "\n")

    def document(self, text: str) -> None:
        """One line of a file that is UTF-8 by its nature, whatever the locale says; on a terminal
        it is shown as any other text."""
        if self.is_unicode or self.is_terminal:
            self._write((inert(text) if self.is_terminal else text) + "\n")
            return
        self._binary().write(text.encode() + b"\n")

    def copy(self, file: BinaryIO) -> None:
        """The bytes of a file, as they are."""
        # Few commands do this, and it takes as long to load as many others together.
        from shutil import copyfileobj

        copyfileobj(file, self._binary())

    def notice(self, text: str) -> None:
        """Something worth knowing, on stderr."""
        tell(self.stderr, f"memctl: {_shown_on(self.stderr, text)}\n")

    def tip(self, text: str) -> None:
        """Something that only people may want to know: on stderr where it is a terminal."""
        if _is_terminal(self.stderr):
            self.notice(text)

    def warn(self, text: str) -> None:
        """A warning: on stderr at once, said only once."""
        if text not in self._warnings:
            self._warnings.append(text)
            tell(self.stderr, f"memctl: warning: {_shown_on(self.stderr, text)}\n")

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
            if self.width < LEAST_TABLE:
                self._stacked(columns, rows, title)
            else:
                self._rich_table(columns, rows, title)
            return
        for row in rows:
            line = "\t".join(one_line(cell) for cell in row).rstrip("\t")
            self._write(self._shown(line) + "\n")

    def fields(self, rows: Sequence[tuple[str, str]]) -> None:
        """Names and values, one a line; lines after a value's first are indented."""
        width = max((len(name) for name, _ in rows), default=0) + 2
        for name, value in rows:
            self.hanging(f"{name + ':':<{width}}{value}", width)

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

    def _json_text(self, value: Mapping[str, object]) -> str:
        document = {"schema_version": JSON_SCHEMA_VERSION, **value}
        indent = 2 if self.is_terminal else None
        text = encodable_json(json.dumps(document, ensure_ascii=False, indent=indent))
        return inert_json(text if self.is_unicode else ascii_json(text)) + "\n"

    def _write(self, text: str) -> None:
        self.is_answered = True
        self.stdout.write(text)

    def _binary(self) -> BinaryIO:
        """Where bytes of the answer go, behind all text so far."""
        self.is_answered = True
        self.stdout.flush()
        return self.stdout.buffer

    def _stacked(
        self, columns: Sequence[Column], rows: Sequence[Sequence[str]], title: str
    ) -> None:
        """A table for a narrow terminal: the short cells of a row on one line, and below them the
        long ones."""
        if title:
            self.hanging(title, 2)
        for row in rows:
            cells = list(zip(columns, row, strict=True))
            self.hanging("  ".join(cell for column, cell in cells if cell and not column.wrap), 2)
            for cell in (cell for column, cell in cells if cell and column.wrap):
                self.hanging("  " + cell, 2)

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
            table.add_row(*(Text(self._shown(row[number])) for number in shown))
        console.print(table)

    def _console(self, stream: TextIO) -> Console:
        from rich.console import Console

        no_color = bool(self._environment.get("NO_COLOR"))
        environment = without_wrong_sizes(self._environment)
        has_width = "COLUMNS" in environment
        return Console(
            file=stream,
            markup=False,
            emoji=False,
            highlight=False,
            no_color=no_color,
            legacy_windows=False,
            width=None if _is_terminal(stream) or has_width else USUAL_WIDTH,
            _environ=environment,
        )

    def _wrapped(self, text: str, indent: int) -> list[str]:
        """The lines of a text, broken between words for a terminal, whose first line is as wide as
        the others with their indent."""
        lines = text.split("\n")
        if not self.is_rich:
            return lines
        from rich.text import Text

        console = self._console(self.stdout)
        room = max(console.width - indent, LEAST_ROOM)
        wrapped: list[str] = []
        for line in lines:
            head, rest = ("", line) if wrapped else (line[:indent], line[indent:])
            parts = [part.plain.rstrip() for part in Text(rest).wrap(console, room)] or [""]
            wrapped += [head + parts[0], *parts[1:]]
        return wrapped

    def _shown(self, text: str) -> str:
        return _shown_on(self.stdout, text)

    @property
    def is_unicode(self) -> bool:
        """Whether stdout takes any character."""
        return _takes_any_character(self.stdout)


class _Silent:
    """No progress bar."""

    def advance(self, label: str) -> None:
        """Says nothing."""


def tell(stream: TextIO, text: str) -> None:
    """Writes on stderr. One that is closed or full keeps no command from its work: there is nobody
    left to be told."""
    with suppress(OSError):
        stream.write(text)


def _shown_on(stream: TextIO, text: str) -> str:
    """``text`` inert, and typographic signs as plain ones where the stream cannot show them."""
    return inert(text if _takes_any_character(stream) else text.translate(_PLAIN_SIGNS))


def _takes_any_character(stream: TextIO) -> bool:
    encoding = (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "")
    return encoding.startswith("utf")


def _is_terminal(stream: TextIO) -> bool:
    return bool(getattr(stream, "isatty", lambda: False)())
