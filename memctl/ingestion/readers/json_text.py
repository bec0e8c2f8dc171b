"""JSON of any layout as text: a line for each key with its value, and for each entry of a list.

The text is written by the structure of the JSON, and each of its lines knows its line in the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memctl.ingestion.readers.placed_json import tokens

MAXIMUM_INDENTS = 20
"""Deeper parts stand no further in: depth must not cost space."""

STATEMENT_KEYS = frozenset(
    {"text", "content", "note", "body", "message", "title", "summary", "description"}
)
"""Keys of records under which stands what the record says."""

NAME_KEYS = frozenset(
    {"name", "full_name", "fullname", "display_name", "displayname", "title", "subject"}
)
"""Keys of records under which stands what the record is about."""

SHORTEST_STATEMENT_CHARACTERS = 12
"""What is shorter is a word or a name, which needs its key to say something."""

_INDENT = "  "
_ITEM_MARK = "- "
_LINE_BREAK = re.compile("\r\n?|[\n\u2028\u2029]")
_SEPARATOR = re.compile("[,;，；、]")
_LIST_MARK = re.compile(r"\w{1,9}[.)]\s")


class JsonText(NamedTuple):
    """Lines of a text, and for each its line (from 1, ascending) in the file."""

    lines: list[str]
    file_lines: list[int]


def write_json(source: str, *, first_line: int = 1, is_record: bool = False) -> JsonText:
    """The text of valid JSON, which begins on ``first_line`` of its file.

    Objects in a list are records, and so is the outermost object where ``is_record`` is set. A
    record is a list item, to which all of it belongs. What it says, and its name if it begins with
    that, stand without their key; a list or an object in it is one line.
    """
    writer = _Writer(root_is_record=is_record)
    for sign, line in tokens(source, first_line):
        writer.take(sign, line)
    return JsonText(writer.lines, writer.file_lines)


def is_lone_record(value: object) -> bool:
    """Whether a value of JSON is an object that says something and has no parts, as settings have
    them."""
    if not isinstance(value, dict) or not holds_statement(value):
        return False
    lists = [one for one in value.values() if isinstance(one, list)]
    parts = [*value.values(), *(entry for one in lists for entry in one)]
    return not any(isinstance(part, dict) for part in parts)


def holds_statement(record: object) -> bool:
    """Whether a value of JSON is an object that says something under one of the keys for that."""
    return isinstance(record, dict) and any(
        isinstance(value, str) and _is_statement(key, value) for key, value in record.items()
    )


@dataclass(slots=True)
class _Container:
    """An open object or list. ``start`` is how many lines there were when it began, ``first`` the
    place (from 0) among them of the first one of an object, once it has one. ``entries`` are those
    of a list, or an object's keys with their values; None once it holds lists or objects."""

    is_object: bool
    is_record: bool
    start: int
    first: int | None = None
    key: str | None = None
    entries: list[str] | None = field(default_factory=list)


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
        if parent is not None:
            parent.entries = None
        is_record = self._root_is_record if parent is None else not parent.is_object
        if parent is not None and parent.is_object:
            self._write_member(parent, f"{parent.key}:", line)
        elif self.file_lines[-1:] == [line]:
            self._part_has_ended = True
        self._open.append(_Container(is_object, is_object and is_record, len(self.lines)))

    def _end(self) -> None:
        closed = self._open.pop()
        if closed.is_record:
            self._mark_as_item(closed)
        is_under_key = bool(self._open) and self._open[-1].is_object
        if is_under_key and self._open[-1].is_record and closed.entries:
            self._put_behind_key(closed.start, closed.entries)
        elif is_under_key and closed.start == len(self.lines):
            self.lines.pop()
            self.file_lines.pop()
            if self._open[-1].first == len(self.lines):
                self._open[-1].first = None
        elif is_under_key:
            self._part_has_ended = True

    def _put_behind_key(self, start: int, entries: Sequence[str]) -> None:
        """Writes the entries of a list or object, whose lines begin at that place, behind the key
        above them: the items of a record's lists would go on as those of the list of records, and
        the members of its objects as if they were the record's own."""
        del self.lines[start:], self.file_lines[start:]
        self.lines[-1] += f" {', '.join(map(_entry_text, entries))}"

    def _take_scalar(self, value: str, line: int) -> None:
        container = self._open[-1] if self._open else None
        if container is None:
            self._write(value, line)
        elif not container.is_object:
            self._write(f"{_ITEM_MARK}{value}", line)
            if container.entries is not None:
                container.entries.append(value)
        elif container.key is None:
            container.key = value
        else:
            pair = f"{container.key}: {value}"
            if container.entries is not None:
                container.entries.append(pair)
            says_all = _is_statement(container.key, value) or (
                container.first is None and _is_name(container.key, value)
            )
            is_bare = container.is_record and says_all
            self._write_member(container, value if is_bare else pair, line)

    def _write_member(self, container: _Container, text: str, line: int) -> None:
        container.key = None
        place = self._write(text, line)
        if container.first is None:
            container.first = place

    def _write(self, text: str, line: int) -> int:
        """Writes a text, and gives the place (from 0) of its first line."""
        above = self.file_lines[-1:]
        if self._part_has_ended and above and line <= above[0] + 1:
            self._add("", above[0])
        self._part_has_ended = False
        place = len(self.lines)
        self._add(text, line)
        return place

    def _add(self, text: str, line: int) -> None:
        indent = _INDENT * min(len(self._open), MAXIMUM_INDENTS)
        first, *others = _LINE_BREAK.split(text)
        written = [f"{indent}{first}", *(f"{indent}{_INDENT}{other}" for other in others)]
        self.lines += (one.rstrip() for one in written)
        self.file_lines += [line] * len(written)

    def _mark_as_item(self, record: _Container) -> None:
        if record.first is None:
            return
        line = self.lines[record.first]
        text = line.lstrip()
        if not text.startswith(_ITEM_MARK):
            indent = line[: max(len(line) - len(text) - len(_ITEM_MARK), 0)]
            self.lines[record.first] = f"{indent}{_ITEM_MARK}{text}"


def _entry_text(entry: str) -> str:
    """An entry on one line, with quotation marks where it looks like several."""
    text = " ".join(entry.split())
    return f'"{text}"' if _SEPARATOR.search(text) is not None else text


def _is_name(key: str, value: str) -> bool:
    return key.lower() in NAME_KEYS and value[:1].isalnum() and _LIST_MARK.match(value) is None


def _is_statement(key: str, value: str) -> bool:
    return (
        key.lower() in STATEMENT_KEYS
        and len(value) >= SHORTEST_STATEMENT_CHARACTERS
        and value[0].isalnum()
        and _LIST_MARK.match(value) is None
    )
