"""Embedding ahead: the same vectors, made once, and errors where they can be said."""

from __future__ import annotations

import numpy as np
import pytest
from fakes.hash_embedder import HashEmbedder

from memctl.errors import EmbeddingModelError
from memctl.migration.ahead import PORTION_TEXTS, AheadEmbedder

TEXTS = [f"text number {number}" for number in range(PORTION_TEXTS + 40)]


def test_announced_texts_are_embedded_once_and_given_in_the_order_asked_for():
    inner = HashEmbedder()
    ahead = AheadEmbedder(inner)
    ahead.announce(TEXTS)
    asked = [TEXTS[3], "unannounced", TEXTS[3], *TEXTS]
    given = ahead.embed_passages(asked)
    ahead.close()
    assert sorted(inner.history) == sorted([*TEXTS, "unannounced"])
    np.testing.assert_array_equal(given, HashEmbedder().embed_passages(asked))
    assert ahead.embed_passages([]).shape == (0, 32)


def test_what_was_given_is_embedded_anew_when_asked_for_again():
    inner = HashEmbedder()
    ahead = AheadEmbedder(inner)
    ahead.announce(["a"])
    for _ in range(2):
        ahead.embed_passages(["a"])
    ahead.close()
    assert inner.history == ["a", "a"]


def test_a_model_that_fails_ahead_fails_where_its_vectors_are_asked_for():
    ahead = AheadEmbedder(HashEmbedder(broken=True))
    ahead.announce(["a"])
    with pytest.raises(EmbeddingModelError):
        ahead.embed_passages(["a"])
    ahead.close()
