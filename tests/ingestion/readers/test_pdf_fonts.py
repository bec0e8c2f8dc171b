"""Fonts that say too little of themselves: blanks that are only gaps, names of glyph variants."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import PurePath

import pytest
from fakes.pdf_writer import assemble, stream
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen

from memctl.document import DocumentStatus
from memctl.ingestion.readers.pdf_cids import letters_by_number
from memctl.ingestion.readers.pdf_fonts import complete_fonts
from memctl.ingestion.readers.registry import read_document
from memctl.ingestion.readers.worker import ReadingWorker

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@pytest.fixture(scope="module")
def worker() -> Iterator[ReadingWorker]:
    worker = ReadingWorker()
    yield worker
    worker.stop()


def pdf_with_font(content: str, objects: dict[int, str | bytes]) -> bytes:
    """A page with the content and the font that is object 5."""
    page = (
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>"
    )
    all_objects = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: page,
        4: stream(f"BT /F1 10 Tf 72 700 Td {content} ET".encode()),
        **objects,
    }
    return assemble(
        {
            number: body.encode() if isinstance(body, str) else body
            for number, body in all_objects.items()
        }
    )


def composite_font(letters: str = LETTERS) -> dict[int, str | bytes]:
    """A font whose 26 letters are the glyphs from 20 on, glyph 32 a wide one, and no blank."""
    pairs = "".join(f"<{20 + place:04x}> <{ord(char):04x}>\n" for place, char in enumerate(letters))
    table = f"begincmap 26 beginbfchar\n{pairs}endbfchar\nendcmap"
    return {
        5: "<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H"
        " /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>",
        6: "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /DW 500 /W [20 45 500 32 [900]]"
        " /FontDescriptor 8 0 R >>",
        7: stream(table.encode()),
        8: "<< /Type /FontDescriptor /FontName /Any /Flags 4 >>",
    }


def simple_font(differences: str, descriptor: str = "") -> dict[int, str | bytes]:
    """A font with its own encoding, whose widths are all 600, also that of code 32."""
    return {
        5: "<< /Type /Font /Subtype /Type1 /BaseFont /Any /FirstChar 1 /LastChar 255"
        f" /Widths [{'600 ' * 255}] /Encoding 6 0 R /FontDescriptor 7 0 R >>",
        6: f"<< /Type /Encoding {differences} >>",
        7: f"<< /Type /FontDescriptor /FontName /Any /Flags 4 {descriptor} >>",
    }


def compact_font(encoding: dict[str, str]) -> dict[int, str | bytes]:
    """A font without an encoding of its own in the PDF: its CFF program alone gives each code the
    name of its glyph."""
    names = list(dict.fromkeys(encoding.values()))
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder([".notdef", *names])
    outline = T2CharStringPen(500, None).getCharString()
    builder.setupCFF("Any", {}, dict.fromkeys([".notdef", *names], outline), {})
    builder.setupHorizontalMetrics(dict.fromkeys([".notdef", *names], (500, 0)))
    program = builder.font["CFF "].cff
    program.topDictIndex[0].Encoding = [encoding.get(chr(code), ".notdef") for code in range(256)]
    packed = io.BytesIO()
    program.compile(packed, builder.font)
    return {
        5: "<< /Type /Font /Subtype /Type1 /BaseFont /Any /FirstChar 0 /LastChar 255"
        f" /Widths [{'500 ' * 256}] /FontDescriptor 6 0 R >>",
        6: "<< /Type /FontDescriptor /FontName /Any /Flags 4 /FontFile3 7 0 R >>",
        7: stream(packed.getvalue(), b"/Subtype /Type1C "),
    }


def read(worker: ReadingWorker, data: bytes) -> str:
    outcome = read_document(PurePath("/notes/report.pdf"), data, worker=worker)
    assert outcome.document is not None, outcome
    return outcome.document.text.strip()


def test_gaps_between_words_are_seen_in_a_composite_font_without_a_blank(
    worker: ReadingWorker,
) -> None:
    """Glyph 32 of such a font is a letter, whose width says nothing about gaps."""
    codes = {char: f"{20 + place:04x}" for place, char in enumerate(LETTERS)}
    words = ["".join(codes[char] for char in word) for word in ("two", "words")]
    data = pdf_with_font(f"[<{words[0]}> -200 <{words[1]}>] TJ", composite_font())
    assert read(worker, data) == "two words"


def test_gaps_between_words_that_run_to_the_left_stay_between_them(worker: ReadingWorker) -> None:
    """Such text is drawn from its end on; the gaps are between the words and not at one end."""
    letters = "אבגדהוזחטיךכלםמןנסעףפץצקרש"
    codes = {char: f"{20 + place:04x}" for place, char in enumerate(letters)}
    words = ["".join(codes[char] for char in reversed(word)) for word in ("דגל", "לבן", "קטן")]
    content = f"[<{words[2]}> -200 <{words[1]}> -200 <{words[0]}>] TJ"
    assert read(worker, pdf_with_font(content, composite_font(letters))) == "דגל לבן קטן"


@pytest.mark.parametrize(
    ("differences", "descriptor"),
    [
        ("/Differences [97 /a /b]", ""),
        ("/BaseEncoding /WinAnsiEncoding", "/CharSet (/d/o/r/s/t/w)"),
    ],
)
def test_gaps_between_words_are_seen_in_a_simple_font_without_a_blank(
    worker: ReadingWorker, differences: str, descriptor: str
) -> None:
    """What such a font has at code 32, if anything, is no blank, and its width says nothing."""
    font = simple_font(differences, descriptor)
    assert read(worker, pdf_with_font("[(two) -200 (words)] TJ", font)) == "two words"


def test_the_blank_of_a_font_that_has_one_keeps_its_width(worker: ReadingWorker) -> None:
    """In a font with wide blanks a small gap is none."""
    font = simple_font("/BaseEncoding /WinAnsiEncoding", "/CharSet (/space/d/o/r/s/t/w)")
    assert read(worker, pdf_with_font("[(two) -200 (words)] TJ", font)) == "twowords"


def test_variants_of_glyphs_count_as_the_glyphs(worker: ReadingWorker) -> None:
    """Old-style figures, Thai marks set low and ligatures are named after what they stand for."""
    names = "/one.oldstyle /uni0E49.low /l..Var /f_i /A.sc"
    data = pdf_with_font("(abcde) Tj", simple_font(f"/Differences [97 {names}]"))
    assert read(worker, data) == "1\u0e49lfiA"


def test_glyphs_of_unknown_names_are_garbage_and_not_text(worker: ReadingWorker) -> None:
    """A page of nothing but such glyphs has no text; beside letters each is a sign of its loss."""
    font = simple_font("/Differences [97 /ThaiCharacterNoNu /skt065 /x /alpha]")
    outcome = read_document(PurePath("report.pdf"), pdf_with_font("(abab) Tj", font), worker=worker)
    assert outcome.status is DocumentStatus.NO_TEXT
    assert outcome.reason is not None
    assert "glyph" in outcome.reason
    assert read(worker, pdf_with_font("(ccddcca) Tj", font)) == "xx\u03b1\u03b1xx\ufffd"


def bare_composite_font(entries: str = "", glyphs: str = "") -> dict[int, str | bytes]:
    """A font that says of its codes only what the entries say, of itself and of its glyphs."""
    return {
        5: f"<< /Type /Font /Subtype /Type0 /BaseFont /Any /DescendantFonts [6 0 R] {entries} >>",
        6: f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /DW 500 {glyphs} >>",
        7: stream(b"begincmap endcmap"),
        8: "<< /Registry (Adobe) /Ordering (Japan1) /Supplement 0 >>",
        9: "<< /Registry (Adobe) /Ordering (UCS) /Supplement 0 >>",
        10: "<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>",
    }


def hexadecimal(text: str) -> str:
    return f"<{codecs.encode(text, 'utf-16-be').hex()}>"


@pytest.mark.parametrize(
    ("entries", "glyphs"),
    [
        ("/Encoding /Identity-H", ""),
        ("/Encoding /Identity-V", "/CIDSystemInfo 10 0 R"),
        ("/Encoding /Identity-H /ToUnicode 7 0 R", ""),
        ("/Encoding 7 0 R", "/CIDSystemInfo 8 0 R"),
        ("/Encoding /KSC-Johab-H", ""),
    ],
)
def test_glyph_numbers_are_not_taken_for_characters(
    worker: ReadingWorker, entries: str, glyphs: str
) -> None:
    """A composite font without a table to letters gives numbers, however much they look like some;
    nor do encodings help that cannot be read."""
    data = pdf_with_font(
        f"{hexadecimal(':HGHFLGHG')} Tj", bare_composite_font(entries, glyphs=glyphs)
    )
    outcome = read_document(PurePath("report.pdf"), data, worker=worker)
    assert outcome.status is DocumentStatus.NO_TEXT
    assert outcome.reason is not None
    assert "glyph numbers" in outcome.reason


@pytest.mark.parametrize(
    ("entries", "glyphs"),
    [
        ("/Encoding /Identity-H /ToUnicode /Identity-H", ""),
        ("/Encoding /UniGB-UCS2-H", ""),
        ("/Encoding /UniKS-UTF16-H", ""),
        ("/Encoding /Identity-H", "/CIDSystemInfo 9 0 R"),
        ("/Encoding /Identity-H", "/CIDToGIDMap 7 0 R"),
    ],
)
def test_codes_that_are_characters_are_read_without_a_table(
    worker: ReadingWorker, entries: str, glyphs: str
) -> None:
    """The encoding is by Unicode, or the font finds its glyphs by characters."""
    data = pdf_with_font(f"{hexadecimal('钥匙 is here')} Tj", bare_composite_font(entries, glyphs))
    assert read(worker, data) == "钥匙 is here"


@pytest.mark.parametrize(
    ("encoding", "codec", "text"),
    [
        ("GBK-EUC-H", "gbk", "钥匙"),
        ("GBKp-EUC-V", "gbk", "钥匙"),
        ("KSCms-UHC-H", "cp949", "열쇠 5 is here"),
        ("KSC-EUC-V", "euc-kr", "열쇠"),
        ("90msp-RKSJ-H", "cp932", "鍵は ｶｷﾞ here"),
        ("EUC-H", "euc-jp", "鍵は"),
        ("HKscs-B5-H", "big5hkscs", "鑰匙"),
    ],
)
def test_an_encoding_of_characters_is_read_without_a_table(
    worker: ReadingWorker, encoding: str, codec: str, text: str
) -> None:
    """The older national encodings give letters, not numbers."""
    font = bare_composite_font(f"/Encoding /{encoding}")
    codes = codecs.encode(text, codec).hex()
    assert read(worker, pdf_with_font(f"<{codes}> Tj", font)) == text


COLLECTIONS = [
    ("GB1", "钥匙", [4354, 1276]),
    ("Japan1", "鍵は物置", [1892, 888, 3578, 2964]),
    ("Korea1", "열쇠는", [2508, 2285, 1495]),
    ("CNS1", "鑰匙", [5964, 2586]),
    ("Japan1", "¥400", [61, 21, 17, 17]),
    ("GB1", "up 5", [86, 81, 1, 22]),
]


@pytest.mark.parametrize("direction", ["H", "V"])
@pytest.mark.parametrize(("ordering", "text", "numbers"), COLLECTIONS)
def test_numbers_of_a_public_collection_are_its_characters(
    worker: ReadingWorker, ordering: str, text: str, numbers: list[int], direction: str
) -> None:
    """A font that lists no letters and says whose numbers its codes are, with either direction."""
    objects = bare_composite_font(f"/Encoding /Identity-{direction}", "/CIDSystemInfo 8 0 R") | {
        8: f"<< /Registry (Adobe) /Ordering ({ordering}) /Supplement 2 >>",
    }
    codes = "".join(f"{number:04x}" for number in numbers)
    assert read(worker, pdf_with_font(f"<{codes}> Tj", objects)) == text


def test_each_page_gets_the_characters_that_it_shows(worker: ReadingWorker) -> None:
    """Also where the pages share a font; and a number without a character is a lost one."""
    objects = bare_composite_font("/Encoding /Identity-H", "/CIDSystemInfo 8 0 R") | {
        2: "<< /Type /Pages /Kids [3 0 R 11 0 R] /Count 2 >>",
        11: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 12 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        12: stream(b"BT /F1 10 Tf 72 700 Td <037803790379> Tj <59ff037a> Tj ET"),
    }
    assert read(worker, pdf_with_font("<07640378> Tj", objects)) == "鍵は\nはばば\ufffdぱ"


@pytest.mark.parametrize("ordering", ["GB1", "Japan1", "Korea1", "CNS1"])
def test_a_collection_has_each_common_character_once(ordering: str) -> None:
    """By the plain set that it follows, which has two of them twice for Chinese of Taiwan."""
    letters = letters_by_number(ordering)
    codec = {"GB1": "gb2312", "Japan1": "euc_jp", "Korea1": "euc_kr", "CNS1": "big5"}[ordering]
    ideographs = [letter for letter in letters.values() if "\u4e00" <= letter <= "\u9fff"]
    assert len(ideographs) - len(set(ideographs)) <= 2
    expected = {
        chr(code) for code in range(0x4E00, 0xA000) if len(chr(code).encode(codec, "ignore")) == 2
    }
    assert len(expected - set(ideographs)) <= 12
    assert letters_by_number("Identity") == {}


def test_lines_of_letters_beside_glyph_numbers_are_kept(worker: ReadingWorker) -> None:
    """What is lost in a line leaves a sign, lines that are lost leave a warning, and a bare number
    is no text."""
    objects = bare_composite_font("/Encoding /Identity-H") | {
        3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R /F2 11 0 R >> >> >>",
        11: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    numbers = f"/F1 10 Tf {hexadecimal('7KH NLOQ')} Tj"
    content = (
        f"{numbers} 0 -20 Td /F2 10 Tf (The saw is) Tj {numbers} /F2 10 Tf ( for Bo.) Tj"
        f" 0 -20 Td {numbers}"
    )
    outcome = read_document(PurePath("a.pdf"), pdf_with_font(content, objects), worker=worker)
    assert outcome.document is not None
    assert outcome.document.text == "The saw is\ufffd for Bo.\n"
    assert outcome.warnings == ("page 1: glyph numbers instead of letters in some lines",)
    data = pdf_with_font(f"{numbers} 0 -20 Td /F2 10 Tf (- 12 -) Tj", objects)
    numbered = read_document(PurePath("a.pdf"), data, worker=worker)
    assert numbered.status is DocumentStatus.NO_TEXT


def test_glyph_numbers_in_a_form_are_not_taken_for_characters(worker: ReadingWorker) -> None:
    """A drawing on the page has fonts of its own; one that is damaged costs nothing else."""
    drawing = f"BT /F1 10 Tf 72 500 Td {hexadecimal('7KHNLOQ')} Tj ET".encode()
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] "
    objects = bare_composite_font("/Encoding /Identity-H") | {
        3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        " /Resources << /Font << /F2 10 0 R >> /XObject << /X1 11 0 R /X2 12 0 R >> >> >>",
        4: stream(b"BT /F2 10 Tf 72 700 Td (The kiln is sold.) Tj ET /X1 Do /X2 Do"),
        10: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        11: stream(drawing, form + b"/Resources << /Font << /F1 5 0 R >> >> "),
        12: b"<< /Type /XObject /Subtype /Form /Resources << /Font",
    }
    assert read(worker, pdf_with_font("", objects)) == "The kiln is sold."


@pytest.mark.parametrize(
    "page",
    [
        {},
        {"/Resources": 7},
        {"/Resources": {"/Font": {"/F1": {"/Encoding": {"/Differences": [97, None, {}]}}}}},
        {"/Resources": {"/Font": {"/F1": {"/FirstChar": 0, "/Widths": 9, "/FontDescriptor": 1}}}},
        {"/Resources": {"/Font": {"/F1": {"/Subtype": "/Type0", "/ToUnicode": "/Identity-H"}}}},
    ],
)
def test_fonts_of_an_unexpected_shape_are_passed_over(page: dict[str, object]) -> None:
    """Nothing is raised and nothing is changed."""
    before = repr(page)
    complete_fonts(page, {})
    assert repr(page) == before


@pytest.mark.parametrize(
    ("code", "name", "symbol"),
    [
        ("n", "backslash", "\\"),
        ("\\", "quotedblleft", "\N{LEFT DOUBLE QUOTATION MARK}"),
        ("0", "minus", "\N{MINUS SIGN}"),
        ("X", "uni2713", "\N{CHECK MARK}"),
        ("f", "braceleft", "{"),
        ("y", "dagger", "\N{DAGGER}"),
    ],
)
def test_symbols_of_an_embedded_cff_font_are_what_its_glyphs_are_called(
    worker: ReadingWorker, code: str, name: str, symbol: str
) -> None:
    """TeX fonts keep symbols at codes that are letters elsewhere."""
    letters = {letter: letter for letter in "abcde"} | {code: name}
    text = f"bad{code}cab".replace("\\", "\\\\")
    assert read(worker, pdf_with_font(f"({text}) Tj", compact_font(letters))) == f"bad{symbol}cab"


def test_a_damaged_cff_font_costs_no_text(worker: ReadingWorker) -> None:
    """What cannot be unpacked says nothing, and the codes are taken as they are."""
    objects = compact_font({letter: letter for letter in LETTERS})
    objects[7] = stream(b"\x01\x00\x04" + b"\xff" * 40, b"/Subtype /Type1C ")
    assert read(worker, pdf_with_font("(the oven) Tj", objects)) == "the oven"
