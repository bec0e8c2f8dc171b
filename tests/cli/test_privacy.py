"""Nothing that memctl loads reports to anybody, or leaves traces where it has no business."""

from __future__ import annotations

import subprocess
import sys

import pytest
from command_runner import XDG_FOLDERS

from memctl.embedding import LIBRARY_SWITCHES


@pytest.mark.slow
def test_a_save_and_a_recall_leave_only_our_own_files_in_the_home_folder(run_memctl, tmp_path):
    """ONNX Runtime queues reports to its maker there unless it is told not to."""
    home = tmp_path / "someone"
    home.mkdir()
    environment = {**dict.fromkeys([*XDG_FOLDERS, *LIBRARY_SWITCHES]), "HOME": str(home)}
    run_memctl("save", "The kettle is red.", environment=environment)
    run_memctl("recall", "kettle", environment=environment)
    files = [path.relative_to(home) for path in home.rglob("*") if path.is_file()]
    assert [path for path in files if "memctl" not in path.parts] == []


def test_the_switches_are_set_before_the_library_that_reads_them_is_loaded(memctl_environment):
    code = (
        "import os, sys; import memctl.embedding; "
        f"print(all(name in os.environ for name in {list(LIBRARY_SWITCHES)}), "
        "'onnxruntime' in sys.modules)"
    )
    child = subprocess.run(
        [sys.executable, "-c", code],
        env=memctl_environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert child.stdout.split() == ["True", "False"]
