"""Measures what a command costs from the shell, cold and answered by a server.

    python benchmarks/start_up.py [--memories 10000] [--rounds 10]

Fills a store with generated notes (see ``scale.py``) and runs whole processes on it in turns, each
the same number of rounds; a figure is the median of the wall-clock times in ms. What they are
compared with runs in the same turns: an empty Python, the import of Typer, and the bare imports of
LanceDB, FastEmbed and SQLAlchemy with the loading of the bundled model. Then a cold recall is taken
apart inside one process: import, open, embed, search, print. Nothing is judged.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from scale import MixingEmbedder, fill, question, sentence

from memctl.cli.warm.protocol import SWITCH, socket_path
from memctl.embedding import FastEmbedEmbedder
from memctl.store.database import Database
from memctl.store.lance_index import LanceIndex
from memctl.store.memory_store import MemoryStore
from memctl.times import utc_now

BARE = """
import sys
sys.path.append({benchmarks!r})
import lancedb, fastembed, sqlalchemy
from pathlib import Path
from bare_fastembed import bare_fastembed
list(bare_fastembed(Path({cache!r}), threads=1).embed(["warm"]))
"""
"""Loading takes the model's registration with FastEmbed, a few milliseconds of our own."""

PHASES = """
import sys, time
began = time.perf_counter()
def lap(name, seen=[began]):
    now = time.perf_counter()
    print(f"{name:<28}{1000 * (now - seen[0]):8.0f} ms", file=sys.stderr)
    seen[0] = now
from memctl.cli.command_function import command_function
command_function("recall")
from memctl.cli.main import main
import memctl.search.recall, memctl.store.graph
lap("import of the command")
from memctl.store.lance_import import import_lancedb
import_lancedb("/")
lap("import of LanceDB")
from memctl.fastembed_import import import_fastembed
import_fastembed(with_hub=False)
lap("import of FastEmbed")
import os
import random
from memctl.config import load_settings
from memctl.runtime import Runtime
runtime = Runtime(load_settings(os.environ, {}, None).settings, warn=print)
runtime.graph.counts(); runtime.index
lap("open of both stores")
runtime.embedder.embed_query("warm")
lap("loading of the model")
runtime.embedder.embed_query(sys.argv[1])
lap("embedding of the query")
from memctl.search.request import RecallRequest
result = runtime.searcher.recall(RecallRequest(query=sys.argv[1]))
lap("search")
from memctl.cli.output import Output
from memctl.cli.render import HIT_COLUMNS, hit_row
output = Output(sys.stdout, sys.stderr, os.environ, as_json=False)
output.table(HIT_COLUMNS, [hit_row(hit, runtime.clock(), is_rich=True) for hit in result.hits])
lap("print")
"""


def build_store(folder: Path, memories: int) -> None:
    """A store of generated notes."""
    embedder = FastEmbedEmbedder(cache_folder=folder / "cache")
    dice = random.Random(3)
    mixing = MixingEmbedder(embedder, [sentence(dice, number) for number in range(1_000)])
    database = Database.open(folder / "store" / "memctl.db", clock=utc_now)
    index = LanceIndex(folder / "store" / "index", dimension=embedder.model.dimension)
    store = MemoryStore(database, index_factory=lambda: index, embedder_factory=lambda: mixing)
    fill(store, index, memories)
    database.close()
    index.close()


def seconds_of(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """How long a process takes."""
    began = time.perf_counter()
    subprocess.run(command, env=dict(environment), stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def main() -> None:
    """Runs the benchmark and prints its figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mc-") as name:
        folder = Path(name)
        (folder / "store").mkdir(mode=0o700)
        build_store(folder, options.memories)
        warm = {
            **os.environ,
            "HOME": name,
            "MEMCTL_STORE": str(folder / "store"),
            "XDG_RUNTIME_DIR": name,
        }
        cold = {**warm, SWITCH: "1"}
        measure(folder, warm, cold, options.rounds)
        subprocess.run(
            [sys.executable, "-c", PHASES, "When was the violin repaired in Cork?"],
            env=cold,
            stdout=subprocess.DEVNULL,
            check=True,
        )


def measure(folder: Path, warm: Mapping[str, str], cold: Mapping[str, str], rounds: int) -> None:
    """Prints the medians of all processes, which take turns."""
    memctl = [str(Path(sys.executable).parent / "memctl")]
    bare = [
        sys.executable,
        "-c",
        BARE.format(benchmarks=str(Path(__file__).parent), cache=str(folder / "cache")),
    ]
    identity = (
        subprocess.run(
            [*memctl, "list", "--limit", "1"], env=dict(cold), capture_output=True, check=True
        )
        .stdout.split()[0]
        .decode()
    )
    light = {
        "list": ["list", "--limit", "5"],
        "show": ["show", identity],
        "recall --mode recent": ["recall", "--mode", "recent"],
    }
    dice = random.Random(11)
    times: dict[str, list[float]] = {}
    server = subprocess.Popen([*memctl, "serve"], env=dict(warm), stderr=subprocess.DEVNULL)
    try:
        while not Path(socket_path(warm, None, None)).exists():
            time.sleep(0.05)
        for number in range(rounds):
            query = question(dice)
            runs = {
                "python -c pass": ([sys.executable, "-c", "pass"], cold),
                "import typer": ([sys.executable, "-c", "import typer"], cold),
                "bare imports and model": (bare, cold),
                "memctl --help": ([*memctl, "--help"], cold),
                "recall, cold": ([*memctl, "recall", query], cold),
                "recall, answered": ([*memctl, "recall", query], warm),
                "save, answered": ([*memctl, "save", f"{query} Round {number}."], warm),
            }
            for name, words in light.items():
                runs[f"{name}, cold"] = ([*memctl, *words], cold)
                runs[f"{name}, answered"] = ([*memctl, *words], warm)
            for name, (command, environment) in runs.items():
                times.setdefault(name, []).append(seconds_of(command, environment))
    finally:
        server.terminate()
        server.wait()
    medians = {name: statistics.median(values) for name, values in times.items()}
    print(f"{'':<32}{'ms':>8}{'x pass':>9}{'x typer':>9}{'x bare':>9}")
    for name, median in medians.items():
        ratios = "".join(
            f"{median / medians[base]:9.2f}"
            for base in ("python -c pass", "import typer", "bare imports and model")
        )
        print(f"{name:<32}{1_000 * median:8.0f}{ratios}")
    faster = medians["recall, cold"] / medians["recall, answered"]
    print(f"recall is answered {faster:.1f} times faster by a server")


if __name__ == "__main__":
    main()
