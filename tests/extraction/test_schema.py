"""Answers of language models in all their forms."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction.lenient_json import JsonSyntaxError, read_json
from memctl.extraction.reply_dates import read_event_time
from memctl.extraction.schema import (
    KnownRelation,
    UnusableReplyError,
    read_reply,
    response_schema,
)
from memctl.memory import MemoryType
from memctl.new_memory import Outcome


def contents(text: str) -> list[str]:
    return [proposal.content for proposal in read_reply(text).proposals]


def one(**fields: object):
    return read_reply(json.dumps({"memories": [{"content": "A b c", **fields}]})).proposals[0]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_valid_json_is_read_as_the_standard_library_reads_it(value):
    text = json.dumps(value)
    found = read_json(text)

    assert found.value == value
    assert (found.end, found.truncated) == (len(text), False)


@given(st.text(max_size=60) | st.text(alphabet="{}[]\",:' \\\nabtrue01", max_size=40))
def test_any_text_is_read_or_complained_about(text):
    with suppress(JsonSyntaxError):
        assert read_json(text).end <= len(text)


ITEMS = st.lists(
    st.fixed_dictionaries({"content": st.text(min_size=1), "first_line": st.integers(1, 99)}),
    min_size=1,
    max_size=5,
)


@given(ITEMS, st.data())
def test_a_text_cut_anywhere_gives_only_whole_items_and_says_that_it_was_cut(items, data):
    text = json.dumps({"memories": items})
    cut = text[: data.draw(st.integers(len('{"memories": ['), len(text) - 1))]
    found = read_json(cut)

    assert found.truncated
    kept = found.value["memories"]
    assert kept == items[: len(kept)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ("{'a': 'Jana's oven', b: True, c: None}", {"a": "Jana's oven", "b": True, "c": None}),
        ('[{"a": 1} {"b": 2}]', [{"a": 1}, {"b": 2}]),
        ('{"a": 1 "b": "x" "c": "y"}', {"a": 1, "b": "x", "c": "y"}),
        ('{"a": "the "Tern" node"}', {"a": 'the "Tern" node'}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ("{“a”: “b”}", {"a": "b"}),
        ('{"a": 1, // why\n "b": 2 /* and */}', {"a": 1, "b": 2}),
        ("{'a': '\\u00e9\\n'}", {"a": "é\n"}),
    ],
)
def test_json_as_models_write_it_is_read(text, value):
    found = read_json(text)

    assert found.value == value
    assert not found.truncated


def test_brackets_without_end_do_no_harm():
    with pytest.raises(JsonSyntaxError, match="deep"):
        read_json("[" * 5_000 + "x")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        "Nothing to remember.",
        "The list [] is empty.",
        "{}",
        '{"memories": null}',
        '{"memories": "none"}',
        '{"memories": [1, 2]}',
        '{"memories": [{"foo": 1}]}',
        '{"memories": [{"content": "Ember is red."}, {"content": oops}]}',
        "[[1]]",
        "<think>I am still thinking about [this]",
    ],
)
def test_what_cannot_be_understood_is_a_complaint_and_never_nothing(text):
    with pytest.raises(UnusableReplyError):
        read_reply(text)


@pytest.mark.parametrize("text", ['{"memories": []}', "[]", '```json\n{"memories": []}\n```'])
def test_an_empty_list_is_nothing_to_remember(text):
    assert read_reply(text).proposals == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"memories": ["Ember is red.", "Tern is a node."]}',
        '{"facts": [{"statement": "Ember is red."}, {"fact": "Tern is a node."}]}',
        '{"content": "Ember is red."}\n{"content": "Tern is a node."}',
        '{"memories": [{"content": "Ember is red."}]}\n{"memories": ["Tern is a node."]}',
        'Found: [{"content": "Ember is red."}, {"content": "Tern is a node."}] in all',
        json.dumps(json.dumps({"memories": ["Ember is red.", "Tern is a node."]})),
        '{"Memories": [{"Content": "Ember is red."}, {"Content": "Tern is a node."}]}',
    ],
)
def test_lists_under_other_names_and_in_other_places_are_found(text):
    assert contents(text) == ["Ember is red.", "Tern is a node."]


@pytest.mark.parametrize(
    ("name", "memory_type"),
    [
        ("decision", MemoryType.DECISION),
        ("Decisions", MemoryType.DECISION),
        ("TO-DO", MemoryType.TODO),
        ("action_item", MemoryType.TODO),
        ("user preference", MemoryType.PREFERENCE),
        ("Person", MemoryType.IDENTITY),
        ("meeting", MemoryType.EVENT),
        ("insight", MemoryType.OBSERVATION),
        ("whatever", MemoryType.FACT),
        (None, MemoryType.FACT),
        (7, MemoryType.FACT),
    ],
)
def test_type_names_are_mapped(name, memory_type):
    assert one(memory_type=name).memory_type is memory_type


@pytest.mark.parametrize(
    ("value", "importance"),
    [
        (0.4, 0.4),
        (0, 0.0),
        (1, 1.0),
        (8, 0.8),
        (85, 0.85),
        ("0,7", 0.7),
        ("7/10", 0.7),
        ("90%", 0.9),
        ("High", 0.85),
        ("very low", 0.2),
        (-3, 0.6),
        ("unclear", 0.6),
        (None, 0.6),
        (True, 0.6),
    ],
)
def test_importance_is_brought_to_zero_to_one(value, importance):
    assert one(importance=value).importance == importance


def test_one_answer_keeps_to_one_scale():
    items = [{"content": "A b c", "importance": value} for value in (8, 1, 5)]
    reply = read_reply(json.dumps({"memories": items}))

    assert [proposal.importance for proposal in reply.proposals] == [0.8, 0.1, 0.5]


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({"first_line": 3, "last_line": 5}, (3, 5)),
        ({"first_line": "3", "last_line": None}, (3, 3)),
        ({"lines": "L3-L5"}, (3, 5)),
        ({"source_lines": [3, 4, 5]}, (3, 5)),
        ({"line": 3.0}, (3, 3)),
        ({"first_line": 5, "last_line": 3}, (5, 3)),
        ({"first_line": 0}, (None, None)),
        ({"first_line": "unknown"}, (None, None)),
        ({}, (None, None)),
    ],
)
def test_lines_come_in_several_forms(fields, lines):
    proposal = one(**fields)

    assert (proposal.first_line, proposal.last_line) == lines


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ({"kind": "updates", "known": "K2"}, KnownRelation(Outcome.UPDATED, "K2")),
        ({"kind": "Repeats", "known": "[k1]"}, KnownRelation(Outcome.SAME, "K1")),
        ([{"kind": "contradicts", "known": "K1"}], KnownRelation(Outcome.CONTRADICTS, "K1")),
        ({"kind": "explains", "known": "K1"}, None),
        ({"kind": "updates"}, None),
        ("updates K1", None),
        (None, None),
    ],
)
def test_relations_to_known_memories_are_read(relation, expected):
    assert one(relation=relation).relation == expected


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-04", date(2026, 3, 4)),
        ("2026/3/4", date(2026, 3, 4)),
        ("20260304", date(2026, 3, 4)),
        ("2026年3月4日", date(2026, 3, 4)),
        ("04.03.2026", date(2026, 3, 4)),
        ("13/04/2026", date(2026, 4, 13)),
        ("04/13/2026", date(2026, 4, 13)),
        ("March 4, 2026", date(2026, 3, 4)),
        ("Wednesday, 4th of March 2026", date(2026, 3, 4)),
        ("2026-03-04T00:00:00Z", date(2026, 3, 4)),
        ("2026-03-04T10:00", date(2026, 3, 4)),
        ("2026-03-04T10:00:00+02:00", datetime(2026, 3, 4, 8, tzinfo=UTC)),
        ("03/04/2026", None),
        ("2026-03", None),
        ("2026", None),
        ("2026-13-40", None),
        ("yesterday", None),
        ("null", None),
        ("", None),
        (None, None),
        (20260304, None),
    ],
)
def test_only_a_clear_full_day_counts_as_a_date(text, moment):
    assert read_event_time(text) == moment


@given(st.text(max_size=80))
def test_any_text_is_a_date_or_none(text):
    assert read_event_time(text) is None or isinstance(read_event_time(text), date)


@pytest.mark.parametrize("with_relation", [False, True])
def test_the_schema_is_strict_at_every_level(with_relation):
    def objects(schema: object):
        if isinstance(schema, dict):
            if schema.get("type") == "object":
                yield schema
            for value in schema.values():
                yield from objects(value)
        elif isinstance(schema, list):
            for value in schema:
                yield from objects(value)

    found = list(objects(response_schema(with_relation=with_relation)))

    assert len(found) == (3 if with_relation else 2)
    for schema in found:
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
