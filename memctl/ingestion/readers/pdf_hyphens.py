"""Words that a line end cut in two, joined again.

The hyphen goes when it was put in for the cut and stays when it belongs to the word: the rest of
the document tells where it can, else the letters around it do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_CUT = re.compile(r"(?P<head>[^\W_](?:[\w’'-]*\w)?)(?P<hyphen>[-\u2010\u00ad])$")
_TAIL = re.compile(r"\w[\w’'-]*")
_WORD = re.compile(r"\w[\w’'-]*\w")
_JOINING_WORDS = frozenset(
    ("und", "oder", "bis", "and", "or", "to", "et", "ou", "y", "o", "e", "i", "en", "of", "och")
)
"""Before these, where another word follows, a hyphen stands for a part left out ("Ein- und
Ausgang"); before a comma or a full stop they are the rest of a word ("documen-to.")."""

_MOVED = "\0"
"""In place of a line that moved up as a whole."""


def join_hyphens(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages with cut words moved up whole; soft hyphens are gone."""
    joined = [list(page) for page in pages]
    places = [(number, line) for number, page in enumerate(joined) for line in range(len(page))]
    words = _words(joined)
    above = places[0] if places else (0, 0)
    for page, line in places[1:]:
        both = _join(joined[above[0]][above[1]], joined[page][line], words)
        joined[above[0]][above[1]], joined[page][line] = both
        if both[1] != _MOVED:
            above = page, line
    return [[line.replace("\u00ad", "") for line in page if line != _MOVED] for page in joined]


def _join(above: str, below: str, words: frozenset[str]) -> tuple[str, str]:
    """Both lines after the join; the lower one may have moved up as a whole."""
    cut = _CUT.search(above)
    stripped = below.lstrip()
    tail = _TAIL.match(stripped)
    if cut is None or tail is None:
        return above, below
    follows = stripped[tail.end() : tail.end() + 1]
    whole = f"{cut['head']}{tail[0]}".casefold()
    if tail[0].casefold() in _JOINING_WORDS and follows in ("", " ") and whole not in words:
        return above, below
    keeps = _keeps_hyphen(cut["head"], cut["hyphen"], tail[0], words)
    moved, _, rest = stripped.partition(" ")
    mark = "-" if keeps else ""
    return f"{above[: cut.start('hyphen')]}{mark}{moved}", rest.lstrip() or _MOVED


def _keeps_hyphen(head: str, hyphen: str, tail: str, words: frozenset[str]) -> bool:
    if hyphen == "\u00ad":
        return False
    whole, parted = f"{head}{tail}".casefold(), f"{head}-{tail}".casefold()
    is_capitals = head.isupper() and tail.isupper() and min(len(head), len(tail)) > 1
    starts_new = not tail[0].islower() and not is_capitals
    if starts_new or not head[-1].isalpha() or len(head) == 1:
        return True
    if "-" in head:
        return f"{head.rpartition('-')[2]}{tail}".casefold() not in words
    return parted in words and whole not in words


def _words(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    return frozenset(
        word.casefold() for page in pages for line in page for word in _WORD.findall(line)
    )
