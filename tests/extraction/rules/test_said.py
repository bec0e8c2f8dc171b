"""When that was which somebody says in a sentence of their own."""

from __future__ import annotations

from datetime import date

import pytest

from memctl.extraction.rules.said import Said, read_said
from memctl.memory import MemoryType

DAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "memory_type", "event_day"),
    [
        ("On 3 March 2026 Anton proposed on the ferry", MemoryType.EVENT, date(2026, 3, 3)),
        ("Yesterday the oven broke", MemoryType.EVENT, date(2026, 11, 27)),
        ("Gestern ist der Ofen kaputtgegangen", MemoryType.EVENT, date(2026, 11, 27)),
        ("On 3 March 2026 we chose Postgres", MemoryType.DECISION, date(2026, 3, 3)),
        ("We went hiking last week", MemoryType.EVENT, None),
        ("Pay the rent by 3 March 2027", MemoryType.TODO, None),
        ("Call Ada on 2026-12-03", MemoryType.TODO, None),
        ("Anton's birthday is 3 March 1980", MemoryType.FACT, None),
        ("We visited Ada on 3 March 2026 and Ben on 5 May 2026", MemoryType.EVENT, None),
    ],
)
def test_one_day_that_a_text_names_is_when_it_was(text, memory_type, event_day):
    """As in a file; deadlines, birthdays and one of several days are no such day."""
    assert read_said(text, day=DAY) == Said(memory_type, event_day)


def test_a_given_type_decides_what_a_day_in_a_text_means():
    """A todo of yesterday is still to be done, so it has no day on which it happened."""
    text = "Yesterday the oven broke"
    assert read_said(text, day=DAY, memory_type=MemoryType.TODO).event_day is None
