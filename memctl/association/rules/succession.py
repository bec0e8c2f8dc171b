"""One text in the place of another one, as far as anything says which of them is newer."""

from __future__ import annotations

from memctl.association.comparison import Comparison
from memctl.association.values import Judgement, Relation

_RELATED_CONFIDENCE = 0.5


def succession(
    comparison: Comparison, reason: str, confidence: float, *, excludes: bool
) -> Judgement:
    """An update by the newer text. Where nothing says which that is, the two contradict each other
    if one ``excludes`` the other, and else are related."""
    if comparison.newer is not None:
        return Judgement(Relation.UPDATES, reason, confidence, comparison.newer)
    if excludes:
        return Judgement(Relation.CONTRADICTS, f"{reason}, or the other way", confidence)
    return Judgement(Relation.RELATED, f"{reason}, or the other way", _RELATED_CONFIDENCE)
