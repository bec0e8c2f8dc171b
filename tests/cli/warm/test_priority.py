"""Long work beside a server leaves it the first place on the processor."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memctl.cli.warm.priority import LOWERED_BY
from memctl.cli.warm.protocol import socket_path

SCRIPT = """
import os, sys
from memctl.cli.warm.priority import give_way_to_server
before = os.nice(0)
give_way_to_server(sys.argv[1:], os.environ)
print(os.nice(0) - before)
"""


@pytest.mark.parametrize(
    ("words", "is_served", "lowered_by"),
    [
        (["ingest", "notes"], True, LOWERED_BY),
        (["--json", "maintain"], True, LOWERED_BY),
        (["ingest", "notes"], False, 0),
        (["recall", "ingestion"], True, 0),
        (["list"], True, 0),
    ],
)
def test_only_long_commands_beside_a_server_are_put_back(
    memctl_environment, tmp_path, words, is_served, lowered_by
):
    environment = {**memctl_environment, "XDG_RUNTIME_DIR": str(tmp_path)}
    path = Path(socket_path(environment, None, None))
    if is_served:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    child = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(child.stdout) == lowered_by
