"""A small process beside one that watches, which ends it where nothing in it can.

A call of a native library may hold up all threads for half a minute, and then no handler of a
signal runs. What the interpreter writes at once, wherever it is, is the signal's number, into a
pipe: the guard reads that, hands it on, and kills the process that is still there some seconds
later. Nothing is lost, since every write is whole or absent.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from socket import socket

from memctl.cli.log_lines import LogLines
from memctl.python_process import python_command
from memctl.times import utc_now

KILL_SECONDS = 4.4
"""Time after a signal that ends the process until it is killed."""

IGNORED_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""They go to all processes of a terminal or a service: the guard ends with the one it guards."""


def start_guard(signals: socket, ending: list[int]) -> subprocess.Popen[bytes]:
    """Starts the guard of this process, which reads numbers of signals from the socket and writes
    them to its standard output; those of ``ending`` end the process. Raises OSError."""
    arguments = [os.getpid(), ending, KILL_SECONDS]
    return subprocess.Popen(
        python_command("memctl.cli.end_guard", guard.__name__, arguments),
        stdin=signals.fileno(),
        stdout=subprocess.PIPE,
    )


def guard(process_id: int, ending: list[int], kill_seconds: float) -> None:
    """What the guard does, until the process that it guards has closed the other end."""
    for number in IGNORED_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    deadline: float | None = None
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not select.select([0], [], [], left)[0]:
            break
        numbers = os.read(0, 64)
        if not numbers:
            return
        os.write(1, numbers)
        if deadline is None and any(number in numbers for number in ending):
            deadline = time.monotonic() + kill_seconds
    # It has its end of the socket, and so its number, for as long as it is there.
    os.kill(process_id, signal.SIGKILL)
    why = f"it did not end within {kill_seconds:g} s; what it had in hand waits for the next start"
    LogLines(sys.stderr, utc_now)("killed", level="warning", pid=process_id, why=why)
