"""Work that is done once for all who wait for it: while one thread is at it, others gather.

Each caller's part is done by work that began after the caller had come, so that whoever wrote
something before it came has that taken along.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


@dataclass(eq=False)
class _Round(Generic[T, R]):
    """What is done in one go, by one of those who have joined."""

    parts: list[T] = field(default_factory=list)
    is_over: bool = False
    outcome: tuple[R] | None = None
    """None while there is none, and for good where the work has failed."""


class SharedWork(Generic[T, R]):
    """Does ``work`` on the parts of several threads in one go, and one such round at a time."""

    def __init__(self, work: Callable[[Sequence[T]], R]) -> None:
        self._work = work
        self._changed = threading.Condition()
        self._next: _Round[T, R] = _Round()
        self._is_busy = False

    def do(self, parts: Sequence[T]) -> R:
        """What the work gave on these parts and those of other callers.

        Where the work fails in another thread it is tried again here, so that each caller gets an
        answer or an error of its own.
        """
        while True:
            joined, leads = self._joined(parts)
            if leads:
                return self._led(joined)
            if joined.outcome is not None:
                return joined.outcome[0]

    def _joined(self, parts: Sequence[T]) -> tuple[_Round[T, R], bool]:
        """The round of these parts, and whether it is this caller's to do; else it is over."""
        with self._changed:
            joined = self._next
            joined.parts.extend(parts)
            self._changed.wait_for(lambda: joined.is_over or not self._is_busy)
            if joined.is_over:
                return joined, False
            self._is_busy = True
            self._next = _Round()
            return joined, True

    def _led(self, joined: _Round[T, R]) -> R:
        try:
            outcome = self._work(joined.parts)
            joined.outcome = (outcome,)
            return outcome
        finally:
            with self._changed:
                joined.is_over = True
                self._is_busy = False
                self._changed.notify_all()
