"""Words in a row with commas and a conjunction between them, whose order says nothing.

Only words that stand alone count: neither a clause nor what "red sheep and hens" says of the sheep
passes for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

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
    """The enumerations of two words or more among the items of a text; none where it speaks of an
    order: the steps are mix, knead and bake."""
    conjunctions = words.words_of("conjunctions")
    lowers = [None if isinstance(item, Value) else item.lower for item in items]
    if conjunctions.isdisjoint(lowers) or not words.words_of("ordering").isdisjoint(lowers):
        return ()
    separators = conjunctions | {COMMA}
    joints = separators | words.words_of("articles")
    runs: list[list[int]] = []
    for place in _words_alone(lowers, terms, words):
        between = lowers[runs[-1][-1] + 1 : place] if runs else []
        if joints.issuperset(between) and not separators.isdisjoint(between):
            runs[-1].append(place)
        else:
            runs.append([place])
    return tuple(
        tuple(run) for run in runs if not conjunctions.isdisjoint(lowers[run[0] : run[-1]])
    )


def _words_alone(
    lowers: Sequence[str | None], terms: Iterable[Term], words: Lexicon
) -> Iterator[int]:
    """The places of words that no word or value beside them says more about, nor a preposition
    behind them. A value has None among ``lowers``; what is given beside the text has no place."""
    named = {term.position for term in terms if not term.is_verb}
    values = {place for place, lower in enumerate(lowers) if lower is None}
    prepositions = words.words_of("prepositions")
    for place in sorted(named):
        behind = lowers[place + 1] if place + 1 < len(lowers) else ""
        beside = {place - 1, place + 1}
        if place >= 0 and beside.isdisjoint(named | values) and behind not in prepositions:
            yield place
