"""Which new statement of a file took the place of which old one: an edited line, an update."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Protocol, TypeVar

from memctl.extraction.rules.classifier import split_lead
from memctl.memory import MemoryType

SAME_PLACE_RATIO = 0.4
OTHER_PLACE_RATIO = 0.6
"""How alike an old and a new text must be (difflib's ratio, 0..1), on one line and elsewhere."""

MOST_COMPARED = 40_000
"""Pairs that are compared at most; of a file rewritten as a whole nothing is an edited line."""

COMPARED_CHARACTERS = 500


class Stated(Protocol):
    """A statement of a file: a memory, or one that is to be."""

    @property
    def content(self) -> str: ...
    @property
    def memory_type(self) -> MemoryType: ...
    @property
    def first_line(self) -> int | None: ...


Old = TypeVar("Old", bound=Stated)
New = TypeVar("New", bound=Stated)


def pair_edits(gone: Sequence[Old], new: Sequence[New]) -> list[tuple[Old, New]]:
    """(old, new) pairs, the most alike first; no memory stands in two of them."""
    if not gone or not new or len(gone) * len(new) > MOST_COMPARED:
        return []
    scored = [
        (-score, old.first_line or 0, new_position, old_position)
        for old_position, old in enumerate(gone)
        for new_position, successor in enumerate(new)
        if (score := _likeness(old, successor)) > 0
    ]
    pairs: list[tuple[Old, New]] = []
    old_used: set[int] = set()
    new_used: set[int] = set()
    for _, _, new_position, old_position in sorted(scored):
        if old_position not in old_used and new_position not in new_used:
            old_used.add(old_position)
            new_used.add(new_position)
            pairs.append((gone[old_position], new[new_position]))
    return pairs


def _likeness(old: Stated, new: Stated) -> float:
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
