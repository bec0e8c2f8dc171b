"""The console script. What a server can answer is answered before anything else is loaded.

Imports stand where they are needed: those of the whole command line cost three times as much as a
server's answer.
"""

from __future__ import annotations

import os
import sys

from memctl.cli.standard_streams import lead_nowhere, let_go_of_stderr, open_missing_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130

YOUNG_OBJECTS = 20_000
"""New objects after which the collector of reference cycles looks at the young ones. With Python's
own 700 it took a tenth of the time of a short command."""

DEFERRED = ("inspect", "ipaddress")
"""``dataclasses`` and ``pathlib`` name them without need: 11 of the 90 ms that a short command
took."""


def run() -> NoReturn:
    """Runs the command line of this process and ends it."""
    try:
        open_missing_streams()
        status = _answered_by_server()
        if status is None:
            _load_fast()
            from memctl.cli.main import run_cold
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    if status is None:
        run_cold()
    let_go_of_stderr()
    sys.exit(status)


def _load_fast() -> None:
    """Lets loading cost less: of what is loaded nothing becomes garbage, and what light commands
    never use is not loaded."""
    import gc

    from memctl.cli.deferred_imports import defer_imports

    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
    defer_imports(DEFERRED)


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
    except OSError as error:
        lead_nowhere(sys.stdout)
        return 0 if isinstance(error, BrokenPipeError) else _say_unwritten(error)


def _say_unwritten(error: OSError) -> int:
    """The message of a cold command, and its exit status."""
    from contextlib import suppress

    from memctl.cli.errors import AnswerError

    answer = AnswerError(why=(error.strerror or str(error)).lower())
    with suppress(OSError):
        sys.stderr.write(f"memctl: {answer}\n  {answer.next_step}\n")
    return answer.exit_code
