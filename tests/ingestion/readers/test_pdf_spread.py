"""Letters that a page sets apart stay one word, and the gaps between its words stay gaps.

Gaps are numbers between texts, in thousandths of the font size; negative ones part texts.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.ingestion.readers.pdf_spread import SpreadEvener

BLANK = -120.0
"""A gap that is seen as a blank, in a font with a narrow one."""


def evened(*operations: tuple[bytes, list[Any]]) -> list[str]:
    """What is read of each operation that shows text."""
    evener = SpreadEvener(frozenset({"/Composite"}))
    read: list[str] = []
    for operator, operands in operations:
        evener(operator, operands, None, None)
        if operator == b"TJ":
            read.append(as_read(operands[0]))
    return read


def as_read(shown: list[Any]) -> str:
    parts = [(" " if item <= BLANK else "") if isinstance(item, float) else item for item in shown]
    return "".join(part.decode() if isinstance(part, bytes) else part for part in parts).strip()


def apart(text: str, gap: float, blank: float) -> list[Any]:
    """The letters of a text each by itself; ``gap`` between them, ``blank`` between words."""
    shown: list[Any] = []
    for word in text.split(" "):
        shown += [item for letter in word for item in (letter.encode(), -gap)][:-1]
        shown.append(-blank)
    return shown[:-1]


def font(name: str = "/F1", size: float = 10.0) -> tuple[bytes, list[Any]]:
    return (b"Tf", [name, size])


@pytest.mark.parametrize(("gap", "blank"), [(70.0, 650.0), (130.0, 700.0), (225.0, 800.0)])
def test_words_whose_letters_stand_in_columns_are_words(gap: float, blank: float) -> None:
    """As listings of programs and headings in spaced letters are set, whatever the gap is."""
    shown = apart("def weigh(flour): return flour", gap, blank)
    assert evened(font(), (b"TJ", [shown])) == ["def weigh(flour): return flour"]


def test_a_short_word_of_a_font_that_sets_letters_apart_is_one_too() -> None:
    long, short = apart("return flour", 160.0, 800.0), apart("if", 160.0, 800.0)
    assert evened(font(), (b"TJ", [[*short]])) == ["i f"]
    assert evened(font(), (b"TJ", [long]), (b"TJ", [short])) == ["return flour", "if"]


@pytest.mark.parametrize(
    "shown",
    [
        [b"T", 83.0, b"o", -222.0, b"b", 28.0, b"e", -222.0, b"published"],
        [b"x", -167.0, b",", -167.0, b"y", -167.0, b",", -167.0, b"z"],
        [b"4", -200.0, b"1", -200.0, b"2", -200.0, b"6"],
        [b".", -160.0, b".", -160.0, b".", -160.0, b"."],
        [b"a", -278.0, b"b", -278.0, b"c", -278.0, b"d"],
        [b"I", -222.0, b"ha", 28.0, b"v", 28.0, b"e"],
    ],
)
def test_gaps_that_are_not_between_the_letters_of_words_stay(shown: list[Any]) -> None:
    """Tight gaps between words, lists of numbers and single letters, and lines of dots."""
    before = [*shown]
    evened(font(), (b"TJ", [shown]))
    assert shown == before


def spaced(text: str, spacing: float) -> list[Any]:
    """Letters under a spacing as wide as a blank, which is taken back inside of words."""
    parts = [part for part in re.split(r"(?<=\w)(?=\w)|(?<=[^\w ])(?=\w)", text) if part]
    shown: list[Any] = []
    for part in parts:
        shown += [part.replace(" ", "").encode(), spacing]
    return shown[:-1]


@pytest.mark.parametrize("size", [1.0, 12.0])
def test_words_are_parted_where_wide_spacing_is_not_taken_back(size: float) -> None:
    """The spacing counts in the units of the text, so the font size counts as well."""
    shown = spaced("the basic usage of this", 340.0)
    operations = (font(size=size), (b"Tc", [0.34 * size]), (b"TJ", [shown]))
    assert evened(*operations) == ["the basic usage of this"]
    taken_back = 340.0 * len("thebasicusageofthis")
    assert shown[-1] == pytest.approx(taken_back)


def test_spacing_that_is_nowhere_taken_back_parts_no_letters() -> None:
    shown = [b"CHAPTER", -300.0, b"ONE"]
    assert evened(font(), (b"Tc", [3.0]), (b"TJ", [shown])) == ["CHAPTER ONE"]


def test_spacing_ends_with_the_state_that_has_it() -> None:
    """Spacing that was set inside of a saved state is gone when the state is restored."""
    inside = [(b"q", []), (b"Tc", [3.4]), (b"Q", [])]
    shown = [b"a", 340.0, b"bc", 340.0, b"d"]
    before = [*shown]
    evened(font(), *inside, (b"TJ", [shown]))
    assert shown == before


def test_codes_of_two_bytes_are_not_taken_apart() -> None:
    shown = [b"\0a", 340.0, b"\0b\0c", 340.0, b"\0d"]
    before = [*shown]
    evened(font("/Composite"), (b"Tc", [3.4]), (b"TJ", [shown]))
    assert shown == before


@given(
    st.lists(st.one_of(st.binary(max_size=4), st.floats(-900, 900), st.none()), max_size=12),
    st.floats(-5, 5),
    st.floats(-20, 20),
)
def test_whatever_an_operation_shows_its_letters_stay(
    shown: list[Any], spacing: float, size: float
) -> None:
    before = b"".join(item for item in shown if isinstance(item, bytes))
    evener = SpreadEvener(frozenset())
    for operator, operands in (font(size=size), (b"Tc", [spacing]), (b"TJ", [shown]), (b"Q", [])):
        evener(operator, operands)
    assert b"".join(item for item in shown if isinstance(item, bytes)) == before
