"""Text that is drawn again over itself to look bold, taken out before the page is read.

Works on the operations of a page as pypdf carries them out: what is shown again a hair's breadth
beside itself is shown once. Letters that are shown one by one are left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

REACH = 1.5
"""How far beside itself a text may be drawn again, in points; a shadow lies no further."""

MINIMUM_CODES = 5
"""A text of fewer bytes is left alone: two narrow letters of a word may stand as close."""

_REPEAT = re.compile(r"(?<!\w)([^\W\d_][^\n]{4,60}?) ?\1")
_MOVES = frozenset({b"BT", b"Td", b"TD", b"Tm", b"T*", b"cm", b"'", b'"'})
_SHOWS = frozenset({b"Tj", b"TJ"})


@dataclass(frozen=True, slots=True)
class _Shown:
    """A text in its font, and where it begins; None for one that goes on behind the one before."""

    content: str
    place: tuple[float, float] | None


def repeats_itself(text: str) -> bool:
    """Whether some text stands twice in a row in a line of the page."""
    return _REPEAT.search(text) is not None


class RepeatRemover:
    """Sees each operation of a page before it is carried out, and empties those that show again
    what is there. One page has one remover."""

    def __init__(self) -> None:
        self._font = ""
        self._has_moved = True
        self._shown: list[_Shown] = []
        self._positions: dict[str, list[int]] = {}
        self._repeated: int | None = None

    def __call__(self, operator: bytes, operands: Any, page_matrix: Any, text_matrix: Any) -> None:
        """Notes the font and the place of each text; changes the operands of repeated text."""
        if operator == b"Tf" and operands:
            self._font = str(operands[0])
        elif operator in _MOVES:
            self._has_moved = True
        elif operator in _SHOWS and operands:
            self._take(operands, _place(page_matrix, text_matrix) if self._has_moved else None)
            self._has_moved = False

    def _take(self, operands: Any, place: tuple[float, float] | None) -> None:
        shown = _Shown(f"{self._font} {operands[0]!r}", place)
        original = self._original(shown, _length(operands[0]))
        self._repeated = original
        if original is None:
            self._positions.setdefault(shown.content, []).append(len(self._shown))
            self._shown.append(shown)
        elif isinstance(operands[0], list):
            operands[0].clear()
        else:
            operands[0] = b""

    def _original(self, shown: _Shown, length: int) -> int | None:
        """The position of the text that this one repeats, or None."""
        if shown.place is None:
            following = None if self._repeated is None else self._repeated + 1
            goes_on = following is not None and self._shown[following : following + 1] == [shown]
            return following if goes_on else None
        if length < MINIMUM_CODES:
            return None
        for position in self._positions.get(shown.content, ()):
            place = self._shown[position].place
            if place is not None and _are_near(place, shown.place):
                return position
        return None


def _place(page_matrix: Any, text_matrix: Any) -> tuple[float, float]:
    """Where on the page a text begins, in points."""
    x, y = text_matrix[4], text_matrix[5]
    a, b, c, d, left, bottom = page_matrix
    return (a * x + c * y + left, b * x + d * y + bottom)


def _are_near(first: tuple[float, float], second: tuple[float, float]) -> bool:
    return abs(first[0] - second[0]) <= REACH and abs(first[1] - second[1]) <= REACH


def _length(shown: Any) -> int:
    if isinstance(shown, list):
        return sum(len(item) for item in shown if isinstance(item, (str, bytes)))
    return len(shown) if isinstance(shown, (str, bytes)) else 0
