"""A module that is named and not used is not loaded; one that is used is as it always was."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memctl.cli.deferred_imports import defer_imports


@pytest.fixture
def make_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Writes a module of that name and gives the name; afterwards it is forgotten."""
    monkeypatch.syspath_prepend(tmp_path)
    made = []

    def make(name: str, text: str) -> str:
        (tmp_path / f"{name}.py").write_text(text)
        made.append(name)
        return name

    yield make
    for name in made:
        sys.modules.pop(name, None)


def test_it_is_loaded_when_it_is_first_used_and_once(make_module, capsys) -> None:
    name = make_module("deferred_sample", "print('loaded')\nvalue = 7\n")
    defer_imports([name])
    import deferred_sample  # type: ignore[import-not-found]

    assert capsys.readouterr().out == ""
    assert deferred_sample.value == 7
    assert deferred_sample.value == 7
    assert capsys.readouterr().out == "loaded\n"
    assert type(deferred_sample) is type(sys)
    with pytest.raises(AttributeError, match="missing"):
        _ = deferred_sample.missing


def test_what_its_code_raises_is_raised_at_each_use(make_module) -> None:
    defer_imports([make_module("deferred_broken", "raise OSError('broken')\n")])
    import deferred_broken  # type: ignore[import-not-found]

    for _ in range(2):
        with pytest.raises(OSError, match="broken"):
            _ = deferred_broken.value


def test_a_module_that_asks_for_itself_while_it_loads_gets_what_it_has_by_then(make_module) -> None:
    text = "first = 1\nimport deferred_circle\nsecond = deferred_circle.first + 1\n"
    defer_imports([make_module("deferred_circle", text)])
    import deferred_circle  # type: ignore[import-not-found]

    assert deferred_circle.second == 2


def test_several_threads_that_use_it_first_all_get_the_whole_module(make_module) -> None:
    text = "import time\nfirst = 1\ntime.sleep(0.2)\nlast = 2\n"
    defer_imports([make_module("deferred_slow", text)])
    import deferred_slow  # type: ignore[import-not-found]

    barrier = threading.Barrier(4)

    def use(_: int) -> tuple[int, int]:
        barrier.wait(10)
        return deferred_slow.first, deferred_slow.last

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(use, range(4))) == [(1, 2)] * 4


def test_loaded_modules_stay_as_they_are_and_unknown_ones_are_said() -> None:
    defer_imports(["json"])
    assert type(sys.modules["json"]) is type(sys)
    with pytest.raises(ModuleNotFoundError):
        defer_imports(["no_such_module_anywhere"])
