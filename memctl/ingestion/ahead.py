"""Begins to embed what is about to be stored, beside reading and comparing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memctl.content import hash_content, normalise_content

if TYPE_CHECKING:
    from memctl.embedding import Embedder
    from memctl.store.graph import Graph

MANY_FILES = 64
"""From so many files on, the first new one has the embedding model prepared for many texts."""


def embed_unknown_ahead(graph: Graph, embedder: Embedder, contents: Iterable[str]) -> None:
    """Begins to embed those of the texts that no memory has yet, in the form in which they are
    stored, in their order."""
    by_hash = {hash_content(text): text for text in map(normalise_content, contents)}
    known = graph.known_hashes(by_hash)
    embedder.embed_ahead([text for hashed, text in by_hash.items() if hashed not in known])
