"""Many texts are found in one pass, and erased as a search for each of them would."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from memctl.store.erasing import ERASED, TextEraser
from memctl.store.rows import to_json
from memctl.store.text_search import HEAD_CHARACTERS, TextSearch

WORDS = st.sampled_from(["a", "ab", "b", "a-b", "ä", "茶", "茶a", ".", '"q"', "n"])
BLANKS = st.sampled_from([" ", "\n", "  ", "\t", "\n\n", ""])


@st.composite
def laid_out_texts(draw: st.DrawFn) -> str:
    """Few words with any white space between them."""
    words = draw(st.lists(WORDS, max_size=6))
    return "".join(word + draw(BLANKS) for word in words)


TEXTS = st.lists(laid_out_texts(), max_size=4)


def pattern_of(texts: list[str]) -> re.Pattern[str]:
    """The same as one regular expression, the longest text first."""
    patterns = []
    for text in sorted(map(str.strip, texts), key=lambda one: -len(" ".join(one.split()))):
        if text:
            before = r"(?<![A-Za-z0-9])" if re.match("[A-Za-z0-9]", text) else ""
            after = r"(?![A-Za-z0-9])" if re.match("[A-Za-z0-9]", text[-1]) else ""
            patterns.append(before + r"\s+".join(map(re.escape, text.split())) + after)
    return re.compile("|".join(patterns) or "(?!)")


@given(st.lists(st.text("ab", max_size=4), max_size=5), st.text("ab", max_size=30))
def test_every_text_is_found_at_every_place_where_it_stands(texts: list[str], where: str) -> None:
    places = [
        (start, text)
        for start in range(len(where))
        for text in {*texts} - {""}
        if where.startswith(text, start)
    ]
    search = TextSearch(texts)
    assert sorted(search.places(where)) == sorted(places)
    assert search.is_in(where) is bool(places)
    assert search.found_in(where) == {text for _start, text in places}


def test_long_texts_that_begin_alike_are_told_apart() -> None:
    """More of them is compared than the head by which they are looked for."""
    head = "x" * HEAD_CHARACTERS
    assert TextSearch([f"{head}1", f"{head}2", head]).found_in(f"{head}2 ") == {head, f"{head}2"}


@given(TEXTS, laid_out_texts())
def test_texts_are_erased_as_whole_words_whatever_the_white_space(
    texts: list[str], where: str
) -> None:
    eraser, pattern = TextEraser(texts), pattern_of(texts)
    expected = pattern.sub(lambda match: "\n".join([ERASED] * (match[0].count("\n") + 1)), where)
    assert eraser.erased(where) == expected
    assert eraser.is_in(where) is bool(pattern.search(where))


@given(TEXTS, laid_out_texts())
def test_texts_are_erased_inside_json_as_well(texts: list[str], where: str) -> None:
    """After a line break, too, where they follow the letter that stands for it."""
    state = to_json({"content": where})
    eraser = TextEraser(texts, in_json=True)
    if TextEraser(texts).is_in(where):
        assert eraser.is_in(state)
    left = json.loads(eraser.erased(state))["content"]
    assert not TextEraser(texts).is_in(left)
