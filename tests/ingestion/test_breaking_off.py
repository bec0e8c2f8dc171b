"""What is breakable ends at once when it is broken off, and nothing else does."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType

import pytest

from memctl.ingestion.breaking_off import BreakableWork, BrokenOff


def compute(until: float) -> None:
    """Goes on until then, whatever error comes."""
    while time.monotonic() < until:
        try:
            sum(range(1_000))
        except Exception:  # noqa: BLE001 - as the code of others may
            continue


def test_work_that_asks_nobody_ends_when_a_signal_breaks_it_off() -> None:
    """Also where it catches every error."""
    work = BreakableWork()

    def handle(_number: int, _frame: FrameType | None) -> None:
        work.break_off()

    before = signal.signal(signal.SIGUSR1, handle)
    try:
        threading.Timer(0.1, signal.raise_signal, [signal.SIGUSR1]).start()
        deadline = time.monotonic() + 30.0
        with pytest.raises(BrokenOff), work:
            compute(deadline)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert time.monotonic() < deadline


def test_nothing_is_broken_off_outside_of_the_work_twice_or_in_another_thread() -> None:
    work = BreakableWork()
    work.break_off()
    with pytest.raises(BrokenOff), work:
        work.break_off()
    work.break_off()
    raised: list[BaseException] = []

    def break_off() -> None:
        try:
            work.break_off()
        except BrokenOff as error:
            raised.append(error)

    with work:
        thread = threading.Thread(target=break_off)
        thread.start()
        thread.join()
    assert raised == []
