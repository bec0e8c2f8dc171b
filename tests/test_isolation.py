"""The guards of conftest.py hold, in the test process and in its children."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

OUTSIDE = ("192.0.2.1", 9)
"""An address of TEST-NET-1, which belongs to nobody (RFC 5737)."""


def _attempts() -> str:
    """What was refused; forgotten, so that the fixture does not fail this test for it."""
    log = Path(os.environ["REFUSED_CONNECTIONS_LOG"])
    text = log.read_text(encoding="utf-8")
    log.unlink()
    return text


def test_connecting_to_another_machine_is_refused_and_noted() -> None:
    with socket.socket() as connection, pytest.raises(OSError, match="may not reach"):
        connection.connect(OUTSIDE)
    assert OUTSIDE[0] in _attempts()


def test_looking_up_a_name_is_refused_and_noted() -> None:
    with pytest.raises(OSError, match="may not reach"):
        socket.getaddrinfo("hub.example", 443)
    assert "hub.example" in _attempts()


def test_a_child_process_is_guarded_too(memctl_environment: dict[str, str]) -> None:
    code = f"import socket; socket.socket().connect({OUTSIDE!r})"
    child = subprocess.run(
        [sys.executable, "-c", code], env=memctl_environment, capture_output=True, check=False
    )
    assert b"may not reach" in child.stderr
    assert OUTSIDE[0] in _attempts()


def test_loopback_is_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as connection:
            connection.sendall(b"hello")
        accepted, _ = server.accept()
        with accepted:
            assert accepted.recv(5) == b"hello"


def test_no_setting_key_or_colour_of_the_machine_is_seen(
    isolated_environment: Path, tmp_path: Path
) -> None:
    assert Path.home() == isolated_environment
    assert list(isolated_environment.iterdir()) == []
    assert not isolated_environment.is_relative_to(tmp_path)
    assert not [name for name in os.environ if name.startswith("MEMCTL_")]
    assert not [name for name in os.environ if name.endswith("_API_KEY")]
    assert time.tzname[0] == "UTC"
