"""What a query asks for in words that its answer need not hold: concepts of daily life, and
attributes of somebody or something.

The words are data, in ``languages/<code>.txt``; nothing here knows one. They are kept as index
terms, so that inflection makes no difference.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from memctl.search.query import Query, is_undecided, languages_of
from memctl.store.terms import analyse_text

LANGUAGES_FOLDER = Path(__file__).parent / "languages"

CONCEPT_SHARE = 0.8
"""How much a word of the same concept counts, where the word itself counts 1."""

RARITY_PRIOR = 8
"""Candidates without a word that are added to those that there are: in a store of two memories no
word is common because both hold it."""

LEAST_COUNTED_LETTERS = 3
"""A shorter term stands in too many words by chance to be counted by looking for its letters."""

LEAST_LETTERS_OF_A_HEAD = 5
"""A shorter term ends too many words that have nothing to do with it."""

_SIGN_PATTERNS = {
    "#": re.compile(r"\d"),
    "##": re.compile(r"\d(?:[\s()./-]{0,2}\d){5}"),
    "^^": re.compile(r"(?<![^\W_])[^\W\d_a-z][^\W_]+ [^\W\d_a-z][^\W_]"),
    "^": re.compile(r"(?<=\s)[^\W\d_a-z][^\W_]"),
}


UNMISTAKABLE_LANGUAGES = frozenset({"zh"})
"""Languages with a script of their own: their words look like those of no other one."""


class _Concept(NamedTuple):
    """A row of a language: ``terms`` and ``signs`` tell of it, ``asking`` are the words that ask
    for it. Rows of one name are the same in other languages. An attribute is asked of somebody or
    something."""

    name: str
    language: str
    asking: str
    terms: frozenset[str]
    signs: frozenset[str]
    is_attribute: bool


class WantedWord(NamedTuple):
    """A word of a query, as an index term, and the terms and signs that tell of its concepts.

    ``translations`` are terms that tell of them in texts of other languages, by language.
    ``weight`` in 0..1 is how rare it is among the candidates; 0 for one that tells nothing.
    """

    term: str
    related: frozenset[str] = frozenset()
    translations: tuple[tuple[str, frozenset[str]], ...] = ()
    signs: frozenset[str] = frozenset()
    is_attribute: bool = False
    weight: float = 1.0

    def told_by(self, terms: frozenset[str], content: str) -> float:
        """How much of the word a text of these terms speaks of, in 0..1."""
        if self.term in terms:
            return 1.0
        if (
            not self.related.isdisjoint(terms)
            or any(_holds(content, sign) for sign in self.signs)
            or _ends_any(self.term, terms)
            or self._is_translated(terms, content)
        ):
            return CONCEPT_SHARE
        return 0.0

    def _is_translated(self, terms: frozenset[str], content: str) -> bool:
        found = [language for language, words in self.translations if not words.isdisjoint(terms)]
        return bool(found) and any(may_be_in(language, languages_of(content)) for language in found)


def may_be_in(language: str, languages: Sequence[str]) -> bool:
    """Whether a text may be in a language, whose function words fit ``languages``; English, which
    shares some with others, goes before them unless all fit."""
    if language in UNMISTAKABLE_LANGUAGES or is_undecided(languages):
        return True
    return language == languages[0] or (languages[0] != "en" and language in languages)


def wanted_words(query: Query, candidates: Sequence[str]) -> list[WantedWord]:
    """The words of a query with what relates to them.

    ``candidates`` are the texts that may answer: a word that most of them hold, as the name of a
    person whom a whole store is about, tells none of them from the others.
    """
    lexicon = _lexicon()
    folded = [content.casefold() for content in candidates]
    return [
        lexicon.wanted(term, query.languages)._replace(
            weight=0.0 if term in lexicon.light else _rarity(term, folded)
        )
        for term in query.terms
        if term in lexicon.concepts or not _is_part_of_any(term, query.terms)
    ]


def translated_words(query: Query) -> str:
    """What other languages than the query's call what it asks for; empty where that is not known.
    With the words of all languages that the query may be in."""
    lexicon = _lexicon()
    concepts = [
        other
        for term in query.terms
        for concept in lexicon.concepts.get(term, ())
        if may_be_in(concept.language, query.languages)
        for other in lexicon.rows[concept.name]
        if other.language != concept.language
    ]
    return " ".join(dict.fromkeys(concept.asking for concept in concepts))


class Telling(NamedTuple):
    """What a text tells of a query's words.

    ``share`` in 0..1 is how much of them, by words and concepts. ``lacks_attribute``: the query
    asks for an attribute that the text does not speak of. ``told`` are the words that it tells, as
    index terms.
    """

    share: float
    lacks_attribute: bool
    told: frozenset[str] = frozenset()


def telling_of(words: Sequence[WantedWord], content: str) -> Telling:
    """What a text tells of a query's words.

    Attributes alone tell nothing, where the query says whose. Common words and idle ones do
    not hide that others are told, and count in full where that is more.
    """
    terms = frozenset(analyse_text(content))
    told = _without_seams({word: word.told_by(terms, content) for word in words})
    lacks_attribute = any(word.is_attribute and not share for word, share in told.items())
    told_terms = frozenset(word.term for word, share in told.items() if share)
    others = [share for word, share in told.items() if word.weight and not word.is_attribute]
    if not told or lacks_attribute or (others and not any(others)):
        return Telling(0.0, lacks_attribute, told_terms)
    whole = sum(told.values()) / len(told)
    rare = sum(word.weight for word in told)
    weighted = sum(word.weight * share for word, share in told.items()) / rare if rare else 0.0
    return Telling(max(whole, weighted), lacks_attribute, told_terms)


def _rarity(term: str, folded: Sequence[str]) -> float:
    """One less the share of some case-folded texts that hold a term; whole in very few texts."""
    if len(term) < LEAST_COUNTED_LETTERS:
        return 1.0
    return 1 - sum(term in text for text in folded) / (len(folded) + RARITY_PRIOR)


class _Lexicon(NamedTuple):
    light: frozenset[str]
    concepts: Mapping[str, tuple[_Concept, ...]]
    rows: Mapping[str, Sequence[_Concept]]

    def wanted(self, term: str, languages: Sequence[str]) -> WantedWord:
        """A term of a query, which may be in any of some languages, with what relates to it."""
        concepts = self.concepts.get(term, ())
        translations: defaultdict[str, set[str]] = defaultdict(set)
        for concept in concepts:
            if may_be_in(concept.language, languages):
                for other in self.rows[concept.name]:
                    translations[other.language] |= other.terms
        return WantedWord(
            term,
            frozenset().union(*(concept.terms for concept in concepts)),
            tuple((language, frozenset(terms)) for language, terms in translations.items()),
            frozenset().union(*(concept.signs for concept in concepts)),
            any(concept.is_attribute for concept in concepts),
        )


def _without_seams(told: Mapping[WantedWord, float]) -> dict[WantedWord, float]:
    """The words without those pairs of characters, in scripts without blanks, that are not told
    and share a character with one that is: they are the seam between two words."""
    characters = {
        character
        for word, share in told.items()
        if share and len(word.term) == 2
        for character in word.term
        if not character.isascii()
    }
    return {
        word: share
        for word, share in told.items()
        if share or len(word.term) != 2 or characters.isdisjoint(word.term)
    }


def _is_part_of_any(term: str, terms: Sequence[str]) -> bool:
    """Whether a term is a character of a script without blanks that another term holds: in such
    scripts a text gives its characters by themselves too, and few of those are words."""
    is_character = len(term) == 1 and not term.isascii()
    return is_character and any(term in other for other in terms if other != term)


def _ends_any(term: str, terms: frozenset[str]) -> bool:
    """Whether a term is the head of a compound word, as a mower is of a lawnmower."""
    return len(term) >= LEAST_LETTERS_OF_A_HEAD and any(other.endswith(term) for other in terms)


def _terms_of_row(row: str) -> frozenset[str]:
    """The index terms of words with blanks between; of a word that is written without blanks
    itself, its pairs of characters."""
    words = [analyse_text(word) for word in row.split()]
    return frozenset(term for word in words for term in word if not _is_part_of_any(term, word))


def _holds(content: str, sign: str) -> bool:
    pattern = _SIGN_PATTERNS.get(sign)
    return sign in content if pattern is None else pattern.search(content) is not None


@cache
def _lexicon() -> _Lexicon:
    """The words of all languages: a query of one word does not say which it is in."""
    light: set[str] = set()
    concepts: defaultdict[str, list[_Concept]] = defaultdict(list)
    rows: defaultdict[str, list[_Concept]] = defaultdict(list)
    for path in sorted(LANGUAGES_FOLDER.glob("*.txt")):
        for section, row in _rows(path.read_text(encoding="utf-8")):
            if section == "light":
                light |= _terms_of_row(row)
                continue
            name, _, words = row.partition(":")
            asking, _, telling = words.partition("|")
            asked = _terms_of_row(asking)
            signs = frozenset(word for word in telling.split() if not any(map(str.isalnum, word)))
            terms = asked | _terms_of_row(telling)
            is_attribute = section == "attributes"
            concept = _Concept(name, path.stem, asking.strip(), terms, signs, is_attribute)
            rows[name].append(concept)
            for term in asked:
                concepts[term].append(concept)
    by_term = {term: tuple(found) for term, found in concepts.items()}
    return _Lexicon(frozenset(light), by_term, rows)


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """The rows of a lexicon's file, each with the section that it stands in."""
    section = ""
    for line in text.replace("\n  ", " ").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            yield section, line
