"""Measures recall on LoCoMo (Maharana et al., 2024) against vectors alone and BM25 alone.

    python benchmarks/locomo.py PATH [--channel-filter | --no-channel-filter]

PATH is a JSON file in LoCoMo's own form. Every turn becomes a memory of a store in a temporary
folder: the speaker in its text, the turn's id as source, the conversation as channel, the session
and its time with it. The questions of categories 1 to 4 are asked, each in its conversation's
channel; recall@k is the share of a question's evidence turns among the first k hits, and the
figures are means over questions. Nothing of the data set enters the product.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memctl.embedding import FastEmbedEmbedder
from memctl.memory import EntryKind, MemoryFilter, MemoryType, Origin
from memctl.new_memory import NewMemory
from memctl.search.query import read_query
from memctl.search.recall import Recall
from memctl.search.request import RecallRequest
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.lance_index import LanceIndex
from memctl.store.memory_store import MemoryStore
from memctl.times import utc_now

DEPTHS = (5, 10, 20)
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
SESSION_TIME_FORMAT = "%I:%M %p on %d %B, %Y"

Search = Callable[[str, MemoryFilter], list[str]]
"""The ids of the best memories for a question, best first."""


@dataclass(frozen=True, slots=True)
class Question:
    """``evidence`` holds turn ids of the conversation ``channel``."""

    text: str
    category: int
    channel: str
    evidence: frozenset[str]


def turns_of(sample: dict[str, Any]) -> Iterator[NewMemory]:
    """The turns of a conversation as memories, in their order."""
    conversation = sample["conversation"]
    numbers = sorted(
        int(match.group(1))
        for match in (re.fullmatch(r"session_(\d+)", key) for key in conversation)
        if match
    )
    for number in numbers:
        said_at = datetime.strptime(
            conversation[f"session_{number}_date_time"].upper().replace(" ON ", " on "),
            SESSION_TIME_FORMAT,
        ).replace(tzinfo=UTC)
        for turn in conversation[f"session_{number}"]:
            picture = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield NewMemory(
                content=f"{turn['speaker']}: {turn['text']}{picture}",
                memory_type=MemoryType.OBSERVATION,
                source=turn["dia_id"],
                channel_id=sample["sample_id"],
                session_id=f"{sample['sample_id']}/session_{number}",
                event_at=said_at,
                origin=Origin.IMPORT,
            )


def questions_of(sample: dict[str, Any], turn_ids: frozenset[str]) -> Iterator[Question]:
    """The questions that have evidence among the turns."""
    for entry in sample["qa"]:
        named = re.findall(r"D\d+:\d+", " ".join(entry.get("evidence") or ()))
        evidence = frozenset(named) & turn_ids
        if entry["category"] in CATEGORIES and evidence:
            yield Question(entry["question"], entry["category"], sample["sample_id"], evidence)


def measure(
    questions: Sequence[Question], search: Search, sources: dict[str, str], *, in_channel: bool
) -> list[tuple[int, list[float]]]:
    """For each question its category, and its recalls at DEPTHS and reciprocal rank."""
    rows = []
    for question in questions:
        channels = (question.channel,) if in_channel else ()
        found = search(question.text, MemoryFilter(channels=channels))
        turns = [
            sources[key].removeprefix(f"{question.channel} ") for key in found if key in sources
        ]
        row = [
            len(question.evidence & set(turns[:depth])) / len(question.evidence) for depth in DEPTHS
        ]
        ranks = [rank for rank, turn in enumerate(turns, start=1) if turn in question.evidence]
        rows.append((question.category, [*row, 1 / ranks[0] if ranks else 0.0]))
    return rows


def report(name: str, rows: Sequence[tuple[int, list[float]]], seconds: float) -> None:
    """Prints a table of means, one line for each category and one for all."""
    print(f"\n{name} ({1000 * seconds / max(1, len(rows)):.1f} ms a question)")
    print(f"  {'':12}" + "".join(f"{f'R@{depth}':>8}" for depth in DEPTHS) + f"{'MRR':>8}{'n':>6}")
    groups = [
        (label, [row for kind, row in rows if kind == key]) for key, label in CATEGORIES.items()
    ]
    for label, group in [*groups, ("all", [row for _, row in rows])]:
        if group:
            means = [sum(column) / len(group) for column in zip(*group, strict=True)]
            print(f"  {label:12}" + "".join(f"{mean:8.3f}" for mean in means) + f"{len(group):6}")


def main() -> int:
    """Runs the benchmark and prints its tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("path", type=Path, help="LoCoMo's JSON file")
    parser.add_argument(
        "--whole-store",
        action="store_true",
        help="ask in all conversations at once instead of in the question's own channel",
    )
    options = parser.parse_args()
    samples = json.loads(options.path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        run(samples, Path(folder), in_channel=not options.whole_store)
    return 0


def run(samples: Sequence[dict[str, Any]], folder: Path, *, in_channel: bool) -> None:
    """Imports the turns into a store in ``folder`` and asks the questions in three ways."""
    database = Database.open(folder / "memctl.db", clock=utc_now)
    embedder = FastEmbedEmbedder(cache_folder=folder / "models")
    index = LanceIndex(folder / "index", dimension=embedder.model.dimension)
    store = MemoryStore(database, index_factory=lambda: index, embedder_factory=lambda: embedder)
    questions: list[Question] = []
    sources: dict[str, str] = {}
    began = time.perf_counter()
    for sample in samples:
        turns = list(turns_of(sample))
        with store.operation("import") as operation:
            receipts = operation.save_many(turns)
        for turn, receipt in zip(turns, receipts, strict=True):
            sources[receipt.id] = f"{turn.channel_id} {turn.source}"
        questions += questions_of(sample, frozenset(turn.source or "" for turn in turns))
    drained = store.drain()
    index.optimise_if_due()
    print(
        f"{len(sources)} memories of {len(samples)} conversations stored in "
        f"{time.perf_counter() - began:.1f} s ({drained.waiting} without a vector), "
        f"{len(questions)} questions"
    )
    recall = Recall(
        Graph(database),
        index_factory=lambda: index,
        embedder_factory=lambda: embedder,
        clock=utc_now,
    )

    def by_memctl(text: str, memory_filter: MemoryFilter) -> list[str]:
        request = RecallRequest(query=text, memory_filter=memory_filter, limit=max(DEPTHS))
        return [hit.memory.id for hit in recall.recall(request).hits if hit.memory]

    def by_vector(text: str, memory_filter: MemoryFilter) -> list[str]:
        vector = embedder.embed_query(text)
        found = index.search_vector(EntryKind.MEMORY, vector, max(DEPTHS), memory_filter)
        return [hit.id for hit in found]

    def by_text(text: str, memory_filter: MemoryFilter) -> list[str]:
        found = index.search_text(EntryKind.MEMORY, text, max(DEPTHS), memory_filter)
        return [hit.id for hit in found]

    def by_key_text(text: str, memory_filter: MemoryFilter) -> list[str]:
        return by_text(read_query(text).key_text, memory_filter)

    searches = {
        "vectors alone": by_vector,
        "BM25 alone": by_text,
        "BM25 alone, function words left out": by_key_text,
        "memctl recall": by_memctl,
    }
    for name, search in searches.items():
        began = time.perf_counter()
        rows = measure(questions, search, sources, in_channel=in_channel)
        report(name, rows, time.perf_counter() - began)
    database.close()


if __name__ == "__main__":
    sys.exit(main())
