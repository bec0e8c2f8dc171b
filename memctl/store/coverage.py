"""How much of a chunk's text its memories say: what they leave out needs a vector of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memctl.memory import Chunk

UNCOVERED_SHARE_FOR_VECTOR = 0.4
"""From this share of its characters on, what no memory says is worth a vector for the chunk. Below
it the vectors of its memories stand for it, which halves the embedding work of an ingest of notes;
full text finds the chunk either way."""


@dataclass(frozen=True, slots=True)
class StatedLines:
    """A chunk's own lines (from 0, both included) that a memory of ``characters`` characters comes
    from."""

    first_place: int
    last_place: int
    characters: int


def uncovered_share(chunk: Chunk, stated: Iterable[StatedLines]) -> float:
    """Share in 0..1 of the chunk's characters that its memories leave out; 0 for a blank chunk.

    A memory covers at most as many characters as it has, so one sentence taken from a long line
    does not stand for the whole line. Headings that its memories carry as context do not count.
    """
    open_characters = _characters_by_place(chunk)
    total = sum(open_characters.values())
    for statement in stated:
        left = statement.characters
        for place in range(statement.first_place, statement.last_place + 1):
            taken = min(left, open_characters.get(place, 0))
            if taken:
                open_characters[place] -= taken
                left -= taken
    return sum(open_characters.values()) / total if total else 0.0


def _characters_by_place(chunk: Chunk) -> dict[int, int]:
    headings = {heading.strip() for heading in chunk.heading_path}
    return {
        place: len(text.strip())
        for place, text in enumerate(chunk.content.split("\n"))
        if text.strip().strip("#").strip() not in headings
    }
