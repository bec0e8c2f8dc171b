"""What somebody may have meant who wrote a word that is not known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from types import MappingProxyType

NO_SYNONYMS: Mapping[str, str] = MappingProxyType({})


def advice(
    word: str,
    known: Iterable[str],
    separator: str,
    synonyms: Mapping[str, str] = NO_SYNONYMS,
) -> str:
    """``; perhaps you mean limit`` after the separator ``; ``; nothing when no word is near.

    ``synonyms`` gives for other words of the same meaning what is meant; it goes before the nearest
    spelling, which may mean the opposite.
    """
    near = synonyms.get(word) or _nearest(word, list(known))
    return "" if near is None else f"{separator}perhaps you mean {near}"


def nearest_path(path: str, known: Iterable[str]) -> str | None:
    """Of the known paths the first that ends with the parts of ``path``, else the one whose name is
    most like its name; None when no name is near."""
    wanted = PurePath(path)
    paths = list(known)
    if not wanted.name:
        return None
    for one in paths:
        if PurePath(one).parts[-len(wanted.parts) :] == wanted.parts:
            return one
    by_name: dict[str, str] = {}
    for one in paths:
        by_name.setdefault(PurePath(one).name, one)
    near = _nearest(wanted.name, list(by_name))
    return None if near is None else by_name[near]


def _nearest(word: str, known: list[str]) -> str | None:
    # Loaded for a mistake only.
    import difflib

    near = difflib.get_close_matches(word, known, n=1)
    return near[0] if near else None
