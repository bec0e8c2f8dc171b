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

FAILED = 1
INTERRUPTED = 130

YOUNG_OBJECTS = 20_000
"""New objects after which the collector of reference cycles looks at the young ones. With Python's
own 700 it took a tenth of the time of a short command."""

DEFERRED = ("inspect", "ipaddress")
"""``dataclasses`` and ``pathlib`` name them without need: 11 of the 90 ms that a short command
took."""


def run() -> NoReturn:
    """Runs the command line of this process and ends it."""
    open_missing_streams()
    status = _answered_by_server()
    if status is None:
        try:
            _load_fast()
            from memctl.cli.main import run_cold
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        run_cold()
    sys.exit(status)


def _load_fast() -> None:
    """Lets loading cost less: of what is loaded nothing becomes garbage, and what light commands
    never use is not loaded."""
    import gc

    from memctl.cli.deferred_imports import defer_imports

    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
    defer_imports(DEFERRED)


def open_missing_streams() -> None:
    """Puts streams in the place of the standard ones that the caller has closed.

    Their numbers must not stay free: the next file that is opened, the store among them, would be
    taken for the stream and written into. Nothing can be read from such a stdin; an answer that is
    written on such a stdout fails as it would on the closed one; and such a stderr leads nowhere.
    """
    for number, (name, mode, access) in enumerate(
        (
            ("stdin", "r", os.O_RDONLY),
            ("stdout", "w", os.O_RDONLY),
            ("stderr", "w", os.O_WRONLY),
        )
    ):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, access)
            if descriptor > number:
                os.dup2(descriptor, number)
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115


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
    except OSError as error:
        # The interpreter's last flush must go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        why = (error.strerror or str(error)).lower()
        sys.stderr.write(f"memctl: cannot write the answer: {why}\n")
        return FAILED
