"""A memory as a draft for the editor, and back."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.cli.memory_draft import from_draft, to_draft
from memctl.content import normalise_content
from memctl.memory import Memory, MemoryType

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]))
FIELD = st.none() | TEXTS.map(str.strip).filter(bool)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    content = normalise_content(draw(TEXTS))
    return Memory(
        id="3fa9c2d1-0000-4000-8000-000000000000",
        content=content or "x",
        memory_type=draw(st.sampled_from(MemoryType)),
        importance=draw(st.floats(0, 1)),
        created_at=NOW,
        updated_at=NOW,
        last_accessed_at=NOW,
        subject=draw(FIELD),
        key=draw(FIELD),
        source=draw(FIELD),
        channel_id=draw(FIELD),
        session_id=draw(FIELD),
        tags=tuple(draw(st.lists(TEXTS, max_size=3))),
        event_at=draw(st.none() | st.dates() | st.datetimes(timezones=st.just(UTC))),
        expires_at=draw(
            st.none() | st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(UTC))
        ),
        pinned=draw(st.booleans()),
    )


@given(memories())
def test_a_draft_that_nobody_touched_changes_nothing(memory: Memory) -> None:
    assert from_draft(to_draft(memory), memory, NOW) == {}


MEMORY = Memory(
    id="3fa9c2d1-0000-4000-8000-000000000000",
    content="We chose PostgreSQL",
    memory_type=MemoryType.DECISION,
    importance=0.8,
    created_at=NOW,
    updated_at=NOW,
    last_accessed_at=NOW,
    tags=("billing",),
    subject="billing",
)


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("We chose PostgreSQL", "We chose\n\nSQLite", {"content": "We chose\n\nSQLite"}),
        ('type = "decision"', 'type = "fact"', {"memory_type": MemoryType.FACT}),
        ("importance = 0.8", "importance = 1", {"importance": 1.0}),
        ('tags = ["billing"]', "tags = []", {"tags": ()}),
        ('subject = "billing"', 'subject = ""', {"subject": None}),
        ('event_at = ""', 'event_at = "2026-03-01"', {"event_at": date(2026, 3, 1)}),
        ('expires_at = ""', 'expires_at = "7d"', {"expires_at": NOW + timedelta(days=7)}),
        ("pinned = false", "pinned = true", {"pinned": True}),
        ('subject = "billing"\n', "", {}),
    ],
)
def test_what_was_changed_is_understood(old: str, new: str, changes: dict) -> None:
    assert from_draft(to_draft(MEMORY).replace(old, new), MEMORY, NOW) == changes


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("\n+++\n", "\n", "the line"),
        ('type = "decision"', "type = decision", "no TOML"),
        ('type = "decision"', 'type = "idea"', "type must be one of"),
        ("importance = 0.8", "importance = 8", "importance must be"),
        ('tags = ["billing"]', 'tags = "billing"', "tags must be"),
        ('event_at = ""', 'event_at = "soon"', "is no time"),
        ("pinned = false", 'pinned = "no"', "pinned must be"),
        ("pinned = false", "mood = 1", "no field mood"),
        ("We chose PostgreSQL", " ", "memory is empty"),
    ],
)
def test_what_makes_no_sense_is_named(old: str, new: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        from_draft(to_draft(MEMORY).replace(old, new), MEMORY, NOW)
