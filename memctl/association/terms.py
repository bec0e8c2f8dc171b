"""Reads the words of a sentence: which carry content, and what the others say about it.

Function words never become terms: they deny, count, order, allow or forbid, and are kept as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise

from memctl.association.cjk import cut_words, is_label
from memctl.association.figures import Item
from memctl.association.lexicon import Lexicon
from memctl.association.measures import Value, ValueKind
from memctl.association.sentence import Structure, VerbForm, verb_form
from memctl.association.tokens import Token, TokenKind
from memctl.association.word_facts import NOTHING_KNOWN, WordFacts
from memctl.direct_members import with_direct_members

EXCEPTION = "unless"
"""Among the symbols of a text: what it says holds but in the case that it names."""

DENIAL = "not"
"""The mark of every word that denies."""

LONGEST_WHOLE = 3
"""Words of a whole out of which the next word takes something: all black dogs but Rex."""


@with_direct_members
class Quantifier(StrEnum):
    """Of how many, or how often, something is said to hold."""

    NONE = "none"
    UNIVERSAL = "universal"
    EXISTENTIAL = "existential"


@with_direct_members
class Modality(StrEnum):
    """Whether something is said to be a duty, allowed, or possible."""

    NONE = "none"
    DUTY = "duty"
    LEAVE = "leave"
    POWER = "power"
    WISH = "wish"


@dataclass(slots=True)
class Term:
    """A content word, never changed. ``position`` is its place among the items of the text, from 0.

    ``displaced`` marks what a change leaves behind: the word after "from" or "instead of".
    """

    word: str
    stem: str
    facts: WordFacts
    position: int
    in_subject: bool = False
    is_verb: bool = False
    is_name: bool = False
    is_light: bool = False
    is_past: bool = False
    displaced: bool = False
    in_front: bool = False
    """Whether it stands before the subject: "after the rebuild" the room seats 20."""
    preposition: str | None = None

    def is_in(self, word_list: str) -> bool:
        return word_list in self.facts.lists


@dataclass(slots=True)
class Findings:
    """What the words of a text say, collected in reading order."""

    terms: list[Term] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    denials: int = 0
    withouts: int = 0
    quantifier: Quantifier = Quantifier.NONE
    modality: Modality = Modality.NONE
    people: list[tuple[str, bool]] = field(default_factory=list)
    """Who the pronouns mean, in reading order, and whether each stands in the subject."""
    links: frozenset[str] = frozenset()
    symbols: list[str] = field(default_factory=list)
    marks: list[tuple[str, int]] = field(default_factory=list)
    """Denials and other small words about what stands behind them, with their positions."""
    conditional: bool = False
    sentences: int = 1
    is_question: bool = False

    @property
    def persons(self) -> set[str]:
        return {person for person, _ in self.people}

    @property
    def denied(self) -> bool:
        """Whether the claim is denied: several sentence denials deny once, "without" again."""
        return (self.denials > 0) != (self.withouts % 2 == 1)


_QUESTION_MARKS = frozenset("?？")
_FULL_STOPS = frozenset(".!?…。！？")
_DENYING_SECTIONS = frozenset({"without", "negators", "forbidding"})
_SILENT_SECTIONS = frozenset({"function", "determiners", "auxiliaries"})
"""Sections of words that say nothing by themselves."""

_SILENT_SYMBOLS = frozenset("\"'`*_#|&/\\[]{}()<>")


def merge_phrases(items: Sequence[Item], words: Lexicon) -> list[Item]:
    """Joins words that the tables know as one, such as "run out" and "out of order"."""
    stems = [words.stem(item.lower) if isinstance(item, Token) else "" for item in items]
    if words.phrases.keys().isdisjoint(pairwise(stems)):
        return list(items)
    merged: list[Item] = []
    index = 0
    while index < len(items):
        phrase = _phrase_at(items, stems, index, words)
        if phrase is None:
            merged.append(items[index])
            index += 1
            continue
        name, parts = phrase
        text = " ".join(part.text for part in parts)
        merged.append(Token(TokenKind.WORD, text, name, parts[0].start))
        index += len(parts)
    return merged


def _phrase_at(
    items: Sequence[Item], stems: Sequence[str], index: int, words: Lexicon
) -> tuple[str, list[Token]] | None:
    """The longest phrase of the tables that starts at an item: its name and its tokens. ``stems``
    are those of the items, "" for values."""
    phrases = (
        words.phrases.get((stems[index], stems[index + 1])) if index + 1 < len(items) else None
    )
    first = items[index]
    if phrases is None or not isinstance(first, Token) or first.kind is not TokenKind.WORD:
        return None
    for parts, name in phrases:
        if stems[index : index + len(parts)] == parts:
            span = items[index : index + len(parts)]
            return name, [item for item in span if isinstance(item, Token)]
    return None


def _counted(value: Value) -> str | None:
    """Only a counter counts here, not the particle that follows a figure."""
    is_counted = value.counted is not None and value.text.endswith(value.counted)
    return value.counted if is_counted else None


def join_separable(items: list[Item], words: Lexicon) -> list[Item]:
    """Joins a German verb and its prefix at the end of the clause: macht … auf."""
    prefixes = words.words_of("separable")
    if not prefixes:
        return items
    for index, item in enumerate(items):
        at_end = index + 1 == len(items) or is_break(items[index + 1])
        if not at_end or isinstance(item, Value) or item.lower not in prefixes:
            continue
        for earlier in range(index - 1, -1, -1):
            verb = items[earlier]
            if isinstance(verb, Value) or verb.kind is not TokenKind.WORD:
                continue
            joined = item.lower + words.infinitive(verb.lower)
            if joined in words.words_of("verbs"):
                token = Token(TokenKind.WORD, joined, joined, verb.start)
                return [*items[:earlier], token, *items[earlier + 1 : index], *items[index + 1 :]]
    return items


def is_break(item: Item) -> bool:
    return isinstance(item, Token) and item.kind is TokenKind.BREAK


def cut_items(items: Sequence[Item], words: Lexicon) -> Iterator[Item]:
    """Cuts the unbroken runs of Chinese, Japanese and Korean into words."""
    end_of_kanji = -1
    for item in items:
        if isinstance(item, Value):
            is_name = item.label is not None and is_label(item.label, words)
            yield replace(item, label=item.label if is_name else None, counted=_counted(item))
        elif item.kind is not TokenKind.WORD or item.lower.isascii():
            yield item
        else:
            after_kanji = item.start == end_of_kanji
            for part in cut_words(item.lower, words, after_kanji=after_kanji):
                yield Token(TokenKind.WORD, part, part, item.start)
            end_of_kanji = item.end if "一" <= item.text[-1] <= "鿿" else -1


def read_words(items: Sequence[Item], structure: Structure, words: Lexicon) -> Findings:
    """Sorts the items of a text into terms, values and what is said about them."""
    reader = _WordReader(items, structure, words)
    for position in range(len(items)):
        reader.read(position)
    return reader.found


class _WordReader:
    def __init__(self, items: Sequence[Item], structure: Structure, words: Lexicon) -> None:
        self.items = items
        self.structure = structure
        self.words = words
        self.found = Findings()
        self.preposition: str | None = None

    def read(self, position: int) -> None:
        item = self.items[position]
        if position == self.structure.verb:
            self.preposition = None
        if isinstance(item, Value):
            in_subject = self._in_subject(position)
            self.found.values.append(
                item.placed(position, preposition=self.preposition, in_subject=in_subject)
            )
            self.preposition = None
        elif item.kind is not TokenKind.WORD:
            self._read_sign(item, position)
        elif not self._read_function(item, position):
            self._add_term(item, position)

    def _in_subject(self, position: int) -> bool:
        return self.structure.subject_start <= position < self.structure.subject_end

    def _read_sign(self, token: Token, position: int) -> None:
        if token.kind is TokenKind.BREAK:
            self.preposition = None
            self._read_stop(token, position)
        elif token.text not in _SILENT_SYMBOLS:
            self.found.symbols.append(token.text)

    def _read_stop(self, token: Token, position: int) -> None:
        self.found.is_question = self.found.is_question or token.text in _QUESTION_MARKS
        goes_on = position + 1 < len(self.items) and not is_break(self.items[position + 1])
        self.found.sentences += goes_on and token.text in _FULL_STOPS

    def _read_function(self, token: Token, position: int) -> bool:
        """Whether a word is no content word; what it says is noted."""
        lower = _bare(token.lower)
        if not self.words.has_function(lower):
            return False
        sections = self.words.sections_of(lower)
        if "relatives" in sections:
            self.preposition = None
        return (
            (not sections.isdisjoint(_DENYING_SECTIONS) and self._read_denial(sections, position))
            or self._read_modality(lower, sections, position)
            or self._read_person(lower, sections, position)
            or self._read_quantity(lower, sections, position)
            or self._read_preposition(lower, sections, position)
            or self._read_telling(lower, sections, position)
            or not sections.isdisjoint(_SILENT_SECTIONS)
        ) and not ("stranded" in sections and self._is_stranded(position))

    def _read_denial(self, sections: frozenset[str], position: int) -> bool:
        if "without" in sections:
            self.found.withouts += 1
        elif "negators" in sections:
            self.found.denials += 1
            if "no_duty" in sections:
                self.found.modality = Modality.DUTY
        elif "forbidding" in sections:
            self.found.withouts += 1
            self.found.modality = Modality.LEAVE
        else:
            return False
        self.found.marks.append((DENIAL, position))
        return True

    def _read_modality(self, lower: str, sections: frozenset[str], position: int) -> bool:
        modality = self.words.modals.get(lower)
        if "strict_modals" in sections and self._is_denied(position + 1):
            modality = "leave"
        if "permitting" in sections:
            modality = "leave"
        if modality is None:
            return False
        self.found.modality = Modality(modality)
        return True

    def _is_denied(self, position: int) -> bool:
        """Whether a denial stands here: what one must not do one may not do."""
        following = self.items[position] if position < len(self.items) else None
        return isinstance(following, Token) and following.lower in self.words.words_of("negators")

    def _read_person(self, lower: str, sections: frozenset[str], position: int) -> bool:
        person = self.words.pronouns.get(lower)
        if person is None:
            return False
        is_subject = "subject_pronouns" in sections or self._in_subject(position)
        self.found.people.append((person, is_subject))
        return True

    def _read_quantity(self, lower: str, sections: frozenset[str], position: int) -> bool:
        is_exception = "exceptions" in sections or (
            "excluding" in sections and self._excludes(position)
        )
        if is_exception or "conditions" in sections:
            self.found.conditional = True
            self.found.symbols += [EXCEPTION] if is_exception else []
            return True
        for quantifier in (Quantifier.UNIVERSAL, Quantifier.EXISTENTIAL):
            if quantifier in sections:
                if quantifier is Quantifier.EXISTENTIAL:
                    self.found.symbols.append(lower)
                if not self._is_followed_by_value(position):
                    self.found.quantifier = quantifier
                return True
        return False

    def _excludes(self, position: int) -> bool:
        """Whether something is taken out of a whole that was just named: all dogs but Rex."""
        phrase = range(max(0, position - LONGEST_WHOLE), position)
        if self.structure.verb is not None and self.structure.verb in phrase:
            phrase = range(self.structure.verb + 1, position)
        whole = [self.items[place] for place in phrase]
        named = {item.lower for item in whole if isinstance(item, Token)}
        return not named.isdisjoint(self.words.words_of("universal"))

    def _is_followed_by_value(self, position: int) -> bool:
        """Whether a time is counted: "every Wednesday" does not generalise."""
        following = self.items[position + 1] if position + 1 < len(self.items) else None
        return isinstance(following, Value) and following.kind is not ValueKind.NUMBER

    def _read_telling(self, lower: str, sections: frozenset[str], position: int) -> bool:
        """Small words that are no content but must not differ, such as "or"."""
        if "telling" not in sections:
            return False
        self.found.symbols.append(lower)
        self.found.marks.append((lower, position))
        return True

    def _read_preposition(self, lower: str, sections: frozenset[str], position: int) -> bool:
        if "prepositions" not in sections:
            return False
        if "stranded" in sections and self._is_stranded(position):
            return False
        self.preposition = lower
        self._read_telling(lower, sections, position)
        if "links" in sections:
            self.found.links |= {lower}
        return "kept" not in sections

    def _is_stranded(self, position: int) -> bool:
        """Whether nothing follows that a preposition could govern: the light is on at night."""
        following = self.items[position + 1] if position + 1 < len(self.items) else None
        if following is None:
            return True
        if isinstance(following, Value):
            return False
        lower = following.lower
        return following.kind is TokenKind.BREAK or lower in self.words.words_of("prepositions")

    def _add_term(self, token: Token, position: int) -> None:
        word = _bare(token.lower)
        facts = self.words.facts(word)
        is_verb_form = (
            "verbs" in facts.lists
            or word in self.words.words_of("past_forms")
            or position == self.structure.participle
        )
        is_past = is_verb_form and verb_form(token, self.words) is VerbForm.PAST
        preposition = None if word == self.preposition else self.preposition
        self.found.terms.append(
            Term(
                word=word,
                stem=self.words.stem(word),
                facts=facts,
                position=position,
                in_subject=self._in_subject(position),
                is_verb=position == self.structure.verb
                or (is_past and not self._in_subject(position)),
                is_name=self._is_name(token, position, facts),
                in_front=position < self.structure.subject_start
                and self.structure.verb is not None,
                is_light="light" in facts.lists,
                is_past=is_past,
                displaced=preposition in self.words.words_of("displacing"),
                preposition=preposition,
            )
        )

    def _is_name(self, token: Token, position: int, facts: WordFacts) -> bool:
        if not token.capitalised or self.words.code == "de":
            return False
        starts_a_sentence = position == 0 or (
            isinstance(before := self.items[position - 1], Token)
            and before.lower in {".", ";", ":"}
        )
        if not starts_a_sentence:
            return True
        return facts is NOTHING_KNOWN and (
            self.structure.verb == position + 1 or token.lower.endswith("'s")
        )


def _bare(word: str) -> str:
    """A word without the sign of the possessive."""
    if "'" not in word:
        return word
    return word.removesuffix("'s") if word.endswith("'s") else re.sub(r"(?<=\ws)'$", "", word)
