"""Western texts of which some parts are UTF-8 and others are not: notes that were put together from
files of different age.

Read as one legacy encoding they would have two wrong characters for each right one of the UTF-8.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memctl.plural import plural

STRAY_ENCODING = "cp1252"

LEAST_VALID = 2
"""Characters of valid UTF-8 from which they are there by more than chance."""

STRAYS_FOR_A_VALID = 4
"""Stray bytes for each of them: a text of a legacy encoding forms far fewer by chance."""

_SIGNS = "€„…‘’“”•–—™ŠŒŽšœžŸ\xa0£§«°±²·»".encode(STRAY_ENCODING)
_LETTERS = bytes(range(0xC0, 0xFE)).translate(None, b"\xc2\xc3")
_EXPECTED = frozenset(_SIGNS + _LETTERS)
"""Bytes that stray ones may be: letters, and signs of writing. Others, and the two that begin
nearly every Western character of UTF-8, are what a damaged one leaves."""

_STRAYS = re.compile("[\udc80-\udcff]+")
_CUT_OFF = "\udce2\udc80"
"""What is left of a quotation mark or dash whose last byte is missing."""
_WESTERN = re.compile("[\u00a0-\u017f\u2010-\u203a\u20ac\u2122]")
_NOT_ASCII = re.compile("[^\x00-\x7f\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class MixedText:
    """A text, and what is to be said about its encodings."""

    text: str
    warning: str


def decode_mixed(data: bytes) -> MixedText | None:
    """The text of bytes that are UTF-8 but for stray bytes of cp1252; None where that is not what
    they look like, or where they are UTF-8 throughout."""
    text = data.decode("utf-8", "surrogateescape")
    strays = "".join(_STRAYS.findall(text)).encode("utf-8", "surrogateescape")
    if not strays or not _EXPECTED.issuperset(strays) or _CUT_OFF in text:
        return None
    western = len(_WESTERN.findall(text))
    others = len(_NOT_ASCII.findall(text)) - western
    if western < LEAST_VALID or others > western or STRAYS_FOR_A_VALID * western < len(strays):
        return None
    read = _STRAYS.sub(_as_legacy, text)
    number = plural(len(strays), "character was", "characters were")
    return MixedText(read, f"it is UTF-8, and {number} read as {STRAY_ENCODING}")


def _as_legacy(match: re.Match[str]) -> str:
    return match.group().encode("utf-8", "surrogateescape").decode(STRAY_ENCODING)
