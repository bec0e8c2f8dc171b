"""Does `memctl ingest --watch` lose or double anything, whatever happens to it and to the files?

    python benchmarks/watch_faults.py --files 200 --kills 20

Files are copied slowly, renamed into place, replaced while they are being read, edited after they
have been taken in, and deleted, in a drop folder and in a folder of the user's own. Meanwhile the
watching process is killed with SIGKILL again and again, and `memctl save`, `recall` and `status`
run beside it, each in a loop of its own, from the beginning until all files are worked off and each
has run some rounds. At the end every file must be where it belongs, every statement be remembered
once, and SQLite and LanceDB hold the same ids. Prints what it found, with the count and the seconds
of each command; the exit status is 1 when anything is wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from memctl.config import Settings, StoreSettings
from memctl.document import Document, DocumentStatus
from memctl.memory import Chunk, EntryKind, Memory
from memctl.runtime import Runtime
from memctl.store.outbox_rows import rows_of_ids

QUIET_SECONDS = 240.0
"""Longest time in which the last start must have worked everything off."""

NAMES = "Adler Birke Cygnus Dorn Esche Falke Garbe Heide Iltis Jolle Krume Linde Moor Nadel".split()
THINGS = "locker kettle ladder anvil barrel lantern saddle trowel whistle compass bucket".split()


@dataclass
class World:
    """The folders, and what must be true of them at the end."""

    root: Path
    random: random.Random
    final: dict[Path, str] = field(default_factory=dict)
    saved: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    command_seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def drop(self) -> Path:
        return self.root / "drop"

    @property
    def notes(self) -> Path:
        return self.root / "notes"

    @property
    def store(self) -> Path:
        return self.root / "store"

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "MEMCTL_STORE": str(self.store),
            "MEMCTL_INGEST_DROP_FOLDER": str(self.drop),
            "MEMCTL_STORE_WAIT_SECONDS": "60",
        }


def statement(number: int, version: int) -> str:
    """A statement that no other file makes."""
    thing, name = THINGS[number % len(THINGS)], NAMES[number % len(NAMES)]
    return f"The {thing} tagged {name}-{number:04d}x{version} stands in bay {number * 7 + version}."


def place_slowly(world: World, path: Path, number: int) -> None:
    """Writes a file piece by piece, as a copy over a slow line does."""
    text = statement(number, 0) + "\n"
    with path.open("w") as stream:
        for start in range(0, len(text), 24):
            stream.write(text[start : start + 24])
            stream.flush()
            time.sleep(0.05)
    world.final[path] = statement(number, 0)


def place_by_rename(world: World, path: Path, number: int) -> None:
    """Writes a file aside and moves it in."""
    aside = world.root / f"aside-{number}"
    aside.write_text(statement(number, 0) + "\n")
    aside.rename(path)
    world.final[path] = statement(number, 0)


def place_and_replace(world: World, path: Path, number: int) -> None:
    """Writes a file and puts another in its place about when it is read."""
    path.write_text(statement(number, 0) + "\n")
    time.sleep(world.random.uniform(0.3, 2.5))
    place_by_rename(world, path, number)
    replace(world, path, number, 1)


def replace(world: World, path: Path, number: int, version: int) -> None:
    """Puts another version of a file in its place."""
    newer = world.root / f"newer-{number}"
    newer.write_text(statement(number, version) + "\n")
    newer.replace(path)
    world.final[path] = statement(number, version)


def edit_notes(world: World) -> None:
    """Edits each third file of the user's own, all of which have been taken in."""
    for path in sorted(world.notes.glob("*.md"))[::3]:
        replace(world, path, int(path.stem.partition("-")[2]), 2)


def place_and_delete(world: World, path: Path, number: int) -> None:
    """Writes a file and deletes it about when it is read; in the drop folder it may be gone."""
    path.write_text(statement(number, 0) + "\n")
    time.sleep(world.random.uniform(0.1, 2.0))
    path.unlink(missing_ok=True)


def write_files(world: World, count: int) -> None:
    """Each file by one of the four ways, in one of the two folders, several at a time."""
    ways = (place_slowly, place_by_rename, place_and_replace, place_and_delete)
    threads: list[threading.Thread] = []
    for number in range(count):
        folder = world.drop if number % 2 else world.notes
        path = folder / f"note-{number:04d}.md"
        way = ways[(number // 2) % len(ways)]
        threads.append(threading.Thread(target=way, args=(world, path, number)))
        threads[-1].start()
        time.sleep(world.random.uniform(0.02, 0.4))
    for thread in threads:
        thread.join()


def start_watching(world: World, log: Path) -> subprocess.Popen[bytes]:
    """One watching process; what it says goes to the end of ``log``."""
    with log.open("ab") as stream:
        return subprocess.Popen(
            [sys.executable, "-m", "memctl", "ingest", "--watch", world.drop, world.notes],
            stdout=stream,
            stderr=stream,
            env=world.environment,
        )


def kill(process: subprocess.Popen[bytes]) -> None:
    """Ends it at once, wherever it is."""
    process.kill()
    process.wait()


def save_beside(world: World, number: int) -> None:
    """Saves a statement that nothing else makes."""
    text = f"The ledger entry {NAMES[number % len(NAMES)]}-s{number:04d} was written by hand."
    run(world, "save", text, "--type", "fact")
    world.saved.append(text)


def recall_beside(world: World, _number: int) -> None:
    """Asks for what the files say."""
    run(world, "recall", "which bay holds the kettle?")


def status_beside(world: World, _number: int) -> None:
    """Asks for the status, as a script does."""
    run(world, "status", "--json")


def repeat(world: World, rounds: int, command: Callable[[World, int], None]) -> None:
    """Runs a command again and again until all is done, and no less than ``rounds`` times."""
    number = 0
    while number < rounds or not world.done.is_set():
        number += 1
        command(world, number)


def run(world: World, *arguments: str) -> None:
    """One command; it must end well."""
    started = time.monotonic()
    result = subprocess.run(
        [sys.executable, "-m", "memctl", *arguments],
        capture_output=True,
        text=True,
        env=world.environment,
        check=False,
    )
    world.command_seconds[arguments[0]].append(time.monotonic() - started)
    if result.returncode != 0 or "Traceback" in result.stderr:
        words = " ".join(arguments)
        world.problems.append(f"{words}: status {result.returncode}: {result.stderr[-500:]}")


def opened(world: World) -> Runtime:
    settings = Settings(store=StoreSettings(path=world.store))
    return Runtime(settings, warn=world.problems.append, command="watch_faults")


def wait_until_quiet(world: World, *, indexed: bool) -> float:
    """Until every file that is there has been taken in, and (``indexed``) nothing waits to get
    into the index; the seconds that took."""
    started = time.monotonic()
    while time.monotonic() - started < QUIET_SECONDS:
        runtime = opened(world)
        known = {document.path: document for document in runtime.graph.documents()}
        pending = runtime.graph.counts().pending if indexed else 0
        runtime.close()
        left_in_drop = [path for path in world.drop.glob("*.md") if path.is_file()]
        undone = [
            path for path in world.notes.glob("*.md") if not is_taken_in(path, known.get(str(path)))
        ]
        if not left_in_drop and not undone and not pending:
            return time.monotonic() - started
        time.sleep(1.0)
    standing = [
        f"{path.name} {one.status.value if (one := known.get(str(path))) else 'unknown'}"
        for path in undone
    ]
    world.problems.append(
        f"not quiet: {left_in_drop} are in the drop folder, {standing} are not taken in as they "
        f"are now, {pending} ids not indexed"
    )
    return QUIET_SECONDS


def is_taken_in(path: Path, document: Document | None) -> bool:
    """Whether the ledger has a file as it is now; an older version of it is not enough."""
    return (
        document is not None
        and document.status is DocumentStatus.DONE
        and document.content_hash == hashlib.sha256(path.read_bytes()).hexdigest()
    )


def check(world: World, log: Path) -> None:
    """Compares the folders, the database and the index with what must be true."""
    if b"Traceback" in log.read_bytes():
        world.problems.append("the watching process printed a traceback")
    runtime = opened(world)
    visible = Counter(memory.content for memory in runtime.graph.list_memories())
    for path, text in world.final.items():
        check_file(world, path, text)
        if visible[text] != 1:
            world.problems.append(f"{visible[text]} memories say: {text}")
    for text in world.saved:
        if visible[text] != 1:
            world.problems.append(f"{visible[text]} memories say: {text}")
    # What the last stop left to do is done by the next command that wants the index.
    runtime.complete_index()
    if pending := runtime.graph.counts().pending:
        world.problems.append(f"{pending} ids are not in the index after a drain")
    check_index(world, runtime)
    held = runtime.graph.counts()
    print(f"memories: {held.live} live, {held.superseded} superseded, {held.forgotten} hidden")
    runtime.close()


def check_file(world: World, path: Path, text: str) -> None:
    """A file of the user's own stays where it is; one that was dropped is in the archive, once."""
    if path.parent == world.notes:
        if not path.exists() or path.read_text() != text + "\n":
            world.problems.append(f"{path.name} is gone or changed")
        return
    held = [one for one in world.drop.glob("processed/*/*.md") if one.read_text() == text + "\n"]
    if len(held) != 1:
        world.problems.append(f"{len(held)} files in processed/ hold {path.name}")


def check_index(world: World, runtime: Runtime) -> None:
    """Both stores hold the same ids, each once, whatever is outdated included: an edited line's old
    statement is history that the index keeps too."""
    memories = {memory.id: memory for memory in all_memories(runtime)}
    indexed = {id_ for id_, memory in memories.items() if not memory.forgotten}
    chunks = {
        chunk.id: chunk
        for document in runtime.graph.documents()
        for chunk in runtime.graph.chunks_of(document.id)
    }
    for kind, wanted in ((EntryKind.MEMORY, indexed), (EntryKind.CHUNK, set(chunks))):
        found, rows = runtime.index.ids(kind), runtime.index.count(kind)
        if rows != len(found):
            world.problems.append(f"LanceDB holds {rows} {kind} rows of {len(found)} ids")
        for entry_id in sorted(found ^ wanted):
            side = "LanceDB" if entry_id in found else "SQLite"
            said = described(runtime, entry_id, memories.get(entry_id) or chunks.get(entry_id))
            world.problems.append(f"only {side} holds {kind} {entry_id}: {said}")
    unfound = runtime.index.ids_without_vector(EntryKind.MEMORY)
    if unfound:
        world.problems.append(f"{len(unfound)} memories have no vector in LanceDB")


def all_memories(runtime: Runtime) -> list[Memory]:
    """Live, superseded, expired and forgotten ones."""
    return runtime.graph.list_memories(
        include_forgotten=True, include_superseded=True, include_expired=True
    )


def described(runtime: Runtime, entry_id: str, entry: Memory | Chunk | None) -> str:
    """What the database has of an id, and whether that waits for the index."""
    with runtime.database.reading() as connection:
        rows = rows_of_ids(connection, [entry_id])
    queued = f"in the outbox as {[row.sequence for row in rows]}" if rows else "not in the outbox"
    if entry is None:
        return f"unknown to SQLite or retired, {queued}"
    status = ""
    if isinstance(entry, Memory):
        status = "forgotten, " if entry.forgotten else "visible, "
        if entry.superseded_by is not None:
            status += f"superseded by {entry.superseded_by}, "
        status += f"updated {entry.updated_at}, "
    return f"{status}{queued}: {entry.content!r}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=10, help="least runs of each command")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memctl-faults-") as name:
        world = World(Path(name), random.Random(options.seed))
        world.drop.mkdir()
        world.notes.mkdir()
        log = world.root / "watch.log"
        run(world, "status")
        stop_seconds, quiet_seconds = suffer(world, log, options)
        check(world, log)
        print(f"files: {options.files}, of which {len(world.final)} stay; kills: {options.kills}")
        for command, seconds in world.command_seconds.items():
            print(
                f"{command} beside it: {len(seconds)} times, "
                f"median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s"
            )
        print(f"quiet after {quiet_seconds:.1f} s; ended {stop_seconds:.2f} s after SIGTERM")
    for problem in world.problems:
        print("PROBLEM:", problem)
    print("problems:", len(world.problems))
    return bool(world.problems)


def suffer(world: World, log: Path, options: argparse.Namespace) -> tuple[float, float]:
    """Everything at once, then peace; seconds that the last process took to end and to work off."""
    writer = threading.Thread(target=write_files, args=(world, options.files))
    beside = [
        threading.Thread(target=repeat, args=(world, options.rounds, command))
        for command in (save_beside, recall_beside, status_beside)
    ]
    for thread in (writer, *beside):
        thread.start()
    for _ in range(options.kills - 1):
        process = start_watching(world, log)
        time.sleep(world.random.uniform(1.0, 6.0))
        kill(process)
    process = start_watching(world, log)
    writer.join()
    quiet_seconds = wait_until_quiet(world, indexed=False)
    edit_notes(world)
    time.sleep(world.random.uniform(1.0, 6.0))
    kill(process)
    process = start_watching(world, log)
    quiet_seconds += wait_until_quiet(world, indexed=False)
    world.done.set()
    for thread in beside:
        thread.join()
    quiet_seconds += wait_until_quiet(world, indexed=True)
    started = time.monotonic()
    process.send_signal(signal.SIGTERM)
    if process.wait(timeout=60) != 143:
        world.problems.append(f"the watching process ended with {process.returncode}")
    return time.monotonic() - started, quiet_seconds


if __name__ == "__main__":
    sys.exit(main())
