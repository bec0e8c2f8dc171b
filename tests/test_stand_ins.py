"""A library is imported with stand-ins that only its own modules see, and only meanwhile."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from memctl.stand_ins import LighterImport

HEAVY = "stand_ins_heavy"
LIBRARY = "stand_ins_library"


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for packages; the heavy one has a function, a module and a number."""
    heavy = tmp_path / HEAVY
    heavy.mkdir()
    (heavy / "__init__.py").write_text(
        "__all__ = ['call', 'NUMBER']\ndef call(): return 'real'\nNUMBER = 1\n"
    )
    (heavy / "below.py").write_text("class Kind: pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith((HEAVY, LIBRARY))]:
        del sys.modules[name]


def write_library(packages: Path, text: str) -> None:
    (packages / LIBRARY).mkdir()
    (packages / LIBRARY / "__init__.py").write_text(f"from {LIBRARY}.inner import *\n")
    (packages / LIBRARY / "inner.py").write_text(text)


def lighter_import() -> LighterImport:
    def make(name: str) -> SimpleNamespace:
        return SimpleNamespace(stands_for=name)

    return LighterImport((LIBRARY,), {HEAVY: make})


def test_the_library_gets_stand_ins_and_others_get_the_real_package(packages: Path) -> None:
    """Nothing of a stand-in stays behind: the next import of the package loads it."""
    write_library(
        packages,
        f"import {HEAVY}\n"
        f"import {HEAVY}.below as below\n"
        f"from {HEAVY} import call\n"
        f"from {HEAVY}.below import Kind\n"
        f"package = {HEAVY}\n",
    )
    library = lighter_import().import_library(LIBRARY)
    assert library.call.stands_for == f"{HEAVY}.call"
    assert library.package.call is library.call
    assert library.below.stands_for == f"{HEAVY}.below"
    assert library.Kind.stands_for == f"{HEAVY}.below.Kind"
    assert not [name for name in sys.modules if name.startswith(HEAVY)]
    assert importlib.import_module(HEAVY).call() == "real"


def test_another_thread_gets_the_real_package_meanwhile(packages: Path) -> None:
    """A thread may import the package while the library is imported in another one."""
    write_library(
        packages,
        f"from {HEAVY} import call\n"
        "import importlib, threading\n"
        "seen = []\n"
        f"def look(): seen.append(importlib.import_module('{HEAVY}').call())\n"
        "thread = threading.Thread(target=look)\n"
        "thread.start()\n"
        "thread.join()\n",
    )
    library = lighter_import().import_library(LIBRARY)
    assert library.seen == ["real"]
    assert library.call.stands_for == f"{HEAVY}.call"


def test_what_the_library_imports_later_is_real(packages: Path) -> None:
    """An import inside one of its functions is not part of its own import."""
    write_library(packages, f"def later():\n    from {HEAVY} import call\n    return call()\n")
    assert lighter_import().import_library(LIBRARY).later() == "real"


def test_a_package_that_is_loaded_already_gets_no_stand_in(packages: Path) -> None:
    """It costs nothing any more."""
    write_library(packages, f"from {HEAVY} import call\n")
    importlib.import_module(HEAVY)
    assert lighter_import().import_library(LIBRARY).call() == "real"


@pytest.mark.parametrize(
    "demand",
    [
        f"from {HEAVY} import NUMBER\ntwo = NUMBER + 1\n",
        f"from {HEAVY} import call\ntwo = len(call()) - 2\n",
        f"import {HEAVY}\ntwo = len({HEAVY}.__all__)\n",
    ],
    ids=["value", "call", "special name"],
)
def test_a_library_that_needs_more_is_imported_without_stand_ins(
    packages: Path, demand: str
) -> None:
    """Nothing of the first attempt is left either."""
    write_library(packages, f"first = '{HEAVY}' not in __import__('sys').modules\n{demand}")
    assert lighter_import().import_library(LIBRARY).two == 2


def test_an_error_of_the_library_itself_is_raised(packages: Path) -> None:
    """The second attempt says what is wrong."""
    write_library(packages, "import no_such_package_at_all\n")
    with pytest.raises(ImportError, match="no_such_package_at_all"):
        lighter_import().import_library(LIBRARY)


def test_the_whole_library_takes_the_place_of_the_lighter_one(packages: Path) -> None:
    """What was made with the lighter one goes on working, and the whole one stays."""
    write_library(packages, f"from {HEAVY} import call\ndef own(): return call\n")
    lighter = lighter_import()
    before = lighter.import_library(LIBRARY)
    whole = lighter.import_whole(LIBRARY)
    assert (whole.call(), before.own().stands_for) == ("real", f"{HEAVY}.call")
    assert lighter.import_library(LIBRARY) is lighter.import_whole(LIBRARY) is whole
