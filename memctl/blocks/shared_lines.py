"""Lines of a text on the lines of the file that it was read from, where several may share one.

What is cited are lines of the file, while a reader may have made more lines, or fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

LINE_SEPARATOR = "\u2028"
"""Stands between lines of a text that share one line."""


class SeparateLines(NamedTuple):
    """A text of which no lines share one; ``numbers[i]`` is the line (from 1) that line i + 1 stood
    on before."""

    text: str
    numbers: tuple[int, ...]


def set_on_file_lines(text: str, file_lines: Sequence[int]) -> str:
    """The text with each line on the line (from 1) that it has in its file: lines of the text that
    have one line there share it, and lines that have nothing of the text are blank."""
    placed: list[str] = []
    numbered = zip(text.split("\n"), file_lines, strict=True)
    for file_line, sharing in groupby(numbered, key=itemgetter(1)):
        placed += [""] * (file_line - 1 - len(placed))
        placed.append(LINE_SEPARATOR.join(line for line, _ in sharing))
    return "\n".join(placed)


def separate_lines(text: str) -> SeparateLines:
    """The text with each line on one of its own; no character changes its place."""
    numbers = [
        number
        for number, line in enumerate(text.split("\n"), start=1)
        for _ in range(line.count(LINE_SEPARATOR) + 1)
    ]
    return SeparateLines(text.replace(LINE_SEPARATOR, "\n"), tuple(numbers))
