"""How much a decoded text looks like writing, to choose between encodings.

A wrong encoding shows at the seams: letters of two scripts in one word, a capital after a small
letter, a symbol inside a word, letters that no one language has together. Pure functions.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

MISFIT_WEIGHT = 0.7
"""How much a letter outside the best-fitting alphabet counts: names are foreign at times."""

UNPAIRED_WEIGHT = 0.4
"""How much a quotation mark without its partner counts: a text may have been cut."""

KNOWN_SIGN = 0.8
"""How usual a sign is that everybody knows and few write, beside those of every day."""

LEAST_USUAL = 0.3
"""The same of a character that is in no everyday alphabet and no such sign."""

_EAST_ASIAN = frozenset(
    {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH"}
)
_CASED = frozenset({"LATIN", "CYRILLIC", "GREEK"})
_IN_WORD_MARKS = frozenset("’‘'·‐‑–—…\u00ad\u200c\u200d׳״")
_SCRIPTLESS = frozenset("ªºµ")
_REFERENCE_MARKS = frozenset("†‡‰¶")
_UNUSUAL_SIGNS = frozenset("¤∞∂∑∏π∫Ω√≈∆◊≤≥≠¬˝˛")
_OBSOLETE = frozenset("ฃฅ")
_ONE_LETTER_WORDS = frozenset("àèéóòäåæøöáíúηοήό")
_NO_GREEK_ENDS = frozenset("βγδζθκλμπστφχ")
"""Consonants that end no Greek word but shortened ones, which have an apostrophe or a full stop."""

_SPACING_ACCENTS = frozenset("´¨ˆ˜ˇ¸˘˙˚¯")
_OPENING_MARKS = frozenset("‹‚„“‘¿¡")
_DASHES = frozenset("–—")
_UNSUPPORTED_SECTION = re.compile(r"§(?!\s?[\d§])")
_USUAL_SIGNS = frozenset("°€£§µ–—’‘“”…•")
_KNOWN_SIGNS = frozenset("©®™±½¼¾²³×·«»„‚‹›¿¡ªº¥†‰")
_IMPOSSIBLE_PAIRS = frozenset({"aã", "oõ", "Aã", "Oõ", "aá", "Aá"})
_COMMON_HAN = (("gb2312", 0xB0, 0xD7), ("shift_jis", 0x88, 0x97), ("big5", 0xA4, 0xC6))
"""Double-byte sets and the lead bytes of the characters in everyday use (their first level)."""

_RUSSIAN = frozenset("абвгдежзийклмнопрстуфхцчшщъыьэюя")
_SERBIAN = frozenset("абвгдежзијклмнопрстуфхцчшђљњћџ")
_ALPHABETS = tuple(
    frozenset(letters)
    for letters in (
        "àâæçèéêëîïôœùûüÿ",  # French
        "äöüßéàè",  # German
        "áéíñóúü",  # Spanish
        "àáâãçéêíóôõúü",  # Portuguese
        "àèéìíîòóùú",  # Italian
        "àçèéíïòóúü",  # Catalan
        "åäöéàüæø",  # Swedish, Danish, Norwegian
        "äöåšžéõü",  # Finnish, Estonian
        "áéëïíóöúüèê",  # Dutch
        "áðéíóúýþæö",  # Icelandic
        "ąćęłńóśźż",  # Polish
        "áčďéěíňóřšťúůýž",  # Czech
        "áäčďéíĺľňóôŕšťúýž",  # Slovak
        "áéíóöőúüű",  # Hungarian
        "čćđšž",  # Croatian, Slovenian
        "ăâîșțşţ",  # Romanian
        "âçğıîöşüû",  # Turkish
        "ąčęėįšųūž",  # Lithuanian
        "āčēģīķļņšūž",  # Latvian
        "ĉĝĥĵŝŭ",  # Esperanto
        "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",  # Vietnamese
        _RUSSIAN | {"ё"},
        (_RUSSIAN - frozenset("ёъыэ")) | frozenset("ґєії"),  # Ukrainian
        (_RUSSIAN - frozenset("щъи")) | frozenset("ёіў"),  # Belarusian
        _RUSSIAN - frozenset("ыэ"),  # Bulgarian
        _SERBIAN,
        (_SERBIAN - frozenset("ђћ")) | frozenset("ѓѕќ"),  # Macedonian
    )
)

_LATIN = frozenset(letter for alphabet in _ALPHABETS for letter in alphabet if letter < "\u0370")


def implausibility(text: str) -> float:
    """Share of the characters outside ASCII that cannot be where they are, 0 to 1.

    0 for a text without such characters.
    """
    bad = 0.0
    total = 0
    before = " "
    letters: Counter[str] = Counter()
    foreign = Counter[bool]()
    for position, char in enumerate(text):
        if char > "\x7f":
            total += 1
            after = text[position + 1 : position + 2] or " "
            bad += _badness(before, char, after)
            script = _script(char)
            if script in ("LATIN", "CYRILLIC"):
                letters[char.lower()] += 1
            if char.isalpha() and script != "LATIN" and script not in _EAST_ASIAN:
                foreign[before.isalpha() or after.isalpha()] += 1
        before = char
    if not total:
        return 0.0
    is_latin = any("a" <= char <= "z" for char in text)
    if not foreign[True] and (is_latin or foreign[False] == 1):
        bad += MISFIT_WEIGHT * foreign[False]
    bad += UNPAIRED_WEIGHT * _unsupported_marks(text)
    return min(1.0, (bad + MISFIT_WEIGHT * _misfits(letters)) / total)


def usualness(text: str) -> float:
    """How usual the least usual character outside ASCII is in the world's notes, 0 to 1."""
    return min((_usualness(char) for char in set(text) if char > "\x7f"), default=1.0)


def has_foreign_letters(text: str) -> bool:
    """Whether a letter of another script than the Latin one is in the text."""
    return any(
        char > "\x7f" and char.isalpha() and char not in _SCRIPTLESS and _script(char) != "LATIN"
        for char in text
    )


def _usualness(char: str) -> float:
    is_foreign = char.isalpha() and _script(char) not in ("LATIN", "HALFWIDTH")
    if is_foreign or char in _USUAL_SIGNS or char.lower() in _LATIN:
        return 1.0
    return KNOWN_SIGN if char in _KNOWN_SIGNS else LEAST_USUAL


def _unsupported_marks(text: str) -> int:
    """How many marks lack what belongs to them: their partner, or a number behind ``§``."""
    return (
        abs(text.count("«") - text.count("»"))
        + max(0, text.count("¡") - text.count("!"))
        + max(0, text.count("¿") - text.count("?"))
        + len(_UNSUPPORTED_SECTION.findall(text))
    )


def is_of_kana(text: str) -> bool:
    """Whether the characters outside ASCII are Japanese syllables, two at least."""
    others = [char for char in text if char > "\x7f"]
    return len(others) > 1 and all(_is_kana(char) for char in others)


def holds_kana(text: str) -> bool:
    """Whether a Japanese syllable is among the characters."""
    return any(_is_kana(char) for char in text)


def _is_kana(char: str) -> bool:
    return _script(char) in ("HIRAGANA", "KATAKANA")


def east_asian_share(text: str) -> float:
    """Share of the characters that are Chinese characters in everyday use or kana, 0 to 1."""
    known = sum(
        _is_kana(char) or (_script(char) == "CJK" and _is_common_han(char))
        for char in text
        if char > "\u2fff"
    )
    return known / len(text) if text else 0.0


def _misfits(letters: Counter[str]) -> int:
    """How many of the letters are foreign to the alphabet that has the most of them."""
    known = max(sum(letters[letter] for letter in alphabet) for alphabet in _ALPHABETS)
    return letters.total() - known


def _badness(before: str, char: str, after: str) -> float:
    """How wrong ``char`` (outside ASCII) is between its neighbours, 0 to 1."""
    category = unicodedata.category(char)
    if category in ("Cc", "Cn", "Co", "Cs") or char == "\ufffd" or char in _OBSOLETE:
        return 1.0
    if category == "Mn":
        return 0.0 if before.isalpha() or unicodedata.category(before) == "Mn" else 1.0
    if category[0] == "L" and char not in _SCRIPTLESS:
        return _letter_badness(before, char, after)
    return _mark_badness(before, char, after, category)


def _mark_badness(before: str, char: str, after: str, category: str) -> float:
    if category[0] in "SN" or char in _SCRIPTLESS:
        return _sign_badness(before, char, after, category)
    if char in _REFERENCE_MARKS:
        return 0.6 if before.isalpha() or after.isalpha() else 0.0
    if char in _DASHES:
        return 0.5 if before.isalpha() and after.islower() else 0.0
    if before.isalpha() and char in _OPENING_MARKS:
        return 0.5
    is_strange = char not in _IN_WORD_MARKS and not _is_wide(char)
    return 0.8 if before.isalpha() and after.isalpha() and is_strange else 0.0


def _sign_badness(before: str, char: str, after: str, category: str) -> float:
    drawn = "\u2500" <= char <= "\u25ff" and (before.isalnum() or after.isalnum())
    is_loose = _is_shade(char) and not (_is_shade(before) or _is_shade(after))
    if drawn or is_loose or char in _SPACING_ACCENTS or (before.isalpha() and after.isalpha()):
        return 1.0
    touches_word = before.isalpha() or after.isalpha()
    if touches_word and category in ("Sc", "Sm"):
        return 0.6
    return 0.5 if char in _UNUSUAL_SIGNS or (touches_word and category == "No") else 0.1


def _is_shade(char: str) -> bool:
    """Whether it is a piece of a filled area, which stands beside others."""
    return "\u2580" <= char <= "\u259f"


def _letter_badness(before: str, char: str, after: str) -> float:
    script = _script(char)
    if script in _EAST_ASIAN:
        return _east_asian_badness(before, char, after, script)
    if not before.isalpha() and not after.isalpha():
        return _lone_letter_badness(before, char, after, script)
    for neighbour in (before, after):
        other = _script(neighbour) if neighbour.isalpha() else script
        if other != script and other not in _EAST_ASIAN:
            return 1.0
    if script == "GREEK" and _is_no_greek_end(char, after):
        return MISFIT_WEIGHT
    return _cased_badness(before, char, after) if script in _CASED else 0.0


def _is_no_greek_end(char: str, after: str) -> bool:
    """Whether a small letter ends a word that cannot end in it, or ς stands inside of one."""
    if char == "ς":
        return after.isalpha()
    return char in _NO_GREEK_ENDS and not after.isalpha() and after not in "'’.᾽´`-"


def _cased_badness(before: str, char: str, after: str) -> float:
    if before + char in _IMPOSSIBLE_PAIRS:
        return MISFIT_WEIGHT
    if (char.isupper() and before.islower()) or (char.islower() and after.isupper()):
        return 1.0
    return 0.5 if char.isupper() and before.isupper() and after.islower() else 0.0


def _lone_letter_badness(before: str, char: str, after: str, script: str) -> float:
    if before.isdigit() or after.isdigit():
        return 0.5
    is_word = script not in ("LATIN", "GREEK") or char.lower() in _ONE_LETTER_WORDS
    return 0.0 if is_word else 0.5


def _east_asian_badness(before: str, char: str, after: str, script: str) -> float:
    if script == "CJK" and not _is_common_han(char):
        return 1.0
    if before.isascii() and before.islower() and after.isascii() and after.islower():
        return 0.7
    return 0.5 if "\uff61" <= char <= "\uff9f" else 0.0


@lru_cache(maxsize=8192)
def _script(char: str) -> str:
    """First word of the character's Unicode name: LATIN, CYRILLIC, CJK ..."""
    return unicodedata.name(char, "UNKNOWN").partition(" ")[0].partition("-")[0]


@lru_cache(maxsize=8192)
def _is_common_han(char: str) -> bool:
    for codec, first_lead, last_lead in _COMMON_HAN:
        try:
            encoded = char.encode(codec)
        except UnicodeEncodeError:
            continue
        if first_lead <= encoded[0] <= last_lead:
            return True
    return False


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"
