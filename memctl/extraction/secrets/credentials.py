"""Secrets that the words before them give away: ``password: x``, ``api_key=x``, ``密码：x``.

A keyword is looked for first, in any of the languages below, then what stands between it and a
value, then the value is judged: an assignment is believed unless the value is a placeholder or
prose; a sentence ("the password is x") only when the value looks like a password.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from memctl.extraction.secrets.joints import ASSIGNMENT, JUXTAPOSITION, STATEMENT
from memctl.extraction.secrets.keywords import (
    AMBIGUOUS_PASSWORD_WORDS,
    CLEAR_PASSWORD_ABBREVIATIONS,
    PASSWORD_WORDS,
    PIN_WORDS,
    PLURAL_WORDS,
    SECRET_WORDS,
)
from memctl.extraction.secrets.passphrases import (
    is_passphrase,
    is_stated_passphrase,
    read_passphrase,
    read_sentence,
)
from memctl.extraction.secrets.searched import Detector, SearchedText
from memctl.extraction.secrets.span import Span
from memctl.extraction.secrets.values import Value, read_value
from memctl.extraction.secrets.wording import (
    ends_clause,
    is_assigned_password,
    is_numbered_slug,
    is_password_like,
    is_placeholder,
    is_stated_password,
    looks_random,
)

_NEXT_LINE = re.compile(r"""["'`*_]{0,4}[ \t]*[:：]["'`*_]{0,4}[ \t]*\n[ \t>]*(?:[-*][ \t]+)?""")

_LETTER_OR_DIGIT = re.compile(r"[A-Za-z0-9]")
_NEXT_IN_LIST = re.compile(r"[\"'`*]{0,3}[ \t]?(?:[,;/、]|and|und|et|y|и)[ \t]{1,3}")
_DIGITS = re.compile(r"[\"'`*]{0,3}(\d{3,12})(?![\w.,:/-]*\w)")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ACCESS = re.compile(
    r"\b(?:user(?:name)?|login|wi-?fi|ssid|wlan|account|benutzer)\b", re.IGNORECASE
)
_KEYWORD_BEFORE = re.compile(r"\b(?:palabras?|preguntas?|puntos?)[ \t]\Z", re.IGNORECASE)
"""What ``clave`` is the key of where it is no password."""

_LOGIN_BEFORE = re.compile(
    r"\b(?:user(?:name)?|login|account|benutzer(?:name)?|usuario|utilisateur|utente)[ \t:=]{1,3}"
    r"[^\s,;:]{1,40}[,;/]?[ \t](?:(?:and|with|mit|und|con|y|et|e)[ \t])?\Z",
    re.IGNORECASE,
)
"""Who logs in, in front of the keyword."""

_NAMED_THING = re.compile(
    r"[ \t](?:for|of|to|on|für|zum|zur|vom|von|pour|du|de|del|della|para|per|для|от|к)[ \t]"
    r"[^\n:=|：,;.]{1,40},[ \t]{1,3}"
)
"""What a password is for, and a comma in the place of a verb."""

_OF_ACCESS = re.compile(
    r"(?<![^\W_])(?:auth|access|api|bearer|session|refresh|zugriffs?|zugangs?|acceso|accès|accesso"
    r"|acesso|доступа?|авторизации)",
    re.IGNORECASE,
)
"""What a token or key is called that lets somebody in, whatever it looks like."""

_TAG_BEFORE = re.compile(r"<[\w:.-]{0,40}\Z")
_OPTION_BEFORE = re.compile(r"(?:^|\s)--?[\w-]{0,40}\Z")
SHORTEST_OPTION, SHORTEST_ADJACENT, SHORTEST_AFTER_LOGIN = 6, 8, 4
"""Characters of a password that only follows its keyword: behind an option of a command, behind any
word, and behind who logs in."""

SHORTEST_BEHIND_COMMA = 6
"""Characters of a password behind what it is for and a comma."""

SHORTEST_PLAIN_PASSWORD = 6
"""Letters of a word that is one behind ``pass =``, which code has too."""

_CONTEXT_LENGTH = 48


@dataclass(frozen=True, slots=True)
class _Sort:
    """A sort of secret: its kind, and what a value must be like behind ``:`` and behind "is"."""

    kind: str
    is_assigned: Callable[[str, str], bool]
    is_stated: Callable[[str, str], bool]
    may_be_words: bool = False
    """Whether several words may be one."""
    is_mostly_words: bool = False
    """Whether several words are looked for before a single one."""


def find_credentials(searched: SearchedText) -> Iterator[Span]:
    """Values that a keyword before them names as secret."""
    text = searched.text
    for words, whole_words, find_behind in _RULES:
        for word in sorted(searched.words & words):
            for start in searched.places(word):
                if not whole_words or _is_own_word(text, start, start + len(word)):
                    yield from find_behind(text, start, start + len(word))


def _is_own_word(text: str, start: int, end: int) -> bool:
    """``db_pass`` and ``dbPass`` hold the word ``pass``; ``bypass`` and test reports do not."""
    if end < len(text) and text[end].isalnum():
        return False
    word = text[start:end]
    if start == 0 or not text[start - 1].isalpha():
        return not word.isupper() or word != "PASS" or text[start - 1 : start] in {"_", "-", "."}
    return text[start - 1].islower() and word[0].isupper()


def _password_behind(text: str, start: int, end: int) -> Iterator[Span]:
    is_phrase = "phrase" in text[start:end].casefold()
    yield from _find_value(text, start, end, _PASSPHRASE if is_phrase else _PASSWORD)


def _ambiguous_password_behind(text: str, start: int, end: int) -> Iterator[Span]:
    if _KEYWORD_BEFORE.search(text[max(0, start - _CONTEXT_LENGTH) : start]):
        return
    assignment = ASSIGNMENT.match(text, end)
    if assignment is not None and _ACCESS.search(_around(text, start, assignment.start("sign"))):
        yield from _find_assigned(text, assignment, _PASSWORD)
        return
    match = assignment or STATEMENT.match(text, end)
    signs = match.groupdict() if match else {}
    sign = signs.get("sign") or ""
    value = None
    if match and (signs.get("verb") or sign not in {"", ">"}):
        value = read_value(text, match.end(), in_list=sign == "=")
    elif match is None and _is_no_verb(text, start, end):
        value = _read_adjacent(text, end)
    is_setting = assignment is not None and _is_setting(text, start, end, assignment)
    if value and (is_password_like(value.text) or (is_setting and _is_plain_password(value))):
        yield value.span("password")


def _is_setting(text: str, start: int, end: int, assignment: re.Match[str]) -> bool:
    """Whether a keyword stands alone before its sign, as in ``pass = x`` and ``pw: x``."""
    sign = assignment["sign"]
    if text[end : assignment.start("sign")].strip(" \t\"'`*"):
        return False
    is_abbreviation = text[start:end].casefold() in CLEAR_PASSWORD_ABBREVIATIONS
    return "=" in sign or (is_abbreviation and sign != ">")


def _around(text: str, start: int, end: int) -> str:
    """A keyword with what stands before it on its line, and what is said of it up to ``end``."""
    line_start = text.rfind("\n", 0, start) + 1
    return text[max(line_start, start - _CONTEXT_LENGTH) : end]


def _is_no_verb(text: str, start: int, end: int) -> bool:
    """Whether the word before a bare value is no verb: ``pw x``, or ``user a pass x``."""
    before = text[max(0, start - _CONTEXT_LENGTH) : start]
    return text[start:end].casefold() != "pass" or _ACCESS.search(before) is not None


def _is_plain_password(value: Value) -> bool:
    return (
        len(value.text) >= SHORTEST_PLAIN_PASSWORD
        and value.text.isalpha()
        and is_assigned_password(value.text, "" if value.quoted else value.behind)
    )


def _pin_behind(text: str, start: int, end: int) -> Iterator[Span]:
    word = text[start:end]
    is_card = word.casefold().startswith("cv")
    longest = 5 if word.casefold().startswith("pin") and len(word) > len("pin") else 12
    for pattern in (ASSIGNMENT, STATEMENT, JUXTAPOSITION):
        if pattern is JUXTAPOSITION and word == "pin":
            return
        match = pattern.match(text, end)
        value = _DIGITS.match(text, match.end()) if match else None
        if value and (3 if is_card else 4) <= len(value[1]) <= longest:
            yield Span(value.start(1), value.end(1), "card check code" if is_card else "pin")
            return


def _secret_behind(text: str, start: int, end: int) -> Iterator[Span]:
    is_key = "key" in text[start:end].casefold()
    sort = _KEY if is_key else _SECRET
    assignment = ASSIGNMENT.match(text, end)
    if assignment and _OF_ACCESS.search(_around(text, start, assignment.start("sign"))):
        sort = replace(sort, is_assigned=_is_assigned_access)
    yield from _find_value(text, start, end, sort)


def _is_assigned_secret(value: str, _behind: str) -> bool:
    return looks_random(value)


def _is_assigned_access(value: str, _behind: str) -> bool:
    return looks_random(value) or is_numbered_slug(value)


def _is_stated_key(value: str, _behind: str) -> bool:
    return looks_random(value, 12)


def _is_stated_secret(value: str, _behind: str) -> bool:
    return looks_random(value, 12) and not _UUID.fullmatch(value)


_PASSWORD = _Sort("password", is_assigned_password, is_stated_password, may_be_words=True)
_PASSPHRASE = replace(_PASSWORD, is_mostly_words=True)
_SECRET = _Sort("secret", _is_assigned_secret, _is_stated_secret)
_KEY = _Sort("secret", _is_assigned_secret, _is_stated_key)


def _list_behind(text: str, _start: int, end: int) -> Iterator[Span]:
    """Values behind a plural, up to the first that is none."""
    match = ASSIGNMENT.match(text, end)
    position = match.end() if match else None
    while position is not None and (value := read_value(text, position, in_list=True)):
        if not (looks_random(value.text) or is_password_like(value.text)):
            return
        yield value.span("secret")
        comma = _NEXT_IN_LIST.match(text, value.start + len(value.text))
        position = comma.end() if comma else None


def _find_value(text: str, start: int, end: int, sort: _Sort) -> Iterator[Span]:
    """The secret behind the keyword ``text[start:end]``, at most one."""
    before = text[max(0, start - _CONTEXT_LENGTH) : start]
    if assignment := ASSIGNMENT.match(text, end):
        if assignment["sign"] == ">" and not _TAG_BEFORE.search(before):
            return
        yield from _find_assigned(text, assignment, sort)
    elif statement := STATEMENT.match(text, end):
        yield from _find_stated(text, statement, sort)
    else:
        value = _read_adjacent(text, end)
        shortest = _shortest_adjacent(before)
        if value and len(value.text) >= shortest and _is_said(value, sort, has_verb=False):
            yield value.span(sort.kind)
        yield from _find_behind_comma(text, end, sort)
    if (value := _read_next_line(text, end)) and _is_said(value, sort, has_verb=False):
        yield value.span(sort.kind)


def _shortest_adjacent(before: str) -> int:
    """Characters that a value must have which only follows its keyword."""
    if _LOGIN_BEFORE.search(before):
        return SHORTEST_AFTER_LOGIN
    return SHORTEST_OPTION if _OPTION_BEFORE.search(before) else SHORTEST_ADJACENT


def _find_behind_comma(text: str, end: int, sort: _Sort) -> Iterator[Span]:
    """The password of ``the password for the shop, x``."""
    named = _NAMED_THING.match(text, end) if sort.may_be_words else None
    value = read_value(text, named.end()) if named else None
    if (
        value is not None
        and len(value.text) >= SHORTEST_BEHIND_COMMA
        and is_password_like(value.text)
        and ends_clause(value.behind)
    ):
        yield value.span(sort.kind)


def _find_assigned(text: str, assignment: re.Match[str], sort: _Sort) -> Iterator[Span]:
    is_setting = assignment["sign"] in {"=", "＝"}
    value = read_value(text, assignment.end(), in_list=is_setting)
    single = value.span(sort.kind) if value and _is_believed(value, sort) else None
    # A command line goes on with other words behind ``password=value``.
    may_be_words = sort.may_be_words and not (is_setting and assignment[0].endswith(("=", "＝")))
    yield from _first_found(text, assignment.end(), single, sort, may_be_words=may_be_words)


def _find_stated(text: str, statement: re.Match[str], sort: _Sort) -> Iterator[Span]:
    has_verb = any(statement.group("verb", "copula"))
    value = read_value(text, statement.end())
    single = value.span(sort.kind) if value and _is_said(value, sort, has_verb=has_verb) else None
    may_be_words = sort.may_be_words and has_verb
    yield from _first_found(
        text, statement.end(), single, sort, may_be_words=may_be_words, is_stated=True
    )


def _first_found(
    text: str,
    position: int,
    single: Span | None,
    sort: _Sort,
    *,
    may_be_words: bool,
    is_stated: bool = False,
) -> Iterator[Span]:
    """A secret of one word or one of several, whichever the sort mostly is."""
    several = None
    if may_be_words and (single is None or sort.is_mostly_words):
        judge = is_stated_passphrase if is_stated else is_passphrase
        several = read_passphrase(text, position, judge)
        if sort.is_mostly_words and not is_stated:
            several = read_sentence(text, position) or several
    found = several or single
    if found is not None:
        yield found


def _read_adjacent(text: str, end: int) -> Value | None:
    """What only follows its keyword; no blank is needed where the script uses none."""
    gap = JUXTAPOSITION.match(text, end)
    if gap is None and (text[end - 1].isascii() or not _LETTER_OR_DIGIT.match(text, end)):
        return None
    return read_value(text, gap.end() if gap else end)


def _read_next_line(text: str, end: int) -> Value | None:
    """What stands alone on the line below a keyword with a colon."""
    gap = _NEXT_LINE.match(text, end)
    value = read_value(text, gap.end()) if gap else None
    if value is None or value.behind.split("\n", 1)[0].strip("\"'`*_ \t.|"):
        return None
    return value


def _is_believed(value: Value, sort: _Sort) -> bool:
    if " " not in value.text:
        return sort.is_assigned(value.text, "" if value.quoted else value.behind)
    if not sort.may_be_words or is_placeholder(value.text):
        return False
    return is_password_like(value.text) or is_passphrase(value.text.split())


def _is_said(value: Value, sort: _Sort, *, has_verb: bool) -> bool:
    if value.quoted and has_verb and sort.may_be_words and " " not in value.text:
        return not is_placeholder(value.text) and len(value.text) >= 4
    if not sort.is_stated(value.text, "" if value.quoted else value.behind):
        return False
    return has_verb or is_password_like(value.text)


_RULES: tuple[tuple[frozenset[str], bool, Callable[[str, int, int], Iterator[Span]]], ...] = (
    (frozenset(PASSWORD_WORDS), False, _password_behind),
    (frozenset(AMBIGUOUS_PASSWORD_WORDS), True, _ambiguous_password_behind),
    (frozenset(PIN_WORDS), True, _pin_behind),
    (frozenset(SECRET_WORDS), False, _secret_behind),
    (frozenset(PLURAL_WORDS), False, _list_behind),
)
"""Keywords, whether they count as words of their own only, and what finds the value behind one."""

CREDENTIALS = Detector(
    find_credentials, frozenset(word for words, _, _ in _RULES for word in words)
)
