"""Takes texts out of others, where they stand as whole words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from memctl.encodable import encodable_text
from memctl.store.rows import to_json
from memctl.store.text_search import TextSearch

ERASED = "[erased]"
"""Stands for each line that was overwritten."""

_WORD = re.compile(r"\S+")
_LATIN = re.compile(r"[A-Za-z0-9]")
_ESCAPED_WHITE_SPACE = re.compile(r"\\[nrtf]")


class TextEraser:
    """Finds texts however their white space is laid out, and overwrites them.

    In scripts that part words by blanks, a text is not found as a part of a longer word. With
    ``in_json``, it is looked for as it stands inside a string of JSON.
    """

    def __init__(self, texts: Iterable[str], *, in_json: bool = False) -> None:
        self._in_json = in_json
        written = (to_json(encodable_text(text))[1:-1] if in_json else text for text in texts)
        self._search = TextSearch(in_one_line(self._unescaped(text)) for text in written)

    def is_in(self, where: str) -> bool:
        """Whether any of the texts stands in ``where``."""
        return next(self._spans(in_one_line(self._unescaped(where))), None) is not None

    def erased(self, where: str) -> str:
        """``where`` with the mark in place of each of the texts, in as many lines. Of texts that
        overlap, the one that begins first is taken, and of those the longest."""
        unescaped = self._unescaped(where)
        spans = sorted(self._spans(in_one_line(unescaped)), key=lambda span: (span[0], -span[1]))
        if not spans:
            return where
        positions = _Positions(unescaped)
        left, end = [], 0
        for first, last in spans:
            start, stop = positions.of(first), positions.of(last - 1) + 1
            if start >= end:
                left += [
                    where[end:start],
                    "\n".join([ERASED] * (where.count("\n", start, stop) + 1)),
                ]
                end = stop
        return "".join([*left, where[end:]])

    def _unescaped(self, text: str) -> str:
        """``text`` with blanks for escaped white space, as long as it was."""
        return _ESCAPED_WHITE_SPACE.sub("  ", text) if self._in_json else text

    def _spans(self, line: str) -> Iterator[tuple[int, int]]:
        """Where in ``line`` the texts begin, and before which character they end."""
        for start, text in self._search.places(line):
            end = start + len(text)
            if not (_parts_a_word(line, start) or _parts_a_word(line, end)):
                yield start, end


def in_one_line(text: str) -> str:
    """``text`` with one blank for all white space between two words."""
    return " ".join(text.split())


def _parts_a_word(line: str, position: int) -> bool:
    """Whether the characters before and at the position belong to one word."""
    return bool(
        0 < position < len(line)
        and _LATIN.match(line[position - 1])
        and _LATIN.match(line[position])
    )


class _Positions:
    """Where the characters of a text in one line stand in the text itself."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._starts_in_line: list[int] = []
        in_line = 0
        for word in _WORD.finditer(text):
            self._starts.append(word.start())
            self._starts_in_line.append(in_line)
            in_line += len(word[0]) + 1

    def of(self, position: int) -> int:
        """The place in the text of a character of a word."""
        word = bisect_right(self._starts_in_line, position) - 1
        return self._starts[word] + position - self._starts_in_line[word]
