"""Measures how recall's latency grows with the store, against its bare parts in the same run.

    python benchmarks/scale.py [--sizes 1000 10000 100000] [--queries 50] [--embed]

Each size gets a store in a temporary folder, filled with generated sentences of a person's notes
in sessions. With ``--embed`` the bundled model embeds them all (about 3 minutes for 100,000 on two
cores); otherwise memories get vectors mixed from those of a sample, which costs the search the
same. Hybrid recall is compared with the sum of one query embedding, one LanceDB vector query and
one LanceDB full-text query, each measured alone on the same questions; figures are medians.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.embedding import Embedder, EmbeddingModel, FastEmbedEmbedder
from memctl.memory import EntryKind, MemoryType
from memctl.new_memory import NewMemory
from memctl.search.query import read_query
from memctl.search.recall import Recall
from memctl.search.request import RecallRequest
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.lance_index import LanceIndex
from memctl.store.memory_store import MemoryStore
from memctl.times import utc_now

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIMIT = 10
SAMPLE = 2_000
BATCH = 5_000
SESSION_LENGTH = 20
WARM_UP = 5

PEOPLE = (
    "Ada Bram Cleo Dario Elif Femi Gus Hana Ivo Jun Kira Leo Mina Noor Otto Petra Quinn".split()
)
THINGS = (
    "billing service;garden shed;night train;tax return;router;sourdough;violin;data pipeline;"
    "allotment;dishwasher;passport;insurance;bicycle;greenhouse;printer;backup disk;telescope;"
    "kitchen tap;language course;half marathon;beehive;mobile app;coffee machine;chimney"
).split(";")
PLACES = "Graz Oslo Porto Cork Turin Lyon Gdansk Tartu Bergen Bath Delft Ghent Siena".split()
ACTIONS = (
    "repaired;ordered;cancelled;moved;checked;paid for;forgot;planned;sold;described;praised;"
    "cleaned;measured;borrowed;renewed;painted"
).split(";")


class MixingEmbedder:
    """Queries go to the model, passages get a mix of two vectors of a sample that it embedded."""

    def __init__(self, embedder: Embedder, sample: Sequence[str]) -> None:
        self._embedder = embedder
        self._vectors = embedder.embed_passages(sample)
        self._random = random.Random(7)
        self.window_tokens = embedder.window_tokens
        self.count_tokens = embedder.count_tokens
        self.embed_query = embedder.embed_query

    @property
    def model(self) -> EmbeddingModel:
        return self._embedder.model

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        generator = np.random.default_rng(self._random.randrange(2**32))
        rows = generator.integers(0, len(self._vectors), (2, len(texts)))
        share = generator.random((len(texts), 1), dtype=np.float32)
        mixed = share * self._vectors[rows[0]] + (1 - share) * self._vectors[rows[1]]
        return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), dtype=np.float32)

    def embed_ahead(self, texts: Sequence[str]) -> None:
        """Does nothing: mixing takes no time worth saving."""

    def expect_many(self) -> None:
        """Many are no faster than few."""

    def close(self) -> None:
        """Nothing was begun; the embedder belongs to whoever gave it."""


def sentence(dice: random.Random, number: int) -> str:
    """One generated note; the number keeps it unique."""
    return (
        f"{dice.choice(PEOPLE)} {dice.choice(ACTIONS)} the {dice.choice(THINGS)} in "
        f"{dice.choice(PLACES)} with {dice.choice(PEOPLE)}, note {number}."
    )


def question(dice: random.Random) -> str:
    """One generated question about such notes."""
    return f"When was the {dice.choice(THINGS)} {dice.choice(ACTIONS)} in {dice.choice(PLACES)}?"


def fill(store: MemoryStore, index: LanceIndex, size: int) -> None:
    """Saves ``size`` memories and brings the index up to date. They count as compared with each
    other, as in a store that has grown: the next command would begin with thousands of them."""
    dice = random.Random(size)
    for start in range(0, size, BATCH):
        with store.operation("import") as operation:
            receipts = operation.save_many(
                [
                    NewMemory(
                        content=sentence(dice, number),
                        memory_type=MemoryType.EVENT,
                        session_id=f"session {number // SESSION_LENGTH}",
                    )
                    for number in range(start, min(start + BATCH, size))
                ]
            )
            operation.mark_compared([receipt.id for receipt in receipts])
    store.drain()
    index.optimise_if_due()


def seconds_of(call: Callable[[], object]) -> float:
    """How long one call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def measure(size: int, folder: Path, embedder: Embedder, queries: int) -> list[float]:
    """Medians in ms of a query embedding, a vector query, a text query, and a recall.

    The four take turns, so that whatever else the machine does meets them alike.
    """
    database = Database.open(folder / "memctl.db", clock=utc_now)
    index = LanceIndex(folder / "index", dimension=embedder.model.dimension)
    store = MemoryStore(database, index_factory=lambda: index, embedder_factory=lambda: embedder)
    fill(store, index, size)
    recall = Recall(
        Graph(database),
        index_factory=lambda: index,
        embedder_factory=lambda: embedder,
        clock=utc_now,
    )
    dice = random.Random(size + 1)
    times: list[list[float]] = [[], [], [], []]
    for turn in range(WARM_UP + queries):
        vector = embedder.embed_query(question(dice))
        key_text = read_query(question(dice)).key_text
        text, request = question(dice) + f" {turn}", RecallRequest(query=question(dice))
        calls: list[Callable[[], object]] = [
            partial(embedder.embed_query, text),
            partial(index.search_vector, EntryKind.MEMORY, vector, LIMIT),
            partial(index.search_text, EntryKind.MEMORY, key_text, LIMIT),
            partial(recall.recall, request),
        ]
        for column, call in zip(times, calls, strict=True):
            column.append(seconds_of(call))
    database.close()
    index.close()
    return [1_000 * statistics.median(column[WARM_UP:]) for column in times]


def main() -> int:
    """Runs the benchmark and prints one line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--embed", action="store_true", help="embed every memory with the model")
    options = parser.parse_args()
    print(f"{'memories':>9}{'embed':>9}{'vector':>9}{'text':>9}{'recall':>9}{'x parts':>9}")
    with tempfile.TemporaryDirectory() as folder:
        embedder: Embedder = FastEmbedEmbedder(cache_folder=Path(folder) / "models")
        if not options.embed:
            dice = random.Random(0)
            embedder = MixingEmbedder(embedder, [sentence(dice, n) for n in range(SAMPLE)])
        for size in options.sizes:
            place = Path(folder) / str(size)
            place.mkdir()
            *parts, whole = measure(size, place, embedder, options.queries)
            figures = [*parts, whole, whole / sum(parts)]
            print(f"{size:9,}" + "".join(f"{figure:9.2f}" for figure in figures), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
