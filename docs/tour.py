"""Runs the README's tour and writes what the commands print.

    python docs/tour.py            # rewrites the outputs that are no longer right
    python docs/tour.py --check    # exit status 1 and the differences when there are some

The tour is made of ``console`` blocks: a line that starts with ``$`` is a command, the lines up to
the next one are what it prints on a terminal. Commands run in order on an empty store. What differs
from run to run (ids, seconds, scores, ages) does not count as a difference. The page keeps its ids:
one that a command names stands for the id of this run in the same place of an earlier output.
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
SHOWN_STORE = "~/memctl/.venv/tour"
"""How the checkout and the store are called in the outputs."""

TERMINAL_COLUMNS = 100
TIMEOUT_SECONDS = 120

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ID = re.compile(r"\b[0-9a-f]{8}\b")
_VARYING = re.compile(
    r"(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"  # the rest of a full id
    r"|\b\d{4}-\d\d-\d\d \d\d:\d\d\b"  # the time at which something was saved
    r"|\b\d{4}-\d\d-\d\d(?=\s+ID\b)"  # the day on which it was
    r"|\b\d+\.\d+\b"  # a score, or seconds
    r"|\b(?:\d+ (?:s|min|h) ago|just now|now)\b"
    r"|(?<=associations:)\s+\d+"  # files are compared in batches that time bounds
)
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
    """What a shell command prints when stdout is a terminal, then its notices on stderr."""
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
    return (output + errors).decode().replace("\r\n", "\n")


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


def is_same(output: str, other: str) -> bool:
    """Whether two outputs say the same; where lines break depends on how old a memory is."""
    characters = [sorted(re.sub(r"\s", "", comparable(text))) for text in (output, other)]
    return characters[0] == characters[1]


class Tour:
    """Runs the commands in order; ``names`` leads from the page's ids to those of this run."""

    def __init__(self, store: Path) -> None:
        scripts = Path(sys.executable).parent
        self._shown_paths = {str(REPOSITORY): SHOWN_FOLDER, str(store): SHOWN_STORE}
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

    def _printed(self, command: str) -> str:
        text = _STYLING.sub("", printed_on_terminal(command, self._environment))
        for path, shown in self._shown_paths.items():
            text = text.replace(path, shown)
        return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n") + "\n"

    def _step(self, step: Step) -> str:
        output = self._printed(_renamed(step.command, self._names))
        for old, new in zip(_ID.findall(step.output), _ID.findall(output), strict=False):
            self._names.setdefault(old, new)
        if is_same(output, step.output):
            kept = step.output.strip("\n")
            return f"$ {step.command}\n{kept}\n"
        lines = comparable(step.output).split("\n"), comparable(output).split("\n")
        self.differences += [f"$ {step.command}", *difflib.unified_diff(*lines, lineterm="", n=0)]
        return f"$ {step.command}\n{_renamed(output, {v: k for k, v in self._names.items()})}"


def _renamed(text: str, names: dict[str, str]) -> str:
    return _ID.sub(lambda match: names.get(match[0], match[0]), text)


def main(arguments: list[str]) -> int:
    """Rewrites or checks the tour; the exit status is for the shell."""
    page = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        tour = Tour(Path(folder).resolve() / "tour")
        wanted = _BLOCK.sub(tour.block, page)
    if arguments == ["--check"]:
        sys.stderr.write("".join(f"{line}\n" for line in tour.differences))
        return int(bool(tour.differences))
    PAGE.write_text(wanted, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
