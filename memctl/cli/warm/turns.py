"""Who may work now: a queue for the requests of a server, first come, first served.

Several work at a time, because the model, the search index and SQLite work outside Python's lock.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Turn:
    """One request's place in the queue."""

    settled: threading.Event = field(default_factory=threading.Event)
    is_granted: bool = False

    def wait(self, seconds: float) -> bool:
        """Whether it was settled within that time: granted, or refused for good."""
        return self.settled.wait(seconds)


class Turns:
    """The queue; ``at_once`` requests work at a time."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._changed = threading.Condition()
        self._waiting: deque[Turn] = deque()
        self._working: list[Turn] = []
        self._is_closed = False

    @property
    def is_idle(self) -> bool:
        """Whether nobody works or waits."""
        return not self._working and not self._waiting

    def join(self) -> Turn:
        """A place at the end of the queue; ``leave`` gives it back."""
        turn = Turn()
        with self._changed:
            self._waiting.append(turn)
            self._grant()
        return turn

    def leave(self, turn: Turn) -> None:
        """Ends the work, or the waiting for it."""
        with self._changed:
            for places in (self._waiting, self._working):
                if turn in places:
                    places.remove(turn)
            self._grant()
            self._changed.notify_all()

    def close(self) -> None:
        """Refuses all that wait or come later, and returns when nobody works any more."""
        with self._changed:
            self._is_closed = True
            self._grant()
            self._changed.wait_for(lambda: not self._working)

    def _grant(self) -> None:
        """Settles whoever can be settled now, in order."""
        while self._waiting and (self._is_closed or len(self._working) < self._at_once):
            turn = self._waiting.popleft()
            if not self._is_closed:
                self._working.append(turn)
                turn.is_granted = True
            turn.settled.set()
