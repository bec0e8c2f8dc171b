"""The Embedder protocol and its FastEmbed adapter.

An embedder turns texts into unit vectors of one fixed dimension. It never waits for a network
longer than its time-out, and an interrupted download never counts as a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """Which vectors a store holds: two models' vectors never mix."""

    name: str
    dimension: int
    distance: str = "cosine"


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def model(self) -> EmbeddingModel:
        """Name and dimension; known without loading the model where it can be."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 array of shape (len(texts), dimension), rows of norm 1, in the given order.

        Raises EmbeddingModelError when the model cannot be had.
        """
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """float32 array of shape (dimension,), of norm 1. Raises EmbeddingModelError."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text for this model, without special tokens and without truncation."""
        ...

    @property
    def window_tokens(self) -> int:
        """How many tokens of a text the model sees; the rest would be cut off."""
        ...
