"""Stores for tests of recall: small ones that each test fills, and one with the real model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from fakes.hash_embedder import HashEmbedder
from fakes.memory_index import MemoryIndex
from recall_library import Library

from memctl.embedding import FastEmbedEmbedder
from memctl.memory import MemoryType
from memctl.new_memory import NewMemory
from memctl.store.lance_index import LanceIndex

GATE_QUERIES = Path(__file__).parents[1] / "data" / "gate_queries.json"

LIFE_QUESTIONS = GATE_QUERIES.with_name("life_questions.json")

EVERYDAY_QUESTIONS = GATE_QUERIES.with_name("everyday_questions.json")

NOTE_QUESTIONS = GATE_QUERIES.with_name("note_questions.json")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """An empty store that needs no model and no disk for its index."""
    embedder = HashEmbedder(dimension=128)
    library = Library(tmp_path, MemoryIndex(128), embedder)
    yield library
    library.database.close()


@pytest.fixture(scope="session")
def gate_queries() -> dict[str, Any]:
    """60 memories, 50 queries that one of them answers, 50 that none does."""
    found: dict[str, Any] = json.loads(GATE_QUERIES.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="session")
def life_questions() -> dict[str, Any]:
    """66 memories of one life, and two halves of 60 questions about it (``benchmarks/``)."""
    found: dict[str, Any] = json.loads(LIFE_QUESTIONS.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="session")
def everyday_questions() -> dict[str, Any]:
    """Two lives with questions that were written before anybody looked how recall answers them;
    since then they have shown a few wrong words of the lexicons, and nothing was fitted on them."""
    found: dict[str, Any] = json.loads(EVERYDAY_QUESTIONS.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="session")
def note_questions() -> dict[str, Any]:
    """Stores of some 40 notes in five languages, each with questions in other words than theirs and
    some that none answers. Constants and lexicons were chosen by ``tuning`` alone."""
    found: dict[str, Any] = json.loads(NOTE_QUESTIONS.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="session")
def real_library(
    tmp_path_factory: pytest.TempPathFactory, gate_queries: dict[str, Any]
) -> Iterator[Library]:
    """The 60 memories in LanceDB with the bundled model; only to be read."""
    yield from _with_the_bundled_model(tmp_path_factory.mktemp("real"), gate_queries["memories"])


@pytest.fixture(scope="session")
def life_library(
    tmp_path_factory: pytest.TempPathFactory, life_questions: dict[str, Any]
) -> Iterator[Library]:
    """The memories of one life, likewise."""
    yield from _with_the_bundled_model(tmp_path_factory.mktemp("life"), life_questions["memories"])


@pytest.fixture(scope="session")
def everyday_libraries(
    tmp_path_factory: pytest.TempPathFactory, everyday_questions: dict[str, Any]
) -> Iterator[dict[str, Library]]:
    """The memories of those lives, by the life's name."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(
                contextmanager(_with_the_bundled_model)(
                    tmp_path_factory.mktemp("everyday"), life["memories"]
                )
            )
            for name, life in everyday_questions.items()
        }


@pytest.fixture(scope="session")
def note_libraries(
    tmp_path_factory: pytest.TempPathFactory, note_questions: dict[str, Any]
) -> Iterator[dict[str, list[Library]]]:
    """The stores of notes, by half."""
    with ExitStack() as stack:
        yield {
            half: [
                stack.enter_context(
                    contextmanager(_with_the_bundled_model)(
                        tmp_path_factory.mktemp("notes"), store["memories"]
                    )
                )
                for store in stores
            ]
            for half, stores in note_questions.items()
        }


def _with_the_bundled_model(folder: Path, memories: list[dict[str, str]]) -> Iterator[Library]:
    embedder = FastEmbedEmbedder(cache_folder=folder / "models")
    index = LanceIndex(folder / "index", dimension=embedder.model.dimension)
    library = Library(folder, index, embedder)
    with library.store.operation("save") as operation:
        operation.save_many(
            [
                NewMemory(content=entry["content"], memory_type=MemoryType(entry["memory_type"]))
                for entry in memories
            ]
        )
    assert library.store.drain().waiting == 0
    yield library
    library.database.close()
    index.close()
