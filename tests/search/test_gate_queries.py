"""With LanceDB and the bundled model: what is known is found, what is not gives nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from recall_library import Library

from memctl.search.request import RecallRequest

pytestmark = pytest.mark.slow


def test_what_the_store_holds_comes_first_or_second(
    real_library: Library, gate_queries: dict[str, Any]
) -> None:
    """At least 95 of 100 questions that a memory answers."""
    missed = [
        entry["query"]
        for entry in gate_queries["present"]
        if entry["content"] not in real_library.found(entry["query"])[:2]
    ]
    assert len(missed) <= 0.05 * len(gate_queries["present"]), missed


def test_what_the_store_does_not_hold_gives_nothing(
    real_library: Library, gate_queries: dict[str, Any]
) -> None:
    """At least 90 of 100 questions that nothing answers."""
    answered = {
        query: found for query in gate_queries["absent"] if (found := real_library.found(query))
    }
    assert len(answered) <= 0.1 * len(gate_queries["absent"]), answered


@pytest.mark.parametrize("half", ["tuning", "reported"])
def test_questions_in_other_words_than_the_memory_are_answered(
    life_library: Library, life_questions: dict[str, Any], half: str
) -> None:
    """At least 9 of 10 questions about a life have the answer among the first five."""
    missed = [
        entry["query"]
        for entry in life_questions[half]["answerable"]
        if set(entry["answers"]).isdisjoint(life_library.found(entry["query"])[:5])
    ]
    assert len(missed) <= 0.1 * len(life_questions[half]["answerable"]), missed


def test_another_attribute_of_what_is_known_is_no_answer(
    life_library: Library, life_questions: dict[str, Any]
) -> None:
    """Nor is anything else that a life's memories say, to most of what was never said."""
    absent = life_questions["tuning"]["never_saved"] + life_questions["tuning"]["other_attribute"]
    answered = {query: found for query in absent if (found := life_library.found(query))}
    assert len(answered) <= 0.1 * len(absent), answered


@pytest.mark.parametrize("half", ["tuning", "reported"])
def test_notes_are_found_by_questions_in_other_words_and_languages(
    note_libraries: dict[str, list[Library]], note_questions: dict[str, Any], half: str
) -> None:
    """At least 9 of 10 questions have the answer among the first three, in their own language."""
    asked = _asked(note_libraries, note_questions, half, "answerable")
    missed = [
        entry["query"]
        for library, entry in asked
        if set(entry["answers"]).isdisjoint(library.found(entry["query"])[:3])
    ]
    assert len(missed) <= 0.1 * len(asked), missed


@pytest.mark.parametrize("half", ["tuning", "reported"])
def test_what_stands_in_no_note_gives_nothing(
    note_libraries: dict[str, list[Library]], note_questions: dict[str, Any], half: str
) -> None:
    """To most questions that no note answers."""
    asked = _asked(note_libraries, note_questions, half, "absent")
    answered = {query: found for library, query in asked if (found := library.found(query))}
    assert len(answered) <= 0.15 * len(asked), answered


def test_everyday_questions_are_answered(
    everyday_libraries: dict[str, Library], everyday_questions: dict[str, Any]
) -> None:
    """At least 7 of 10 have the answer among the first five, though nothing was fitted on them."""
    asked = [
        (everyday_libraries[name], entry)
        for name, life in everyday_questions.items()
        for entry in life["answerable"]
    ]
    missed = [
        entry["query"]
        for library, entry in asked
        if set(entry["answers"]).isdisjoint(library.found(entry["query"])[:5])
    ]
    assert len(missed) <= 0.3 * len(asked), missed


def test_what_was_never_told_of_somebody_known_is_seldom_answered(
    everyday_libraries: dict[str, Library], everyday_questions: dict[str, Any]
) -> None:
    """In three of ten questions at most."""
    asked = [
        (everyday_libraries[name], query)
        for name, life in everyday_questions.items()
        for query in life["other_attribute"]
    ]
    answered = {query: found for library, query in asked if (found := library.found(query))}
    assert len(answered) <= 0.3 * len(asked), answered


def _asked(
    libraries: dict[str, list[Library]], questions: dict[str, Any], half: str, kind: str
) -> list[tuple[Library, Any]]:
    stores = zip(libraries[half], questions[half], strict=True)
    return [(library, entry) for library, store in stores for entry in store[kind]]


ASK = """
import json, sys
from pathlib import Path
from memctl.embedding import FastEmbedEmbedder
from memctl.search.recall import Recall
from memctl.search.request import RecallRequest
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.lance_index import LanceIndex
from memctl.times import utc_now

folder = Path(sys.argv[1])
embedder = FastEmbedEmbedder(cache_folder=folder / "models")
recall = Recall(
    Graph(Database.open(folder / "memctl.db", clock=utc_now)),
    index_factory=lambda: LanceIndex(folder / "index", dimension=embedder.model.dimension),
    embedder_factory=lambda: embedder,
    clock=utc_now,
)
queries = [RecallRequest(query=query) for query in json.load(sys.stdin)]
json.dump([[hit.memory.id for hit in result.hits] for result in recall.recall_many(queries)],
          sys.stdout)
"""


def test_another_process_gives_the_same_answers_in_the_same_order(
    real_library: Library, gate_queries: dict[str, Any]
) -> None:
    queries = [entry["query"] for entry in gate_queries["present"]]
    there = subprocess.run(
        [sys.executable, "-c", ASK, str(real_library.folder)],
        input=json.dumps(queries),
        capture_output=True,
        text=True,
        check=True,
    )
    here = real_library.recaller.recall_many(RecallRequest(query=query) for query in queries)
    assert json.loads(there.stdout) == [
        [hit.memory.id for hit in result.hits if hit.memory] for result in here
    ]
