"""The pure steps from extracted PDF pages to text: glyphs, hyphens, running lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.ingestion.readers.pdf_hyphens import join_hyphens
from memctl.ingestion.readers.pdf_lines import is_garbage, page_lines, without_lost_lines
from memctl.ingestion.readers.pdf_running import drop_running_lines
from memctl.ingestion.readers.pdf_runs import Run, join_rows, label_beside


def test_graves_that_stand_before_their_letters_are_told_from_backticks() -> None:
    """A backtick before a vowel is an accent inside of a word, and then in one of its own."""
    assert page_lines("la citt`a `e pi`u bella, cos`ı dice") == ["la città è più bella, così dice"]
    assert page_lines("type `a' or `e` and x`y`z, `u") == ["type `a' or `e` and x`y`z, `u"]


def test_what_is_left_of_lost_lines_goes_with_them() -> None:
    """Numbers are kept beside lines of words, not where most lines are lost."""
    lost = "\ufffd" * 8
    assert without_lost_lines(f"{lost}\n{lost}\n{lost}\nSome words\n7") == ("Some words", True)
    assert without_lost_lines(f"{lost}\nSome words\n7") == ("Some words\n7", True)
    assert without_lost_lines(f"{lost}\n7") == ("", True)
    assert without_lost_lines("Some words\n7") == ("Some words\n7", False)


def test_glyphs_of_fonts_become_letters() -> None:
    raw = "\x03ﬁnd\u00a0the ﬄuent ⼈ ﻻ \uf0b7 Poincar´e M¨uller\x00\n\n"
    assert page_lines(raw) == ["find the ffluent 人 لا • Poincaré Müller"]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("the \x0crst o\x0ece a\x0bected by a con\rict", "the first office affected by a conflict"),
        (
            "the \x1crst o\x1ece a\x1bected by a con\x1dict",
            "the first office affected by a conflict",
        ),
        ("another line end\r\nand no ligature", "another line end"),
        ("a bullet \x0c Not a letter", "a bullet  Not a letter"),
    ],
)
def test_ligatures_that_are_only_codes_of_a_tex_font_become_letters(
    raw: str, expected: str
) -> None:
    assert page_lines(raw)[0] == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("/g12/g7/g33 /g4/g5", True),
        ("/C0_1/C0_2/C0_3", True),
        ("\x03\x12\x19\x04 \x11\x05", True),
        ("\ue001\ue002\ue003 \ue004", True),
        ("\ufffd\ufffd\ufffd ok", True),
        ('!"#$ %&( )*+, -./: ;<=> ' * 3, True),
        ("Contents . . . . . . . . . . . . . . . . . . . . . . . 7", False),
        ("_______________________________________________________", False),
        ("Use /g4 as the path and /home/x for files.", False),
        ("烤箱预热需要九十分钟", False),
        ("x² + y² = z²", False),
        ("3\t\r \u00a0\n12\t\r \u00a0\n1981\t\r \u00a01983\t\r", False),
        ("\uf0b7 first\n\uf0b7 second", False),
        ("", False),
    ],
)
def test_garbage_is_told_from_writing(raw: str, expected: bool) -> None:
    assert is_garbage(raw) is expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a conﬁgura-", "tion of parts"], ["a conﬁguration", "of parts"]),
        (["a soft\u00ad", "ened word"], ["a softened", "word"]),
        (["the Anglo-", "Saxon way"], ["the Anglo-Saxon", "way"]),
        (["an e-", "mail"], ["an e-mail"]),
        (["state-of-the-", "art oven"], ["state-of-the-art", "oven"]),
        (["Ein- und", "Ausgang"], ["Ein- und", "Ausgang"]),
        (["Vor-", "und Nachteile"], ["Vor-", "und Nachteile"]),
        (["pages 10-", "12 only"], ["pages 10-12", "only"]),
        (["the ELE-", "MENT is"], ["the ELEMENT", "is"]),
        (["a well-", "known and well-known"], ["a well-known", "and well-known"]),
        (["a dash -", "and more"], ["a dash -", "and more"]),
        (["ends with-", ""], ["ends with-", ""]),
        (["a TeX-inter-", "face as an interface"], ["a TeX-interface", "as an interface"]),
        (["con-", "figu-", "ration of parts"], ["configuration", "of parts"]),
        (["el documen-", "to, y más"], ["el documento,", "y más"]),
        (
            ["el documen-", "to largo", "y otro documento"],
            ["el documento", "largo", "y otro documento"],
        ),
    ],
)
def test_cut_words_are_joined_and_compounds_keep_their_hyphen(
    lines: list[str], expected: list[str]
) -> None:
    assert join_hyphens([lines]) == [expected]


def test_a_word_cut_by_the_end_of_a_page_moves_up() -> None:
    assert join_hyphens([["a configura-"], ["tion of parts"]]) == [
        ["a configuration"],
        ["of parts"],
    ]


def pages_of(*lines: str, count: int = 6) -> list[list[str]]:
    return [
        [line.format(number=number, roman="i" * number) for line in lines]
        for number in range(1, count + 1)
    ]


@pytest.mark.parametrize(
    "running",
    ["House manual", "Page {number} of 6", "- {number} -", "{number}", "Manual | {number}"],
)
def test_lines_that_run_through_the_document_are_dropped(running: str) -> None:
    bodies = ["alpha beta", "gamma delta", "epsilon", "zeta", "eta", "theta"]
    pages = [[running.format(number=n), body] for n, body in enumerate(bodies, start=1)]
    assert drop_running_lines(pages) == [[body] for body in bodies]


def test_headers_of_chapters_and_of_facing_pages_are_dropped() -> None:
    pages = []
    for number in range(1, 13):
        chapter = "Tides" if number <= 6 else "Winds"
        header = f"{chapter} {number + 4}" if number % 2 else f"{number + 4} The harbour book"
        pages.append([header, f"text {number * 7919}"])
    assert drop_running_lines(pages) == [[f"text {n * 7919}"] for n in range(1, 13)]


@pytest.mark.parametrize(
    "lines",
    [
        (
            "Leaf {number} of the ledger: bin {number}{number} holds sacks.",
            "Checked at {number}:30.",
        ),
        ("On page {number} the oven is described.",),
    ],
)
def test_content_that_counts_with_the_pages_stays(lines: tuple[str, ...]) -> None:
    pages = pages_of(*lines)
    assert drop_running_lines(pages) == pages


def test_two_pages_or_nothing_else_left_keep_everything() -> None:
    assert drop_running_lines([["same"], ["same"]]) == [["same"], ["same"]]
    assert drop_running_lines([["same"]] * 4) == [["same"]] * 4


def test_copies_of_one_page_among_others_are_kept_once() -> None:
    form = ["Entry form", "Name of the boat", "Length in metres", "Number of berths"]
    pages = [["A letter to all members"], *[form] * 5]
    assert drop_running_lines(pages) == [["A letter to all members"], form, [], [], [], []]


@pytest.mark.parametrize(
    "running",
    [
        "The deposit is 25 euros.",
        "Status: approved",
        "Printed on 14 May 2026",
        "Handbook, version 2.3",
        "押金是二十五欧元。",
        "状态：已批准",
    ],
)
@pytest.mark.parametrize("is_footer", [True, False])
def test_a_running_line_that_says_something_is_kept_once(running: str, is_footer: bool) -> None:
    bodies = ["Alpha beta.", "Gamma delta.", "Epsilon.", "Zeta.", "Eta."]
    pages = [[body, running] if is_footer else [running, body] for body in bodies]
    assert drop_running_lines(pages) == [pages[0], *([body] for body in bodies[1:])]


def test_a_page_that_comes_again_as_it_is_stays_whole_once() -> None:
    """The edges of a voucher that is in a file three times are no headers."""
    voucher = ["Voucher", *(f"line {n * 7919} of it" for n in range(12)), "Ask at the till"]
    kept = drop_running_lines([voucher] * 3)
    assert kept[0] == voucher
    assert kept[1] == kept[2] == voucher[4:-4]


FORM = [
    "Certificate of attendance",
    "Harbour school",
    "This is to certify that",
    "participant number {number}",
    "has completed the course",
    "on knots and splices",
    "Saltmarsh Bay, in spring",
    "Signed by the head of the school",
    "Bring this sheet to the desk",
    "Keep it dry",
    "It is not for sale",
    "Made by hand",
]
PAGE_COUNTS = pytest.mark.parametrize("page_count", [3, 4, 10])
LINE_COUNTS = pytest.mark.parametrize("line_count", [1, 2, 3, 4, 6, 8, 12, 30])


def form_pages(line_count: int, page_count: int, field: str = "{number}") -> list[list[str]]:
    lines = [*FORM, *(f"Term {word} of the course" for word in "abcdefghijklmnopqr")][:line_count]
    if line_count < 4:
        lines[-1] = FORM[3]
    values = "Ada Bo Cy Dee Eve Fay Gus Hal Ian Jo".split()
    return [
        [
            line.replace("{number}", field).format(number=1000 + n * 7919, count=n + 1, name=name)
            for line in lines
        ]
        for n, name in enumerate(values[:page_count])
    ]


@PAGE_COUNTS
@LINE_COUNTS
def test_forms_that_differ_in_a_number_stay_whole(line_count: int, page_count: int) -> None:
    """A certificate of a few lines is no header, and loses none of its lines."""
    pages = form_pages(line_count, page_count)
    assert drop_running_lines(pages) == pages


@PAGE_COUNTS
@pytest.mark.parametrize("line_count", [1, 3, 4, 6, 8, 12, 30])
@pytest.mark.parametrize("field", ["{name}", "{name} {number}"])
def test_forms_that_differ_in_a_name_stay_whole(
    line_count: int, page_count: int, field: str
) -> None:
    pages = form_pages(line_count, page_count, field)
    assert drop_running_lines(pages) == pages


@PAGE_COUNTS
@pytest.mark.parametrize("line_count", [1, 2, 4, 6, 8, 12, 30])
def test_forms_that_are_numbered_like_their_pages_stay_whole(
    line_count: int, page_count: int
) -> None:
    pages = form_pages(line_count, page_count, "{count}")
    assert drop_running_lines(pages) == pages


@PAGE_COUNTS
@LINE_COUNTS
@pytest.mark.parametrize(
    "label", ["{number}", "Page {number} of 10", "- {number} -", "Seite {number}"]
)
def test_forms_go_without_the_number_of_their_page(
    line_count: int, page_count: int, label: str
) -> None:
    pages = form_pages(line_count, page_count)
    numbered = [[*page, label.format(number=n)] for n, page in enumerate(pages, 1)]
    assert drop_running_lines(numbered) == pages


@PAGE_COUNTS
@LINE_COUNTS
@pytest.mark.parametrize("letter", [[], [["A letter to all members"]]])
def test_copies_of_a_form_lose_no_line_everywhere(
    line_count: int, page_count: int, letter: list[list[str]]
) -> None:
    form = form_pages(line_count, 1)[0]
    kept = drop_running_lines([*letter, *([form] * page_count)])
    assert kept[: len(letter) + 1] == [*letter, form]


@PAGE_COUNTS
@pytest.mark.parametrize("line_count", [3, 4, 6, 8, 12, 30])
def test_forms_among_the_pages_of_a_letter_stay_whole(line_count: int, page_count: int) -> None:
    forms = form_pages(line_count, page_count)
    letter = [[f"All about {word}.", "And more of it."] for word in "sea wind tide rain".split()]
    assert drop_running_lines([*letter, *forms])[len(letter) :] == forms


def test_fields_of_forms_that_are_mostly_numbers_leave_the_words_once() -> None:
    """More numbers than words: what comes back stays on one page only."""
    rows = [[f"{name} {n * 7919}" for name in "abcdef"] for n in range(1, 6)]
    kept = drop_running_lines([["Invoice", *row, "Thank you."] for row in rows])
    assert [line for page in kept for line in page if line[1] != " "] == ["Invoice", "Thank you."]
    assert [[line for line in page if line[1] == " "] for page in kept] == rows


def test_headers_on_thin_slides_go_where_others_have_text() -> None:
    """A slide with one line of its own beside three that run is no form."""
    words = "sea wind tide rain fog ice sun sand".split()
    bodies = [
        [f"{word} {n}" for n in "abcdef"[: 1 + 5 * (number % 4 > 0)]]
        for number, word in enumerate(words)
    ]
    slides = [
        ["Tide talk", *body, "Ann Reed", "Harbour school", f"{n}"]
        for n, body in enumerate(bodies, 1)
    ]
    assert drop_running_lines(slides) == bodies


def test_an_empty_page_between_others_goes_without_its_header() -> None:
    bodies = [["Words of sea."], ["Words of wind."], [], ["Words of rain."], ["Words of fog."]]
    assert drop_running_lines([["House manual", *body] for body in bodies]) == bodies


def test_headers_of_facing_pages_and_numbered_chapters_are_not_kept_twice() -> None:
    """The same words are kept once, on whichever side the number stands; titles are not."""
    bodies = [f"Words of {word}." for word in "sea wind tide rain fog ice sun sand".split()]
    pages = [
        [f"{n} Manual, version 3.64" if n % 2 else f"Manual, version 3.64 {n}", "Chapter 2: Tides"]
        for n in range(1, 9)
    ]
    kept = drop_running_lines([[*page, body] for page, body in zip(pages, bodies, strict=True)])
    assert kept == [["1 Manual, version 3.64", bodies[0]], *([body] for body in bodies[1:])]


def test_what_is_kept_once_goes_without_its_like_with_other_page_numbers() -> None:
    """The number is none of the text, and a label with nothing but a page number says nothing."""
    bodies = ["Alpha beta.", "Gamma delta.", "Epsilon.", "Zeta.", "Eta."]
    pages = [[body, f"Status: approved  {n}", f"Page: {n}"] for n, body in enumerate(bodies, 1)]
    assert drop_running_lines(pages) == [
        ["Alpha beta.", "Status: approved  1"],
        *([body] for body in bodies[1:]),
    ]


def test_a_running_line_that_stands_in_the_text_is_not_kept_besides() -> None:
    pages = [["Tides: a guide", f"Words of {word}."] for word in "sea wind rain fog ice".split()]
    pages[0] = ["Preface", "a", "b", "c", "Tides: A Guide", "d", "e", "f", "g"]
    assert sum(page.count("Tides: a guide") for page in drop_running_lines(pages)) == 0


def test_a_line_that_is_kept_once_cuts_no_sentence() -> None:
    """It stays at the first page where none runs on past it."""
    notice = "Do not give this away."
    pages = [
        ["It keeps for eleven", notice],
        ["days in the fridge.", notice],
        ["Salt goes in last.", notice],
    ]
    assert drop_running_lines(pages) == [
        ["It keeps for eleven"],
        ["days in the fridge.", notice],
        ["Salt goes in last."],
    ]


def test_roman_page_numbers_of_a_preface_go() -> None:
    pages = [["i", "Preface words"], ["ii", "More of it"], ["Chapter", "1"], ["Text", "2"]]
    assert drop_running_lines(pages) == [["Preface words"], ["More of it"], ["Chapter"], ["Text"]]


def test_cells_are_joined_only_on_one_baseline() -> None:
    runs = [
        Run("Day\n", 10, 100, 10),
        Run("Item\n", 90, 101, 10),
        Run("Next\n", 10, 80, 10),
        Run("turned\n", 50, float("nan"), 10),
    ]
    assert join_rows(runs, "Day\nItem\nNext\nturned") == "Day  Item\nNext\nturned"
    assert join_rows(runs[:2], "something else altogether") == "something else altogether"


def test_a_label_stands_left_right_or_above() -> None:
    box = (100.0, 50.0, 200.0, 66.0)
    left, right, above = Run("L", 20, 54, 10), Run("R", 205, 54, 10), Run("A", 100, 72, 10)
    assert label_beside([left, right, above], box) == "L"
    assert label_beside([right, above], box) == "R"
    assert label_beside([above], box) == "A"
    assert label_beside([], box) is None


PAGES = st.lists(st.lists(st.text("ab-12 iv.\u00ad", max_size=12), max_size=6), max_size=6)


@given(PAGES)
def test_every_page_comes_back_and_no_letter_is_invented(pages: list[list[str]]) -> None:
    dropped = drop_running_lines(pages)
    joined = join_hyphens(dropped)
    assert len(dropped) == len(joined) == len(pages)
    before = "".join("".join(page) for page in dropped)
    after = "".join("".join(page) for page in joined)
    marks = str.maketrans("", "", " -\u00ad")
    assert after.translate(marks) == before.translate(marks)
