"""Cuts a text into tokens: words, numbers, codes, addresses, dates in figures, symbols.

Tokens keep their place in the text and never overlap; what is no token is white space or a sign
that says nothing. Hyphenated words and codes stay whole.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from enum import StrEnum

from memctl.direct_members import with_direct_members


@with_direct_members
class TokenKind(StrEnum):
    """What a token looks like."""

    WORD = "word"
    NUMBER = "number"
    CODE = "code"
    """Letters with figures, or figures with hyphens: BUG-118, LX318, 2026-014."""
    ADDRESS = "address"
    """A URL, e-mail or network address, host name, path, telephone number."""
    VERSION = "version"
    DATE = "date"
    CLOCK = "clock"
    SYMBOL = "symbol"
    PREPARED = "prepared"
    """A value that was found before the text was cut: its number between two private signs."""
    BREAK = "break"
    """The end of a clause: full stop, comma, colon and their like."""


@dataclass(slots=True)
class Token:
    """A piece of text; ``start`` counts characters from 0. Never changed; frozen it would take five
    times as long to make, and so would terms and values: every statement has a dozen of each."""

    kind: TokenKind
    text: str
    lower: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def capitalised(self) -> bool:
        return self.text[:1].isupper()


_LETTER = r"[^\W\d_]"

PREPARED_OPEN, PREPARED_CLOSE = "\ue000", "\ue001"

_PATTERNS = {
    TokenKind.PREPARED: f"{PREPARED_OPEN}\\d+{PREPARED_CLOSE}",
    TokenKind.ADDRESS: (
        r"(?:https?://|www\.)[^\s<>\"')\]]*[^\s<>\"')\].,;:!?]"
        r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
        r"|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/\d+)?(?![\w.]*\d)"
        r"|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f:]*[0-9a-f]\b"
        r"|(?<![\w/])(?:~|\.{1,2})?/(?:[\w.+-]+/)*[\w.+-]*[\w+-]/?(?!\w)"
        r"|\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}\b(?<!\be\.g)(?<!\bi\.e)(?<!\bz\.b)"
        r"(?<!\bo\.ä)(?<!\ba\.m)(?<!\bp\.m)"
        r"|\+\d[\d ()/-]{5,}\d"
    ),
    TokenKind.DATE: (
        r"\b\d{4}-\d{1,2}-\d{1,2}(?:T[\d:.]+Z?)?\b"
        r"|\b\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})(?![\d.]*\d)"
        r"|\b\d{1,2}/\d{1,2}/\d{4}\b"
    ),
    TokenKind.CLOCK: r"\b\d{1,2}:\d{2}(?::\d{2})?\b|\b\d{1,2}h(?:\d{2})?\b(?=\s|[.,;!?]|$)",
    TokenKind.VERSION: r"\bv?\d+(?:\.\d+){2,}(?:[-+][\w.]+)?\b|\bv\d+(?:\.\d+)*\b",
    TokenKind.CODE: (
        r"\b\d+(?:[.,]\d+)?[A-Za-zμ]{1,4}/(?:h|s|min)\b|"
        r"\b(?=[A-Za-z0-9-]*\d)(?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*\b"
        r"|\b\d+-\d+(?:-\d+)*\b|#\d+\b"
    ),
    TokenKind.NUMBER: (
        r"(?<![\w.])[-+−]?\d{1,3}(?:[,.'’ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?![\d])"
        r"|(?:(?<![\w.])[-+−])?\d+(?:[.,]\d+)?"
    ),
    TokenKind.WORD: (
        rf"(?:{_LETTER}\.){{2,}}"
        r"|[A-Za-zµμ]{1,5}/(?:h|s|min)\b"
        r"|[一-鿿々〇]+|[ぁ-ゟ]+|[ァ-ヺー]+|[가-힣]+"
        rf"|(?:(?![一-鿿ぁ-ヿ가-힣]){_LETTER})+"
        rf"(?:['’-](?:(?![一-鿿ぁ-ヿ가-힣]){_LETTER})+)*['’]?(?:\+\+|\#)?"
    ),
    TokenKind.SYMBOL: r"[%‰°$€£¥₽₩½¼¾²³Ωµ&]",
    TokenKind.BREAK: r"[.,;:!?()…。、，；：！？—–|→⇒]|->|=>",
}
"""In order of precedence; any other visible sign is a symbol."""

_PLAIN_END = r"(?=[.,;:!?)]?(?!\S))"
_PLAIN = (
    rf"(?P<PLAIN_WORD>[A-Za-z]+{_PLAIN_END})"
    rf"|(?P<PLAIN_NUMBER>[0-9]+{_PLAIN_END}(?!\s\d))"
    r"|(?P<PLAIN_BREAK>[.,;:!?—–](?!\S))"
)
"""What no other pattern can take for anything else: most words of most texts, and their figures,
but for thousands that are set apart by blanks."""

_TOKEN = re.compile(
    rf"\s*(?:{_PLAIN}|"
    + "|".join(f"(?P<{kind.name}>{pattern})" for kind, pattern in _PATTERNS.items())
    + r"|(?P<OTHER>[^\s\w]))"
)
"""White space belongs to the match, so that no pattern is tried there: a fifth of the time."""

_KINDS = {kind.name: kind for kind in TokenKind} | {
    "PLAIN_WORD": TokenKind.WORD,
    "PLAIN_NUMBER": TokenKind.NUMBER,
    "PLAIN_BREAK": TokenKind.BREAK,
    "OTHER": TokenKind.SYMBOL,
}

_GLUED_UNIT = re.compile(r"^(\d+(?:[.,]\d+)?)([A-Za-zμΩ]+(?:/[A-Za-z]+)?)$")
_GLUED_WORD = re.compile(r"^(\d+)-([A-Za-z]{2,})$")


def tokenise(text: str, units: frozenset[str]) -> list[Token]:
    """The tokens of a text in reading order.

    ``units`` are the unit signs that may be glued to a figure (``60kB``).
    """
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        name = match.lastgroup or "OTHER"
        kind, piece = _KINDS[name], match[name]
        start = match.end() - len(piece)
        if kind is TokenKind.CODE:
            tokens.extend(_code_tokens(piece, start, units))
        else:
            # Thousands of analyses are kept, and their texts share most of their words.
            tokens.append(Token(kind, piece, sys.intern(piece.lower()), start))
    return tokens


def _code_tokens(piece: str, start: int, units: frozenset[str]) -> list[Token]:
    """``60kB`` is a figure and a unit, ``24-hour`` a figure and a word, other codes stay whole."""
    glued = _GLUED_UNIT.match(piece)
    if glued is None or (glued[2] not in units and glued[2].lower() not in units):
        glued = _GLUED_WORD.match(piece)
    if glued is None:
        return [Token(TokenKind.CODE, piece, piece.lower(), start)]
    figure, word = glued.groups()
    word_start = start + len(piece) - len(word)
    return [
        Token(TokenKind.NUMBER, figure, figure, start),
        Token(TokenKind.WORD, word, word.lower(), word_start),
    ]
