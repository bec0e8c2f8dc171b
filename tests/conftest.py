"""What all tests stand on: a clean environment, no network, a store of their own, the command.

No test sees this machine's home folder, settings, keys or time zone, and none leaves it: see
``network_guard/sitecustomize.py``. Both hold for child processes too.
"""

from __future__ import annotations

import importlib.util
import io
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_runner import (
    FIXED_ENVIRONMENT,
    GUARD_FOLDER,
    XDG_FOLDERS,
    CommandResult,
    RunMemctl,
    child_environment,
)
from hypothesis import settings as hypothesis_settings

from memctl.bundled_model import BUNDLED_MODEL
from memctl.embedding import FastEmbedEmbedder

if TYPE_CHECKING:
    from fastembed import TextEmbedding

LEAKING_NAMES = {"COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TERM", "TTY_COMPATIBLE"}
LEAKING_PREFIXES = ("FASTEMBED_", "HF_", "LITELLM_", "MEMCTL_", "OLLAMA_", "XDG_")
LEAKING_SUFFIXES = ("_API_BASE", "_API_KEY", "_BASE_URL", "_PROXY")

# Libraries read these when they are imported, which may be while tests are still being collected.
os.environ.update(FIXED_ENVIRONMENT)
time.tzset()

# A shell that starts the tests in the background lets them, and all that they start, ignore SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)


def _load_network_guard() -> None:
    location = GUARD_FOLDER / "sitecustomize.py"
    spec = importlib.util.spec_from_file_location("network_guard", location)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


_load_network_guard()

# A busy machine makes one example slow; a red run in CI must be the same when run again.
hypothesis_settings.register_profile("local", deadline=None)
hypothesis_settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis_settings.load_profile("ci" if os.environ.get("CI") else "local")


def _is_leaking(name: str) -> bool:
    name = name.upper()
    return (
        name in LEAKING_NAMES
        or name.startswith(LEAKING_PREFIXES)
        or name.endswith(LEAKING_SUFFIXES)
    )


@pytest.fixture(scope="session")
def home_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names for the tests' home folders, none used twice."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def isolated_environment(
    home_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """An environment without settings, keys or colours and with an empty home folder, returned.

    At the end no attempt to leave this machine may have been made, by the test or by a child.
    """
    home = next(home_folders)
    home.mkdir()
    log = home.with_suffix(".refused")
    for name in [name for name in os.environ if _is_leaking(name)]:
        monkeypatch.delenv(name)
    for name, value in {**FIXED_ENVIRONMENT, "REFUSED_CONNECTIONS_LOG": str(log)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", str(home))
    for name, folder in XDG_FOLDERS.items():
        monkeypatch.setenv(name, str(home / folder))
    time.tzset()
    yield home
    assert not log.exists(), f"the network was tried: {log.read_text(encoding='utf-8')}"


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """Where this test's store is to be; nothing is there yet. The commands below use it."""
    return tmp_path / "store"


def _checked(result: CommandResult, arguments: list[str], status: int | None) -> CommandResult:
    __tracebackhide__ = True
    if status is not None and result.returncode != status:
        pytest.fail(
            f"memctl {' '.join(arguments)}: exit status {result.returncode}, not {status}\n"
            f"--- stdout\n{result.stdout}\n--- stderr\n{result.stderr}"
        )
    return result


def _as_bytes(stdin: str | bytes) -> bytes:
    return stdin.encode() if isinstance(stdin, str) else stdin


@pytest.fixture
def memctl_environment(isolated_environment: Path, store_path: Path) -> dict[str, str]:
    """The whole environment of a child process that runs memctl; a test may change it."""
    return {**child_environment(isolated_environment), "MEMCTL_STORE": str(store_path)}


@pytest.fixture
def memctl_command() -> list[str]:
    """The words that start memctl as a process of its own, for tests that need Popen."""
    return [sys.executable, "-m", "memctl"]


@pytest.fixture
def run_memctl(
    memctl_command: list[str], memctl_environment: dict[str, str], tmp_path: Path
) -> RunMemctl:
    """Runs memctl as a process of its own, in the test's folder."""

    def run(
        *arguments: str | os.PathLike[str],
        stdin: str | bytes = "",
        environment: Mapping[str, str | None] | None = None,
        status: int | None = 0,
    ) -> CommandResult:
        words = [os.fspath(argument) for argument in arguments]
        variables = {**memctl_environment, **(environment or {})}
        process = subprocess.run(
            [*memctl_command, *words],
            input=_as_bytes(stdin),
            capture_output=True,
            env={name: value for name, value in variables.items() if value is not None},
            cwd=tmp_path,
            timeout=120,
            check=False,
        )
        result = CommandResult(process.returncode, process.stdout.decode(), process.stderr.decode())
        return _checked(result, words, status)

    return run


def _capture() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", write_through=True)


def _captured_text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode(errors="backslashreplace")


_load_model = FastEmbedEmbedder._load


@pytest.fixture(scope="session")
def bundled_engine(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], TextEmbedding]:
    """The bundled model, loaded once for all the commands that run inside this test process."""
    return cache(
        lambda: _load_model(FastEmbedEmbedder(cache_folder=tmp_path_factory.mktemp("model")))
    )


@pytest.fixture
def bundled_model_stays_loaded(
    bundled_engine: Callable[[], TextEmbedding], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands inside this process take the model that is loaded already: a third of a second."""

    def loaded(embedder: FastEmbedEmbedder) -> TextEmbedding:
        is_bundled = embedder.model.name == BUNDLED_MODEL
        return bundled_engine() if is_bundled else _load_model(embedder)

    monkeypatch.setattr(FastEmbedEmbedder, "_load", loaded)


@pytest.fixture
def call_memctl(
    memctl_environment: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bundled_model_stays_loaded: None,
) -> RunMemctl:
    """Runs memctl inside the test process: no start-up time, the same contract as a process."""
    from memctl.cli.main import main
    from memctl.cli.session import Streams

    def call(
        *arguments: str | os.PathLike[str],
        stdin: str | bytes = "",
        environment: Mapping[str, str | None] | None = None,
        status: int | None = 0,
    ) -> CommandResult:
        words = [os.fspath(argument) for argument in arguments]
        variables = {**memctl_environment, **(environment or {})}
        environ = {name: value for name, value in variables.items() if value is not None}
        stdout, stderr = _capture(), _capture()
        streams = Streams(io.BytesIO(_as_bytes(stdin)), stdout, stderr, environ)
        monkeypatch.chdir(tmp_path)
        # Help is written by Typer, which knows the process's own streams only.
        with redirect_stdout(stdout), redirect_stderr(stderr):
            returncode = int(main(words, streams))
        result = CommandResult(returncode, _captured_text(stdout), _captured_text(stderr))
        return _checked(result, words, status)

    return call
