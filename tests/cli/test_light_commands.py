"""Commands that need neither index nor model never load them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memctl.cli.start import DEFERRED

HEAVY = ("lancedb", "pyarrow", "fastembed", "onnxruntime", "litellm", "tokenizers", "numpy")

PROGRAM = """\
import sys
from memctl.cli.main import main
from memctl.cli.session import Streams
for line in sys.stdin.read().splitlines():
    status = main(line.split(), Streams.of_process())
    loaded = [name for name in {heavy!r} if name in sys.modules]
    if status or loaded:
        sys.exit(f"{{line}}: status {{int(status)}}, loaded {{loaded}}")
"""


READ_BY_THE_DRIVER = (
    "list",
    "list --sort happened --reverse --limit 3 --offset 1 --json",
    "list --forgotten",
    "list --type fact --tag oven --min-importance 0.5 --limit 3",
    "list --pinned --sort happened --since 2026-03 --json",
    "show {first}",
    "recall --mode recent",
    "recall --mode important --json",
    "recall --mode typed --type fact --origin user",
)
"""Commands that do not even load SQLAlchemy."""

LESS_HEAVY = ("sqlalchemy", "typer", "click", "pydantic", "rich")
"""Libraries that take longer to load than these commands take as a whole."""


@pytest.mark.parametrize(
    ("heavy", "is_lightest"),
    [((*HEAVY, *LESS_HEAVY), True), (HEAVY, False)],
    ids=["lightest", "light"],
)
def test_light_commands_load_nothing_heavy(
    call_memctl, memctl_environment, tmp_path, heavy, is_lightest
):
    first = call_memctl("save", "The oven is from 1974", "--json").json["id"]
    lightest = [line.format(first=first) for line in READ_BY_THE_DRIVER]
    lines = (
        lightest
        if is_lightest
        else [
            f"graph {first}",
            "context",
            "log",
            "stats",
            "export -",
            "config show",
            "config get recall.limit",
            "man recall",
            "completion bash",
            f"__complete show {first[:4]}",
            "--help",
            "list --help",
        ]
    )
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(heavy=heavy)],
        input="\n".join(lines),
        env=memctl_environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr


@pytest.mark.parametrize("line", ["list", "recall --mode recent"])
def test_light_commands_load_nothing_that_others_only_name(
    call_memctl, memctl_environment, tmp_path, line
):
    """As the console script runs them."""
    call_memctl("save", "The oven is from 1974")
    process = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "memctl", *line.split()],
        env=memctl_environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {row.rpartition("|")[2].strip() for row in process.stderr.splitlines()}
    assert "memctl.light_runtime" in loaded
    assert not loaded.intersection({*DEFERRED, "shutil"})
