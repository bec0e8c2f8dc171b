"""An ingest that is stopped or killed leaves nothing half done, says what is left, and can be taken
back in parts.
"""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from command_runner import RunMemctl

from memctl.associating import MOST_LEFT_UNDONE

FILES, LINES = 700, 5
PATIENCE_SECONDS = 120.0

Stop = Callable[[int, Sequence[str]], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Notes that take some seconds."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(FILES):
        lines = (f"- Shelf {number}-{place} holds {place + 2} jars.\n" for place in range(LINES))
        (folder / f"n{number:04d}.md").write_text("".join(lines), encoding="utf-8")
    return folder


@pytest.fixture
def stop(
    memctl_command: Sequence[str],
    memctl_environment: dict[str, str],
    folder: Path,
    store_path: Path,
    tmp_path: Path,
) -> Stop:
    """Ingests the folder, and sends a signal as soon as something is stored."""

    def run(number: int, options: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        command = [*memctl_command, "ingest", str(folder), *options]
        process = subprocess.Popen(
            command,
            env=memctl_environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not _stored(store_path):
            assert time.monotonic() < deadline, "nothing was stored"
            assert process.poll() is None, "it ended before it was stopped"
            time.sleep(0.02)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
        return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)

    return run


def _stored(store_path: Path) -> int:
    try:
        with sqlite3.connect(f"file:{store_path / 'memctl.db'}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM documents").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_says_what_is_left_and_the_next_one_does_that(
    stop: Stop, call_memctl: RunMemctl, folder: Path, store_path: Path, number: int, status: int
) -> None:
    """One line on stderr; what was stored is found by the next command."""
    stopped = stop(number, ())

    assert stopped.returncode == status
    [line] = stopped.stderr.splitlines()
    said = re.search(r"([\d,]+) are taken in and ([\d,]+) are left, and the same command", line)
    assert said is not None, line
    known, left = (int(figure.replace(",", "")) for figure in said.groups())
    assert (known, known + left) == (_stored(store_path), FILES)
    assert left > 0
    assert call_memctl("recall", "Shelf 0-3 jars", "--json").json["results"]
    rest = call_memctl("ingest", folder, "--json").json["documents"]
    assert sum(not one["already_ingested"] for one in rest) == left
    counts = call_memctl("status", "--json").json
    assert counts["pending"] == counts["waiting_for_vector"] == 0
    assert counts["memories"] == counts["indexed_memories"] == LINES * FILES


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_stopped_while_it_compares_says_so_and_the_next_one_does_that(
    stop: Stop, call_memctl: RunMemctl, folder: Path, number: int, status: int
) -> None:
    """All files are stored by then, also where they say more than a save would catch up with."""
    for path in sorted(folder.iterdir())[1:]:
        path.unlink()
    [path] = folder.iterdir()
    count = MOST_LEFT_UNDONE + 100
    path.write_text("".join(f"- Shelf {place} holds {place + 2} jars.\n" for place in range(count)))

    stopped = stop(number, ())

    assert stopped.returncode == status
    [line] = stopped.stderr.splitlines()
    assert f"all files are taken in, {count:,} memories are not compared" in line
    rest = call_memctl("ingest", folder)
    assert f"compared {count:,} memories that earlier commands had left" in rest.stderr
    assert call_memctl("ingest", folder, "--json").json["caught_up"] == 0


@pytest.mark.slow
def test_a_stopped_run_says_the_same_in_json(stop: Stop) -> None:
    """The error's object holds the line of stderr."""
    stopped = stop(signal.SIGTERM, ("--json",))

    error = json.loads(stopped.stdout)["error"]
    assert (error["name"], error["exit_status"]) == ("terminated_ingest", 143)
    assert stopped.stderr == f"memctl: {error['message']}\n"


@pytest.mark.slow
def test_a_killed_run_is_an_operation_that_can_be_taken_back(
    stop: Stop, call_memctl: RunMemctl, folder: Path
) -> None:
    """The log shows that it did not finish; taking back the run that went on names it."""
    assert stop(signal.SIGKILL, ()).returncode == -signal.SIGKILL
    call_memctl("ingest", folder)

    second, first = call_memctl("log", "--json").json["operations"]
    assert (first["unfinished"], second["unfinished"]) == (True, False)
    assert "[not finished]" in call_memctl("log").stdout
    planned = call_memctl("undo", "--dry-run", "--json").json
    assert planned["broken_off_before"] == first["id"]
    undone = call_memctl("undo")
    assert f"Taken back: {second['id']} " in undone.stdout
    assert f"`memctl undo {first['id']}` takes it back" in undone.stderr
    assert call_memctl("list", "--json").json["memories"]
    assert "broken off" not in call_memctl("undo", str(first["id"])).stderr
    assert call_memctl("list", "--json").json["memories"] == []


@pytest.mark.slow
def test_a_killed_run_can_be_taken_back_alone(
    stop: Stop, call_memctl: RunMemctl, folder: Path
) -> None:
    """What the run that went on has stored stays."""
    stop(signal.SIGKILL, ())
    call_memctl("ingest", folder)
    second, first = call_memctl("log", "--json").json["operations"]

    call_memctl("undo", str(first["id"]))

    stored = second["changes"]["memories"]["added"]
    assert call_memctl("status", "--json").json["memories"] == stored
