"""Whether a statement of a moved-in file may put another one out of its place.

Both are still stated by files, and nobody is there to ask. So the later one must repeat the wording
of the earlier one, or name its value; else both stay current, and linked.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

LEAST_RATIO = 0.6
"""How alike the texts must be (difflib's ratio, 0..1) where they share no value."""

COMPARED_CHARACTERS = 500

_VALUE = re.compile(r"[\w.:/-]*\d[\w.:/-]*\w|\d")


def succeeds(old: str, new: str) -> bool:
    """Whether the wording shows that ``new`` speaks of what ``old`` says."""
    if set(_VALUE.findall(old.lower())) & set(_VALUE.findall(new.lower())):
        return True
    old, new = old[:COMPARED_CHARACTERS], new[:COMPARED_CHARACTERS]
    return SequenceMatcher(None, old, new, autojunk=False).ratio() >= LEAST_RATIO
