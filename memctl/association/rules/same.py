"""When two texts state one claim. Every rule here is a list of what must not differ."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from memctl.association.analysis import Analysis
from memctl.association.comparison import Comparison
from memctl.association.measures import Value, ValueKind
from memctl.association.rules.order import particles_differ, says_otherwise
from memctl.association.rules.roles import roles_differ
from memctl.association.terms import Modality, Quantifier, Term
from memctl.association.values import Judgement, Relation
from memctl.memory import MemoryType

LEAST_SHARED_WORDS = 2
"""Words and values that two wordings must share: one word in common is a topic, not a claim."""

_COMPARISON_SIGN = re.compile(r"(?<=\w) ([<>=≤≥≠]{1,2}) (?=\S)")
_JOINT_OF_FIGURES = re.compile(r"(?<![\d/:×÷^])\d+ ?([/:×÷^]) ?\d+(?! ?[/:×÷^] ?\d)")
_OPERATION = re.compile(r"(\S+?) ?(→|[-=]>|[<>=≤≥≠]{1,2}|&&?|\|\|?) ?(\S+)")
_CODE = re.compile(r"(?<!\w)(?:[-+*]\w\b|\*\.\w+|[\w~.]*[/\\][\w./\\]+|\w+[+-]\w\b)|\w+\([^)]*\)")
_LETTERS = re.compile(r"[^\W\d_]{2,}")

GENERIC_WORDS = {
    "length": "length long distance range measure reach far",
    "mass": "weight weigh mass",
    "time": "duration last take time long length need",
    "months": "duration last take time long length old age",
    "data": "size memory space storage",
    "frequency": "frequency transmit broadcast",
    "power": "power output",
    "charge": "capacity",
    "voltage": "voltage",
    "temperature": "temperature",
    "speed": "speed",
    "area": "area size surface",
    "volume": "volume capacity",
    "money": "price cost pay amount sum total fee",
    "date": "date day",
    "time of day": "time hour begin start",
}
"""Words that a value of a dimension says already: 2 kg needs no "weight"."""

_ENDINGS_OF_NOUNS_FROM_VERBS = ("ation", "ition", "tion", "ion", "ment", "ance", "ence", "age")
_ENDINGS_OF_DOERS = ("er", "or")


def same_words(comparison: Comparison) -> Judgement | None:
    """Texts that differ in markup, letter case, punctuation or fillers alone."""
    new, old = comparison.new, comparison.old
    if new.plain != old.plain and (not new.key or new.key != old.key):
        return None
    if new.frame is not old.frame:
        return None
    if comparison.opposite or _says_otherwise(new, old) or comparison.other_thing is not None:
        return None
    if _signs_differ(new, old) or particles_differ(comparison):
        return Judgement(Relation.RELATED, "the same words with other signs", 0.8)
    is_event = MemoryType.EVENT in {new.statement.memory_type, old.statement.memory_type}
    if is_event and comparison.happened_on_other_days:
        return Judgement(Relation.RELATED, "the same words about another day", 0.8)
    return Judgement(Relation.SAME, "the same words", 1.0)


def _signs_differ(new: Analysis, old: Analysis) -> bool:
    """Whether signs that no word stands for tell the two apart: below or above, asked or stated,
    three to four or three quarters, a from b or b from a, one path, option or name of code or
    another one, whose letters' case counts."""
    if new.found.is_question != old.found.is_question:
        return True
    contents = [side.statement.content for side in (new, old)]
    joints, operations, code = (
        [pattern.findall(content) for content in contents]
        for pattern in (_JOINT_OF_FIGURES, _OPERATION, _CODE)
    )
    comparisons = [_COMPARISON_SIGN.findall(content) for content in contents]
    return (
        _both_differ(joints)
        or comparisons[0] != comparisons[1]
        or _both_differ(operations)
        or _both_differ(code)
        or _capitals_differ(*contents)
    )


def _both_differ(found: Sequence[Sequence[object]]) -> bool:
    return all(found) and found[0] != found[1]


def _capitals_differ(new: str, old: str) -> bool:
    """Whether capitals within a word tell two words apart: CO and Co, MB and Mb, the US and us.
    A text in capitals throughout only shouts."""
    if new.isupper() or old.isupper():
        return False
    forms, other_forms = (
        {word.lower(): word for word in _LETTERS.findall(text)} for text in (new, old)
    )
    return any(
        form[1:] != other_forms[word][1:] for word, form in forms.items() if word in other_forms
    )


def _says_otherwise(new: Analysis, old: Analysis) -> bool:
    """Whether small words differ that do not stand in the keys."""
    return (
        new.markers != old.markers
        or new.found.people != old.found.people
        or new.found.quantifier is not old.found.quantifier
        or new.found.modality is not old.found.modality
    )


def same_claim(comparison: Comparison) -> Judgement | None:
    """Rewordings: all that carries meaning has its partner, and nothing tells the two apart."""
    if comparison.similarity_counts and comparison.similarity < comparison.thresholds.same:
        return None
    if _differ_in_meaning(comparison) or _values_differ(comparison):
        return None
    if _signs_differ(comparison.new, comparison.old) or _accents_differ(comparison):
        return None
    if not _words_accounted_for(comparison) or _are_joined_otherwise(comparison):
        return None
    shared = len(comparison.shared_terms) + len(comparison.alignment.equal)
    shared += len(comparison.predicate_opposed) + bool(comparison.same_person)
    if shared < LEAST_SHARED_WORDS:
        return None
    return Judgement(Relation.SAME, "the same claim in other words", 0.8)


def _are_joined_otherwise(comparison: Comparison) -> bool:
    """Whether the words say something else of each other."""
    return roles_differ(comparison) or says_otherwise(comparison)


def _values_differ(comparison: Comparison) -> bool:
    """Whether a value of one lacks an equal one in the other; about 30 is not exactly 30."""
    return comparison.values_differ or any(
        one.bound is not other.bound for one, other in comparison.alignment.equal
    )


def _accents_differ(comparison: Comparison) -> bool:
    """Whether an accent alone tells two words apart that have one stem: papa, papá."""
    return any(
        new.word != old.word and _bare_letters(new.word) == _bare_letters(old.word)
        for new, old in comparison.shared_terms
    )


def _bare_letters(word: str) -> str:
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _differ_in_meaning(comparison: Comparison) -> bool:
    new, old = comparison.new, comparison.old
    return (
        comparison.other_thing is not None
        or comparison.opposite
        or bool(comparison.alignment.rivals)
        or not comparison.frames_agree
        or not comparison.tenses_agree
        or comparison.happened_on_other_days
        or new.markers != old.markers
        or new.found.conditional != old.found.conditional
        or sorted(new.found.symbols) != sorted(old.found.symbols)
        or not _quantifiers_agree(comparison)
        or not _modalities_agree(comparison)
        or not _oppositions_cancel(comparison)
        or _people_differ(comparison)
        or _being_and_having(comparison)
    )


def _people_differ(comparison: Comparison) -> bool:
    """Whether the pronouns mean others, or the same ones in another order: I like her, she me."""
    new, old = comparison.new.found, comparison.old.found
    if not new.persons or not old.persons:
        return False
    if len(new.persons | old.persons) == 1:
        return False
    return [person for person, _ in new.people] != [person for person, _ in old.people]


def _being_and_having(comparison: Comparison) -> bool:
    """Whether one "is a doctor" and the other "has a doctor": the same words, another claim."""
    verbs = {comparison.new.main_verb, comparison.old.main_verb}
    if verbs != {"be", "have"} or comparison.alignment.equal:
        return False
    return all(new.stem == old.stem for new, old in comparison.shared_terms)


def _quantifiers_agree(comparison: Comparison) -> bool:
    """A general claim may leave out its "all"; "some" is less than either."""
    quantifiers = {comparison.new.found.quantifier, comparison.old.found.quantifier}
    return len(quantifiers) == 1 or Quantifier.EXISTENTIAL not in quantifiers


def _modalities_agree(comparison: Comparison) -> bool:
    new, old = comparison.new.found.modality, comparison.old.found.modality
    if new is old or comparison.new.is_task or comparison.old.is_task:
        return True
    both_denied = comparison.new.found.denied and comparison.old.found.denied
    may_differ = {Modality.NONE, Modality.LEAVE if both_denied else Modality.POWER}
    return {new, old} <= may_differ


def _oppositions_cancel(comparison: Comparison) -> bool:
    """Only antonyms without a third cancel with a denial.

    What is not open is closed, but what is not hot need not be cold.
    """
    complementary = comparison.new.words.complementary
    return all(
        not new.facts.sides
        or any(
            row in complementary and (row, 1 - side) in old.facts.sides
            for row, side in new.facts.sides
        )
        for new, old in comparison.predicate_opposed
    )


def _words_accounted_for(comparison: Comparison) -> bool:
    alignment = comparison.alignment
    near = [(new, old) for new, old in alignment.near if not (new.is_light and old.is_light)]
    if not all(_is_verb_and_its_noun(new, old) for new, old in near):
        return False
    left_new = _telling(alignment.left_new, comparison, of_new=True)
    left_old = _telling(alignment.left_old, comparison, of_new=False)
    if not left_new and not left_old:
        return True
    if not comparison.old.has_verb and not left_old:
        return _is_lone_verb(left_new)
    return not comparison.new.has_verb and not left_new and _is_lone_verb(left_old)


def _is_verb_and_its_noun(new: Term, old: Term) -> bool:
    """Whether one is a verb and the other the noun for doing it or for who does it.

    Other words of one stem say other things in general: market and marketing.
    """
    if new.is_verb == old.is_verb:
        return False
    verb, noun = (new, old) if new.is_verb else (old, new)
    if noun.word.endswith(_ENDINGS_OF_NOUNS_FROM_VERBS):
        return verb.stem == noun.stem
    return noun.word.endswith(_ENDINGS_OF_DOERS) and noun.word.startswith(verb.stem)


def _is_lone_verb(left: Sequence[Term]) -> bool:
    """A verbless note may leave out the verb of the full sentence."""
    return len(left) <= 1 and all(term.is_verb for term in left)


def _telling(left: Sequence[Term], comparison: Comparison, *, of_new: bool) -> list[Term]:
    """The words that say something which the other text does not say."""
    side = 0 if of_new else 1
    names = {pair[side].position for pair in comparison.shared_terms if pair[0].is_name}
    names |= {pair[side].position for pair in comparison.alignment.equal if pair[0].is_identifier}
    generic = _generic_stems(comparison)
    prepositions = comparison.new.words.words_of("prepositions")
    said = frozenset[int]().union(*(pair[side].facts.synonyms for pair in comparison.shared_terms))
    return [
        term
        for term in left
        if term.stem not in generic
        and not term.is_in("generic")
        and not (term.position + 1 in names and not term.is_verb and term.word not in prepositions)
        and not term.facts.synonyms & said
    ]


def _generic_stems(comparison: Comparison) -> set[str]:
    values = [new for new, _ in comparison.alignment.equal + comparison.alignment.compatible]
    rows = {GENERIC_WORDS.get(_dimension_name(value), "") for value in values}
    return {comparison.new.words.stem(word) for row in rows for word in row.split()}


def _dimension_name(value: Value) -> str:
    if value.kind is ValueKind.DATE:
        return "date"
    if value.kind is ValueKind.TIME:
        return "time of day"
    return "money" if value.is_money else value.dimension
