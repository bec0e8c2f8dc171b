"""Ends long computing in the midst of it, where that changes nothing.

What reads a file and takes statements from it asks nobody whether it should stop; a signal's
handler ends it by an exception, and nothing of it has been stored by then.
"""

from __future__ import annotations

import threading


class BrokenOff(BaseException):
    """The work in hand was given up because the run is to stop. No error, so that no broad catch
    holds it up."""


class BreakableWork:
    """Stands around what may be broken off, and is told to break it off by a signal's handler."""

    def __init__(self) -> None:
        self._thread: int | None = None

    def __enter__(self) -> None:
        self._thread = threading.get_ident()

    def __exit__(self, *_error: object) -> None:
        self._thread = None

    def break_off(self) -> None:
        """Raises BrokenOff in the work that this call has interrupted; does nothing anywhere
        else."""
        if self._thread == threading.get_ident():
            self._thread = None
            raise BrokenOff
