"""What is left when two texts are neither one claim nor at odds: one topic, or none."""

from __future__ import annotations

from memctl.association.comparison import Comparison
from memctl.association.values import Judgement, Relation

FOREIGN_SURPLUS = 0.2
"""How much nearer texts in other languages than English must be for a model that was trained on
English: it puts unlike German, French and Spanish texts at up to .55 (measured on
tests/data/association_pairs.jsonl)."""


def other_thing(comparison: Comparison) -> Judgement | None:
    """The texts are about two things, however alike their words."""
    named = comparison.other_thing
    if named is None or not _says_alike(comparison):
        return None
    return Judgement(Relation.DISTINCT, f"about two things: {named}", 0.7)


def _says_alike(comparison: Comparison) -> bool:
    """Whether the same is said of two things, rather than something else."""
    for new, old in comparison.shared_terms:
        if not (new.in_subject or old.in_subject):
            return True
    return bool(comparison.alignment.equal or comparison.alignment.conflicts)


def topic(comparison: Comparison) -> Judgement:
    """Related if both speak of one thing or are near in meaning, else distinct."""
    least = _least_similarity(comparison)
    if not comparison.similarity_counts:
        if comparison.shared_terms or comparison.alignment.near:
            return Judgement(Relation.RELATED, "they share words", 0.5)
        return Judgement(Relation.DISTINCT, "they share no word", 0.6)
    if comparison.similarity < least:
        return Judgement(Relation.DISTINCT, "another topic", 0.6)
    if comparison.shared_subject and comparison.shared_terms:
        return Judgement(Relation.RELATED, f"both about {comparison.shared_terms[0][0].word}", 0.6)
    if comparison.shared_terms:
        return Judgement(Relation.RELATED, "they share words", 0.5)
    return Judgement(Relation.RELATED, "near in meaning", 0.4)


def _least_similarity(comparison: Comparison) -> float:
    """The weightier the place of a shared word, the less near two texts need to be."""
    thresholds = comparison.thresholds
    pairs = comparison.shared_terms
    if comparison.same_subject or any(new.is_name and old.is_name for new, old in pairs):
        return thresholds.subject
    if any((new.in_subject or old.in_subject) and not new.is_verb for new, old in pairs):
        return thresholds.mention
    return thresholds.related + (0.0 if _is_read_well(comparison) else FOREIGN_SURPLUS)


def _is_read_well(comparison: Comparison) -> bool:
    languages = {comparison.new.words.code, comparison.old.words.code}
    return comparison.thresholds.reads_all_scripts or languages == {"en"}
