"""Keeps the heartbeat of a watching process going, whatever the process is busy with.

A thread writes it when it is due, and the process itself when something is to be told at once. The
last word stays the last: nothing is written after it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memctl.errors import LockedError, StoreError
from memctl.ingestion.heartbeat import HEARTBEAT_SECONDS

AGAIN_SECONDS = 5.0
"""Pause after a beat that could not be written, as while the process itself stores a large file."""

WriteHeartbeat = Callable[[float], None]
"""Writes how the process is, waiting at most so many seconds for others that write. Raises
LockedError, and StoreError and its kinds."""


class Pulse:
    """Beats between ``going`` and the last beat. Safe to use from several threads."""

    def __init__(self, write: WriteHeartbeat, failed: Callable[[Exception], None]) -> None:
        self._write = write
        self._failed = failed
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._next_beat = 0.0

    @contextmanager
    def going(self, wait_seconds: float) -> Iterator[None]:
        """Lets a thread beat when it is time, until the block ends."""
        beating = threading.Thread(
            target=self._beat_on, args=[wait_seconds], daemon=True, name="memctl-heartbeat"
        )
        beating.start()
        try:
            yield
        finally:
            self._over.set()
            beating.join(2 * wait_seconds)

    def beat(self, wait_seconds: float, *, is_last: bool = False) -> None:
        """Writes the heartbeat now. One that cannot be written is left out, which ``failed`` is
        told: the next one says the same."""
        error = self._try(wait_seconds, is_last=is_last)
        if error is not None:
            self._failed(error)

    def _beat_on(self, wait_seconds: float) -> None:
        while not self._over.wait(max(0.0, self._next_beat - time.monotonic())):
            if time.monotonic() >= self._next_beat and self._try(wait_seconds) is not None:
                self._next_beat = time.monotonic() + AGAIN_SECONDS

    def _try(self, wait_seconds: float, *, is_last: bool = False) -> Exception | None:
        is_ours = self._lock.acquire(timeout=wait_seconds)
        try:
            if self._over.is_set() and not is_last:
                return None
            if is_last:
                self._over.set()
            self._next_beat = time.monotonic() + HEARTBEAT_SECONDS
            self._write(wait_seconds)
        except (LockedError, StoreError) as error:
            return error
        finally:
            if is_ours:
                self._lock.release()
        return None
