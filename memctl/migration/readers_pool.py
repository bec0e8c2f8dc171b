"""Reads many files, in several processes where that is worth their start."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from memctl.migration.reading import ReadFile, ReadTask, read_source

WORTH_PROCESSES = 240
"""Files from which on a second process, which takes a second to start, saves time."""

MOST_PROCESSES = 8
FILES_AT_A_TIME = 16


def read_all(tasks: Sequence[ReadTask]) -> Iterator[ReadFile]:
    """What each file gave, in the order of ``tasks``."""
    processes = min(len(os.sched_getaffinity(0)), MOST_PROCESSES)
    if processes < 2 or len(tasks) < WORTH_PROCESSES:
        yield from map(read_source, tasks)
        return
    # Started afresh: a copy of this process would hold its locks and threads.
    pool = ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_ignore_interrupts
    )
    try:
        yield from pool.map(read_source, tasks, chunksize=FILES_AT_A_TIME)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """The process that asked decides what an interrupt means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
