"""Opens a PDF, also one that was cut off or whose list of pages is damaged.

What is lost stays lost: of such a file those pages are found that are still in it.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader
    from pypdf.generic import IndirectObject, StreamObject

EMPTY_STREAM_BYTES = 48
"""The longest that nothing at all is in a file, packed and with the mark of its end."""

NOTHING_STORED = b"\nendstream"
"""What stands behind the start of a stream of no bytes, which is no damage."""

_NO_TABLE = b"\nstartxref\n0\n%%EOF\n"
"""Behind a file whose end is lost: it sends pypdf to look for the objects themselves."""

_NO_LENGTH = b"/NoLength"
"""In place of a length that is no more true: pypdf looks for the end of the stream then."""

_END_OF_STREAM = b"\nendstream\nendobj\n"
_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_SHOWS_TEXT = re.compile(rb"[)>\]]\s*T[jJ]\b")
_OBJECT = re.compile(rb"\d\s+obj\b")
_END_MARKS = (b"%%EOF", b"startxref")


def damage_errors() -> tuple[type[BaseException], ...]:
    """What pypdf raises on broken files; its documentation warns of other than its own errors."""
    from pypdf.errors import DependencyError, DeprecationError, PyPdfError

    return (
        *(PyPdfError, DependencyError, DeprecationError, zlib.error, struct.error),
        *(RuntimeError, MemoryError, ValueError, TypeError, LookupError, AttributeError),
        *(ArithmeticError, AssertionError, OSError, EOFError),
    )


def is_cut_off(data: bytes) -> bool:
    """Whether the end of the file is lost: objects stand behind the last mark of an end."""
    end = max(data.rfind(mark) for mark in _END_MARKS)
    return _OBJECT.search(data, max(end, 0)) is not None


def open_pdf(data: bytes) -> PdfReader:
    """The file, by its own table of objects or by the objects that are found in it.

    Raises one of ``damage_errors`` when it can be opened neither way.
    """
    from pypdf import PdfReader

    try:
        return PdfReader(BytesIO(data))
    except damage_errors() as error:
        with suppress(*damage_errors()):
            return PdfReader(BytesIO(_with_end(data)))
        raise error from None


def count_pages(reader: PdfReader) -> tuple[int, bool]:
    """The number of pages, and whether they had to be found one by one.

    That is so when there is no list of pages that can be read; then they get a new one, in the
    order in which they stand in the file. The reader must have been unlocked. Raises one of
    ``damage_errors`` when the list is damaged and no page is found.
    """
    damage: BaseException | None = None
    try:
        if len(reader.pages) and not any("/Count" in page for page in reader.pages):
            return len(reader.pages), False
    except damage_errors() as error:
        damage = error
    pages = list(_found_pages(reader))
    if pages:
        _list_pages(reader, pages)
    elif damage is not None:
        raise damage
    return len(reader.pages), bool(pages)


def content_damage(page: PageObject) -> str | None:
    """What is wrong with a page that shows no text, or None when it is just empty."""
    from pypdf.generic import StreamObject

    if "/Contents" not in page:
        return None
    listed = _resolve(page.raw_get("/Contents"))
    for entry in listed if isinstance(listed, list) else [listed]:
        content = _resolve(entry)
        if not isinstance(content, StreamObject):
            return "its content is missing"
        text = content.get_data()
        stored = _stored(content)
        if _is_broken_flate(content, stored) or (not text and len(stored) > EMPTY_STREAM_BYTES):
            return "its content cannot be unpacked"
        if "/Resources" not in page and _SHOWS_TEXT.search(text) is not None:
            return "its fonts are missing"
    return None


def _resolve(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value


def _stored(content: StreamObject) -> bytes:
    """The content as it is packed in the file."""
    written = BytesIO()
    content.write_to_stream(written)
    return written.getvalue().partition(b"stream\n")[2]


def _is_broken_flate(content: StreamObject, stored: bytes) -> bool:
    """Whether pypdf passed over damage as it unpacked the content."""
    is_flate = _resolve(content.get("/Filter")) in ("/FlateDecode", ["/FlateDecode"])
    if stored == NOTHING_STORED or not is_flate:
        return False
    try:
        zlib.decompressobj().decompress(stored)
    except zlib.error:
        return True
    return False


def _with_end(data: bytes) -> bytes:
    """The file with an end, for what was open where it was cut."""
    trailer = data.rfind(b"trailer")
    if trailer >= 0 and b">>" not in data[trailer:]:
        data = data[:trailer]
    opened = _STREAM.search(data, max(data.rfind(b"endstream"), 0))
    if opened is None:
        return data + _NO_TABLE
    head = data.rfind(b"obj", 0, opened.start())
    unsized = data[head : opened.start()].replace(b"/Length", _NO_LENGTH)
    return data[:head] + unsized + data[opened.start() :] + _END_OF_STREAM + _NO_TABLE


def _found_pages(reader: PdfReader) -> Iterator[IndirectObject]:
    """References to the pages among the file's objects, in the order in which they stand."""
    from pypdf.generic import DictionaryObject, IndirectObject

    places = {
        (number, generation): (place, 0)
        for generation, objects in reader.xref.items()
        for number, place in objects.items()
    }
    for number, (container, place) in reader.xref_objStm.items():
        places.setdefault((number, 0), (*places.get((container, 0), (0, 0))[:1], place))
    for number, generation in sorted(places, key=places.__getitem__):
        reference = IndirectObject(number, generation, reader)
        with suppress(*damage_errors()):
            found = reference.get_object()
            if isinstance(found, DictionaryObject) and found.get("/Type") == "/Page":
                yield reference


def _list_pages(reader: PdfReader, pages: list[IndirectObject]) -> None:
    """Makes the pages those of the reader."""
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject

    catalog = DictionaryObject({NameObject("/Type"): NameObject("/Catalog")})
    with suppress(*damage_errors()):
        catalog = reader.root_object
    catalog[NameObject("/Pages")] = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Pages"),
            NameObject("/Kids"): ArrayObject(pages),
            NameObject("/Count"): NumberObject(len(pages)),
        }
    )
    reader.trailer[NameObject("/Root")] = catalog
    reader.flattened_pages = None
