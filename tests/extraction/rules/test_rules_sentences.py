"""Where sentences end, and where a sentence may be cut in two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction.rules.language import LANGUAGE_CODES, language
from memctl.extraction.rules.sentences import split_clauses, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        (
            "He lives at St. Mary's, e.g. near it. Yes.",
            ["He lives at St. Mary's, e.g. near it.", "Yes."],
        ),
        ("Dr. Finch comes at 3 p.m. on Monday.", ["Dr. Finch comes at 3 p.m. on Monday."]),
        ("It costs 4.80 a loaf. we like it.", ["It costs 4.80 a loaf.", "we like it."]),
        ("Am 3. März kam er. Dann ging er.", ["Am 3. März kam er.", "Dann ging er."]),
        ("It was built in 1974. The roof leaks.", ["It was built in 1974.", "The roof leaks."]),
        ('She said "no." Then left.', ['She said "no."', "Then left."]),
        ("港口很安静。我们出海！好吗？", ["港口很安静。", "我们出海！", "好吗？"]),
        ("「行こう。」と言った。", ["「行こう。」", "と言った。"]),
        ("Wait... what is it", ["Wait... what is it"]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_sentences_end_where_they_end(text: str, sentences: list[str]) -> None:
    assert [piece.text for piece in split_sentences(text)] == sentences


@given(st.text("aB. !?。\n3", max_size=60))
def test_sentences_lie_in_the_text_in_order(text: str) -> None:
    position = 0
    for piece in split_sentences(text):
        assert text.startswith(piece.text, piece.start)
        assert piece.text == piece.text.strip() != ""
        assert not text[position : piece.start].strip()
        position = piece.start + len(piece.text)
    assert not text[position:].strip()


@pytest.mark.parametrize(
    ("code", "text", "cut"),
    [
        ("en", "it rains, so we decided to stay", ("it rains", "we decided to stay")),
        ("en", "it squeaks; my plan is to oil it", ("it squeaks", "my plan is to oil it")),
        ("en", "I bake and my dream is a shop", ("I bake", "my dream is a shop")),
        ("de", "es regnet, deshalb bleiben wir", ("es regnet", "bleiben wir")),
        ("zh", "天下雨，所以我们留下", ("天下雨", "我们留下")),
        ("ja", "雨なので、家にいる", ("雨な", "家にいる")),
    ],
)
def test_connectors_are_places_to_cut(code: str, text: str, cut: tuple[str, str]) -> None:
    cuts = [(left, right) for left, right, _ in split_clauses(text, language(code))]
    assert cut in cuts


@given(st.text(max_size=80), st.sampled_from(LANGUAGE_CODES))
def test_the_right_clause_lies_where_it_is_said_to(text: str, code: str) -> None:
    for left, right, position in split_clauses(text, language(code)):
        assert left
        assert text[position:].strip() == right
