"""Every width, encoding and state of a terminal is survived and looks right."""

from __future__ import annotations

import io
import re
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from rich.cells import cell_len

from memctl.cli.main import main
from memctl.cli.session import Streams
from memctl.config import DATABASE_NAME

Ask = Callable[..., tuple[int, str, str]]


class Terminal(io.TextIOWrapper):
    """A stream that says of itself whether it is a terminal."""

    is_terminal = True

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.fixture
def stocked(call_memctl) -> tuple[str, str]:
    """Ids of two linked memories in several scripts, one of them long."""
    first = call_memctl(
        "save", "We chose PostgreSQL for billing, because the team knows it – after a long meeting",
        "--type", "decision", "--json",
    ).json["id"]  # fmt: skip
    second = call_memctl("save", "Ада ест 四百円のパン 🙂 \x1b[31m" + "x" * 70, "--json").json["id"]
    call_memctl("link", first, "caused_by", second)
    return first, second


@pytest.fixture
def ask(memctl_environment, bundled_model_stays_loaded) -> Ask:
    """Runs memctl on streams of an encoding that may be terminals; gives status, stdout, stderr."""

    def run(*words: str, encoding: str = "utf-8", is_terminal: bool = True, **variables: str):
        streams = []
        for _ in range(2):
            stream = Terminal(io.BytesIO(), encoding, "backslashreplace", "", write_through=True)
            stream.is_terminal = is_terminal
            streams.append(stream)
        status = main(
            list(words), Streams(io.BytesIO(), *streams, {**memctl_environment, **variables})
        )
        said = [stream.buffer.getvalue() for stream in streams]
        codec = "utf-8" if words[0] == "export" else encoding
        return int(status), said[0].decode(codec), said[1].decode(encoding)

    return run


@pytest.mark.parametrize("width", [20, 30, 49, 50, 80, 120, 300])
def test_no_line_is_wider_than_the_terminal(stocked, ask, width: int) -> None:
    first, _ = stocked
    for words in (["list"], ["show", first], ["graph", first], ["recall", "--mode", "recent"]):
        status, stdout, _ = ask(*words, COLUMNS=str(width), TERM="xterm")
        lines = re.sub(r"\x1b\[[\d;]*m", "", stdout).splitlines()
        assert status == 0
        assert max(map(cell_len, lines)) <= width, words
        assert "PostgreSQL" in stdout or width < 30


@pytest.mark.parametrize("variable", ["COLUMNS", "LINES"])
@pytest.mark.parametrize("value", ["0", "²", "٨٠", "-5", "1e3", "99999999999999999999"])
def test_a_size_that_is_none_leaves_the_usual_one(
    stocked, ask, store_path, variable: str, value: str
) -> None:
    """The memories are so old that their age stays the same from one answer to the next."""
    with closing(sqlite3.connect(store_path / DATABASE_NAME)) as connection, connection:
        connection.execute("UPDATE memories SET created_at = '2020-01-01T00:00:00.000000Z'")
    for words in (["list"], ["recall", "--mode", "recent"]):
        usual = ask(*words, is_terminal=False, FORCE_COLOR="1")
        assert ask(*words, is_terminal=False, FORCE_COLOR="1", **{variable: value}) == usual


@pytest.mark.parametrize(
    ("words", "is_terminal", "is_told"),
    [
        (("recall", "--mode", "recent"), True, True),
        (("log",), True, True),
        (("list",), False, False),
        (("save", "The oven is from 1974"), True, False),
    ],
)
def test_people_are_told_of_a_store_that_a_slip_of_the_fingers_made(
    ask, tmp_path, words, is_terminal, is_told
) -> None:
    folder = str(tmp_path / "memroy")
    for expected in (is_told, False):
        status, _, stderr = ask(*words, "--store", folder, is_terminal=is_terminal)
        assert status == 0
        assert (f"there was no store in {folder}" in stderr) == expected


@pytest.mark.parametrize("is_terminal", [True, False])
def test_people_are_told_what_a_briefing_has_no_room_for(call_memctl, ask, is_terminal) -> None:
    """Scripts find the numbers in the JSON output, and nothing on stderr."""
    for number in range(30):
        call_memctl("save", f"Shelf {number} holds the bolts of size {number + 3}")
    status, stdout, stderr = ask("context", "--max-tokens", "200", is_terminal=is_terminal)
    left_out = 30 - stdout.count("Shelf")
    assert status == 0
    assert stderr == (
        f"memctl: {left_out} memories found no room in 200 tokens; --max-tokens makes more\n"
        if is_terminal
        else ""
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("is_terminal", [True, False])
def test_our_own_signs_are_plain_where_the_stream_cannot_show_them(
    stocked, ask, encoding: str, is_terminal: bool
) -> None:
    first, _ = stocked
    for words in (["list"], ["show", first], ["graph", first], ["stats"], ["log"], ["status"]):
        status, stdout, stderr = ask(*words, encoding=encoding, is_terminal=is_terminal, TERM="x")
        assert status == 0
        assert not re.search(r"\\u(20|21|25)", stdout + stderr), words
        assert "\x1b[31m" not in stdout


def test_an_export_is_utf_8_whatever_the_stream_is(stocked, ask) -> None:
    for words in (["export"], ["export", "--format", "markdown"]):
        _, plain, _ = ask(*words, encoding="latin-1", is_terminal=False)
        assert plain == ask(*words, is_terminal=False)[1]
        assert "四百円" in plain
        assert "\x1b[31m" not in ask(*words)[1]


@pytest.mark.parametrize(
    ("variables", "is_terminal"),
    [({}, False), ({"TERM": "dumb"}, True), ({"NO_COLOR": "1"}, False)],
)
def test_plain_places_get_no_escape_sequences(stocked, ask, variables, is_terminal) -> None:
    first, _ = stocked
    for words in (["list"], ["show", first], ["recall", "--mode", "recent"], ["stats"]):
        assert "\x1b" not in ask(*words, is_terminal=is_terminal, **variables)[1]


@pytest.mark.slow
@pytest.mark.parametrize("words", ["backup -", "export -", "list", "list --json"])
def test_an_answer_that_nobody_can_get_is_an_error(
    stocked, memctl_command, memctl_environment, store_path: Path, words: str
) -> None:
    """A closed stdout takes nothing; a reader that goes away has had enough, but of a backup."""
    program = " ".join([*memctl_command, "--store", str(store_path), words])

    def run(redirection: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", f"{program} {redirection}"],
            env=memctl_environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    closed = run(">&-")
    assert closed.returncode == 1
    assert closed.stderr.startswith("memctl: cannot write the answer: bad file descriptor\n")
    piped = run("| true")
    assert (piped.returncode, bool(piped.stderr)) == (
        (1, True) if "backup" in words else (0, False)
    )


@pytest.mark.parametrize(
    ("redirection", "status", "said"),
    [
        (">&-", 1, "memctl: cannot write the answer: bad file descriptor\n"),
        ("<&-", 0, ""),
        ("2>&-", 0, ""),
        (">&- 2>&- <&-", 1, ""),
        (">/dev/full", 1, "memctl: cannot write the answer: no space left on device\n"),
        (">/dev/full 2>/dev/full", 1, ""),
    ],
)
def test_closed_and_full_streams_cause_no_fault(
    memctl_command, memctl_environment, tmp_path: Path, redirection: str, status: int, said: str
) -> None:
    program = " ".join(memctl_command)
    process = subprocess.run(
        ["sh", "-c", f"{program} --help {redirection}"],
        env=memctl_environment,
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert process.returncode == status
    assert process.stderr.startswith(said)
    assert "Traceback" not in process.stderr
    assert said or not process.stderr
