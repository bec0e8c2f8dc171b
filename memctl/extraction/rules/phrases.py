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
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

GRAM_SIZE = 2
"""How many signs in a row lead to the phrases that may be in a text without blanks."""

REMEMBERED_CHARACTERS = 200
"""Up to this length what a text folds to is kept: labels and phrases are asked for repeatedly."""

REMEMBERED_WORDS = 64
"""Texts whose words are kept: several questions are asked about each."""

_WORD = re.compile(r"\w+")
_OPENER = re.compile(r"\w+\*?")
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
    return " ".join(text.replace("`", "'").split()).casefold()


_NO_WORDS: frozenset[str] = frozenset()


class Trigger(NamedTuple):
    """A fixed piece of a phrase; ``words`` are those of it that are whole words wherever it is in a
    place of the phrase."""

    text: str
    words: frozenset[str]


class _Entry(NamedTuple):
    """A trigger's text, and the section and the phrase that it belongs to."""

    trigger: str
    section: str
    phrase: Phrase


class Phrase:
    """One phrase of a table; compiled when a text first has one of its triggers."""

    __slots__ = ("_find", "source", "spaced", "triggers")

    def __init__(self, source: str, *, spaced: bool, common: frozenset[str] = _NO_WORDS) -> None:
        self.source = source
        self.spaced = spaced
        self.triggers = _triggers(source, spaced=spaced, common=common)
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

    A phrase is looked at only when the rarest whole word of one of its triggers occurs in the text;
    in a text without blanks, the rarest signs in a row. The few triggers that have neither are
    looked for themselves. ``common`` are words that most texts have: they lead to a phrase only
    where nothing else does.
    """

    def __init__(
        self,
        sections: Mapping[str, Sequence[str]],
        *,
        spaced: bool,
        common: frozenset[str] = _NO_WORDS,
    ) -> None:
        self._loose: dict[str, list[_Entry]] = {}
        self._by_gram: dict[str, list[_Entry]] = {}
        self._by_word: dict[str, list[_Entry]] = {}
        entries = [
            (trigger.words, _Entry(trigger.text, section, phrase))
            for section, lines in sections.items()
            for phrase in (Phrase(fold(line), spaced=spaced, common=common) for line in lines)
            for trigger in phrase.triggers
        ]
        self._file(self._by_word, entries)
        wordless = [entry for words, entry in entries if not words]
        by_gram = [(_NO_WORDS if spaced else _grams(entry.trigger), entry) for entry in wordless]
        self._file(self._by_gram, by_gram)
        for grams, entry in by_gram:
            if not grams:
                self._loose.setdefault(entry.trigger, []).append(entry)

    @staticmethod
    def _file(
        index: dict[str, list[_Entry]], entries: Sequence[tuple[Collection[str], _Entry]]
    ) -> None:
        """Puts each entry that has any pieces under the rarest of them."""
        counts = Counter(piece for pieces, _ in entries for piece in pieces)
        for pieces, entry in entries:
            if pieces:
                rarest = min(sorted(pieces), key=counts.__getitem__)
                index.setdefault(rarest, []).append(entry)

    def find(self, text: str) -> dict[str, list[Finding]]:
        """What a folded text has, by section; the order within one says nothing."""
        candidates: list[_Entry] = []
        for trigger, entries in self._loose.items():
            if trigger in text:
                candidates += entries
        for word in self._by_word.keys() & words_in(text):
            candidates += self._by_word[word]
        for gram in self._by_gram.keys() & _grams(text) if self._by_gram else ():
            candidates += self._by_gram[gram]
        findings: dict[str, list[Finding]] = {}
        if not candidates:
            return findings
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


def _grams(text: str) -> set[str]:
    return {text[start : start + GRAM_SIZE] for start in range(len(text) - GRAM_SIZE + 1)}


class LinesByWord:
    """Lines of words, ``*`` at the end of a word standing for any letters, by the first word of
    each: for telling cheaply that a text has none of them."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._by_opener: dict[str, list[frozenset[str]]] = {}
        beginnings: list[str] = []
        for line in lines:
            words = _OPENER.findall(fold(line))
            if words[0].endswith("*"):
                beginnings.append(words[0][:-1])
            else:
                whole = frozenset(word for word in words if not word.endswith("*"))
                self._by_opener.setdefault(words[0], []).append(whole)
        self._beginnings = tuple(beginnings)

    def may_be_in(self, folded: str) -> bool:
        """Whether a folded text has all whole words of a line, or a word like its first."""
        found = words_in(folded)
        for opener in self._by_opener.keys() & found:
            if any(words <= found for words in self._by_opener[opener]):
                return True
        return any(word.startswith(self._beginnings) for word in found)


@lru_cache(maxsize=REMEMBERED_WORDS)
def words_in(folded: str) -> frozenset[str]:
    """The words of a folded text, each once."""
    return frozenset(_WORD.findall(folded))


def _triggers(source: str, *, spaced: bool, common: frozenset[str]) -> tuple[Trigger, ...]:
    """The fixed piece, or the alternatives of one group: what has uncommon words, and of that
    whatever is longest at its shortest."""
    fixed: list[tuple[Trigger, ...]] = []
    parts = _parts(source)
    for position, part in enumerate(parts):
        if part.startswith("(") or _is_fixed(part):
            begins = _begins_a_word(source, parts, position)
            ends = _ends_a_word(source, parts, position)
            texts = part[1:-1].split("|") if part.startswith("(") else [part]
            pieces = tuple(_longest_piece(text, begins=begins, ends=ends) for text in texts)
            if not spaced or _may_be_missing(parts, position):
                pieces = tuple(Trigger(piece.text, _NO_WORDS) for piece in pieces)
            fixed.append(pieces)
    if len(fixed) < 2:
        return fixed[0] if fixed else (Trigger("", _NO_WORDS),)
    return max(fixed, key=lambda pieces: _worth(pieces, common))


def _worth(pieces: Sequence[Trigger], common: frozenset[str]) -> tuple[bool, int]:
    """Whether all have an uncommon word, and the length of the shortest."""
    is_uncommon = not any(piece.words <= common for piece in pieces)
    return is_uncommon, min([len(piece.text) for piece in pieces])


def _may_be_missing(parts: Sequence[str], position: int) -> bool:
    """Whether a group is followed by a question mark."""
    return position + 1 < len(parts) and parts[position + 1].startswith("?")


def _longest_piece(text: str, *, begins: bool, ends: bool) -> Trigger:
    """The longest fixed piece of a text. ``begins`` and ``ends`` say whether a word begins or ends
    where the text does; within, it does so beside signs that are no letters."""
    if text.isalpha():
        return Trigger(text, frozenset((text,)) if begins and ends else _NO_WORDS)
    pieces = _VARIABLE.split(text)
    place = max(range(len(pieces)), key=lambda number: len(pieces[number].strip()))
    piece = pieces[place]
    words = list(_WORD.finditer(piece))
    if words and words[0].start() == 0 and not (begins and place == 0):
        del words[0]
    if words and words[-1].end() == len(piece) and not (ends and place == len(pieces) - 1):
        del words[-1]
    return Trigger(piece.strip(), frozenset(word[0] for word in words))


def _begins_a_word(source: str, parts: Sequence[str], position: int) -> bool:
    """Whether no letter can stand in front of a part of a phrase."""
    if position == 0:
        return _has_word_start(source)
    before = parts[position - 1]
    if before.startswith("(") and not _may_be_missing(parts, position - 1):
        return all(
            text.endswith(" ") if text else _begins_a_word(source, parts, position - 1)
            for text in before[1:-1].split("|")
        )
    return before == _GAP or before.endswith(" ") or (before == "^" and position == 1)


def _ends_a_word(source: str, parts: Sequence[str], position: int) -> bool:
    """Whether no letter can stand behind a part of a phrase."""
    if position == len(parts) - 1:
        return _has_word_end(source)
    behind = parts[position + 1]
    if behind.startswith("(") and not _may_be_missing(parts, position + 1):
        return all(
            _begins_with_sign(text) if text else _ends_a_word(source, parts, position + 1)
            for text in behind[1:-1].split("|")
        )
    if behind == "$":
        return position == len(parts) - 2
    return behind == _GAP or _begins_with_sign(behind)


def _begins_with_sign(text: str) -> bool:
    """Whether a text begins with a blank or a mark that it can not be without."""
    return text[0] in " ,;.!" and text[1:2] != "?"


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
    before = r"(?<!\w)" if _has_word_start(source) else ""
    after = r"(?!\w)" if _has_word_end(source) else ""
    return before + pattern + after


def _has_word_start(source: str) -> bool:
    return source[0] not in "^*" and _is_word(source[0])


def _has_word_end(source: str) -> bool:
    return source[-1] not in "*$" and not source.endswith("|)") and _is_word(source[-1])


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
