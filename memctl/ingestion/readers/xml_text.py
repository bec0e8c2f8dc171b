"""XML as text that is written by its structure: what its elements and attributes say.

No entity that a file declares is followed, and nothing outside of it is looked at.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NoReturn
from xml.parsers import expat

from memctl.ingestion.readers.structure_text import (
    StructureText,
    StructureWriter,
    is_lone_record,
)

DEEPEST_ELEMENT = 100
"""Elements inside each other; documents have a tenth of that."""

_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>")
_EMPHASIS = re.compile(
    r"</?(?:a|abbr|b|code|em|i|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>", re.IGNORECASE
)
_PROGRAM_ATTRIBUTES = ("xmlns", "xsi:", "xml:", "rdf:")
_LAST = (True,)
"""Says of what is parsed that nothing follows it."""

_PAGES = frozenset({"html", "svg", "plist"})
"""What is written in XML and is no data: pages, pictures, and keys beside their values."""


class _NoDataError(Exception):
    """What the XML has cannot be taken as data."""


@dataclass(slots=True)
class _Element:
    """An element: ``said`` is its own text, from ``line`` (from 1) on."""

    name: str
    line: int
    attributes: dict[str, str]
    children: list[_Element] = field(default_factory=list)
    said: list[str | _Element] = field(default_factory=list)
    has_text: bool = False
    """Whether it has text of its own."""

    @property
    def is_text(self) -> bool:
        """Whether it is one text, in which elements only mark parts."""
        return self.has_text or not self.children

    @property
    def text(self) -> str:
        """All that it says, on one line."""
        text = "".join(self.texts())
        if "</" in text:
            text = html.unescape(_MARKUP.sub(" ", _EMPHASIS.sub("", text)))
        return " ".join(text.split())

    def texts(self) -> Iterator[str]:
        """What it says in parts, as they stand."""
        for one in self.said:
            if isinstance(one, str):
                yield one
            else:
                yield from one.texts()


def write_xml(source: str) -> StructureText | None:
    """The text of an XML document; None when it is no valid one, declares entities, or is no data
    but a page or a picture."""
    try:
        root = _parsed(source)
    except (expat.ExpatError, _NoDataError, ValueError):
        return None
    if root.name in _PAGES or root.is_text:
        return None
    value = {one.name: one.text if one.is_text else {} for one in root.children}
    root.attributes = {}
    writer = StructureWriter(root_is_record=is_lone_record(value))
    _write(root, writer)
    return writer.text()


def _parsed(source: str) -> _Element:
    parser = expat.ParserCreate()
    document = _Element("", 1, {})
    opened = [document]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(opened) > DEEPEST_ELEMENT:
            raise _NoDataError
        element = _Element(_local(name), parser.CurrentLineNumber, attributes)
        opened[-1].children.append(element)
        opened[-1].said.append(element)
        opened.append(element)

    def end(_: str) -> None:
        opened.pop()

    def text(said: str) -> None:
        element = opened[-1]
        if not element.has_text and said.strip():
            element.line, element.has_text = parser.CurrentLineNumber, True
        element.said.append(said)

    def declare(*_: object) -> NoReturn:
        raise _NoDataError

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = declare
    parser.Parse(source, *_LAST)
    return document.children[0]


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _write(element: _Element, writer: StructureWriter) -> None:
    """Writes an element that is no text: its attributes, and its elements by their names."""
    writer.begin(element.line, is_object=True)
    for key, said in _attributes(element):
        writer.take_scalar(key, element.line)
        writer.take_scalar(said, element.line)
    for name, several in groupby(element.children, key=lambda one: one.name):
        values = [one for one in several if not one.is_text or one.text or _attributes(one)]
        if not values:
            continue
        writer.take_scalar(name, values[0].line)
        if len(values) > 1:
            writer.begin(values[0].line, is_object=False)
        for value in values:
            _write_value(value, writer)
        if len(values) > 1:
            writer.end()
    writer.end()


def _write_value(element: _Element, writer: StructureWriter) -> None:
    if element.is_text and element.text:
        writer.take_scalar(element.text, element.line)
    else:
        _write(element, writer)


def _attributes(element: _Element) -> list[tuple[str, str]]:
    """What the attributes of an element say, without those for programs."""
    found = ((key, " ".join(value.split())) for key, value in element.attributes.items())
    return [
        (_local(key), value)
        for key, value in found
        if value and not key.startswith(_PROGRAM_ATTRIBUTES)
    ]
