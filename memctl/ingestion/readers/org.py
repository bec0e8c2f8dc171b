"""Org as Markdown, line for line: headings, tasks, lists, emphasis, links, code and tables.

Texts are literal: stand-ins (``blocks.literal``) take the place of what only Markdown would read as
marks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath

from memctl.blocks.literal import (
    as_literal,
    as_literal_lines,
    read_stand_ins,
    with_literal_edges,
    without_noncharacters,
)
from memctl.extraction.extractor import DocumentText
from memctl.ingestion.readers.dates import date_of_value
from memctl.ingestion.readers.markdown import read_markdown
from memctl.ingestion.readers.markdown_writer import link_target

MAXIMUM_EMPHASIS_DEPTH = 4
"""Levels of emphasis that are followed into each other."""

CODE_INDENT = 4
"""Columns from which Markdown takes a line for code; Org indents texts as far as headlines."""

_HEADING = re.compile(
    r"(\*+)\s+(?:(?P<state>TODO|NEXT|WAITING|WAIT|HOLD|STARTED|DOING|DONE|CANCELLED|CANCELED)\s+)?"
    r"(?:\[#(?P<priority>[A-Z0-9])\]\s+)?(?P<title>.*?)(?:\s+:(?P<tags>[\w@#%:]+):)?\s*$"
)
_DONE = frozenset({"DONE", "CANCELLED", "CANCELED"})
_TIMESTAMP = (
    r"[<\[](\d{4}-\d{2}-\d{2})(?:\s+[^\W\d_]+\.?)?(?:\s+(\d{1,2}:\d{2}))?[^<>\[\]\n]*[>\]]"
    r"(?:--[<\[][^<>\[\]\n]*[>\]])?"
)
_PLAN = re.compile(rf"(DEADLINE|SCHEDULED|CLOSED):\s*{_TIMESTAMP}")
_APPOINTMENT = re.compile(rf"(?P<title>.*?\S)\s+(?=<){_TIMESTAMP}$")
_KEYWORD = re.compile(r"#\+(\w+):\s*(.*)$")
_BLOCK = re.compile(r"\s*#\+(begin|end)_(\w+)\s*(\S*)", re.IGNORECASE)
_QUOTING_BLOCKS = frozenset({"quote", "verse"})
_TEXT_BLOCKS = _QUOTING_BLOCKS | {"center"}
_DRAWER = re.compile(r"\s*:([\w-]+):\s*$")
_TABLE_ROW = re.compile(r"\s*\|")
_TABLE_RULE = re.compile(r"\s*\|[-+]+\|\s*$")
_RULE = re.compile(r"\s*-{5,}\s*$")
_ITEM = re.compile(
    r"(?P<mark>\s*(?:[-+]|(?<=\s)\*|\d{1,9}[.)])\s+)(?:\[@\d+\]\s+)?"
    r"(?P<box>(?:\[[ xX-]\](?=\s|$)\s*)?)(?P<text>.*)"
)
_INLINE = re.compile(
    r"\[\[(?P<target>[^\[\]]+)\](?:\[(?P<label>[^\[\]]+)\])?\]"
    r"|(?<![^\s\-('\"{])(?P<sign>[*/_=~+])(?=\S)(?P<inner>(?:(?!(?P=sign)).)+)(?<=\S)(?P=sign)"
    r"(?![^\s\-.,:!?;'\")}\[\\])"
)
"""Links, and emphasis with what Org wants to stand before and after it."""

_EMPHASIS = {"*": "**", "/": "*", "_": "_", "+": "~~"}


def read_org(path: PurePath, text: str, encoding: str) -> DocumentText:
    """The same lines as Markdown."""
    converter = _Converter(without_noncharacters(text).split("\n"))
    document = read_markdown(path, "\n".join(converter.convert()), encoding)
    converted = read_stand_ins(document.text)
    keywords = converter.keywords
    return replace(
        document,
        text=converted.text,
        literal_places=converted.places,
        title=keywords.get("title") or document.title,
        document_date=date_of_value(keywords.get("date", "")) or document.document_date,
        tags=tuple(filter(None, keywords.get("filetags", "").split(":"))),
    )


class _Converter:
    """Rewrites Org line by line; ``keywords`` collects ``#+TITLE`` and its kind."""

    def __init__(self, lines: list[str]) -> None:
        self.keywords: dict[str, str] = {}
        self._lines = lines
        self._block = ""
        self._in_drawer = False
        self._plan_position = -1
        """The line of which a task above has taken what it says."""
        self._in_list = False
        self._margin = 0
        """Columns that the lines here stand further in than they do in the result."""

    def convert(self) -> list[str]:
        """As many lines as were given."""
        return [self._line(position, line) for position, line in enumerate(self._lines)]

    def _line(self, position: int, line: str) -> str:
        block = _BLOCK.match(line)
        if block is not None:
            return self._block_mark(block)
        if self._block:
            return self._line_of_block(line)
        if self._in_drawer or _DRAWER.match(line):
            return self._drawer_line(line)
        if position == self._plan_position:
            return ""
        heading = _HEADING.match(line)
        if heading is not None:
            self._in_list = False
            return self._heading(position, heading)
        return self._plain_line(line)

    def _plain_line(self, line: str) -> str:
        keyword = _KEYWORD.match(line)
        if keyword is not None:
            self.keywords.setdefault(keyword[1].lower(), keyword[2].strip())
        if keyword is not None or line.lstrip().startswith("# "):
            return ""
        if _TABLE_RULE.match(line):
            return line.replace("+", "|")
        if _TABLE_ROW.match(line):
            return "|".join(map(_inline, self._moved_out(line).split("|")))
        if _RULE.match(line):
            return line.replace("-", "*")
        return _text_line(self._moved_out(line))

    def _moved_out(self, line: str) -> str:
        """The line without an indentation that makes no part of a list of it, but code."""
        indent = len(line) - len(line.lstrip())
        is_item = _ITEM.match(line) is not None
        if not self._in_list or (indent <= self._margin and not is_item and line.strip()):
            self._margin = indent if indent >= CODE_INDENT else 0
            self._in_list = is_item
        return line[min(indent, self._margin) :]

    def _block_mark(self, block: re.Match[str]) -> str:
        opens, kind = block[1].lower() == "begin", block[2].lower()
        was_open, self._block = self._block != "", kind if opens else ""
        if kind in _TEXT_BLOCKS or not (opens or was_open):
            return ""
        return f"```{block[3] if opens else ''}"

    def _line_of_block(self, line: str) -> str:
        if self._block in _TEXT_BLOCKS:
            text = _text_line(line.strip())
            return f"> {text}" if self._block in _QUOTING_BLOCKS else text
        return as_literal(line)

    def _drawer_line(self, line: str) -> str:
        drawer = _DRAWER.match(line)
        self._in_drawer = drawer is None or drawer[1].lower() != "end"
        return ""

    def _heading(self, position: int, heading: re.Match[str]) -> str:
        """A task without headlines under it is a list item, and so is a time with nothing under it;
        every other headline is a heading."""
        level = len(heading[1])
        title = _inline(heading["title"])
        state = heading["state"]
        mark = "#" * min(level, 6)
        if self._has_children(position, level):
            return f"{mark} {state}: {title}" if state else f"{mark} {title}"
        if state is None:
            return self._appointment(position, heading["title"]) or f"{mark} {title}"
        plan = _plan(self._lines[position + 1]) if position + 1 < len(self._lines) else {}
        self._plan_position = position + 1 if plan else -1
        return _task(as_literal_lines(title), plan, is_done=state in _DONE)

    def _appointment(self, position: int, title: str) -> str | None:
        """A headline that ends with a time, as an item; None where there is a text under it."""
        found = _APPOINTMENT.match(title)
        following = next(filter(str.strip, self._lines[position + 1 :]), None)
        if found is None or not (following is None or _HEADING.match(following)):
            return None
        return f"- {_time(found[2], found[3])}: {as_literal_lines(_inline(found['title']))}"

    def _has_children(self, position: int, level: int) -> bool:
        for line in self._lines[position + 1 :]:
            following = _HEADING.match(line) if line.startswith("*") else None
            if following is not None:
                return len(following[1]) > level
        return False


def _plan(line: str) -> Mapping[str, str]:
    """The times of a line that says when a task is due, planned or was done, by those words."""
    found = {match[1]: _time(match[2], match[3]) for match in _PLAN.finditer(line)}
    return {} if _PLAN.sub("", line).strip() else found


def _task(title: str, plan: Mapping[str, str], *, is_done: bool) -> str:
    """A task with its times behind it. One that is to be done begins with when that is planned."""
    ended = "CLOSED" if is_done and "CLOSED" in plan else "SCHEDULED"
    told = [f"{kind.lower()}: {plan[kind]}" for kind in ("DEADLINE", ended) if kind in plan]
    start = f"{plan[ended]}: " if ended in plan and not is_done else ""
    times = f" ({'; '.join(told)})" if told else ""
    return f"- [{'x' if is_done else ' '}] {start}{title}{times}"


def _time(day: str, clock: str | None) -> str:
    return f"{day} {clock}" if clock else day


def _text_line(line: str) -> str:
    """A list item with its mark and check box, or a line of text."""
    item = _ITEM.match(line)
    if item is None:
        return as_literal_lines(_inline(line))
    return f"{item['mark']}{item['box']}{as_literal_lines(_inline(item['text']))}"


def _inline(text: str, depth: int = 0) -> str:
    """Text with its emphasis and links in Markdown, all else literal."""
    if depth > MAXIMUM_EMPHASIS_DEPTH:
        return as_literal(text)
    pieces: list[str] = []
    end = 0
    for match in _INLINE.finditer(text):
        pieces += as_literal(text[end : match.start()]), _marked(match, depth)
        end = match.end()
    return "".join([*pieces, as_literal(text[end:])])


def _marked(match: re.Match[str], depth: int) -> str:
    target, label, sign, inner = match.groups()
    if target is not None:
        return (
            f"[{_inline(label or target, depth + 1)}]({link_target(target.removeprefix('file:'))})"
        )
    if sign not in _EMPHASIS:
        return f"`{as_literal(inner)}`"
    mark = _EMPHASIS[sign]
    return f"{mark}{with_literal_edges(_inline(inner, depth + 1))}{mark}"
