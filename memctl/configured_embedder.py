"""An embedding model with the settings for it, made without opening a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.embedding import FastEmbedEmbedder

if TYPE_CHECKING:
    from memctl.config import Settings
    from memctl.embedding import Embedder


def make_embedder(settings: Settings, model_name: str | None = None) -> Embedder:
    """The configured model, or another one by its name; loaded when the first text comes."""
    embedding = settings.embedding
    return FastEmbedEmbedder(
        model_name or embedding.model,
        cache_folder=embedding.cache_folder,
        threads=embedding.threads,
        batch_size=embedding.batch_size,
        timeout_seconds=embedding.timeout_seconds,
    )
