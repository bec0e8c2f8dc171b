"""Sets of words, written as running text."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    """The words of ``words``, which are parted by white space."""
    return frozenset(words.split())
