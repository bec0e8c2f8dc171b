"""Secrets whose label ends with whose they are: ``Password Netflix: x``, ``Login Bank: user / x``.

A noun behind the word that names a secret says what the secret is for, or says something about
secrets: ``Password policy: x`` holds none. So a value is believed the sooner the better the noun
is known, and never behind one of the second sort.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memctl.extraction.secrets.keywords import (
    AMBIGUOUS_PASSWORD_WORDS,
    CLEAR_PASSWORD_ABBREVIATIONS,
    PASSWORD_WORDS,
    PIN_WORDS,
    SECRET_WORDS,
)
from memctl.extraction.secrets.name_words import (
    ABOUT_WORDS,
    ACCESS_WORDS,
    CARD_WORDS,
    LINKING_WORDS,
    LOGIN_WORDS,
    USER_WORDS,
)
from memctl.extraction.secrets.passphrases import is_stated_passphrase, read_passphrase
from memctl.extraction.secrets.searched import Detector, SearchedText
from memctl.extraction.secrets.span import Span
from memctl.extraction.secrets.values import Value, read_value
from memctl.extraction.secrets.wording import (
    FUNCTION_WORDS,
    PLACEHOLDER_WORDS,
    ends_clause,
    is_assigned_password,
    is_measure,
    is_numbered_slug,
    is_password_like,
    is_placeholder,
    is_slug,
    is_stated_password,
    looks_random,
)

_NAME = r"[\"'`*]{0,2}[^\W_][^\s_:：=＝<>|→(),;\"`*/]{0,30}"
_NAMES = rf"(?P<names>(?:(?:[ \t]{{1,2}}|[ \t]?[-–—/_][ \t]?|[ \t]@[ \t]?){_NAME}){{1,5}}?)"
_NOTE = r"(?:[ \t]?[(（][^()（）\n]{0,40}[)）])?[\"'`*_]{0,4}"
_GAP = r"[*_]{0,3}[ \t\u3000]{0,8}"
_ASSIGNED = re.compile(_NAMES + _NOTE + rf"[ \t\u3000]{{0,8}}(?::=|=>|-{{1,2}}>|→|[=:：＝|]){_GAP}")
_STATED = re.compile(
    _NAMES + _NOTE + r"[ \t](?:is|ist|lautet|est|es|é|è|to|[-–—])[ \t]{1,4}", re.IGNORECASE
)
_ABOVE = re.compile(_NAMES + _NOTE + r"[ \t]?[:：][*_]{0,3}[ \t]*\n[ \t>]*(?:[-*][ \t]+)?")
_BARE = re.compile(_NAMES + _NOTE + r"[ \t]{1,4}(?=\S)")
_ENTRY_BEFORE = re.compile(
    r"(?:^|\n|[,;:(（.|>#*•\"'`]|(?<!\w)-"
    r"|\b(?:my|our|the|your|new|mein|unser|das|neues|le|la|mon|notre|mi|el|nuestra|il|mio|a|o))"
    r"[ \t\"'`*_]*\Z|[A-Za-z0-9]_\Z",
    re.IGNORECASE,
)
"""What comes before a label that begins its entry."""

_PAIR = re.compile(
    rf"{_NAMES}{_NOTE}[ \t]{{0,2}}(?P<sign>[:=：]{_GAP}|[ \t])"
    r"[^\s/:|,=\"'`]{2,60}[ \t]?[/|:,][ \t]?"
)
_USER_PAIR = re.compile(r"[\"'`*]{0,3}(?:[ \t]?[/|][ \t]?|:(?=\S))")
_THING_BEFORE = re.compile(
    r"(?P<name>[^\W_][^\s:=|/,;()]{0,30})[ \t]?[:,(–—-]?[ \t]?[\"'`*]{0,3}\Z"
)
_SPLIT = re.compile(r"[\s_@/–—-]+")
_MAIL_OR_HOST = re.compile(
    r"[^@\s]+@[\w-]+(?:\.[\w-]+)+\Z|(?:[\w-]+\.)+(?:com|de|org|net|io|fr|es|it|uk|eu|ch|at|nl|ru)\b"
)
_VERSION = re.compile(r"v?\d{1,4}(?:\.\d{1,4}){1,3}(?:[-+][\w.]{1,12})?\Z", re.IGNORECASE)
_STANDARD = re.compile(r"[A-Z]{1,8}[-_ ]?\d{1,6}(?:[-/.]\d{1,6})?\Z|[A-Za-z]{1,3}\d{1,3}\Z")
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3,4}){1,2}\Z")
_HASH = re.compile(r"(?:sha\d+[:-])?[0-9a-f]{32,}\Z|[0-9A-F]{32,}\Z")
_IDENTIFIER = re.compile(r"[a-z]+(?:_[a-z][a-z0-9]*){2,}\Z")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_DIGITS = re.compile(r"\d{4,8}\Z")
_MIXED = re.compile(r"(?=.*\d)(?=.*[^\W\d_])")
_TWO_KINDS = re.compile(r"(?=.*[A-Z])(?=.*[a-z])|(?=.*[^\w\s.-])")

SHORTEST_OF_KNOWN, SHORTEST_OF_UNKNOWN, SHORTEST_WITHOUT_SIGN = 4, 6, 8
"""Characters of a password behind the name of a known thing, of another, and behind no sign."""

SHORTEST_NAMED_KEY = 16
"""Characters of a key behind a name that is not known."""

_CONTEXT_LENGTH = 60


class _Names:
    """The words between what names a secret and its sign."""

    def __init__(self, text: str) -> None:
        words = [word.strip("\"'`*.,!?") for word in _SPLIT.split(text)]
        self.words = [word for word in words if word]
        self.folded = [word.casefold() for word in self.words]
        joined = {"".join(pair) for pair in zip(self.folded, self.folded[1:], strict=False)}
        self._known = {*self.folded, *joined}

    def are_of(self, known: frozenset[str]) -> bool:
        """Whether they name a thing that is known to have a secret, and say no more than that."""
        return not known.isdisjoint(self._known) and not self._say_something()

    def are_a_name(self) -> bool:
        """Whether they may be the name of a thing that nobody here knows."""
        return len(self.words) <= 2 and not self._say_something()

    def is_proper(self) -> bool:
        """Whether one is written as no common noun is; scripts without capitals tell none."""
        return any(not word.islower() or not word.isalpha() for word in self.words)

    def _say_something(self) -> bool:
        return any(
            word in ABOUT_WORDS or (word in FUNCTION_WORDS and word not in LINKING_WORDS)
            for word in self.folded
        )


def find_named_credentials(searched: SearchedText) -> Iterator[Span]:
    """Values behind a label of a word that names a secret and the name of what it is for."""
    text = searched.text
    for words, find_behind in _RULES:
        for word in sorted(searched.words & words):
            for start in searched.places(word):
                end = start + len(word)
                if not (word.isascii() and text[start - 1 : start].isalnum() and len(word) < 5):
                    yield from find_behind(text, start, end)


def _password_behind(text: str, start: int, end: int) -> Iterator[Span]:
    for match, has_sign in _labels(text, end):
        names = _Names(match["names"])
        value = read_value(text, match.end())
        if value is None:
            continue
        if names.are_of(ACCESS_WORDS):
            if _is_of_known(value) if has_sign else _is_bare(value):
                yield value.span("password")
            elif has_sign and (several := read_passphrase(text, match.end(), is_stated_passphrase)):
                yield several
        elif (
            has_sign
            and names.are_a_name()
            and _begins_entry(text, start)
            and _is_of_unknown(value, proper=names.is_proper())
        ):
            yield value.span("password")


def _ambiguous_password_behind(text: str, start: int, end: int) -> Iterator[Span]:
    """``pass`` and ``clave`` are other things too, which have other names."""
    match = _ASSIGNED.match(text, end) if _begins_entry(text, start) else None
    value = read_value(text, match.end()) if match else None
    if match and value and _Names(match["names"]).are_of(ACCESS_WORDS) and _is_of_known(value):
        yield value.span("password")


def _pin_behind(text: str, start: int, end: int) -> Iterator[Span]:
    match = _ASSIGNED.match(text, end)
    value = read_value(text, match.end()) if match else None
    # Written small it is also the pin of a plug.
    things = CARD_WORDS if text[start].islower() else CARD_WORDS | ACCESS_WORDS
    if (
        match
        and value
        and _DIGITS.match(value.text)
        and ends_clause(value.behind)
        and _Names(match["names"]).are_of(things)
    ):
        yield value.span("card check code" if text[start] in "cC" else "pin")


def _secret_behind(text: str, start: int, end: int) -> Iterator[Span]:
    match = _ASSIGNED.match(text, end)
    value = read_value(text, match.end(), in_list=True) if match else None
    if match is None or value is None or _is_elsewhere(value.text) or _UUID.match(value.text):
        return
    names = _Names(match["names"])
    if names.are_of(ACCESS_WORDS):
        is_key = looks_random(value.text)
    else:
        is_name = names.are_a_name() and names.is_proper() and _begins_entry(text, start)
        is_plain = value.text.replace("-", "").isalnum()
        is_key = is_name and is_plain and looks_random(value.text, SHORTEST_NAMED_KEY)
    if is_key:
        yield value.span("secret")


def _pair_behind(text: str, start: int, end: int) -> Iterator[Span]:
    """Of ``Login Bank: user / x``."""
    match = _PAIR.match(text, end)
    value = read_value(text, match.end()) if match else None
    if match is None or value is None or "/" in value.text or not ends_clause(value.behind):
        return
    names = _Names(match["names"])
    is_known = names.are_of(ACCESS_WORDS)
    is_name = match["sign"] != " " and names.are_a_name() and _begins_entry(text, start)
    is_long = len(value.text) >= SHORTEST_WITHOUT_SIGN
    if (is_known or (is_name and is_long)) and _is_of_unknown(value, proper=is_known):
        yield value.span("password")


def _user_pair_behind(text: str, start: int, end: int) -> Iterator[Span]:
    """Of ``Router admin / x``."""
    match = _USER_PAIR.match(text, end)
    thing = _THING_BEFORE.search(text[max(0, start - _CONTEXT_LENGTH) : start])
    value = read_value(text, match.end()) if match and thing else None
    if thing is None or value is None or "/" in value.text or not ends_clause(value.behind):
        return
    if _Names(thing["name"]).are_of(ACCESS_WORDS) and _is_of_unknown(value, proper=True):
        yield value.span("password")


def _labels(text: str, end: int) -> Iterator[tuple[re.Match[str], bool]]:
    """What may be the rest of a label, and whether a sign or a verb ends it. Below one the secret
    fills its line, so that it may be as bare as behind none."""
    for pattern in (_ASSIGNED, _STATED, _ABOVE, _BARE):
        if match := pattern.match(text, end):
            yield match, pattern in {_ASSIGNED, _STATED}


def _begins_entry(text: str, start: int) -> bool:
    return _ENTRY_BEFORE.search(text[max(0, start - _CONTEXT_LENGTH) : start]) is not None


def _is_of_known(value: Value) -> bool:
    """Whether a value is a password behind the name of a known thing."""
    if _is_elsewhere(value.text) or _VERSION.match(value.text):
        return False
    if value.text.isdigit():
        is_year = _YEAR.match(value.text) is not None
        return not is_year and is_assigned_password(value.text, value.behind)
    if len(value.text) >= SHORTEST_OF_KNOWN and is_password_like(value.text):
        return True
    return is_stated_password(value.text, "" if value.quoted else value.behind) or (
        is_slug(value.text) and not value.text.isalpha() and ends_clause(value.behind)
    )


def _is_bare(value: Value) -> bool:
    """Whether a value that only follows a known name is a password."""
    return (
        len(value.text) >= SHORTEST_WITHOUT_SIGN
        and _MIXED.match(value.text) is not None
        and _is_of_unknown(value, proper=True)
        and ends_clause(value.behind)
    )


def _is_of_unknown(value: Value, *, proper: bool) -> bool:
    """Whether a value is a password behind a name that nobody knows: no ticket, no standard."""
    text = value.text
    if (
        len(text) < SHORTEST_OF_UNKNOWN
        or not is_password_like(text)
        or _is_elsewhere(text)
        or any(
            form.match(text) for form in (_VERSION, _STANDARD, _COLOUR, _HASH, _UUID, _IDENTIFIER)
        )
    ):
        return False
    if is_slug(text):
        return proper and is_numbered_slug(text)
    return proper or (_MIXED.match(text) is not None and _TWO_KINDS.search(text) is not None)


def _is_elsewhere(value: str) -> bool:
    """Whether a value says where a secret is, or is none."""
    first = re.split(r"[-_. ]", value.casefold(), maxsplit=1)[0]
    return (
        is_placeholder(value)
        or is_measure(value)
        or _MAIL_OR_HOST.match(value) is not None
        or (first != value.casefold() and first in PLACEHOLDER_WORDS | FUNCTION_WORDS)
    )


_CLEAR_WORDS = frozenset((*PASSWORD_WORDS, *CLEAR_PASSWORD_ABBREVIATIONS))
_RULES: tuple[tuple[frozenset[str], Callable[[str, int, int], Iterator[Span]]], ...] = (
    (_CLEAR_WORDS, _password_behind),
    (frozenset(AMBIGUOUS_PASSWORD_WORDS) - _CLEAR_WORDS, _ambiguous_password_behind),
    (frozenset(PIN_WORDS), _pin_behind),
    (frozenset(SECRET_WORDS), _secret_behind),
    (frozenset(LOGIN_WORDS), _pair_behind),
    (frozenset(USER_WORDS), _user_pair_behind),
)
"""Words, and what finds the value behind one and a name."""

NAMED_CREDENTIALS = Detector(
    find_named_credentials, frozenset(word for words, _ in _RULES for word in words)
)
