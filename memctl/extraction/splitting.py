"""Halves a text where it can best be parted, so that each half can be understood alone."""

from __future__ import annotations

import re

MINIMUM_HALF_LENGTH = 80
"""Characters; a shorter half would hold no context for its statements."""

_BOUNDARIES = (
    re.compile(r"\n[ \t]*\n+(?=#)"),
    re.compile(r"\n[ \t]*\n+"),
    re.compile(r"\n(?=[-*+•\d#|>])"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?。！？])\s*"),
    re.compile(r"\s+"),
)
"""From the best place to the worst: section, paragraph, list item, line, sentence, word."""


def split_text(text: str) -> tuple[str, str] | None:
    """Two parts that joined give ``text``, parted near its middle; None for a short text.

    The best kind of boundary in the middle half of the text is taken, the one nearest to the
    middle among equals; without any, the middle itself.
    """
    if len(text) < 2 * MINIMUM_HALF_LENGTH:
        return None
    middle = len(text) // 2
    low = max(MINIMUM_HALF_LENGTH, len(text) // 4)
    high = len(text) - low
    for boundary in _BOUNDARIES:
        places = [
            match.end()
            for match in boundary.finditer(text, low, high)
            if low <= match.end() <= high
        ]
        if places:
            place = min(places, key=lambda place: abs(place - middle))
            return text[:place], text[place:]
    return text[:middle], text[middle:]
