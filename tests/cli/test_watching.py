"""The signals of a watching process, with a stand-in for what it watches."""

from __future__ import annotations

import io
import signal
from collections.abc import Callable
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from memctl.cli import watching
from memctl.errors import StoreError, WatchError
from memctl.ingestion.daemon import WatchEnd


class StandIn:
    """A daemon that does as it is told, and nothing else."""

    folders = ()

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act
        self._end: WatchEnd | None = None

    def reload(self) -> None:
        self._end = self._end or WatchEnd.RELOAD

    def stop(self) -> None:
        self._end = WatchEnd.STOPPED

    def run(self, _beside: object) -> WatchEnd:
        if self._end is None:
            self._act()
        assert self._end is not None, "it would watch on"
        return self._end


@pytest.fixture
def life(monkeypatch) -> Callable[..., list[str]]:
    """Runs a life: what each daemon does when it has nothing to obey, what each reading of the
    settings does; gives the log."""
    monkeypatch.setattr(watching, "answering", lambda *_: nullcontext())

    def live(acts: list[Callable[[], None]], reads: list[Callable[[], None]]) -> list[str]:
        stderr = io.StringIO()

        def read() -> None:
            reads.pop(0)()

        session: Any = SimpleNamespace(
            streams=SimpleNamespace(stderr=stderr),
            runtime=SimpleNamespace(warn=None),
            files=SimpleNamespace(daemon=lambda *_, **__: StandIn(acts.pop(0))),
            loaded_settings=SimpleNamespace(config_path="settings"),
            reload=read,
            use=lambda _: None,
        )
        watching.watch(session, (), lambda _: None, lambda _: None)
        assert (acts, reads) == ([], [])
        assert session.exit_code == 143
        return stderr.getvalue().splitlines()

    return live


def hang_up() -> None:
    signal.raise_signal(signal.SIGHUP)


def terminate() -> None:
    signal.raise_signal(signal.SIGTERM)


def nothing() -> None:
    """The settings are read, and nothing happens meanwhile."""


def hang_up_and_fail() -> None:
    hang_up()
    raise WatchError(path="drop", why="it is no folder")


@pytest.mark.parametrize("meanwhile", [hang_up, hang_up_and_fail])
def test_a_signal_to_reload_that_comes_while_the_settings_are_read_is_obeyed(life, meanwhile):
    """They may have been read before what it tells of was written."""
    log = life([hang_up, nothing, terminate], [meanwhile, nothing])
    assert len([line for line in log if "event=reload" in line]) == 2


def test_a_signal_to_end_that_comes_while_the_settings_are_read_is_obeyed(life):
    life([hang_up, nothing], [terminate])


def test_settings_that_are_no_use_are_said_and_the_old_ones_stay(life):
    def fail() -> None:
        raise StoreError(path="store", why="it is no folder")

    [line] = life([hang_up, terminate], [fail])
    assert "level=error" in line
    assert "the old settings stay" in line
