"""JSON of any layout as text: a line for each key with its value, and for each entry of a list.

The text is written by the structure of the JSON, and each of its lines knows its line in the file.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NamedTuple

MAXIMUM_INDENTS = 20
"""Deeper parts stand no further in: depth must not cost space."""

STATEMENT_KEYS = frozenset(
    {"text", "content", "note", "body", "message", "title", "summary", "description"}
)
"""Keys of records under which stands what the record says."""

SHORTEST_STATEMENT_CHARACTERS = 12
"""What is shorter is a word or a name, which needs its key to say something."""

_INDENT = "  "
_ITEM_MARK = "- "
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_LINE_BREAK = re.compile("\r\n?|[\n\u2028\u2029]")
_LIST_MARK = re.compile(r"\w{1,9}[.)]\s")


class JsonText(NamedTuple):
    """Lines of a text, and for each its line (from 1, ascending) in the file."""

    lines: list[str]
    file_lines: list[int]


def write_json(source: str, *, first_line: int = 1, is_record: bool = False) -> JsonText:
    """The text of valid JSON, which begins on ``first_line`` of its file.

    Objects in a list are records, and so is the outermost object where ``is_record`` is set. What a
    record says stands without its key, and the rest of the record belongs to it as to a list item.
    """
    writer = _Writer(root_is_record=is_record)
    line, position = first_line, 0
    for match in _TOKEN.finditer(source):
        line += source.count("\n", position, match.start())
        position = match.start()
        writer.take(match[0], line)
    return JsonText(writer.lines, writer.file_lines)


def holds_statement(record: object) -> bool:
    """Whether a value of JSON is an object that says something under one of the keys for that."""
    return isinstance(record, dict) and any(
        isinstance(value, str) and _is_statement(key, value) for key, value in record.items()
    )


@dataclass(slots=True)
class _Container:
    """An open object or list, and the place (from 0) among the lines of the first one in it."""

    is_object: bool
    is_record: bool
    first: int
    key: str | None = None


class _Writer:
    """Takes the tokens of valid JSON in order; commas and colons say nothing that is not known."""

    def __init__(self, *, root_is_record: bool) -> None:
        self.lines: list[str] = []
        self.file_lines: list[int] = []
        self._open: list[_Container] = []
        self._root_is_record = root_is_record
        self._part_has_ended = False

    def take(self, sign: str, line: int) -> None:
        """Takes the next token, which stands on that line of the file."""
        if sign in ("{", "["):
            self._begin(line, is_object=sign == "{")
        elif sign in ("}", "]"):
            self._end()
        elif sign not in (",", ":"):
            self._take_scalar(json.loads(sign) if sign[0] == '"' else sign, line)

    def _begin(self, line: int, *, is_object: bool) -> None:
        parent = self._open[-1] if self._open else None
        is_record = self._root_is_record if parent is None else not parent.is_object
        if parent is not None and parent.is_object:
            self._write(f"{parent.key}:", line)
            parent.key = None
        elif self.file_lines[-1:] == [line]:
            self._add("", line)
        self._open.append(_Container(is_object, is_object and is_record, len(self.lines)))

    def _end(self) -> None:
        closed = self._open.pop()
        is_under_key = bool(self._open) and self._open[-1].is_object
        if is_under_key and closed.first == len(self.lines):
            self.lines.pop()
            self.file_lines.pop()
        elif is_under_key:
            self._part_has_ended = True

    def _take_scalar(self, value: str, line: int) -> None:
        container = self._open[-1] if self._open else None
        if container is None:
            self._write(value, line)
        elif not container.is_object:
            self._write(f"{_ITEM_MARK}{value}", line)
        elif container.key is None:
            container.key = value
        else:
            key, container.key = container.key, None
            if container.is_record and _is_statement(key, value):
                self._write(value, line)
                self._mark_as_item(container)
            else:
                self._write(f"{key}: {value}", line)

    def _write(self, text: str, line: int) -> None:
        if self._part_has_ended and line <= self.file_lines[-1] + 1:
            self._add("", self.file_lines[-1])
        self._part_has_ended = False
        self._add(text, line)

    def _add(self, text: str, line: int) -> None:
        indent = _INDENT * min(len(self._open), MAXIMUM_INDENTS)
        first, *others = _LINE_BREAK.split(text)
        written = [f"{indent}{first}", *(f"{indent}{_INDENT}{other}" for other in others)]
        self.lines += (one.rstrip() for one in written)
        self.file_lines += [line] * len(written)

    def _mark_as_item(self, record: _Container) -> None:
        line = self.lines[record.first]
        text = line.lstrip()
        if not text.startswith(_ITEM_MARK):
            indent = line[: max(len(line) - len(text) - len(_ITEM_MARK), 0)]
            self.lines[record.first] = f"{indent}{_ITEM_MARK}{text}"


def _is_statement(key: str, value: str) -> bool:
    return (
        key.lower() in STATEMENT_KEYS
        and len(value) >= SHORTEST_STATEMENT_CHARACTERS
        and value[0].isalnum()
        and _LIST_MARK.match(value) is None
    )
