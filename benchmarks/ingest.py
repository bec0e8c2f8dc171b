"""How near ingestion comes to the embedding model alone, on short memories.

Writes files of one-line statements, takes them in by the built-in rules into a store of its own,
and embeds the same texts with bare FastEmbed (all cores, batches of 32 sorted by length) in the
same process; prints both rates and their ratio. Nothing is judged.

    python benchmarks/ingest.py [--memories 2000] [--files 20] [--rounds 3]
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bare_fastembed import bare_fastembed, bare_seconds

from memctl.config import EmbeddingSettings, Settings, StoreSettings
from memctl.file_runtime import FileRuntime
from memctl.ingestion.options import IngestOptions
from memctl.memory import EntryKind
from memctl.runtime import Runtime

PEOPLE = "Ada Bo Carla Dmitri Eun Farid Grete Hugo Ines Jonas Kaito Lena Mara Nils Olga".split()
THINGS = (
    "mixer oven fridge scale router printer van counter shelf boiler lamp heater pump drill "
    "ladder kettle toaster freezer sensor gateway camera speaker tripod battery"
).split()
PLACES = "kitchen cellar attic office garage workshop hall garden pantry loft".split()
VERBS = "keeps checks cleans repairs moves labels orders stores lends paints".split()


def make_statements(count: int, seed: int = 7) -> list[str]:
    """Distinct short statements, about 13 tokens each."""
    chance = random.Random(seed)
    statements: dict[str, None] = {}
    while len(statements) < count:
        statements[
            f"{chance.choice(PEOPLE)} {chance.choice(VERBS)} the {chance.choice(THINGS)} "
            f"number {chance.randrange(1, 400)} in the {chance.choice(PLACES)} of house "
            f"{chance.randrange(1, 90)}."
        ] = None
    return list(statements)


def write_files(folder: Path, statements: Sequence[str], file_count: int) -> None:
    """Bullet lists in markdown, the statements spread evenly over the files."""
    folder.mkdir()
    for number in range(file_count):
        lines = [f"- {statement}" for statement in statements[number::file_count]]
        (folder / f"notes-{number:04}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


@contextmanager
def opened(folder: Path) -> Iterator[Runtime]:
    """A runtime on a store below ``folder`` whose model is loaded already."""
    settings = Settings(
        store=StoreSettings(path=folder / "store"),
        embedding=EmbeddingSettings(cache_folder=folder / "cache"),
    )
    runtime = Runtime(settings, warn=print)
    runtime.embedder.embed_passages(["warm"])
    runtime.index.count(EntryKind.MEMORY)
    try:
        yield runtime
    finally:
        runtime.close()


def ingest_seconds(statements: Sequence[str], file_count: int) -> tuple[float, int]:
    """Time to take all files in, and how many memories that gave."""
    with tempfile.TemporaryDirectory() as name, opened(Path(name)) as runtime:
        write_files(Path(name) / "notes", statements, file_count)
        started = time.perf_counter()
        files = FileRuntime(runtime)
        found = files.discover([Path(name) / "notes"])
        receipts = list(files.ingest(found, IngestOptions()))
        seconds = time.perf_counter() - started
        return seconds, sum(len(receipt.memory_ids) for receipt in receipts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    statements = make_statements(arguments.memories)
    print(f"{arguments.memories} statements in {arguments.files} files, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as name:
        fastembed = bare_fastembed(Path(name))
    for _ in range(arguments.rounds):
        bare = bare_seconds(fastembed, statements)
        ours, stored = ingest_seconds(statements, arguments.files)
        print(
            f"bare FastEmbed {arguments.memories / bare:7.0f}/s   "
            f"ingest {stored / ours:7.0f}/s ({stored} memories)   "
            f"ratio {(stored / ours) / (arguments.memories / bare):.2f}"
        )


if __name__ == "__main__":
    main()
