"""Which language a text is in, by its script and its most common words."""

from __future__ import annotations

import re
from functools import cache

from memctl.association.lexicon import lexicon

LATIN_LANGUAGES = ("en", "de", "fr", "es")
"""In order of preference where a text gives no sign."""

_HANGUL = re.compile(r"[가-힣]")
_KANA = re.compile(r"[ぁ-ゖァ-ヺ]")
_HAN = re.compile(r"[一-鿿]")
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_WORD = re.compile(r"[^\W\d_]+")

CERTAIN = 1000.0
"""How far ahead a language is that its script alone shows."""

CJK_LANGUAGES = frozenset({"zh", "ja", "ko"})


_LETTERS = {
    "de": re.compile("[äöüß]"),
    "fr": re.compile("[àâçèêëîïôœùû]"),
    "es": re.compile("[ñ¿¡]"),
}
_ONE_WORD = 12
"""What a word counts that belongs to one language: whole numbers add up alike in any order. It is
shared among several languages; letters that only one language has count half of it."""

_ANY_SCRIPT = re.compile("|".join(script.pattern for script in (_HANGUL, _KANA, _HAN, _CYRILLIC)))
_SCRIPTS = (("ko", _HANGUL), ("ja", _KANA), ("zh", _HAN), ("ru", _CYRILLIC))


def detect_language(text: str) -> tuple[str, float]:
    """ISO 639-1 code of one of the languages with tables, and how far it is ahead of the next one.

    Korean, Japanese, Chinese and Russian go by script, the others by common words; English where
    nothing speaks for another.
    """
    letters = len(text) or 1
    is_ascii = text.isascii()
    for code, script in () if is_ascii or _ANY_SCRIPT.search(text) is None else _SCRIPTS:
        if len(script.findall(text)) > _LEAST_SHARE * letters:
            return code, CERTAIN
    lower = text.lower()
    scores = dict.fromkeys(LATIN_LANGUAGES, 0)
    common = _common_words()
    for word in common.keys() & set(_WORD.findall(lower)):
        codes = common[word]
        for code in codes:
            scores[code] += _ONE_WORD // len(codes)
    for code, pattern in () if is_ascii else _LETTERS.items():
        scores[code] += _ONE_WORD // 2 if pattern.search(lower) else 0
    best, second = sorted(scores.values(), reverse=True)[:2]
    if 0 < best == second:
        _break_tie(lower, scores, best)
        best, second = sorted(scores.values(), reverse=True)[:2]
    code = next(code for code in LATIN_LANGUAGES if scores[code] == best)
    return code, (best - second) / _ONE_WORD


def _break_tie(lower: str, scores: dict[str, int], best: int) -> None:
    """Counts all words of the tables where the common ones speak for two languages alike."""
    for code in [code for code in LATIN_LANGUAGES if scores[code] == best]:
        words = lexicon(code)
        scores[code] += _ONE_WORD * sum(words.knows(word) for word in _WORD.findall(lower))


@cache
def _common_words() -> dict[str, tuple[str, ...]]:
    """Each common word and the languages that it belongs to."""
    found: dict[str, tuple[str, ...]] = {}
    for code in LATIN_LANGUAGES:
        words = lexicon(code)
        signs = words.words_of("signs") or words.words_of("function") | frozenset(words.pronouns)
        for word in signs:
            found[word] = (*found.get(word, ()), code)
    return found


_LEAST_SHARE = 0.15
"""Share of a text's characters that must be of a script: names and signs of others may occur."""
