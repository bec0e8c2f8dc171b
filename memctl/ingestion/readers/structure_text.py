"""Structured data as text: a line for each key with its value, and for each entry of a list.

The text is written by the structure of the data, and each of its lines knows its line in the file.
``blocks/data`` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memctl.blocks.data import ITEM_MARK

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

LONGEST_NAME_CHARACTERS = 200

_INDENT = "  "
_LINE_BREAK = re.compile("\r\n?|[\n\u2028\u2029]")
_SEPARATOR = re.compile("[,;，；、]")
_LIST_MARK = re.compile(r"\w{1,9}[.)]\s")


class StructureText(NamedTuple):
    """Lines of a text, and for each its line (from 1, ascending) in the file."""

    lines: list[str]
    file_lines: list[int]


def is_lone_record(value: object) -> bool:
    """Whether a value is an object that says something and has no parts, as settings have
    them."""
    if not isinstance(value, dict) or not holds_statement(value):
        return False
    lists = [one for one in value.values() if isinstance(one, list)]
    parts = [*value.values(), *(entry for one in lists for entry in one)]
    return not any(isinstance(part, dict) for part in parts)


def has_name(value: object) -> bool:
    """Whether a value is an object that says under one of the keys for that what it is about."""
    return isinstance(value, dict) and any(
        isinstance(name, str) and _is_name(key, name) for key, name in value.items()
    )


def holds_statement(record: object) -> bool:
    """Whether a value is an object that says something under one of the keys for that."""
    return isinstance(record, dict) and any(
        isinstance(value, str) and _is_statement(key, value) for key, value in record.items()
    )


@dataclass(slots=True)
class _Container:
    """An open object or list. ``start`` is how many lines there were when it began, ``first`` the
    place (from 0) among them of the first one of an object, once it has one. ``name`` is that of a
    record which does not begin with it, behind its line's place. ``entries`` are those of a list,
    or an object's keys with their values; None once it holds lists or objects."""

    is_object: bool
    is_record: bool
    start: int
    first: int | None = None
    key: str | None = None
    name: tuple[int, str] | None = None
    entries: list[str] | None = field(default_factory=list)


class StructureWriter:
    """Takes the parts of structured data in order; in an object each value comes after its key.

    Objects in a list are records, and so is the outermost object where ``root_is_record`` is set. A
    record is a list item, to which all of it belongs. It begins with its name, which stands without
    its key, as does what the record says; a list or an object in it is one line.
    """

    def __init__(self, *, root_is_record: bool = False) -> None:
        self.lines: list[str] = []
        self.file_lines: list[int] = []
        self._open: list[_Container] = []
        self._root_is_record = root_is_record
        self._part_has_ended = False

    def set_root(self, *, is_record: bool) -> None:
        """Says before an outermost object begins whether it is a record."""
        self._root_is_record = is_record

    def text(self) -> StructureText:
        """What was written so far."""
        return StructureText(self.lines, self.file_lines)

    def begin(self, line: int, *, is_object: bool, name: str | None = None) -> None:
        """Begins an object or a list on that line of the file. ``name`` is what an object is, where
        none of its keys alone says it."""
        parent = self._open[-1] if self._open else None
        if parent is not None:
            parent.entries = None
        is_record = self._root_is_record if parent is None else not parent.is_object
        if parent is not None and parent.is_object:
            self._write_member(parent, f"{parent.key}:", line)
        elif self.file_lines[-1:] == [line]:
            self._part_has_ended = True
        self._open.append(_Container(is_object, is_object and is_record, len(self.lines)))
        if name is not None:
            self._write_member(self._open[-1], name, line)

    def end(self) -> None:
        """Ends the object or list that began last."""
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

    def take_text(self, text: str, line: int) -> None:
        """Takes what stands beside the values, as a comment does, with those of the part that is
        open, or of the outermost one that comes."""
        self._write(text, line, least_depth=1)

    def take_scalar(self, value: str, line: int, *, is_literal: bool = False) -> None:
        """Takes a key, a value or an entry of a list. ``is_literal``: its lines stand below that
        line as they are."""
        container = self._open[-1] if self._open else None
        if container is None:
            self._write(value, line, is_literal=is_literal)
        elif not container.is_object:
            self._write(f"{ITEM_MARK}{value}", line, is_literal=is_literal)
            if container.entries is not None:
                container.entries.append(value)
        elif container.key is None:
            container.key = value
        else:
            pair = f"{container.key}: {value}"
            if container.entries is not None:
                container.entries.append(pair)
            is_name = container.is_record and _is_name(container.key, value)
            is_bare = container.is_record and _is_statement(container.key, value)
            has_title = container.first is not None
            text = value if is_bare or (is_name and not has_title) else pair
            place = self._write_member(container, text, line, is_literal=is_literal)
            if has_title and is_name and container.name is None and text is pair:
                container.name = place, value

    def _write_member(
        self, container: _Container, text: str, line: int, *, is_literal: bool = False
    ) -> int:
        container.key = None
        place = self._write(text, line, is_literal=is_literal)
        if container.first is None:
            container.first = place
        return place

    def _write(
        self, text: str, line: int, *, is_literal: bool = False, least_depth: int = 0
    ) -> int:
        """Writes a text, and gives the place (from 0) of its first line."""
        above = self.file_lines[-1:]
        if self._part_has_ended and above and line <= above[0] + 1:
            self._add("", above[0])
        self._part_has_ended = False
        place = len(self.lines)
        depth = min(max(len(self._open), least_depth), MAXIMUM_INDENTS)
        self._add(text, line, depth, is_literal=is_literal)
        return place

    def _add(self, text: str, line: int, depth: int = 0, *, is_literal: bool = False) -> None:
        indent = _INDENT * depth
        first, *others = _LINE_BREAK.split(text)
        written = [f"{indent}{first}", *(f"{indent}{_INDENT * 2}{other}" for other in others)]
        self.lines += (one.rstrip() for one in written)
        if is_literal:
            self.file_lines += range(line + 1, line + 1 + len(written))
        else:
            self.file_lines += [line] * len(written)

    def _put_name_first(self, record: _Container) -> None:
        if record.name is None or record.first is None:
            return
        place, name = record.name
        line = self.lines.pop(place)
        del self.file_lines[place]
        indent = line[: len(line) - len(line.lstrip())]
        self.lines.insert(record.first, f"{indent}{name}")
        self.file_lines.insert(record.first, self.file_lines[record.first])

    def _mark_as_item(self, record: _Container) -> None:
        if record.first is None:
            return
        self._put_name_first(record)
        line = self.lines[record.first]
        text = line.lstrip()
        if not text.startswith(ITEM_MARK):
            indent = line[: max(len(line) - len(text) - len(ITEM_MARK), 0)]
            self.lines[record.first] = f"{indent}{ITEM_MARK}{text}"


def _entry_text(entry: str) -> str:
    """An entry on one line, with quotation marks where it looks like several."""
    text = " ".join(entry.split())
    return f'"{text}"' if _SEPARATOR.search(text) is not None else text


def _is_name(key: str, value: str) -> bool:
    if key.lower() not in NAME_KEYS or len(value) > LONGEST_NAME_CHARACTERS:
        return False
    is_one_line = _LINE_BREAK.search(value) is None
    return value[:1].isalnum() and is_one_line and _LIST_MARK.match(value) is None


def _is_statement(key: str, value: str) -> bool:
    return (
        key.lower() in STATEMENT_KEYS
        and len(value) >= SHORTEST_STATEMENT_CHARACTERS
        and value[0].isalnum()
        and _LIST_MARK.match(value) is None
    )
