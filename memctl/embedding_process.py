"""The embedding model in a process of its own, beside one that does much else in Python.

In one process the model's steps in Python and the caller's wait for each other, and the caller is
the one that loads the model's libraries. Measured on 1,000 small files, that leaves one of two
cores without work for a tenth of the time.

A process that stands still holds nobody up for ever: a thread of its own writes what it is handed,
and it is given up when it does not answer.
"""

from __future__ import annotations

import queue
import struct
import subprocess
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from memctl.pipe_messages import read_payload, write_message
from memctl.python_process import python_command

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PATIENCE_SECONDS = 60.0
"""Time without any answer after which the process is given up: a batch takes a tenth of a second,
and loading the model some seconds on a busy machine."""

LOOK_SECONDS = 2.0
"""How often that time is counted. Where a look comes far later, this process did not run either, as
that of a machine that slept: such a time is no sign of anything."""

EXIT_SECONDS = 2.0
"""How long the process may take to end: it ends at once, unless it is loading the model."""

NUMBER = struct.Struct(">Q")
"""Stands before the vectors in an answer: which batch they are of."""


class EmbeddingProcessError(Exception):
    """The process has no vectors for a batch: the caller makes them, or is told there why not."""


class EmbeddingProcess:
    """The caller's side. Safe to use from several threads."""

    def __init__(self, cache_folder: Path, *, threads: int) -> None:
        """Starts it with the bundled model, to run on ``threads`` cores while somebody waits for
        vectors and on one less otherwise. Raises OSError."""
        self._lock = threading.Lock()
        self._outgoing: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._waiting: dict[int, _Batch] = {}
        self._count = 0
        self._is_over = self._is_closed = False
        self._answered = 0
        self._process = subprocess.Popen(
            python_command("memctl.embedding_server", "serve", [str(cache_folder), threads]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._requests = cast(IO[bytes], self._process.stdin)
        self._answers = cast(IO[bytes], self._process.stdout)
        threading.Thread(target=self._read, name="embedding-answers", daemon=True).start()
        threading.Thread(target=self._write, name="embedding-requests", daemon=True).start()

    def submit(self, texts: Sequence[str]) -> int:
        """Hands over a batch; the number by which its vectors are asked for."""
        with self._lock:
            self._count += 1
            number = self._count
            self._waiting[number] = batch = _Batch(len(texts), Future())
            if self._is_over:
                batch.vectors.set_exception(EmbeddingProcessError())
        self._outgoing.put({"number": number, "texts": list(texts)})
        return number

    def hurry(self, numbers: Iterable[int]) -> None:
        """Says that somebody waits for these batches: another core begins with the last one."""
        self._outgoing.put({"hurry": list(numbers)})

    def vectors(self, number: int) -> NDArray[np.float32]:
        """Array of shape (texts of the batch, dimension), once for each batch. Raises
        EmbeddingProcessError."""
        batch = self._waiting[number]
        try:
            return self._wait(batch.vectors)
        finally:
            with self._lock:
                self._waiting.pop(number, None)

    def close(self) -> None:
        """Ends the process; whoever still waits is told that there are no vectors."""
        self._is_closed = True
        self._outgoing.put(None)
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _wait(self, vectors: Future[NDArray[np.float32]]) -> NDArray[np.float32]:
        quiet_seconds, answered = 0.0, self._answered
        look_seconds = min(LOOK_SECONDS, PATIENCE_SECONDS)
        while True:
            began = time.monotonic()
            try:
                return vectors.result(look_seconds)
            except TimeoutError as error:
                elapsed = time.monotonic() - began
                if self._answered != answered:
                    quiet_seconds, answered = 0.0, self._answered
                elif elapsed < 2 * look_seconds:
                    quiet_seconds += elapsed
                if quiet_seconds >= PATIENCE_SECONDS:
                    self._kill()
                    raise EmbeddingProcessError from error

    def _write(self) -> None:
        """Sends what is handed over, until it is closed. What a process that is gone does not get
        has no answer either, as ``_read`` will see."""
        with suppress(OSError, ValueError), self._requests:
            while (message := self._outgoing.get()) is not None and not self._is_closed:
                write_message(self._requests, message)

    def _read(self) -> None:
        """Hands the answers to those who wait for them, until there are no more."""
        import numpy as np

        with self._answers:
            while (answer := read_payload(self._answers)) is not None:
                self._answered += 1
                [number] = NUMBER.unpack_from(answer)
                values = np.frombuffer(answer, dtype=np.float32, offset=NUMBER.size)
                batch = self._waiting.get(number)
                if batch is not None:
                    batch.answer(values)
        with self._lock:
            self._is_over = True
            left = [batch for batch in self._waiting.values() if not batch.vectors.done()]
        for batch in left:
            batch.vectors.set_exception(EmbeddingProcessError())


@dataclass(frozen=True, slots=True)
class _Batch:
    """How many texts a batch has, and their vectors once they are there."""

    size: int
    vectors: Future[NDArray[np.float32]]

    def answer(self, values: NDArray[np.float32]) -> None:
        """Takes the rows of all texts one after the other, or none: then there was no model."""
        if values.size:
            self.vectors.set_result(values.reshape(self.size, -1))
        else:
            self.vectors.set_exception(EmbeddingProcessError())
