"""Whether a statement of a moved-in file may put another one out of its place.

Both are still stated by files, and nobody is there to ask. So the later one must repeat the wording
of the earlier one, or name its value; else both stay current, and linked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from memctl.memory import Memory, RelationType, SaveReceipt

LEAST_RATIO = 0.6
"""How alike the texts must be (difflib's ratio, 0..1) where they share no value."""

COMPARED_CHARACTERS = 500

_VALUE = re.compile(r"[\w.:/-]*\d[\w.:/-]*\w|\d")


def doubtful(receipts: Sequence[SaveReceipt], memories: Mapping[str, Memory]) -> list[str]:
    """The ids of those that were put out of their place and should not have been.

    ``memories`` are those of the receipts and of what they were linked with.
    """
    found: dict[str, None] = {}
    for receipt in receipts:
        for related in receipt.related:
            if related.relation_type is not RelationType.UPDATES:
                continue
            for old_id, new_id in ((related.id, receipt.id), (receipt.id, related.id)):
                old, new = memories.get(old_id), memories.get(new_id)
                if old is None or new is None or old.superseded_by != new_id or old.forgotten:
                    continue
                if not succeeds(old.content, new.content):
                    found[old_id] = None
    return list(found)


def succeeds(old: str, new: str) -> bool:
    """Whether the wording shows that ``new`` speaks of what ``old`` says."""
    if set(_VALUE.findall(old.lower())) & set(_VALUE.findall(new.lower())):
        return True
    old, new = old[:COMPARED_CHARACTERS], new[:COMPARED_CHARACTERS]
    return SequenceMatcher(None, old, new, autojunk=False).ratio() >= LEAST_RATIO
