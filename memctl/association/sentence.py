"""The bones of a sentence: its finite verb, its subject, its time, found by word lists and order.

This is no parser. It answers one question, what is spoken about and what is said of it, well
enough that "the north gate is locked" and "the south gate is locked" speak of two things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from memctl.association.figures import Item
from memctl.association.lexicon import Lexicon
from memctl.association.measures import Value
from memctl.association.tokens import Token, TokenKind
from memctl.direct_members import with_direct_members


@with_direct_members
class Tense(StrEnum):
    """When what is said holds."""

    NONE = "none"
    PRESENT = "present"
    PAST = "past"
    PERFECT = "perfect"
    """Has happened, and so bears on the present."""
    FUTURE = "future"


@with_direct_members
class VerbForm(StrEnum):
    """The form of a verb as far as its ending shows it."""

    BASE = "base"
    THIRD = "third"
    PAST = "past"
    PROGRESSIVE = "progressive"


@dataclass(frozen=True, slots=True)
class Structure:
    """Positions of items: the finite verb (None for a nominal text) and the subject's span.

    For an imperative the span covers its object: what is to be dealt with.
    """

    verb: int | None
    subject_start: int
    subject_end: int
    tense: Tense
    passive: bool = False
    imperative: bool = False
    participle: int | None = None
    """Where the participle of a passive stands."""
    definite: bool = False
    """Whether the subject begins with "the" or its like, or with a name."""


_LONGEST_KEY = 6
"""Most items before a colon that can be the name in ``name: value``."""

_LENGTH_OF_A_PLAIN_KEY = 3
"""Up to this many items a key is one even if a word of it might be a verb: lead instructor."""

_WORDS_TO_A_PARTICIPLE = 4
"""How far after a form of "be" its participle is looked for, adverbs and "not" between."""

_LONGEST_ED_WORD = 4
"""English words in -ed up to this length are no participles: red, feed, seed."""

_EXPLETIVES = frozenset({"there", "it", "es", "il", "hay"})
_PLURAL_SUBJECTS = frozenset({"i", "we", "you", "they", "people", "children", "men", "women"})


def find_structure(items: Sequence[Item], words: Lexicon) -> Structure:
    """Finds verb, subject, tense and voice of the first clause."""
    return _Finder(items, words).find()


class _Finder:
    def __init__(self, items: Sequence[Item], words: Lexicon) -> None:
        self.items = items
        self.words = words
        self.lowers = [item.lower if isinstance(item, Token) else "" for item in items]

    def find(self) -> Structure:
        colon = self._key_colon()
        if colon is not None:
            return self._nominal(colon)
        verb = self._finite_verb()
        if verb is None:
            return self._nominal(None)
        if verb <= self._first_content() and self._is_imperative(verb):
            end = self._next_preposition(verb + 1)
            return Structure(verb, verb + 1, end, Tense.NONE, imperative=True)
        start, end = self._subject(verb)
        participle = self._participle(verb)
        passive = participle is not None
        return Structure(
            verb,
            start,
            end,
            self._tense(verb),
            passive=passive,
            participle=participle,
            definite=self._is_definite(start),
        )

    def _is_definite(self, start: int) -> bool:
        item = self.items[min(start, len(self.items) - 1)]
        if isinstance(item, Value):
            return False
        if item.lower in self.words.words_of("definite"):
            return True
        is_name = item.capitalised and not self.words.is_function_word(item.lower)
        return is_name and item.lower not in self.words.words_of("determiners")

    def _subject(self, verb: int) -> tuple[int, int]:
        """The span of the subject: before the verb; after it in "there are" and "trinke ich"."""
        if verb + 1 < len(self.items) and self._is_inverted(verb):
            return verb + 1, verb + 2
        start = self._after_fronted(verb)
        if self.lowers[start] in _EXPLETIVES and start + 1 >= verb:
            return verb + 1, self._next_preposition(verb + 1)
        return start, verb

    def _key_colon(self) -> int | None:
        """The colon of ``name: value``, if no verb stands before it."""
        for index, lower in enumerate(self.lowers[: _LONGEST_KEY + 1]):
            if lower in {":", "："}:
                is_short = 0 < index <= _LENGTH_OF_A_PLAIN_KEY and not self._has_auxiliary(index)
                return index if is_short or (index and self._finite_verb(index) is None) else None
        return None

    def _has_auxiliary(self, end: int) -> bool:
        return any(self._is_auxiliary(index) for index in range(end))

    def _nominal(self, colon: int | None) -> Structure:
        """Without a verb the words up to the colon, preposition or value are what it is about."""
        if colon is not None:
            dated_only = all(isinstance(item, Value) for item in self.items[:colon])
            if not dated_only:
                return Structure(None, 0, colon, Tense.NONE)
            return Structure(None, colon + 1, len(self.items), Tense.NONE)
        end = self._next_preposition(0)
        states_a_value = end == len(self.items) > 1 and isinstance(self.items[-1], Value)
        return Structure(None, 0, end - 1 if states_a_value else end, Tense.NONE)

    def _finite_verb(self, end: int | None = None) -> int | None:
        skip_next = False
        for index in range(len(self.items) if end is None else end):
            if not self._is_word(index):
                continue
            lower = self.lowers[index]
            if lower in self.words.words_of("relatives") and index and self._is_content(index - 1):
                skip_next = True
            elif self._is_finite(index):
                if not skip_next:
                    return index
                skip_next = False
        return self._unknown_verb(end)

    def _unknown_verb(self, end: int | None) -> int | None:
        """A word that no table knows, with the ending of a verb, where a verb would stand."""
        if self.words.code != "en" or end is not None:
            return None
        for index in range(1, len(self.items) - 1):
            lower = self.lowers[index]
            if self._follows_a_subject(index):
                return index
            looks_finite = lower.endswith(("s", "ed")) and not lower.endswith(("ss", "'s"))
            if not looks_finite or not self._is_content(index) or not self._is_content(index - 1):
                continue
            following = self.items[index + 1]
            if isinstance(following, Value) or self._opens_a_complement(index + 1):
                return index
        return None

    def _follows_a_subject(self, index: int) -> bool:
        """Whether a word stands right after a pronoun that can only be a subject: we stock rye."""
        is_behind = self.lowers[index - 1] in self.words.words_of("subject_pronouns")
        return is_behind and self._is_content(index) and not self.lowers[index].endswith("ly")

    def _opens_a_complement(self, index: int) -> bool:
        lower = self.lowers[index]
        return lower in self.words.words_of("determiners") or lower in self.words.pronouns

    def _is_word(self, index: int) -> bool:
        item = self.items[index]
        return isinstance(item, Token) and item.kind is TokenKind.WORD

    def _form(self, index: int) -> VerbForm:
        item = self.items[index]
        return verb_form(item, self.words) if isinstance(item, Token) else VerbForm.BASE

    def _is_content(self, index: int) -> bool:
        return self._is_word(index) and not self.words.is_function_word(self.lowers[index])

    def _is_finite(self, index: int) -> bool:
        lower = self.lowers[index]
        if lower in self.words.words_of("auxiliaries"):
            return True
        if "verbs" not in self.words.facts(lower).lists:
            return False
        form = self._form(index)
        if form is VerbForm.PROGRESSIVE:
            return False
        if form is VerbForm.BASE:
            return self._is_finite_base(index)
        return self._is_finite_inflected(index, form)

    def _is_finite_base(self, index: int) -> bool:
        """A base form is a verb at the start or after a plural subject."""
        if index <= self._first_content():
            return not self._has_later_verb(index)
        return self._is_plural_subject(index - 1) and not self._is_auxiliary(index + 1)

    def _is_plural_subject(self, index: int) -> bool:
        item = self.items[index]
        if isinstance(item, Value):
            return item.text.lower().endswith("s")
        is_plural_noun = re.search("[^s']s$", item.lower) is not None and self._is_content(index)
        return item.lower in _PLURAL_SUBJECTS or is_plural_noun

    def _is_finite_inflected(self, index: int, form: VerbForm) -> bool:
        if self._is_auxiliary(index + 1):
            return False
        if index == 0:
            return form is VerbForm.PAST
        before = self.lowers[index - 1]
        return not (
            before in self.words.words_of("determiners")
            or before in self.words.words_of("prepositions")
            or before.endswith("'s")
        )

    def _is_auxiliary(self, index: int) -> bool:
        return index < len(self.items) and self.lowers[index] in self.words.words_of("auxiliaries")

    def _has_later_verb(self, index: int) -> bool:
        for later in range(index + 1, len(self.items)):
            lower = self.lowers[later]
            if lower in self.words.words_of("relatives") or lower in {";", "."}:
                return False
            if self._is_auxiliary(later) and lower not in {"do", "does", "have"}:
                return True
            if "verbs" in self.words.facts(lower).lists and self._is_inflected_after_noun(later):
                return True
        return False

    def _is_inflected_after_noun(self, index: int) -> bool:
        form = self._form(index)
        if form is VerbForm.PAST:
            goes_on = index + 1 < len(self.items) and self.lowers[index + 1] not in {".", "!"}
            return goes_on and self._is_finite_inflected(index, form)
        return form is VerbForm.THIRD and isinstance(self.items[index - 1], Value)

    def _first_content(self) -> int:
        negators, universal = self.words.words_of("negators"), self.words.words_of("universal")
        for index, lower in enumerate(self.lowers):
            if lower not in negators and lower not in universal:
                return index
        return 0

    def _is_imperative(self, verb: int) -> bool:
        lower = self.lowers[verb]
        if lower in {"do", "don't"}:
            return True
        return lower not in self.words.words_of("auxiliaries") and self._form(verb) is VerbForm.BASE

    def _next_preposition(self, start: int) -> int:
        for index in range(start, len(self.items)):
            if index > start and self.lowers[index] in self.words.words_of("prepositions"):
                return index
            if index > start and self.lowers[index] in {";", ".", "("}:
                return index
        return len(self.items)

    def _after_fronted(self, verb: int) -> int:
        """Where the subject begins after "On Mondays", "By the end of 2026", "In 2024,"."""
        prepositions = self.words.words_of("prepositions")
        fronted_value = isinstance(self.items[0], Value)
        if not fronted_value and self.lowers[0] not in prepositions:
            return 0
        for index in range(1, verb):
            if self.lowers[index] == ",":
                return min(index + 1, verb)
            after_preposition = self.lowers[index - 1] in prepositions
            if not after_preposition and self._starts_a_phrase(index):
                return index
        return verb if fronted_value or self.lowers[verb] in _EXPLETIVES else 0

    def _is_inverted(self, verb: int) -> bool:
        """Whether the subject follows the verb: Kaffee trinke ich."""
        subjects = self.words.words_of("subject_pronouns")
        return self.lowers[verb + 1] in subjects and not subjects & set(self.lowers[:verb])

    def _starts_a_phrase(self, index: int) -> bool:
        lower = self.lowers[index]
        if lower in self.words.words_of("determiners") or lower in self.words.pronouns:
            return True
        item = self.items[index]
        if lower in _EXPLETIVES:
            return True
        before = self.items[index - 1]
        return (
            isinstance(item, Token)
            and item.capitalised
            and self._is_content(index)
            and not (isinstance(before, Token) and before.capitalised)
        )

    def _tense(self, verb: int) -> Tense:
        lower = self.lowers[verb]
        if lower in self.words.words_of("future_auxiliaries"):
            return Tense.FUTURE
        if lower in self.words.words_of("past_auxiliaries"):
            return Tense.PAST
        if lower in self.words.words_of("perfect_auxiliaries"):
            return Tense.PERFECT if self._is_perfect(verb) else Tense.PRESENT
        if lower in self.words.words_of("auxiliaries"):
            return Tense.PRESENT
        return Tense.PAST if self._form(verb) is VerbForm.PAST else Tense.PRESENT

    def _participle(self, verb: int) -> int | None:
        """Where the participle stands that follows a form of "be"."""
        be_seen = self.lowers[verb] in self.words.words_of("be_auxiliaries")
        for index in range(verb + 1, min(verb + 1 + _WORDS_TO_A_PARTICIPLE, len(self.items))):
            lower = self.lowers[index]
            if lower in self.words.words_of("be_auxiliaries"):
                be_seen = True
            elif lower in self.words.words_of("prepositions") or not lower:
                return None
            elif be_seen and self._is_participle(index):
                return index
        return None

    def _is_participle(self, index: int) -> bool:
        lower = self.lowers[index]
        is_verb = "verbs" in self.words.facts(lower).lists or self._looks_like_participle(lower)
        return is_verb and self._form(index) is VerbForm.PAST

    def _looks_like_participle(self, lower: str) -> bool:
        return self.words.code == "en" and lower.endswith("ed") and len(lower) > _LONGEST_ED_WORD

    def _is_perfect(self, verb: int) -> bool:
        """Whether "has" forms a tense: has moved, has been sold; not "has a window"."""
        for index in range(verb + 1, min(verb + 4, len(self.items))):
            lower = self.lowers[index]
            if lower in self.words.words_of("determiners") or not lower:
                return False
            if lower == "been" or self._is_participle(index):
                return True
        return False


def verb_form(token: Token, words: Lexicon) -> VerbForm:
    """The form of a verb by the ending of its first word; irregular forms are past ones."""
    lower = token.text.partition(" ")[0].lower() if "_" in token.lower else token.lower
    if lower.endswith("ing"):
        return VerbForm.PROGRESSIVE
    if lower in words.irregular and not lower.endswith("s"):
        return VerbForm.PAST
    if words.code != "en":
        return VerbForm.PAST if lower in words.words_of("past_forms") else VerbForm.THIRD
    if lower.endswith("ed"):
        return VerbForm.PAST
    is_third = lower.endswith("s") and len(lower) > 1 and not lower.endswith("ss")
    return VerbForm.THIRD if is_third else VerbForm.BASE
