"""What becomes of a PDF: its text in reading order, or a status that says why there is none."""

from __future__ import annotations

import io
import logging
import random
import re
import time
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import PurePath

import pytest
from fakes.pdf_writer import Drawn, Field, assemble, build_bomb, build_pdf, stream

from memctl.document import DocumentStatus
from memctl.ingestion.readers import pdf
from memctl.ingestion.readers.outcome import ReadOutcome
from memctl.ingestion.readers.registry import read_document
from memctl.ingestion.readers.worker import ReadingWorker

PATH = PurePath("/notes/report-2026-03-14.pdf")


@pytest.fixture(scope="module")
def worker() -> Iterator[ReadingWorker]:
    worker = ReadingWorker()
    yield worker
    worker.stop()


@pytest.fixture
def read(worker: ReadingWorker) -> Callable[..., ReadOutcome]:
    def read(data: bytes, **options: object) -> ReadOutcome:
        return read_document(PATH, data, worker=worker, **options)  # type: ignore[arg-type]

    return read


def text_of(outcome: ReadOutcome) -> str:
    assert outcome.document is not None, outcome
    return outcome.document.text


def encrypt(data: bytes, user_password: str, algorithm: str = "AES-256") -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(user_password, "owner", algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_pages_are_joined_and_each_line_knows_its_page(read) -> None:
    outcome = read(build_pdf([["First page.", "Second line."], ["Another page."]], title="Manual"))
    document = outcome.document
    assert outcome.status is DocumentStatus.DONE
    assert document.text == "First page.\nSecond line.\n\nAnother page.\n"
    assert document.page_first_lines == (1, 4)
    assert [document.page_of_line(line) for line in (1, 2, 4)] == [1, 1, 2]
    assert (document.title, str(document.document_date)) == ("Manual", "2026-03-14")
    assert outcome.page_count == 2


def test_ligatures_bullets_and_cut_words_become_plain_text(read) -> None:
    page = [
        "The ﬁrst oﬃce had a conﬁgura-",
        "tion for the self-made ﬂue and the Anglo-",
        "Saxon stove.",
        "\uf0b7 a soft hy\u00ad",
        "phen",
    ]
    text = text_of(read(build_pdf([page])))
    assert "The first office had a configuration\nfor the self-made flue" in text
    assert "Anglo-Saxon\nstove." in text
    assert "• a soft hyphen" in text


def test_running_lines_go_and_the_sentence_across_the_page_stays_whole(read) -> None:
    bodies = [
        ["Flour comes in sacks of 25 kilos."],
        ["Fresh yeast keeps for eleven days in the"],
        ["back of the fridge, wrapped in paper."],
        ["Salt goes in last."],
    ]
    pages = [
        ["House manual - edition 7", *body, "Do not pass on", f"Page {number} of 4"]
        for number, body in enumerate(bodies, start=1)
    ]
    assert text_of(read(build_pdf(pages))) == (
        "Flour comes in sacks of 25 kilos.\n\n"
        "Fresh yeast keeps for eleven days in the\nback of the fridge, wrapped in paper.\n\n"
        "Salt goes in last.\n"
    )


def test_cells_of_a_table_row_stay_in_one_line(read) -> None:
    rows = [("Day", "Item", "Crates"), ("Tuesday", "Rye loaf", "14"), ("Thursday", "Roll", "9")]
    page = [
        Drawn(cell, 72 + 120 * column, 700 - 20 * row)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    ]
    assert text_of(read(build_pdf([page]))).splitlines() == [
        "Day  Item  Crates",
        "Tuesday  Rye loaf  14",
        "Thursday  Roll  9",
    ]


def test_a_page_that_was_set_letter_by_letter_has_words(read) -> None:
    lines = ("The ferry leaves at noon from the pier", "and returns when the tide has turned")
    letters = [
        Drawn(letter, 60 + 5.5 * column, 700 - 20 * row)
        for row, line in enumerate(lines)
        for column, letter in enumerate(line)
        if letter != " "
    ]
    text = text_of(read(build_pdf([letters])))
    assert text.split() == " ".join(lines).split()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("1 0 0 1 {x} 720 Tm (Bold title) Tj", "Bold title"),
        ("1 0 0 1 {x} 720 Tm [(Bold) -300 (title)] TJ", "Bold title"),
        ("1 0 0 1 {x} 720 Tm (Bold ) Tj (title) Tj", "Bold title"),
        ("q 1 0 0 1 {x} 720 cm BT /F1 12 Tf (Bold title) Tj ET Q", "Bold title"),
    ],
)
def test_text_that_is_drawn_over_itself_to_look_bold_is_read_once(read, content, text) -> None:
    drawn = "\n".join(content.format(x=x) for x in (72, 72.3, 72.6))
    outcome = read(pdf_of_one_page(stream(f"BT /F1 12 Tf {drawn} ET".encode()), above=FLAT_LIST))
    assert text_of(outcome).strip() == text


@pytest.mark.parametrize(
    "content",
    ["(Hohoho) Tj (Hohoho) Tj", "(Hohoho) Tj 42 0 Td (Hohoho) Tj", "[(Hohoho) (Hohoho)] TJ"],
)
def test_text_that_stands_twice_beside_itself_is_read_twice(read, content: str) -> None:
    page = stream(f"BT /F1 12 Tf 72 720 Td {content} ET".encode())
    assert text_of(read(pdf_of_one_page(page, above=FLAT_LIST))).count("Hohoho") == 2


def test_columns_drawn_one_after_the_other_are_not_mixed(read) -> None:
    left = [Drawn(text, 60, 700 - 15 * line) for line, text in enumerate(["cold dough", "rests"])]
    right = [Drawn(text, 320, 700 - 15 * line) for line, text in enumerate(["warm dough", "runs"])]
    text = text_of(read(build_pdf([[*left, *right]])))
    assert text.split() == ["cold", "dough", "rests", "warm", "dough", "runs"]


def test_form_values_stand_behind_their_labels(read) -> None:
    page = [
        Drawn("Name:", 60, 700),
        Field("name", "Imani Quell", 160, 696),
        Drawn("Newsletter", 60, 670),
        Field("news", "Yes", 160, 666, kind="Btn"),
        Drawn("Calls", 60, 640),
        Field("calls", "Off", 160, 636, kind="Btn"),
        Field("town", "Alderquay", 160, 100),
    ]
    lines = text_of(read(build_pdf([page]))).splitlines()
    assert lines == ["Name: Imani Quell", "Newsletter: yes", "Calls", "town: Alderquay"]


def test_right_to_left_text_comes_in_logical_order(read) -> None:
    visual = "המאפייה נפתחת"[::-1]
    assert text_of(read(build_pdf([[visual]]))).strip() == "המאפייה נפתחת"


def test_pages_without_text_are_named(read) -> None:
    outcome = read(build_pdf([["Words."], [], ["More words."], []]))
    assert outcome.status is DocumentStatus.DONE
    assert outcome.pages_without_text == (2, 4)
    assert outcome.warnings == ("pages 2, 4: no text",)


def test_scans_have_the_status_no_text(read) -> None:
    outcome = read(build_pdf([[], []]))
    assert outcome.status is DocumentStatus.NO_TEXT
    assert outcome.page_count == 2
    assert "OCR" in outcome.reason


def test_glyph_names_are_not_taken_for_text(read) -> None:
    page = ["The quick brown fox jumps over the lazy dog"]
    outcome = read(build_pdf([page], glyph_names=True))
    assert outcome.status is DocumentStatus.NO_TEXT
    assert "glyph" in outcome.reason


def test_pages_among_glyph_numbers_are_not_taken_for_text_either(read) -> None:
    """Where nearly all pages are garbage, one that happens to look like letters is no text."""
    garbage, letters = ["\ue001\ue002\ue003 \ue004"], ["KRNOV TVNO"]
    outcome = read(build_pdf([garbage, garbage, letters, garbage, garbage]))
    assert outcome.status is DocumentStatus.NO_TEXT
    assert "glyph" in outcome.reason
    assert "KRNOV" in text_of(read(build_pdf([["Typed words."], garbage, letters])))


def test_pages_of_letters_beside_pages_of_unknown_glyphs_are_kept(read) -> None:
    """What is known to be no letter says nothing about the fonts of other pages."""
    lost = ["\ufffd\ufffd\ufffd\ufffd \ufffd\ufffd", "7"]
    outcome = read(build_pdf([lost, lost, ["Typed words."], lost, lost, lost]))
    assert text_of(outcome) == "Typed words.\n"
    assert outcome.warnings == ("pages 1-2, 4-6: glyph numbers instead of letters",)


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_an_empty_user_password_opens_and_another_must_be_given(read, algorithm: str) -> None:
    data = build_pdf([["The cake recipe uses nutmeg."]])
    assert "nutmeg" in text_of(read(encrypt(data, "", algorithm)))
    locked = encrypt(data, "brioche", algorithm)
    assert read(locked).status is DocumentStatus.ENCRYPTED
    assert read(locked, password="wrong").status is DocumentStatus.ENCRYPTED
    assert "nutmeg" in text_of(read(locked, password="brioche"))


def test_junk_before_the_header_is_no_obstacle(read) -> None:
    assert "Words" in text_of(read(b"HTTP junk\r\n\r\n" + build_pdf([["Words."]])))


def test_a_file_that_lost_its_end_is_read_as_far_as_it_goes(read) -> None:
    """Its objects are found without the table that stood at the end, and a warning says so."""
    data = build_pdf([["Words of the first page."], ["Words of the second."]])
    outcome = read(data[: data.index(b"startxref")])
    assert text_of(outcome) == "Words of the first page.\n\nWords of the second.\n"
    assert any("end of the file is missing" in warning for warning in outcome.warnings)


def cut_in_content(data: bytes, page: int) -> bytes:
    """The file up to the middle of the content of a page."""
    places = [match.end() for match in re.finditer(rb"/F1 11 Tf 12 TL", data)]
    return data[: places[page - 1]]


def test_a_file_that_is_cut_anywhere_is_read_as_far_as_it_goes(read) -> None:
    """Whole pages before the cut are read; a warning says which pages there are and which not."""
    data = build_pdf([["Words of the first page."], ["Words of the second."], ["More."]])
    outcome = read(cut_in_content(data, page=3))
    assert text_of(outcome) == "Words of the first page.\n\nWords of the second.\n"
    assert 3 in outcome.pages_without_text
    assert "the end of the file is missing, and pages with it perhaps; it has pages 1-3 still" in (
        outcome.warnings
    )
    nothing = read(data[: data.index(b"\n9 0 obj")])
    assert nothing.status is DocumentStatus.UNREADABLE
    assert "end of the file is missing" in nothing.reason


def test_pages_are_found_where_the_list_of_them_was_cut_off(read) -> None:
    """Programs put it in front of the pages or behind them."""
    data = build_pdf([["Words of the first page."], ["Words of the second."]])
    without_list = data[data.index(b"3 0 obj") : data.index(b"xref")]
    outcome = read(b"%PDF-1.7\n" + without_list)
    assert text_of(outcome) == "Words of the first page.\n\nWords of the second.\n"
    assert any("pages 1-2" in warning for warning in outcome.warnings)


def test_pages_are_found_where_the_list_of_them_is_damaged(read) -> None:
    data = build_pdf([["Words of the first page."], ["Words of the second."]])
    outcome = read(data.replace(b"/Kids [", b"/Kids s", 1))
    assert text_of(outcome) == "Words of the first page.\n\nWords of the second.\n"
    assert outcome.warnings == ("the list of its pages is damaged: they were found one by one",)


def pdf_of_one_page(content: bytes, *, above: dict[int, bytes], parent: int = 2) -> bytes:
    """A page whose content is object 5, under the objects of the list of pages."""
    return assemble(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            3: b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 595 842] /Contents 5 0 R"
            b" /Resources << /Font << /F1 4 0 R >> >> >>" % parent,
            4: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            5: content,
            **above,
        }
    )


FLAT_LIST = {2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"}
TEXT = b"BT /F1 12 Tf 72 720 Td (The kiln is sold.) Tj ET\n"


def test_a_list_of_pages_in_more_levels_than_any_program_writes_is_no_obstacle(read) -> None:
    numbers = [2, *range(10, 112), 3]
    above = {
        number: b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % below
        for number, below in pairwise(numbers)
    }
    outcome = read(pdf_of_one_page(stream(TEXT), above=above, parent=numbers[-2]))
    assert text_of(outcome) == "The kiln is sold.\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<< /Length 5 0 R >>\nstream\n" + TEXT + b"endstream", "loop"),
        (b"null", "its content is missing"),
        (
            stream(b"\x78\x9c" + b"\xff" * 100, b"/Filter /FlateDecode "),
            "its content cannot be unpacked",
        ),
        (
            stream(zlib.compress(TEXT)[:20] + b"\xff" * 80, b"/Filter /FlateDecode "),
            "damaged",
        ),
    ],
)
def test_a_page_that_is_damaged_is_called_damaged(read, content: bytes, reason: str) -> None:
    """It is neither a flood of data nor a scan."""
    outcome = read(pdf_of_one_page(content, above=FLAT_LIST))
    assert outcome.status is DocumentStatus.UNREADABLE
    assert "damaged" in outcome.reason
    assert reason in outcome.reason
    assert "unpacks" not in outcome.reason


@pytest.mark.parametrize("packed", [zlib.compress(b""), b""])
def test_a_page_whose_packed_content_is_nothing_is_just_empty(read, packed: bytes) -> None:
    """Whether nothing was packed, or it was said to be packed and is nothing."""
    content = stream(packed, b"/Filter /FlateDecode ")
    outcome = read(pdf_of_one_page(content, above=FLAT_LIST))
    assert outcome.status is DocumentStatus.NO_TEXT


def test_a_page_that_pypdf_gives_up_on_costs_no_other_page(read) -> None:
    """Abbreviated names of filters are refused by pypdf with an error of another kind."""
    data = build_pdf([["Words of the first page."], ["Words of the second."]])
    length = data.rindex(b"<< /Length")
    damaged = data[:length] + b"<< /Filter /A85 " + data[length + 3 :]
    outcome = read(damaged)
    assert text_of(outcome) == "Words of the first page.\n"
    assert outcome.pages_without_text == (2,)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", DocumentStatus.EMPTY),
        (b"hello, this is text", DocumentStatus.UNREADABLE),
        (build_pdf([["Words."]])[:60], DocumentStatus.UNREADABLE),
        (b"%PDF-1.7\n", DocumentStatus.UNREADABLE),
    ],
)
def test_what_is_no_whole_pdf_gets_a_status_and_a_reason(read, data: bytes, status: str) -> None:
    outcome = read(data)
    assert outcome.status is status
    assert outcome.reason


def test_a_page_that_unpacks_to_a_flood_is_refused_in_no_time(read) -> None:
    started = time.monotonic()
    outcome = read(build_bomb(60_000_000))
    assert outcome.status is DocumentStatus.UNREADABLE
    assert "unpacks" in outcome.reason
    assert time.monotonic() - started < 10


@pytest.mark.slow
def test_reading_ends_when_its_time_is_over(worker: ReadingWorker) -> None:
    slow = build_bomb(31_000_000)
    started = time.monotonic()
    outcome = read_document(PATH, slow, worker=worker, timeout_seconds=0.5)
    assert outcome.status is DocumentStatus.UNREADABLE
    assert "longer than 0.5 s" in outcome.reason
    assert time.monotonic() - started < 5
    good = read_document(PATH, build_pdf([["Words."]]), worker=worker)
    assert good.status is DocumentStatus.DONE, "the next file finds a worker"


def test_pages_before_one_that_takes_too_long_are_kept(worker: ReadingWorker) -> None:
    read_document(PATH, build_pdf([["Words."]]), worker=worker)
    slow = build_bomb(31_000_000, pages_before=1)
    outcome = read_document(PATH, slow, worker=worker, timeout_seconds=0.5)
    assert outcome.document.text == "page 1\n"
    assert outcome.pages_without_text == (2,)
    assert outcome.warnings == ("page 2 could not be read: it took longer than 0.5 s",)


def test_a_page_that_takes_too_long_is_left_out_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "PAGE_SECONDS", 0.1)
    messages = list(pdf.pdf_messages(build_bomb(31_000_000, pages_before=1), {}))
    assert [message["kind"] for message in messages] == ["document", "page", "page"]
    assert messages[1]["text"].strip() == "page 1"
    assert "takes longer" in messages[2]["error"]


@pytest.mark.slow
def test_damaged_files_never_raise_nor_print(
    read, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    fields = [Drawn("Name", 60, 700), Field("name", "x", 160, 696)]
    plain = build_pdf([["One line of text.", "And another."], fields])
    sources = [plain, encrypt(plain, "")]
    mutations = random.Random(20260314)
    statuses = set()
    with caplog.at_level(logging.DEBUG):
        for _ in range(120):
            data = bytearray(mutations.choice(sources))
            for _ in range(mutations.choice((1, 4, 20))):
                place = mutations.randrange(len(data))
                data[place : place + mutations.randrange(3)] = mutations.randbytes(2)
            outcome = read(bytes(data[: mutations.randrange(len(data))] or data))
            statuses.add(outcome.status)
            assert (outcome.document is None) == (outcome.status is not DocumentStatus.DONE)
    assert DocumentStatus.UNREADABLE in statuses
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


PICTURE = (
    b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray"
    b" /BitsPerComponent 8 "
)
WHOLE_PAGE = "595 0 0 842 0 0"
TWO_STRIPS = "595 0 0 421 0 421 cm /Im Do Q q 595 0 0 421 0 0"


def pdf_of_pictures(texts: list[str], place: str = WHOLE_PAGE) -> bytes:
    """Pages with a picture at this place, which is white, and under it a line of text."""
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        4: stream(b"\xff", PICTURE),
    }
    numbers = range(10, 10 + 2 * len(texts), 2)
    for number, text in zip(numbers, texts, strict=True):
        objects[number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources"
            b" << /Font << /F1 3 0 R >> /XObject << /Im 4 0 R >> >> >>" % (number + 1)
        )
        drawn = f"q {place} cm /Im Do Q BT /F1 12 Tf 72 40 Td ({text}) Tj ET\n"
        objects[number + 1] = stream(drawn.encode())
    kids = b" ".join(b"%d 0 R" % number for number in numbers)
    objects[2] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(texts))
    return assemble(objects)


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        (["1"], WHOLE_PAGE),
        (["Page 1 of 2", "Page 2 of 2"], WHOLE_PAGE),
        (["- i -", "- ii -"], TWO_STRIPS),
        (["House manual", "House manual"], WHOLE_PAGE),
        (["Scanned with PaperShot"], WHOLE_PAGE),
    ],
)
def test_scans_with_only_page_numbers_or_running_lines_have_no_text(read, texts, place) -> None:
    outcome = read(pdf_of_pictures(texts, place))
    assert outcome.status is DocumentStatus.NO_TEXT
    assert outcome.pages_without_text == tuple(range(1, len(texts) + 1))


def test_a_scan_among_pages_with_text_is_named(read) -> None:
    outcome = read(pdf_of_pictures(["The kiln is sold.", "Page 2", "The oven is new."]))
    assert text_of(outcome) == "The kiln is sold.\n\nThe oven is new.\n"
    assert outcome.warnings == ("page 2: no text",)


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        (["Ana at the beach, 2023"], WHOLE_PAGE),
        (["Receipt 4711", "Receipt 4712"], WHOLE_PAGE),
        (["42"], "100 0 0 100 72 600"),
    ],
)
def test_what_a_page_says_under_a_picture_is_kept(read, texts: list[str], place: str) -> None:
    found = text_of(read(pdf_of_pictures(texts, place)))
    assert found.split("\n\n") == [*texts[:-1], f"{texts[-1]}\n"]
