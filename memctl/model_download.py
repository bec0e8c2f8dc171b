"""Runs a download in a process of its own and ends it when it stalls.

A download may take as long as it likes while bytes arrive; a firewall that swallows packets, a
look-up that never returns or a hung server cost no more than the time-out. Libraries' own
time-outs do not promise that: they bound single reads and connections, not name look-ups, and
retry with pauses.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from memctl.python_process import python_command

START_SECONDS = 30.0
"""Time until the process has imported its libraries and touched ``STARTED``, on a busy machine."""

STARTED = ".started"
"""File in the folder by which the process says that the download begins."""

_POLL_SECONDS = 0.1


def run_download(
    module: str, function: str, arguments: list[object], *, folder: Path, stall_seconds: float
) -> str | None:
    """Calls ``module.function(*arguments)`` elsewhere; it writes below ``folder``.

    Gives None when it came to its end, else what went wrong. ``arguments`` go as JSON.
    """
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            python_command(module, function, arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=output,
        )
        try:
            if not _ends(process, folder, stall_seconds):
                return f"nothing arrived from the model hub for {stall_seconds:g} s"
        finally:
            process.kill()
            process.wait()
        output.seek(0)
        lines = output.read().decode("utf-8", "replace").split("\n")
    if process.returncode == 0:
        return None
    return next((line for line in reversed(lines) if line.strip()), "its download was ended")


def _ends(process: subprocess.Popen[bytes], folder: Path, stall_seconds: float) -> bool:
    """Waits for the end; False once the folder has not grown for too long."""
    size, deadline = _size_of(folder), time.monotonic() + START_SECONDS
    while process.poll() is None:
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
        if (grown := _size_of(folder)) != size:
            size, deadline = grown, time.monotonic() + stall_seconds
    return True


def _size_of(folder: Path) -> tuple[int, int]:
    """Number of files below the folder, and their bytes."""
    count = total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.lstat().st_size
            count += 1
    return count, total
