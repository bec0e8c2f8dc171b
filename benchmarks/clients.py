"""Measures a server that many ask at once, beside an ingest into the same store.

    python benchmarks/clients.py [--memories 10000] [--clients 50] [--seconds 60] [--pause 2]

Fills a store with generated notes (see ``scale.py``), plants statements whose right answer is
known, and starts `memctl serve`. Each client then asks over the socket, as the command does: of
100 requests 60 recall, 15 show, 15 list and 10 save. First one client alone, without a pause; then
all clients as people and agents are, each pausing for ``--pause`` seconds on average between two
requests; then all clients without any pause, where each request waits for the others. Beside both
crowds `memctl ingest` takes in one folder of new notes after the other.

Printed are medians, 95th percentiles and maxima in ms, what was not answered by the server, and
what was answered wrongly: another memory than the planted one in front, another text than was
saved, a list without its length. Nothing is judged.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scale import PEOPLE, PLACES, THINGS, sentence
from start_up import build_store

from memctl.cli.warm.client import ask_server
from memctl.cli.warm.protocol import server_socket, socket_path
from memctl.config import load_settings
from memctl.new_memory import NewMemory
from memctl.runtime import Runtime

PLANTED = 200
LISTED = 5
ALONE_SECONDS = 15
FILES_A_FOLDER = 20
NOTES_A_FILE = 15
SHARES = {"recall": 60, "show": 15, "list": 15, "save": 10}


@dataclass(frozen=True, slots=True)
class Planted:
    """A statement in the store, a question that it answers, and its id."""

    text: str
    question: str
    id: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One request: what kind, how long it took, and "right", "wrong" or "unanswered"."""

    kind: str
    seconds: float
    end: str


class Client:
    """Asks one request after the other and looks whether the answers are right."""

    def __init__(
        self, number: int, planted: Sequence[Planted], environment: Mapping[str, str]
    ) -> None:
        self._dice = random.Random(number)
        self._number = number
        self._planted = planted
        self._environment = environment
        self._saved: list[tuple[str, str]] = []
        self._saves = 0
        self.samples: list[Sample] = []

    def run(self, until: float, pause_seconds: float) -> None:
        """Asks until the clock shows ``until``."""
        while True:
            if pause_seconds:
                time.sleep(self._dice.expovariate(1 / pause_seconds))
            if time.monotonic() >= until:
                return
            [kind] = self._dice.choices(list(SHARES), list(SHARES.values()))
            began = time.perf_counter()
            answer, expected = getattr(self, f"_{kind}")()
            seconds = time.perf_counter() - began
            end = "unanswered" if answer is None else "right" if answer == expected else "wrong"
            self.samples.append(Sample(kind, seconds, end))

    def _recall(self) -> tuple[object, object]:
        planted = self._dice.choice(self._planted)
        answer = self._ask("recall", planted.question, "--limit", "5")
        found = None if answer is None else [row["id"] for row in answer["results"][:1]]
        return found, [planted.id]

    def _show(self) -> tuple[object, object]:
        known = [(planted.id, planted.text) for planted in self._planted]
        identity, text = self._dice.choice([*known, *self._saved * 10])
        answer = self._ask("show", identity)
        return None if answer is None else answer["content"], text

    def _list(self) -> tuple[object, object]:
        answer = self._ask("list", "--limit", str(LISTED))
        return None if answer is None else len(answer["memories"]), LISTED

    def _save(self) -> tuple[object, object]:
        self._saves += 1
        text = f"Parcel {self._number}-{self._saves} for {self._dice.choice(PEOPLE)} has come"
        answer = self._ask("save", text)
        if answer is None:
            return None, True
        if answer["id"] is not None:
            self._saved.append((answer["id"], text))
        return answer["outcome"] != "unchanged", True

    def _ask(self, *words: str) -> dict[str, Any] | None:
        line = [*words, "--json"]
        path = server_socket(line, self._environment)
        stdout, stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        if path is None or ask_server(path, line, stdout, stderr, self._environment) != 0:
            return None
        stdout.seek(0)
        answer: dict[str, Any] = json.load(stdout)
        return answer


def plant(environment: Mapping[str, str]) -> list[Planted]:
    """Saves the statements whose right answers are known."""
    runtime = Runtime(load_settings(environment, {}, None).settings, warn=print)
    dice = random.Random(5)
    planted = []
    for number in range(PLANTED):
        code, thing = f"K{1000 + 7 * number}", dice.choice(THINGS)
        text = f"The key {code} of the {thing} lies with {dice.choice(PEOPLE)}"
        text = f"{text} in {dice.choice(PLACES)}"
        question = f"Where is the key {code} of the {thing}?"
        planted.append((text, question))
    with runtime.store.operation("import") as operation:
        receipts = operation.save_many([NewMemory(content=text) for text, _ in planted])
    runtime.drain()
    runtime.associator.associate(operation, receipts)
    runtime.close()
    return [
        Planted(text, question, receipt.id)
        for (text, question), receipt in zip(planted, receipts, strict=True)
    ]


@contextmanager
def ingesting(
    command: Sequence[str], environment: Mapping[str, str], folder: Path
) -> Iterator[list[int]]:
    """Takes in one folder of new notes after the other while the body runs; gives the exit
    statuses so far."""
    stop, statuses = threading.Event(), list[int]()
    dice = random.Random(17)

    def run() -> None:
        while not stop.is_set():
            notes = folder / str(time.monotonic_ns())
            notes.mkdir(parents=True)
            for number in range(FILES_A_FOLDER):
                lines = [f"- {sentence(dice, dice.randrange(10**9))}" for _ in range(NOTES_A_FILE)]
                (notes / f"{number}.md").write_text("\n".join(lines), encoding="utf-8")
            ended = subprocess.run(
                [*command, "ingest", str(notes)],
                env=dict(environment),
                capture_output=True,
                check=False,
            )
            statuses.append(ended.returncode)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield statuses
    finally:
        stop.set()
        thread.join()


def crowd(clients: Sequence[Client], seconds: float, pause_seconds: float) -> list[Sample]:
    """Lets all clients ask at once; their samples."""
    until = time.monotonic() + seconds
    threads = [
        threading.Thread(target=client.run, args=(until, pause_seconds)) for client in clients
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [sample for client in clients for sample in client.samples]


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def report(title: str, samples: Sequence[Sample], alone: Mapping[str, float]) -> dict[str, float]:
    """Prints a table; gives the medians by kind. ``alone`` are those of one client."""
    print(f"\n{title}\n{'':10}{'number':>8}{'median':>9}{'p95':>9}{'most':>9}{'p95 / alone':>13}")
    medians = {}
    for kind in (*SHARES, "all"):
        times = [1_000 * one.seconds for one in samples if kind in {one.kind, "all"}]
        if not times:
            continue
        medians[kind] = statistics.median(times)
        high = percentile(times, 0.95)
        ratio = f"{high / alone[kind]:12.1f}x" if kind in alone else ""
        print(f"{kind:10}{len(times):8}{medians[kind]:9.1f}{high:9.1f}{max(times):9.1f}{ratio}")
    ends = {end: sum(one.end == end for one in samples) for end in ("unanswered", "wrong")}
    print(f"not answered by the server: {ends['unanswered']}; answered wrongly: {ends['wrong']}")
    return medians


def main() -> None:
    """Runs the benchmark and prints its figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=2)
    options = parser.parse_args()
    command = [str(Path(sys.executable).parent / "memctl")]
    with tempfile.TemporaryDirectory(prefix="mc-") as name:
        folder = Path(name)
        (folder / "store").mkdir(mode=0o700)
        build_store(folder, options.memories)
        environment = {
            **os.environ,
            "HOME": name,
            "MEMCTL_STORE": str(folder / "store"),
            "XDG_RUNTIME_DIR": name,
        }
        planted = plant(environment)
        server = subprocess.Popen([*command, "serve"], env=environment, stderr=subprocess.DEVNULL)
        try:
            while not Path(socket_path(environment, None, None)).exists():
                time.sleep(0.05)
            measure(command, environment, folder, planted, options)
        finally:
            server.terminate()
            server.wait()


def measure(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    planted: Sequence[Planted],
    options: argparse.Namespace,
) -> None:
    """Prints the figures of one client alone and of the two crowds."""

    def clients(number: int, first: int) -> list[Client]:
        return [Client(first + one, planted, environment) for one in range(number)]

    crowd(clients(1, 0), 2, 0)
    alone = report("one client alone", crowd(clients(1, 1), ALONE_SECONDS, 0), {})
    for first, pause_seconds in ((1_000, options.pause), (2_000, 0)):
        with ingesting(command, environment, folder / "notes") as statuses:
            samples = crowd(clients(options.clients, first), options.seconds, pause_seconds)
        title = f"{options.clients} clients, {pause_seconds:g} s of pause, beside an ingest"
        report(title, samples, alone)
        print(f"{len(statuses)} folders taken in, exit statuses {sorted(set(statuses))}")


if __name__ == "__main__":
    main()
