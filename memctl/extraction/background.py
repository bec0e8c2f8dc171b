"""Functions that run in threads which nobody has to wait for.

The threads end with the process, however long their work would take: an answer that does not come
keeps neither a caller beyond its time nor a program that is to end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

Value = TypeVar("Value")


def start_in_background(function: Callable[[], Value]) -> Future[Value]:
    """Runs ``function`` in a thread of its own; the future holds its value or what it raised."""
    future: Future[Value] = Future()

    def run() -> None:
        try:
            value = function()
        except BaseException as error:  # noqa: BLE001 - raised again by whoever asks for the value
            future.set_exception(error)
        else:
            future.set_result(value)

    threading.Thread(target=run, daemon=True, name="memctl-call").start()
    return future


def run_within(timeout_seconds: float, function: Callable[[], Value]) -> Value:
    """The value of ``function``. Raises TimeoutError when it takes longer, and leaves it to
    itself then; and whatever ``function`` raises."""
    return start_in_background(function).result(timeout_seconds)
