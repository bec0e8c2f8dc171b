"""The client of the warm path: hands a light command line to a server, when one listens.

Whatever goes wrong before the answer is whole, the command line is run by this process itself;
nothing has been printed by then. A save that a dying server had stored already is found unchanged.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from memctl import __version__
from memctl.cli.standard_streams import lead_nowhere
from memctl.cli.terminal_size import USUAL_WIDTH, is_size
from memctl.cli.warm.protocol import (
    GO,
    LONGEST_LINE_BYTES,
    PROTOCOL,
    read_line,
    write_line,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, TextIO

READY_SECONDS = 1.0
"""How long a server may say nothing before the client does the work itself."""

SILENCE_SECONDS = 3.0
"""The same for a server that has said that it is busy: it has many to tell so."""

BUSY_SECONDS = 30.0
"""How long the client waits for its turn."""

ANSWER_SECONDS = 20.0
"""How long the work may take once it has begun."""

_SENT_PREFIXES = ("MEMCTL_", "XDG_", "LC_")
_SENT_NAMES = frozenset(
    {
        "COLORTERM",
        "COLUMNS",
        "FORCE_COLOR",
        "HOME",
        "LANG",
        "LINES",
        "NO_COLOR",
        "TERM",
        "TTY_COMPATIBLE",
        "TTY_INTERACTIVE",
        "TZ",
    }
)


def ask_server(
    path: str,
    arguments: Sequence[str],
    stdout: TextIO,
    stderr: TextIO,
    environment: Mapping[str, str],
) -> int | None:
    """The exit status of what the server at ``path`` did, all printed; None when the work is still
    to be done. Raises OSError when an answer cannot be printed."""
    try:
        _check_folder(os.path.dirname(path))
        reply = _talk(path, _request(arguments, stdout, stderr, environment))
        parts = [(int(number), str(text)) for number, text in reply["parts"]]
        status = int(reply["status"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    try:
        _print(parts, stdout, stderr)
    except OSError:
        # As in a cold command, the status of an error that stderr told of stands.
        if status == 0:
            raise
        lead_nowhere(stdout)
    return status


def _print(parts: Sequence[tuple[int, str]], stdout: TextIO, stderr: TextIO) -> None:
    """Raises OSError when stdout does not take it."""
    for number, text in parts:
        if number == 1:
            stdout.write(text)
        else:
            # As in a cold command, one that takes nothing keeps no answer from coming out.
            with suppress(OSError):
                stderr.write(text)
    stdout.flush()


def _check_folder(folder: str) -> None:
    """Raises OSError for a folder that is not there, or in which others could put a socket."""
    found = os.lstat(folder)
    if found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(folder)


def _request(
    arguments: Sequence[str], stdout: TextIO, stderr: TextIO, environment: Mapping[str, str]
) -> dict[str, Any]:
    sent = {
        name: value
        for name, value in environment.items()
        if name in _SENT_NAMES or name.startswith(_SENT_PREFIXES)
    }
    if stdout.isatty() and not is_size(sent.get("COLUMNS", "")):
        columns = os.get_terminal_size(stdout.fileno()).columns
        sent["COLUMNS"] = str(columns or USUAL_WIDTH)
    return {
        "protocol": PROTOCOL,
        "version": __version__,
        "python": sys.version,
        "arguments": list(arguments),
        "environment": sent,
        "folder": os.getcwd(),
        "streams": [
            {"terminal": stream.isatty(), "encoding": stream.encoding}
            for stream in (stdout, stderr)
        ],
    }


def _talk(path: str, request: dict[str, Any]) -> dict[str, Any]:
    """Raises OSError or ValueError when the server gives no whole answer in time."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(READY_SECONDS)
        connection.connect(path)
        connection.sendall(write_line(request))
        with connection.makefile("rb") as lines:
            _await_turn(connection, lines)
            connection.settimeout(ANSWER_SECONDS)
            connection.sendall(GO)
            return read_line(lines.readline(LONGEST_LINE_BYTES))


def _await_turn(connection: socket.socket, lines: BinaryIO) -> None:
    """A server that is busy says so again and again; one that is hung says nothing."""
    patient_until = time.monotonic() + BUSY_SECONDS
    while time.monotonic() < patient_until:
        said = read_line(lines.readline(LONGEST_LINE_BYTES))
        if said.get("ready") is True:
            return
        if said.get("waiting") is not True:
            break
        connection.settimeout(SILENCE_SECONDS)
    raise ValueError("the server will not do this now")
