"""What machines write into memory files is taken out, and every line keeps its place."""

from __future__ import annotations

from datetime import date

from hypothesis import example, given
from hypothesis import strategies as st

from memctl.migration.cleaning import clean_markdown

PROMOTION = "<!-- openclaw-memory-promotion:memory:memory/2026-03-02.md:18:18 -->"
TAIL = "[score=0.83 recalls={} avg=0.79 source=memory/2026-03-02.md:18-18]"
PIECES = st.sampled_from(
    [
        PROMOTION, "- A line. " + TAIL.format(2), "## Light Sleep", "```", "- text", "",
        "<!-- openclaw:dreaming:light:start -->", "<!-- openclaw:dreaming:light:end -->",
        "<!-- importance: 9 -->", "<!-- open", "-->", "Source: memory/a.md#L1-L2", "# Title",
    ]
)  # fmt: skip


@given(st.lists(PIECES).map("\n".join))
@example("<!-- open\n-->\n## Light Sleep\n```")
def test_the_lines_stay_where_they_are(text: str) -> None:
    cleaned = clean_markdown(text).text
    assert cleaned.count("\n") == text.count("\n")
    assert clean_markdown(cleaned).text == cleaned


def test_what_stands_behind_a_long_comment_stays_on_its_line() -> None:
    """Code elsewhere in the file makes no difference, and a comment in code is code."""
    text = "<!-- one\ntwo --> kept\n```\n<!-- three\nfour -->\n```"
    assert clean_markdown(text).text == "\n kept\n```\n<!-- three\nfour -->\n```"


def test_a_promotion_gives_its_day_and_loses_its_scores() -> None:
    cleaned = clean_markdown(f"{PROMOTION}\n- The belt is new. {TAIL.format(2)}\n")
    assert cleaned.text == "\n- The belt is new.\n"
    assert cleaned.notes[2].day == date(2026, 3, 2)
    assert cleaned.notes[2].is_promoted


def test_what_was_never_recalled_only_repeats_a_note_that_is_taken() -> None:
    text = f"{PROMOTION}\n- The belt is new. {TAIL.format(0)}"
    assert "belt" in clean_markdown(text).text
    assert "belt" not in clean_markdown(text, {"memory/2026-03-02.md"}).text


def test_dreams_end_where_their_marks_or_their_section_end() -> None:
    text = "## REM Sleep\n<!-- openclaw:dreaming:rem:start -->\n- dream\n"
    closed = clean_markdown(text + "<!-- openclaw:dreaming:rem:end -->\n- work").text
    assert closed.strip() == "- work"
    unclosed = clean_markdown(text + "## Work\n- saw").text
    assert unclosed.strip() == "## Work\n- saw"


def test_importance_and_source_belong_to_the_statement_beside_them() -> None:
    text = "<!-- importance: 9 -->\n- Never climb.\nSource: memory/2026-03-02.md#L20-L24\n\n- Next."
    cleaned = clean_markdown(text)
    assert cleaned.notes[2].importance == 0.9
    assert cleaned.notes[2].day == date(2026, 3, 2)
    assert 5 not in cleaned.notes


def test_fenced_code_is_left_alone() -> None:
    text = f"```\n- x {TAIL.format(2)}\n<!-- importance: 9 -->\n```"
    assert clean_markdown(text).text == text
