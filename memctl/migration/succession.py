"""Whether a statement of a moved-in file may put another one out of its place.

Both are still stated by files, and nobody is there to ask. So the later one must speak of the same
subject, repeat the wording of the earlier one, or name its value; else both stay current, and
linked.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from memctl.association import Statement, analyse
from memctl.memory import MemoryType
from memctl.migration.edits import Stated

LEAST_RATIO = 0.6
"""How alike the texts must be (difflib's ratio, 0..1) where they share no value."""

COMPARED_CHARACTERS = 500

SEVERAL_VALUES = 2
"""Where each text has so many values and not one is the other's, they speak of two things: an
update changes one value and leaves the others."""

_ORDERS = frozenset({MemoryType.TODO, MemoryType.GOAL})
"""What is said to nobody in particular has no subject: the harbour office that is to be asked is
not what "Ask the harbour office" is about."""

_VALUE = re.compile(r"[\w.:/-]*\d[\w.:/-]*\w|\d")


def succeeds(old: Stated, new: Stated) -> bool:
    """Whether the wording shows that ``new`` speaks of what ``old`` says."""
    earlier, later = old.content[:COMPARED_CHARACTERS], new.content[:COMPARED_CHARACTERS]
    values, new_values = set(_VALUE.findall(earlier.lower())), set(_VALUE.findall(later.lower()))
    if values & new_values:
        return True
    if min(len(values), len(new_values)) >= SEVERAL_VALUES:
        return False
    if SequenceMatcher(None, earlier, later, autojunk=False).ratio() >= LEAST_RATIO:
        return True
    if {old.memory_type, new.memory_type} & _ORDERS:
        return False
    subject = _subject(earlier)
    return bool(subject) and subject == _subject(later)


def _subject(text: str) -> frozenset[str]:
    """The stems of what a sentence says something about; empty where it has no such words."""
    found = analyse(Statement(content=text))
    return frozenset(term.stem for term in found.terms if term.in_subject)
