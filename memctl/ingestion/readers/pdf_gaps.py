"""Gaps between the words of right-to-left text, written as blanks before the page is read.

pypdf puts a blank for a gap at the end of what it has read so far, which is right for text that
runs to the right and gathers all blanks at one end of a line that runs to the left. A blank that is
a character of the text stays in its place.
"""

from __future__ import annotations

import re
from typing import Any

from memctl.ingestion.readers.pdf_fonts import UNUSED_CODE, composite_fonts

MINIMUM_GAP = 100
"""From this width on a gap parts words, in thousandths of the font size: half a narrow blank."""

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def runs_to_the_left(text: str) -> bool:
    """Whether there are Hebrew, Arabic or like letters in the text."""
    return _RIGHT_TO_LEFT.search(text) is not None


class GapWriter:
    """Sees each operation of a page before it is carried out, and writes its gaps as blanks.

    It works on text in composite fonts, to which ``complete_fonts`` has given a blank.
    """

    def __init__(self, page: Any) -> None:
        self._fonts = composite_fonts(page)
        self._font: Any = None

    def __call__(self, operator: bytes, operands: Any, *_matrices: Any) -> None:
        """Notes the font that is chosen; changes the operands of text with gaps."""
        shown = operands[0] if operands else None
        if operator == b"Tf":
            self._font = shown
        if operator == b"TJ" and self._font in self._fonts and isinstance(shown, list):
            shown[:] = [UNUSED_CODE if _is_gap(item) else item for item in shown]


def _is_gap(item: Any) -> bool:
    return isinstance(item, (int, float)) and item <= -MINIMUM_GAP
