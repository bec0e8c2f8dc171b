"""Tells a secret of several words from a remark, where a password is expected.

``password: correct horse battery`` holds one, ``password: twelve characters, see the vault`` does
not. Pure judgements on the words of one clause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from memctl.extraction.secrets.span import Span
from memctl.extraction.secrets.wording import (
    FUNCTION_WORDS,
    GOES_ON,
    PLACEHOLDER_WORDS,
    STATE_ENDINGS,
    STATE_WORDS,
    UNSPACED_SCRIPT,
    is_measure,
)
from memctl.extraction.word_set import word_set

SHORTEST_ASSIGNED = 2
SHORTEST_SENTENCE, LONGEST_SENTENCE = 4, 12
"""Words of a passphrase that is a sentence."""

SHORTEST_STATED = 3
"""Words that make one behind "is", where an adjective and its adverb are two; behind a colon
fewer do."""

_CLAUSE = re.compile(r"[^\n\"`<>()\[\].,;|:]{1,300}")
_DASH = re.compile(r"\s[-–—]+\s")
_WORD = re.compile(r"[^\W_][\w'’-]*")

_REMARK_WORDS = FUNCTION_WORDS | word_set(
    """
    change changes changing reset resets expire expires expired expiry rotate rotates rotation
    policy minimum maximum min max length character characters chars digit digits letter letters
    symbol symbols forgotten forgot attempt attempts reminder hint input manager generator
    sensitive protected access day days week weeks month months year years
    wechsel wechseln wechselt ändern ändert geändert abgelaufen läuft vergessen mindestens höchstens
    zeichen stellen ziffern buchstaben regel richtlinie gespeichert hinterlegt abgelegt tage wochen
    monate jahre
    cambiar cambia cambiada caduca caducada vence mínimo máximo caracteres dígitos letras símbolos
    política olvidada guardada días semanas meses años
    """
)
"""Words of sentences about passwords, of which hardly any password is made."""

_PLACE_WORDS = word_set(
    """
    in on at under inside with behind from by for via to of as
    in im auf unter bei beim hinter mit von vom aus für
    en sobre bajo con de del para por dans sur sous avec du pour
    """
)
_JOINING_WORDS = _PLACE_WORDS | word_set(
    """
    the a an and or my our his her their its your it i we you he she they
    der die das den dem des ein eine einen einem einer und oder mein meine sein seine ihr ihre er
    sie es ich wir
    el la los las un una y o mi su sus le les une et ou mon ma son sa
    """
)
"""Words between those that name something."""

_ABOUT_PASSWORDS = (
    PLACEHOLDER_WORDS
    | STATE_WORDS
    | word_set(
        """
        one ones usual first letters name names birthday card paper note sticky drawer desk wallet
        phone notebook knows remembers sends gives keeps keyboard initials line song title book
        übliche übliches gleiche wie anfangsbuchstaben zettel schublade handy weiß kennt
        siempre usual nota papel cajón sabe cuaderno
        """
    )
)
"""Words of remarks about where a passphrase is, who knows it, and how it is made."""


def read_passphrase(
    text: str, position: int, judge: Callable[[Sequence[str]], bool]
) -> Span | None:
    """The secret of several words that begins at ``position`` and fills its clause, if it is one by
    ``judge``."""
    said = _clause_at(text, position)
    goes_on = GOES_ON.search(said)
    said = said[: goes_on.start()] if goes_on else said
    return _span_of(said, position) if judge(said.split()) else None


def read_sentence(text: str, position: int) -> Span | None:
    """The passphrase that is a sentence and stands at ``position`` behind ``passphrase:``, if one
    does."""
    said = _clause_at(text, position)
    return _span_of(said, position) if _is_sentence(said.split()) else None


def _clause_at(text: str, position: int) -> str:
    clause = _CLAUSE.match(text, position)
    said = clause[0] if clause else ""
    dash = _DASH.search(said)
    return said[: dash.start()] if dash else said


def _span_of(said: str, position: int) -> Span:
    said = said.rstrip(" \t\r!*_'")
    return Span(position + len(said) - len(said.lstrip()), position + len(said), "password")


def is_passphrase(words: Sequence[str]) -> bool:
    """Whether words behind ``password:`` are a secret of several words."""
    folded = [word.casefold() for word in words]
    return (
        len(words) >= SHORTEST_ASSIGNED
        and folded[0] not in PLACEHOLDER_WORDS
        and _REMARK_WORDS.isdisjoint(folded)
        and any(word.isalpha() for word in words)
        and all(_WORD.fullmatch(word) and not UNSPACED_SCRIPT.search(word) for word in words)
        and not any(is_measure(number + unit) for number, unit in pairwise(words))
    )


def _is_sentence(words: Sequence[str]) -> bool:
    """Whether words behind ``passphrase:`` are a sentence that is one.

    A remark says where the secret is or what it must be like: it begins with a place, or has words
    that sentences about passwords have.
    """
    folded = [word.casefold() for word in words]
    naming = [word for word in folded if word not in _JOINING_WORDS]
    return (
        SHORTEST_SENTENCE <= len(words) <= LONGEST_SENTENCE
        and len(naming) >= SHORTEST_STATED
        and folded[0] not in _PLACE_WORDS
        and _ABOUT_PASSWORDS.isdisjoint(naming)
        and is_passphrase(naming)
    )


def is_stated_passphrase(words: Sequence[str]) -> bool:
    """Whether words behind "the password is" are a secret of several words.

    They are many, or a word with a number, and do not say in what state the password is.
    """
    if not is_passphrase(words) or words[0].casefold().endswith(STATE_ENDINGS):
        return False
    if len(words) == SHORTEST_ASSIGNED:
        name, number = words
        return name.casefold() not in STATE_WORDS and number.isdigit() and len(number) > 1
    naming = [word for word in words if word.casefold() not in STATE_WORDS]
    return len(words) >= SHORTEST_STATED and len(naming) >= SHORTEST_ASSIGNED
