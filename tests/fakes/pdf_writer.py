"""Writes small PDFs whose text is known, byte by byte, without any library."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LEADING = 15
TOP = 780


@dataclass(frozen=True, slots=True)
class Drawn:
    """A text at a place of the page, in points from its lower left corner."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Field:
    """A form field; ``kind`` is Tx (text) or Btn (a box that is ticked when ``value`` is Yes)."""

    name: str
    value: str
    x: float
    y: float
    kind: str = "Tx"


Page = Sequence[str | Drawn | Field]
"""Lines from the top of the page down, or things at places of their own."""


def build_pdf(pages: Sequence[Page], *, title: str = "", glyph_names: bool = False) -> bytes:
    """A PDF with a Unicode font, so that every character comes back as it is given.

    With ``glyph_names`` the font says only that its glyphs are called /g1, /g2 and so on.
    """
    codes = _codes(pages)
    objects: dict[int, bytes] = {1: b"<< /Type /Catalog /Pages 2 0 R >>"}
    objects |= _named_font(codes) if glyph_names else _unicode_font(codes)
    info = 8
    objects[info] = b"<< /Title <" + ("\ufeff" + title).encode("utf-16-be").hex().encode() + b"> >>"
    number = info + 1
    kids: list[bytes] = []
    for page in pages:
        fields = [item for item in page if isinstance(item, Field)]
        annotations = b" ".join(b"%d 0 R" % (number + 2 + place) for place in range(len(fields)))
        objects[number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots ["
            + annotations
            + b"] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>" % (number + 1)
        )
        objects[number + 1] = stream(_content(page, codes, glyph_names=glyph_names))
        for place, field in enumerate(fields):
            objects[number + 2 + place] = _widget(field)
        kids.append(b"%d 0 R" % number)
        number += 2 + len(fields)
    count = b"%d" % len(kids)
    objects[2] = b"<< /Type /Pages /Kids [" + b" ".join(kids) + b"] /Count " + count + b" >>"
    return assemble(objects, b"/Info %d 0 R " % info)


def build_bomb(unpacked_bytes: int, *, pages_before: int = 0) -> bytes:
    """A PDF of some kilobytes whose last page unpacks to ``unpacked_bytes``."""
    text = b"BT /F1 12 Tf 72 720 Td (page %d) Tj ET\n"
    contents = [text % number for number in range(1, pages_before + 2)]
    contents[-1] += b" " * unpacked_bytes
    kids = b" ".join(b"%d 0 R" % (4 + 2 * place) for place in range(len(contents)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(contents)),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    for place, content in enumerate(contents):
        objects[4 + 2 * place] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]"
            b" /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>" % (5 + 2 * place)
        )
        objects[5 + 2 * place] = stream(zlib.compress(content, 9), b"/Filter /FlateDecode ")
    return assemble(objects)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """The body of a stream object."""
    return b"<< %s/Length %d >>\nstream\n%s\nendstream" % (entries, len(data), data)


def assemble(objects: Mapping[int, bytes], trailer: bytes = b"") -> bytes:
    """A file with a cross-reference table; object 1 is the catalog."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = {}
    for number in sorted(objects):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    table, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % places.get(number, 0)
    out += b"trailer\n<< /Size %d /Root 1 0 R %s>>\nstartxref\n%d\n" % (size, trailer, table)
    return bytes(out + b"%%EOF\n")


def _codes(pages: Sequence[Page]) -> dict[str, int]:
    texts = (item.text if isinstance(item, Drawn) else item for page in pages for item in page)
    characters = sorted({char for text in texts if isinstance(text, str) for char in text})
    return {char: code for code, char in enumerate(characters, start=33)}


def _unicode_font(codes: Mapping[str, int]) -> dict[int, bytes]:
    pairs = "".join(
        f"<{code:04x}> <{char.encode('utf-16-be').hex()}>\n" for char, code in codes.items()
    )
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "/CMapName /Any def /CMapType 2 def\n"
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        f"{len(codes)} beginbfchar\n{pairs}endbfchar\nendcmap end end"
    )
    return {
        3: b"<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H"
        b" /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
        4: b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /DW 500"
        b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
        b" /FontDescriptor 6 0 R >>",
        5: stream(cmap.encode()),
        6: b"<< /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 0 500 700]"
        b" /ItalicAngle 0 /Ascent 700 /Descent 0 /CapHeight 700 /StemV 80 >>",
        7: b"null",
    }


def _named_font(codes: Mapping[str, int]) -> dict[int, bytes]:
    names = " ".join(f"{code} /g{code}" for code in codes.values())
    encoding = f"<< /Type /Encoding /Differences [{names}] >>"
    return {
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Any /Encoding 4 0 R"
        b" /FirstChar 33 /LastChar 255 /Widths 5 0 R >>",
        4: encoding.encode(),
        5: b"[" + b"500 " * 223 + b"]",
        6: b"null",
        7: b"null",
    }


def _content(page: Page, codes: Mapping[str, int], *, glyph_names: bool) -> bytes:
    parts: list[bytes] = []
    y: float = TOP
    for item in page:
        if isinstance(item, Field):
            continue
        drawn = item if isinstance(item, Drawn) else Drawn(item, 72, y)
        y -= LEADING if isinstance(item, str) else 0
        width = 2 if glyph_names else 4
        text = "".join(f"{codes[char]:0{width}x}" for char in drawn.text)
        place = f"1 0 0 1 {drawn.x} {drawn.y} Tm"
        parts.append(f"BT /F1 11 Tf 12 TL {place} <{text}> Tj T* ET\n".encode())
    return b"".join(parts)


def _widget(field: Field) -> bytes:
    box = f"[{field.x} {field.y} {field.x + 120} {field.y + 16}]"
    state = f"/V /{field.value} /AS /{field.value}"
    value = state if field.kind == "Btn" else f"/V ({field.value})"
    return (
        f"<< /Type /Annot /Subtype /Widget /FT /{field.kind} /T ({field.name}) {value}"
        f" /Rect {box} /F 4 >>"
    ).encode()
