"""Markdown to blocks.

The tokens are walked once with explicit stacks, so the depth of a text's nesting never becomes
the depth of Python's call stack; markdown-it itself is bounded by ``MAXIMUM_NESTING``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memctl.blocks.block import Block, BlockKind, table_row_text
from memctl.blocks.front_matter import take_front_matter
from memctl.blocks.inline import (
    Composed,
    Run,
    compose,
    is_taken_back,
    plain_text,
    split_lines,
    unstruck_text,
)
from memctl.blocks.lines import end_of_item, group_lines, is_day_of_month
from memctl.blocks.literal import as_written, block_as_written, put_stand_ins
from memctl.blocks.tokens import InlineText, inline_text, markdown_parser

if TYPE_CHECKING:
    from markdown_it.token import Token

SETEXT_MAXIMUM_CHARACTERS = 120
"""A longer text over a line of hyphens is a paragraph above a rule, not a heading."""

_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<[!?][^<>]*>")
_NOTE_DEFINITION = re.compile(r"^ {0,3}\[\^[^\]\s]{1,60}\]:", re.MULTILINE)
_HIDDEN = re.compile(r"%%((?:[^%]|%(?!%))+)%%\s*")
_CALLOUT = re.compile(r"\[!([\w-]+)\][+-]?\s*")
_DEEP_MARKS = re.compile(r"(?:[\s>*+-]|\d{1,9}[.)](?=\s))+")

_LEAVES = {"fence": BlockKind.CODE, "code_block": BlockKind.CODE, "hr": BlockKind.RULE}
_TEXT_OPENERS = frozenset({"paragraph_open", "heading_open", "th_open", "td_open", "dt_open"})
_CONTAINERS = {"blockquote_open": "blockquote_close", "list_item_open": "list_item_close"}

Span = tuple[int, int]
"""First and last line, both counted from 1 and both included."""


def parse_markdown(text: str, literal_places: Sequence[int] = ()) -> list[Block]:
    """The blocks of a Markdown text in reading order.

    Lines end with LF (a lone CR is a blank). The characters at ``literal_places`` (from 0,
    ascending) are no marks. Raises nothing.
    """
    if literal_places:
        blocks = _parse(put_stand_ins(text, literal_places))
        return [block_as_written(block) for block in blocks]
    return _parse(text)


def _parse(text: str) -> list[Block]:
    source = text.replace("\r\n", "\n").replace("\r", " ")
    front_matter, body = take_front_matter(_NOTE_DEFINITION.sub("", source))
    walk = _Walk(body.split("\n"))
    if front_matter is not None:
        walk.blocks.append(front_matter)
    tokens = markdown_parser().parse(body)
    for position, token in enumerate(tokens):
        walk.visit(token)
        closer = _CONTAINERS.get(token.type)
        if closer is not None and tokens[position + 1].type == closer:
            walk.deep_container(token)
    return walk.blocks


@dataclass(slots=True)
class _Container:
    """An open list item or quote. ``text`` is what its contents get as context."""

    is_item: bool
    first_line: int
    number: str = ""
    """The mark of an ordered item as it was written."""
    text: str = ""
    position: int | None = None
    """Where its own block stands in the list of blocks, once it has one."""
    empty: bool = True


class _Walk:
    """The state of the walk over the tokens, and the blocks that it has made."""

    def __init__(self, lines: list[str]) -> None:
        self.blocks: list[Block] = []
        self._lines = lines
        self._headings: list[tuple[int, str]] = []
        self._heading_path: tuple[str, ...] = ()
        self._containers: list[_Container] = []
        self._quotes = 0
        self._opened = ""
        self._heading: tuple[int, str, Span] = (1, "#", (1, 1))
        self._header: tuple[str, ...] = ()
        self._cells: list[str] = []
        self._row_is_struck = False
        self._row: Span = (1, 1)
        self._term: tuple[str, int] | None = None

    def visit(self, token: Token) -> None:
        """Takes the next token."""
        if token.type in _TEXT_OPENERS:
            self._opened = token.type
        handler = _HANDLERS.get(token.type)
        if handler is not None:
            handler(self, token)

    def deep_container(self, token: Token) -> None:
        """Takes what lies below the limit of nesting, of which markdown-it kept nothing."""
        first, last = _span(token)
        for number in range(first, last + 1):
            line = self._lines[number - 1]
            marks = _DEEP_MARKS.match(line)
            text = " ".join((line[marks.end() :] if marks else line).split())
            if text:
                self._add(BlockKind.PARAGRAPH, text, (number, number))

    def open_list(self, _token: Token) -> None:
        for container in reversed(self._containers):
            if container.is_item and container.position is not None:
                owner = self.blocks[container.position]
                self.blocks[container.position] = replace(owner, has_children=True)
                return

    def open_item(self, token: Token) -> None:
        number = f"{token.info}. " if token.info and token.markup == "." else ""
        self._containers.append(_Container(is_item=True, first_line=_span(token)[0], number=number))

    def close_item(self, _token: Token) -> None:
        item = self._containers[-1]
        if item.empty:
            self._add_item(item, "", (item.first_line, item.first_line))
        self._containers.pop()

    def open_quote(self, token: Token) -> None:
        self._containers.append(_Container(is_item=False, first_line=_span(token)[0]))
        self._quotes += 1

    def close_quote(self, _token: Token) -> None:
        self._containers.pop()
        self._quotes -= 1

    def open_heading(self, token: Token) -> None:
        self._heading = (int(token.tag[1:]), token.markup, _span(token))

    def open_row(self, _token: Token) -> None:
        self._cells = []
        self._row_is_struck = False

    def close_head(self, _token: Token) -> None:
        self._header = tuple(self._cells)

    def leaf(self, token: Token) -> None:
        text = token.content.removesuffix("\n") if token.type != "hr" else ""
        first, last = _span(token)
        while last > first and token.type == "code_block" and not self._lines[last - 1].strip():
            last -= 1
        self._add(_LEAVES[token.type], text, (first, last), info=token.info.strip())

    def html(self, token: Token) -> None:
        """Takes an HTML block: each comment in it is a block, and so is what stands between."""
        position = 0
        for match in _COMMENT.finditer(token.content):
            self._html_part(token, position, match.start())
            span = _part_span(token, match.start(), match.end())
            self._add(BlockKind.COMMENT, match[1].strip(), span)
            position = match.end()
        self._html_part(token, position, len(token.content))

    def _html_part(self, token: Token, start: int, end: int) -> None:
        part = token.content[start:end]
        if not part.strip():
            return
        start += len(part) - len(part.lstrip())
        text = " ".join(html.unescape(_TAG.sub(" ", part)).split())
        self._add(BlockKind.HTML, text, _part_span(token, start, start + len(part.strip())))

    def inline(self, token: Token) -> None:
        content = inline_text(token)
        span = _span(token)
        hidden = _HIDDEN.fullmatch(token.content)
        if hidden is not None and self._opened == "paragraph_open":
            self._add(BlockKind.COMMENT, hidden[1].strip(), span)
        elif self._opened in ("th_open", "td_open"):
            self._cells.append(unstruck_text(content.runs).rstrip("; "))
            text = plain_text(content.runs)
            self._row_is_struck |= len(text.split()) > 1 and is_taken_back(content.runs)
            self._row = span
        elif self._opened == "dt_open":
            self._term = (plain_text(content.runs), span[0])
        elif self._opened == "heading_open" and not self._containers:
            self._take_heading(content)
        else:
            self._take_text(content, span)

    def close_row(self, _token: Token) -> None:
        if not any(self._cells) or self._opened == "th_open":
            return
        cells = tuple(self._cells)
        text = table_row_text(self._header, cells)
        self._add(
            BlockKind.TABLE_ROW,
            text,
            self._row,
            cells=cells,
            header=self._header,
            struck=self._row_is_struck,
        )

    def _take_heading(self, content: InlineText) -> None:
        level, markup, span = self._heading
        text = " ".join(plain_text(content.runs).split())
        underlined = markup in ("-", "=")
        if underlined and (content.line_count != 1 or len(text) > SETEXT_MAXIMUM_CHARACTERS):
            self._take_text(content, (span[0], span[1] - 1))
            self._add(BlockKind.RULE, "", (span[1], span[1]))
            return
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._heading_path = tuple(title for _, title in self._headings)
        self._add(BlockKind.HEADING, text, span, level=level)
        if text:
            self._headings.append((level, text))
            self._heading_path = (*self._heading_path, text)

    def _take_text(self, content: InlineText, span: Span) -> None:
        lines = split_lines(content.runs, max(content.line_count, 1))
        texts = [plain_text(line) for line in lines]
        breaks = content.breaks | {1} if _CALLOUT.match(texts[0]) else content.breaks
        has_own_lines = content.line_count == span[1] - span[0] + 1
        end = self._end_of_item(texts, span[0]) if has_own_lines else len(texts)
        readable = [as_written(text) for text in texts[:end]]
        for group in group_lines(readable, breaks):
            composed = compose(lines, group[0], group[-1])
            if has_own_lines:
                self._take_composed(composed, (span[0] + group[0], span[0] + group[-1]))
            else:
                self._take_composed(replace(composed, line_offsets=()), span)
        if end < len(texts):
            self._take_below_item(lines[end:], texts[end:], span[0] + end)

    def _end_of_item(self, texts: Sequence[str], first_line: int) -> int:
        """How many lines of a paragraph belong to the list item that it begins, if it does one."""
        container = self._containers[-1] if self._containers else None
        if container is None or not (container.is_item and container.empty) or self._quotes:
            return len(texts)
        sources = self._lines[first_line - 1 : first_line - 1 + len(texts)]
        mark = _indent(sources[0])
        return end_of_item(texts, [_indent(source) > mark for source in sources])

    def _take_below_item(
        self, lines: Sequence[list[Run]], texts: Sequence[str], first_line: int
    ) -> None:
        """Takes lines that stand below an item and belong to none."""
        containers, self._containers = self._containers, []
        for group in group_lines(texts):
            span = (first_line + group[0], first_line + group[-1])
            self._take_composed(compose(lines, group[0], group[-1]), span)
        self._containers = containers

    def _take_composed(self, composed: Composed, span: Span) -> None:
        container = self._containers[-1] if self._containers else None
        text = composed.text
        if container is not None and container.empty:
            if container.is_item:
                self._add_item(container, text, span, **composed.block_fields())
                return
            callout = _CALLOUT.match(text)
            if callout is not None:
                container.text = text[callout.end() :].strip() or callout[1].capitalize()
                container.empty = False
                return
        if not text:
            return
        fields = composed.block_fields()
        if self._term is not None:
            term, first = self._term
            self._term = None
            text, span = f"{term}: {text}", (first, span[1])
            fields |= {"lead": term, "line_offsets": ()}
        in_quote = container is not None and not container.is_item
        self._add(BlockKind.QUOTE if in_quote else BlockKind.PARAGRAPH, text, span, **fields)

    def _add_item(self, item: _Container, text: str, span: Span, **fields: Any) -> None:
        depth = sum(container.is_item for container in self._containers) - 1
        position = len(self.blocks)
        if is_day_of_month(item.number + text):
            text = item.number + text
            fields["line_offsets"] = ()
        self._add(BlockKind.LIST_ITEM, text, span, level=depth, **fields)
        item.text, item.position = text, position

    def _add(self, kind: BlockKind, text: str, span: Span, **fields: Any) -> None:
        for container in reversed(self._containers):
            if not container.empty:
                break
            container.empty = False
        self.blocks.append(
            Block(
                kind=kind,
                text=text,
                first_line=span[0],
                last_line=max(span),
                heading_path=self._heading_path,
                parents=tuple(box.text for box in self._containers if box.text),
                quoted=self._quotes > 0,
                **fields,
            )
        )


_HANDLERS: dict[str, Callable[[_Walk, Token], None]] = {
    "bullet_list_open": _Walk.open_list,
    "ordered_list_open": _Walk.open_list,
    "list_item_open": _Walk.open_item,
    "list_item_close": _Walk.close_item,
    "blockquote_open": _Walk.open_quote,
    "blockquote_close": _Walk.close_quote,
    "heading_open": _Walk.open_heading,
    "thead_close": _Walk.close_head,
    "tr_open": _Walk.open_row,
    "tr_close": _Walk.close_row,
    "fence": _Walk.leaf,
    "code_block": _Walk.leaf,
    "hr": _Walk.leaf,
    "html_block": _Walk.html,
    "inline": _Walk.inline,
}


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _span(token: Token) -> Span:
    first, end = token.map or (0, 1)
    return first + 1, max(end, first + 1)


def _part_span(token: Token, start: int, end: int) -> Span:
    first = _span(token)[0] + token.content.count("\n", 0, start)
    return first, first + token.content.rstrip().count("\n", start, end)
