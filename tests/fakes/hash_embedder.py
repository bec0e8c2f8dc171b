"""A deterministic Embedder without a model: texts that share words get similar vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memctl.embedding import EmbeddingModel
from memctl.errors import EmbeddingModelError


class HashEmbedder:
    """Sums one pseudo-random direction per word. ``history`` holds every text that was embedded,
    ``begun`` those that were to be embedded ahead; ``calls`` the other things that it was told.

    With ``broken`` set it behaves like a model whose files are missing.
    """

    def __init__(self, *, name: str = "hash", dimension: int = 32, broken: bool = False) -> None:
        self.model = EmbeddingModel(name, dimension)
        self.broken = broken
        self.window_tokens = 256
        self.history: list[str] = []
        self.begun: list[str] = []
        self.calls: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.broken:
            raise EmbeddingModelError(model=self.model.name, why="its files are missing")
        self.history += texts
        vectors = [self._embed(text) for text in texts]
        return np.array(vectors, dtype=np.float32).reshape(len(texts), self.model.dimension)

    def embed_ahead(self, texts: Sequence[str]) -> None:
        """Only notes the texts: its vectors cost nothing."""
        self.begun += texts

    def expect_many(self) -> None:
        """Many are no faster than few."""
        self.calls.append("expect many")

    def close(self) -> None:
        """Nothing was begun."""
        self.calls.append("close")

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self.embed_passages([text])[0]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def _embed(self, text: str) -> NDArray[np.float32]:
        total = np.zeros(self.model.dimension)
        for word in text.lower().split() or [""]:
            digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
            seed = int.from_bytes(digest[:8], "big")
            total += np.random.default_rng(seed).standard_normal(self.model.dimension)
        norm = float(np.linalg.norm(total))
        return (total / (norm or 1.0)).astype(np.float32)
