"""Measures maintenance on large stores with planted near-duplicates and look-alikes.

    python benchmarks/maintenance.py [--sizes 10000 100000] [--saves 10000] [--keep FOLDER]

Each size gets a store of generated notes in a temporary folder, of which one in twenty has a
reworded twin and one in fifty a look-alike that differs in one value only (a number, a date, a
name, a denial). No model runs: vectors are random, and those of twins and look-alikes are mixed to
cosines of .955 to .995 with their originals, which is what decides the work of a merge. All notes
are 100 days old, so the first run also lets all of them decay. Building and maintaining run in
processes of their own; the peak memory is that of the maintaining one. With ``--keep`` the stores
stay in that folder, and the next run maintains copies of what it finds there, and asks those of
``--saves`` again.

With ``--saves N``, N notes are saved one by one and then maintained, and compared with one bulk
import of the same notes: size of the index's folder, and medians of vector and text queries.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.association import thresholds_for
from memctl.cli.main import LIBRARY_THREADS
from memctl.embedding import EmbeddingModel
from memctl.maintenance.maintenance import Maintenance
from memctl.maintenance.merge import MergePlanner
from memctl.maintenance.plan import DEFAULT_STEPS, MaintenancePolicy, StepName, StepReport
from memctl.maintenance.steps import (
    Advance,
    CentralityStep,
    CompactStep,
    DecayStep,
    ExpireStep,
    MergeStep,
    PruneStep,
    ReindexStep,
    Step,
)
from memctl.memory import EntryKind, MemoryType, RelationType
from memctl.new_memory import NewMemory
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.index_rebuild import IndexRebuild
from memctl.store.lance_index import LanceIndex
from memctl.store.memory_store import MemoryStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSION = 384
BATCH = 5_000
START = datetime(2026, 3, 1, 9, tzinfo=UTC)
AGE = timedelta(days=100)
QUERIES = 210

PEOPLE = "Ada Bram Cleo Dario Elif Femi Gus Hana Ivo Jun Kira Leo Mina Noor Otto Petra".split()
THINGS = (
    "billing service;garden shed;night train;tax return;router;sourdough;violin;data pipeline;"
    "allotment;dishwasher;passport;insurance;bicycle;greenhouse;printer;backup disk;telescope;"
    "kitchen tap;language course;beehive;mobile app;coffee machine;chimney;ladder"
).split(";")
PLACES = "Graz Oslo Porto Cork Turin Lyon Gdansk Tartu Bergen Bath Delft Ghent Siena".split()
ACTIONS = "repaired ordered cancelled moved checked planned sold cleaned measured painted".split()
MONTHS = "January February March April May June July August September October".split()

TWINS: Sequence[Callable[[str], str]] = (
    lambda text: text.removesuffix("."),
    lambda text: f"- {text}",
    lambda text: f"Note: {text}",
    lambda text: text.replace("did not ", "didn't "),
    lambda text: text.replace(" euros", " EUR"),
    lambda text: text.replace(", and", " and"),
)


class Planted:
    """A generated note with the words in which its twin or look-alike may differ."""

    def __init__(self, dice: random.Random, number: int) -> None:
        self.person, self.other = dice.sample(PEOPLE, 2)
        self.action, self.thing = dice.choice(ACTIONS), dice.choice(THINGS)
        self.place, self.amount = dice.choice(PLACES), dice.randrange(10, 9_999)
        self.day, self.month = dice.randrange(1, 28), dice.choice(MONTHS)
        self.verb = f"did not {self.action.removesuffix('d')}" if number % 5 == 0 else self.action
        self.code = number

    def text(self) -> str:
        return (
            f"{self.person} {self.verb} the {self.thing} in {self.place} on {self.day} "
            f"{self.month} with {self.other}, and the job {self.code} cost {self.amount} euros."
        )

    def look_alike(self, dice: random.Random) -> str:
        kind = dice.randrange(4)
        if kind == 0:
            self.amount += 1
        elif kind == 1:
            self.day = self.day % 27 + 1
        elif kind == 2:
            others = [name for name in PEOPLE if name not in {self.person, self.other}]
            self.other = dice.choice(others)
        else:
            denied = self.verb.startswith("did not")
            self.verb = self.action if denied else f"did not {self.action.removesuffix('d')}"
        return self.text()


class KnownVectors:
    """An embedder that looks its vectors up; others are random by their text."""

    def __init__(self, texts: Sequence[str], originals: Sequence[int | None]) -> None:
        import numpy as np

        generator = np.random.default_rng(11)
        vectors = generator.standard_normal((len(texts), DIMENSION), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        for row, original in enumerate(originals):
            if original is not None:
                cosine = np.float32(generator.uniform(0.955, 0.995))
                base, own = vectors[original], vectors[row]
                own = own - (own @ base) * base
                own /= np.linalg.norm(own)
                vectors[row] = cosine * base + np.sqrt(1 - cosine**2) * own
        self._vectors = vectors
        self._rows = {text: row for row, text in enumerate(texts)}
        self.model = EmbeddingModel("random", DIMENSION)
        self.window_tokens = 256

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self._vectors[[self._rows[text] for text in texts]]
        return found

    def embed_ahead(self, texts: Sequence[str]) -> None:
        """Does nothing: its vectors are there."""

    def expect_many(self) -> None:
        """Many are no faster than few."""

    def close(self) -> None:
        """Nothing was begun."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self._vectors[self._rows[text]]
        return found

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def notes(size: int) -> tuple[list[str], list[int | None], int, int]:
    """Texts, the row of each twin's or look-alike's original, and how many of both there are."""
    dice = random.Random(size)
    twins, look_alikes = size // 20, size // 50
    planted = [Planted(dice, number) for number in range(size - twins - look_alikes)]
    texts = [note.text() for note in planted]
    originals: list[int | None] = [None] * len(texts)
    chosen = dice.sample(range(len(planted)), twins + look_alikes)
    for place, row in enumerate(chosen):
        if place < twins:
            changed = next(
                twin
                for change in dice.sample(TWINS, len(TWINS))
                if (twin := change(texts[row])) != texts[row]
            )
        else:
            changed = planted[row].look_alike(dice)
        texts.append(changed)
        originals.append(row)
    return texts, originals, twins, look_alikes


class Place:
    """An open store in a folder."""

    def __init__(self, folder: Path, now: datetime, embedder: KnownVectors | None) -> None:
        self.database = Database.open(folder / "memctl.db", clock=lambda: now)
        self.graph = Graph(self.database)
        self.index = LanceIndex(
            folder / "index", dimension=DIMENSION, generation=self.graph.index_generation
        )
        self.store = MemoryStore(
            self.database,
            index_factory=lambda: self.index,
            embedder_factory=lambda: embedder,  # type: ignore[arg-type, return-value]
        )
        self.now = now

    def maintain(self) -> list[StepReport]:
        """All steps, as `memctl maintain --yes` does them."""
        policy = MaintenancePolicy(hide_share=None)
        planner = MergePlanner(
            self.graph,
            index_factory=lambda: self.index,
            thresholds=thresholds_for(""),
            least_similarity=policy.merge_similarity,
        )
        steps: dict[StepName, Step] = {
            StepName.DECAY: DecayStep(self.database, policy),
            StepName.EXPIRE: ExpireStep(self.database, policy),
            StepName.PRUNE: PruneStep(self.database, policy),
            StepName.MERGE: MergeStep(self.database, self.store, planner, policy),
            StepName.CENTRALITY: CentralityStep(self.database),
            StepName.REINDEX: ReindexStep(
                self.database,
                self.store,
                index_factory=lambda: self.index,
                rebuild=no_rebuild,
                whole=False,
                change_model=False,
            ),
            StepName.COMPACT: CompactStep(
                self.database,
                index_factory=lambda: self.index,
                policy=policy,
                grace_seconds=1.0,
                finish_purge=lambda: False,
            ),
        }
        maintenance = Maintenance(
            self.database,
            self.store,
            self.graph,
            steps=steps,
            policy=policy,
            on_step=lambda _name, _count: lambda _done: None,
        )
        return list(maintenance.run(list(DEFAULT_STEPS), dry_run=False, now=self.now))

    def close(self) -> None:
        self.index.close()
        self.database.close()


def no_rebuild(_advance: Advance) -> IndexRebuild:
    """The index is only brought up to date here."""
    raise RuntimeError("the index of the benchmark's store cannot be used")


def build(folder: Path, size: int) -> None:
    """Fills a store in bulk, with three associations for each note."""
    texts, originals, _, _ = notes(size)
    place = Place(folder, START, KnownVectors(texts, originals))
    dice = random.Random(3)
    for start in range(0, size, BATCH):
        with place.store.operation("import") as operation:
            receipts = operation.save_many(
                [
                    NewMemory(content=text, memory_type=MemoryType.EVENT)
                    for text in texts[start : start + BATCH]
                ]
            )
            ids = [receipt.id for receipt in receipts]
            links = {(one, dice.choice(ids)) for one in ids for _ in range(3)}
            operation.associate(
                [(one, two, RelationType.RELATED_TO, 0.5) for one, two in links if one != two]
            )
    place.store.drain()
    place.index.optimise_if_due()
    place.close()


def maintain_twice(folder: Path, size: int) -> None:
    """Maintains an old store, and again with nothing new; prints what was found."""
    texts, originals, twins, look_alikes = notes(size)
    place = Place(folder, START + AGE, None)
    for turn in ("first", "again"):
        began, began_cpu = time.perf_counter(), time.process_time()
        reports = place.maintain()
        seconds, cpu = time.perf_counter() - began, time.process_time() - began_cpu
        steps = ", ".join(f"{report.name} {report.seconds:.1f}" for report in reports)
        print(f"{size:,} notes, {turn} run: {seconds:.1f} s, {cpu:.1f} s of CPU ({steps})")
    hidden = place.graph.list_memories(only_forgotten=True)
    kept = place.graph.memories({memory.superseded_by or "" for memory in hidden})
    row = {text: number for number, text in enumerate(texts)}
    merged = {
        frozenset((row[memory.content], row[kept[memory.superseded_by or ""].content]))
        for memory in hidden
    }
    first = size - twins - look_alikes
    pairs = [frozenset((number, originals[number])) for number in range(first, size)]
    found = sum(pair in merged for pair in pairs[:twins])
    wrong = sum(pair in merged for pair in pairs[twins:])
    other = len(merged) - found - wrong
    print(
        f"  twins merged {found / twins:.1%} of {twins:,}; look-alikes {wrong} of {look_alikes:,}"
    )
    print(f"  other merges {other}", flush=True)
    place.close()


def in_child(work: Callable[[], None]) -> float:
    """Runs ``work`` in a process of its own and gives its peak memory in MB."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            work()
            sys.stdout.flush()
            os._exit(0)
        except BaseException:  # noqa: BLE001 - a child must not run its parent's code
            traceback.print_exc()
            os._exit(1)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(1)
    return usage.ru_maxrss / 1_000


def folder_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def query_medians(
    places: Sequence[Place], embedder: KnownVectors, texts: Sequence[str]
) -> list[list[float]]:
    """For each place the medians in ms of a vector query and of a text query; the places take
    turns, so that whatever else the machine does concerns all of them."""
    times: list[list[list[float]]] = [[[], []] for _ in places]
    for text in texts:
        vector = embedder.embed_query(text)
        for place, columns in zip(places, times, strict=True):
            calls = [
                partial(place.index.search_vector, EntryKind.MEMORY, vector, 10),
                partial(place.index.search_text, EntryKind.MEMORY, text, 10),
            ]
            for column, call in zip(columns, calls, strict=True):
                began = time.perf_counter()
                call()
                column.append(1_000 * (time.perf_counter() - began))
    return [[statistics.median(column[10:]) for column in columns] for columns in times]


def save_both_ways(folder: Path, count: int) -> None:
    """Fills one store in bulk and one by single saves, which are maintained at the end."""
    texts, originals, _, _ = notes(count)
    embedder = KnownVectors(texts, originals)
    for name, size in (("bulk", len(texts)), ("single", 1)):
        place = Place(folder / name, START, embedder)
        for start in range(0, len(texts), size):
            with place.store.operation("save") as operation:
                news = [NewMemory(content=text) for text in texts[start : start + size]]
                receipts = operation.save_many(news)
            place.store.drain(only=[receipt.id for receipt in receipts] if size == 1 else None)
        if size == 1:
            print(f"{count:,} single saves: {folder_bytes(folder / name / 'index'):,} bytes")
            place.maintain()
        place.index.optimise_if_due()
        place.close()


def compare_saves(folder: Path, count: int) -> None:
    """Single saves and maintenance against one bulk import."""
    texts, originals, _, _ = notes(count)
    embedder = KnownVectors(texts, originals)
    places = {name: Place(folder / name, START, embedder) for name in ("bulk", "single")}
    asked = random.Random(5).choices(texts, k=QUERIES)
    medians = query_medians(list(places.values()), embedder, asked)
    for (name, place), (vector, text) in zip(places.items(), medians, strict=True):
        size = folder_bytes(folder / name / "index")
        print(f"  {name}: {size:,} bytes, vector {vector:.2f} ms, text {text:.2f} ms", flush=True)
        place.close()


def built_in(folder: Path, name: str, build_in: Callable[[Path], None]) -> Path:
    """The folder of that name, which is filled when it is not there yet."""
    built = folder / name
    if not built.exists():
        making = built.with_name(f"{name}.part")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        in_child(partial(build_in, making))
        making.rename(built)
    return built


def main() -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--saves", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="where built stores stay for the next run")
    options = parser.parse_args()
    os.environ.setdefault(*LIBRARY_THREADS)
    print("random vectors of 384 numbers, no model; see --help")
    with tempfile.TemporaryDirectory() as folder:
        kept = options.keep or Path(folder)
        for size in options.sizes:
            built = built_in(kept, f"built-{size}", partial(build, size=size))
            place = Path(folder) / str(size)
            shutil.copytree(built, place)
            peak = in_child(partial(maintain_twice, place, size))
            print(f"  peak memory {peak:,.0f} MB", flush=True)
        if options.saves:
            fill = partial(save_both_ways, count=options.saves)
            saves = built_in(kept, f"saves-{options.saves}", fill)
            in_child(partial(compare_saves, saves, options.saves))
    return 0


if __name__ == "__main__":
    sys.exit(main())
