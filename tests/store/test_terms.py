"""What terms a text yields, and that queries yield terms that are among them."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.store.lance_index import INDEX_FORMAT
from memctl.store.terms import (
    LENGTH_PADDING,
    MAXIMUM_QUERY_TERMS,
    MAXIMUM_TERM_LENGTH,
    analyse_query,
    analyse_text,
    index_column,
)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Meetings, meeting!", ["meet", "meet"]),
        ("don't I'll Ada's", ["dont", "ill", "ada"]),
        ("l’avion O'Brien", ["lavion", "avion", "obrien", "brien"]),
        ("pre-edit", ["preedit", "pre", "edit"]),
        ("GB/s", ["gb", "s"]),
        ("C++17 c# g++", ["c++", "17", "c#", "g++"]),
        ("192.168.9.1", ["192.168.9.1", "192.168.9", "192.168", "192"]),
        ("v2.3.1 v7", ["2.3.1", "2.3", "2", "7"]),
        ("python3.11", ["python3", "python", "3", "3.11"]),
        ("GPT-4", ["gpt4", "gpt", "4"]),
        ("1,250 1,2", ["1250", "1", "2"]),
        ("16GB", ["16gb", "16", "gb"]),
        ("snake_case", ["snakecas", "snake", "case"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("naïve Straße Łódź", ["naiv", "strass", "lodz"]),
        ("ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]),
        ("猫 数据", ["猫", "数", "据", "数据"]),
        ("👍🏽 ❤️", ["👍", "❤"]),
        ("。、…—", []),
    ],
)
def test_a_text_yields_these_terms(text, terms):
    assert analyse_text(text) == terms


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("what did the router do?", ["router"]),
        ("to be or not to be", ["not"]),
        ("what is it", ["what", "is", "it"]),
        ("the IT job", ["it", "job"]),
        ("我的猫", ["猫", "我的", "的猫"]),
        ("모드를", ["모드", "드를"]),
        ("again and again", ["again"]),
        ("?!", []),
    ],
)
def test_a_query_yields_what_tells_something(query, terms):
    assert analyse_query(query) == terms


@given(st.text())
def test_every_term_fits_the_index(text):
    for term in analyse_text(text):
        assert term
        assert len(term) <= MAXIMUM_TERM_LENGTH
        assert not any(character.isspace() for character in term)


@given(st.text())
def test_a_query_s_terms_are_among_its_text_s_terms(text):
    terms = analyse_query(text)
    assert set(terms) <= set(analyse_text(text))
    assert len(terms) == len(set(terms)) <= MAXIMUM_QUERY_TERMS


@given(st.text())
def test_a_text_with_any_term_can_be_asked_for(text):
    assert bool(analyse_query(text)) == bool(analyse_text(text))


def test_case_and_composition_make_no_difference():
    assert analyse_text("CAFE\u0301") == analyse_text("café") == ["cafe"]


def test_a_long_query_is_cut_off():
    query = " ".join(f"word{number}x" for number in range(5_000))
    assert len(analyse_query(query)) == MAXIMUM_QUERY_TERMS


def test_a_hostile_text_yields_terms_in_bounded_size():
    for text in ("1-" * 25_000, "a.b" * 17_000, "aB" * 25_000, "'" * 50_000, "क" * 50_000):
        assert sum(map(len, analyse_text(text))) < 10 * len(text)


def test_the_index_column_holds_terms_and_fillers():
    column = index_column("Two words").split(" ")
    assert column[:2] == ["two", "word"]
    assert len(column) == 2 + LENGTH_PADDING
    assert not set(column[2:]) & set(analyse_query("~ ~~ ~word"))


def test_the_terms_are_those_of_this_index_format():
    """A change of the terms needs a new INDEX_FORMAT, or old rows are not found by new queries."""
    sample = (
        "Ada's router is 192.168.9.1; we don't run node.js v2.3.1 in C++17 on 16GB, café №5. "
        "ダークモードが好き。我们选择了数据库。데이터베이스를 옮겼다. Встреча во вторник. 🚀 "
        "snake_case camelCase GPT-4 1,250 2026-03-04T10:30 l'avion naïve meetings"
    )
    digest = hashlib.sha256(index_column(sample).encode()).hexdigest()[:16]
    assert (INDEX_FORMAT, digest) == (1, "de481699b82bd017")
