"""Runs coroutines for callers in ordinary threads, which wait for what comes of them.

LanceDB does its work in coroutines. Its own functions for ordinary threads hand over every single
step, each with two changes of thread; here a caller hands over a whole piece of work.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class EventLoopThread:
    """An event loop in a thread of its own, which begins with the first piece of work and ends with
    the process."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """What the coroutine returns or raises. A caller that is interrupted while it waits lets
        the coroutine be cancelled. Not to be called from the loop itself."""
        future = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(
                    target=self._loop.run_forever, name=self._name, daemon=True
                ).start()
            return self._loop


_index_loop = EventLoopThread("search-index")


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Runs work on the search index; see ``EventLoopThread.wait_for``."""
    return _index_loop.wait_for(work)
