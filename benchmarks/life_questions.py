"""Measures whether recall answers questions about a life, and is silent where it knows nothing.

    python benchmarks/life_questions.py [--half tuning | --half reported] [--show]

The 66 memories and 120 questions of ``tests/data/life_questions.json`` are this project's own. Each
half has 40 questions that a memory answers and 20 that none does: 12 or 13 about things that were
never saved, the others about another attribute of something that was. Constants of the gate were
chosen by the half ``tuning`` alone; ``reported`` is only for figures.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from memctl.embedding import FastEmbedEmbedder
from memctl.memory import MemoryType
from memctl.new_memory import NewMemory
from memctl.search.recall import Recall
from memctl.search.request import RecallRequest
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.lance_index import LanceIndex
from memctl.store.memory_store import MemoryStore
from memctl.times import utc_now

QUESTIONS = Path(__file__).parents[1] / "tests" / "data" / "life_questions.json"

HALVES = ("tuning", "reported")

ABSENT_KINDS = ("never_saved", "other_attribute")

TOP = 5
"""Places among which an answer counts as found."""


def make_recall(folder: Path, memories: list[dict[str, str]]) -> Recall:
    """Recall on a new store in ``folder`` that holds the memories."""
    embedder = FastEmbedEmbedder(cache_folder=folder / "models")
    index = LanceIndex(folder / "index", dimension=embedder.model.dimension)
    database = Database.open(folder / "memctl.db", clock=utc_now)
    store = MemoryStore(database, index_factory=lambda: index, embedder_factory=lambda: embedder)
    with store.operation("save") as operation:
        operation.save_many(
            [
                NewMemory(content=entry["content"], memory_type=MemoryType(entry["memory_type"]))
                for entry in memories
            ]
        )
    store.drain()
    return Recall(
        Graph(database),
        index_factory=lambda: index,
        embedder_factory=lambda: embedder,
        clock=utc_now,
    )


def found(recall: Recall, query: str) -> list[str]:
    """The texts of the memories that are found, best first."""
    hits = recall.recall(RecallRequest(query=query)).hits
    return [hit.memory.content for hit in hits if hit.memory]


def measure(recall: Recall, half: dict[str, Any], *, show: bool) -> dict[str, str]:
    """Figures by name, as counts of how many; ``show`` prints the questions that went wrong."""
    answerable = [
        (entry["query"], set(entry["answers"]), found(recall, entry["query"]))
        for entry in half["answerable"]
    ]
    nothing = [query for query, _, contents in answerable if not contents]
    counts = {
        "right first": sum(not answers.isdisjoint(got[:1]) for _, answers, got in answerable),
        f"right in top {TOP}": sum(
            not answers.isdisjoint(got[:TOP]) for _, answers, got in answerable
        ),
        "nothing found": len(nothing),
    }
    figures = {name: f"{count} of {len(answerable)}" for name, count in counts.items()}
    wrong = [(query, "") for query in nothing]
    for kind in ABSENT_KINDS:
        answered = [(query, got[0]) for query in half[kind] if (got := found(recall, query))]
        figures[f"answered though {kind.replace('_', ' ')}"] = (
            f"{len(answered)} of {len(half[kind])}"
        )
        wrong += answered
    if show:
        for query, content in wrong:
            print(f"  {query!r}: {content or 'nothing found'}")
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=HALVES, action="append", help="default: both")
    parser.add_argument("--show", action="store_true", help="print the questions that went wrong")
    arguments = parser.parse_args()
    data = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        recall = make_recall(Path(folder), data["memories"])
        for half in arguments.half or HALVES:
            print(half)
            for name, figure in measure(recall, data[half], show=arguments.show).items():
                print(f"  {name}: {figure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
