"""Where a text may be cut: its lines grouped into pieces that should stay whole.

A cheap scan line by line, linear in the text's length; it sees headings, fences, tables, list
items and paragraphs as far as cutting needs them. Every line lies in exactly one piece, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

from memctl.blocks.front_matter import take_front_matter
from memctl.blocks.literal import as_written, put_stand_ins
from memctl.extraction.extractor import DocumentText, TextFormat


class Boundary(IntEnum):
    """How good a place is for a cut: the lower, the better."""

    HEADING = 0
    BLOCK = 1
    ITEM = 2
    NESTED_ITEM = 3
    LINE = 4
    SENTENCE = 5
    WORD = 6
    CHARACTER = 7


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading's level (from 1) and its text without marks."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines ``first`` (from 0) up to and without ``end``; ``boundary`` is the cut before them.

    Blank lines belong to the piece above them. A heading is part of the piece that it begins.
    """

    first: int
    end: int
    boundary: Boundary
    heading: Heading | None = None


_ATX_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#*)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^`]*)$")
_ITEM = re.compile(r"([ \t]*)(?:[-*+•‣◦▪●○·–]|\d{1,9}[.)、]|\(?[a-zA-Z0-9][.)])[ \t]+\S")
_INLINE_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_PLAIN_UNDERLINE = re.compile(r"([-=~^*+#])\1{2,}[ \t]*$")
_UNDERLINE_SLACK = 3
_HEADING_MAXIMUM_CHARACTERS = 120
_TAB_COLUMNS = 4


def outline(document: DocumentText) -> list[Piece]:
    """The pieces of the document in order; none for an empty text."""
    if not document.text:
        return []
    text = put_stand_ins(document.text, document.literal_places)
    lines = text.split("\n")
    if document.text_format is TextFormat.TABLE and document.table_rows:
        pieces = _table_pieces(document, len(lines))
    else:
        is_markdown = document.text_format is TextFormat.MARKDOWN
        pieces = list(_Scanner(lines, text, is_markdown=is_markdown).pieces())
    return _attach_headings(pieces)


def markdown_headings(text: str) -> Iterator[tuple[int, Heading]]:
    """The headings of a Markdown text with their lines (from 0), in order."""
    for piece in _Scanner(text.split("\n"), text, is_markdown=True).pieces():
        if piece.heading is not None:
            yield piece.first, piece.heading


def _table_pieces(document: DocumentText, line_count: int) -> list[Piece]:
    starts = [0, *(row.first_line - 1 for row in document.table_rows[1:]), line_count]
    return [Piece(first, end, Boundary.ITEM) for first, end in pairwise(starts) if end > first]


def _attach_headings(pieces: Sequence[Piece]) -> list[Piece]:
    """Joins each heading with the piece under it, so that no cut comes between."""
    joined: list[Piece] = []
    heading_is_bare = False
    for piece in pieces:
        if heading_is_bare and piece.heading is None:
            above = joined[-1]
            joined[-1] = Piece(above.first, piece.end, above.boundary, above.heading)
            heading_is_bare = False
        else:
            joined.append(piece)
            heading_is_bare = piece.heading is not None
    return joined


class _Scanner:
    """Goes through the lines once; every step consumes at least one."""

    def __init__(self, lines: Sequence[str], text: str, *, is_markdown: bool) -> None:
        self._lines = lines
        self._text = text
        self._is_markdown = is_markdown
        self._position = 0
        self._in_list = False
        self._unclosed_fences: dict[str, int] = {}

    def pieces(self) -> Iterator[Piece]:
        """The pieces in order, each with the blank lines under it (and above the first)."""
        front_matter_end = self._front_matter_end()
        if front_matter_end:
            self._position = front_matter_end
            yield self._take(0, Boundary.BLOCK)
        above = self._position
        self._skip_blank()
        if self._position == len(self._lines) > above:
            yield self._take(above, Boundary.BLOCK)
        while self._position < len(self._lines):
            piece = self._next()
            yield Piece(min(above, piece.first), piece.end, piece.boundary, piece.heading)
            above = piece.end

    def _front_matter_end(self) -> int:
        if not self._is_markdown:
            return 0
        block, _ = take_front_matter(self._text)
        return 0 if block is None else block.last_line

    def _next(self) -> Piece:
        first = self._position
        self._position += 1
        line = self._lines[first]
        if self._skip_fence(line):
            return self._take(first, Boundary.BLOCK)
        heading = self._take_heading(first)
        if heading is not None:
            self._in_list = False
            return self._take(first, Boundary.HEADING, heading)
        item = _ITEM.match(line)
        self._skip_text()
        return self._take(first, self._boundary(first, item))

    def _boundary(self, first: int, item: re.Match[str] | None) -> Boundary:
        indented = _indent(self._lines[first]) > 0
        if item is None and not (indented and self._in_list):
            self._in_list = False
            return Boundary.BLOCK
        follows_list = self._in_list
        self._in_list = True
        if indented:
            return Boundary.NESTED_ITEM
        return Boundary.ITEM if follows_list else Boundary.BLOCK

    def _take(self, first: int, boundary: Boundary, heading: Heading | None = None) -> Piece:
        self._skip_blank()
        return Piece(first, self._position, boundary, heading)

    def _skip_blank(self) -> None:
        while self._position < len(self._lines) and not self._lines[self._position].strip():
            self._position += 1

    def _skip_fence(self, line: str) -> bool:
        """Goes behind the closing fence; an open one ends with a Markdown text, else is none."""
        fence = _FENCE.match(line)
        if fence is None:
            return False
        mark, length = fence[1][0], len(fence[1])
        if length >= self._unclosed_fences.get(mark, length + 1):
            return False
        closer = re.compile(rf"\s*{re.escape(mark)}{{{length},}}\s*$")
        for position in range(self._position, len(self._lines)):
            if closer.match(self._lines[position]):
                self._position = position + 1
                return True
        self._unclosed_fences[mark] = length
        if self._is_markdown:
            self._position = len(self._lines)
        return self._is_markdown

    def _take_heading(self, first: int) -> Heading | None:
        line = self._lines[first]
        if self._is_markdown:
            atx = _ATX_HEADING.match(line)
            if atx is not None:
                return Heading(len(atx[1]), plain_heading(atx[2] or ""))
        following = self._lines[first + 1] if first + 1 < len(self._lines) else ""
        level = self._underline_level(line, following)
        if level is None:
            return None
        self._position = first + 2
        return Heading(level, plain_heading(line))

    def _underline_level(self, line: str, following: str) -> int | None:
        text = line.strip()
        if len(text) > _HEADING_MAXIMUM_CHARACTERS or _ITEM.match(line) or "|" in text:
            return None
        if self._is_markdown:
            underline = _UNDERLINE.match(following)
            if underline is None or _indent(line) > 3:
                return None
            return 1 if underline[1][0] == "=" else 2
        mark = _PLAIN_UNDERLINE.match(following)
        if mark is None or abs(len(following.rstrip()) - len(text)) > _UNDERLINE_SLACK:
            return None
        return 1 if mark[1] in "=#*" else 2

    def _skip_text(self) -> None:
        """Goes to the end of a paragraph or of a list item's own lines."""
        while self._position < len(self._lines):
            line = self._lines[self._position]
            if not line.strip() or _FENCE.match(line) or _ITEM.match(line):
                return
            if self._is_markdown and _ATX_HEADING.match(line):
                return
            self._position += 1


def plain_heading(text: str) -> str:
    """A heading's text without emphasis and link marks, blanks folded."""
    return " ".join(as_written(_INLINE_MARKS.sub("", _LINK.sub(r"\1", text))).split())


def _indent(line: str) -> int:
    stripped = line.lstrip(" \t")
    blanks = line[: len(line) - len(stripped)]
    return len(blanks.replace("\t", " " * _TAB_COLUMNS))
