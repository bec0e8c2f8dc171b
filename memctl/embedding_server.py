"""The embedding process itself: runs the bundled model on the batches that it is given.

One core takes the batches in their order. Another one works only while the caller waits, on what it
waits for, from the end: so the caller's core has always one piece of work, here or there.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from memctl.bulk_work import work_in_bulk
from memctl.embedding import FastEmbedEmbedder
from memctl.embedding_process import NUMBER
from memctl.errors import EmbeddingModelError
from memctl.pipe_messages import read_message, write_payload

IGNORED_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""They go to all processes of a terminal or a service: this one ends when its caller has ended."""


def serve(cache_folder: str, threads: int) -> None:
    """Answers the batches on standard input, until that ends; whatever else goes wrong ends the
    process, and the caller sees that."""
    for name in IGNORED_SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.excepthook = lambda _: os._exit(1)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    server = _Server(FastEmbedEmbedder(cache_folder=Path(cache_folder), threads=1), answers)
    with work_in_bulk(), os.fdopen(0, "rb", closefd=False) as requests:
        server.start(threads)
        while (request := read_message(requests)) is not None:
            server.take(request)
    server.end()


class _Server:
    """Batches by their number, and the threads that run the model on them."""

    def __init__(self, embedder: FastEmbedEmbedder, answers: IO[bytes]) -> None:
        self._embedder = embedder
        self._answers = answers
        self._loading = threading.Thread(target=self._load)
        self._changed = threading.Condition()
        self._answering = threading.Lock()
        self._queue: dict[int, list[str]] = {}
        self._hurried: list[int] = []

    def start(self, threads: int) -> None:
        """The last one of the threads is the one that works while the caller waits."""
        self._loading.start()
        targets = [self._work_in_order] * (threads - 1) + [self._work_for_the_waiting]
        for target in targets:
            threading.Thread(target=target, daemon=True).start()

    def take(self, request: dict[str, Any]) -> None:
        """A batch, or the numbers of those that the caller waits for."""
        with self._changed:
            if "hurry" in request:
                self._hurried = request["hurry"]
            else:
                self._queue[request["number"]] = request["texts"]
            self._changed.notify_all()

    def end(self) -> None:
        """Ends the process in the midst of whatever it does, but for a model's folder that is being
        put together."""
        self._loading.join()
        os._exit(0)

    def _load(self) -> None:
        """Loads the model; whoever runs it without one is told what is wrong."""
        try:
            self._embedder.load()
        except EmbeddingModelError:
            return

    def _work_in_order(self) -> None:
        self._work(lambda: iter(self._queue))

    def _work_for_the_waiting(self) -> None:
        self._work(lambda: (one for one in reversed(self._hurried) if one in self._queue))

    def _work(self, due: Callable[[], Iterator[int]]) -> None:
        self._loading.join()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: next(due(), None) is not None)
                number = next(due())
                texts = self._queue.pop(number)
            self._answer(number, self._vectors(texts))

    def _vectors(self, texts: list[str]) -> bytes:
        """Their bytes, row by row; none where the model cannot be had."""
        import numpy as np

        try:
            return self._embedder.run(texts).astype(np.float32, copy=False).tobytes()
        except EmbeddingModelError:
            return b""

    def _answer(self, number: int, vectors: bytes) -> None:
        with self._answering:
            write_payload(self._answers, NUMBER.pack(number) + vectors)
