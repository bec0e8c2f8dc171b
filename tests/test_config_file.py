"""The configuration file as text: whole, commented, and changed one line at a time."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memctl.config import Settings, describe_settings, load_settings, parse_setting
from memctl.config_file import commented_file, toml_value, with_setting
from memctl.setting import flatten

INFOS = {info.key: info for info in describe_settings()}

HAND_WRITTEN = """\
# my settings
[llm]
model = "a # b"   # the small one
# api_base = ""

[ store ] # where
wait_seconds=3
"""

VALUES = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"])),
    st.integers(-(2**40), 2**40),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
)


def test_the_commented_file_names_every_setting_and_changes_none(tmp_path) -> None:
    text = commented_file()
    assert tomllib.loads(text) == {section: {} for section in tomllib.loads(text)}
    for key, info in INFOS.items():
        assert f"# {key.split('.')[1]} = " in text
        assert info.description in text
    (tmp_path / "c.toml").write_text(text)
    assert load_settings({}, {}, tmp_path / "c.toml").settings == Settings()


@settings(max_examples=50)
@given(
    text=st.sampled_from(["", HAND_WRITTEN, commented_file()]),
    changes=st.lists(st.tuples(st.sampled_from(sorted(INFOS)), st.none() | VALUES), max_size=8),
)
def test_a_change_touches_that_setting_and_no_other_line(text, changes) -> None:
    expected = flatten(tomllib.loads(text))
    for key, value in changes:
        before = text.splitlines()
        text = with_setting(text, key, value)
        if value is None:
            expected.pop(key, None)
        else:
            expected[key] = value
        assert flatten(tomllib.loads(text)) == expected
        kept = [line for line in before if line.lstrip().startswith("#")]
        assert [line for line in text.splitlines() if line.lstrip().startswith("#")] == kept


def test_the_comment_behind_a_value_stays() -> None:
    changed = with_setting(HAND_WRITTEN, "llm.model", "big")
    assert 'model = "big"   # the small one\n' in changed


def test_a_setting_stands_below_its_commented_line() -> None:
    changed = with_setting(commented_file(), "recall.limit", 5)
    assert "# limit = 10\nlimit = 5\n" in changed


@pytest.mark.parametrize(
    "text", ['llm.model = "a"\n', 'llm = {model = "a"}\n', '[llm]\nmodel = """\na\n"""\n']
)
def test_a_file_that_one_line_cannot_change_is_refused(text) -> None:
    with pytest.raises(ValueError, match="only an editor"):
        with_setting(text, "llm.model", "b")


@given(VALUES)
def test_every_value_is_read_back_as_it_was(value) -> None:
    assert tomllib.loads(f"x = {toml_value(value)}")["x"] == value


@pytest.mark.parametrize("key", INFOS)
def test_the_default_of_every_setting_can_be_written_as_text(key) -> None:
    info = INFOS[key]
    if info.default is not None:
        assert parse_setting(info, str(info.default)) == info.default
