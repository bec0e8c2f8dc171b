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
