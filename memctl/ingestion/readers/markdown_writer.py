"""Writes Markdown from a stream of marks and texts, as they come out of a mark-up parser.

Whatever the order of the calls, the result is well-formed: what is left open is closed, and empty
emphasis, items and rows vanish. Texts are literal: stand-ins (``blocks.literal``) take the place of
what Markdown would read as marks. The result has marks of the lines that texts have in their file
(``line_marks``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import quote

from memctl.blocks.literal import (
    as_literal,
    as_literal_lines,
    as_written,
    with_literal_edges,
    with_typed_box,
)
from memctl.ingestion.readers.line_marks import (
    EXTRA_LINE_END,
    around_marks,
    mark_line,
    without_marks,
)

LIST_INDENT = 4
"""Columns that a nested list stands further in; enough below ``1. `` and no code below ``- ``."""

MAXIMUM_INDENTS = 8
"""Deeper lists stand no further in: no reader follows them, and depth must not cost space."""


_BLANKS = re.compile(r"[ \t\n\r\f\u00a0]+")
_TICKS = re.compile("`+")
_NOT_IN_A_TARGET = re.compile(r"[\s<>()\\`|]")


@dataclass(slots=True)
class _Mark:
    """An open inline mark: its sign, where its text begins, and a link's target."""

    tag: str
    sign: str
    position: int
    target: str = ""


@dataclass(slots=True)
class _Frame:
    """Where text goes: the whole document, or one table cell."""

    blocks: list[tuple[bool, str]] = field(default_factory=list)
    """Finished blocks; the flag tells list items that follow one of the same list closely."""
    inline: list[str] = field(default_factory=list)
    marks: list[_Mark] = field(default_factory=list)
    lists: list[int | None] = field(default_factory=list)
    """The open lists: the next number of an ordered one, None for bullets."""
    bullet: str = ""
    list_is_new: bool = False
    heading_level: int = 0
    quote_depth: int = 0
    verbatim: bool = False


@dataclass(slots=True)
class _Table:
    rows: list[list[str]] = field(default_factory=list)
    has_header: bool = False
    cell_is_open: bool = False


class MarkdownWriter:
    """Collects blocks; ``headings`` are the texts of the headings so far, as they were written."""

    def __init__(self) -> None:
        self.headings: list[str] = []
        self._frames = [_Frame()]
        self._tables: list[_Table] = []

    @property
    def _frame(self) -> _Frame:
        return self._frames[-1]

    def finish(self) -> str:
        """All that was written, marks included, with a line end; empty when it is nothing."""
        while self._tables:
            self.end_table()
        self.end_block()
        text = _join(self._frame.blocks)
        return f"{text}\n" if text else ""

    def text(self, data: str, first_line: int) -> None:
        """Takes a text that begins on ``first_line`` (from 1) of its file, which has its line ends;
        ``EXTRA_LINE_END`` is one that the file does not have."""
        frame = self._frame
        lines = enumerate(data.split("\n"), start=first_line)
        marked = "\n".join(mark_line(text, line) for line, text in lines)
        data = marked.replace(EXTRA_LINE_END, "\n")
        if frame.verbatim:
            frame.inline.append(data)
            return
        folded = as_literal(_BLANKS.sub(" ", data))
        if folded.startswith(" ") and (not frame.inline or frame.inline[-1].endswith((" ", "\n"))):
            folded = folded[1:]
        if folded:
            frame.inline.append(folded)

    def check_box(self, *, is_ticked: bool) -> None:
        """A box that can be ticked, as the start of a task."""
        self._frame.inline.append("[x] " if is_ticked else "[ ] ")

    def line_break(self) -> None:
        if self._frame.inline:
            self._frame.inline.append("\n")

    def open_mark(self, tag: str, sign: str, target: str = "") -> None:
        """Begins emphasis (``sign`` stands on both sides) or a link (``target`` is set)."""
        frame = self._frame
        if not frame.verbatim:
            frame.marks.append(_Mark(tag, sign, len(frame.inline), target))

    def close_mark(self, tag: str) -> None:
        """Ends the innermost open mark of this tag; later ones that are open inside are dropped."""
        frame = self._frame
        while frame.marks:
            mark = frame.marks.pop()
            if mark.tag == tag:
                self._wrap(mark)
                return

    def _wrap(self, mark: _Mark) -> None:
        inline = self._frame.inline
        content = "".join(inline[mark.position :])
        core = content.strip()
        if not core or (mark.target and mark.target == as_written(without_marks(core))):
            return
        if mark.target:
            wrapped = f"[{core}]({link_target(mark.target)})"
        elif mark.sign:
            wrapped = f"{mark.sign}{around_marks(core, with_literal_edges)}{mark.sign}"
        else:
            return
        left = content[: len(content) - len(content.lstrip())]
        right = content[len(content.rstrip()) :]
        inline[mark.position :] = [left, wrapped, right] if right else [left, wrapped]

    def start_heading(self, level: int) -> None:
        self.end_block()
        self._frame.heading_level = level

    def end_block(self) -> None:
        """Ends the paragraph, heading or item text that is being written, if any."""
        frame = self._frame
        raw = "".join(frame.inline)
        frame.inline.clear()
        frame.marks.clear()
        text = raw.strip("\n") if frame.verbatim else around_marks(_tidy(raw), as_literal_lines)
        level, frame.heading_level = frame.heading_level, 0
        if not text.strip():
            return
        if frame.verbatim:
            fence = "`" * max([2, *(len(run) for run in _TICKS.findall(without_marks(text)))]) + "`"
            self._add(f"{fence}\n{text}\n{fence}")
        elif level:
            title = " ".join(text.split())
            self.headings.append(as_written(without_marks(title)))
            self._add(f"{'#' * level} {title}")
        elif frame.bullet:
            self._add(around_marks(text, with_typed_box))
        else:
            self._add(text)

    def _add(self, text: str) -> None:
        frame = self._frame
        depth = min(len(frame.lists) - 1, MAXIMUM_INDENTS)
        indent = " " * (LIST_INDENT * max(depth, 0))
        first = f"{indent}{frame.bullet}" if frame.bullet else ""
        if frame.lists and not frame.bullet:
            first = indent = f"{indent}  "
        elif frame.bullet:
            indent += " " * len(frame.bullet)
        lines = text.split("\n")
        body = [f"{first}{lines[0]}", *(f"{indent}{line}" for line in lines[1:])]
        quote = "> " * frame.quote_depth
        follows_closely = bool(frame.bullet) and not frame.list_is_new
        frame.bullet, frame.list_is_new = "", False
        frame.blocks.append(
            (follows_closely, "\n".join(f"{quote}{line}".rstrip() for line in body))
        )

    def start_term(self) -> None:
        """Begins the name in a list of definitions."""
        self.end_block()
        self.open_mark("dt", "**")

    def end_term(self) -> None:
        """Ends the name; what is defined follows in the same block."""
        self.close_mark("dt")
        if self._frame.inline:
            self._frame.inline.append(": ")

    def start_definition(self) -> None:
        if self._frame.inline[-1:] != [": "]:
            self.end_block()

    def rule(self) -> None:
        self.end_block()
        self._add("---")

    def start_verbatim(self) -> None:
        self.end_block()
        self._frame.verbatim = True

    def end_verbatim(self) -> None:
        if self._frame.verbatim:
            self.end_block()
            self._frame.verbatim = False

    def start_quote(self) -> None:
        self.end_block()
        self._frame.quote_depth += 1

    def end_quote(self) -> None:
        self.end_block()
        self._frame.quote_depth = max(self._frame.quote_depth - 1, 0)

    def start_list(self, first_number: int | None) -> None:
        """``first_number`` is None for bullets."""
        self.end_block()
        frame = self._frame
        frame.list_is_new = frame.list_is_new or not frame.lists
        frame.lists.append(first_number)

    def end_list(self) -> None:
        self.end_block()
        self._frame.bullet = ""
        if self._frame.lists:
            self._frame.lists.pop()

    def start_item(self) -> None:
        self.end_block()
        frame = self._frame
        number = frame.lists[-1] if frame.lists else None
        frame.bullet = "- " if number is None else f"{number}. "
        if not frame.lists:
            frame.lists.append(None)
        elif number is not None:
            frame.lists[-1] = number + 1

    def end_item(self) -> None:
        self.end_block()
        self._frame.bullet = ""

    def start_table(self) -> None:
        self.end_block()
        self._tables.append(_Table())

    def start_row(self) -> None:
        if self._tables:
            self.end_cell()
            self._tables[-1].rows.append([])

    def start_cell(self, *, is_header: bool) -> None:
        if not self._tables:
            self.end_block()
            return
        self.end_cell()
        table = self._tables[-1]
        if not table.rows:
            table.rows.append([])
        if len(table.rows) == 1:
            table.has_header = is_header and (table.has_header or not table.rows[0])
        table.cell_is_open = True
        self._frames.append(_Frame())

    def end_cell(self) -> None:
        table = self._tables[-1] if self._tables else None
        if table is None or not table.cell_is_open:
            self.end_block()
            return
        self.end_block()
        table.cell_is_open = False
        table.rows[-1].append(_join(self._frames.pop().blocks))

    def end_table(self) -> None:
        """A table of short cells becomes one; one that only lays out a page, its cells in order."""
        if not self._tables:
            return
        self.end_cell()
        table = self._tables.pop()
        rows = [row for row in table.rows if any(row)]
        width = max(map(len, rows), default=0)
        if width < 2 or any("\n" in cell for row in rows for cell in row):
            for cell in (cell for row in rows for cell in row if cell):
                self._add(cell)
        else:
            self._add(_table_text(rows, width, has_header=table.has_header))


def link_target(address: str) -> str:
    """The address with percent signs for what would end it in Markdown, or begin other marks."""
    return _NOT_IN_A_TARGET.sub(lambda match: quote(match[0]), address)


def _join(blocks: list[tuple[bool, str]]) -> str:
    """Blocks with blank lines between them, items of one list without."""
    parts: list[str] = []
    for follows_closely, text in blocks:
        if parts:
            parts.append("\n" if follows_closely else "\n\n")
        parts.append(text)
    return "".join(parts)


def _tidy(text: str) -> str:
    """Lines without blanks at their ends, and no empty ones."""
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _table_text(rows: list[list[str]], width: int, *, has_header: bool) -> str:
    header = rows[0] if has_header else [""] * width
    body = rows[1:] if has_header else rows
    lines = [_row_text(header, width), "|" + "---|" * width]
    return "\n".join([*lines, *(_row_text(row, width) for row in body)])


def _row_text(cells: list[str], width: int) -> str:
    padded = [*cells, *[""] * (width - len(cells))]
    return "| " + " | ".join(padded) + " |"
