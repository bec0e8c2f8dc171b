"""Corrections: a text says that what the old one says is not so, and what is so instead."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memctl.association.alignment import Alignment, align
from memctl.association.analysis import Analysis, analyse
from memctl.association.comparison import Comparison
from memctl.association.contrast import Contrast
from memctl.association.measures import Match, Value, ValueKind, compare_values
from memctl.association.terms import Term
from memctl.association.values import Judgement, Newer, Relation, Statement

_FIGURE = re.compile(r"\d[\d.,]*")

LEAST_TAKEN_UP = 0.5
"""Share of what the old text says beside its subject and the denied words that the new one must
take up."""


def corrected(comparison: Comparison) -> Judgement | None:
    """The old text's words are denied, of the same thing: the rent is B, not A."""
    new, old, contrast = comparison.new, comparison.old, comparison.new.contrast
    if contrast is None or new.words is not old.words:
        return None
    if old.found.denied or old.found.is_question:
        return None
    correction = _Correction.of(contrast, new, old)
    if correction is None or not correction.is_about_old:
        return None
    newer = comparison.newer_by_time or Newer.NEW
    return Judgement(Relation.UPDATES, f"not {contrast.denied}", 0.85, newer)


@dataclass(frozen=True)
class _Correction:
    """A contrast beside the old text, all of whose denied words the old text has."""

    affirmed: Analysis
    old: Analysis
    alignment: Alignment
    denied_terms: list[Term]
    denied_values: list[Value]
    """What of the old text is denied."""

    @staticmethod
    def of(contrast: Contrast, new: Analysis, old: Analysis) -> _Correction | None:
        """None where the old text lacks a word or value of what is denied."""
        code = new.words.code
        denied = analyse(Statement(content=contrast.denied), code)
        terms = [_counterpart(term, old) for term in denied.terms if not term.is_light]
        values = [_equal_value(value, old) for value in denied.values]
        found_terms = [term for term in terms if term is not None]
        found_values = [value for value in values if value is not None]
        found = len(found_terms) + len(found_values)
        if not found or found < len(terms) + len(values):
            return None
        affirmed = analyse(replace(new.statement, content=contrast.affirmed), code)
        alignment = align(affirmed, old)
        return _Correction(affirmed, old, alignment, found_terms, found_values)

    @property
    def is_about_old(self) -> bool:
        """Whether the affirmed claim is about what the old text is about."""
        if self._is_of_others or not self._verbs_agree or self._values_conflict:
            return False
        if self._denies_subject:
            left = self._left_terms
            return bool(left) and (left[0].position in self._met or self._takes_up_enough)
        subject = [term for term in self._left_terms if term.in_subject]
        if any(term.position not in self._met for term in subject):
            return self._points_at_old
        if not subject and not self._same_person:
            return False
        return not self._names_another_subject and self._takes_up_enough

    @property
    def _left_terms(self) -> list[Term]:
        """The old text's words that are not denied, verbs and light words left out."""
        denied = {term.position for term in self.denied_terms}
        return [
            term
            for term in self.old.terms
            if not (term.is_light or term.is_verb or term.position in denied)
        ]

    @property
    def _met(self) -> set[int]:
        """The places of the old text's words that the affirmed claim takes up."""
        pairs = [*self.alignment.shared, *self.alignment.near]
        return {old.position for _, old in pairs}

    @property
    def _takes_up_enough(self) -> bool:
        """Whether it takes up what is said beside the subject, if anything is."""
        left = [term for term in self._left_terms if self._denies_subject or not term.in_subject]
        met = [term for term in left if term.position in self._met]
        return len(met) >= LEAST_TAKEN_UP * len(left)

    @property
    def _denies_subject(self) -> bool:
        return any(term.in_subject for term in self.denied_terms)

    @property
    def _same_person(self) -> bool:
        return bool(self.affirmed.found.persons & self.old.found.persons)

    @property
    def _is_of_others(self) -> bool:
        persons, old_persons = self.affirmed.found.persons, self.old.found.persons
        return bool(persons and old_persons and not persons & old_persons)

    @property
    def _verbs_agree(self) -> bool:
        """Whether the two say the same of their thing: lives there, not likes it there."""
        if any(new.is_verb and old.is_verb for new, old in self.alignment.shared):
            return True
        if any(term.is_verb for term in self.denied_terms):
            return True
        verbs = [_has_full_verb(side) for side in (self.affirmed, self.old)]
        return not all(verbs) or any(new.is_verb for new, _ in self.alignment.near)

    @property
    def _values_conflict(self) -> bool:
        """Whether another value than the denied one differs: room 3 and room 4."""
        denied = {value.position for value in self.denied_values}
        return any(old.position not in denied for _, old in self.alignment.conflicts)

    @property
    def _names_another_subject(self) -> bool:
        """Whether it is about a narrower thing; in "B is our landlord" the thing stands last."""
        pairs = self.alignment.shared
        about = [new for new, old in pairs if old.in_subject and not new.is_light]
        stands_last = self.affirmed.main_verb == self.old.main_verb == "be" and not any(
            term.in_subject for term in about
        )
        if stands_last and about:
            return False
        return any(term.in_subject and not term.is_light for term in self.alignment.left_new)

    @property
    def _points_at_old(self) -> bool:
        """Whether "it is B" only points at what a name or value is denied of."""
        points = self.affirmed.words.pattern("pointing").match(self.affirmed.plain.lower())
        return points is not None and all(term.is_name for term in self.denied_terms)


def _has_full_verb(side: Analysis) -> bool:
    return any(term.is_verb and not term.is_light for term in side.terms)


def _counterpart(term: Term, old: Analysis) -> Term | None:
    """The old text's word that a denied word is a form or synonym of."""
    for other in old.terms:
        if term.stem == other.stem or term.facts.synonyms & other.facts.synonyms:
            return other
    return None


def _equal_value(value: Value, old: Analysis) -> Value | None:
    """The old text's value that a denied one is; a bare figure may lack its unit: not 900."""
    fits = {Match.EQUAL, Match.COMPATIBLE}
    for other in old.values:
        is_bare = value.kind is ValueKind.NUMBER and value.text in _FIGURE.findall(other.text)
        if is_bare or compare_values(value, other) in fits:
            return other
    return None
