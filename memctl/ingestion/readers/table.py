"""CSV and TSV: the text as it is, and its rows as cells with their lines.

The delimiter is the one that cuts the most rows into the same number of cells; a file that none
cuts is plain text. Where a quote does not close, its line is a row by itself, so that it takes no
other row with it.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath

from memctl.extraction.extractor import DocumentText, TableRow, TextFormat
from memctl.ingestion.readers.dates import date_in_file_name
from memctl.ingestion.readers.table_header import FirstRow, first_row_kind
from memctl.plural import plural

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_ROWS = 50
"""Rows that are looked at to find the delimiter and the header."""

MINIMUM_REGULAR_SHARE = 0.7
"""Share of the sampled rows that must have the same number of cells."""

LONGEST_CELL_CHARACTERS = 2**31 - 1
"""As many as the standard library's reader can be allowed."""

MOST_LINES_OF_A_ROW = 2000
"""A quote that closes further below does not close."""

MOST_LINES_IN_VAIN = 20_000
"""How many lines are looked at for the ends of quotes that do not close, in all: for each such
quote they could be all lines below it."""

MOST_NAMED_LINES = 5

NO_HEADER = "its first row does not name the columns and was read as a row like the others"

_NAMED_DELIMITER = re.compile(r"\"?sep=([,;\t|:])\"?\n", re.IGNORECASE)
"""A first line by which spreadsheets are told the delimiter; it is no row."""


@dataclass(frozen=True, slots=True)
class Table:
    """Header cells (empty without a header), the rows below it, and the lines (from 1) with a quote
    that does not close. ``is_unsure``: the first row may be a header although it names nothing that
    columns are known to be called."""

    header: tuple[str, ...] = ()
    rows: tuple[TableRow, ...] = ()
    open_quotes: tuple[int, ...] = ()
    is_unsure: bool = False


def read_table(path: PurePath, text: str, encoding: str) -> DocumentText:
    """The document as TABLE, or as PLAIN when its lines do not fall into cells."""
    table = parse_table(text)
    return DocumentText(
        text=text,
        text_format=TextFormat.TABLE if table.rows else TextFormat.PLAIN,
        path=str(path),
        document_date=date_in_file_name(path.stem),
        encoding=encoding,
        table_header=table.header,
        table_rows=table.rows,
        remarks=(*_remarks(table.open_quotes), *([NO_HEADER] if table.is_unsure else [])),
    )


def parse_table(text: str) -> Table:
    """The cells of a delimited text; a table without rows when it is none."""
    named = _NAMED_DELIMITER.match(text)
    delimiter = named[1] if named is not None else _find_delimiter(text)
    if delimiter is None:
        return Table()
    open_quotes: list[int] = []
    all_rows = _rows(text, delimiter, open_quotes)
    rows = [row for row in all_rows if named is None or row.first_line > 1]
    below = [row.cells for row in rows[1 : SAMPLE_ROWS + 1]]
    kind = first_row_kind(rows[0].cells, below) if below else FirstRow.ROW
    if kind is FirstRow.HEADER:
        return Table(rows[0].cells, tuple(rows[1:]), tuple(open_quotes))
    return Table((), tuple(rows), tuple(open_quotes), is_unsure=kind is FirstRow.UNSURE)


def _remarks(open_quotes: Sequence[int]) -> tuple[str, ...]:
    if not open_quotes:
        return ()
    named = ", ".join(map(str, open_quotes[:MOST_NAMED_LINES]))
    more = ", ..." if len(open_quotes) > MOST_NAMED_LINES else ""
    quotes = plural(len(open_quotes), "quote does not close", "quotes do not close")
    lines = "line" if len(open_quotes) == 1 else "lines"
    return (f"{quotes} ({lines} {named}{more}); such a line is a row by itself",)


class _RowLines:
    """Lines for the standard library's reader, which is told to stop where a row has too many."""

    def __init__(self, lines: Sequence[str], start: int, most_lines: int) -> None:
        self._lines = lines
        self._most_lines = most_lines
        self._position = self.row_start = start
        """Places (from 0) of the next line, and of the row that is being read."""

    def __iter__(self) -> _RowLines:
        return self

    def __next__(self) -> str:
        if self._position == len(self._lines):
            raise StopIteration
        if self.lines_of_row == self._most_lines:
            raise csv.Error
        self._position += 1
        return f"{self._lines[self._position - 1]}\n"

    @property
    def lines_of_row(self) -> int:
        """How many lines of the row have been handed out."""
        return self._position - self.row_start

    def end_row(self) -> tuple[int, int]:
        """The first and last line (from 1) of the row that was read last."""
        first, self.row_start = self.row_start, self._position
        return first + 1, self._position


def _rows(text: str, delimiter: str, open_quotes: list[int]) -> Iterator[TableRow]:
    """The rows that are not blank; a quoted cell may run over several lines. The lines (from 1)
    with a quote that does not close are added to ``open_quotes``."""
    csv.field_size_limit(LONGEST_CELL_CHARACTERS)
    lines = text.split("\n")
    start = in_vain = 0
    while start < len(lines):
        most_lines = max(min(MOST_LINES_OF_A_ROW, MOST_LINES_IN_VAIN - in_vain), 1)
        row_lines = _RowLines(lines, start, most_lines)
        try:
            for cells in csv.reader(row_lines, delimiter=delimiter, strict=True):
                yield from _filled_row(cells, *row_lines.end_row())
        except csv.Error:
            in_vain += row_lines.lines_of_row
            start = row_lines.row_start + 1
        else:
            return
        cells, is_open = _cells_of_line(lines[start - 1], delimiter)
        if is_open:
            open_quotes.append(start)
        yield from _filled_row(cells, start, start)


def _filled_row(cells: Sequence[str], first_line: int, last_line: int) -> Iterator[TableRow]:
    stripped = tuple(cell.strip() for cell in cells)
    if any(stripped):
        yield TableRow(cells=stripped, first_line=first_line, last_line=last_line)


def _cells_of_line(line: str, delimiter: str) -> tuple[list[str], bool]:
    """The cells of a line by itself, and whether a quote in it does not close."""
    cells, *others = csv.reader([f"{line}\n", "end of the row\n"], delimiter=delimiter)
    if others:
        return cells, False
    return next(csv.reader([line], delimiter=delimiter)), True


def _find_delimiter(text: str) -> str | None:
    best: tuple[float, int, str] | None = None
    for delimiter in DELIMITERS:
        if delimiter not in text:
            continue
        widths = _sample_widths(text, delimiter)
        if not widths:
            continue
        width, count = Counter(widths).most_common(1)[0]
        share = count / len(widths)
        if width < 2 or share < MINIMUM_REGULAR_SHARE:
            continue
        if best is None or (share, width) > best[:2]:
            best = (share, width, delimiter)
    return best[2] if best else None


def _sample_widths(text: str, delimiter: str) -> list[int]:
    return [len(row.cells) for row in islice(_rows(text, delimiter, []), SAMPLE_ROWS)]
