"""Structured data, laid out by its indents, to blocks: each knows all keys and entries around it.

The layout is that of ``ingestion/readers/structure_text``: two blanks a level; ``key:`` has its
parts below it, ``key: value`` has none; the members of an entry ``- name`` stand as deep as its
name. What stands deeper than it can is a further line of the text above.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memctl.blocks.block import Block, BlockKind

ITEM_MARK = "- "

_MEMBER = re.compile(
    r"(?P<key>[^\s:#](?:[^:\n]|:(?=\S)){0,80}):(?:\s+(?P<value>\S.*)|\s*$)", re.DOTALL
)


@dataclass(slots=True)
class _Part:
    """What can have members, and the least column at which these stand."""

    text: str
    inside: int
    is_entry: bool


@dataclass(slots=True)
class _Line:
    """A text with its column and place (from 0), and where each line of it begins in it."""

    column: int
    text: str
    place: int
    is_entry: bool
    offsets: list[int]

    def go_on(self, text: str, place: int) -> None:
        """Takes a further line; the blank ones before it begin where it does."""
        missing = place - self.place + 1 - len(self.offsets)
        self.offsets += [len(self.text) + 1] * missing
        self.text += f" {text}"


def parse_data(text: str, title: str = "") -> list[Block]:
    """The values of a laid out text in reading order: members are paragraphs, or list items where
    they begin an entry; keys over parts are the parents of these.

    ``title`` is what the data is of: the heading over values that are in no entry of a list. Raises
    nothing.
    """
    blocks: list[Block] = []
    around: list[_Part] = []
    for line in _statements(text.split("\n")):
        _leave(around, line)
        member = _MEMBER.fullmatch(line.text)
        has_parts = _has_parts(member)
        if not has_parts:
            blocks.append(_block(line, around, member, title))
        if line.is_entry:
            around.append(_Part("" if has_parts else line.text, line.column, is_entry=True))
        if has_parts and member is not None:
            around.append(_Part(member["key"], line.column + 1, is_entry=False))
    return blocks


def _statements(lines: Sequence[str]) -> Iterator[_Line]:
    """The lines that are not blank, each with the further lines of its text."""
    current: _Line | None = None
    deepest = 0
    for place, line in enumerate(lines):
        text = line.strip()
        column = len(line) - len(line.lstrip(" "))
        if not text:
            continue
        if current is not None and column > deepest:
            current.go_on(text, place)
            continue
        if current is not None:
            yield current
        is_entry = text.startswith(ITEM_MARK)
        if is_entry:
            text = text[len(ITEM_MARK) :].strip()
            column += len(ITEM_MARK)
        current = _Line(column, text, place, is_entry, [0])
        member = _MEMBER.fullmatch(text)
        deepest = sys.maxsize if _has_parts(member) else column
    if current is not None:
        yield current


def _has_parts(member: re.Match[str] | None) -> bool:
    return member is not None and member["value"] is None


def _leave(around: list[_Part], line: _Line) -> None:
    """Takes the parts away to which a line does not belong any more."""
    mark = line.column - len(ITEM_MARK) if line.is_entry else line.column
    while around and mark < around[-1].inside:
        around.pop()


def _block(line: _Line, around: Sequence[_Part], member: re.Match[str] | None, title: str) -> Block:
    is_of_entry = line.is_entry or any(part.is_entry for part in around)
    return Block(
        kind=BlockKind.LIST_ITEM if line.is_entry else BlockKind.PARAGRAPH,
        text=line.text,
        first_line=line.place + 1,
        last_line=line.place + len(line.offsets),
        heading_path=() if is_of_entry or not title else (title,),
        parents=tuple(part.text for part in around if part.text),
        level=len(around),
        line_offsets=tuple(line.offsets),
        key="" if member is None else member["key"],
    )
