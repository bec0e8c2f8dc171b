"""CSV and TSV: the text as it is, and its rows as cells with their lines.

The delimiter is the one that cuts the most rows into the same number of cells; a file that none
cuts is plain text.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from memctl.extraction.extractor import DocumentText, TableRow, TextFormat
from memctl.ingestion.readers.dates import date_in_file_name

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_ROWS = 50
"""Rows that are looked at to find the delimiter and the header."""

MINIMUM_REGULAR_SHARE = 0.7
"""Share of the sampled rows that must have the same number of cells."""

_NAMED_DELIMITER = re.compile(r"\"?sep=([,;\t|:])\"?\n", re.IGNORECASE)
"""A first line by which spreadsheets are told the delimiter; it is no row."""

_NUMBER = re.compile(r"[-+]?[€$£¥]?\s?\d[\d.,:/ -]*\s?[%€$£¥]?$")


@dataclass(frozen=True, slots=True)
class Table:
    """Header cells (empty without a header) and the rows below it."""

    header: tuple[str, ...] = ()
    rows: tuple[TableRow, ...] = ()


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
    )


def parse_table(text: str) -> Table:
    """The cells of a delimited text; a table without rows when it is none."""
    named = _NAMED_DELIMITER.match(text)
    delimiter = named[1] if named is not None else _find_delimiter(text)
    if delimiter is None:
        return Table()
    try:
        rows = [row for row in _rows(text, delimiter) if named is None or row.first_line > 1]
    except csv.Error:
        return Table()
    if len(rows) > 1 and _is_header(rows):
        return Table(rows[0].cells, tuple(rows[1:]))
    return Table((), tuple(rows))


def _rows(text: str, delimiter: str) -> Iterator[TableRow]:
    """The rows that are not blank; a quoted cell may run over several lines."""
    lines = text.split("\n")
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    last_line = 0
    for cells in reader:
        first_line, last_line = last_line + 1, reader.line_num
        stripped = tuple(cell.strip() for cell in cells)
        if any(stripped):
            yield TableRow(cells=stripped, first_line=first_line, last_line=last_line)


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
    widths: list[int] = []
    try:
        for row in _rows(text, delimiter):
            widths.append(len(row.cells))
            if len(widths) >= SAMPLE_ROWS:
                break
    except csv.Error:
        return []
    return widths


def _is_header(rows: list[TableRow]) -> bool:
    """Whether the first row names the columns: all filled, all different, no numbers."""
    first = rows[0].cells
    if not all(first) or len(set(first)) < len(first):
        return False
    if any(_NUMBER.match(cell) for cell in first):
        return False
    below = rows[1 : SAMPLE_ROWS + 1]
    return not any(cell in first for row in below for cell in row.cells if len(cell) > 3)
