"""A process of its own for readers that hostile input could hold up: PDF and HTML.

It is started when it is first needed, answers one request at a time, and ends by itself when it
has been idle or its parent is gone. Time and memory are bounded from outside, so whatever a file
does to its reader, the caller gets what was read until then and the reason why there is no more.
"""

from __future__ import annotations

import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

from memctl.document import DocumentStatus
from memctl.pipe_messages import (
    END,
    Message,
    read_message,
    write_message,
    write_payload,
)
from memctl.python_process import python_command

EXIT_SECONDS = 0.2
"""How long a process whose streams are closed may take to end before it is killed."""

TOTAL_FACTOR = 10
"""How many times the time-out a whole document may take while its reader goes on giving pages."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a task said, in order. ``failure`` is set when it did not come to its end.

    ``started`` is False when the machine had no process to spare: nothing is known of the file.
    """

    messages: tuple[Message, ...]
    failure: str | None = None
    started: bool = True

    @property
    def status(self) -> DocumentStatus:
        """What a failure means for the file."""
        return DocumentStatus.UNREADABLE if self.started else DocumentStatus.FAILED


class ReadingWorker:
    """The caller's side. Safe to use from several threads: requests wait for each other."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def ask(self, task: str, data: bytes, options: Message, *, timeout_seconds: float) -> Answer:
        """Runs a task on ``data``; one that is silent for longer is killed."""
        request = {**options, "task": task}
        try:
            with self._lock:
                answer, idle_end = self._try(request, data, timeout_seconds)
                if idle_end:
                    answer, _ = self._try(request, data, timeout_seconds)
        except OSError as error:
            return Answer((), f"its reader cannot run: {error.strerror or error}", started=False)
        return answer

    def _try(self, request: Message, data: bytes, timeout_seconds: float) -> tuple[Answer, bool]:
        """The answer, and whether the process had just ended by itself for want of work."""
        process = self._running()
        watchdog = _Watchdog(process, timeout_seconds)
        finished = False
        messages: list[Message] = []
        try:
            finished = self._exchange(process, request, data, messages, watchdog)
        finally:
            watchdog.end()
            status = None if finished else self._end()
        if finished:
            return Answer(tuple(messages)), False
        if watchdog.barked:
            return Answer(tuple(messages), f"it took longer than {timeout_seconds:g} s"), False
        return Answer(tuple(messages), "its reader came to a sudden end"), status == 0

    def stop(self) -> None:
        """Ends the process at once, also while another thread waits for its answer."""
        process = self._stopped = self._process
        if process is not None:
            process.kill()

    def _running(self) -> subprocess.Popen[bytes]:
        process = self._process
        if process is not None and process is not self._stopped and process.poll() is None:
            return process
        self._end()
        self._process = subprocess.Popen(
            python_command("memctl.ingestion.readers.worker_process", "serve"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return self._process

    def _end(self) -> int | None:
        """Sees to it that the process is gone; its exit status, None when there was none."""
        process, self._process = self._process, None
        if process is None:
            return None
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        try:
            return process.wait(timeout=EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def _exchange(
        self,
        process: subprocess.Popen[bytes],
        request: Message,
        data: bytes,
        messages: list[Message],
        watchdog: _Watchdog,
    ) -> bool:
        """Appends what comes back to ``messages``; whether the task came to its end."""
        if process.stdin is None or process.stdout is None:
            return False
        try:
            write_message(process.stdin, request)
            write_payload(process.stdin, data)
        except BrokenPipeError:
            return False
        while (message := read_message(process.stdout)) is not None:
            if message == END:
                return True
            messages.append(message)
            watchdog.pat()
        return False


class _Watchdog:
    """Kills a process that says nothing for too long, or goes on for TOTAL_FACTOR times that."""

    def __init__(self, process: subprocess.Popen[bytes], timeout_seconds: float) -> None:
        self.barked = False
        self._process = process
        self._timeout_seconds = timeout_seconds
        self._ended = threading.Event()
        self._last_sign = time.monotonic()
        self._latest_end = self._last_sign + TOTAL_FACTOR * timeout_seconds
        threading.Thread(target=self._watch, daemon=True).start()

    def pat(self) -> None:
        """Notes a sign of life."""
        self._last_sign = time.monotonic()

    def end(self) -> None:
        """Calls it off."""
        self._ended.set()

    def _watch(self) -> None:
        while True:
            deadline = min(self._last_sign + self._timeout_seconds, self._latest_end)
            rest = deadline - time.monotonic()
            if rest <= 0:
                break
            if self._ended.wait(rest):
                return
        self.barked = True
        self._process.kill()


_SHARED = ReadingWorker()


def shared_worker() -> ReadingWorker:
    """The worker of this process. It needs no closing: it ends when idle, and with its parent."""
    return _SHARED
