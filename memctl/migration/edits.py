"""Which new statement of a file took the place of which old one: an edited line, an update."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from memctl.extraction.rules.classifier import split_lead
from memctl.memory import Memory

SAME_PLACE_RATIO = 0.4
OTHER_PLACE_RATIO = 0.6
"""How alike an old and a new text must be (difflib's ratio, 0..1), on one line and elsewhere."""

MOST_COMPARED = 40_000
"""Pairs that are compared at most; of a file rewritten as a whole nothing is an edited line."""

COMPARED_CHARACTERS = 500


def pair_edits(gone: Sequence[Memory], new: Sequence[Memory]) -> list[tuple[Memory, Memory]]:
    """(old, new) pairs, the most alike first; no memory stands in two of them."""
    if not gone or not new or len(gone) * len(new) > MOST_COMPARED:
        return []
    scored = [
        (score, position, old, successor)
        for old in gone
        for position, successor in enumerate(new)
        if (score := _likeness(old, successor)) > 0
    ]
    scored.sort(key=lambda entry: (-entry[0], entry[2].first_line or 0, entry[1], entry[2].id))
    pairs: list[tuple[Memory, Memory]] = []
    used: set[str] = set()
    for _, _, old, successor in scored:
        if old.id not in used and successor.id not in used:
            used |= {old.id, successor.id}
            pairs.append((old, successor))
    return pairs


def _likeness(old: Memory, new: Memory) -> float:
    """From 0 (another statement) to 1; a shared name before the colon is enough."""
    if old.memory_type is not new.memory_type and old.first_line != new.first_line:
        return 0.0
    matcher = SequenceMatcher(
        None, old.content[:COMPARED_CHARACTERS], new.content[:COMPARED_CHARACTERS], autojunk=False
    )
    name = split_lead(old.content)[0]
    if name is not None and name == split_lead(new.content)[0]:
        return max(matcher.ratio(), OTHER_PLACE_RATIO)
    limit = SAME_PLACE_RATIO if old.first_line == new.first_line else OTHER_PLACE_RATIO
    if matcher.real_quick_ratio() < limit or matcher.quick_ratio() < limit:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= limit else 0.0
