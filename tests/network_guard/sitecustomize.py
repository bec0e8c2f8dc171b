"""Refuses connections and name look-ups that leave this machine.

Python loads a module of this name at start-up, so a folder on PYTHONPATH is enough to guard a
child process; ``conftest.py`` installs the same hook in the test process. Each refused attempt is
one line of the file that ``REFUSED_CONNECTIONS_LOG`` names, so that code which swallows the error
is found out all the same.
"""

import errno
import os
import sys

_LOCAL_HOSTS = {"", "localhost", "::1", "::", "0.0.0.0"}
_CONNECTING = {"socket.connect", "socket.sendto"}
_LOOKING_UP = {"socket.getaddrinfo", "socket.gethostbyname"}


def _destination(event, arguments):
    """The host that an audit event is about, or None where it names no host (a Unix socket)."""
    if event in _CONNECTING and isinstance(arguments[1], tuple):
        return arguments[1][0]
    return arguments[0] if event in _LOOKING_UP else None


def _is_local(host):
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    return not isinstance(host, str) or host in _LOCAL_HOSTS or host.startswith("127.")


def _refuse(event, arguments):
    host = _destination(event, arguments)
    if _is_local(host):
        return
    log = os.environ.get("REFUSED_CONNECTIONS_LOG")
    if log:
        from pathlib import Path  # start-up need not pay for it

        with Path(log).open("a", encoding="utf-8") as stream:
            stream.write(f"{event} {host!r}\n")
    raise OSError(errno.ENETUNREACH, f"tests may not reach {host!r}")


sys.addaudithook(_refuse)
