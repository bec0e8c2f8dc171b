"""JSON, Org and reStructuredText read like notes, and their lines stay the file's lines."""

from __future__ import annotations

import json
from datetime import date
from pathlib import PurePath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from whole_chunk import whole_chunk

from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.preparation import redact_document
from memctl.ingestion.readers.json_text import write_json
from memctl.ingestion.readers.org import read_org
from memctl.ingestion.readers.structured import NO_JSON, read_json, read_json_lines, read_rst
from memctl.memory import MemoryType

PATH = PurePath("/notes/file-2026-03-14.x")


def json_text(text: str) -> str:
    """The text of JSON without secrets."""
    return redact_document(read_json(PATH, text, "utf-8"))[0].text


def json_lines_text(text: str) -> str:
    """The text of JSON lines without secrets."""
    return redact_document(read_json_lines(PATH, text, "utf-8"))[0].text


def contents(document: DocumentText) -> list[tuple[str, int]]:
    """The memories that the rules make of a document, with their lines."""
    clean, _ = redact_document(document)
    chunk = whole_chunk(clean.text, clean.file_lines)
    found = RulesExtractor().begin(clean).extract(chunk).candidates
    return [(one.content, one.first_line) for one in found]


def test_parts_of_json_that_do_not_follow_each_other_are_parted() -> None:
    """A blank line stands where the file has others between two texts."""
    text = '{\n  "theme": "hearth",\n  "sizes": [\n    "s",\n    4.5\n  ],\n  "on": true\n}'
    assert json_text(text).split("\n") == [
        "  theme: hearth",
        "  sizes:",
        "    - s",
        "    - 4.5",
        "",
        "  on: true",
    ]


def test_json_on_one_line_is_laid_out() -> None:
    """Compact JSON has the lines of printed JSON."""
    source = json.dumps({"name": 'Zoë "Z"', "memo": "first\nsecond", "sizes": ["s, m", "l"]})
    assert json_text(source).split("\n") == [
        *('  name: Zoë "Z"', "  memo: first", "      second", "  sizes:", "    - s, m", "    - l"),
    ]


def test_printed_and_compact_json_say_the_same() -> None:
    """The layout of JSON changes the lines that are cited, and nothing else."""
    value = {"owner": "Bo", "tools": ["red saw, blue saw", "drill"], "empty": [], "of": {"a": [1]}}
    compact, printed = (
        read_json(PATH, json.dumps(value, indent=indent), "utf-8") for indent in (None, 4)
    )
    assert compact.text == printed.text
    assert [line for _, line in compact.file_lines] == [1]
    assert [content for content, _ in contents(compact)] == [
        content for content, _ in contents(printed)
    ]


def test_records_that_say_something_are_statements() -> None:
    """What stands under a key for texts is a memory, the rest of its record is context."""
    source = '[\n{"text": "Bo prefers green tea", "by": "Al"},\n{"text": "Cid owns the kiln"}\n]'
    assert contents(read_json(PATH, source, "utf-8")) == [
        ("Bo prefers green tea", 2),
        ("Bo prefers green tea — by: Al", 2),
        ("Cid owns the kiln", 3),
    ]
    lines = '{"a": 1}\n{"text": "Bo prefers green tea", "by": "Al"}\n'
    found = contents(read_json_lines(PATH, lines, "utf-8"))
    assert found[-2:] == [("Bo prefers green tea", 2), ("Bo prefers green tea — by: Al", 2)]
    compact = '[{"text":"Bo prefers green tea"}]'
    assert contents(read_json(PATH, compact, "utf-8")) == [("Bo prefers green tea", 1)]


def test_what_is_no_json_stays_as_it_is() -> None:
    assert json_text("// a comment\n{'a': 1}") == "// a comment\n{'a': 1}"
    assert json_text("[" * 100_000).startswith("[[[")


def test_json_lines_give_one_line_for_each_record() -> None:
    text = '{"role": "user", "text": "tea\\nplease", "n": null}\nnot json\n{"a": {"b": [1, 2]}}\n'
    assert json_lines_text(text).split("\n") == [
        "role: user; text: tea please",
        "not json",
        "a: b: 1, 2",
        "",
    ]


def test_org_becomes_markdown_line_for_line() -> None:
    text = (
        "#+TITLE: Oven log\n#+DATE: <2026-02-01 Sun>\n#+FILETAGS: :oven:site:\n"
        "* Work :urgent:\n** TODO [#A] Replace the *door* seal\n   DEADLINE: <2026-04-01 Wed>\n"
        "** DONE Sweep the flue\n:PROPERTIES:\n:ID: 7\n:END:\n"
        "* WAITING Parts\n** Seals\nSee [[https://x.example][the shop]] and =make=.\n"
        "#+BEGIN_SRC sh\n* not a heading\n#+END_SRC\n| a | b |\n|---+---|\n| 1 | 2 |\n"
    )
    document = read_org(PATH, text, "utf-8")
    assert document.text_format is TextFormat.MARKDOWN
    assert document.title == "Oven log"
    assert document.document_date == date(2026, 2, 1)
    assert document.tags == ("oven", "site")
    assert document.text.split("\n") == [
        *("", "", "", "# Work", "- [ ] Replace the **door** seal (deadline: 2026-04-01)"),
        *("", "- [x] Sweep the flue", "", "", ""),
        *("# WAITING: Parts", "## Seals", "See [the shop](https://x.example) and `make`."),
        *("```sh", "* not a heading", "```", "| a | b |", "|---|---|", "| 1 | 2 |", ""),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* TODO Renew\n  DEADLINE: <2026-03-15 Sun -3d>", "- [ ] Renew (deadline: 2026-03-15)"),
        (
            "* WAITING Roof\nSCHEDULED: <2026-01-30 Fr 10:00 +1w> DEADLINE: <2026-02-01>",
            "- [ ] 2026-01-30 10:00: Roof (deadline: 2026-02-01; scheduled: 2026-01-30 10:00)",
        ),
        (
            "* DONE Pay\n  CLOSED: [2026-01-08 Thu 10:12] SCHEDULED: <2026-01-07 Wed>",
            "- [x] Pay (closed: 2026-01-08 10:12)",
        ),
        ("* Dentist <2026-02-03 Tue 15:30-16:00>", "- 2026-02-03 15:30: Dentist"),
        ("* Trip <2026-08-03 Mon>--<2026-08-09 Sun>\n\n* Next", "- 2026-08-03: Trip"),
        ("* Dentist <2026-02-03 Tue>\nIn Kiel.", "# Dentist <2026-02-03 Tue>"),
        ("* TODO Renew\nDEADLINE: soon", "- [ ] Renew"),
        ("* TODO Renew\n** TODO Photo", "# TODO: Renew"),
    ],
)
def test_a_task_of_org_keeps_its_times(text: str, expected: str) -> None:
    """When it is due, planned or was done stands on its line; a headline that is a time with
    nothing under it is an item of that day."""
    assert read_org(PATH, text, "utf-8").text.split("\n")[0] == expected


def test_rst_loses_its_marks_and_keeps_its_lines() -> None:
    text = (
        "Counter\n=======\n\n:Date: 2026-02-01\n\n* The till prints in *duplicate*.\n\n"
        ".. note:: The drawer key is ``number 8``.\n.. _target: http://x\n.. image:: a.png\n"
        ".. [1] A footnote.\n\nSee `the shop <https://x.example>`_ and :ref:`oven <o>`.\n"
    )
    document = read_rst(PurePath("counter.rst"), text, "utf-8")
    assert document.document_date == date(2026, 2, 1)
    assert document.text.split("\n") == [
        *("Counter", "=======", "", "Date: 2026-02-01", "", "* The till prints in duplicate.", ""),
        *("The drawer key is number 8.", "", "", "A footnote.", ""),
        *("See the shop (https://x.example) and oven.", ""),
    ]


@given(st.text(max_size=300))
def test_any_text_is_taken_and_keeps_its_number_of_lines(text: str) -> None:
    text = text.replace("\r", "\n")
    for reader in (read_org, read_rst):
        assert reader(PATH, text, "utf-8").text.count("\n") == text.count("\n")
    written = read_json_lines(PATH, text, "utf-8")
    if written.file_lines:
        assert written.file_lines[-1].line == text.count("\n") + 1
    else:
        assert written.text.count("\n") == text.count("\n")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
)


@given(JSON_VALUES, st.sampled_from([None, 2]))
@example({"a": [[]], "": None}, None)
def test_any_json_is_taken_without_complaint(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    json_text(text)
    read_json_lines(PATH, text, "utf-8")


@pytest.mark.parametrize("indent", [None, 2])
def test_a_list_in_a_record_is_one_line(indent: int | None) -> None:
    """It leads to nothing in the next record, and entries with commas are told apart."""
    records = [
        {"text": "Bo prefers green tea", "of": ["x, y", "z"]},
        {"text": "Cid owns the red kiln", "none": [], "of": ["w"]},
    ]
    document = read_json(PATH, json.dumps(records, indent=indent), "utf-8")
    assert [line for line in document.text.split("\n") if line] == [
        *(
            "  - Bo prefers green tea",
            '    of: "x, y", z',
            "  - Cid owns the red kiln",
            "    of: w",
        ),
    ]
    texts = [content for content, _ in contents(document)]
    assert {"Bo prefers green tea", "Cid owns the red kiln"} <= set(texts)


RECORDS = [
    {"name": "Ana", "city": "Porto", "note": "Ana moved to Porto in March 2024."},
    {"name": "Ben", "address": {"street": "Rua 1", "city": "Faro"}, "birthday": "1980-02-03"},
    {"id": 7, "name": "Cy", "status": "approved"},
]


@pytest.mark.parametrize("indent", [None, 2])
def test_each_field_of_a_record_is_said_of_what_the_record_is_about(indent: int | None) -> None:
    document = read_json(PATH, json.dumps(RECORDS, indent=indent), "utf-8")
    assert [content for content, _ in contents(document)] == [
        "Ana — city: Porto",
        "Ana moved to Porto in March 2024.",
        "Ben — address: street: Rua 1, city: Faro",
        "Ben — birthday: 1980-02-03",
        "Cy — status: approved",
    ]


def test_no_field_of_one_record_is_said_of_another_in_json_lines() -> None:
    document = read_json_lines(PATH, "\n".join(map(json.dumps, RECORDS)), "utf-8")
    found = [content for content, _ in contents(document)]
    assert "Ben — birthday: 1980-02-03" in found
    assert not any("Ana" in content and "Ben" in content for content in found)


def test_an_object_without_parts_that_says_something_is_one_record() -> None:
    document = read_json(PATH, json.dumps(RECORDS[0], indent=2), "utf-8")
    assert contents(document) == [
        ("Ana — city: Porto", 3),
        ("Ana moved to Porto in March 2024.", 4),
    ]
    settings = json.dumps({"name": "shop", "note": "It sells bread.", "of": {"a": 1}})
    assert json_text(settings).split("\n")[0] == "  name: shop"


def test_a_record_tells_nothing_of_the_days_and_names_of_what_follows() -> None:
    """Neither is a name in a list of records that of the file's owner."""
    value = {"plans": [{"name": "Roof", "date": "2026-03-02", "owner": "Ana"}], "x": ["Call Ana"]}
    document, _ = redact_document(read_json(PATH, json.dumps(value, indent=1), "utf-8"))
    chunk = whole_chunk(document.text)
    found = RulesExtractor().begin(document).extract(chunk).candidates
    assert {one.content: one.event_at for one in found if "Call" in one.content} == {
        "x: Call Ana": None
    }
    assert MemoryType.IDENTITY not in {one.memory_type for one in found}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"of": {}}], []),
        ([{"of": {}, "by": "Al"}], ["- by: Al"]),
        ({"name": "Ana", "of": [{"x": []}]}, ["name: Ana", "of:"]),
        ([[{}], {"a": []}, {"b": 1}], ["- b: 1"]),
    ],
)
def test_empty_parts_of_records_leave_nothing(value: object, expected: list[str]) -> None:
    lines = write_json(json.dumps(value)).lines
    assert [line.strip() for line in lines if line.strip()] == expected


@pytest.mark.parametrize("text", ['{"a": 1, "b": [2,3', "{'a': 1}", "Dear diary, all is well."])
def test_what_is_no_whole_json_is_read_as_text_with_a_remark(text):
    """Nothing of it is lost, and the receipt says how it was read."""
    document = read_json(PurePath("notes.json"), text, "utf-8")
    assert document.text == text
    assert document.remarks == (NO_JSON,)
    assert read_json(PurePath("notes.json"), '{"a": 1}', "utf-8").remarks == ()
