"""What the secret detectors give: where a secret stands and what kind it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Span(NamedTuple):
    """``text[start:end]`` is a secret of this kind."""

    start: int
    end: int
    kind: str


def positions_of(needle: str, text: str) -> Iterator[int]:
    """Every place where ``needle`` begins in ``text``, ascending, overlaps left out."""
    position = text.find(needle)
    while position >= 0:
        yield position
        position = text.find(needle, position + len(needle))


def lower_in_place(text: str) -> str:
    """``text`` in lower case with every character at its old index.

    A few capitals (``İ``) have a lower case of two characters; these stay as they are.
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)
