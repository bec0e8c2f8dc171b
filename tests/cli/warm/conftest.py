"""A server of the warm path inside the test process, and clients that ask it."""

from __future__ import annotations

import io
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memctl.cli.main import main
from memctl.cli.session import Streams
from memctl.cli.warm.client import ask_server
from memctl.cli.warm.kept_runtime import WarmRuntime
from memctl.cli.warm.protocol import server_socket, socket_path
from memctl.cli.warm.server import WarmServer
from memctl.config import Settings, load_settings


class Terminal(io.StringIO):
    """A stream that may be a terminal and has an encoding."""

    def __init__(self, *, is_terminal: bool = False, encoding: str = "utf-8") -> None:
        super().__init__()
        self.is_terminal = is_terminal
        self.written_encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.written_encoding

    def isatty(self) -> bool:
        return self.is_terminal


@dataclass
class Warm:
    """Where a server would listen for this environment, and how to ask and to do without it."""

    environment: dict[str, str]
    stack: ExitStack = field(default_factory=ExitStack)

    @property
    def path(self) -> Path:
        return Path(socket_path(self.environment, None, None))

    @property
    def settings(self) -> Settings:
        """What a command would find."""
        return load_settings(self.environment, {}, None).settings

    def serve(self) -> WarmServer:
        """Starts a server in a thread of its own."""
        runtime = WarmRuntime(self.settings, lambda: self.settings)
        server = WarmServer(self.path, runtime, self.environment)
        self.stack.callback(runtime.close)
        self.stack.enter_context(server.listening())
        thread = threading.Thread(target=server.run)
        thread.start()
        self.stack.callback(thread.join)
        self.stack.callback(server.stop.set)
        return server

    def ask(
        self, *words: str, is_terminal: bool = False, encoding: str = "utf-8", **variables: str
    ) -> tuple[int | None, str, str]:
        """Status (None when no server answered) and what came on both streams."""
        stdout, stderr = (Terminal(is_terminal=is_terminal, encoding=encoding) for _ in range(2))
        environment = {**self.environment, **variables}
        path = server_socket(words, environment)
        status = None
        if path is not None:
            status = ask_server(path, words, stdout, stderr, environment)
        return status, stdout.getvalue(), stderr.getvalue()

    def cold(
        self, *words: str, is_terminal: bool = False, encoding: str = "utf-8", **variables: str
    ) -> tuple[int, str, str]:
        """The same without a server."""
        stdout, stderr = (Terminal(is_terminal=is_terminal, encoding=encoding) for _ in range(2))
        environment = {**self.environment, **variables}
        status = main(list(words), Streams(io.BytesIO(), stdout, stderr, environment))
        return int(status), stdout.getvalue(), stderr.getvalue()


@pytest.fixture
def warm(memctl_environment: dict[str, str], bundled_model_stays_loaded: None) -> Iterator[Warm]:
    """No server runs yet. The socket's folder is not the test's, whose path may be too long."""
    with tempfile.TemporaryDirectory(prefix="mc-") as folder:
        warm = Warm({**memctl_environment, "XDG_RUNTIME_DIR": folder, "COLUMNS": "90"})
        with warm.stack:
            yield warm
