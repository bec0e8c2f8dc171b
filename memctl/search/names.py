"""Which of a query's words are names, and what the query asks about those who bear them.

A name makes every text about its bearer look near, whatever is asked. What is left of the query
without its names tells those texts apart. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memctl.search.query import Query
from memctl.store.terms import analyse_text

LANGUAGES_OF_CAPITAL_NOUNS = frozenset({"de"})
"""Where a capital letter makes no name."""

_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s?(?!\w)")


def names_in(query: Query, contents: Iterable[str]) -> frozenset[str]:
    """The words of a query that are names, in small letters: those with a capital letter within the
    query, and those that some texts write with one within a sentence and never without."""
    if query.languages[0] in LANGUAGES_OF_CAPITAL_NOUNS:
        return frozenset()
    words = [match.group() for match in _WORD.finditer(query.text)]
    told = "\n".join(contents)
    return frozenset(
        word.casefold()
        for place, word in enumerate(words)
        if len(word) > 1
        and ((place and word[0].isupper()) or _is_written_as_name(word.casefold(), told))
    )


def without_names(query: Query, names: frozenset[str]) -> str:
    """What a query asks: its text without those names; empty where nothing is left but words that
    name nothing."""
    if not names:
        return ""
    text = _POSSESSIVE.sub("", query.text)
    asking = _WORD.sub(
        lambda match: "" if match.group().casefold() in names else match.group(), text
    )
    left = " ".join(asking.split())
    return left if frozenset(query.terms) & frozenset(analyse_text(left)) else ""


def terms_of_names(names: Iterable[str]) -> frozenset[str]:
    """The index terms of names."""
    return frozenset(term for name in names for term in analyse_text(name))


def _is_written_as_name(word: str, text: str) -> bool:
    """Whether a word of small letters stands with a capital within the sentences of a text, and
    nowhere without."""
    capital = re.escape(word[0].upper() + word[1:])
    return bool(re.search(rf"(?<=[\w,;] ){capital}\b", text)) and not re.search(
        rf"\b{re.escape(word)}\b", text
    )
