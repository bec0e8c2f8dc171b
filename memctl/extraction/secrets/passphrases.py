"""Tells a secret of several words from a remark, where a password is expected.

``password: correct horse battery`` holds one, ``password: twelve characters, see the vault`` does
not. Pure judgements on the words of one clause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def read_passphrase(text: str, position: int, *, is_stated: bool) -> Span | None:
    """The secret of several words that begins at ``position`` and fills its clause, if any does.

    ``is_stated``: it follows a verb, behind which sentences go on in other ways too.
    """
    clause = _CLAUSE.match(text, position)
    if clause is None:
        return None
    said = clause[0]
    for end in (_DASH.search(said), GOES_ON.search(said)):
        said = said[: end.start()] if end and end.start() < len(said) else said
    said = said.rstrip(" \t\r!*_'")
    judge = is_stated_passphrase if is_stated else is_passphrase
    start = position + len(said) - len(said.lstrip())
    return Span(start, position + len(said), "password") if judge(said.split()) else None


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
