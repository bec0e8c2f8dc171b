"""Runs the README's tour and writes what the commands print.

    python docs/tour.py            # rewrites the outputs that are no longer right
    python docs/tour.py --check    # exit status 1 and the differences when there are some

The tour is made of ``console`` blocks: a line that starts with ``$`` is a command, the lines up to
the next one are what it prints on a terminal. Commands run in order on an empty store. What differs
from run to run (ids, seconds, scores, ages) does not count as a difference, and an id that a later
command names is taken from the output in which it stood.
"""

from __future__ import annotations

import difflib
import os
import pty
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PAGE = REPOSITORY / "README.md"
SHOWN_FOLDER = "~/memctl"
"""How the checkout is called in the outputs."""

TERMINAL_COLUMNS = 100
TIMEOUT_SECONDS = 120

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){0,3}(?:-[0-9a-f]{12})?\b")
_VARYING = re.compile(r"\b\d+\.\d+\b|\b\d+ (?:s|ms|min|seconds?|minutes?)(?: ago)?\b|\bnow\b")
_STYLING = re.compile(r"\x1b\[[0-9;]*m")
_BLANKS = re.compile("[ ─━]+")


@dataclass(frozen=True)
class Step:
    """A command of the tour and what the page says that it prints."""

    command: str
    output: str


def steps_of(block: str) -> list[Step]:
    """The commands of one console block."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    return [Step(*(part + "\n").split("\n", 1)) for part in parts if part.strip()]


def printed_on_terminal(command: str, environment: dict[str, str]) -> str:
    """What a shell command prints on stdout when that is a terminal."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=REPOSITORY,
    ) as process:
        os.close(slave)
        output = b""
        while chunk := _read(master):
            output += chunk
        _, errors = process.communicate(timeout=TIMEOUT_SECONDS)
    os.close(master)
    if process.returncode:
        sys.exit(f"`{command}` ended with status {process.returncode}:\n{errors.decode()}")
    text = _STYLING.sub("", output.decode()).replace("\r\n", "\n")
    lines = [line.rstrip() for line in text.replace(str(REPOSITORY), SHOWN_FOLDER).split("\n")]
    return "\n".join(lines).strip("\n") + "\n"


def _read(master: int) -> bytes:
    """The next bytes; none at the end, which Linux reports as an input/output error."""
    try:
        return os.read(master, 65_536)
    except OSError:
        return b""


def comparable(output: str) -> str:
    """An output without what differs from run to run."""
    text = _VARYING.sub("N", _ID.sub("ID", output))
    return "".join(f"{_BLANKS.sub(' ', line).strip()}\n" for line in text.strip().split("\n"))


class Tour:
    """Runs the commands in order; ``names`` leads from the page's ids to those of this run."""

    def __init__(self, store: Path) -> None:
        scripts = Path(sys.executable).parent
        self.differences: list[str] = []
        self._names: dict[str, str] = {}
        self._environment = {
            "COLUMNS": str(TERMINAL_COLUMNS),
            "HOME": str(store.parent),
            "LANG": "C.UTF-8",
            "MEMCTL_STORE": str(store),
            "NO_COLOR": "1",
            "PATH": f"{scripts}:{os.environ.get('PATH', os.defpath)}",
            "TERM": "xterm-256color",
            "TZ": "UTC",
        }

    def block(self, match: re.Match[str]) -> str:
        """The block with the outputs of this run, or as it was where nothing differs."""
        steps = "".join(self._step(step) for step in steps_of(match[1]))
        return f"```console\n{steps}```"

    def _step(self, step: Step) -> str:
        command = step.command
        for old, new in self._names.items():
            command = command.replace(old, new)
        output = printed_on_terminal(command, self._environment)
        ids_of_this_run = _ID.findall(output)
        self._names.update(zip(_ID.findall(step.output), ids_of_this_run, strict=False))
        if comparable(output) == comparable(step.output):
            return f"$ {step.command}\n{step.output}"
        lines = comparable(step.output).split("\n"), comparable(output).split("\n")
        self.differences += [f"$ {step.command}", *difflib.unified_diff(*lines, lineterm="", n=0)]
        return f"$ {command}\n{output}"


def main(arguments: list[str]) -> int:
    """Rewrites or checks the tour; the exit status is for the shell."""
    page = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        tour = Tour(Path(folder) / "store")
        wanted = _BLOCK.sub(tour.block, page)
    if arguments == ["--check"]:
        sys.stderr.write("".join(f"{line}\n" for line in tour.differences))
        return int(bool(tour.differences))
    PAGE.write_text(wanted, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
