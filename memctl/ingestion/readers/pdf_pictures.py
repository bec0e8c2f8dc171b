"""Pages that are one picture, as scanners make them, with a page number or a running line at most.

What a scanner or a program stamps on such a page is not its text, which is in the picture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from memctl.ingestion.readers.pdf_fonts import forms_of, pictures_of

PICTURE_SHARE = 0.7
"""Pictures on so much of a page are the page: a scan may have margins, or be in strips."""

MOST_STAMPED_CHARACTERS = 200
"""A page with more text says something by it."""

MINIMUM_PAGES = 2
"""A line that stands on so many pages that are pictures is a running line."""

_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|seite|página|pagina|pág|pag|strona|str|blatt|страница|стр|p|s)\b\.? ?)?"
    r"(?:第 ?)?(?:\d{1,4}|[ivxlc]{1,7})(?: ?(?:页|頁|ページ|쪽))?"
    r"(?: ?(?:/|of|von|sur|de|di|van|z|из) ?\d{1,4})?\W*",
    re.IGNORECASE,
)
_STAMP = re.compile(r"\W*scanned (?:with|by|using) .{1,40}", re.IGNORECASE)


class PictureArea:
    """Sees each operation of a page before it is carried out, and adds up how much of the page its
    pictures cover."""

    def __init__(self, page: Any) -> None:
        self._names = {name for holder in (page, *forms_of(page)) for name in pictures_of(holder)}
        self._page_area = abs(float(page.mediabox.width) * float(page.mediabox.height))
        self._area = 0.0

    def __call__(self, operator: bytes, operands: Any, matrix: Any, _text_matrix: Any) -> None:
        """Adds a picture that is drawn: ``matrix`` makes it of the unit square."""
        is_drawn = operator == b"Do" and bool(operands) and operands[0] in self._names
        if is_drawn or operator == b"INLINE IMAGE":
            self._area += abs(float(matrix[0] * matrix[3]) - float(matrix[1] * matrix[2]))

    @property
    def covers_page(self) -> bool:
        """Whether what was drawn so far is as large as most of the page."""
        return self._page_area > 0 and self._area >= PICTURE_SHARE * self._page_area


def without_stamps(pages: Sequence[list[str]], pictures: Sequence[bool]) -> list[list[str]]:
    """The lines of the pages, and none for a page that is a picture (``pictures``, one for each
    page) and has no other lines than page numbers and running lines."""
    texts = [{_fold(line) for line in page if line.strip()} for page in pages]
    counts = Counter(
        line for text, is_one in zip(texts, pictures, strict=True) if is_one for line in text
    )
    return [
        [] if is_one and all(_is_stamp(line, counts) for line in text) else page
        for page, text, is_one in zip(pages, texts, pictures, strict=True)
    ]


def _is_stamp(line: str, counts: Counter[str]) -> bool:
    is_number = _PAGE_NUMBER.fullmatch(line) is not None
    return is_number or _STAMP.fullmatch(line) is not None or counts[line] >= MINIMUM_PAGES


def _fold(line: str) -> str:
    return " ".join(line.casefold().split())
