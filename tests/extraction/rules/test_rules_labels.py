"""What headings, leads and field names are taken for, in any language."""

from __future__ import annotations

import pytest

from memctl.extraction.rules.labels import GENERIC, SKIP, key_of, label_of, role_of
from memctl.memory import MemoryType


@pytest.mark.parametrize(
    ("title", "memory_type", "exact"),
    [
        ("Preferences", MemoryType.PREFERENCE, True),
        ("## Goals:", MemoryType.GOAL, True),
        ("Goals for spring", MemoryType.GOAL, False),
        ("Kitchen preferences", MemoryType.PREFERENCE, False),
        ("3. Action items", MemoryType.TODO, True),
        ("🎯 Goals", MemoryType.GOAL, True),
        ("Decision (2026-03-14)", MemoryType.DECISION, True),
        ("Decisions – week 3", MemoryType.DECISION, False),
        ("Entscheidungen", MemoryType.DECISION, True),
        ("Jahresziele", MemoryType.GOAL, True),
        ("Küchenaufgaben", MemoryType.TODO, False),
        ("À faire", MemoryType.TODO, True),
        ("Objetivos", MemoryType.GOAL, True),
        ("Osservazioni", MemoryType.OBSERVATION, True),
        ("Preferências", MemoryType.PREFERENCE, True),
        ("Actiepunten", MemoryType.TODO, True),
        ("Решения", MemoryType.DECISION, True),
        ("决定", MemoryType.DECISION, True),
        ("やること", MemoryType.TODO, True),
        ("할 일", MemoryType.TODO, True),
        ("长期目标", MemoryType.GOAL, False),
    ],
)
def test_a_title_names_a_type(title: str, memory_type: MemoryType, exact: bool) -> None:
    label = label_of(title)
    assert label is not None
    assert (label.memory_type, label.exact) == (memory_type, exact)


@pytest.mark.parametrize(
    "title",
    [
        "Crumb & Ember",
        "Gannet",
        "Task force members",
        "What we talked about with the three of them",
        "",
        "2026-03-14",
        "History museum opening hours",
    ],
)
def test_other_titles_name_none(title: str) -> None:
    label = label_of(title)
    assert label is None or label.memory_type is None or not label.exact


def test_generic_titles_and_sections_to_skip_are_told_apart() -> None:
    assert (label_of("Notes") or pytest.fail("no label")).meaning == GENERIC
    assert (label_of("Table of contents") or pytest.fail("no label")).meaning == SKIP
    assert (label_of("Inhaltsverzeichnis") or pytest.fail("no label")).meaning == SKIP


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("Name", "identity"),
        ("Pronouns", "identity"),
        ("名字", "identity"),
        ("Beruf", "identity"),
        ("Favourite tea", "preference"),
        ("Lieblings Tee", "preference"),
        ("From", "skip"),
        ("Shop server name", None),
        ("Port", None),
    ],
)
def test_field_names_have_a_meaning(name: str, meaning: str | None) -> None:
    assert key_of(name) == meaning


def test_speakers_are_users_or_machines() -> None:
    assert role_of("User") == "user"
    assert role_of("assistant") == "machine"
    assert role_of("Anna") is None
