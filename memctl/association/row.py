"""Rows of tables as statements: ``name: value; name: value``, perhaps with a title in front."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_COLUMN_NAME = 40
LEAST_CELLS = 2

_CELL = re.compile(rf"([^:;.!?]{{1,{LONGEST_COLUMN_NAME}}}):\s+(\S.*)")
_TITLE_END = " — "


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row in their order; the first one tells which row it is.

    ``columns`` are the names above the cells, "" over a first cell that has none. All is folded.
    """

    title: str
    columns: tuple[str, ...]
    cells: tuple[str, ...]

    def differing(self, other: Row) -> list[int]:
        """The positions of the cells that are not alike, of two rows with the same columns."""
        pairs = enumerate(zip(self.cells, other.cells, strict=True))
        return [position for position, (one, another) in pairs if one != another]

    def is_comparable(self, other: Row) -> bool:
        """Whether both have the same columns under the same title."""
        return (self.title, self.columns) == (other.title, other.columns)


def read_row(content: str) -> Row | None:
    """The row that a text is; None for any other text."""
    if "; " not in content or ": " not in content:
        return None
    title, dash, text = content.casefold().rpartition(_TITLE_END)
    columns, cells = [], []
    for position, part in enumerate(text.strip().rstrip(".").split("; ")):
        match = _CELL.fullmatch(part.strip())
        if match is None and (position or ":" in part):
            return None
        columns.append(match[1].strip() if match else "")
        cells.append(match[2].strip() if match else part.strip())
    return (
        Row(title if dash else "", tuple(columns), tuple(cells))
        if len(cells) >= LEAST_CELLS
        else None
    )
