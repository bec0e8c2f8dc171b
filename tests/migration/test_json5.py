"""JSON5 as people write it into a configuration, and what is wrong with broken ones."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.migration.json5 import parse_json5

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(VALUES, st.booleans())
def test_json_reads_as_json_does(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert parse_json5(text) == json.loads(text) or "\ud800" <= max(text) <= "\udfff"


def test_comments_bare_keys_and_trailing_commas_are_read() -> None:
    text = '{ // one\n a: \'x\', /* two */ $b: [1, .5, 0xFF, +3,], "c": "\\u00e9\\\n!", }'
    assert parse_json5(text) == {"a": "x", "$b": [1, 0.5, 255, 3], "c": "é!"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{a:", "line 1: it breaks off"),
        ("{\n a 1}", "line 2: ':' is missing"),
        ("'x", "a text without an end"),
        ("[" * 5_000, "nested too deeply"),
        ("{} x", "behind the end"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_json5(text)


@given(st.text())
def test_no_text_does_more_harm_than_a_value_error(text: str) -> None:
    with contextlib.suppress(ValueError):
        parse_json5(text)
