"""Embeds the texts of the next batch while the one before it is stored and compared.

The drain asks for vectors of texts, and those that were announced are there or on their way. What
was not announced, or could not be embedded ahead, is embedded when it is asked for: so an error of
the model reaches the one who can say it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from memctl.errors import EmbeddingModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memctl.embedding import Embedder, EmbeddingModel

    Vectors = dict[str, NDArray[np.float32]]

PORTION_TEXTS = 256
"""Embedded in one go: an interrupt waits for no more than the portion in hand."""


class AheadEmbedder:
    """An embedder that can be told early which passages it will be asked for; ``close`` it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._worker = ThreadPoolExecutor(1, "ahead")
        self._announced: dict[str, Future[Vectors]] = {}

    def announce(self, texts: Iterable[str]) -> None:
        """Begins to embed ``texts``, in the background and in the order of the calls."""
        fresh = sorted({text for text in texts if text not in self._announced}, key=len)
        for start in range(0, len(fresh), PORTION_TEXTS):
            portion = fresh[start : start + PORTION_TEXTS]
            self._announced |= dict.fromkeys(portion, self._worker.submit(self._embed, portion))

    def close(self) -> None:
        """Gives up what has not been begun."""
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _embed(self, portion: Sequence[str]) -> Vectors:
        try:
            array = self._embedder.embed_passages(portion)
        except EmbeddingModelError:
            return {}
        return dict(zip(portion, array, strict=True))

    @property
    def model(self) -> EmbeddingModel:
        return self._embedder.model

    @property
    def window_tokens(self) -> int:
        return self._embedder.window_tokens

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._embedder.count_tokens(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._embedder.embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """What was announced is waited for, and forgotten once it has been given."""
        import numpy as np

        if not texts:
            return self._embedder.embed_passages(texts)
        vectors: Vectors = {}
        for text in dict.fromkeys(texts):
            future = self._announced.pop(text, None)
            if future is not None and text in (made := future.result()):
                vectors[text] = made[text]
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        if missing:
            vectors |= zip(missing, self._embedder.embed_passages(missing), strict=True)
        return np.stack([vectors[text] for text in texts])
