"""`memctl ingest --watch`: the signals, the log and the reloading of a process that runs for long.

SIGHUP has it read its settings again; where it means that the terminal is gone in which the process
was started, and not under nohup, it ends it. SIGTERM and SIGINT end it within five seconds: in
order where it can, and else hard, which loses nothing, since every write is whole or absent. While
one call of a native library holds up all threads, as taking secrets out of a text of some 100 MB
does, a guard beside it kills it.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from memctl.cli.end_guard import start_guard
from memctl.cli.ingest_receipts import log_level, receipt_details, receipt_json
from memctl.cli.log_lines import LogLines
from memctl.cli.session import Session
from memctl.cli.warm.server import answering
from memctl.errors import ExitCode, MemctlError
from memctl.ingestion.daemon import Daemon, WatchEnd
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.receipt import DocumentReceipt
from memctl.times import utc_now

HARD_STOP_SECONDS = 3.0
"""Time for an orderly end; then the process ends at once."""

GUARD_EXIT_SECONDS = 1.0
"""How long the guard may take to end: it does so at once."""

_EXIT_CODES: dict[int, ExitCode] = {
    signal.SIGTERM: ExitCode.TERMINATED,
    signal.SIGINT: ExitCode.INTERRUPTED,
}


def has_terminal() -> bool:
    """Whether this process belongs to a terminal that is still there, wherever its streams lead."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


@dataclass(slots=True)
class _Control:
    """What signals act on: the daemon that runs now. ``untold`` is why stdout takes nothing more,
    which ends the daemon in order: what it has taken in is no failure. ``must_reload`` stays from
    SIGHUP until the settings are read, so that none is lost while there is no daemon to tell."""

    ends_with_terminal: bool
    daemon: Daemon | None = None
    received: list[int] = field(default_factory=list)
    untold: OSError | None = None
    must_reload: bool = False

    def handle(self, number: int, _frame: FrameType | None) -> None:
        self.received.append(number)
        if number == signal.SIGHUP and self.ends_with_terminal and not has_terminal():
            signal.raise_signal(signal.SIGTERM)
        elif number == signal.SIGHUP:
            self.must_reload = True
            if self.daemon is not None:
                self.daemon.reload()
        elif self.daemon is not None:
            # Nothing after it runs where it breaks off what is being read.
            self.daemon.stop()

    @property
    def exit_code(self) -> ExitCode:
        """The status of the first signal that ends the process."""
        codes = (_EXIT_CODES[number] for number in self.received if number in _EXIT_CODES)
        return next(codes, ExitCode.OK)

    @property
    def is_ended(self) -> bool:
        """Whether a signal that ends the process has come."""
        return any(number in _EXIT_CODES for number in self.received)


def watch(
    session: Session,
    folders: Sequence[Path],
    make_options: Callable[[Session], IngestOptions],
    prepare: Callable[[Session], None],
) -> None:
    """Watches until a signal ends it. ``make_options`` and ``prepare`` are asked anew with the
    settings of each reload. Raises AlreadyWatchingError, WatchError and StoreError, and OSError
    when stdout takes no more."""
    log = LogLines(session.streams.stderr, utc_now)
    is_left_running = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    control = _Control(ends_with_terminal=has_terminal() and not is_left_running)

    def tell(receipt: DocumentReceipt, target: Path | None) -> None:
        try:
            _tell(session, log, receipt, target)
        except OSError as error:
            control.untold = control.untold or error
            daemon.stop()

    def make_daemon(folders: Sequence[Path], *, may_be_gone: bool) -> Daemon:
        session.runtime.warn = lambda text: log("warning", level="warning", text=text)
        prepare(session)
        options = make_options(session)
        return session.files.daemon(
            folders, options, log=log, finished=tell, may_be_gone=may_be_gone
        )

    with _signals(control.handle), _hard_stop(control):
        daemon = make_daemon(folders, may_be_gone=False)
        resolved = daemon.folders if folders else ()
        while True:
            control.daemon = daemon
            # A signal that came before there was a daemon to tell has to be obeyed here.
            if control.is_ended:
                daemon.stop()
            if control.must_reload:
                daemon.reload()
            end = daemon.run(answering(session, session.runtime.warn))
            if end is WatchEnd.STOPPED:
                break
            control.must_reload = False
            daemon = _reload(session, log, partial(make_daemon, resolved, may_be_gone=True))
    if control.untold is not None:
        raise control.untold
    session.exit_code = control.exit_code


def _tell(session: Session, log: LogLines, receipt: DocumentReceipt, target: Path | None) -> None:
    level = log_level(receipt, target)
    log(receipt.status.value, level=level, **receipt_details(receipt, target))
    if session.output.as_json:
        moved_to = None if target is None else str(target)
        session.output.json_item({**receipt_json(receipt), "moved_to": moved_to})
        session.streams.stdout.flush()


def _reload(session: Session, log: LogLines, make_daemon: Callable[[], Daemon]) -> Daemon:
    """The daemon with the settings as they are now, or with the old ones where those are no use."""
    before = session.loaded_settings
    try:
        session.reload()
        daemon = make_daemon()
    except MemctlError as error:
        log("reload", level="error", error=f"{error}; the old settings stay")
        session.use(before)
        return make_daemon()
    log("reload", configuration=session.loaded_settings.config_path)
    return daemon


@contextmanager
def _signals(handle: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before: dict[int, Any] = {}
    try:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            before[number] = signal.signal(number, handle)
        yield
    finally:
        for received, handler in before.items():
            signal.signal(received, handler)


def _numbers(guard: subprocess.Popen[bytes] | None, reader: socket.socket) -> Iterator[bytes]:
    """The numbers of signals that come, handed on by the guard while there is one."""
    if guard is not None and guard.stdout is not None:
        while data := os.read(guard.stdout.fileno(), 64):
            yield data
    while data := reader.recv(64):
        yield data


@contextmanager
def _hard_stop(control: _Control) -> Iterator[None]:
    """Ends the process when it has not ended in time after a signal, even while its main thread is
    inside a library that lets no handler run; says so where the store can be written."""
    reader, writer = socket.socketpair()
    os.set_blocking(writer.fileno(), False)
    guard: subprocess.Popen[bytes] | None = None
    with suppress(OSError):
        guard = start_guard(reader, [int(number) for number in _EXIT_CODES])
    timers: list[threading.Timer] = []

    def end(code: int) -> None:
        try:
            if control.daemon is not None:
                control.daemon.end_hard()
        finally:
            os._exit(code)

    def listen() -> None:
        for data in _numbers(guard, reader):
            codes = [int(code) for number, code in _EXIT_CODES.items() if number in data]
            if codes and not timers:
                [code, *_] = codes
                timers.append(threading.Timer(HARD_STOP_SECONDS, end, [code]))
                timers[0].daemon = True
                timers[0].start()

    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=listen, daemon=True, name="memctl-signals").start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        writer.close()
        if guard is not None:
            with suppress(subprocess.TimeoutExpired):
                guard.wait(GUARD_EXIT_SECONDS)
        for timer in timers:
            timer.cancel()
