"""Plain text to blocks: what a writer's line breaks, marks and indents plainly say, and no more."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from memctl.blocks.block import Block, BlockKind
from memctl.blocks.inline import Run, compose
from memctl.blocks.lines import (
    display_width,
    end_of_item,
    group_lines,
    is_day_of_month,
    is_key_line,
    is_own_line,
    is_task_line,
    is_terminated,
)

TAB_COLUMNS = 4
"""Columns that a tab counts for when indents are compared."""

HEADING_MAXIMUM_CHARACTERS = 80
"""A longer line is no heading, whatever is under it."""

HEADING_MAXIMUM_WORDS = 8
HEADING_MINIMUM_LETTERS = 4
"""Bounds of a line in capitals that is a heading: not an abbreviation, not a shouted sentence."""

TITLE_LOOKAHEAD_LINES = 60
TITLE_MINIMUM_PARAGRAPHS = 2
"""A lonely first line is a title when so many paragraphs of sentences follow within these lines."""

UNDERLINE_SLACK_COLUMNS = 3
"""How far an underline may be from its title's width."""

_BULLET = re.compile(r"(\s*)(?:[-*+•‣◦▪·–—●○]|\(?\d{1,3}[.)、]|\(?[a-z][.)])(?:\s+|$)")
_BOX = re.compile(r"(\s*)(?=\[[ xX✓✔/>-]\](?:\s|$)|[☐☑☒✅✓✔])")
_RULE = re.compile(r"\s*(?:([-=_*~#·—─])(?:\s*\1){2,})\s*$")
_FENCE = re.compile(r"\s*(```+|~~~+)\s*([^`]*)$")
_QUOTE = re.compile(r"\s*((?:>\s?)+)")
_TITLE = re.compile(r"[^\W\d_][^:：.!?。！？]{1,48}[:：]\s*$")
_UNDERLINE = re.compile(r"([-=~^*+#])\1{2,}")
_LETTER = re.compile(r"[^\W\d_]")


def parse_plain(text: str) -> list[Block]:
    """The blocks of a plain text in reading order.

    Paragraphs end at blank lines; bullets, checkboxes, ``name: value`` lines and lines that begin
    with a time or date stand for themselves; hard-wrapped lines are joined; a heading is taken
    for one only when it is underlined, in capitals or ``Title:`` alone. Raises nothing.
    """
    return _Reader(text.replace("\r\n", "\n").replace("\r", " ").split("\n")).read()


@dataclass(slots=True)
class _Item:
    """An open list item: its block's place in the list of blocks, and what it says."""

    indent: int
    text: str
    position: int


@dataclass(slots=True)
class _Heading:
    """A heading in force. A ``tight`` one (``Title:`` directly above its lines) ends with them."""

    level: int
    text: str
    tight: bool


class _Reader:
    """Goes through the lines once; every step consumes at least one."""

    def __init__(self, lines: list[str]) -> None:
        self.blocks: list[Block] = []
        self._lines = lines
        self._position = 0
        self._headings: list[_Heading] = []
        self._items: list[_Item] = []
        self._underlines: list[str] = []
        self._unclosed_fences: set[str] = set()
        self._after_blank = True

    def read(self) -> list[Block]:
        """All blocks of the lines."""
        while self._position < len(self._lines):
            if self._lines[self._position].strip():
                self._take_block()
                self._after_blank = False
            else:
                self._position += 1
                self._after_blank = True
        return self.blocks

    def _take_block(self) -> None:
        line = self._lines[self._position]
        closing = self._closing_fence(line)
        if closing is not None:
            self._take_fence(closing)
        elif self._after_blank and self._take_heading():
            return
        elif _RULE.match(line):
            self._add(BlockKind.RULE, "", self._position, self._position)
            self._position += 1
        elif (quote := _QUOTE.match(line)) is not None:
            self._take_quote(quote)
        elif (mark := _item_mark(line)) is not None:
            self._take_item(line, mark)
        else:
            self._take_paragraph()

    def _closing_fence(self, line: str) -> int | None:
        fence = _FENCE.match(line)
        if fence is None or fence[1] in self._unclosed_fences:
            return None
        for position in range(self._position + 1, len(self._lines)):
            if self._lines[position].strip() == fence[1]:
                return position
        self._unclosed_fences.add(fence[1])
        return None

    def _take_fence(self, closing: int) -> None:
        first = self._position
        fence = _FENCE.match(self._lines[first])
        text = "\n".join(self._lines[first + 1 : closing])
        info = fence[2].strip() if fence else ""
        self._add(BlockKind.CODE, text, first, closing, info=info)
        self._position = closing + 1

    def _take_heading(self) -> bool:
        line = self._lines[self._position].strip()
        following = "".join(self._lines[self._position + 1 : self._position + 2])
        if len(line) > HEADING_MAXIMUM_CHARACTERS or _item_mark(line) is not None:
            return False
        if _is_underline(following, line):
            mark = following.strip()[0]
            if mark not in self._underlines:
                self._underlines.append(mark)
            self._add_heading(line, self._underlines.index(mark) + 1, line_count=2)
            return True
        if _is_capitals(line) and not is_task_line(line):
            self._add_heading(line, len(self._underlines) + 1)
            return True
        if _TITLE.fullmatch(line) and self._has_text_after():
            tight = bool(following.strip())
            self._add_heading(line.rstrip(":： "), len(self._underlines) + 2, tight=tight)
            return True
        if not self.blocks and not following.strip() and self._is_title_of_text(line):
            self._add_heading(line, 1)
            return True
        return False

    def _is_title_of_text(self, line: str) -> bool:
        """Whether a first line that stands alone is the title over several paragraphs."""
        if is_terminated(line) or is_key_line(line) or is_own_line(line):
            return False
        rest = self._lines[self._position + 1 :][:TITLE_LOOKAHEAD_LINES]
        paragraphs = "\n".join(rest).split("\n\n")
        sentences = [part for part in paragraphs if is_terminated(part) and len(part) > len(line)]
        return len(sentences) >= TITLE_MINIMUM_PARAGRAPHS

    def _has_text_after(self) -> bool:
        following = self._lines[self._position + 1 : self._position + 3]
        return any(line.strip() for line in following)

    def _add_heading(
        self, text: str, level: int, *, line_count: int = 1, tight: bool = False
    ) -> None:
        while self._headings and self._headings[-1].level >= level:
            self._headings.pop()
        self._items.clear()
        last = self._position + line_count - 1
        self._add(BlockKind.HEADING, text, self._position, last, level=level)
        self._headings.append(_Heading(level, text, tight))
        self._position = last + 1

    def _take_quote(self, quote: re.Match[str]) -> None:
        self._items.clear()
        first = self._position
        lines: list[str] = []
        marks: re.Match[str] | None = quote
        while marks is not None:
            line = self._lines[self._position]
            if not line[marks.end() :].strip():
                break
            lines.append(line[marks.end() :])
            self._position += 1
            marks = _QUOTE.match(self._lines[self._position]) if self._has_line() else None
        if not lines:
            self._position += 1
        self._add_groups(BlockKind.QUOTE, lines, first, quoted=True)

    def _has_line(self) -> bool:
        return self._position < len(self._lines)

    def _take_item(self, line: str, mark: int) -> None:
        indent = _indent(line)
        while self._items and self._items[-1].indent >= indent:
            self._items.pop()
        first = self._position
        self._position += 1
        lines = self._item_lines(line, mark)
        if self._items:
            owner = self._items[-1].position
            self.blocks[owner] = replace(self.blocks[owner], has_children=True)
        position = len(self.blocks)
        runs = _runs(lines)
        groups = group_lines([text.strip() for text in lines])
        item = compose(runs, groups[0][0], groups[0][-1])
        level = len(self._items)
        last = first + groups[0][-1]
        self._add(BlockKind.LIST_ITEM, item.text, first, last, level=level, **item.block_fields())
        self._items.append(_Item(indent, item.text, position))
        self._add_composed(BlockKind.PARAGRAPH, runs, groups[1:], first)

    def _item_lines(self, line: str, mark: int) -> list[str]:
        """The lines of an item; in ``line``, its first one, its text begins at ``mark``."""
        first = self._position
        lines = [line[mark:], *self._continuation()]
        count = end_of_item(
            [text.strip() for text in lines],
            [_indent(text) > _indent(line) for text in lines],
        )
        self._position = first + count - 1
        return lines[:count]

    def _take_paragraph(self) -> None:
        line = self._lines[self._position]
        indent = _indent(line)
        while self._items and self._items[-1].indent >= indent:
            self._items.pop()
        if self._after_blank and self._headings and self._headings[-1].tight:
            self._headings.pop()
        first = self._position
        self._position += 1
        self._add_groups(BlockKind.PARAGRAPH, [line, *self._continuation()], first)

    def _continuation(self) -> list[str]:
        """The following lines up to a blank one or one that begins something else."""
        first = self._position
        while self._has_line():
            line = self._lines[self._position]
            if not line.strip() or _begins_block(line):
                break
            self._position += 1
        return self._lines[first : self._position]

    def _add_groups(self, kind: BlockKind, lines: list[str], first: int, **fields: Any) -> None:
        groups = group_lines([text.strip() for text in lines])
        self._add_composed(kind, _runs(lines), groups, first, **fields)

    def _add_composed(
        self,
        kind: BlockKind,
        runs: list[list[Run]],
        groups: list[list[int]],
        first: int,
        **fields: Any,
    ) -> None:
        for group in groups:
            composed = compose(runs, group[0], group[-1])
            all_fields = composed.block_fields() | fields
            self._add(kind, composed.text, first + group[0], first + group[-1], **all_fields)

    def _add(self, kind: BlockKind, text: str, first: int, last: int, **fields: Any) -> None:
        self.blocks.append(
            Block(
                kind=kind,
                text=text,
                first_line=first + 1,
                last_line=last + 1,
                heading_path=tuple(heading.text for heading in self._headings),
                parents=tuple(item.text for item in self._items if item.text),
                **fields,
            )
        )


def _runs(lines: list[str]) -> list[list[Run]]:
    return [[Run(line.strip(), position)] for position, line in enumerate(lines)]


def _item_mark(line: str) -> int | None:
    """Where an item's text begins (a checkbox belongs to it), or None when it is no item."""
    bullet = _BULLET.match(line)
    if bullet is not None and not is_day_of_month(line[bullet.start(1) :].lstrip()):
        return bullet.end()
    box = _BOX.match(line)
    return box.end() if box is not None else None


def _begins_block(line: str) -> bool:
    return (
        _item_mark(line) is not None
        or _RULE.match(line) is not None
        or _QUOTE.match(line) is not None
        or _FENCE.match(line) is not None
    )


def _indent(line: str) -> int:
    blanks = line[: len(line) - len(line.lstrip())]
    return len(blanks.expandtabs(TAB_COLUMNS))


def _is_underline(following: str, title: str) -> bool:
    rule = following.rstrip()
    if not _UNDERLINE.fullmatch(rule) or not _LETTER.search(title):
        return False
    width = display_width(title)
    return abs(len(rule) - width) <= max(UNDERLINE_SLACK_COLUMNS, width // 4)


def _is_capitals(line: str) -> bool:
    letters = _LETTER.findall(line)
    return (
        len(letters) >= HEADING_MINIMUM_LETTERS
        and all(letter.isupper() for letter in letters)
        and len(line.split()) <= HEADING_MAXIMUM_WORDS
        and len(letters) * 2 > len(line)
        and line[-1] not in ".!?,;:"
    )
