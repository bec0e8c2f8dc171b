"""Runs of an embedding model in batches, each done once by whoever comes to it first.

The core of whoever waits for vectors works too, from the end of the queue while the other cores
come from its front; and vectors that will be asked for later can be made meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memctl.embedding_process import EmbeddingProcess, EmbeddingProcessError
from memctl.errors import EmbeddingModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_AHEAD = 8_192
"""Texts whose vectors are kept until they are asked for, of 1.5 kB each for 384 dimensions; of
those that nobody asks for, the oldest go first."""

MOST_TOKENS_AT_ONCE = 384
"""Tokens of one run of the model, padding included. Measured on texts of 10 to 256 tokens: a token
costs about the same in runs of 256 to 512, and more in larger ones, as what lies between two layers
leaves the cache. The library keeps the room of the largest runs it has had: with two threads 80 MB
less for 384 tokens than for 512."""

RunModel = Callable[[list[str]], "NDArray[Any]"]
"""Gives an array of shape (len(texts), dimension); raises EmbeddingModelError."""

MeasureTexts = Callable[[Sequence[str]], list[int]]
"""Gives how many tokens of each text the model sees; raises EmbeddingModelError."""


@dataclass(slots=True)
class _Batch:
    """Texts that go through the model together."""

    texts: list[str]
    run: RunModel
    process: EmbeddingProcess | None
    number: int = 0
    """Under which the process, where there is one, has the batch."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _vectors: NDArray[Any] | None = None

    def vectors(self) -> NDArray[Any]:
        """Runs the model, or waits for the thread that does; an error leaves it to be tried
        again."""
        with self._lock:
            if self._vectors is None:
                self._vectors = self._made_elsewhere()
            if self._vectors is None:
                self._vectors = self.run(self.texts)
            return self._vectors

    def _made_elsewhere(self) -> NDArray[Any] | None:
        """What the process has made of it. Where that is gone or has no model, the batch is run
        here: the vectors are the same, and an error is one of this process."""
        process, self.process = self.process, None
        if process is None:
            return None
        try:
            return process.vectors(self.number)
        except EmbeddingProcessError:
            return None

    def work(self) -> None:
        """Runs the model for whoever asks later; they are told of an error too."""
        with suppress(EmbeddingModelError):
            self.vectors()


_Place = tuple[_Batch, int]
"""The batch that a text is in, and its row there."""


class EmbeddingWork:
    """Vectors of texts by ``run``, on ``threads`` cores that include the caller's own.

    Texts of about one length by ``measure``, in tokens, go into one batch of at most ``batch_size``
    texts, so that next to nothing is padding. It may be used from several threads.
    """

    def __init__(
        self, run: RunModel, measure: MeasureTexts, *, threads: int, batch_size: int
    ) -> None:
        self._run = run
        self._measure = measure
        self._helpers = threads - 1
        self._batch_size = batch_size
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._process: EmbeddingProcess | None = None
        self._ahead: dict[str, _Place] = {}

    def begin(self, texts: Sequence[str]) -> None:
        """Makes vectors beside what the caller does; nothing where there is one core only, or no
        model: whoever asks for the vectors is told."""
        if self._helpers < 1:
            return
        with suppress(EmbeddingModelError):
            places = self._queue([text for text in dict.fromkeys(texts) if text not in self._ahead])
            with self._lock:
                self._ahead |= places
                while len(self._ahead) > MOST_AHEAD:
                    del self._ahead[next(iter(self._ahead))]

    def use_process(self, start: Callable[[], EmbeddingProcess]) -> None:
        """Has another process run the model until ``close``; here, where none can be started."""
        with self._lock:
            if self._process is None:
                with suppress(OSError):
                    self._process = start()

    def finish(self, texts: Sequence[str]) -> NDArray[Any]:
        """Array of shape (len(texts), dimension), in the given order, for one text or more.
        Raises EmbeddingModelError."""
        import numpy as np

        distinct = list(dict.fromkeys(texts))
        with self._lock:
            places = {text: self._ahead.pop(text) for text in distinct if text in self._ahead}
        places |= self._queue([text for text in distinct if text not in places])
        batches = {id(batch): batch for batch, _ in places.values()}
        if self._process is not None:
            self._process.hurry(batch.number for batch in batches.values() if batch.process)
        made = {key: batch.vectors() for key, batch in reversed(batches.items())}
        rows = {text: made[id(batch)][row] for text, (batch, row) in places.items()}
        return np.stack([rows[text] for text in texts])

    def close(self) -> None:
        """Drops what nobody has asked for yet."""
        with self._lock:
            pool, self._pool = self._pool, None
            process, self._process = self._process, None
            self._ahead.clear()
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
        if process is not None:
            process.close()

    def _queue(self, texts: Sequence[str]) -> dict[str, _Place]:
        """Hands the texts to the other cores, the longest first."""
        places: dict[str, _Place] = {}
        batches = []
        process = self._process
        lengths = dict(zip(texts, self._measure(texts), strict=True))
        ordered = sorted(texts, key=lambda text: (-lengths[text], text))
        start = 0
        while start < len(ordered):
            fitting = MOST_TOKENS_AT_ONCE // max(1, lengths[ordered[start]])
            size = max(1, min(self._batch_size, fitting))
            batch = _Batch(ordered[start : start + size], self._run, process)
            if process is not None:
                batch.number = process.submit(batch.texts)
            batches.append(batch)
            places |= {text: (batch, row) for row, text in enumerate(batch.texts)}
            start += size
        if process is None and self._helpers and len(batches) > 1:
            with self._lock:
                if self._pool is None:
                    self._pool = ThreadPoolExecutor(self._helpers, "embedding")
                for batch in batches:
                    self._pool.submit(batch.work)
        return places
