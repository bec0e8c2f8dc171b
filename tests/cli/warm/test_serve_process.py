"""`memctl serve` as a process: it answers, it may die, and it is left behind when wanted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli.warm.conftest import Terminal

from memctl.cli.warm.client import ask_server
from memctl.cli.warm.protocol import socket_path
from memctl.store.steps import Step

pytestmark = pytest.mark.slow

TEXTS = ["The bees swarm in May", "Ottoline has stamps", "The van is rented", "Tea, not coffee"]


@pytest.fixture
def runtime_folder(memctl_environment) -> Iterator[Path]:
    """A short one: a socket's path may not be long."""
    with tempfile.TemporaryDirectory(prefix="mc-") as folder:
        memctl_environment["XDG_RUNTIME_DIR"] = folder
        yield Path(folder)


def wait_for(path: Path, *, there: bool, seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while path.exists() != there:
        assert time.monotonic() < until, f"{path} is {'not ' if there else ''}there"
        time.sleep(0.05)


def test_a_server_that_a_script_left_in_the_background_obeys_sigint(
    memctl_command, memctl_environment, runtime_folder
):
    """A shell without job control has its background processes ignore SIGINT; a server ends."""
    path = Path(socket_path(memctl_environment, None, None))
    ignoring = 'trap "" INT; exec "$@"'
    process = subprocess.Popen(
        ["sh", "-c", ignoring, "sh", *memctl_command, "serve"], env=memctl_environment
    )
    try:
        wait_for(path, there=True)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 130
    finally:
        process.kill()


def test_a_server_answers_and_its_death_costs_no_answer(
    run_memctl, memctl_command, memctl_environment, runtime_folder
):
    run_memctl("save", "The mixer draws 2.2 kilowatts")
    path = Path(socket_path(memctl_environment, None, None))
    process = subprocess.Popen([*memctl_command, "serve"], env=memctl_environment)
    try:
        wait_for(path, there=True)
        started = time.monotonic()
        warm = run_memctl("recall", "mixer")
        warm_seconds = time.monotonic() - started
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert path.exists()
        started = time.monotonic()
        cold = run_memctl("recall", "mixer")
        assert "2.2 kilowatts" in warm.stdout
        assert "2.2 kilowatts" in cold.stdout
        assert warm_seconds < time.monotonic() - started
        process = subprocess.Popen([*memctl_command, "serve"], env=memctl_environment)
        time.sleep(0.1)
        second = run_memctl("recall", "mixer")
        assert "2.2 kilowatts" in second.stdout
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 143
        assert process.returncode == 143
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("config", ["memctl.toml", "{folder}/memctl.toml"])
def test_relative_paths_lead_to_no_store_of_another_folder(
    memctl_command, memctl_environment, runtime_folder, tmp_path, config
):
    """The server stands in the first folder, in which the same words name another store."""
    del memctl_environment["MEMCTL_STORE"]
    memctl_environment["MEMCTL_CONFIG"] = config.format(folder=tmp_path / "first")
    folders = [tmp_path / name for name in ("first", "second")]

    def run(folder: Path, *words: str) -> str:
        return subprocess.run(
            [*memctl_command, *words],
            cwd=folder,
            env=memctl_environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout

    for folder in folders:
        folder.mkdir()
        (folder / "memctl.toml").write_text('[store]\npath = "store"\n')
        run(folder, "save", f"This is the {folder.name} store")
    process = subprocess.Popen([*memctl_command, "serve"], env=memctl_environment, cwd=folders[0])
    try:
        wait_for(Path(socket_path(memctl_environment, None, None)), there=True)
        for folder in folders:
            assert f"This is the {folder.name} store" in run(folder, "list")
    finally:
        process.kill()
        process.wait()


def test_a_server_that_is_left_behind_stays_with_the_store_of_a_relative_path(
    memctl_command, memctl_environment, runtime_folder, tmp_path
):
    memctl_environment |= {"MEMCTL_STORE": "notes", "MEMCTL_DAEMON_AUTOSTART": "true"}
    for words in (["save", "The mixer draws 2.2 kilowatts"], ["recall", "mixer"]):
        subprocess.run([*memctl_command, *words], env=memctl_environment, cwd=tmp_path, check=True)
    by_option = socket_path(
        {**memctl_environment, "MEMCTL_STORE": str(tmp_path / "notes")}, None, None
    )
    wait_for(Path(by_option), there=True)
    subprocess.run(
        ["kill", Path(by_option).with_suffix(".lock").read_text().split()[0]], check=True
    )
    wait_for(Path(by_option), there=False)


SLOW_SERVER = """
import sys, time
from memctl.cli.start import run
from memctl.store.memory_store import MemoryStore

def checkpoint(step):
    if step.value == "committed":
        time.sleep(2)

MemoryStore.__init__.__kwdefaults__["checkpoint"] = checkpoint
sys.argv = ["memctl", "serve"]
run()
"""


def test_a_server_that_is_told_to_end_answers_what_it_has_begun(memctl_environment, runtime_folder):
    path = Path(socket_path(memctl_environment, None, None))
    process = subprocess.Popen([sys.executable, "-c", SLOW_SERVER], env=memctl_environment)
    try:
        wait_for(path, there=True)
        stdout, stderr = Terminal(), Terminal()
        with ThreadPoolExecutor(1) as pool:
            words = ["save", "The kiln is from 1981"]
            asked = pool.submit(ask_server, str(path), words, stdout, stderr, memctl_environment)
            time.sleep(1)
            process.send_signal(signal.SIGTERM)
            assert asked.result() == 0
        assert stdout.getvalue().startswith("Saved")
        assert process.wait(timeout=10) == 143
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("redirection", "status"),
    [
        *(("2>/dev/full", 4), ("2>&-", 4), (">/dev/full", 4), (">&-", 4)),
        *(("--json 2>/dev/full", 4), ("--json >/dev/full", 4), ("--json >&-", 4)),
    ],
)
def test_an_error_has_its_status_where_nobody_can_be_told(
    run_memctl, memctl_command, memctl_environment, runtime_folder, redirection, status
):
    """With a server and without."""
    run_memctl("save", "The mixer draws 2.2 kilowatts")
    process = subprocess.Popen([*memctl_command, "serve"], env=memctl_environment)
    try:
        wait_for(Path(socket_path(memctl_environment, None, None)), there=True)
        said = []
        for switch in ("", "1"):
            command = subprocess.run(
                ["sh", "-c", f"{' '.join(memctl_command)} show ffff {redirection}"],
                env={**memctl_environment, "MEMCTL_NO_DAEMON": switch},
                stderr=subprocess.PIPE,
                check=False,
            )
            assert command.returncode == status
            said.append(command.stderr)
        assert said[0] == said[1]
    finally:
        process.kill()
        process.wait()


KILLED_SERVER = """
import os, signal, sys, time
from memctl.cli.start import run
from memctl.store.memory_store import MemoryStore

reached = []

def checkpoint(step):
    reached.append(step.value)
    if reached.count("outbox read") == 1 and step.value == "outbox read":
        time.sleep(3)
    if reached.count({step!r}) == 2:
        os.kill(os.getpid(), signal.SIGKILL)

MemoryStore.__init__.__kwdefaults__["checkpoint"] = checkpoint
sys.argv = ["memctl", "serve"]
run()
"""
"""A server that ends, as by kill -9, when its writes reach a step for the second time. The first
one that brings a memory to the search index lets others gather for a commit of their own."""


@pytest.mark.parametrize(
    "step", [Step.COMMITTED, Step.INDEX_LOCKED, Step.INDEX_PUT, Step.OUTBOX_CLEARED]
)
def test_a_server_killed_between_the_steps_of_saves_at_the_same_time_loses_and_doubles_nothing(
    run_memctl, memctl_command, memctl_environment, runtime_folder, step
):
    """What it had not answered the commands do themselves."""
    path = Path(socket_path(memctl_environment, None, None))
    server = subprocess.Popen(
        [sys.executable, "-c", KILLED_SERVER.format(step=step.value)], env=memctl_environment
    )
    try:
        wait_for(path, there=True)
        clients = [
            subprocess.Popen(
                [*memctl_command, "save", text, "--json"],
                env=memctl_environment,
                stdout=subprocess.PIPE,
            )
            for text in TEXTS
        ]
        answers = [json.loads(client.communicate(timeout=100)[0]) for client in clients]
        assert server.wait(timeout=10) == -signal.SIGKILL
    finally:
        server.kill()
        server.wait()
    listed = run_memctl("list", "--json").json["memories"]
    assert sorted(memory["content"] for memory in listed) == sorted(TEXTS)
    assert {answer["id"] for answer in answers} == {memory["id"] for memory in listed}
    recalled = run_memctl("recall", "stamps", "--limit", "1", "--json").json["results"]
    assert [hit["content"] for hit in recalled] == ["Ottoline has stamps"]
    status = run_memctl("status", "--json").json
    assert (status["indexed_memories"], status["pending"]) == (len(TEXTS), 0)


def test_no_idle_minutes_keep_a_server_for_ever(memctl_command, memctl_environment, runtime_folder):
    """0 does not let it end at once."""
    path = Path(socket_path(memctl_environment, None, None))
    process = subprocess.Popen(
        [*memctl_command, "serve", "--idle-minutes", "0"], env=memctl_environment
    )
    try:
        wait_for(path, there=True)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=3)
    finally:
        process.kill()
        process.wait()


@contextmanager
def running(memctl_command, memctl_environment, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of memctl that answers, and that is gone at the end."""
    process = subprocess.Popen([*memctl_command, *words], env=memctl_environment)
    try:
        wait_for(Path(socket_path(memctl_environment, None, None)), there=True)
        yield process
    finally:
        process.kill()
        process.wait()


def test_status_names_the_server_and_stop_ends_it(
    run_memctl, memctl_command, memctl_environment, runtime_folder
):
    """Once it has ended there is none, which is said and no failure."""
    run_memctl("save", "The mixer draws 2.2 kilowatts")
    assert run_memctl("status", "--json").json["server"] is None
    with running(memctl_command, memctl_environment, "serve") as process:
        shown = run_memctl("status", "--json").json["server"]
        assert (shown["process_id"], shown["command"]) == (process.pid, "serve")
        assert shown["autostarted"] is False
        assert f"process {process.pid} (memctl serve) answers" in run_memctl("status").stdout
        second = run_memctl("serve", status=75)
        assert f"process {process.pid} (memctl serve) does so already" in second.stderr
        assert run_memctl("serve", "--stop", "--json").json["stopped"] == shown
        assert process.wait(timeout=10) == 143
    assert "server:" not in run_memctl("status").stdout
    assert "there is no server" in run_memctl("serve", "--stop").stderr
    assert run_memctl("serve", "--stop", "--json").json["stopped"] is None


def test_stop_names_a_watcher_and_lets_it_go_on(
    run_memctl, memctl_command, memctl_environment, runtime_folder, tmp_path
):
    folder = tmp_path / "notes"
    folder.mkdir()
    with running(memctl_command, memctl_environment, "ingest", "--watch", str(folder)) as process:
        refused = run_memctl("serve", "--stop", status=1)
        assert f"process {process.pid}: it is `memctl ingest --watch`" in refused.stderr
        assert run_memctl("status", "--json").json["server"]["command"] == "ingest --watch"
        assert process.poll() is None


def test_a_recall_leaves_a_server_behind_when_that_is_wanted(
    run_memctl, memctl_environment, runtime_folder
):
    memctl_environment["MEMCTL_DAEMON_AUTOSTART"] = "true"
    path = Path(socket_path(memctl_environment, None, None))
    run_memctl("save", "The mixer draws 2.2 kilowatts")
    assert not path.exists()
    run_memctl("recall", "mixer")
    wait_for(path, there=True)
    lock = path.with_suffix(".lock")
    number = int(lock.read_text().split()[0])
    assert "2.2 kilowatts" in run_memctl("recall", "mixer").stdout
    shown = run_memctl("status", "--json").json["server"]
    assert (shown["process_id"], shown["autostarted"]) == (number, True)
    assert run_memctl("serve", "--stop").stdout.startswith(f"Ended: process {number}")
    wait_for(path, there=False)


def test_a_server_that_is_stopped_or_killed_while_it_answers_costs_time_and_nothing_else(
    run_memctl, memctl_command, memctl_environment, runtime_folder
):
    """The commands do the work themselves; what a dying server had stored is found unchanged."""
    run_memctl("save", "The mixer draws 2.2 kilowatts")
    path = Path(socket_path(memctl_environment, None, None))
    process = subprocess.Popen([*memctl_command, "serve"], env=memctl_environment)
    try:
        wait_for(path, there=True)
        process.send_signal(signal.SIGSTOP)
        assert "2.2 kilowatts" in run_memctl("recall", "mixer").stdout
        assert run_memctl("save", "The kiln is from 1981", "--json").json["outcome"] == "created"
        process.send_signal(signal.SIGCONT)
        clients = [
            subprocess.Popen(
                [*memctl_command, "save", text, "--json"],
                env=memctl_environment,
                stdout=subprocess.PIPE,
            )
            for text in TEXTS
        ]
        time.sleep(0.6)
        process.send_signal(signal.SIGKILL)
        outcomes = [json.loads(client.communicate(timeout=100)[0])["outcome"] for client in clients]
        assert {client.returncode for client in clients} == {0}
        assert set(outcomes) <= {"created", "unchanged", "related"}
        contents = [m["content"] for m in run_memctl("list", "--json").json["memories"]]
        assert sorted(set(TEXTS) & set(contents)) == sorted(TEXTS)
        assert len(contents) == len(TEXTS) + 2
    finally:
        process.kill()
        process.wait()
