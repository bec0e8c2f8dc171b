"""Writes sample_data/member-handbook.pdf, the PDF among the sample notes.

    python docs/handbook_pdf.py            # writes the file
    python docs/handbook_pdf.py --check    # exit status 1 when the file is another one

The same bytes come out everywhere: no date, no compression, only fonts that each reader has.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "sample_data" / "member-handbook.pdf"

PAGE_WIDTH_POINTS = 595
PAGE_HEIGHT_POINTS = 842
MARGIN_POINTS = 64
FIRST_BASELINE_POINTS = PAGE_HEIGHT_POINTS - 96
CHARACTERS_PER_LINE = 84
"""What fits between the margins in Helvetica of 11 points."""

REGULAR, BOLD = "F1", "F2"
HEADER = "The Lending Shed, Alderquay"


@dataclass(frozen=True)
class Style:
    """How a kind of line looks; sizes in points."""

    font: str
    size: int
    space_above: int
    line_height: int


STYLES = {
    "title": Style(BOLD, 20, 0, 30),
    "heading": Style(BOLD, 14, 16, 22),
    "text": Style(REGULAR, 11, 6, 16),
    "item": Style(REGULAR, 11, 2, 16),
    "table head": Style(BOLD, 11, 8, 18),
    "table row": Style(REGULAR, 11, 0, 17),
}
Element = tuple[str, str | tuple[str, ...]]
"""The kind of an element, a key of STYLES, and its text or the cells of its table row."""

COLUMNS_POINTS = (MARGIN_POINTS, 250, 350, 450)

PAGES: list[list[Element]] = [
    [
        ("title", "Member handbook"),
        ("text", "Third edition, 2026-02-01"),
        ("heading", "The shed"),
        (
            "text",
            "The Lending Shed was founded in 2011 by eleven neighbours who were tired of buying "
            "tools that they needed once a year. It stands behind the fish hall of Alderquay and "
            "belongs to its members.",
        ),
        ("heading", "Membership"),
        (
            "text",
            "Membership costs 36 euros a year; students and pensioners pay 18 euros. A membership "
            "ends by itself after twelve months.",
        ),
        (
            "text",
            "Every member gives two hours of help a year: at the till, in the workshop or at the "
            "spring fair.",
        ),
    ],
    [
        ("heading", "Borrowing"),
        (
            "text",
            "A member may have four tools at a time. Powered tools are lent for three days, hand "
            "tools for seven. A loan is extended once when nobody waits for the tool.",
        ),
        ("heading", "Deposits and fees"),
        ("table head", ("Kind of tool", "Deposit", "Loan", "Fee per late day")),
        ("table row", ("Hand tool", "none", "7 days", "0.50 euros")),
        ("table row", ("Powered tool", "20 euros", "3 days", "2 euros")),
        ("table row", ("Garden machine", "40 euros", "2 days", "3 euros")),
        ("text", "The deposit is paid in cash and handed back when the tool is clean."),
    ],
    [
        ("heading", "When something breaks"),
        (
            "text",
            "Wear is nobody's fault. Tell the till on the same day, and the workshop repairs the "
            "tool. Imani Quell decides about replacements above 100 euros.",
        ),
        ("heading", "Contact"),
        ("text", "E-mail: till@lending-shed.example"),
        ("text", "Open on Tuesdays and Saturdays from 10:00 to 13:00."),
        ("heading", "Safety"),
        ("item", "- Whoever borrows a chainsaw must show a certificate."),
        ("item", "- Never lift the blade guard of a saw while it is plugged in."),
        ("item", "- A tool that smells of burning is brought back at once, without a fee."),
    ],
]


def show(font: str, size: int, x: int, y: int, text: str) -> str:
    """The PDF operators that put one piece of text at a place."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET"


def lines_of(kind: str, content: str | tuple[str, ...]) -> list[tuple[str, ...]]:
    """The lines of one element, each as the cells that stand in it."""
    if isinstance(content, tuple):
        return [content]
    width = CHARACTERS_PER_LINE if STYLES[kind].font == REGULAR else CHARACTERS_PER_LINE // 2
    return [(line,) for line in textwrap.wrap(content, width)]


def page_stream(elements: Iterable[Element], number: int) -> str:
    """The content of one page: running header, elements from the top, page number."""
    operators = [show(REGULAR, 9, MARGIN_POINTS, PAGE_HEIGHT_POINTS - 50, HEADER)]
    y = FIRST_BASELINE_POINTS
    for kind, content in elements:
        style = STYLES[kind]
        y -= style.space_above
        for cells in lines_of(kind, content):
            for x, cell in zip(COLUMNS_POINTS, cells, strict=False):
                operators.append(show(style.font, style.size, x, y, cell))
            y -= style.line_height
    operators.append(show(REGULAR, 9, PAGE_WIDTH_POINTS // 2, 40, str(number)))
    return "\n".join(operators)


def objects() -> Iterator[str]:
    """The PDF objects in the order of their numbers, from 1."""
    first_page = 5
    kids = " ".join(f"{first_page + 2 * index} 0 R" for index in range(len(PAGES)))
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>"
    yield "<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>"
    yield f"<< /Type /Pages /Kids [{kids}] /Count {len(PAGES)} >>"
    yield font.format("Helvetica")
    yield font.format("Helvetica-Bold")
    for index, elements in enumerate(PAGES):
        stream = page_stream(elements, index + 1)
        box = f"[0 0 {PAGE_WIDTH_POINTS} {PAGE_HEIGHT_POINTS}]"
        yield (
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} "
            f"/Resources << /Font << /{REGULAR} 3 0 R /{BOLD} 4 0 R >> >> "
            f"/Contents {first_page + 2 * index + 1} 0 R >>"
        )
        yield f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream"


def document() -> bytes:
    """The whole file: header, objects, cross-reference table, trailer (ISO 32000-1, 7.5)."""
    parts = ["%PDF-1.7\n"]
    offsets = []
    for number, content in enumerate(objects(), start=1):
        offsets.append(sum(map(len, parts)))
        parts.append(f"{number} 0 obj\n{content}\nendobj\n")
    start = sum(map(len, parts))
    entries = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    count = len(offsets) + 1
    parts.append(
        f"xref\n0 {count}\n0000000000 65535 f \n{entries}"
        f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    )
    return "".join(parts).encode("ascii")


def main(arguments: list[str]) -> int:
    """Writes or checks the file; the exit status is for the shell."""
    if arguments == ["--check"]:
        is_old = not TARGET.exists() or TARGET.read_bytes() != document()
        if is_old:
            sys.stderr.write(f"{TARGET.name} is old: run `python docs/handbook_pdf.py`\n")
        return int(is_old)
    TARGET.write_bytes(document())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
