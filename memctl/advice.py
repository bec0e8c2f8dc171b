"""What somebody may have meant who wrote a word that is not known."""

from __future__ import annotations

from collections.abc import Iterable


def advice(word: str, known: Iterable[str], separator: str) -> str:
    """``; perhaps you mean limit`` after the separator ``; ``; nothing when no word is near."""
    # Loaded for a mistake only.
    import difflib

    near = difflib.get_close_matches(word, list(known), n=1)
    return f"{separator}perhaps you mean {near[0]}" if near else ""
