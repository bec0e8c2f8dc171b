"""The README's promise: the sample notes go in, and questions about them find the answers."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from command_runner import RunMemctl, child_environment

from memctl.memory import MemoryType

pytestmark = pytest.mark.slow

SAMPLE_DATA = Path(__file__).resolve().parents[1] / "sample_data"
FAKE_PASSWORD = b"correct-horse-FAKE"

ANSWERED = {
    "why did we choose PostgreSQL?": "SQLite to PostgreSQL",
    "where did the router address move to?": "192.0.2.254",
    "what is Pickle allergic to?": "chicken",
    "who may borrow a chainsaw?": "certificate",
    "how many tools may a member have at a time?": "four tools",
    "标签的价格": "一点二欧元",
    "会員証の色": "紺色",
    "¿qué asiento prefiere Bram?": "ventana",
}
"""Questions, and words of the memory that must stand first or second."""

UNANSWERED = ["tax return of a zeppelin", "who won the chess olympiad?"]


@pytest.fixture(scope="module")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that the sample notes have been taken into."""
    folder = tmp_path_factory.mktemp("sample")
    store = folder / "store"
    subprocess.run(
        [sys.executable, "-m", "memctl", "--store", store, "ingest", SAMPLE_DATA],
        env=child_environment(folder),
        check=True,
        capture_output=True,
    )
    return store


def test_the_sample_notes_give_memories_of_every_type(
    sample_store: Path, call_memctl: RunMemctl
) -> None:
    listing = call_memctl("--store", sample_store, "list", "--limit", "500", "--json").json
    counts = Counter(memory["memory_type"] for memory in listing["memories"])
    assert counts.keys() == set(MemoryType)
    assert 100 <= counts.total() <= 160


@pytest.mark.parametrize("question", ANSWERED)
def test_a_question_finds_its_answer(
    question: str, sample_store: Path, call_memctl: RunMemctl
) -> None:
    answer = call_memctl("--store", sample_store, "recall", question, "--limit", "2", "--json").json
    contents = [result["content"] for result in answer["results"]]
    assert any(ANSWERED[question] in content for content in contents), contents


@pytest.mark.parametrize("question", UNANSWERED)
def test_a_question_about_something_else_finds_nothing(
    question: str, sample_store: Path, call_memctl: RunMemctl
) -> None:
    assert call_memctl("--store", sample_store, "recall", question, "--json").json["results"] == []


def test_the_password_of_the_notes_is_in_no_byte_of_the_store(sample_store: Path) -> None:
    files = [path for path in sample_store.rglob("*") if path.is_file()]
    assert files
    assert [path for path in files if FAKE_PASSWORD in path.read_bytes()] == []


def test_taking_the_sample_notes_in_again_changes_nothing(
    sample_store: Path, call_memctl: RunMemctl
) -> None:
    listing = ("--store", sample_store, "list", "--limit", "500", "--json")
    before = call_memctl(*listing).json
    again = call_memctl("--store", sample_store, "ingest", SAMPLE_DATA, "--json").json
    taken = [document for document in again["documents"] if document["status"] == "done"]
    assert [document["path"] for document in taken if not document["already_ingested"]] == []
    assert call_memctl(*listing).json == before
