"""The wording tables of one language, read from ``languages/<code>.txt`` and indexed by stem.

A lexicon knows words, not sentences: which may stand for each other, which exclude each other,
which deny, count or announce a change. The tables are data; nothing here knows a word.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path

from py_rust_stemmers import SnowballStemmer

from memctl.association.inflection import differ_by_inflection
from memctl.association.word_facts import NOTHING_KNOWN, CollectedFacts, WordFacts

LANGUAGES_FOLDER = Path(__file__).parent / "languages"

SNOWBALL_NAMES = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "ru": "russian",
}
"""Languages whose endings a Snowball stemmer takes off; the others are cut by their scripts."""

WORD_LISTS = (
    "function",
    "pronouns",
    "negators",
    "universal",
    "existential",
    "conditions",
    "exceptions",
    "change_verbs",
    "ending_verbs",
    "once_verbs",
    "repeat_verbs",
    "functional",
    "preference_plus",
    "preference_minus",
    "light",
    "verbs",
    "nouns_like_verbs",
    "directional",
    "auxiliaries",
    "prepositions",
    "determiners",
    "forbidding",
    "permitting",
    "modals",
    "displacing",
    "role_verbs",
    "requiring",
    "slots",
    "without",
    "replacing",
    "nouns_in_ing",
    "generic",
)
"""Sections that are sets of words."""

FUNCTION_SECTIONS = (
    "function",
    "prepositions",
    "determiners",
    "auxiliaries",
    "relatives",
    "telling",
    "conditions",
    "universal",
    "existential",
    "permitting",
    "forbidding",
    "negators",
    "without",
)
"""Sections of words that have a function in the sentence; some of them are content words too."""

READ_SECTIONS = frozenset(FUNCTION_SECTIONS) | {
    "no_duty",
    "strict_modals",
    "subject_pronouns",
    "exceptions",
    "excluding",
    "stranded",
    "links",
    "kept",
}
"""Sections that say how a word of a sentence is to be read."""


def read_tables(text: str) -> dict[str, list[str]]:
    """The rows of each section; lines that start with ``#`` are comments."""
    tables: dict[str, list[str]] = defaultdict(list)
    section = ""
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]") and " " not in line:
            section = line[1:-1]
        elif line.strip() and not line.startswith("#"):
            tables[section].append(line.strip())
    return tables


class Lexicon:
    """The tables of one language. Immutable after it is built; ``lexicon`` hands them out."""

    def __init__(self, code: str) -> None:
        self.code = code
        text = (LANGUAGES_FOLDER / f"{code}.txt").read_text(encoding="utf-8")
        self.tables = read_tables(text)
        name = SNOWBALL_NAMES.get(code)
        self._stemmer = SnowballStemmer(name) if name else None
        self._known: dict[str, WordFacts] = {}
        self._stems: dict[str, str] = {}
        self._word_sets: dict[str, frozenset[str]] = {}
        self._patterns: dict[str, re.Pattern[str]] = {}
        self.irregular = self._read_irregular()

    @cached_property
    def phrases(self) -> dict[tuple[str, str], list[tuple[list[str], str]]]:
        """The phrases of all tables, as the stems of their words and their name, by the stems of
        their first two words, longest first."""
        found: dict[tuple[str, str], set[tuple[tuple[str, ...], str]]] = defaultdict(set)
        for rows in self.tables.values():
            for name in {word for row in rows for word in row.split() if "_" in word.strip("_")}:
                parts = tuple(self.stem(part) for part in name.split("_"))
                found[parts[0], parts[1]].add((parts, name))
        return {
            beginning: [
                ([*parts], name)
                for parts, name in sorted(entries, key=lambda entry: (-len(entry[0]), entry))
            ]
            for beginning, entries in found.items()
        }

    def stem(self, word: str) -> str:
        """The stem of a lower-case word: irregular forms first, then the Snowball algorithm."""
        known = self._stems.get(word)
        if known is None:
            base = self.infinitive(word)
            known = self._stemmer.stem_word(base) if self._stemmer is not None else base
            if len(self._stems) < _MOST_CACHED_WORDS:
                self._stems[word] = known
        return known

    def _is_adjective(self, word: str) -> bool:
        """Whether a word has an opposite and is no verb, so that it may be compared."""
        facts = self._facts.get(word, NOTHING_KNOWN)
        return bool(facts.sides) and "verbs" not in facts.lists

    def are_forms_of_one(self, one: str, other: str) -> bool:
        """Whether two words of one stem are one word; the English stemmer goes too far for that."""
        return self.code != "en" or differ_by_inflection(one, other)

    def infinitive(self, word: str) -> str:
        """The base of an irregular form, and of German verbs in the tables also of regular ones."""
        if word in self.irregular or self.code != "de":
            return self.irregular.get(word, word)
        verbs = self.words_of("verbs")
        for ending in _GERMAN_ENDINGS:
            if word.endswith(ending) and (verb := word.removesuffix(ending) + "en") in verbs:
                return verb
        return word

    def facts(self, word: str) -> WordFacts:
        """What is known about a lower-case word, by its form, else by its stem."""
        known = self._known.get(word)
        if known is None:
            known = self._find_facts(word)
            if len(self._known) < _MOST_CACHED_WORDS:
                self._known[word] = known
        return known

    def _find_facts(self, word: str) -> WordFacts:
        relatives = self._filed_by_stem.get(self.stem(word), ())
        forms = [word, *(form for form in relatives if self.are_forms_of_one(word, form))]
        forms += [form for form in _positive_forms(word, self.code) if self._is_adjective(form)]
        if word.removesuffix("s") in self.words_of("nouns_in_ing"):
            forms.append(word.removesuffix("s"))
        found = [self._facts[form] for form in dict.fromkeys(forms) if form in self._facts]
        if "_" in word:
            verb = self.facts(word.partition("_")[0])
            found.append(WordFacts(attributes=verb.attributes, lists=verb.lists))
        if not found:
            return NOTHING_KNOWN
        first, *others = found
        if not others:
            return first
        return WordFacts(
            synonyms=first.synonyms.union(*(other.synonyms for other in others)),
            attributes=first.attributes.union(*(other.attributes for other in others)),
            classes=first.classes.union(*(other.classes for other in others)),
            sides=first.sides.union(*(other.sides for other in others)),
            states=first.states.union(*(other.states for other in others)),
            lists=first.lists.union(*(other.lists for other in others)),
        )

    def knows(self, word: str) -> bool:
        """Whether a word form stands in a table of meanings."""
        return word in self._facts

    def table(self, section: str) -> list[str]:
        return self.tables.get(section, [])

    @cached_property
    def numbers(self) -> dict[str, int]:
        return self._pairs("numbers")

    @cached_property
    def ordinals(self) -> dict[str, int]:
        return self._pairs("ordinals")

    @cached_property
    def months(self) -> dict[str, int]:
        return self._pairs("months")

    @cached_property
    def weekdays(self) -> dict[str, frozenset[int]]:
        return {
            word: frozenset(map(int, str(days))) for word, days in self._pairs("weekdays").items()
        }

    @cached_property
    def units(self) -> dict[str, str]:
        return dict(
            _split_pair(pair.replace("_", " "))
            for row in self.table("units")
            for pair in row.split()
        )

    @cached_property
    def pronouns(self) -> dict[str, str]:
        """Each pronoun and the first word of its row, such as ``my`` and ``user``."""
        rows = [row.split() for row in self.table("pronouns")]
        return {word: row[0] for row in rows for word in row}

    def words_of(self, section: str) -> frozenset[str]:
        """The word forms of a section that is a plain list."""
        found = self._word_sets.get(section)
        if found is None:
            found = frozenset(word for row in self.table(section) for word in row.split())
            self._word_sets[section] = found
        return found

    def clock_words(self, name: str) -> frozenset[str]:
        """The words that have one function in times of day, such as "half_past"."""
        return self._clock.get(name, frozenset())

    @cached_property
    def _clock(self) -> dict[str, frozenset[str]]:
        rows = [row.split() for row in self.table("clock")]
        return {name: frozenset(words) for name, *words in rows}

    @cached_property
    def modals(self) -> dict[str, str]:
        """Modal words and phrases, each with what it says: duty, leave or power."""
        rows = [row.split() for row in self.table("modals")]
        return {word: modality for modality, *found in rows for word in found}

    def pattern(self, section: str) -> re.Pattern[str]:
        """The alternatives of a section as one pattern; it matches nothing if there are none."""
        found = self._patterns.get(section)
        if found is None:
            found = re.compile("|".join(self.table(section)) or r"(?!)")
            self._patterns[section] = found
        return found

    @cached_property
    def rewrites(self) -> list[tuple[str, str]]:
        """Words and the more usual ones that may stand for them, in unbroken scripts."""
        pairs = (row.split() for row in self.table("rewrites"))
        return [(word, usual) for word, usual in pairs]

    @cached_property
    def known_words(self) -> re.Pattern[str]:
        """All words of the tables that an unbroken run is cut at, longest first."""
        found = {word for word in self._facts if not word.isascii()} | set(self.pronouns)
        longest_first = sorted(found, key=lambda word: (-len(word), word))
        return re.compile(f"({'|'.join(longest_first)})" if longest_first else r"(?!)")

    @cached_property
    def rates(self) -> dict[str, str]:
        """Units of time and the word for once in each: day and daily."""
        rows = [row.split() for row in self.table("rates")]
        return {unit: rate for rate, *units in rows for unit in units}

    @cached_property
    def bounds(self) -> list[tuple[tuple[str, ...], str]]:
        """Phrases before a figure and the bound they make of it, longest first."""
        rows = [row.split() for row in self.table("bounds")]
        found = [(tuple(phrase), bound) for bound, *phrase in rows]
        return sorted(found, key=lambda entry: -len(entry[0]))

    @cached_property
    def bounds_by_last_word(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """The bounds by the last word of their phrase, longest first."""
        found: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        for phrase, bound in self.bounds:
            found[phrase[-1]].append((phrase, bound))
        return dict(found)

    @cached_property
    def counted_units(self) -> dict[str, str]:
        """Units of an unbroken script, each with its name in the table of units."""
        rows = [row.split() for row in self.table("counted_units")]
        return {sign: name for name, *signs in rows for sign in signs}

    def unit_name(self, word: str) -> str | None:
        """What a word for a unit, in singular or plural, is called in the table of units."""
        if word in self.units:
            return self.units[word]
        singular = word.removesuffix("s")
        return self.units.get(singular) if len(singular) > 2 else None

    def is_function_word(self, word: str) -> bool:
        return word in self.words_of("function") or word in self.words_of("prepositions")

    def has_function(self, word: str) -> bool:
        """Whether a word can be anything else than a content word."""
        return word in self._functions

    def sections_of(self, word: str) -> frozenset[str]:
        """Those of the READ_SECTIONS that a word stands in: asked for at once, because there are
        many questions about each word."""
        return self._sections.get(word, _NO_SECTIONS)

    @cached_property
    def _sections(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for section in READ_SECTIONS:
            for word in self.words_of(section):
                found[word].add(section)
        return {word: frozenset(sections) for word, sections in found.items()}

    @cached_property
    def _functions(self) -> frozenset[str]:
        lists = frozenset[str]().union(*(self.words_of(section) for section in FUNCTION_SECTIONS))
        return lists | frozenset(self.modals) | frozenset(self.pronouns)

    def is_verb_like(self, word: str, after_noun: bool) -> bool:
        """Whether a word looks like a finite verb: after a noun also where it might be a noun."""
        if "verbs" not in self.facts(word).lists:
            return False
        return after_noun and (word.endswith(("s", "ed")) or word in self.irregular)

    def may_have_marker(self, lower: str) -> bool:
        """Whether any of the markers stands in a text in lower case. Most texts have none, and
        looking for letters in one case takes half the time."""
        return self._any_marker.search(lower) is not None

    def may_have_filler(self, lower: str) -> bool:
        """Whether any of the fillers stands in a text in lower case; see ``may_have_marker``."""
        return self._any_filler.search(lower) is not None

    def may_have_contrast(self, lower: str) -> bool:
        """Whether a text in lower case has a sign without which none is set against another."""
        return any(sign in lower for sign in self.words_of("contrast_signs"))

    @cached_property
    def _any_marker(self) -> re.Pattern[str]:
        return re.compile(_grouped_by_beginning(pattern.pattern for _, pattern in self.markers))

    @cached_property
    def _any_filler(self) -> re.Pattern[str]:
        return re.compile(r"(?!)" if self.fillers is None else self.fillers.pattern)

    @cached_property
    def markers(self) -> list[tuple[str, re.Pattern[str]]]:
        """Patterns in lower case that ignore case, each with the name of what it marks."""
        rows = [row.split(maxsplit=1) for row in self.table("markers")]
        return [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in rows]

    @cached_property
    def fillers(self) -> re.Pattern[str] | None:
        return _any_of(self.table("fillers"))

    @cached_property
    def labels(self) -> dict[str, str]:
        """Words that may stand before a colon, each with the first word of its row."""
        rows = [row.split() for row in self.table("labels")]
        return {word: row[0] for row in rows for word in row}

    @cached_property
    def openings(self) -> list[tuple[str, re.Pattern[str]]]:
        rows = [row.split(maxsplit=1) for row in self.table("openings")]
        return [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in rows]

    def _pairs(self, section: str) -> dict[str, int]:
        pairs = (_split_pair(pair) for row in self.table(section) for pair in row.split())
        return {word: int(number) for word, number in pairs}

    def _read_irregular(self) -> dict[str, str]:
        irregular: dict[str, str] = {}
        for row in self.table("irregular"):
            forms, _, base = row.rpartition(":")
            irregular.update(dict.fromkeys(forms.replace(":", " ").split(), base))
        return irregular

    @cached_property
    def _facts(self) -> dict[str, WordFacts]:
        collected: dict[str, CollectedFacts] = defaultdict(CollectedFacts)
        for section in ("synonyms", "attributes", "classes"):
            for number, row in enumerate(self.table(section)):
                for word in row.split():
                    collected[word].rows[section].add(number)
        for section in ("antonyms", "successions"):
            for word, place in self._sides(section):
                collected[word].pairs[section].add(place)
        for section in WORD_LISTS:
            for word in self.words_of(section):
                collected[word].lists.add(section)
        return {form: entry.facts() for form, entry in collected.items()}

    def _sides(self, section: str) -> Iterator[tuple[str, tuple[int, int]]]:
        """Each word of a section of two-sided rows, with its row and side (0 or 1)."""
        for number, row in enumerate(self.table(section)):
            for side, words in enumerate(row.lstrip("! ").split(" : ")):
                yield from ((word, (number, side)) for word in words.split())

    @cached_property
    def _filed_by_stem(self) -> dict[str, list[str]]:
        """The words of the tables by their stem.

        Words in lists of exact forms stand for themselves only, and so do English participles:
        "called" means a name, "calls" does not.
        """
        found: dict[str, list[str]] = defaultdict(list)
        exact = self.words_of("nouns_in_ing")
        for word in self._facts:
            is_participle = self.code == "en" and word.endswith("ed") and len(word) > 4
            if "_" not in word and word not in exact and not is_participle:
                found[self.stem(word)].append(word)
        return found

    @cached_property
    def complementary(self) -> frozenset[int]:
        """Antonym rows between which there is no third: denying one side states the other."""
        return frozenset(
            number for number, row in enumerate(self.table("antonyms")) if row.startswith("!")
        )


_NO_SECTIONS: frozenset[str] = frozenset()
_MOST_CACHED_WORDS = 20_000


_GERMAN_ENDINGS = ("test", "ten", "te", "est", "et", "st", "t", "e")


def _split_pair(pair: str) -> tuple[str, str]:
    word, _, value = pair.rpartition(":")
    return word, value


def _any_of(phrases: list[str]) -> re.Pattern[str] | None:
    if not phrases:
        return None
    longest_first = sorted(phrases, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest_first)})\b,?", re.IGNORECASE)


def _grouped_by_beginning(patterns: Iterable[str]) -> str:
    """One pattern for all. Those that begin with the same condition on the place stand together:
    ``re`` then looks at it once for all of them, which takes a third of the time."""
    groups: dict[str, list[str]] = defaultdict(list)
    for pattern in patterns:
        groups[next(filter(pattern.startswith, _PLACES), "")].append(pattern)
    return "|".join(f"(?:{'|'.join(group)})" for group in groups.values()) or r"(?!)"


_PLACES = ("^", r"\b")
"""The beginning of a text and that of a word, as a pattern begins with them."""


def _positive_forms(word: str, code: str) -> list[str]:
    """What an English comparative may come from: hotter, larger, easier."""
    ending = next((e for e in ("est", "er") if word.endswith(e)), None)
    if code != "en" or ending is None or len(word) < len(ending) + 3:
        return []
    base = word.removesuffix(ending)
    forms = [base, base + "e"]
    if base[-1] == base[-2]:
        forms.append(base[:-1])
    if base[-1] == "i":
        forms.append(base[:-1] + "y")
    return forms


@cache
def lexicon(code: str) -> Lexicon:
    """The lexicon of a language by its ISO 639-1 code."""
    return Lexicon(code)
