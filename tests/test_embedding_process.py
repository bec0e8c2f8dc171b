"""The embedding model in a process of its own: the same vectors, whatever becomes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from memctl import embedding_process
from memctl.embedding import FastEmbedEmbedder
from memctl.embedding_process import EmbeddingProcess, EmbeddingProcessError

WAIT_SECONDS = 30.0

TEXTS = [f"Kettle number {number} stands in bay {number % 7} of the shed." for number in range(90)]
TEXTS += ["Short.", "Ein längerer Satz, der nicht zu den anderen passt. " * 9, ""]


@pytest.fixture(scope="module")
def cache_folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def expected(cache_folder) -> np.ndarray:
    """The vectors of TEXTS from the model in this process."""
    return FastEmbedEmbedder(cache_folder=cache_folder, threads=2).embed_passages(TEXTS)


@pytest.fixture
def embedder(cache_folder) -> Iterator[FastEmbedEmbedder]:
    """Has a process of its own from the beginning."""
    embedder = FastEmbedEmbedder(cache_folder=cache_folder, threads=2)
    embedder.expect_many()
    yield embedder
    embedder.close()


def process_of(embedder: FastEmbedEmbedder) -> subprocess.Popen[bytes]:
    process = embedder._work._process
    assert process is not None
    return process._process


def is_loaded_here(embedder: FastEmbedEmbedder) -> bool:
    return embedder._engine is not None


def wait_for_end(process: subprocess.Popen[bytes]) -> int:
    return process.wait(WAIT_SECONDS)


def test_vectors_are_those_of_the_model_in_this_process(embedder, expected):
    """To the bit and in the order of the texts, and this process loads no model for it."""
    embedder.embed_ahead(TEXTS[:40])
    assert np.array_equal(embedder.embed_passages(TEXTS), expected)
    assert not is_loaded_here(embedder)


def test_what_was_begun_is_asked_for_in_any_order_and_company(embedder, expected):
    """Batches are told apart, also where several are waited for in parts."""
    for start in range(0, len(TEXTS), 16):
        embedder.embed_ahead(TEXTS[start : start + 16])
    for chosen in (slice(80, 93), slice(0, 40, 3), slice(10, 90)):
        assert np.array_equal(embedder.embed_passages(TEXTS[chosen]), expected[chosen])


def test_a_process_that_is_killed_costs_no_vector(embedder, expected):
    """Before, between and after batches: what it no longer gives is made here."""
    embedder.embed_ahead(TEXTS[:50])
    assert np.array_equal(embedder.embed_passages(TEXTS[:20]), expected[:20])
    process_of(embedder).kill()
    embedder.embed_ahead(TEXTS[50:])
    assert np.array_equal(embedder.embed_passages(TEXTS), expected)
    assert np.array_equal(embedder.embed_passages(TEXTS[:5]), expected[:5])
    assert is_loaded_here(embedder)


def test_a_process_that_stands_still_is_given_up(embedder, expected, monkeypatch):
    """After a time without an answer the vectors are made here, and the process is ended."""
    monkeypatch.setattr(embedding_process, "PATIENCE_SECONDS", 0.3)
    process = process_of(embedder)
    process.send_signal(signal.SIGSTOP)
    assert np.array_equal(embedder.embed_passages(TEXTS), expected)
    assert wait_for_end(process) == -signal.SIGKILL


def test_a_process_that_does_not_read_holds_up_nobody_who_hands_over(embedder, expected):
    """However much more that is than a pipe holds; closing ends it all the same."""
    process = process_of(embedder)
    process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    embedder.embed_ahead([f"{number} {TEXTS[-2]}" for number in range(3000)])
    embedder.close()
    assert time.monotonic() - began < WAIT_SECONDS
    assert wait_for_end(process) == -signal.SIGKILL
    assert np.array_equal(embedder.embed_passages(TEXTS), expected)


PAUSED_SCRIPT = """
import sys, threading
from pathlib import Path
from memctl import embedding_process
process = embedding_process.EmbeddingProcess(Path(sys.argv[1]), threads=2)
process.vectors(process.submit(["a first text"]))
embedding_process.PATIENCE_SECONDS, embedding_process.LOOK_SECONDS = 4.0, 0.2
print(process._process.pid, flush=True)
sys.stdin.readline()
print(process.vectors(process.submit(["a text"])).shape, flush=True)
process.close()
"""


def test_a_pause_of_everything_does_not_cost_a_healthy_process(cache_folder):
    """As of a machine that sleeps: only time in which an answer could come tries the patience."""
    command = [sys.executable, "-c", PAUSED_SCRIPT, str(cache_folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as caller:
        assert caller.stdin is not None
        assert caller.stdout is not None
        embedding = int(caller.stdout.readline())
        os.kill(embedding, signal.SIGSTOP)
        caller.stdin.write("go on\n")
        caller.stdin.flush()
        time.sleep(1)
        caller.send_signal(signal.SIGSTOP)
        time.sleep(5)
        caller.send_signal(signal.SIGCONT)
        time.sleep(0.3)
        os.kill(embedding, signal.SIGCONT)
        assert caller.stdout.readline() == "(1, 384)\n"
        assert caller.wait(WAIT_SECONDS) == 0


def test_a_process_that_cannot_be_started_is_done_without(cache_folder, expected, monkeypatch):
    """Whether there is no interpreter at its place, or another program."""
    for program in ("/nowhere/python", "/bin/false"):
        monkeypatch.setattr(sys, "executable", program)
        embedder = FastEmbedEmbedder(cache_folder=cache_folder, threads=2)
        embedder.expect_many()
        assert np.array_equal(embedder.embed_passages(TEXTS), expected)
        embedder.close()


def test_where_the_process_has_no_model_it_says_so(cache_folder, monkeypatch):
    """A process without the model's package gives no vectors, and does not keep anybody waiting."""
    hidden = [entry for entry in sys.path if "site-packages" not in entry]
    monkeypatch.setattr(sys, "path", hidden)
    process = EmbeddingProcess(cache_folder, threads=2)
    try:
        with pytest.raises(EmbeddingProcessError):
            process.vectors(process.submit(["a text"]))
    finally:
        process.close()


def test_closing_ends_the_process(embedder, expected):
    """At once when it has nothing to do, and in the midst of its work; then all goes on here."""
    process = process_of(embedder)
    embedder.embed_ahead(TEXTS)
    embedder.close()
    assert process.poll() is not None
    assert np.array_equal(embedder.embed_passages(TEXTS), expected)
    embedder.expect_many()
    second = process_of(embedder)
    embedder.embed_passages(TEXTS[:2])
    embedder.close()
    assert second.poll() == 0


def test_signals_for_all_processes_of_a_terminal_leave_it_alone(embedder, expected):
    """Ctrl-C is for the command: what the process has in hand is still asked for."""
    embedder.embed_passages(TEXTS[:1])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process_of(embedder).send_signal(number)
    assert np.array_equal(embedder.embed_passages(TEXTS), expected)
    assert not is_loaded_here(embedder)


def test_it_ends_with_the_process_that_started_it(cache_folder):
    """Also where that one is killed and can close nothing."""
    script = (
        "import sys, time; from pathlib import Path; "
        "from memctl.embedding_process import EmbeddingProcess; "
        "one = EmbeddingProcess(Path(sys.argv[1]), threads=2); "
        "one.vectors(one.submit(['a text'])); "
        "print(one._process.pid, flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", script, str(cache_folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as caller:
        assert caller.stdout is not None
        number = int(caller.stdout.readline())
        caller.kill()
    deadline = time.monotonic() + WAIT_SECONDS
    while _is_running(number):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _is_running(number: int) -> bool:
    """Whether there is such a process that is not only waiting to be cleared away."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{number}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_one_core_has_no_process(cache_folder):
    """There is nothing that could run beside the caller."""
    embedder = FastEmbedEmbedder(cache_folder=cache_folder, threads=1)
    embedder.expect_many()
    assert embedder._work._process is None
