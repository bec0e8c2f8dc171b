"""The interpreter's settings for minutes of work on many objects beside a native library.

They belong to the whole process, change nothing but speed, and are put back afterwards.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter while others want it. Between two runs of the embedding
model some ten short steps need it: with the usual 5 ms each, the model stands still for as long as
it works."""

YOUNG_OBJECTS = 20_000
"""New objects after which the collector of reference cycles looks at the young ones."""


@dataclass(slots=True)
class _Settings:
    """The settings of before, while ``users`` pieces of work need others."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0
    switch_seconds: float = 0.0
    thresholds: tuple[int, int, int] = (0, 0, 0)

    def enter(self) -> None:
        with self.lock:
            self.users += 1
            if self.users > 1:
                return
            self.switch_seconds = sys.getswitchinterval()
            self.thresholds = gc.get_threshold()
            sys.setswitchinterval(SWITCH_SECONDS)
            gc.set_threshold(YOUNG_OBJECTS, *self.thresholds[1:])
            gc.freeze()

    def leave(self) -> None:
        with self.lock:
            self.users -= 1
            if self.users:
                return
            gc.unfreeze()
            gc.set_threshold(*self.thresholds)
            sys.setswitchinterval(self.switch_seconds)


_settings = _Settings()


@contextmanager
def work_in_bulk() -> Iterator[None]:
    """Lets threads take turns more often and the collector run less often, until the last of
    several pieces of work ends, in whichever order and thread.

    What is loaded already is not looked at for cycles meanwhile: modules of large libraries make
    up most of what a full collection would go through, and none of it goes away.
    """
    _settings.enter()
    try:
        yield
    finally:
        _settings.leave()
