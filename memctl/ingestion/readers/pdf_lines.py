"""The lines of a PDF page as text: glyphs folded to letters, garbage told from writing.

Pure functions on what a PDF library extracts. Line order and count of a page stay.
"""

from __future__ import annotations

import re
import unicodedata

GARBAGE_SHARE = 0.3
"""From this share of characters that no text holds, a page's text layer says nothing."""

MINIMUM_LETTER_SHARE = 0.25
"""Below this share of letters and digits among the other signs a page is glyph numbers or noise."""

MINIMUM_JUDGED_CHARACTERS = 40
"""A shorter page is not judged by its share of letters: it may be a formula or a mark."""

_FOLDED_RANGES = ((0x2E80, 0x2FDF), (0xFB00, 0xFDFF), (0xFE70, 0xFEFE), (0xF900, 0xFAFF))
"""Code points that fonts put in place of letters: ligatures, Arabic forms, radicals."""

_FOLDS = {
    code: unicodedata.normalize("NFKC", chr(code))
    for first, last in _FOLDED_RANGES
    for code in range(first, last + 1)
    if unicodedata.normalize("NFKC", chr(code)) != chr(code)
}
_BULLETS = dict.fromkeys((0xF0B7, 0xF0A7, 0xF0D8, 0xF076, 0xF0FC, 0xF0A8), "•")
"""What Word's symbol fonts leave in place of bullets."""

_BLANKS = dict.fromkeys((0xA0, 0x2002, 0x2003, 0x2007, 0x2009, 0x200A, 0x202F, 0x3000), " ")
_CLEAN = {**_FOLDS, **_BULLETS, **_BLANKS}
_WITHOUT_BLANKS = dict.fromkeys(map(ord, " \t\r\n"))
_LOST_GLYPH = "\ufffd"
_LOST_GLYPHS = re.compile(r"\ufffd(?:[ \t]*\ufffd)+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")
_GLYPH_NAME = re.compile(r"/(?:[a-zA-Z]{1,4}\d{1,5}|[a-z]{1,3}_?\d+|uni[0-9A-F]{4}|C\d+_\d+)")
_SPACING_ACCENT = re.compile(r"([´ˋ¨ˆ˜ˇ¸˘˙˚¯]) ?([A-Za-zı])")
_COMBINING = dict(
    zip(
        "´ˋ¨ˆ˜ˇ¸˘˙˚¯",
        "\u0301\u0300\u0308\u0302\u0303\u030c\u0327\u0306\u0307\u030a\u0304",
        strict=True,
    )
)
_GRAVE_IN_WORD = re.compile(r"(?<=[A-Za-z])`(?=[AEIOUaeiouı](?![`'’]))")
_GRAVE_OF_WORD = re.compile(r"(?<![\w`])`(?=[AEIOUaeiou](?![\w`'’]))")
"""Backticks in front of a vowel: accents that were set before their letter. One that is a word with
its letter counts only on a page that has others inside of words."""

_TEX_LIGATURES = (
    (re.compile("(?<=[a-z])\x0c|\x0c(?=[a-z])"), "\x0b\x0c\x0d\x0e\x0f"),
    (re.compile("(?<=[a-z])\x1c|\x1c(?=[a-z])"), "\x1b\x1c\x1d\x1e\x1f"),
)
"""The codes of ff, fi, fl, ffi and ffl in TeX's older and newer font encoding, which are what a PDF
has of them when its fonts name no letters; and the commonest of them, fi, as a sign of it."""

_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
_TERMINAL = re.compile(r"[.!?:;。！？：；…][\"'”’»)\]」』）]*$")
_LEADERS = re.compile(r"([._…·\-=*])(?:\s?\1){2,}")


def page_lines(raw: str) -> list[str]:
    """The lines of a page without control characters, blanks at their ends and empty edges."""
    text = _CONTROLS.sub("", _with_tex_ligatures(raw).translate(_CLEAN))
    if _GRAVE_IN_WORD.search(text) is not None:
        text = _GRAVE_OF_WORD.sub("ˋ", _GRAVE_IN_WORD.sub("ˋ", text))
    text = _SPACING_ACCENT.sub(_compose, text)
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def _with_tex_ligatures(raw: str) -> str:
    for sign, codes in _TEX_LIGATURES:
        if sign.search(raw) is not None:
            return raw.translate(dict(zip(map(ord, codes), _LIGATURES, strict=True)))
    return raw


def without_lost_lines(raw: str) -> tuple[str, bool]:
    """A page's text without the lines whose glyphs are unknown, and whether it had such lines.

    In a line that says something all the same one sign stands for all glyphs that are lost
    together. Where most lines are lost, those without a word are left out too, as they are the
    rest of the others; when no word is left, neither is the text.
    """
    if _LOST_GLYPH not in raw:
        return raw, False
    lines = [_LOST_GLYPHS.sub(_LOST_GLYPH, line) for line in raw.split("\n")]
    kept = [line for line in lines if not _is_lost(line)]
    worded = [line for line in kept if _WORD.search(line) is not None]
    if 2 * len(kept) < len(lines):
        kept = worded
    return "\n".join(kept) if worded else "", len(kept) < len(lines)


def _is_lost(line: str) -> bool:
    visible = line.translate(_WITHOUT_BLANKS)
    lost = visible.count(_LOST_GLYPH)
    return lost > 0 and lost >= GARBAGE_SHARE * len(visible)


def runs_on(before: str, after: str) -> bool:
    """Whether a sentence goes on from the last line of a page to the first line of the next."""
    last, first = before.rstrip()[-1:], after.lstrip()[:1]
    if _TERMINAL.search(before.rstrip()):
        return False
    return first.islower() or (last > "\u2e80" and first > "\u2e80")


def is_garbage(raw: str) -> bool:
    """Whether a page's text layer holds glyph names, unmapped codes or noise instead of text."""
    visible = _LEADERS.sub("", raw.translate(_CLEAN).translate(_WITHOUT_BLANKS))
    if not visible:
        return False
    named = sum(len(match[0]) for match in _GLYPH_NAME.finditer(visible))
    bad = named + sum(_is_unmapped(char) for char in visible)
    if bad >= GARBAGE_SHARE * len(visible):
        return True
    letters = sum(char.isalnum() for char in visible)
    return len(visible) >= MINIMUM_JUDGED_CHARACTERS and (
        letters < MINIMUM_LETTER_SHARE * len(visible)
    )


def _is_unmapped(char: str) -> bool:
    return char == _LOST_GLYPH or unicodedata.category(char) in ("Cc", "Co", "Cn", "Cs")


def _compose(match: re.Match[str]) -> str:
    """An accent that was set before its letter (``´e``) as one letter, where such a one exists."""
    letter = "i" if match[2] == "ı" else match[2]
    composed = unicodedata.normalize("NFC", letter + _COMBINING[match[1]])
    return composed if len(composed) == 1 else match[0]
