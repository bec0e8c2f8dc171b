"""Which near memories are one claim, and which of their statements is the better one.

A cluster is pairwise the same: a chain of small differences never makes two unlike texts one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from memctl.memory import Memory

_DIGITS = re.compile(r"\d+")

Pair = tuple[str, str]


def may_be_one(one: Memory, other: Memory) -> bool:
    """Whether nothing but their wording could tell two memories apart.

    A cheap look before the texts are judged: figures that only one of them has, on both sides, or
    another day, subject or key are a difference.
    """
    if one.event_at != other.event_at:
        return False
    if _differ(one.subject, other.subject) or _differ(one.key, other.key):
        return False
    figures, others = set(_DIGITS.findall(one.content)), set(_DIGITS.findall(other.content))
    return not (figures - others and others - figures)


def pairwise_clusters(
    order: Sequence[str],
    pairs: Iterable[Pair],
    is_same: Callable[[str, str], bool],
    *,
    most: int | None = None,
) -> list[list[str]]:
    """Groups of two or more ids, at most ``most``, of which every two are the same, in ``order``.

    ``pairs`` are known to be the same; ``is_same`` is asked about those that are not among them.
    """
    position = {memory_id: number for number, memory_id in enumerate(order)}
    known: dict[str, set[str]] = {}
    for one, other in pairs:
        known.setdefault(one, set()).add(other)
        known.setdefault(other, set()).add(one)
    groups: dict[str, list[str]] = {}
    for memory_id in sorted(known, key=position.__getitem__):
        for near in sorted(known[memory_id] & groups.keys(), key=position.__getitem__):
            group = groups[near]
            is_full = most is not None and len(group) >= most
            if not is_full and all(
                member in known[memory_id] or is_same(memory_id, member) for member in group
            ):
                group.append(memory_id)
                groups[memory_id] = group
                break
        else:
            groups[memory_id] = [memory_id]
    distinct = {id(group): group for group in groups.values()}
    return [group for group in distinct.values() if len(group) > 1]


def better_first(memories: Iterable[Memory]) -> list[Memory]:
    """The memories, the one to keep first: with a key, stated by somebody and not by a file, more
    important, saying more, and older, in this order."""
    return sorted(
        memories,
        key=lambda memory: (
            memory.key is None,
            not memory.stated_directly,
            -memory.whole_importance,
            -len(memory.content),
            memory.created_at,
            memory.id,
        ),
    )


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other
