"""What is written for OpenClaw reads back as it was, whatever the memories say."""

from __future__ import annotations

from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from memctl.content import normalise_content
from memctl.memory import Memory, MemoryType
from memctl.migration.tagged import is_tagged, read_tagged, tagged_lines

NOW = datetime(2026, 3, 4, tzinfo=UTC)
LINES = st.sampled_from(["- a", "  b", "# c", "<!-- memctl {} -->", "", "d -->", "## Goals"])
TEXTS = (st.text() | st.lists(LINES).map("\n".join)).map(normalise_content).filter(bool)


@given(
    st.lists(
        st.tuples(TEXTS, st.sampled_from(MemoryType), st.sampled_from([0.25, 0.6, 1.0])),
        max_size=6,
    )
)
def test_memories_come_back_word_for_word(stated: list[tuple[str, MemoryType, float]]) -> None:
    memories = [
        Memory(
            id=str(number),
            content=content,
            memory_type=memory_type,
            importance=importance,
            created_at=NOW,
            updated_at=NOW,
            last_accessed_at=NOW,
            tags=("a>b",),
            event_at=date(2026, 3, 4),
        )
        for number, (content, memory_type, importance) in enumerate(stated)
    ]
    text = "\n".join(tagged_lines("2026-03-04", memories, date(2026, 3, 4)))
    assert is_tagged(text)
    found = read_tagged(text, date(2026, 3, 4))
    wanted = sorted(memories, key=lambda one: list(MemoryType).index(one.memory_type))
    assert [
        (normalise_content(one.content), one.memory_type, one.importance, one.tags, one.event_at)
        for one in found
    ] == [(one.content, one.memory_type, one.importance, one.tags, one.event_at) for one in wanted]
