"""Commands that need neither index nor model never load them."""

from __future__ import annotations

import subprocess
import sys

import pytest

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


@pytest.mark.parametrize("heavy", [HEAVY])
def test_light_commands_load_nothing_heavy(call_memctl, memctl_environment, tmp_path, heavy):
    first = call_memctl("save", "The oven is from 1974", "--json").json["id"]
    lines = [
        "list",
        "list --pinned --sort happened --json",
        f"show {first}",
        f"graph {first}",
        "recall --mode recent",
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
