"""What the text says about what a model says that it read; splitting; the gate."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction import gate
from memctl.extraction.evidence import is_supported, locate, supported_date
from memctl.extraction.prompt import INSTRUCTIONS
from memctl.extraction.splitting import split_text

LINES = [
    "# Hosting",
    "The shop moved to Fulmar.",
    "",
    "备份每天凌晨运行在燕鸥上。",
    "Jana likes rye.",
]


@pytest.mark.parametrize(
    ("statement", "first", "last", "expected"),
    [
        ("The shop moved to Fulmar.", 1, 1, (1, 1)),
        ("The shop moved to Fulmar.", None, None, (1, 1)),
        ("The shop moved to Fulmar.", 99, 120, (1, 1)),
        ("The shop moved to Fulmar.", 4, 4, (1, 1)),
        ("The shop moved to Fulmar.", 1, 99, (1, 4)),
        ("The shop moved to Fulmar.", 1, 0, (1, 1)),
        ("备份每天凌晨运行。", None, None, (3, 3)),
        ("Something else entirely", 2, 2, (2, 2)),
        ("Something else entirely", None, None, (0, 0)),
    ],
)
def test_lines_are_kept_checked_or_found(statement, first, last, expected):
    assert locate(statement, LINES, first, last) == expected


@given(
    st.text(max_size=40),
    st.lists(st.text(max_size=20), min_size=1, max_size=8),
    st.none() | st.integers(-5, 20),
    st.none() | st.integers(-5, 20),
)
def test_a_place_is_always_inside_the_text(statement, lines, first, last):
    begin, end = locate(statement, lines, first, last)

    assert 0 <= begin <= end < len(lines)


@pytest.mark.parametrize(
    ("statement", "source", "supported"),
    [
        ("Jana prefers rye.", "jana likes rye bread", True),
        ("Die Bäckerei öffnet um sieben.", "Öffnung der Bäckerei: sieben Uhr", True),
        ("用户喜欢黑麦面包。", "我喜欢黑麦面包", True),
        ("The user prefers rye bread.", "我喜欢黑麦面包", True),
        ("Piotr lives in Warsaw.", "The shop moved to Fulmar.", False),
        ("The user is a software engineer in San Francisco with two cats.", "I bake bread.", False),
        ("用户住在上海浦东。", "我喜欢黑麦面包", False),
    ],
)
def test_a_statement_needs_words_of_the_text(statement, source, supported):
    assert is_supported(statement, source) is supported


@pytest.mark.parametrize(
    ("event_at", "text", "document_date", "kept"),
    [
        (date(2026, 3, 4), "on 2026-03-04 we met", None, True),
        (date(2026, 3, 4), "am 4.3.26 war das Treffen", None, True),
        (date(2026, 3, 4), "March 4th, 2026", None, True),
        (date(2026, 3, 4), "file 20260304.md", None, True),
        (date(2026, 3, 4), "二〇二六年三月四日开会", None, True),
        (datetime(2026, 3, 4, 8, tzinfo=UTC), "2026-03-04 10:00+02:00", None, True),
        (date(2026, 3, 4), "we met yesterday", None, False),
        (date(2026, 1, 1), "we met in 2026", None, False),
        (date(2026, 3, 3), "we met yesterday", date(2026, 3, 4), True),
        (date(2019, 5, 5), "we met yesterday", date(2026, 3, 4), False),
        (date(2026, 1, 1), "we met this year", date(2026, 3, 4), False),
    ],
)
def test_a_date_needs_figures_in_the_text_or_a_document_date_nearby(
    event_at, text, document_date, kept
):
    assert supported_date(event_at, text, document_date) == (event_at if kept else None)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("Jana prefers rye bread.", None),
        ("The shop moved to Fulmar.", None),
        ("The file server of the shop is Fulmar.", None),
        ("Jana喜欢黑麦面包。", None),
        ("店铺搬到了新的服务器。", None),
        ("", gate.EMPTY),
        ("Fulmar server", gate.TOO_SHORT),
        ("黑麦", gate.TOO_SHORT),
        ("x" * 1_001, gate.TOO_LONG),
        ("Does Jana like rye bread?", gate.QUESTION),
        ("Jana喜欢黑麦面包吗？", gate.QUESTION),
        ("He likes it.", gate.NO_SUBJECT),
        ("It was not there.", gate.NO_SUBJECT),
        ("他喜欢这个。", gate.NO_SUBJECT),
        ("{'a': 1, 'b': [2, 3, 4]}", gate.NO_PROSE),
        ("The document contains a list of servers.", gate.ABOUT_TEXT),
        ("The assistant should store this rule.", gate.ABOUT_TEXT),
        ("As an AI I cannot do that.", gate.ABOUT_TEXT),
        ("No memories were found.", gate.ABOUT_TEXT),
        ("Piotr lives in Warsaw.", gate.NOT_IN_TEXT),
        ("Keep names, numbers, units, versions and negations.", gate.INSTRUCTIONS),
    ],
)
def test_each_kind_of_junk_has_its_reason(statement, reason):
    source = (
        "Jana likes rye bread. The shop moved to the file server Fulmar. 店铺搬到了服务器。黑麦面包"
    )

    assert gate.rejection_reason(statement, source, INSTRUCTIONS) == reason


@given(st.text(max_size=400))
def test_halves_give_the_text_back(text):
    halves = split_text(text)

    if halves is not None:
        assert "".join(halves) == text
        assert all(len(half) >= len(text) // 4 for half in halves)


@pytest.mark.parametrize(
    ("text", "second"),
    [
        (f"{'a b. ' * 40}\n\n{'c d. ' * 40}", "c d."),
        (f"{'a b. ' * 30}\n\nx\n\n# Next\n{'c d. ' * 40}", "# Next"),
        (f"{'a b. ' * 40}\n- {'c d. ' * 40}", "- c d."),
        (f"{'a b ' * 60}end. {'c d ' * 55}", "c d"),
    ],
)
def test_a_text_is_parted_where_it_can_best_be_understood(text, second):
    assert split_text(text)[1].startswith(second)


def test_a_short_text_is_not_parted():
    assert split_text("Jana likes rye.\nThe shop moved.") is None
