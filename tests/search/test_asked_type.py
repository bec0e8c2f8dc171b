"""Questions that name a type of memory."""

from __future__ import annotations

import pytest

from memctl.memory import MemoryType
from memctl.search.asked_type import asked_type


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("what still has to be done?", MemoryType.TODO),
        ("What do I have to do this week?", MemoryType.TODO),
        ("Was muss ich noch tun?", MemoryType.TODO),
        ("qu'est-ce qu'il me reste à faire ?", MemoryType.TODO),
        ("¿qué queda por hacer?", MemoryType.TODO),
        ("还有什么要做的？", MemoryType.TODO),
        ("what have we decided?", MemoryType.DECISION),
        ("what are my plans?", MemoryType.GOAL),
        ("what do I like", MemoryType.PREFERENCE),
        ("what happened?", MemoryType.EVENT),
        ("where is the key?", None),
        ("the planet", None),
        ("", None),
    ],
)
def test_a_question_names_the_type_that_it_asks_for(query: str, kind: MemoryType | None) -> None:
    assert asked_type(query) is kind
