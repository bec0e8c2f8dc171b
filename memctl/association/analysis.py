"""What one statement says, ready to be compared: terms, values, denials, time, subject.

An analysis depends on its statement alone, so it can be kept and compared with many others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from memctl.association.cjk import Prepared, prepare_cjk
from memctl.association.contrast import Contrast, read_contrast
from memctl.association.enumeration import Enumeration, find_enumerations
from memctl.association.figures import Item, read_items
from memctl.association.language import CERTAIN, CJK_LANGUAGES, detect_language
from memctl.association.lexicon import Lexicon, lexicon
from memctl.association.measures import Value
from memctl.association.row import Row, read_row
from memctl.association.sentence import Structure, Tense, find_structure
from memctl.association.terms import (
    Findings,
    Quantifier,
    Term,
    cut_items,
    join_separable,
    merge_phrases,
    read_words,
)
from memctl.association.tokens import TokenKind, tokenise
from memctl.association.units import UNIT_SIGNS
from memctl.association.values import Statement
from memctl.association.wording import Cue, Frame, plain_text, read_wording
from memctl.memory import event_day

MOST_ANALYSED_CHARACTERS = 2_000
"""How much of a statement is taken apart. The longest that are statements have a quarter of it;
what is longer is a text, which takes no other one's place."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """One statement taken apart. ``key`` is equal for texts that differ in packaging alone."""

    statement: Statement
    words: Lexicon
    language_margin: float
    """How far the language is ahead of the next likely one."""
    key: tuple[str, ...]
    frame: Frame
    markers: frozenset[Cue]
    """What small words say about change; ``cues`` has what "since" says as well."""
    cues: frozenset[Cue]
    structure: Structure
    found: Findings
    terms: list[Term]
    """Those that were found, as are the values: here they are asked for without a call."""
    values: list[Value]
    terms_by_word: dict[str, Term]
    """In the order of the terms; of a word that is said again the last one."""
    deeds_of_change: tuple[tuple[Term, Cue], ...]
    """What verbs in the past say about change: moved, renamed, quit; not "is deleted daily"."""
    leaves_something: bool
    """Whether it names what a change leaves behind: "from" there, "instead of" that."""
    event_day: date | None
    main_verb: str | None
    """"be" or "have" where the finite verb is one of them and no auxiliary."""
    contrast: Contrast | None
    """What it sets against what, if it does."""
    plain: str
    """The text without markup, quotation marks and superfluous white space."""
    row: Row | None
    """What it says as a row of a table, if it is one."""
    enumerations: tuple[Enumeration, ...] = ()
    is_cut: bool = False
    """Whether the text goes on behind what was taken apart."""

    @property
    def tense(self) -> Tense:
        return self.structure.tense

    @property
    def has_verb(self) -> bool:
        return self.structure.verb is not None

    @property
    def may_announce_change(self) -> bool:
        """Whether anything in it can say of another text that it holds no longer."""
        return bool(self.cues or self.deeds_of_change or self.leaves_something)

    @property
    def is_cjk(self) -> bool:
        return self.words.code in CJK_LANGUAGES

    @property
    def is_task(self) -> bool:
        """Whether it says that something is to be done."""
        return self.frame is Frame.TODO or (
            self.frame is Frame.PLAIN and self.structure.imperative and not self.found.denied
        )


def analyse(statement: Statement, language: str | None = None) -> Analysis:
    """Takes a statement apart, in the language it seems to be in unless one is given."""
    content = statement.content[:MOST_ANALYSED_CHARACTERS]
    code, margin = (language, CERTAIN) if language else detect_language(content)
    words = lexicon(code)
    plain = plain_text(content)
    if plain == content:
        # One text instead of two equal ones: thousands of analyses are kept.
        plain = content
    wording = read_wording(plain, statement.memory_type, words)
    prepared = prepare_cjk(wording.claim, words) if code in CJK_LANGUAGES else None
    items = _read_items(wording.claim, prepared, words)
    structure = _find_structure(items, words)
    found = read_words(items, structure, words)
    if prepared is not None:
        _add_prepared(found, prepared)
    found.denials += wording.no_longer
    _add_subject(found, statement, words)
    event_at = statement.event_at
    return Analysis(
        statement=statement,
        words=words,
        language_margin=margin,
        key=_key(items, words),
        frame=wording.frame,
        markers=wording.cues,
        cues=wording.cues | {Cue.CHANGE} if wording.since else wording.cues,
        structure=structure,
        found=found,
        terms=found.terms,
        values=found.values,
        terms_by_word={term.word: term for term in found.terms},
        deeds_of_change=tuple(_deeds_of_change(found, structure, words)),
        leaves_something=_leaves_something(found, words),
        event_day=None if event_at is None else event_day(event_at),
        main_verb=_being_or_having(items, structure, words),
        contrast=read_contrast(plain, words),
        plain=plain,
        row=read_row(content),
        enumerations=find_enumerations(items, found.terms, words),
        is_cut=len(content) < len(statement.content),
    )


def _deeds_of_change(
    found: Findings, structure: Structure, words: Lexicon
) -> Iterator[tuple[Term, Cue]]:
    if found.denied or (structure.passive and structure.tense is Tense.PRESENT):
        return
    may_be_present = structure.tense in {Tense.PRESENT, Tense.FUTURE}
    for term in found.terms:
        is_deed = term.is_past and (term.is_verb or not term.in_subject)
        if not is_deed or (may_be_present and words.irregular.get(term.word) == term.word):
            continue
        if term.is_in("change_verbs"):
            yield term, Cue.CHANGE
        if term.is_in("ending_verbs"):
            yield term, Cue.ENDED


def _leaves_something(found: Findings, words: Lexicon) -> bool:
    if any(term.displaced for term in found.terms):
        return True
    replacing = words.words_of("replacing")
    return any(value.preposition in replacing for value in found.values)


def _being_or_having(items: Sequence[Item], structure: Structure, words: Lexicon) -> str | None:
    if structure.verb is None or structure.passive:
        return None
    verb = items[structure.verb]
    if isinstance(verb, Value):
        return None
    if verb.lower in words.words_of("be_auxiliaries"):
        return "be"
    return "have" if verb.lower in words.words_of("perfect_auxiliaries") else None


def _read_items(claim: str, prepared: Prepared | None, words: Lexicon) -> list[Item]:
    if prepared is not None:
        items = read_items(tokenise(prepared.text, UNIT_SIGNS), words, prepared.values)
        return list(cut_items(items, words))
    items = merge_phrases(read_items(tokenise(claim, UNIT_SIGNS), words, ()), words)
    return join_separable(items, words)


def _find_structure(items: Sequence[Item], words: Lexicon) -> Structure:
    if not items:
        return Structure(None, 0, 0, Tense.NONE)
    if words.code in CJK_LANGUAGES:
        first = next((n for n, item in enumerate(items) if not isinstance(item, Value)), 0)
        following = items[first + 1] if first + 1 < len(items) else None
        names_a_thing = isinstance(following, Value) and following.label is not None
        return Structure(None, first, first + (2 if names_a_thing else 1), Tense.NONE)
    return find_structure(items, words)


def _add_prepared(found: Findings, prepared: Prepared) -> None:
    found.denials += prepared.denials
    if prepared.universal:
        found.quantifier = Quantifier.UNIVERSAL
    elif prepared.existential:
        found.quantifier = Quantifier.EXISTENTIAL


def _add_subject(found: Findings, statement: Statement, words: Lexicon) -> None:
    """Adds the words of a subject that is given beside the text and not in it."""
    if statement.subject is None:
        return
    known = {term.stem for term in found.terms}
    for token in tokenise(statement.subject, UNIT_SIGNS):
        word = token.lower
        is_content = token.kind is TokenKind.WORD and not words.is_function_word(word)
        if is_content and word not in words.pronouns and words.stem(word) not in known:
            found.terms.append(Term(word, words.stem(word), words.facts(word), -1, in_subject=True))


def _key(items: Sequence[Item], words: Lexicon) -> tuple[str, ...]:
    parts = []
    articles = words.words_of("articles")
    for item in items:
        if isinstance(item, Value):
            parts.append(_value_key(item))
        elif item.kind is TokenKind.WORD and item.lower not in articles:
            parts.append(item.lower)
        elif item.kind is TokenKind.SYMBOL:
            parts.append(item.text)
    return tuple(parts)


def _value_key(value: Value) -> str:
    """Figures with a point keep their text: version 3.10 is not 3.1."""
    is_bare = isinstance(value.amount, Fraction) and not value.dimension
    amount = value.text.lower() if is_bare and "." in value.text else str(value.amount)
    return ":".join((value.kind, value.dimension, amount, value.bound))


_SURE_MARGIN = 1.0
"""One common word more than in any other language: two texts may be in two languages."""


def in_language_of(analysis: Analysis, other: Analysis) -> Analysis:
    """The analysis in the other's language where that is more certain than its own."""
    if analysis.words is other.words or analysis.language_margin >= other.language_margin:
        return analysis
    if other.language_margin == CERTAIN or analysis.language_margin > _SURE_MARGIN:
        return analysis
    return analyse(analysis.statement, other.words.code)
