"""What cannot be undone is asked about once where there is somebody to ask."""

from __future__ import annotations

import io

import pytest

from memctl.cli.main import main
from memctl.cli.session import Streams


class Keyboard(io.BytesIO):
    """What somebody types at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def purge(call_memctl, memctl_environment, bundled_model_stays_loaded):
    """Purges the one memory of a store with this stdin; gives the status, stderr, and whether the
    memory is gone."""

    def run(stdin: io.BytesIO, *words: str) -> tuple[int, str, bool]:
        saved = call_memctl("save", "The alarm code is swordfish", "--json").json["id"]
        stdout, stderr = io.StringIO(), io.StringIO()
        streams = Streams(stdin, stdout, stderr, memctl_environment)
        status = main(["forget", saved, "--purge", *words], streams)
        left = call_memctl("list", "--json").json["memories"]
        return int(status), stderr.getvalue(), not left

    return run


@pytest.mark.parametrize("typed", [b"\n", b"n\n", b"", b"\xff\n", b"yesterday\n"])
def test_a_purge_that_nobody_confirms_erases_nothing(purge, typed):
    """Only a plain yes is one."""
    status, said, is_gone = purge(Keyboard(typed))
    assert said.startswith("memctl: erase 1 memory for good: The alarm code is swordfish? [y/N] ")
    assert said.endswith("memctl: nothing was erased\n")
    assert (status, is_gone) == (1, False)


@pytest.mark.parametrize("typed", [b"y\n", b"YES\n"])
def test_a_purge_that_is_confirmed_erases(purge, typed):
    """The question comes once."""
    status, said, is_gone = purge(Keyboard(typed))
    assert (status, said.count("[y/N]"), is_gone) == (0, 1, True)


@pytest.mark.parametrize(
    ("stdin", "words", "is_gone"),
    [
        (io.BytesIO(), (), True),
        (Keyboard(b""), ("--yes",), True),
        (Keyboard(b""), ("--dry-run",), False),
    ],
)
def test_nobody_is_asked_without_a_terminal_or_need(purge, stdin, words, is_gone):
    """A script means what it says, and so does --yes; a dry run erases nothing."""
    assert purge(stdin, *words) == (0, "", is_gone)
