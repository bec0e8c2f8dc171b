"""The notation of the wording tables, and the search for phrases in a folded text.

A phrase is written as it reads. ``(a|b)`` are alternatives (one may be empty), ``*`` at the end or
start of a word stands for any letters, ``..`` for up to six words (twelve characters in a script
without blanks), ``#`` for a number, ``?`` after a letter or brackets for what may be missing,
``^`` for the start of the text and ``$`` for its end. Every phrase has a fixed piece that is looked
for first, so that most phrases cost no more than a substring search; none can take more than
linear time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

_BLANKS = re.compile(r"\s+")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "ё": "е"})
_PARTS = re.compile(r"\([^()]*\)|\*|\^|\$|[^()*^$]+")
_VARIABLE = re.compile(r"#|.?\?")
_GAP = ".."
_SPACED_GAP = r"(?: [^\s;]+){0,6} "
_ENDING = r"\w{0,30}"
_DENSE_GAP = r"[^。!?;]{0,12}"


def fold(text: str) -> str:
    """The text as the tables see it: NFKC, case folded, straight apostrophes, single blanks."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES)
    return _BLANKS.sub(" ", text.replace("`", "'")).strip().casefold()


class Phrase:
    """One phrase of a table; compiled when its fixed piece is first met."""

    __slots__ = ("_regex", "fixed", "source", "spaced")

    def __init__(self, source: str, *, spaced: bool) -> None:
        self.source = source
        self.spaced = spaced
        self.fixed = _fixed_piece(source)
        self._regex: re.Pattern[str] | None = None

    def search(self, text: str) -> re.Match[str] | None:
        """The first place of the phrase in a folded text."""
        if self.fixed not in text:
            return None
        if self._regex is None:
            self._regex = re.compile(_pattern(self.source, spaced=self.spaced))
        return self._regex.search(text)


class PhraseList:
    """The phrases of one section of a table."""

    def __init__(self, lines: Iterable[str], *, spaced: bool) -> None:
        self.phrases = [
            Phrase(source, spaced=spaced) for line in lines for source in _expand(fold(line))
        ]

    def matches(self, text: str) -> Iterator[tuple[Phrase, re.Match[str]]]:
        """Each phrase that the folded text has, with its first place."""
        for phrase in self.phrases:
            if phrase.fixed in text and (match := phrase.search(text)) is not None:
                yield phrase, match

    def search(self, text: str) -> re.Match[str] | None:
        """The first place of the first phrase that is found, in the table's order."""
        return next((match for _, match in self.matches(text)), None)


def _parts(source: str) -> list[str]:
    parts: list[str] = []
    for piece in source.split(_GAP):
        parts += [_GAP, *_PARTS.findall(piece.strip())] if parts else _PARTS.findall(piece.strip())
    return parts


def _is_fixed(part: str) -> bool:
    return part[0] != "(" and part not in ("*", "^", "$", _GAP)


def _fixed_piece(source: str) -> str:
    fixed = (part for part in _parts(source) if _is_fixed(part))
    pieces = [piece.strip() for part in fixed for piece in _VARIABLE.split(part)]
    return max(pieces, key=len, default="")


def _expand(source: str) -> list[str]:
    """The phrase itself, or one for each alternative where it has no fixed piece without them."""
    if not source:
        return []
    if len(_fixed_piece(source)) > 1 or "(" not in source:
        return [source]
    before, _, rest = source.partition("(")
    choices, _, after = rest.partition(")")
    return [
        expanded
        for choice in choices.split("|")
        for expanded in _expand(_BLANKS.sub(" ", before + choice + after).strip())
    ]


def _pattern(source: str, *, spaced: bool) -> str:
    pattern = "".join(_part_pattern(part, spaced=spaced) for part in _parts(source))
    if not spaced:
        return pattern
    before = "" if source[0] in "^*" or not _is_word(source[0]) else r"(?<!\w)"
    open_end = source[-1] in "*$" or source.endswith("|)") or not _is_word(source[-1])
    after = "" if open_end else r"(?!\w)"
    return before + pattern + after


def _is_word(char: str) -> bool:
    return char.isalnum() or char in "()'"


def _part_pattern(part: str, *, spaced: bool) -> str:
    if part.startswith("("):
        return "(?:" + "|".join(map(_literal_with_star, part[1:-1].split("|"))) + ")"
    if part == _GAP:
        return _SPACED_GAP if spaced else _DENSE_GAP
    return {"*": _ENDING, "^": "^", "$": r"\W*$"}.get(part) or _literal(part)


def _literal(text: str) -> str:
    return r"\d+".join(map(re.escape, text.split("#"))).replace(r"\?", "?")


def _literal_with_star(text: str) -> str:
    return _ENDING.join(map(_literal, text.split("*")))
