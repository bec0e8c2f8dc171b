"""The server that answers for commands with one set of options: who it is, and how it is ended.

Its lock names it, and is free as soon as its process has ended. A process is signalled only while
the system says of it that it listens on the server's socket.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.cli.warm.protocol import socket_path
from memctl.errors import ServerEndError
from memctl.store.locks import lock_holder

if TYPE_CHECKING:
    from memctl.cli.session import Session

END_SECONDS = 15.0
"""How long a server may take to answer what it has begun, and to end: longer than a watcher's."""

POLL_SECONDS = 0.05


class ServerKind(StrEnum):
    """What a process is that answers, as its lock says it."""

    SERVE = "memctl serve"
    AUTOSTARTED = "memctl serve, left behind by a command"
    WATCH = "memctl ingest --watch"

    @property
    def command(self) -> str:
        """The command that the process runs."""
        return "ingest --watch" if self is ServerKind.WATCH else "serve"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    """A process that answers, or is about to: ``started_at`` is in UTC."""

    process_id: int
    kind: ServerKind
    started_at: datetime

    def to_json(self) -> dict[str, Any]:
        """What JSON says of it."""
        return {
            "process_id": self.process_id,
            "command": self.kind.command,
            "autostarted": self.kind is ServerKind.AUTOSTARTED,
            "started_at": self.started_at.isoformat(),
        }


def session_socket(session: Session) -> Path:
    """Where commands with this one's options look for a server."""
    store, config = (
        None if option is None else str(option)
        for option in (session.options.store, session.options.config)
    )
    return Path(socket_path(session.streams.environment, store, config))


def lock_path(path: Path) -> Path:
    """The lock of the server that listens on the socket ``path``."""
    return path.with_suffix(".lock")


def running_server(path: Path) -> RunningServer | None:
    """The server of the socket ``path``; None where there is none, where the lock does not name it
    (yet), and where the lock is one that this user may not read."""
    try:
        holder = lock_holder(lock_path(path))
    except PermissionError:
        return None
    if holder is None or holder.process_id is None or holder.command not in set(ServerKind):
        return None
    return RunningServer(
        process_id=holder.process_id,
        kind=ServerKind(holder.command),
        started_at=datetime.fromtimestamp(holder.since, UTC),
    )


def end_server(path: Path, server: RunningServer, *, end_seconds: float = END_SECONDS) -> None:
    """Has ``server``, which is to be the one of the socket ``path``, end as by `kill`, and waits
    for that: it answers first what it has begun.

    Raises ServerEndError when it does not listen within ``end_seconds``, when another process does,
    when it may not be signalled, and when it has not ended after as many seconds.
    """
    if not _becomes_true(lambda: _is_gone(path, server) or _is_listening(path), end_seconds):
        raise ServerEndError(process_id=server.process_id, why="it has not begun to answer yet")
    if _is_gone(path, server):
        return
    _signal_listener(path, server)
    if not _becomes_true(lambda: _is_gone(path, server), end_seconds):
        why = f"it has been told to and is still there after {end_seconds:g} s"
        raise ServerEndError(process_id=server.process_id, why=why)


def _signal_listener(path: Path, server: RunningServer) -> None:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(str(path))
            listener = _peer_process(connection)
            if listener not in {None, server.process_id}:
                why = f"process {listener} listens in its place"
                raise ServerEndError(process_id=server.process_id, why=why)
            os.kill(server.process_id, signal.SIGTERM)
    except (ProcessLookupError, ConnectionRefusedError, FileNotFoundError):
        # It has just ended by itself; whoever asked for its end waits for its lock.
        return
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise ServerEndError(process_id=server.process_id, why=why) from None


def _is_gone(path: Path, server: RunningServer) -> bool:
    found = running_server(path)
    return found is None or found.process_id != server.process_id


def _is_listening(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        return connection.connect_ex(str(path)) == 0


def _peer_process(connection: socket.socket) -> int | None:
    """The process that listens at the other end; None where the system cannot tell."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    size = struct.calcsize("3i")
    process, _, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, option, size))
    return int(process)


def _becomes_true(condition: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= until:
            return False
        time.sleep(POLL_SECONDS)
    return True
