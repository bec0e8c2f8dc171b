"""The notation of the wording tables, and the search for phrases in a folded text.

A phrase is written as it reads. ``(a|b)`` are alternatives (one may be empty), ``*`` at the end or
start of a word stands for any letters, ``..`` for up to six words (twelve characters in a script
without blanks), ``#`` for a number, ``?`` after a letter or brackets for what may be missing,
``^`` for the start of the text and ``$`` for its end, also at the end of an alternative. Every
phrase has a fixed piece that is looked for first, so that most phrases cost no more than a
substring search; none can take more than linear time.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

SPACED_GRAM_SIZE = 4
DENSE_GRAM_SIZE = 2
"""How many letters in a row lead to the phrases that may be there."""

REMEMBERED_CHARACTERS = 200
"""Up to this length what a text folds to is kept: labels and phrases are asked for repeatedly."""

_BLANKS = re.compile(r"\s+")
_SAME_LETTERS = (("’", "'"), ("‘", "'"), ("ʼ", "'"), ("´", "'"), ("ё", "е"))
_PARTS = re.compile(r"\([^()]*\)|\*|\^|\$|[^()*^$]+")
_VARIABLE = re.compile(r"[#*$]|.?\?")
_GAP = ".."
_SPACED_GAP = r"(?: [^\s;]+){0,6} "
_ENDING = r"\w{0,30}"
_END = r"\W*$"
_DENSE_GAP = r"[^。!?;]{0,12}"


def fold(text: str) -> str:
    """The text as the tables see it: NFKC, case folded, straight apostrophes, single blanks."""
    return _folded_before(text) if len(text) <= REMEMBERED_CHARACTERS else _folded(text)


@lru_cache(maxsize=8_192)
def _folded_before(text: str) -> str:
    return _folded(text)


def _folded(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        for letter, same in _SAME_LETTERS:
            text = text.replace(letter, same)
    return _BLANKS.sub(" ", text.replace("`", "'")).strip().casefold()


_Entry = tuple[str, str, "Phrase"]
"""A trigger, the section and the phrase it belongs to."""


class Phrase:
    """One phrase of a table; compiled when a text first has one of its triggers."""

    __slots__ = ("_find", "source", "spaced", "triggers")

    def __init__(self, source: str, *, spaced: bool) -> None:
        self.source = source
        self.spaced = spaced
        self.triggers = _triggers(source)
        """Pieces of text; one of them stands wherever the phrase does."""
        self._find: Callable[[str], re.Match[str] | None] | None = None

    def search(self, text: str) -> re.Match[str] | None:
        """The first place of the phrase in a folded text."""
        if self._find is None:
            regex = re.compile(_pattern(self.source, spaced=self.spaced))
            self._find = regex.match if self.source.startswith("^") else regex.search
        return self._find(text)


@dataclass(frozen=True, slots=True)
class Finding:
    """A phrase that a text has, and its first place there."""

    phrase: str
    start: int
    end: int


class PhraseIndex:
    """All phrases of a language's tables by section, found in a text in one go.

    A phrase is looked at only when a few letters in a row of one of its triggers occur in the
    text, the rarest ones.
    """

    def __init__(self, sections: Mapping[str, Sequence[str]], *, spaced: bool) -> None:
        self._gram_size = SPACED_GRAM_SIZE if spaced else DENSE_GRAM_SIZE
        self._short: dict[str, list[_Entry]] = {}
        self._by_gram: dict[str, list[_Entry]] = {}
        entries = [
            (trigger, section, phrase)
            for section, lines in sections.items()
            for phrase in (Phrase(fold(line), spaced=spaced) for line in lines)
            for trigger in phrase.triggers
        ]
        counts = Counter(gram for trigger, _, _ in entries for gram in self._grams(trigger))
        for entry in entries:
            grams = self._grams(entry[0])
            if grams:
                rarest = min(grams, key=lambda gram: (counts[gram], gram))
                self._by_gram.setdefault(rarest, []).append(entry)
            else:
                self._short.setdefault(entry[0], []).append(entry)

    def find(self, text: str) -> dict[str, list[Finding]]:
        """What a folded text has, by section; the order within one says nothing."""
        candidates: list[_Entry] = []
        for trigger, entries in self._short.items():
            if trigger in text:
                candidates += entries
        for gram in self._by_gram.keys() & self._grams(text):
            candidates += self._by_gram[gram]
        findings: dict[str, list[Finding]] = {}
        tried: set[Phrase] = set()
        for trigger, section, phrase in candidates:
            if trigger not in text or phrase in tried:
                continue
            tried.add(phrase)
            match = phrase.search(text)
            if match is not None:
                finding = Finding(phrase.source, match.start(), match.end())
                findings.setdefault(section, []).append(finding)
        return findings

    def _grams(self, text: str) -> set[str]:
        size = self._gram_size
        return {text[start : start + size] for start in range(len(text) - size + 1)}


def _triggers(source: str) -> tuple[str, ...]:
    """The fixed piece, or the alternatives of one group: whatever is longest at its shortest."""
    fixed: list[tuple[str, ...]] = []
    for part in _parts(source):
        if part.startswith("("):
            fixed.append(tuple(map(_longest_piece, part[1:-1].split("|"))))
        elif _is_fixed(part):
            fixed.append((_longest_piece(part),))
    return max(fixed, key=lambda pieces: min(map(len, pieces)), default=("",))


def _longest_piece(text: str) -> str:
    return max((piece.strip() for piece in _VARIABLE.split(text)), key=len)


def _parts(source: str) -> list[str]:
    parts: list[str] = []
    for piece in source.split(_GAP):
        parts += [_GAP, *_PARTS.findall(piece.strip())] if parts else _PARTS.findall(piece.strip())
    return parts


def _is_fixed(part: str) -> bool:
    return part[0] != "(" and part not in ("*", "^", "$", _GAP)


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
        return "(?:" + "|".join(map(_alternative, part[1:-1].split("|"))) + ")"
    if part == _GAP:
        return _SPACED_GAP if spaced else _DENSE_GAP
    return {"*": _ENDING, "^": "^", "$": _END}.get(part) or _literal(part)


def _literal(text: str) -> str:
    return r"\d+".join(map(re.escape, text.split("#"))).replace(r"\?", "?")


def _alternative(text: str) -> str:
    fixed = text.removesuffix("$")
    return _ENDING.join(map(_literal, fixed.split("*"))) + (_END if fixed != text else "")
