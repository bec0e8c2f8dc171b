"""Letters that a page sets apart from each other, told from the gaps between its words.

A blank is seen where a gap is wide. Programs that set every letter into a column of its own make
wide gaps inside of words; others space all letters widely, and take that back inside of words. In
both cases the gaps of an operation are written so that those between words alone are wide. Numbers
count in thousandths of the font size; a gap of more than 0 parts letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

LEAST_SPACING = 150.0
"""From this spacing on letters that it parts would belong to two words."""

TAKEN_BACK = 0.6
"""A number takes the spacing back where it is at least this share of it."""

MINIMUM_TAKEN_BACK = 2
"""So often at least an operation takes the spacing back that puts the ends of words into it."""

LEAST_SPREAD = 60.0
MOST_SPREAD = 240.0
"""Between these are the usual gaps of an operation that sets letters apart; a blank is wider."""

MINIMUM_SPREAD_GAPS = 3
"""So many gaps between single letters show that a font is set apart; then fewer do as well."""

MOST_WIDE_SHARE = 0.8
"""From this share of wide gaps between its letters on an operation sets letters apart."""

WORD_GAP = 250.0
"""What a gap between words has more than one between letters that are set apart."""

UNSEEN_GAP = 50.0
"""So narrow a gap is never taken for a blank; wider ones are written as several of it."""


@dataclass(frozen=True, slots=True)
class _State:
    """What the graphics state says about text: font, its size, and spacing in text units."""

    font: str = ""
    size: float = 1.0
    spacing: float = 0.0


class SpreadEvener:
    """Sees each operation of a page before it is carried out, and evens the gaps between letters.

    One page has one evener. ``two_byte_fonts`` are the names of fonts whose codes are not bytes:
    they are left alone.
    """

    def __init__(self, two_byte_fonts: frozenset[str]) -> None:
        self._two_byte_fonts = two_byte_fonts
        self._state = _State()
        self._saved: list[_State] = []
        self._spread_fonts: set[str] = set()

    def __call__(self, operator: bytes, operands: Any, *_matrices: Any) -> None:
        """Notes what tells the gaps; changes the operands of text whose letters are set apart."""
        if operator == b"TJ":
            shown = operands[0] if operands else None
            if isinstance(shown, list) and self._state.font not in self._two_byte_fonts:
                self._even(shown)
        elif operator == b"Tf" and len(operands) > 1:
            size = _number(operands[1])
            self._state = replace(self._state, font=str(operands[0]), size=abs(size) or 1.0)
        elif operator == b"Tc" and operands:
            self._state = replace(self._state, spacing=_number(operands[0]))
        elif operator == b"q":
            self._saved.append(self._state)
        elif operator == b"Q" and self._saved:
            self._state = self._saved.pop()

    def _even(self, shown: list[Any]) -> None:
        spacing = 1000 * self._state.spacing / self._state.size
        if spacing >= LEAST_SPACING and _takes_back(shown, spacing):
            shown[:] = _spaced(shown, spacing)
        elif (usual := self._usual_gap(shown)) is not None:
            least = usual + max(WORD_GAP, usual)
            shown[:] = [part for item in shown for part in _narrowed(item, least)]

    def _usual_gap(self, shown: Sequence[Any]) -> float | None:
        """The usual gap of an operation that sets letters apart, or None for any other."""
        gaps = list(_letter_gaps(shown))
        wide = [gap for gap in gaps if gap >= LEAST_SPREAD]
        if not gaps or len(wide) < MOST_WIDE_SHARE * len(gaps):
            return None
        usual = median(wide) if len(wide) >= MINIMUM_SPREAD_GAPS else min(wide)
        if usual > MOST_SPREAD:
            return None
        if len(wide) >= MINIMUM_SPREAD_GAPS:
            self._spread_fonts.add(self._state.font)
        return usual if self._state.font in self._spread_fonts else None


def _letter_gaps(shown: Sequence[Any]) -> Iterator[float]:
    """The gaps between each two letters that follow each other; 0 for those in one text.

    Signs and digits are left out: dots of a line, and numbers of a table, stand apart by
    themselves.
    """
    before = False
    gap = 0.0
    for item in shown:
        if isinstance(item, (int, float)):
            gap -= float(item)
        elif isinstance(item, (str, bytes)):
            for place in range(len(item)):
                is_letter = item[place : place + 1].isalpha()
                if before and is_letter:
                    yield gap
                before, gap = is_letter, 0.0


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _takes_back(shown: Sequence[Any], spacing: float) -> bool:
    numbers = [float(item) for item in shown if isinstance(item, (int, float))]
    return sum(number >= TAKEN_BACK * spacing for number in numbers) >= MINIMUM_TAKEN_BACK


def _spaced(shown: Sequence[Any], spacing: float) -> Iterator[Any]:
    """The operands with the spacing behind each letter but the last in the numbers.

    At the end all is taken back, as the reader of the page adds the spacing by itself.
    """
    moved = added = 0.0
    for item in shown:
        if isinstance(item, (int, float)):
            moved += float(item)
        elif isinstance(item, (str, bytes)):
            letter_type: Any = type(item)
            for place in range(len(item)):
                yield moved
                yield letter_type(item[place : place + 1])
                moved = -spacing
                added += spacing
    yield added


def _narrowed(item: Any, least: float) -> Iterator[Any]:
    """A gap as several that are not seen, if it is narrower than ``least``; else the item."""
    gap = -float(item) if isinstance(item, (int, float)) else 0.0
    if not UNSEEN_GAP < gap < least:
        yield item
        return
    count = int(gap // UNSEEN_GAP) + 1
    yield from [-gap / count] * count
