"""Queries: what is looked for, and that any text is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.search.query import read_query


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Which database did we choose for billing?", "database choose billing"),
        ("What's Ada's address?", "Ada's address"),
        ("don't use GB/s", "use GB/s"),
        ("Wo ist der Schlüssel?", "Schlüssel"),
        ("Où est la clé ?", "clé"),
        ("¿Dónde está la llave?", "llave"),
        ("192.168.9.1 or C++", "192.168.9.1 C++"),
        ("标签多少钱", "标签 钱"),
        ("谁来照顾妈妈", "照顾妈妈"),
        ("我们未来再见", "未来再见"),
        ("会議はいつですか", "会議は"),
    ],
)
def test_words_that_name_nothing_are_left_out(text: str, words: str) -> None:
    found = read_query(text).key_text
    assert [word.strip("?¿ ") for word in found.split() if word.strip("?¿ ")] == words.split()


def test_a_query_of_function_words_alone_looks_for_them() -> None:
    query = read_query("Not to be")
    assert query.key_text == "Not to be"
    assert "not" in query.terms


@pytest.mark.parametrize("text", ["", "  ", "?!…", "-- ** ::", "\n\t"])
def test_without_a_word_a_query_is_empty(text: str) -> None:
    assert read_query(text).is_empty


@given(st.text())
def test_any_text_is_a_query(text: str) -> None:
    query = read_query(text)
    assert query.text == text
    assert len(set(query.terms)) == len(query.terms)


STORY = "We met two neighbours at the corner. Soup at 12.30 was good! They talked about works. " * 4


@pytest.mark.parametrize(
    "text",
    [
        f"{STORY}When does the roofer come?",
        f"When does the roofer come? {STORY}",
        f"{STORY}\nWhen does the roofer come?\n{STORY}",
    ],
)
def test_of_a_long_text_the_questions_are_looked_for(text: str) -> None:
    """Wherever they stand in it."""
    assert read_query(text) == read_query("When does the roofer come?")


def test_a_long_text_that_asks_nothing_is_looked_for_whole() -> None:
    assert read_query(STORY).text == STORY


def test_a_short_text_is_looked_for_whole() -> None:
    text = "The roofer is late. When does he come?"
    assert read_query(text).text == text
