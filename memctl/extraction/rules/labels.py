"""What headings and the names before a colon say: a memory type, nothing, or "skip this".

The labels of all languages are known at once, because headings are too short to tell a language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memctl.extraction.rules.language import languages
from memctl.extraction.rules.phrases import fold
from memctl.memory import MemoryType

LONGEST_TITLE_WORDS = 7
"""A longer heading is a sentence of its own, not the name of a kind of things."""

LONGEST_LABEL_WORDS = 4
DENSE_TITLE_CHARACTERS = 14

COMPOUND_MINIMUM_LETTERS = 6
"""German and Dutch compounds end in their head word: ``Frühjahrsziele``, ``Küchenaufgaben``."""

GENERIC = "generic"
SKIP = "skip"
TOPIC = "topic"
"""What a label means beside a memory type: nothing, that its text is not for memory, or a kind of
facts, which says more than that they are facts (``Suppliers``)."""

_NUMBERING = re.compile(r"^(?:\d{1,3}|[ivx]{1,4}|[a-z])[.)]\s+")
_BRACKETS = re.compile(r"[(\[{（【][^()\[\]{}（）【】]*[)\]}）】]?")
_EDGE = re.compile(r"^[\W_]+|[\W_]+$")
_DENSE = re.compile(r"[぀-ヿ一-鿿가-힣]")
_JOINER = re.compile(
    r"^(?:for|of|about|on|from|in|and|&|at|by|with|to|this|next|week|day|für|zu|zum|zur|von|vom|im"
    r"|bis|aus|und|pour|de|du|des|d'|et|para|del|y|e|per|di|da|do|dos|das|voor|van|op|en|dla|na|z"
    r"|i|w|для|по|на|и|от|к|—|–|-|:|/|\||\d.*)$"
)


@dataclass(frozen=True, slots=True)
class Label:
    """What a title stands for. ``exact``: it says nothing beyond the label itself."""

    meaning: MemoryType | str
    exact: bool

    @property
    def memory_type(self) -> MemoryType | None:
        if self.meaning == TOPIC:
            return MemoryType.FACT
        return self.meaning if isinstance(self.meaning, MemoryType) else None


def normalise_title(title: str) -> str:
    """The title as the labels are written: folded, without numbering, brackets, emoji."""
    folded = _BRACKETS.sub(" ", fold(title))
    return _EDGE.sub("", _NUMBERING.sub("", " ".join(folded.split())))


@cache
def label_of(title: str) -> Label | None:
    """The label that a heading or lead consists of, begins or ends with; None for its own words."""
    text = normalise_title(title)
    if not text:
        return None
    labels = _labels()
    if text in labels:
        return Label(labels[text], exact=True)
    if _DENSE.search(text) and " " not in text:
        return _dense_label(text)
    words = text.split()
    if len(words) > LONGEST_TITLE_WORDS:
        return None
    return _first_words_label(words) or _last_words_label(words)


def _is_type(meaning: MemoryType | str) -> bool:
    return isinstance(meaning, MemoryType) or meaning == TOPIC


def _first_words_label(words: list[str]) -> Label | None:
    for count in range(min(LONGEST_LABEL_WORDS, len(words) - 1), 0, -1):
        meaning = _labels().get(_EDGE.sub("", " ".join(words[:count])))
        if meaning is not None and _is_type(meaning) and _JOINER.match(words[count]):
            return Label(meaning, exact=False)
    return None


def _last_words_label(words: list[str]) -> Label | None:
    for count in range(min(LONGEST_LABEL_WORDS, len(words) - 1), 0, -1):
        meaning = _labels().get(" ".join(words[-count:]))
        if meaning is not None and _is_type(meaning):
            return Label(meaning, exact=False)
    return _compound_label(words[-1])


def _compound_label(word: str) -> Label | None:
    for start in range(2, len(word) - COMPOUND_MINIMUM_LETTERS + 1):
        meaning = _compound_heads().get(word[start:])
        if meaning is not None:
            return Label(meaning, exact=False)
    return None


def _dense_label(text: str) -> Label | None:
    if len(text) > DENSE_TITLE_CHARACTERS:
        return None
    for length in range(len(text) - 1, 1, -1):
        for piece in (text[-length:], text[:length]):
            meaning = _labels().get(piece)
            if meaning is not None and _is_type(meaning):
                return Label(meaning, exact=False)
    return None


@cache
def _labels() -> dict[str, MemoryType | str]:
    labels: dict[str, MemoryType | str] = {}
    for language in languages():
        for meaning in (*MemoryType, GENERIC, SKIP, TOPIC):
            for line in language.lines(f"label {meaning}"):
                labels.setdefault(fold(line), meaning)
    return labels


@cache
def _compound_heads() -> dict[str, MemoryType]:
    heads: dict[str, MemoryType] = {}
    for language in languages():
        if language.code not in ("de", "nl"):
            continue
        for memory_type in MemoryType:
            for line in language.lines(f"label {memory_type}"):
                word = fold(line)
                if " " not in word and len(word) >= COMPOUND_MINIMUM_LETTERS:
                    heads.setdefault(word, memory_type)
    return heads


@cache
def key_of(name: str) -> str | None:
    """What the name of a field is for: ``identity``, ``preference``, ``skip``, or None."""
    text = normalise_title(name.replace("_", " "))
    keys, prefixes = _keys()
    if text in keys:
        return keys[text]
    first_word = text.split(" ", 1)[0]
    return prefixes.get(first_word) if " " in text else None


@cache
def _keys() -> tuple[dict[str, str], dict[str, str]]:
    keys: dict[str, str] = {}
    prefixes: dict[str, str] = {}
    for language in languages():
        for meaning in (MemoryType.IDENTITY, MemoryType.PREFERENCE, SKIP):
            for line in language.lines(f"key {meaning}"):
                name = fold(line)
                if name.endswith(" *"):
                    prefixes.setdefault(name.removesuffix(" *"), meaning)
                else:
                    keys.setdefault(name, meaning)
    return keys, prefixes


@cache
def role_of(name: str) -> str | None:
    """Who speaks in a line of a transcript: ``user``, ``machine``, or None."""
    folded = fold(name)
    for language in languages():
        for role in ("user", "machine"):
            if folded in map(fold, language.lines(f"role {role}")):
                return role
    return None
