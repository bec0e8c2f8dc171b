"""Comments in source code: what people say there, on the lines on which it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whole_chunk import whole_chunk

from memctl.blocks.source_code import comments_of
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor


def _kept(path: str, text: str) -> list[str]:
    comments = comments_of(path, text)
    assert comments is not None
    return [line for line in comments.split("\n") if line]


PYTHON = '''\
#!/usr/bin/env python3
"""Controls the oven.

It stands in Kiel.
"""

URL = "http://x.example/#a"  # TODO: read it from the settings
TEXT = """
I live in Brest.
# No comment either.
"""


def total(a, b):
    """Return the sum.

    TODO: round it
    """
    # FIXME the door sensor reports twice when the seal is cold
    # and the log is full of it.
    # print(a)
    return a + b  # as always
'''


def test_comments_of_python_are_told_from_code() -> None:
    """What describes the file counts, what describes a function does not; a call for something
    counts everywhere."""
    assert _kept("oven.py", PYTHON) == [
        "Controls the oven.",
        "It stands in Kiel.",
        "TODO: read it from the settings",
        "TODO: round it",
        "FIXME the door sensor reports twice when the seal is cold",
        "and the log is full of it.",
    ]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.js", "// TODO: use a socket\nfunction poll() {\n}\n", ["TODO: use a socket"]),
        ("a.ts", "/* TODO: remove it */\nconst u = 'http://x'; // so\n", ["TODO: remove it"]),
        (
            "a.c",
            "/*\n * The cache grows.\n * See below.\n */\nint x;\n",
            ["The cache grows.", "See below."],
        ),
        ("A.java", "class A {\n/** Returns it.\n * @param x it\n */\nint x; }", []),
        ("a.rs", "//! The kiln's plan.\nfn a() {}\n/// Says it.\n", ["The kiln's plan."]),
        ("a.sql", "-- TODO: add an index\nSELECT 1 -- one\nFROM t;\n", ["TODO: add an index"]),
        ("a.lua", "--[[ We use it\nin Kiel. ]]\nx = 1\n", ["We use it", "in Kiel."]),
        ("a.el", ";; Fast enough.\n(setq x 1)\n", ["Fast enough."]),
        ("a.css", "/* The red is Odile's. */\na { color: red; }\n", ["The red is Odile's."]),
        ("b.sh", "#!/bin/sh\n# Runs at night.\nfor f in *; do\n", ["Runs at night."]),
        ("Makefile", "# Needs GNU make.\nall:\n\techo\n", ["Needs GNU make."]),
        ("src/Dockerfile", "FROM a\n# TODO: pin it\nRUN b\n", ["TODO: pin it"]),
    ],
)
def test_each_language_has_marks_of_its_own(path: str, text: str, expected: list[str]) -> None:
    """Code, tags for programs and what documents a part of the code are left out."""
    assert _kept(path, text) == expected


@pytest.mark.parametrize("path", ["notes.txt", "notes", "a.yaml", "a.tex", ""])
def test_other_files_are_no_source_code(path: str) -> None:
    assert comments_of(path, "# TODO: call Ada\n") is None


@given(st.text(alphabet="#/*-\"'\n TODOabc:=(){}[]", max_size=80))
def test_lines_keep_their_number(text: str) -> None:
    """Whatever opens and never ends, every line gives one."""
    for path in ("a.py", "a.js", "a.css", "a.lua"):
        assert (comments_of(path, text) or "").count("\n") == text.count("\n")


def test_a_call_in_a_comment_is_a_todo_that_ends_with_it() -> None:
    """No line of code becomes a part of it, and it has the lines of its comment."""
    document = DocumentText(text=PYTHON, text_format=TextFormat.PLAIN, path="/src/oven.py")
    found = RulesExtractor().begin(document).extract(whole_chunk(PYTHON)).candidates

    assert [(one.content, one.first_line, one.last_line) for one in found] == [
        ("TODO: read it from the settings", 7, 7),
        ("TODO: round it", 17, 17),
        (
            "FIXME the door sensor reports twice when the seal is cold and the log is full of it.",
            *(19, 20),
        ),
    ]
