"""Whether two words of one stem are forms of one word, or only relatives (market, marketing)."""

from __future__ import annotations

_INFLECTIONS = ("s", "es", "ed", "d", "ing", "e", "en", "n", "st", "t", "te", "ly")
"""Endings of English verbs and nouns, and those of German verbs."""

_SHORTEST_SHARED_START = 3
"""Below it two words share a stem by the table of irregular forms: went and go."""


def differ_by_inflection(one: str, other: str) -> bool:
    """Whether two words of one stem differ by an ending that leaves the meaning as it is.

    Words of other alphabets than the English one are taken for forms of one word.
    """
    if not (one.isascii() and other.isascii()):
        return True
    if _bases(one) & _bases(other):
        return True
    return _length_of_shared_start(one, other) < _SHORTEST_SHARED_START


def _length_of_shared_start(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _bases(word: str) -> set[str]:
    """What a word may be a form of."""
    bases = {word}
    for ending in _INFLECTIONS:
        if not word.endswith(ending) or len(word) <= len(ending) + 2:
            continue
        base = word.removesuffix(ending)
        bases |= {base, base + "e"}
        if len(base) > 3 and base[-1] == base[-2]:
            bases.add(base[:-1])
        if base[-1] == "i":
            bases.add(base[:-1] + "y")
    return bases
