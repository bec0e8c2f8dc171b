"""Numbers in figures and in words, as exact fractions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from memctl.association.lexicon import Lexicon
from memctl.association.tokens import Token, TokenKind

DECIMAL_COMMA_LANGUAGES = frozenset({"de", "fr", "es", "ru"})
"""Where 13,8 is a decimal and 1.500 may be a thousand and a half (CLDR number formats)."""

_GROUPS = re.compile(r"[ '’\u00a0\u202f]")
_CHINESE_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_CHINESE_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000, "億": 10**8}
_KOREAN_DIGITS = {c: i for i, c in enumerate("영일이삼사오육칠팔구")}
_KOREAN_POWERS = {"십": 10, "백": 100, "천": 1000, "만": 10_000}
_KOREAN_NATIVE = {
    "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "셋": 3, "네": 4, "넷": 4, "다섯": 5,
    "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "열한": 11, "열두": 12, "스무": 20,
    "서른": 30,
}  # fmt: skip


def read_figure(text: str, code: str) -> Fraction | None:
    """The number that figures with separators mean in a language; None for none."""
    if text.isascii() and text.isdigit():
        return Fraction(int(text))
    text = _GROUPS.sub("", text).replace("−", "-")
    negative = text.startswith("-")
    text = text.lstrip("+-")
    decimal, group = (",", ".") if code in DECIMAL_COMMA_LANGUAGES else (".", ",")
    if text.count(group) == 1 and len(text.partition(group)[2]) != 3:
        text = text.replace(group, ".")
    elif text.count(decimal) <= 1:
        text = text.replace(group, "").replace(decimal, ".")
    if not re.fullmatch(r"\d+(?:\.\d+)?", text):
        return None
    return -Fraction(text) if negative else Fraction(text)


def read_number(tokens: Sequence[Token], index: int, words: Lexicon) -> tuple[Fraction, int] | None:
    """The number that starts at a token, in figures or words, and how many tokens it takes."""
    token = tokens[index]
    if token.kind is TokenKind.NUMBER:
        figure = read_figure(token.text, words.code)
        return None if figure is None else _with_power(tokens, index, figure, words)
    if token.kind is not TokenKind.WORD or _stands_for_a_noun(tokens, index, words):
        return None
    return _read_words(tokens, index, words)


def _stands_for_a_noun(tokens: Sequence[Token], index: int, words: Lexicon) -> bool:
    """Whether a number word counts nothing: the new one, one of them, the one who."""
    if tokens[index].lower not in words.words_of("number_pronouns"):
        return False
    before = tokens[index - 1].lower if index else ""
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if before in words.words_of("determiners"):
        return True
    if [token.lower for token in tokens[index + 1 : index + 4]] == ["and", "a", "half"]:
        return False
    return following is None or words.is_function_word(following.lower)


def _with_power(
    tokens: Sequence[Token], index: int, figure: Fraction, words: Lexicon
) -> tuple[Fraction, int]:
    """``2 million`` and ``3 Tausend``."""
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    power = words.numbers.get(following.lower.rstrip("s")) if following is not None else None
    if power is not None and power >= 1000:
        return figure * power, 2
    return figure, 1


def _read_words(tokens: Sequence[Token], index: int, words: Lexicon) -> tuple[Fraction, int] | None:
    total, current, position = 0, 0, index
    last: int | None = None
    while position < len(tokens):
        small = _word_number(tokens[position].lower, words)
        if small is None:
            if last is None or not _joins(tokens, position, last, words):
                break
            position += 1
            continue
        if last is not None and not _may_follow(current, small):
            break
        total, current = _add(total, current, small)
        last = small
        position += 1
    if last is None:
        return None
    return Fraction(total + current), position - index


def _joins(tokens: Sequence[Token], position: int, last: int, words: Lexicon) -> bool:
    """Whether a word such as "and" stands between two parts of one number."""
    joints = {word for row in words.table("number_joints") for word in row.split()}
    if tokens[position].lower not in joints or position + 1 >= len(tokens):
        return False
    following = _word_number(tokens[position + 1].lower, words)
    limit = 100 if words.code == "en" else 20
    return following is not None and last >= limit and following < last


def _may_follow(current: int, small: int) -> bool:
    """Whether a part may continue a number: twenty-five yes, five twenty no."""
    if small >= 100:
        return current < small
    lowest = current % 100
    return lowest == 0 or (lowest >= 20 and lowest % 10 == 0 and small < 10)


def _add(total: int, current: int, small: int) -> tuple[int, int]:
    if small >= 1000:
        return total + max(current, 1) * small, 0
    if small == 100:
        return total, max(current, 1) * 100
    if small == 12 and current in range(1, 12):
        return total, current * 12
    return total, current + small


def _word_number(word: str, words: Lexicon) -> int | None:
    """The number that one word stands for; hyphenated and German compounds are taken apart."""
    numbers = words.numbers
    if word in numbers:
        return numbers[word]
    if "-" in word:
        parts = [numbers.get(part) for part in word.split("-") if part not in {"et", "and"}]
        if parts and all(part is not None for part in parts):
            return _multiply_out([part for part in parts if part is not None])
        return None
    return _german_compound(word, numbers) if words.code == "de" else None


def _multiply_out(parts: list[int]) -> int:
    """Parts of a compound in order; a smaller one before a larger one multiplies it (fr. 4-20)."""
    total = 0
    for part in parts:
        multiplies = 0 < total < part and part in {20, 100, 1000}
        total = total * part if multiplies else total + part
    return total


def _german_compound(word: str, numbers: dict[str, int]) -> int | None:
    """einundzwanzig, dreihundertvierzig, zweitausendfünfhundert."""
    for power_word, power in (("tausend", 1000), ("hundert", 100)):
        head, found, tail = word.partition(power_word)
        if not found:
            continue
        high = _german_compound(head, numbers) if head else 1
        low = _german_compound(tail.removeprefix("und"), numbers) if tail else 0
        return None if high is None or low is None else high * power + low
    if word in numbers:
        return numbers[word]
    ones, found, tens = word.partition("und")
    if found and ones in numbers and tens in numbers:
        return numbers[ones] + numbers[tens]
    return None


def read_cjk_number(text: str) -> Fraction | None:
    """A number in Chinese, Japanese or Korean signs, or in figures: 三百二十, 12, 이십, 아홉."""
    plain = text.replace(",", "").replace(" ", "")
    if re.fullmatch(r"\d+(?:\.\d+)?", plain):
        return Fraction(plain)
    if plain in _KOREAN_NATIVE:
        return Fraction(_KOREAN_NATIVE[plain])
    if plain and all(c in _KOREAN_DIGITS or c in _KOREAN_POWERS for c in plain):
        return _by_powers(plain, _KOREAN_DIGITS, _KOREAN_POWERS)
    if plain and all(c in _CHINESE_DIGITS or c in _CHINESE_POWERS for c in plain):
        return _by_powers(plain, _CHINESE_DIGITS, _CHINESE_POWERS)
    return None


def _by_powers(text: str, digits: dict[str, int], powers: dict[str, int]) -> Fraction:
    if not any(sign in powers for sign in text):
        return Fraction(int("".join(str(digits[sign]) for sign in text)))
    total, section, digit = 0, 0, 0
    for sign in text:
        if sign in digits:
            digit = digits[sign]
        elif powers[sign] >= 10_000:
            total += (section + digit or 1) * powers[sign]
            section = digit = 0
        else:
            section += (digit or 1) * powers[sign]
            digit = 0
    return Fraction(total + section + digit)
