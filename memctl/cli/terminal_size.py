"""What the variables COLUMNS and LINES may say about the size of a terminal."""

from __future__ import annotations

from collections.abc import Mapping

USUAL_WIDTH = 80
"""Columns, where nothing says how many there are."""

LARGEST = 65_535
"""Columns or lines that a terminal can say it has (ioctl TIOCGWINSZ)."""


def is_size(text: str) -> bool:
    """Whether a variable's value is a number of columns or lines; 0 is what a terminal says that
    does not know its own size."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(LARGEST))
    return is_number and 0 < int(text) <= LARGEST


def without_wrong_sizes(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables without a COLUMNS or LINES that says no size: Rich would take 0 for a width,
    and stop at digits of other scripts."""
    return {
        name: value
        for name, value in environment.items()
        if name not in {"COLUMNS", "LINES"} or is_size(value)
    }
