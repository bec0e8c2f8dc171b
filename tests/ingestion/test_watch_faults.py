"""A short run of the fault benchmark, and the watching process as a process of its own."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 120.0

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
def test_nothing_is_lost_or_doubled_while_files_change_and_the_process_is_killed(
    memctl_environment,
):
    script = REPOSITORY / "benchmarks" / "watch_faults.py"
    result = subprocess.run(
        [sys.executable, script, "--files", "24", "--kills", "4", "--rounds", "2"],
        capture_output=True,
        text=True,
        env=memctl_environment,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


class Process:
    """`memctl ingest --watch` with its log and its JSON in files."""

    def __init__(
        self,
        command: list[str],
        folder: Path,
        environment: dict[str, str],
        *watched: Path,
        terminal: int | None = None,
    ) -> None:
        """``terminal`` becomes the standard input of a session of its own."""
        self.log, self.answers = folder / "watch.log", folder / "watch.jsonl"
        with self.log.open("wb") as log, self.answers.open("wb") as answers:
            self.process = subprocess.Popen(
                [*command, "ingest", "--watch", "--json", *watched],
                stdin=terminal,
                start_new_session=terminal is not None,
                stdout=answers,
                stderr=log,
                env=environment,
            )

    def wait_for_log(self, text: str, count: int = 1) -> None:
        self._wait_until(lambda: self.log.read_text().count(text) >= count)

    def first_answer(self) -> dict[str, object]:
        """The first document's JSON: it is printed after the log line that says `done`."""
        self._wait_until(lambda: "\n" in self.answers.read_text())
        return json.loads(self.answers.read_text().partition("\n")[0])

    def _wait_until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    def end(self, number: signal.Signals) -> tuple[int, float]:
        """The exit status after a signal, and the seconds until then."""
        started = time.monotonic()
        self.process.send_signal(number)
        status = self.process.wait(timeout=PATIENCE_SECONDS)
        return status, time.monotonic() - started


@pytest.fixture
def start(memctl_command, memctl_environment, tmp_path) -> Iterator[Callable[..., Process]]:
    started: list[Process] = []

    def begin(*watched: Path, **variables: str) -> Process:
        drop = str(tmp_path / "drop")
        environment = {**memctl_environment, "MEMCTL_INGEST_DROP_FOLDER": drop, **variables}
        given = {name: value for name, value in environment.items() if value}
        started.append(Process(memctl_command, tmp_path, given, *watched))
        started[-1].wait_for_log("event=watching")
        return started[-1]

    yield begin
    for one in started:
        one.process.kill()
        one.process.wait()


@pytest.mark.slow
def test_a_watching_process_takes_in_reloads_idles_and_ends_in_time(
    start, call_memctl, tmp_path, memctl_environment
):
    """One life: a file, SIGHUP with a wrong and a right configuration, no work, SIGTERM."""
    configuration = tmp_path / "config.toml"
    configuration.write_text("[ingest]\nmax_attempts = 3\n")
    one = start(MEMCTL_CONFIG=str(configuration))
    (tmp_path / "drop" / "note.md").write_text("The oven is from 1974.\n")
    one.wait_for_log("event=done")
    answer = one.first_answer()
    assert (answer["status"], len(answer["memories"])) == ("done", 1)
    assert Path(answer["moved_to"]).exists()
    assert len(one.answers.read_text().splitlines()) == 1

    status = call_memctl("status", "--json").json["watch"]
    assert (status["state"], status["process_id"]) == ("running", one.process.pid)
    held = call_memctl("ingest", "--watch", tmp_path, status=75)
    assert f"process {one.process.pid}" in held.stderr

    configuration.write_text("[ingest]\nmax_attempts = many\n")
    one.process.send_signal(signal.SIGHUP)
    one.wait_for_log("the old settings stay")
    configuration.write_text("[ingest]\nmax_attempts = 4\n")
    one.process.send_signal(signal.SIGHUP)
    one.wait_for_log("event=reload configuration=")
    time.sleep(1.0)

    before = one.cpu_seconds()
    time.sleep(2.0)
    assert one.cpu_seconds() - before <= 0.1
    code, seconds = one.end(signal.SIGTERM)
    assert (code, seconds < 5) == (143, True)
    assert "event=stopped" in one.log.read_text()
    assert call_memctl("status", "--json").json["watch"]["state"] == "stopped"


IN_A_TERMINAL = """\
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Runs a command as the first one of a terminal, which is its standard input."""


@pytest.mark.slow
@pytest.mark.parametrize("words", [[], ["nohup"]], ids=["plainly", "with nohup"])
def test_a_watching_process_ends_with_its_terminal(
    memctl_command, memctl_environment, tmp_path, words
):
    """Nobody can stop one that outlives its terminal; with nohup it is told to."""
    master, terminal = pty.openpty()
    before = [sys.executable, "-c", IN_A_TERMINAL, *words]
    environment = {**memctl_environment, "MEMCTL_INGEST_DROP_FOLDER": str(tmp_path / "drop")}
    one = Process([*before, *memctl_command], tmp_path, environment, terminal=terminal)
    try:
        one.wait_for_log("event=watching")
        os.close(terminal)
        os.close(master)
        if words:
            one.wait_for_log("event=reload")
            one.process.send_signal(signal.SIGTERM)
        assert one.process.wait(PATIENCE_SECONDS) == 143
        assert "event=stopped" in one.log.read_text()
    finally:
        one.process.kill()
        one.process.wait()


@pytest.mark.slow
def test_a_process_that_was_killed_is_seen_to_be_gone(start, call_memctl):
    one = start()
    one.process.kill()
    one.process.wait()
    assert call_memctl("status", "--json").json["watch"]["state"] == "ended"
    assert "gone without a word" in call_memctl("status").stdout


@pytest.mark.slow
def test_a_question_without_an_answer_does_not_keep_the_process_from_ending(start, tmp_path):
    """The model says nothing: SIGINT ends it all the same, and the file waits for the next time."""
    from fakes.openai_server import OpenAiServer, hanging

    with OpenAiServer() as server:
        server.respond = lambda _request: hanging()
        one = start(
            MEMCTL_LLM_MODEL="openai/fake",
            MEMCTL_LLM_API_BASE=server.api_base,
            MEMCTL_LLM_TIMEOUT_SECONDS="100",
        )
        (tmp_path / "drop" / "note.md").write_text("The oven is from 1974.\n")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not server.requests:
            assert time.monotonic() < deadline, one.log.read_text()
            time.sleep(0.05)
        code, seconds = one.end(signal.SIGINT)
    assert (code, seconds < 5) == (130, True)
    assert (tmp_path / "drop" / "note.md").exists()
    assert "Traceback" not in one.log.read_text()


STUCK = """
import sys
from memctl.cli.start import run
from memctl.ingestion import intake

def prepare(*_):
    # Holds the interpreter, as a search through a very long text does: no handler, no thread runs.
    sum(range(10**11))

intake.prepare = prepare
sys.argv = ["memctl", *sys.argv[1:]]
run()
"""


@pytest.mark.slow
def test_a_process_in_which_nothing_can_run_is_killed_in_time(
    memctl_environment, tmp_path, call_memctl
):
    """The guard says so, nothing is stored, and the file waits for the next start."""
    drop = tmp_path / "drop"
    drop.mkdir()
    environment = {**memctl_environment, "MEMCTL_INGEST_DROP_FOLDER": str(drop)}
    one = Process([sys.executable, "-c", STUCK], tmp_path, environment)
    try:
        one.wait_for_log("event=watching")
        (drop / "long.txt").write_text("The oven is from 1974.\n" * 9_000)
        one.wait_for_log("event=reading")
        time.sleep(1)
        status, seconds = one.end(signal.SIGTERM)
    finally:
        one.process.kill()
    assert (status, 4 < seconds < 5) == (-signal.SIGKILL, True)
    one.wait_for_log("event=killed")
    assert (drop / "long.txt").exists()
    watch = call_memctl("status", "--json").json["watch"]
    assert watch["state"] == "ended"


def children_of(process_id: int) -> list[int]:
    folder = Path(f"/proc/{process_id}/task/{process_id}/children")
    return [int(word) for word in folder.read_text().split()]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
def test_the_guard_ends_with_the_process_and_the_process_does_without_it(start):
    """Whether the process is told to end, is killed, or lives on without a guard."""
    for end_guard, number, status in (
        (False, signal.SIGTERM, 143),
        (False, signal.SIGKILL, -signal.SIGKILL),
        (True, signal.SIGTERM, 143),
    ):
        one = start()
        [guard] = children_of(one.process.pid)
        if end_guard:
            os.kill(guard, signal.SIGKILL)
        code, seconds = one.end(number)
        assert (code, seconds < 5) == (status, True)
        one._wait_until(lambda guard=guard: not Path(f"/proc/{guard}").exists())
        assert "event=killed" not in one.log.read_text()


LARGE_BYTES = 4_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one-line.txt", "Ada moved the kettle to shed 7 and paid 12 EUR. " * (LARGE_BYTES // 48)),
        ("list.json", json.dumps([{"id": n, "name": f"shed {n}"} for n in range(100_000)])),
        ("shop.log", "2024-05-01 10:00:00 INFO shed 7 took 12 ms\n" * (LARGE_BYTES // 43)),
    ],
)
@pytest.mark.parametrize("pause_seconds", [0.0, 4.0])
def test_a_large_file_that_is_being_read_does_not_keep_the_process_from_ending(
    start, call_memctl, tmp_path, name, text, pause_seconds
):
    """Nothing of the file is stored, and it waits for the next start."""
    one = start()
    (tmp_path / "drop" / name).write_text(text)
    one.wait_for_log("event=reading")
    time.sleep(pause_seconds)
    code, seconds = one.end(signal.SIGTERM)
    assert (code, seconds < 5) == (143, True)
    assert "event=stopped" in one.log.read_text()
    assert "Traceback" not in one.log.read_text()
    assert (tmp_path / "drop" / name).exists()
    status = call_memctl("status", "--json").json
    assert (status["watch"]["state"], status["memories"], status["chunks"]) == ("stopped", 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("broken", ["its reader is gone", "its disk is full"])
def test_a_stdout_that_takes_no_more_ends_the_process_and_fails_no_document(
    memctl_command, memctl_environment, call_memctl, tmp_path, broken
):
    """What was taken in and moved by then is done; the rest waits for the next time."""
    drop = tmp_path / "drop"
    drop.mkdir()
    (drop / "note.md").write_text("The oven is from 1974.\n")
    if broken == "its reader is gone":
        reader, stdout = os.pipe()
        os.close(reader)
    elif not Path("/dev/full").exists():
        pytest.skip("this system has no full device")
    else:
        stdout = os.open("/dev/full", os.O_WRONLY)
    with (tmp_path / "watch.log").open("wb") as log:
        process = subprocess.Popen(
            [*memctl_command, "ingest", "--watch", "--json"],
            stdout=stdout,
            stderr=log,
            env={**memctl_environment, "MEMCTL_INGEST_DROP_FOLDER": str(drop)},
        )
    os.close(stdout)
    try:
        status = process.wait(PATIENCE_SECONDS)
    finally:
        process.kill()
    said = (tmp_path / "watch.log").read_text()
    assert status == (0 if broken == "its reader is gone" else 1)
    assert ("no space left on device" in said) == (broken == "its disk is full")
    assert "event=stopped stored=1 failed=0" in said
    [moved] = drop.glob("processed/*/note.md")
    [document] = call_memctl("ingest", "--status", drop, "--json").json["documents"]
    assert (document["path"], document["status"]) == (str(moved), "done")


@pytest.mark.slow
def test_settings_that_are_no_use_leave_the_old_ones_at_work(start, tmp_path):
    """A drop folder that cannot be made, or a store that cannot be opened, at SIGHUP."""
    file = tmp_path / "file"
    file.write_text("no folder")
    drop, store, configuration = tmp_path / "drop", tmp_path / "store", tmp_path / "config.toml"

    def write(drop: Path, store: Path) -> None:
        text = f'[store]\npath = "{store}"\n[ingest]\ndrop_folder = "{drop}"\n'
        configuration.write_text(text)

    write(drop, store)
    one = start(MEMCTL_CONFIG=str(configuration), MEMCTL_STORE="", MEMCTL_INGEST_DROP_FOLDER="")
    for place, (bad_drop, bad_store) in enumerate([(file / "in", store), (drop, file / "in")]):
        write(bad_drop, bad_store)
        one.process.send_signal(signal.SIGHUP)
        one.wait_for_log("the old settings stay", count=place + 1)
        one.wait_for_log("event=watching", count=place + 2)
    (drop / "note.md").write_text("The oven is from 1974.\n")
    one.wait_for_log("event=done")
    assert one.end(signal.SIGTERM)[0] == 143


@pytest.mark.slow
def test_a_named_folder_that_is_gone_at_a_reload_is_waited_for(start, tmp_path):
    """A disk that is not mounted when the logs are rotated."""
    notes, away = tmp_path / "notes", tmp_path / "away"
    notes.mkdir()
    one = start(notes, MEMCTL_INGEST_RESCAN_SECONDS="1")
    notes.rename(away)
    one.process.send_signal(signal.SIGHUP)
    one.wait_for_log("event=watching", count=2)
    one.wait_for_log("event=cannot-look")
    away.rename(notes)
    (notes / "note.md").write_text("The oven is from 1974.\n")
    one.wait_for_log("event=done")
    assert one.end(signal.SIGTERM)[0] == 143
