"""The console script. What a server can answer is answered before anything else is loaded.

Imports stand where they are needed: those of the whole command line cost three times as much as a
server's answer.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130


def run() -> NoReturn:
    """Runs the command line of this process and ends it."""
    status = _answered_by_server()
    if status is None:
        from memctl.cli.main import run_cold

        run_cold()
    sys.exit(status)


def _answered_by_server() -> int | None:
    """The exit status, when a server did what was asked; all has been printed then."""
    from memctl.cli.warm.protocol import server_socket

    arguments = sys.argv[1:]
    path = server_socket(arguments, os.environ)
    if path is None:
        return None
    from memctl.cli.warm.client import ask_server

    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        return ask_server(path, arguments, sys.stdout, sys.stderr, os.environ)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away; the interpreter's last flush must go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
