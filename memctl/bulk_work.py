"""The interpreter's settings for minutes of work on many objects beside a native library.

They belong to the whole process and change nothing but speed and the use of memory. The
interpreter's are put back afterwards; the allocator's cannot be, and stay.
"""

from __future__ import annotations

import ctypes
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

MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES = -3, 1 << 20
ARENA_MAX, ARENAS = -8, 2
"""Parameters of glibc's mallopt(3), and their values. By default freed blocks of some megabytes, of
which matrices and index batches make many, are kept and split up in one arena for each thread:
taking in 10,000 small files needed 1.1 GB, of which less than half was in use."""


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
            _give_large_blocks_back()

    def leave(self) -> None:
        with self.lock:
            self.users -= 1
            if self.users:
                return
            gc.unfreeze()
            gc.set_threshold(*self.thresholds)
            sys.setswitchinterval(self.switch_seconds)


def _give_large_blocks_back() -> None:
    """Lets freed blocks go back to the system, where the C library is glibc."""
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES)
        set_option(ARENA_MAX, ARENAS)


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
