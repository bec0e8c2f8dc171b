"""Markdown keeps its text; title, date and tags come from what it says about itself."""

from __future__ import annotations

from datetime import date
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.ingestion.readers.markdown import NO_TOML, parse_front_matter, read_markdown
from memctl.ingestion.readers.registry import read_document


def read(text: str, name: str = "note.md") -> DocumentText:
    return read_markdown(PurePath("/notes") / name, text, "utf-8")


def test_front_matter_gives_title_date_and_tags() -> None:
    text = (
        '---\ntitle: "Plan: spring"  # draft\ndate: 2026-03-04T10:00:00Z\n'
        "tags:\n  - oven\n  - '#site'\n---\n\n# Other\n"
    )
    document = read(text, "2025-01-01.md")
    assert document.text == text
    assert document.text_format is TextFormat.MARKDOWN
    assert document.title == "Plan: spring"
    assert document.document_date == date(2026, 3, 4)
    assert document.tags == ("oven", "site")


def test_toml_front_matter_is_read_too() -> None:
    matter = parse_front_matter('+++\ntitle = "T"\ndate = 2026-03-04\ntags = ["a", "b"]\n+++\nx')
    assert (matter.title, matter.document_date, matter.tags) == ("T", date(2026, 3, 4), ("a", "b"))


def test_the_file_name_beats_a_heading_and_both_beat_nothing() -> None:
    assert read("# Notes of 3 March 2026\n", "2026-03-02.md").document_date == date(2026, 3, 2)
    assert read("# Notes of 3 March 2026\n").document_date == date(2026, 3, 3)
    assert read("# Notes\nWritten 2026-03-03.\n").document_date is None


@pytest.mark.parametrize(
    "text",
    [
        "# Table of contents\n\n- [Oven](oven.md)\n",
        "## Preferences\n- dark roast, never decaf",
        "# Shed\n\nIt leaks.\n\n## Roof\nBo mends it.\n",
        "Notes\n\n### Next\n\n1. Call Bo.\n",
    ],
)
def test_a_text_file_that_is_written_as_markdown_is_read_so(text: str) -> None:
    """Headings over lists or over each other say what is meant, whatever the file is called."""
    for name, is_read in (("note.txt", True), ("note.TEXT", True), ("note.conf", False)):
        outcome = read_document(PurePath("/notes") / name, text.encode())
        assert outcome.document is not None
        assert (outcome.document.text_format is TextFormat.MARKDOWN) is is_read


@pytest.mark.parametrize(
    "text",
    [
        "# first\nkey = 1\n\n# second\nother = 2\n",
        "#!/bin/sh\n\n# Steps\n- a\n",
        "# one comment\n# over two lines\n- a\n",
        "Bo said:\n- a\n# no heading\n- b\n",
        "# Alone\n\nA text below.\n",
        "#shed #oven\n\n- a\n",
        "Just a text.\n\n- a\n- b\n",
    ],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    """Comments, tags and a lonely heading make no Markdown of a text."""
    outcome = read_document(PurePath("/notes/note.txt"), text.encode())
    assert outcome.document is not None
    assert outcome.document.text_format is TextFormat.PLAIN


def test_a_heading_inside_code_is_none() -> None:
    assert read("```\n# 2026-03-03\n```\n").document_date is None


def test_the_title_is_the_heading_that_stands_above_all() -> None:
    assert read("# The **plan**\n## A\n## B\n").title == "The plan"
    assert read("# A\n# B\n").title is None
    assert read("text\n").title is None


def test_inline_lists_and_words_are_tags() -> None:
    assert parse_front_matter("---\ntags: [one, 'two words']\n---\n").tags == ("one", "two words")
    assert parse_front_matter("---\ntags: one two\n---\n").tags == ("one", "two")
    assert parse_front_matter("---\ntags: a, b c\n---\n").tags == ("a", "b c")


@given(st.text(max_size=200))
def test_any_front_matter_is_taken_without_complaint(inside: str) -> None:
    for fence in ("---", "+++"):
        parse_front_matter(f"{fence}\n{inside}\n{fence}\nbody")


def test_front_matter_that_is_no_toml_is_remarked_on():
    """The text is read all the same."""
    broken = read_markdown(PurePath("a.md"), "+++\ntitle = \n+++\n# Shed\n", "utf-8")
    assert (broken.title, broken.remarks) == ("Shed", (NO_TOML,))
    whole = read_markdown(PurePath("a.md"), '+++\ntitle = "T"\n+++\n# Shed\n', "utf-8")
    assert (whole.title, whole.remarks) == ("T", ())
