"""Who answers, by the lock of a server, and that no other process is ever told to end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from memctl.cli.warm.running import (
    RunningServer,
    ServerKind,
    end_server,
    lock_path,
    running_server,
)
from memctl.errors import ServerEndError
from memctl.store.locks import named_lock


def test_a_lock_that_nobody_holds_names_no_server(tmp_path):
    """What a killed server has left in the file means nothing."""
    path = tmp_path / "a.sock"
    assert running_server(path) is None
    lock_path(path).write_text(f"{os.getpid()} {ServerKind.SERVE}")
    assert running_server(path) is None


def test_a_held_lock_names_process_command_and_time(tmp_path):
    path = tmp_path / "a.sock"
    with named_lock(lock_path(path), what="answer", command=ServerKind.WATCH, wait_seconds=0):
        server = running_server(path)
    assert server is not None
    assert (server.process_id, server.kind) == (os.getpid(), ServerKind.WATCH)
    assert server.to_json()["command"] == "ingest --watch"


HOLDER = """
import sys, time
from pathlib import Path
from memctl.cli.warm.running import ServerKind
from memctl.store.locks import named_lock

with named_lock(Path(sys.argv[1]), what="answer", command=ServerKind.SERVE, wait_seconds=0):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.slow
def test_a_process_that_does_not_listen_is_not_told_to_end(memctl_environment):
    """Neither one that has not begun to, nor one in whose place another process listens."""
    with tempfile.TemporaryDirectory(prefix="mc-") as folder:
        path = Path(folder, "a.sock")
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(lock_path(path))],
            env=memctl_environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            server = running_server(path)
            assert isinstance(server, RunningServer)
            assert server.process_id == holder.pid
            with pytest.raises(ServerEndError, match="has not begun to answer"):
                end_server(path, server, end_seconds=0.2)
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
                listener.bind(str(path))
                listener.listen()
                if hasattr(socket, "SO_PEERCRED"):
                    with pytest.raises(ServerEndError, match="listens in its place"):
                        end_server(path, server, end_seconds=0.2)
            assert holder.poll() is None
        finally:
            holder.send_signal(signal.SIGKILL)
            holder.communicate()
