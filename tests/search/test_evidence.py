"""What a memory's own words say: subject, question, coverage."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memctl.memory import Memory, MemoryType
from memctl.search.evidence import (
    coverage,
    matches_heading_only,
    names_subject,
    question_share,
    subject_of,
)
from memctl.search.query import read_query

NOW = datetime(2026, 3, 4, tzinfo=UTC)
MEMORY = Memory(
    id="a",
    content="",
    memory_type=MemoryType.FACT,
    importance=0.5,
    created_at=NOW,
    updated_at=NOW,
    last_accessed_at=NOW,
)


@pytest.mark.parametrize(
    ("content", "subject"),
    [
        ("Ada: I moved to Graz", "Ada"),
        ("**Ada Byron:** I moved", "Ada Byron"),
        ("[Ada]: hello", "Ada"),
        ("Router address: 10.0.0.1", "Router address"),
        ("Home > Network — Router: 10.0.0.1", "Router"),
        ("名前：アダ 氏", None),
        ("See https://example.org", None),
        ("We met at 10:30 in town", None),
        ("What I really wanted to say is this: no", None),
        ("tool: saw; shelf: D3; days: 2", None),
        ("no label at all", None),
    ],
)
def test_a_name_before_a_colon_is_the_subject(content: str, subject: str | None) -> None:
    assert subject_of(replace(MEMORY, content=content)) == subject


def test_the_subject_field_wins() -> None:
    assert subject_of(replace(MEMORY, content="Ada: hello", subject="Bob")) == "Bob"


@pytest.mark.parametrize(
    ("query", "content", "is_named"),
    [
        ("When did Ada move?", "Ada: I moved in May", True),
        ("What is Ada's address?", "Ada: it is 4 Mill Lane", True),
        ("When did Bob move?", "Ada: Bob moved in May", False),
        ("address of the router", "Router address: 10.0.0.1", True),
        ("address of the printer", "Router address: 10.0.0.1", False),
    ],
)
def test_a_query_names_a_subject_with_all_its_words(
    query: str, content: str, *, is_named: bool
) -> None:
    terms = frozenset(read_query(query).terms)
    assert names_subject(terms, replace(MEMORY, content=content)) is is_named


def test_how_much_of_a_text_asks() -> None:
    assert question_share("It rains. It pours.") == 0.0
    assert question_share("Does it rain?") == 1.0
    assert question_share("雨ですか？") == 1.0
    assert 0.3 < question_share("It rains. Does it pour?") < 0.8
    assert question_share("") == 0.0


def test_coverage_counts_the_terms_that_a_text_holds() -> None:
    terms = read_query("Which database for billing").terms
    assert coverage(terms, "Billing runs on SQLite.") == 0.5
    assert coverage(terms, "The databases of billing") == 1.0
    assert coverage((), "anything") == 0.0


@pytest.mark.parametrize(
    ("content", "is_heading_only"),
    [
        ("Launch plan — Ada: print the posters", True),
        ("Launch plan — Ada: the launch is in May", False),
        ("Spring fair — Ada: print the posters", False),
        ("The launch is in May", False),
        ("A first line\nabout the launch — and more", False),
    ],
)
def test_a_heading_alone_is_told_from_a_statement(content: str, *, is_heading_only: bool) -> None:
    terms = frozenset(read_query("When is the launch?").terms)
    assert matches_heading_only(terms, content) is is_heading_only
