"""The server of the warm path: runs command lines of the same user, several at a time.

It runs the very code that a cold command runs, on streams that stand for the client's, so that the
answers are the same to the byte; only the opened store and the loaded models are kept, by
``kept_runtime``, and shared by threads. One process with threads, not several: each further process
would hold LanceDB and the model once more (some 250 MB), and a fork of a process with their threads
is not safe.
"""

from __future__ import annotations

import errno
import io
import os
import socket
import stat
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from memctl import __version__
from memctl.cli.main import main
from memctl.cli.render import current_folder
from memctl.cli.session import Session, Streams
from memctl.cli.warm.kept_runtime import WarmRuntime, Warn
from memctl.cli.warm.protocol import (
    COLD_WORDS,
    COMMANDS,
    FOLDER_VARIABLES,
    GO,
    LONGEST_LINE_BYTES,
    PROTOCOL,
    read_line,
    write_line,
)
from memctl.cli.warm.running import ServerKind, lock_path, session_socket
from memctl.cli.warm.turns import Turns
from memctl.errors import AlreadyAnsweringError, LockedError, UsageError
from memctl.store.locks import named_lock

ACTION = "answer on a socket"

ACCEPT_SECONDS = 0.5
"""How often the server looks whether it is to end."""

LOCK_SECONDS = 0.1
"""How long a server waits for its lock: who looks whether it is held has it for an instant."""

WAITING_SECONDS = 0.5
"""How often a client is told that it is not forgotten."""

PATIENCE_SECONDS = 3.0
"""How long a client may take to send its request, or to say go."""

CONNECTIONS_AT_ONCE = 100
"""Clients that are listened to at a time: with the files of the store fewer than the 256 that some
systems let a process open. Those that come meanwhile wait to be accepted."""

CROWDED_ERRORS = frozenset(
    {errno.ECONNABORTED, errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
)
"""Why no connection can be accepted now, and the next one perhaps can."""

LONGEST_PATH_BYTES = 103
"""What the operating systems allow for a socket's path."""

WRITING_COMMANDS = frozenset({"save", "forget"})
"""Commands that write more than a count of accesses."""

LIGHT_COMMANDS = frozenset({"list", "show"})
"""Commands that read some rows: they do not wait for those that search or write."""

SEARCHING_COMMANDS = COMMANDS - WRITING_COMMANDS - LIGHT_COMMANDS
"""Commands that ask the model and the search index."""

SHOWING_COMMANDS = LIGHT_COMMANDS | {"context"}
"""Commands whose answers depend on when and how often memories were recalled."""

SEARCHING_AT_ONCE = 4
"""Requests that search are worked on at a time; measured, four threads answer recalls a third
faster than one, and for the same time of the processor."""

WRITING_AT_ONCE = 8
"""Requests that write are worked on beside them: they wait for the disk and for each other, and the
more of them wait, the more are brought to the search index by one commit."""

LIGHT_AT_ONCE = 2
"""Light requests that are worked on beside both."""


class WarmServer:
    """Answers on the socket ``path`` from ``runtime``; ``run`` blocks until ``stop`` is set.

    ``kind`` is what others are told of this process.
    ``environment`` is the server's own: a request from another home folder, time zone, version or
    interpreter is refused, and the client does the work itself.
    """

    def __init__(
        self,
        path: Path,
        runtime: WarmRuntime,
        environment: Mapping[str, str],
        kind: ServerKind = ServerKind.SERVE,
    ) -> None:
        self._path = path
        self._kind = kind
        self._runtime = runtime
        self._environment = environment
        self._turns = {
            command: turns
            for commands, turns in (
                (SEARCHING_COMMANDS, Turns(SEARCHING_AT_ONCE)),
                (WRITING_COMMANDS, Turns(WRITING_AT_ONCE)),
                (LIGHT_COMMANDS, Turns(LIGHT_AT_ONCE)),
            )
            for command in commands
        }
        self._connections = threading.Semaphore(CONNECTIONS_AT_ONCE)
        self._last_request = time.monotonic()
        self.stop = threading.Event()

    @contextmanager
    def listening(self, prepare: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Calls ``prepare``, then binds the socket.

        Raises UsageError for a folder that is not safe and a socket that cannot be made,
        AlreadyAnsweringError for a second server, and what ``prepare`` raises.
        """
        lock = named_lock(
            lock_path(self._path), what=ACTION, command=self._kind, wait_seconds=LOCK_SECONDS
        )
        with ExitStack() as stack:
            with _file_errors():
                self._make_folder()
                _enter(stack, lock)
            prepare()
            listener = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            with _file_errors():
                self._bind(listener)
            stack.callback(self._path.unlink, missing_ok=True)
            self._listener = listener
            yield

    def _bind(self, listener: socket.socket) -> None:
        self._path.unlink(missing_ok=True)
        listener.bind(str(self._path))
        self._path.chmod(stat.S_IRUSR | stat.S_IWUSR)
        listener.listen(128)
        listener.settimeout(ACCEPT_SECONDS)

    def run(self, idle_seconds: float | None = None) -> None:
        """Answers until ``stop`` is set or nothing was asked for ``idle_seconds``; lets the
        requests in hand come to their end, at a signal too. To be called within ``listening``."""
        self._last_request = time.monotonic()
        try:
            while not self.stop.is_set():
                if idle_seconds is not None and self._idle_for() > idle_seconds:
                    break
                self._serve_next()
        finally:
            for turns in set(self._turns.values()):
                turns.close()
            self._await_replies()

    def _serve_next(self) -> None:
        """Waits a while for a connection, and has a thread serve it."""
        if not self._connections.acquire(timeout=ACCEPT_SECONDS):
            return
        try:
            connection, _ = self._listener.accept()
        except OSError as error:
            self._connections.release()
            if error.errno in CROWDED_ERRORS:
                self.stop.wait(ACCEPT_SECONDS)
            elif not isinstance(error, TimeoutError):
                raise
        else:
            threading.Thread(
                target=self._serve, args=(connection,), name="warm-request", daemon=True
            ).start()

    def _await_replies(self) -> None:
        """Waits until all that has been answered is with the clients, as far as they take it."""
        until = time.monotonic() + PATIENCE_SECONDS
        for _ in range(CONNECTIONS_AT_ONCE):
            if not self._connections.acquire(timeout=max(until - time.monotonic(), 0)):
                return

    def _idle_for(self) -> float:
        if not all(turns.is_idle for turns in set(self._turns.values())):
            self._last_request = time.monotonic()
        return time.monotonic() - self._last_request

    def _make_folder(self) -> None:
        if len(os.fsencode(self._path)) > LONGEST_PATH_BYTES:
            why = (
                f"the path {self._path} is too long for a socket; set XDG_RUNTIME_DIR to a shorter"
            )
            raise UsageError(what=ACTION, why=why)
        folder = self._path.parent
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise UsageError(what=ACTION, why=f"{folder} is no folder")
        if found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise UsageError(what=ACTION, why=f"{folder} is not for you alone, as with mode 700")

    def _serve(self, connection: socket.socket) -> None:
        """One request; a client that goes away or talks nonsense is left alone."""
        try:
            with connection, suppress(OSError, ValueError, KeyError, TypeError):
                if _is_same_user(connection):
                    self._converse(connection)
        finally:
            self._connections.release()

    def _converse(self, connection: socket.socket) -> None:
        connection.settimeout(PATIENCE_SECONDS)
        with connection.makefile("rb") as lines:
            request = read_line(lines.readline(LONGEST_LINE_BYTES))
            why_not = self._unfit(request)
            if why_not:
                connection.sendall(write_line({"ready": False, "why": why_not}))
                return
            self._answer(connection, lines, request)

    def _answer(
        self, connection: socket.socket, lines: BinaryIO, request: Mapping[str, Any]
    ) -> None:
        command = next(word for word in request["arguments"] if word in COMMANDS)
        turns = self._turns[command]
        turn = turns.join()
        try:
            while not turn.wait(WAITING_SECONDS):
                connection.sendall(write_line({"waiting": True}))
            connection.sendall(write_line({"ready": turn.is_granted}))
            if not turn.is_granted or lines.readline(len(GO)) != GO:
                return
            reply = self._run(request)
        finally:
            self._last_request = time.monotonic()
            turns.leave(turn)
        connection.sendall(write_line(reply))

    def _unfit(self, request: Mapping[str, Any]) -> str:
        """Why this server is not the one to ask, or nothing."""
        if request["protocol"] != PROTOCOL or request["version"] != __version__:
            return "another version"
        if request["python"] != sys.version:
            return "another interpreter"
        if any(
            request["environment"].get(name) != self._environment.get(name)
            for name in (*FOLDER_VARIABLES, "TZ")
        ):
            return "another home folder or time zone"
        if self._runtime.depends_on_folder and request["folder"] != str(Path.cwd()):
            return "another working folder, in which the settings name other files"
        return self._unfit_command(request["arguments"])

    def _unfit_command(self, words: Sequence[str]) -> str:
        """Why a command line needs the client's own process, or nothing."""
        if not COMMANDS.intersection(words) or COLD_WORDS.intersection(words):
            return "not a command for a server"
        if "save" in words and self._runtime.asks_language_model:
            return "a save that may ask a language model, with the client's keys"
        return ""

    def _run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        parts: list[tuple[int, str]] = []
        stdout, stderr = (
            ClientStream(number, stream["terminal"], stream["encoding"], parts)
            for number, stream in enumerate(request["streams"], 1)
        )
        streams = Streams(io.BytesIO(), stdout, stderr, request["environment"])
        token = current_folder.set(Path(request["folder"]))
        if SHOWING_COMMANDS.intersection(request["arguments"]):
            self._runtime.count_accesses()
        try:
            status = main(request["arguments"], streams, self._runtime.lend)
        finally:
            current_folder.reset(token)
        return {"status": int(status), "parts": parts}


class ClientStream(io.StringIO):
    """Stands for a stream of the client: what is written is kept, in order with the other one's."""

    def __init__(
        self, number: int, terminal: bool, encoding: str, parts: list[tuple[int, str]]
    ) -> None:
        super().__init__()
        self._number = number
        self._terminal = terminal
        self._encoding = encoding
        self._parts = parts

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        self._parts.append((self._number, text))
        return len(text)


@contextmanager
def answering(session: Session, warn: Warn) -> Iterator[None]:
    """Answers in the background while the body runs; that it cannot is said and no error.

    Nothing is loaded before the first request comes.
    """
    runtime = WarmRuntime(session.settings, session.settings_now)
    path, environment = session_socket(session), session.streams.environment
    server = WarmServer(path, runtime, environment, ServerKind.WATCH)
    with ExitStack() as stack:
        stack.callback(runtime.close)
        try:
            stack.enter_context(server.listening())
        except AlreadyAnsweringError:
            warn("other commands are answered by the process that holds the socket already")
        except UsageError as error:
            warn(f"other commands are not answered: {error}")
        else:
            thread = threading.Thread(target=server.run, name="warm-server")
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.stop.set)
        yield


def _enter(stack: ExitStack, lock: AbstractContextManager[None]) -> None:
    """Raises AlreadyAnsweringError when another server holds the lock."""
    try:
        stack.enter_context(lock)
    except LockedError as error:
        raise AlreadyAnsweringError(**error.data) from None


@contextmanager
def _file_errors() -> Iterator[None]:
    """Raises UsageError for an OSError of the body."""
    try:
        yield
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        why = f"{place}{(error.strerror or str(error)).lower()}"
        raise UsageError(what=ACTION, why=why) from None


def _is_same_user(connection: socket.socket) -> bool:
    """Whether the client runs as this user, where the system can tell; the socket's mode says so
    already."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, option, size))
    return bool(user == os.getuid())
