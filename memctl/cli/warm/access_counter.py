"""Counts what was recalled after the answers are out, for many recalls in one transaction.

Another process that writes much, as an ingest does, would otherwise hold up every answer on account
of a count.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

from memctl.errors import MemctlError

GATHER_SECONDS = 0.1
"""How long the first count waits for others."""

RETRY_SECONDS = 1.0
"""Pause after counts could not be written: another process is writing."""

MOST_FAILURES = 30
"""So often in a row; then the store cannot be written, and the counts are given up."""

WriteAccesses = Callable[[Sequence[str], float], bool]
"""Counts one access for each of these memories, waiting so many seconds for others who write;
False when that was not possible now."""

PATIENCE_SECONDS = 0.5
"""How long a write of counts waits for others who write."""


class AccessCounter:
    """Keeps counts and writes them with ``write``, in a thread that begins with the first one. To
    be used from several threads; ``close`` it."""

    def __init__(self, write: WriteAccesses) -> None:
        self._write = write
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._waiting: Counter[str] = Counter()
        self._failures = 0
        self._news = threading.Event()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, ids: Sequence[str]) -> None:
        """Keeps one access of each of these memories."""
        with self._lock:
            self._waiting.update(ids)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="access-counter", daemon=True
                )
                self._thread.start()
        self._news.set()

    def write_now(self, wait_seconds: float = PATIENCE_SECONDS) -> bool:
        """Writes what is kept; False when that was not possible now, and it stays kept."""
        if not self._writing.acquire(timeout=wait_seconds):
            return False
        try:
            with self._lock:
                taken, self._waiting = self._waiting, Counter()
                self._news.clear()
            left = taken - self._written(taken, wait_seconds)
            self._failures = self._failures + 1 if left else 0
            if left and self._failures < MOST_FAILURES:
                with self._lock:
                    self._waiting += left
            return not left
        finally:
            self._writing.release()

    def close(self) -> None:
        """Writes what is kept, if that is possible, and ends."""
        self._end.set()
        self._news.set()
        if self._thread is not None:
            self._thread.join()
        self.write_now()

    def _written(self, counts: Counter[str], wait_seconds: float) -> Counter[str]:
        """What could be written: memories that were recalled several times take several turns."""
        written: Counter[str] = Counter()
        while ids := [one for one in counts if counts[one] > written[one]]:
            is_written = False
            with suppress(MemctlError):
                is_written = self._write(ids, wait_seconds)
            if not is_written:
                break
            written.update(ids)
        return written

    def _run(self) -> None:
        while not self._end.is_set():
            self._news.wait()
            self._end.wait(GATHER_SECONDS)
            if not self.write_now():
                self._end.wait(RETRY_SECONDS)
                self._news.set()
