"""The server of the warm path: runs command lines of the same user, several at a time.

It runs the very code that a cold command runs, on streams that stand for the client's, so that the
answers are the same to the byte; only the opened store and the loaded models are kept, and shared
by threads. One process with threads, not several: each further process would hold LanceDB and the
model once more (some 250 MB), and a fork of a process with their threads is not safe.
"""

from __future__ import annotations

import io
import os
import socket
import stat
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from memctl import __version__
from memctl.cli.main import main
from memctl.cli.render import current_folder
from memctl.cli.session import Session, Streams
from memctl.cli.warm.access_counter import AccessCounter
from memctl.cli.warm.protocol import (
    COLD_WORDS,
    COMMANDS,
    FOLDER_VARIABLES,
    GO,
    LONGEST_LINE_BYTES,
    PROTOCOL,
    read_line,
    socket_path,
    write_line,
)
from memctl.cli.warm.turns import Turns
from memctl.config import DATABASE_NAME, INDEX_NAME
from memctl.errors import LockedError, UsageError
from memctl.runtime import Runtime
from memctl.store.locks import named_lock

if TYPE_CHECKING:
    from memctl.config import Settings

ACTION = "answer on a socket"

ACCEPT_SECONDS = 0.5
"""How often the server looks whether it is to end."""

WAITING_SECONDS = 0.5
"""How often a client is told that it is not forgotten."""

PATIENCE_SECONDS = 3.0
"""How long a client may take to send its request, or to say go."""

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

COUNT_SECONDS = 0.05
"""How long such a command waits for the counts of recalls before it to be written."""

SEARCHING_AT_ONCE = 4
"""Requests that search are worked on at a time; measured, four threads answer recalls a third
faster than one, and for the same time of the processor."""

WRITING_AT_ONCE = 8
"""Requests that write are worked on beside them: they wait for the disk and for each other, and the
more of them wait, the more are brought to the search index by one commit."""

LIGHT_AT_ONCE = 2
"""Light requests that are worked on beside both."""

Warn = Callable[[str], None]


def _nowhere(text: str) -> None:
    """Takes a warning that nobody waits for."""


_warn_client: ContextVar[Warn] = ContextVar("warn_client", default=_nowhere)
"""Where the warnings of this thread's request go."""

StoreFiles = tuple[tuple[int, int] | None, ...]
"""Which files the database and the index are (device and inode), None for a missing one."""


@dataclass(slots=True)
class _Kept:
    """A runtime that is open, the files that it has opened, and how many requests use it."""

    runtime: Runtime
    files: StoreFiles
    users: int = 0


class WarmRuntime:
    """One opened store for all requests that mean it; others get a runtime of their own.

    Several threads may borrow at a time.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._kept: _Kept | None = None
        self._accesses = AccessCounter(self._write_accesses)

    @contextmanager
    def lend(self, settings: Settings, warn: Warn, command: str) -> Iterator[Runtime]:
        """A runtime for one request; its warnings go to ``warn``."""
        if settings != self._settings:
            runtime = Runtime(settings, warn=warn, command=command)
            try:
                yield runtime
            finally:
                runtime.close()
            return
        kept = self._borrow()
        token = _warn_client.set(warn)
        try:
            yield kept.runtime
        finally:
            _warn_client.reset(token)
            self._give_back(kept)

    def warm_up(self) -> None:
        """Loads what the first request would otherwise wait for; changes nothing in the store."""
        from memctl.cli.command_function import command_function
        from memctl.search.request import RecallRequest

        for name in COMMANDS:
            command_function(name)
        with self.lend(self._settings, _nowhere, "memctl serve") as runtime:
            runtime.searcher.recall(RecallRequest(query="warm"))
            _ = runtime.associator

    def count_accesses(self) -> None:
        """Writes the counts of recalls that were answered, for a request that may show them, as far
        as nobody has to wait for that."""
        self._accesses.write_now(wait_seconds=COUNT_SECONDS)

    def close(self) -> None:
        """Lets go of the store, once nobody uses it."""
        self._accesses.close()
        with self._lock:
            self._retire()

    def _borrow(self) -> _Kept:
        """The kept runtime; another one when others lie in the place of the store's files."""
        with self._lock:
            found = self._store_files()
            if self._kept is not None and self._kept.files != found:
                self._retire()
            if self._kept is None:
                runtime = Runtime(
                    self._settings,
                    warn=_pass_on,
                    command="memctl serve",
                    count_accesses=self._accesses.add,
                )
                self._kept = _Kept(runtime, found)
            self._kept.users += 1
            return self._kept

    def _give_back(self, kept: _Kept) -> None:
        with self._lock:
            kept.users -= 1
            if kept is self._kept:
                # What was missing when the store was opened has been made by the request.
                found = self._store_files()
                kept.files = tuple(
                    there if before is None else before
                    for before, there in zip(kept.files, found, strict=True)
                )
            elif not kept.users:
                kept.runtime.close()

    def _write_accesses(self, ids: Sequence[str], wait_seconds: float) -> bool:
        with self.lend(self._settings, _nowhere, "memctl serve") as runtime:
            return runtime.store.record_accesses(ids, wait_seconds=wait_seconds)

    def _retire(self) -> None:
        """Keeps the runtime no longer; the last request that uses it closes it."""
        if self._kept is not None and not self._kept.users:
            self._kept.runtime.close()
        self._kept = None

    def _store_files(self) -> StoreFiles:
        folder = self._settings.store.path
        return tuple(_identity(folder / name) for name in (DATABASE_NAME, INDEX_NAME))


def _pass_on(warning: str) -> None:
    _warn_client.get()(warning)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class WarmServer:
    """Answers on the socket ``path`` from ``runtime``; ``run`` blocks until ``stop`` is set.

    ``environment`` is the server's own: a request from another home folder, time zone, version or
    interpreter is refused, and the client does the work itself.
    """

    def __init__(self, path: Path, runtime: WarmRuntime, environment: Mapping[str, str]) -> None:
        self._path = path
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
        self._last_request = time.monotonic()
        self.stop = threading.Event()

    @contextmanager
    def listening(self, prepare: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Calls ``prepare``, then binds the socket.

        Raises UsageError for a folder that is not safe, LockedError for a second server, OSError
        for a socket that cannot be made, and what ``prepare`` raises.
        """
        self._make_folder()
        lock = self._path.with_suffix(".lock")
        with named_lock(lock, what=ACTION, command=f"memctl serve ({self._path})", wait_seconds=0):
            prepare()
            self._path.unlink(missing_ok=True)
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
                listener.bind(str(self._path))
                self._path.chmod(stat.S_IRUSR | stat.S_IWUSR)
                listener.listen(128)
                listener.settimeout(ACCEPT_SECONDS)
                self._listener = listener
                try:
                    yield
                finally:
                    self._path.unlink(missing_ok=True)

    def run(self, idle_seconds: float | None = None) -> None:
        """Answers until ``stop`` is set or nothing was asked for ``idle_seconds``; lets the
        requests in hand come to their end. To be called within ``listening``."""
        self._last_request = time.monotonic()
        while not self.stop.is_set():
            if idle_seconds is not None and self._idle_for() > idle_seconds:
                break
            with suppress(TimeoutError):
                connection, _ = self._listener.accept()
                threading.Thread(
                    target=self._serve, args=(connection,), name="warm-request", daemon=True
                ).start()
        for turns in set(self._turns.values()):
            turns.close()

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
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise UsageError(what=ACTION, why=f"others may write in {folder}")

    def _serve(self, connection: socket.socket) -> None:
        """One request; a client that goes away or talks nonsense is left alone."""
        with connection, suppress(OSError, ValueError, KeyError, TypeError):
            if not _is_same_user(connection):
                return
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
        words = request["arguments"]
        if not COMMANDS.intersection(words) or COLD_WORDS.intersection(words):
            return "not a command for a server"
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
    runtime = WarmRuntime(session.settings)
    server = WarmServer(session_socket(session), runtime, session.streams.environment)
    with ExitStack() as stack:
        stack.callback(runtime.close)
        try:
            stack.enter_context(server.listening())
        except LockedError:
            warn("other commands are answered by the process that holds the socket already")
        except (UsageError, OSError) as error:
            warn(f"other commands are not answered: {error}")
        else:
            thread = threading.Thread(target=server.run, name="warm-server")
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.stop.set)
        yield


def session_socket(session: Session) -> Path:
    """Where commands with this one's options look for a server."""
    store, config = (
        None if option is None else str(option)
        for option in (session.options.store, session.options.config)
    )
    return Path(socket_path(session.streams.environment, store, config))


def _is_same_user(connection: socket.socket) -> bool:
    """Whether the client runs as this user, where the system can tell; the socket's mode says so
    already."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, option, size))
    return bool(user == os.getuid())
