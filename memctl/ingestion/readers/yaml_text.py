"""YAML of any layout as text that is written by its structure.

Nothing is constructed of it: what the parser meets is written down in order, so that no tag runs
code, and an alias stands for the name of what it repeats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memctl.ingestion.readers.structure_text import (
    StructureText,
    StructureWriter,
    has_name,
    is_lone_record,
)

if TYPE_CHECKING:
    from yaml.events import Event, ScalarEvent

COMMENT_WORDS = 4
"""A comment of fewer words is a title, or a switch for a tool."""

LONGEST_REPEATED_CHARACTERS = 80
"""So long a value may be said again where an alias repeats it."""

MERGE_KEY = "<<"

_OTHER_LINE_BREAKS = str.maketrans(dict.fromkeys("\x85\u2028\u2029", " "))
"""Line breaks for YAML that are none for the lines of a file."""

_COMMENT = re.compile(r"\s*#+[\s#*=-]*")
_COMMENT_END = " \t#*=-"
_SWITCHED_OFF = re.compile(r"(?:- |[\w.-]+:(?:\s|$)|[{\[]|\S+ ?=)")
"""How a comment begins that was a part of the data."""

_STANDARD_TAG = "tag:yaml.org,2002:"
_BINARY_TAG = f"{_STANDARD_TAG}binary"


def write_yaml(source: str) -> StructureText | None:
    """The text of all documents of a file; None when it is no valid YAML, no lines when none of its
    documents has a structure."""
    import yaml

    source = source.translate(_OTHER_LINE_BREAKS)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        documents = list(_documents(yaml.parse(source, Loader=loader)))
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    if all(_is_plain(document) for document in documents):
        return StructureText([], [])
    writer = StructureWriter()
    last_line = source.count("\n") + 1
    comments = _Comments(source, documents)
    for document in documents:
        _Walk(writer, comments, last_line).write(document, is_one_of_many=len(documents) > 1)
    comments.write_before(last_line + 1, writer)
    return writer.text()


def _documents(events: Iterator[Event]) -> Iterator[list[Event]]:
    """The events of each document that is not empty, without those that begin and end it."""
    import yaml

    document: list[Event] = []
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            document = []
        elif isinstance(event, yaml.DocumentEndEvent):
            if not (len(document) == 1 and _is_nothing(document[0])):
                yield document
        elif isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
            document.append(event)


def _is_nothing(event: Event) -> bool:
    return not getattr(event, "value", "something")


def _is_plain(document: Sequence[Event]) -> bool:
    return len(document) == 1


class _Comments:
    """The comments on lines of their own that say something, to be written in their places."""

    def __init__(self, source: str, documents: Sequence[Sequence[Event]]) -> None:
        inside = _lines_inside_values(documents)
        lines = enumerate(source.split("\n"), start=1)
        marked = (
            (number, line[mark.end() :].rstrip(_COMMENT_END))
            for number, line in lines
            if number not in inside and (mark := _COMMENT.match(line)) is not None
        )
        self._waiting: list[tuple[int, str]] = []
        last = 0
        for number, said in marked:
            if not said:
                continue
            if self._waiting and number == last + 1:
                first, text = self._waiting[-1]
                self._waiting[-1] = first, f"{text} {said}"
            else:
                self._waiting.append((number, said))
            last = number
        self._waiting = [one for one in self._waiting if _says_something(one[1])]
        self._waiting.reverse()

    def write_before(self, line: int, writer: StructureWriter) -> None:
        """Writes those that stand above a line (from 1) and are not written yet."""
        while self._waiting and self._waiting[-1][0] < line:
            number, text = self._waiting.pop()
            writer.take_text(text, number)


def _lines_inside_values(documents: Sequence[Sequence[Event]]) -> set[int]:
    """The lines (from 1) behind the first one of texts that have several."""
    inside: set[int] = set()
    for document in documents:
        for event in document:
            if hasattr(event, "value") and event.end_mark.line > event.start_mark.line:
                last = event.end_mark.line + (event.end_mark.column > 0)
                inside.update(range(event.start_mark.line + 2, last + 1))
    return inside


def _says_something(comment: str) -> bool:
    words = re.findall(r"[^\W\d_]{2,}", comment)
    return len(words) >= COMMENT_WORDS and _SWITCHED_OFF.match(comment) is None


class _Walk:
    """Goes through the events of one document and hands them to the writer."""

    def __init__(self, writer: StructureWriter, comments: _Comments, last_line: int) -> None:
        self._last_line = last_line
        self._writer = writer
        self._comments = comments
        self._texts: dict[str, str] = {}
        self._expects_key: list[bool | None] = []
        self._key: tuple[str, int] | None = None
        self._skipped_depth = 0

    def write(self, document: Sequence[Event], *, is_one_of_many: bool) -> None:
        """Writes a document, as a record where it says something of itself, or, being one of many,
        what it is of."""
        import yaml

        value = _value_of(document)
        name = _name_of(value)
        is_named = name is not None or (is_one_of_many and has_name(value))
        is_record = is_named or is_lone_record(value)
        self._writer.set_root(is_record=is_record)
        for place, event in enumerate(document):
            line = min(event.start_mark.line + 1, self._last_line)
            if isinstance(event, yaml.CollectionEndEvent):
                self._end()
            elif isinstance(event, yaml.CollectionStartEvent):
                is_object = isinstance(event, yaml.MappingStartEvent)
                self._begin(line, is_object=is_object, name=name if place == 0 else None)
            elif isinstance(event, yaml.ScalarEvent):
                self._take(
                    self._text(event),
                    line,
                    is_literal=event.style == "|" and bool(event.value.strip()),
                )
            elif isinstance(event, yaml.AliasEvent):
                self._take(self._texts.get(event.anchor, event.anchor), line)

    def _begin(self, line: int, *, is_object: bool, name: str | None) -> None:
        if self._skipped_depth or (self._expects_key and self._expects_key[-1]):
            self._skipped_depth += 1
            return
        self._comments.write_before(line, self._writer)
        self._write_key()
        self._expects_key.append(True if is_object else None)
        self._writer.begin(line, is_object=is_object, name=name)

    def _end(self) -> None:
        if self._skipped_depth:
            self._skipped_depth -= 1
            if not self._skipped_depth:
                self._take_key("?", 0)
            return
        self._expects_key.pop()
        self._writer.end()
        self._value_has_come()

    def _take(self, text: str | None, line: int, *, is_literal: bool = False) -> None:
        if self._skipped_depth:
            return
        if self._expects_key and self._expects_key[-1]:
            self._take_key(text or "", line)
            return
        is_dropped = text is None or (self._key is not None and self._key[0] == MERGE_KEY)
        if text is not None and not is_dropped:
            self._comments.write_before(line, self._writer)
            self._write_key()
            self._writer.take_scalar(text, line, is_literal=is_literal)
        self._key = None
        self._value_has_come()

    def _take_key(self, key: str, line: int) -> None:
        self._comments.write_before(line, self._writer)
        self._key = key, line
        self._expects_key[-1] = False

    def _write_key(self) -> None:
        if self._key is not None:
            self._writer.take_scalar(*self._key)
            self._key = None

    def _value_has_come(self) -> None:
        if self._expects_key and self._expects_key[-1] is False:
            self._expects_key[-1] = True

    def _text(self, event: ScalarEvent) -> str | None:
        """What a scalar says; None where only a program can read it."""
        tag = event.tag or ""
        if tag == _BINARY_TAG or (tag.startswith("!") and tag != "!"):
            return None
        text = str(event.value).rstrip("\n")
        if event.anchor and len(text) <= LONGEST_REPEATED_CHARACTERS:
            self._texts[event.anchor] = text
        return text


def _value_of(document: Sequence[Event]) -> Any:
    """The objects, lists and texts of a document as a value; an alias is None there."""
    import yaml

    root: list[Any] = []
    around: list[Any] = [root]
    keys: list[Any] = [None]
    for event in document:
        if isinstance(event, yaml.CollectionEndEvent):
            around.pop()
            keys.pop()
            continue
        value: Any = getattr(event, "value", None)
        if isinstance(event, yaml.CollectionStartEvent):
            value = {} if isinstance(event, yaml.MappingStartEvent) else []
        container = around[-1]
        if isinstance(container, list):
            container.append(value)
        elif keys[-1] is None:
            keys[-1] = value if isinstance(value, str) else "?"
        else:
            container[keys[-1]] = value
            keys[-1] = None
        if isinstance(event, yaml.CollectionStartEvent):
            around.append(value)
            keys.append(None)
    return root[0]


def _name_of(value: Any) -> str | None:
    """What a document is that tells its kind and, in a part of its own, its name, as what
    Kubernetes is told does."""
    if not isinstance(value, dict):
        return None
    kind, about = value.get("kind"), value.get("metadata")
    name = about.get("name") if isinstance(about, dict) else None
    if not isinstance(kind, str) or not isinstance(name, str):
        return None
    return f"{kind} {name}"
