"""Characters of a Markdown text that stand for themselves, whatever Markdown would read in them.

What is written as Markdown from another format holds punctuation that is no mark. While such a text
is written and while it is parsed, a stand-in takes the place of each literal character: one of the
noncharacters of Unicode, which are for a program's own use, one for each character of ASCII
punctuation. No place in the text moves by that, and what people read holds no signs of escape.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from memctl.blocks.block import Block

_FIRST_NONCHARACTER = 0xFDD0
_STAND_INS = {
    character: chr(_FIRST_NONCHARACTER + number)
    for number, character in enumerate(string.punctuation)
}
_CHARACTERS = {stand_in: character for character, stand_in in _STAND_INS.items()}
_STAND_IN = re.compile("[\ufdd0-\ufdef]")

_MARKS = str.maketrans({mark: _STAND_INS[mark] for mark in "\\`*_[]<>&~|%=^#+-;"})
"""Punctuation that has a meaning in the middle of a line, or in more places than its start."""

_EDGES = frozenset(map(chr, _MARKS.keys() ^ set(map(ord, string.punctuation))))
_LINK_END = re.compile(r"\]\([^()]*\)\Z")
_LINE_START = re.compile(r"^(\s*)(?:(:)|(\d{1,9})([.)]))", re.MULTILINE)
_TYPED_BOX = re.compile(
    f"{re.escape(_STAND_INS['['])}([ xX{_STAND_INS['-']}]){re.escape(_STAND_INS[']'])}(?=\\s)"
)


class LiteralText(NamedTuple):
    """A text, and which of its characters (places from 0, ascending) stand for themselves."""

    text: str
    places: tuple[int, ...]


def without_noncharacters(text: str) -> str:
    """The text with U+FFFD for what could be taken for a stand-in."""
    return _STAND_IN.sub("\ufffd", text)


def as_literal(text: str) -> str:
    """The text with stand-ins for all punctuation that Markdown could take for marks, but for what
    has a meaning at the start of a line alone."""
    return text.translate(_MARKS)


def as_literal_lines(text: str) -> str:
    """A text in which ``as_literal`` has been at work, with stand-ins also for what would begin a
    list or a definition at the start of a line."""
    return _LINE_START.sub(_literal_line_start, text)


def with_literal_edges(text: str) -> str:
    """A text, not empty, in which ``as_literal`` has been at work, with stand-ins for punctuation
    at its ends: signs of emphasis that stand between a letter and punctuation are none."""
    first = _STAND_INS[text[0]] if text[0] in _EDGES else text[0]
    if len(text) == 1:
        return first
    is_text = text[-1] in _EDGES and _LINK_END.search(text) is None
    return f"{first}{text[1:-1]}{_STAND_INS[text[-1]] if is_text else text[-1]}"


def with_typed_box(text: str) -> str:
    """The text of a list item, whose check box is a mark although it was typed."""
    return _TYPED_BOX.sub(lambda match: as_written(match[0]), text, count=1)


def as_written(text: str) -> str:
    """The text with the characters that the stand-ins stand for."""
    return _STAND_IN.sub(lambda match: _CHARACTERS[match[0]], text)


def read_stand_ins(text: str) -> LiteralText:
    """The text that people read, and the places of its literal characters."""
    places = tuple(match.start() for match in _STAND_IN.finditer(text))
    return LiteralText(as_written(text), places)


def put_stand_ins(text: str, places: Sequence[int]) -> str:
    """The text with stand-ins for the characters at these places, as ``read_stand_ins`` was given
    it. Characters that have none stay."""
    if not places:
        return text
    pieces: list[str] = []
    end = 0
    for place in places:
        pieces += text[end:place], _STAND_INS.get(text[place], text[place])
        end = place + 1
    return "".join([*pieces, text[end:]])


def block_as_written(block: Block) -> Block:
    """The block with the characters that the stand-ins in its texts stand for."""
    return replace(
        block,
        text=as_written(block.text),
        heading_path=_all_as_written(block.heading_path),
        parents=_all_as_written(block.parents),
        lead=None if block.lead is None else as_written(block.lead),
        cells=_all_as_written(block.cells),
        header=_all_as_written(block.header),
    )


def _all_as_written(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(as_written, texts))


def _literal_line_start(match: re.Match[str]) -> str:
    indent, colon, number, sign = match.groups()
    if colon is not None:
        return f"{indent}{_STAND_INS[colon]}"
    return f"{indent}{number}{_STAND_INS[sign]}"
