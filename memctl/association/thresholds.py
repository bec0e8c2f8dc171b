"""Cosine similarities at which texts count as near, for each embedding model.

A similarity alone only ever makes texts related; what else they are is for their words to say.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityThresholds:
    """Cosines in -1..1, each the least at which something is so.

    ``candidate``: worth comparing at all. ``same``: may be another wording. Related are texts at
    ``subject`` whose subject is the same or that share a name, at ``mention`` if one mentions what
    the other is about, at ``related`` whatever their words share. ``reads_all_scripts`` is False
    for models that were trained on English: in other scripts their similarity says nothing, in
    other languages of the Latin script little.
    """

    candidate: float
    same: float
    subject: float
    mention: float
    related: float
    reads_all_scripts: bool = True


MINILM_THRESHOLDS = SimilarityThresholds(
    candidate=0.25,
    same=0.5,
    subject=0.15,
    mention=0.27,
    related=0.4,
    reads_all_scripts=False,
)
"""all-MiniLM-L6-v2. Of 50,710 pairs of unlike English sentences without a common word 99.5 % lie
below .35 and 99.9 % below .42; of the pairs in tests/data/association_pairs.jsonl rewordings lie
above .55, changed values and contradictions above .40, texts with one subject above .15."""

E5_THRESHOLDS = SimilarityThresholds(
    candidate=0.8, same=0.86, subject=0.77, mention=0.82, related=0.88
)
"""multilingual-e5-small, all texts as passages. Of 39,560 pairs of texts without a common word
99.5 % lie below .867 and 99.9 % below .892; rewordings lie above .87, changed values and
contradictions above .83, related texts above .78."""

_BY_NAME = {"minilm": MINILM_THRESHOLDS, "e5": E5_THRESHOLDS}


def thresholds_for(model_name: str) -> SimilarityThresholds:
    """The thresholds of an embedding model by its name; those of MiniLM for unknown ones."""
    lower = model_name.lower()
    return next((found for part, found in _BY_NAME.items() if part in lower), MINILM_THRESHOLDS)
