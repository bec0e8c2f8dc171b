"""What the words of a filter stand for: paths as people write them, and names that no memory has.

Nothing here is asked of the store unless a filter has let nothing through.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.advice import advice, nearest_path
from memctl.cli.render import current_folder, near_path

if TYPE_CHECKING:
    from memctl.cli.session import Session

NAMES = {"tags": "tag", "channels": "channel", "sessions": "session", "sources": "source"}
"""Fields of a filter whose values only the store knows, and what one of these is called."""

_PLACE = re.compile(r"(:\d+(-\d+)?| p\. \d+)$")
"""The lines or the page behind a path, as a Citation shows them."""


def source_forms(text: str) -> list[str]:
    """What a memory's source may be that somebody calls ``text``: the word itself, or the absolute
    path of a file that is named from the current folder, perhaps with its lines or page."""
    folder = current_folder.get() or Path.cwd()
    forms = [text]
    for path in (text, _PLACE.sub("", text)):
        absolute = os.path.normpath(folder / path)
        forms += [absolute, os.path.realpath(absolute)]
    return list(dict.fromkeys(forms))


def unknown_words(session: Session, words: Mapping[str, Sequence[str] | None]) -> str:
    """``no memory has the tag 'famly'; perhaps you mean family`` for each of the words, by the
    fields of ``NAMES``, that no memory has; an empty text when all are known."""
    return "; ".join(_unknown(session, words))


def _unknown(session: Session, words: Mapping[str, Sequence[str] | None]) -> Iterator[str]:
    for field, wanted in words.items():
        if not wanted:
            continue
        known = session.light.graph.known_values(field)
        for word in wanted:
            forms = source_forms(word) if field == "sources" else [word]
            if not set(forms) & set(known):
                yield f"no memory has the {NAMES[field]} {word!r}{_advice(field, word, known)}"


def _advice(field: str, word: str, known: Sequence[str]) -> str:
    if field != "sources":
        return advice(word, known, "; ")
    near = nearest_path(_PLACE.sub("", word), known)
    return "" if near is None else f"; perhaps you mean {near_path(near)}"
