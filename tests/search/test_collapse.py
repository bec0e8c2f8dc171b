"""Folding: one claim fills one place, and nothing that differs in a value is folded."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.memory import Memory, MemoryType
from memctl.search.collapse import collapse, plain_text

NOW = datetime(2026, 3, 4, tzinfo=UTC)


def memories_of(*contents: str) -> dict[str, Memory]:
    memory = Memory(
        id="",
        content="",
        memory_type=MemoryType.FACT,
        importance=0.5,
        created_at=NOW,
        updated_at=NOW,
        last_accessed_at=NOW,
    )
    keys = [chr(ord("a") + place) for place in range(len(contents))]
    return {
        key: replace(memory, id=key, content=content)
        for key, content in zip(keys, contents, strict=True)
    }


def folded(*contents: str, limit: int = 9, pairs: tuple[tuple[str, str], ...] = ()) -> object:
    memories = memories_of(*contents)
    return collapse(list(memories), memories, pairs, limit)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada likes tea.", "ada  likes tea"),
        ("The office is in Graz", "The office is in Graz."),
        ("We deploy on Tuesday evening.", "We deploy on Tuesday evening!"),
    ],
)
def test_the_same_words_are_one_claim(one: str, other: str) -> None:
    assert folded(one, other) == {"a": ["b"]}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The router of the office is at 192.168.9.1",
            "The router of the office is at 192.168.7.1",
        ),
        (
            "The meeting with the bank is on 3 May 2026",
            "The meeting with the bank is on 4 May 2026",
        ),
        ("Ada takes the night train to Graz", "Bob takes the night train to Graz"),
        ("The new server is in the cellar", "The new server is not in the cellar"),
        (
            "The deposit for a powered tool is 20 euros",
            "The deposit for a powered tool is 25 euros",
        ),
        ("Ada likes tea", "Ada likes coffee"),
    ],
)
def test_another_value_is_another_claim(one: str, other: str) -> None:
    assert folded(one, other) == {"a": [], "b": []}


def test_wordings_that_the_store_has_linked_are_one_claim() -> None:
    contents = ("Ada lives in Graz", "Graz is where Ada has her home", "Bob lives in Linz")
    assert folded(*contents, pairs=(("b", "a"),)) == {"a": ["b"], "c": []}


def test_the_same_event_on_two_days_is_two_events() -> None:
    memories = memories_of("Ada ran ten kilometres", "Ada ran ten kilometres")
    memories["a"] = replace(memories["a"], event_at=date(2026, 3, 1))
    memories["b"] = replace(memories["b"], event_at=date(2026, 3, 8))
    assert collapse(["a", "b"], memories, (), 9) == {"a": [], "b": []}


def test_what_is_folded_takes_no_place_of_the_limit() -> None:
    contents = ("one thing", "One thing.", "ONE THING", "another thing", "a third")
    assert folded(*contents, limit=2) == {"a": ["b", "c"], "d": []}


@given(st.lists(st.text("ab .", min_size=1, max_size=6), max_size=8), st.integers(1, 5))
def test_folding_keeps_the_order_and_loses_no_claim(contents: list[str], limit: int) -> None:
    memories = memories_of(*contents)
    found = collapse(list(memories), memories, (), limit)
    assert len(found) <= limit
    assert list(found) == sorted(found)
    assert len({plain_text(memories[key].content) for key in found}) == len(found)
