"""Words in a row with commas and a conjunction between them, whose order says nothing.

Only words that stand alone count: neither a clause nor what "red sheep and hens" says of the sheep
passes for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memctl.association.figures import Item
from memctl.association.lexicon import Lexicon
from memctl.association.measures import Value
from memctl.association.terms import Term

COMMA = ","

Enumeration = tuple[int, ...]
"""The positions of the words of one enumeration, in order."""


def find_enumerations(
    items: Sequence[Item], terms: Iterable[Term], words: Lexicon
) -> tuple[Enumeration, ...]:
    """The enumerations of two words or more among the items of a text."""
    conjunctions = words.words_of("conjunctions")
    lowers = [None if isinstance(item, Value) else item.lower for item in items]
    if conjunctions.isdisjoint(lowers):
        return ()
    separators = conjunctions | {COMMA}
    joints = separators | words.words_of("articles")
    named = {term.position for term in terms if not term.is_verb}
    adding = named | {place for place, lower in enumerate(lowers) if lower is None}
    adding_behind = adding | {
        place for place, lower in enumerate(lowers) if lower in words.words_of("prepositions")
    }
    runs: list[list[int]] = []
    for place in sorted(named):
        if place - 1 in adding or place + 1 in adding_behind:
            continue
        between = lowers[runs[-1][-1] + 1 : place] if runs else []
        if joints.issuperset(between) and not separators.isdisjoint(between):
            runs[-1].append(place)
        else:
            runs.append([place])
    return tuple(
        tuple(run) for run in runs if not conjunctions.isdisjoint(lowers[run[0] : run[-1]])
    )
