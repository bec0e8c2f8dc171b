"""How near `migrate-openclaw` comes to the embedding model alone, on a tree of daily logs.

Writes a workspace of daily logs, takes it into a store of its own, and embeds the same statements
with bare FastEmbed (all cores, batches of 32 sorted by length). Prints the dry run's time, both
rates with their ratio, and the largest memory of the process. Nothing is judged.

    python benchmarks/migration.py [--logs 1000] [--statements 15] [--tree DIR]
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

from bare_fastembed import bare_fastembed, bare_seconds

from memctl.config import EmbeddingSettings, Settings, StoreSettings
from memctl.memory import EntryKind
from memctl.migrating import Migrating
from memctl.migration.options import MigrationOptions
from memctl.runtime import Runtime

PEOPLE = "Ada Bo Carla Dmitri Eun Farid Grete Hugo Ines Jonas Kaito Lena Mara Nils Olga".split()
THINGS = (
    "mixer oven fridge scale router printer van counter shelf boiler lamp heater pump drill "
    "ladder kettle toaster freezer sensor gateway camera speaker tripod battery"
).split()
PLACES = "kitchen cellar attic office garage workshop hall garden pantry loft".split()
DEEDS = "checked cleaned repaired moved labelled ordered stored painted measured replaced".split()
REASONS = (
    "because the seal had become brittle and let the damp in during the night",
    "after the supplier had announced that this model will not be sold any longer",
    "so that the people of the late shift find it without asking around first",
    "since the old one had failed twice in the week before and nobody knew why",
    "because the insurance wants a written record of everything that was touched",
    "although the weather had been dry and nothing had pointed to a leak before",
)
FORMS = (
    "{person} {deed} the {thing} number {number} in the {place} of house {house} {reason}.",
    "Decision: the {thing} number {number} stays in the {place} of house {house} {reason}.",
    "{person} noticed that the {thing} number {number} in house {house} drew {watts} W {reason}.",
    "[ ] {person} wants the {thing} number {number} moved to the {place} of house {house} {reason}",
    "The {thing} number {number} in the {place} of house {house} has {watts} hours left {reason}.",
)


def make_statement(chance: random.Random) -> str:
    """A statement of about 150 characters."""
    return chance.choice(FORMS).format(
        person=chance.choice(PEOPLE),
        deed=chance.choice(DEEDS),
        thing=chance.choice(THINGS),
        place=chance.choice(PLACES),
        reason=chance.choice(REASONS),
        number=chance.randrange(1, 4_000),
        house=chance.randrange(1, 900),
        watts=chance.randrange(10, 9_000),
    )


def write_logs(folder: Path, log_count: int, statement_count: int, seed: int = 5) -> list[str]:
    """A workspace with one daily log a day; the statements that it holds."""
    chance = random.Random(seed)
    memory = folder / "workspace" / "memory"
    memory.mkdir(parents=True)
    statements = []
    for number in range(log_count):
        day = date(2023, 5, 1) + timedelta(days=number)
        lines = [f"# {day}", ""]
        for position in range(statement_count):
            if position % 5 == 0:
                lines += ["", f"## {8 + position:02}:30 Round {position // 5 + 1}"]
            statement = make_statement(chance)
            statements.append(statement)
            lines.append(f"- {statement}")
        (memory / f"{day}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return statements


def migrate(tree: Path, folder: Path) -> tuple[float, float, int]:
    """Seconds of the dry run and of the migration, and how many memories that stored."""
    settings = Settings(
        store=StoreSettings(path=folder / "store"),
        embedding=EmbeddingSettings(cache_folder=folder / "cache"),
    )
    runtime = Runtime(settings, warn=print)
    runtime.embedder.embed_passages(["warm"])
    runtime.index.count(EntryKind.MEMORY)
    migrating = Migrating(runtime, home=folder, warn=print)
    try:
        started = time.perf_counter()
        planned = migrating.plan([tree], MigrationOptions())
        dry_seconds = time.perf_counter() - started
        started = time.perf_counter()
        plan = migrating.plan([tree], MigrationOptions())
        outcomes = list(migrating.apply(plan))
        seconds = time.perf_counter() - started
        assert planned.memory_count == plan.memory_count
        return dry_seconds, seconds, sum(outcome.new for outcome in outcomes)
    finally:
        runtime.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logs", type=int, default=1_000)
    parser.add_argument("--statements", type=int, default=15)
    parser.add_argument("--tree", type=Path, help="Write the tree here, and do no more.")
    arguments = parser.parse_args()
    if arguments.tree is not None:
        write_logs(arguments.tree, arguments.logs, arguments.statements)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        statements = write_logs(folder / "state", arguments.logs, arguments.statements)
        size = sum(map(len, statements)) / 1e6
        print(f"{arguments.logs} logs, {len(statements)} statements, {size:.1f} MB")
        dry_seconds, seconds, stored = migrate(folder / "state", folder)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
        bare = bare_seconds(bare_fastembed(folder), statements)
        print(
            f"dry run {dry_seconds:.1f} s, migration {seconds:.1f} s, bare FastEmbed {bare:.1f} s"
        )
        print(
            f"bare {len(statements) / bare:.0f}/s, migration {stored / seconds:.0f}/s "
            f"({stored} memories), ratio {(stored / seconds) / (len(statements) / bare):.2f}, "
            f"dry run {dry_seconds / seconds:.3f} of the migration, {memory:.0f} MB"
        )


if __name__ == "__main__":
    main()
