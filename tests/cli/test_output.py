"""What reaches the streams."""

import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.cli.output import Column, Output
from memctl.cli.text import inert, shorten

ACTIVE = "\x1b[31mred\x1b[0m \x07 \x9b2J \r over \u202e rtl \x7f"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def make_output(stdout=None, *, environment=None, as_json=False):
    return Output(stdout or io.StringIO(), io.StringIO(), environment or {}, as_json=as_json)


@given(st.text())
def test_inert_text_holds_nothing_that_a_terminal_obeys(text):
    result = inert(text)
    assert all(
        character in "\t\n" or character.isprintable() or ord(character) > 0x9F
        for character in result
    )
    assert "\x1b" not in result


def test_ordinary_text_stays_as_it_is():
    text = "naïve — 面包店 [red]bold[/red] 😀\tx\ny"
    assert inert(text) == text


@pytest.mark.parametrize("stdout", [io.StringIO, Terminal])
def test_markup_and_escape_codes_of_a_memory_are_printed_inert(stdout):
    output = make_output(stdout())
    output.table([Column("memory", wrap=True)], [[f"[red]{ACTIVE}[/red]"]])
    text = output.stdout.getvalue()
    assert "[red]" in text
    assert "\\x1b[31mred" in text
    assert "\x1b[31m" not in text
    assert "\u202e" not in text


def test_a_pipe_gets_one_row_a_line_with_tabs_and_no_frame():
    output = make_output()
    output.table([Column("a"), Column("b", wrap=True)], [["1", "two\nlines\tof"], ["2", "x"]])
    assert output.stdout.getvalue() == "1\ttwo lines of\n2\tx\n"


def test_a_terminal_gets_a_table_with_a_header():
    output = make_output(Terminal(), environment={"TERM": "xterm", "COLUMNS": "60"})
    output.table([Column("id"), Column("memory", wrap=True)], [["abcd", "word " * 30]])
    lines = re.sub(r"\x1b\[\d*m", "", output.stdout.getvalue()).splitlines()
    assert any("id" in line and "memory" in line for line in lines)
    assert len(lines) > 4
    assert max(map(len, lines)) <= 60


def test_a_dumb_terminal_gets_plain_lines():
    output = make_output(Terminal(), environment={"TERM": "dumb"})
    output.table([Column("id")], [["abcd"]])
    assert output.stdout.getvalue() == "abcd\n"


def test_no_color_leaves_no_escape_sequence():
    output = make_output(Terminal(), environment={"NO_COLOR": "1", "TERM": "xterm-256color"})
    output.table([Column("id")], [["abcd"]], title="T")
    assert "\x1b[3" not in output.stdout.getvalue()


@given(st.text())
def test_json_gives_the_text_back_and_holds_nothing_active(text):
    output = make_output(as_json=True)
    output.json({"content": text})
    written = output.stdout.getvalue()
    assert json.loads(written)["content"] == text
    assert written.count("\n") == 1
    assert inert(written) == written


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_json_holds_a_name_that_is_no_text_as_the_database_does(encoding):
    raw = io.BytesIO()
    output = make_output(io.TextIOWrapper(raw, encoding))
    output.json(
        {"path": b"/n\xc3\xa4h\xe9.md".decode("utf-8", "surrogateescape"), "more": "\U0001f600"}
    )
    output.stdout.flush()
    document = json.loads(raw.getvalue().decode(encoding))
    assert document["path"] == "/näh\\udce9.md"
    assert document["more"] == "\U0001f600"


def test_every_json_object_has_a_schema_version():
    output = make_output(as_json=True)
    output.json({})
    assert json.loads(output.stdout.getvalue()) == {"schema_version": 1}


def test_a_stream_that_is_not_unicode_gets_ascii_json():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    make_output(stream, as_json=True).json({"content": "面包"})
    stream.flush()
    assert json.loads(stream.buffer.getvalue())["content"] == "面包"


def test_a_warning_is_said_once_and_kept_for_the_answer():
    output = make_output()
    output.warn("the index is behind")
    output.warn("the index is behind")
    assert output.stderr.getvalue() == "memctl: warning: the index is behind\n"
    assert output.warnings == ["the index is behind"]


def test_progress_is_silent_in_a_pipe():
    output = make_output()
    with output.progress(3, "Reading") as bar:
        bar.advance("a")
    assert output.stderr.getvalue() == ""


@given(st.text(), st.integers(min_value=1, max_value=40))
def test_a_shortened_text_is_one_line_and_fits(text, length):
    result = shorten(text, length)
    assert "\n" not in result
    assert len(result) <= length
