"""What a page's fonts leave unsaid, added to them before the page is read.

pypdf sees a gap between words where it is wider than half a blank of the font. Fonts of typeset
text often have no blank; for those it has a default, but it has to be told, or it measures another
glyph. Works on pypdf's dictionaries, which answer like Python's, in memory only; what has an
unexpected shape is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Any

BLANK = 32
"""The code of the blank in simple fonts."""

UNUSED_CODE = b"\xff\xff"
"""The code under which each composite font gets a blank."""

UNKNOWN_GLYPH = "/uniFFFD"
"""The name of a glyph that is known to stand for no known character."""

TABLE_START = b"% the letters of its character collection, of one page\n"
"""The first line of a table that a font got for one page."""

_UNUSED_BLANK = b"\n1 beginbfchar <FFFF> <0020> endbfchar\nendcmap"
_CODED_GLYPH = re.compile(r"/u(?:ni)?[0-9A-F]{4,6}$|/\.notdef$")
_UNICODE_ENCODING = re.compile("UCS2|UTF16")
_GLYPH_VARIANT = re.compile(r"/[A-Za-z][A-Za-z0-9]*(?:_[a-z])*(?=\.|$)")


def complete_fonts(page: Any, known_glyphs: Container[str]) -> None:
    """Says of each font whether it has a blank, and gives its glyphs names that are known.

    ``known_glyphs`` has the names that stand for letters and signs, each with a slash.
    """
    for font in _fonts(page).values():
        if font.get("/Subtype") == "/Type0":
            add_blank(font)
        else:
            _drop_width_of_blank(font)
        _rename_glyphs(font, known_glyphs)


def add_blank(font: Any) -> None:
    """A composite font gets a blank under a code that stands for no glyph, behind all others, so
    that glyph 32 is not taken for one."""
    if not _has_table(font):
        return
    letters = _resolve(font["/ToUnicode"])
    table = letters.get_data()
    if _UNUSED_BLANK not in table:
        letters.set_data(table.replace(b"endcmap", _UNUSED_BLANK, 1))


def composite_fonts(page: Any) -> frozenset[str]:
    """The names, as the page knows them, of its fonts that ``complete_fonts`` gives a blank."""
    return frozenset(
        name
        for name, font in _fonts(page).items()
        if font.get("/Subtype") == "/Type0" and _has_table(font)
    )


def two_byte_fonts(page: Any) -> frozenset[str]:
    """The names, as the page knows them, of its composite fonts, whose codes are longer than one
    byte."""
    fonts = _fonts(page)
    return frozenset(name for name in fonts if fonts[name].get("/Subtype") == "/Type0")


def glyph_number_fonts(holder: Any, known_encodings: Container[str]) -> Iterator[Any]:
    """The fonts of a page or form whose codes are numbers of glyphs, with nothing that says which
    letters they are.

    ``known_encodings`` has the names of encodings of characters that can be read, each with a
    slash; encodings by Unicode need not be among them. A font that keeps a table from its codes to
    its glyphs is not among the results, as its codes are characters in all likelihood.
    """
    for font in _fonts(holder).values():
        encoding = _resolve(font.get("/Encoding"))
        if font.get("/Subtype") != "/Type0" or _tells_letters(font):
            continue
        if hasattr(encoding, "get_data") or (
            isinstance(encoding, str) and not _encodes_characters(encoding, known_encodings)
        ):
            yield font


def collection_of(font: Any) -> str | None:
    """The character collection ("Japan1") by whose numbers a composite font has its codes, as far
    as it says so."""
    encoding = _resolve(font.get("/Encoding"))
    if not isinstance(encoding, str) or not encoding.startswith("/Identity"):
        return None
    ordering = _ordering(font)
    return ordering if isinstance(ordering, str) else None


def forms_of(holder: Any) -> Iterator[Any]:
    """The drawings of their own (form XObjects) that a page or form may draw."""
    return (drawing for _, drawing in _drawings(holder, "/Form"))


def pictures_of(holder: Any) -> Iterator[str]:
    """The names of the pictures that a page or form may draw."""
    return (name for name, _ in _drawings(holder, "/Image"))


def _drawings(holder: Any, kind: str) -> Iterator[tuple[str, Any]]:
    resources = _resolve(holder.get("/Resources"))
    drawings = _resolve(resources.get("/XObject")) if isinstance(resources, dict) else None
    for name, entry in drawings.items() if isinstance(drawings, dict) else ():
        drawing = _resolve(entry)
        if isinstance(drawing, dict) and drawing.get("/Subtype") == kind:
            yield name, drawing


def _encodes_characters(encoding: str, known_encodings: Container[str]) -> bool:
    if encoding.startswith("/Identity"):
        return False
    return encoding in known_encodings or _UNICODE_ENCODING.search(encoding) is not None


def _tells_letters(font: Any) -> bool:
    """Whether the composite font has a table to letters, or codes that are letters themselves."""
    letters = _resolve(font.get("/ToUnicode"))
    if isinstance(letters, str):
        return True
    table = letters.get_data() if _has_table(font) else b""
    if b"beginbf" in table and not table.startswith(TABLE_START):
        return True
    glyphs = _glyphs(font)
    if not isinstance(glyphs, dict):
        return False
    ordering = _ordering(font)
    is_unicode = isinstance(ordering, str) and "UCS" in ordering
    return is_unicode or hasattr(_resolve(glyphs.get("/CIDToGIDMap")), "get_data")


def _glyphs(font: Any) -> Any:
    """The font that has the glyphs of a composite font."""
    listed = _resolve(font.get("/DescendantFonts"))
    return _resolve(listed[0]) if isinstance(listed, list) and listed else None


def _ordering(font: Any) -> Any:
    glyphs = _glyphs(font)
    collection = _resolve(glyphs.get("/CIDSystemInfo")) if isinstance(glyphs, dict) else None
    return _resolve(collection.get("/Ordering")) if isinstance(collection, dict) else None


def _fonts(page: Any) -> dict[str, Any]:
    """The fonts of a page or form by the names that it has for them."""
    resources = _resolve(page.get("/Resources"))
    fonts = _resolve(resources.get("/Font")) if isinstance(resources, dict) else None
    entries = fonts.items() if isinstance(fonts, dict) else ()
    resolved = {str(name): _resolve(entry) for name, entry in entries}
    return {name: font for name, font in resolved.items() if isinstance(font, dict)}


def _has_table(font: Any) -> bool:
    """Whether the font has a table of the letters that its codes stand for."""
    return hasattr(_resolve(font.get("/ToUnicode")), "set_data")


def _drop_width_of_blank(font: Any) -> None:
    """A simple font that tells its glyphs and no blank among them has no width for code 32."""
    glyphs = [*_listed_glyphs(font)]
    first, widths = _resolve(font.get("/FirstChar")), _resolve(font.get("/Widths"))
    if not glyphs or "/space" in glyphs or not isinstance(first, int):
        return
    if isinstance(widths, list) and 0 <= BLANK - first < len(widths):
        widths[BLANK - first] = type(_resolve(widths[BLANK - first]))(0)


def _listed_glyphs(font: Any) -> Iterator[str]:
    """The names of the font's glyphs as far as it tells them; none where a known encoding does."""
    encoding = _resolve(font.get("/Encoding"))
    if isinstance(encoding, dict) and "/BaseEncoding" not in encoding:
        yield from (name for name in _differences(font) if isinstance(name, str))
    descriptor = _resolve(font.get("/FontDescriptor"))
    glyphs = _resolve(descriptor.get("/CharSet")) if isinstance(descriptor, dict) else None
    if isinstance(glyphs, str):
        yield from (f"/{name}" for name in glyphs.split("/")[1:])


def _rename_glyphs(font: Any, known_glyphs: Container[str]) -> None:
    """Names a variant of a glyph (``one.oldstyle``) and a ligature (``f_i``) like the glyph, and
    what is not known then like a character that is none."""
    names = _differences(font)
    for position, name in enumerate(names):
        if not isinstance(name, str) or name in known_glyphs or _CODED_GLYPH.match(name):
            continue
        variant = _GLYPH_VARIANT.match(name)
        plain = variant[0].replace("_", "") if variant is not None else ""
        is_known = plain in known_glyphs or _CODED_GLYPH.match(plain) is not None
        names[position] = type(name)(plain if is_known else UNKNOWN_GLYPH)


def _differences(font: Any) -> list[Any]:
    """The codes and glyph names of the font's own encoding, as they are in the file."""
    encoding = _resolve(font.get("/Encoding"))
    names = _resolve(encoding.get("/Differences")) if isinstance(encoding, dict) else None
    return names if isinstance(names, list) else []


def _resolve(value: Any) -> Any:
    """The object itself where pypdf holds a reference to it."""
    return value.get_object() if hasattr(value, "get_object") else value
