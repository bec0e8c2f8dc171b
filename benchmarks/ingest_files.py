"""Many small Markdown files from the shell: rate, peak memory, and a second run over all of them.

Writes files of a heading and a few one-line statements, takes them in with `memctl ingest` as a
process of its own into a new store, twice, and embeds the texts of the same chunks with bare
FastEmbed. Nothing is judged.

    python benchmarks/ingest_files.py [--files 1000 10000] [--statements 2]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from bare_fastembed import bare_fastembed, bare_seconds

from ingest import make_statements, opened


@dataclass(frozen=True, slots=True)
class Run:
    """One process with those that it starts: seconds of wall time, of CPU time, and the peak of
    their memory in MB."""

    seconds: float
    cpu_seconds: float
    peak_megabytes: float


def write_notes(folder: Path, file_count: int, statement_count: int) -> None:
    """Files of a heading and ``statement_count`` bullets, all of them different."""
    folder.mkdir()
    statements = make_statements(file_count * statement_count)
    for number in range(file_count):
        own = statements[number * statement_count : (number + 1) * statement_count]
        lines = [f"# Round {number}", "", *(f"- {statement}" for statement in own)]
        (folder / f"note-{number:05}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def run_ingest(store: Path, notes: Path) -> Run:
    """`memctl ingest` from start to end."""
    command = [sys.executable, "-m", "memctl", "--store", str(store), "ingest", str(notes)]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        with watching_memory(process.pid) as peaks:
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    seconds = time.perf_counter() - started
    alone = usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    return Run(seconds, usage.ru_utime + usage.ru_stime, max(alone, *peaks))


@contextmanager
def watching_memory(process_id: int) -> Iterator[list[float]]:
    """Collects what a process and its children have together, in MB, ten times a second.

    Pages that they share count twice. Where there is no /proc, nothing is collected.
    """
    sums = [0.0]
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(0.1):
            ids = [process_id, *children_of(process_id)]
            sums.append(sum(resident_megabytes(one) for one in ids))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield sums
    finally:
        is_over.set()
        watcher.join()


def children_of(process_id: int) -> list[int]:
    """The processes that a process has started and that are still there."""
    found: list[int] = []
    for path in Path(f"/proc/{process_id}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, path.read_text().split())
    return found


def resident_megabytes(process_id: int) -> float:
    """What a process has in memory now; 0 where that cannot be known."""
    with suppress(OSError, IndexError):
        pages = int(Path(f"/proc/{process_id}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024**2
    return 0.0


def compare(folder: Path) -> tuple[int, int, float]:
    """How many chunks and memories the store below ``folder`` has, and the time of FastEmbed alone
    on the chunks."""
    with opened(folder) as runtime:
        documents = runtime.graph.documents()
        chunks = [
            chunk.content
            for document in documents
            for chunk in runtime.graph.chunks_of(document.id)
        ]
        memories = runtime.graph.counts().visible
    return len(chunks), memories, bare_seconds(bare_fastembed(folder / "cache"), chunks)


def measure(file_count: int, statement_count: int) -> None:
    """Prints the figures of one number of files.

    Models are loaded in a process of its own: a process that is started counts the memory of the
    one that starts it as its own peak.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_notes(folder / "notes", file_count, statement_count)
        first = run_ingest(folder / "store", folder / "notes")
        second = run_ingest(folder / "store", folder / "notes")
        with ProcessPoolExecutor(1, get_context("spawn")) as other:
            chunks, memories, bare = other.submit(compare, folder).result()
    print(
        f"{file_count:6} files, {chunks} chunks, {memories} memories: "
        f"first run {first.seconds:.1f} s ({first.cpu_seconds:.1f} s CPU, "
        f"{first.peak_megabytes:.0f} MB), second run {second.seconds:.1f} s "
        f"({second.peak_megabytes:.0f} MB); bare FastEmbed on the chunks {bare:.1f} s, "
        f"ratio {bare / first.seconds:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--statements", type=int, default=2)
    arguments = parser.parse_args()
    for file_count in arguments.files:
        measure(file_count, arguments.statements)


if __name__ == "__main__":
    main()
