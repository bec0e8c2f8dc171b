"""Which characters the glyph numbers of Chinese, Japanese and Korean fonts stand for.

Such a font may name one of Adobe's public character collections instead of listing its letters.
Each collection follows the order of a national character set, so Python's codecs give the letters;
what was added to the sets later is not told. Layouts: Adobe Technical Notes 5078 (Japan1), 5079
(GB1), 5080 (CNS1) and 5093 (Korea1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from memctl.ingestion.readers.pdf_fonts import TABLE_START

FIRST_BYTES = range(0xA1, 0xFF)
HIGH_BYTES = range(0xA1, 0xFF)
LOW_BYTES = range(0x40, 0x7F)
"""Lead bytes of the sets, and their second bytes; only Big5 has low ones."""

LEGACY_ENCODINGS = {
    f"/{name}-{direction}": codec
    for codec, names in (
        ("cp949", ("KSCms-UHC", "KSCms-UHC-HW", "KSC-EUC", "KSCpc-EUC")),
        ("cp932", ("90pv-RKSJ", "90msp-RKSJ", "83pv-RKSJ", "Ext-RKSJ", "Add-RKSJ")),
        ("big5hkscs", ("B5pc", "HKscs-B5", "ETHK-B5")),
        ("gbk", ("GBKp-EUC",)),
        ("euc_jp", ("EUC",)),
    )
    for name in names
    for direction in "HV"
}
"""Encodings of composite fonts whose codes are those of a national encoding, and its codec. These
are beside the ones that pypdf knows."""

UNKNOWN = "\ufffd"
"""What stands for a glyph that the collection got after the set that it follows."""

LETTERS_IN_BLOCK = 100
"""As many letters a block of a table may list."""


@dataclass(frozen=True, slots=True)
class _Collection:
    """A character set, and the glyph numbers at which its parts begin, by the code of their first
    character; None for a part that has other places. ``narrow`` has runs of narrow letters, by the
    number of the first."""

    codec: str
    parts: dict[int, int | None]
    narrow: dict[int, str]


_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_ASCII_WITH_YEN = _ASCII.replace("\\", "¥")
_NARROW_KANA = "".join(map(chr, range(0xFF61, 0xFFA0)))


def _parts(written: str) -> dict[int, int | None]:
    """Codes and numbers in turn; a dash for no number."""
    words = written.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    return {int(code, 16): None if number == "-" else int(number) for code, number in pairs}


_COLLECTIONS = {
    "GB1": _Collection(
        "gb2312",
        {0xA1A1: 96, 0xA7A1: 602, 0xA8C5: 700, 0xA9A4: 738, 0xB0A1: 940},
        {2: _ASCII, 814: _ASCII},
    ),
    "Japan1": _Collection(
        "euc_jp",
        {0xA1A1: 633, 0xA8A1: None, 0xB0A1: 1125, 0xF4A5: 8284},
        {2: _ASCII_WITH_YEN, 232: _ASCII_WITH_YEN, 327: _NARROW_KANA},
    ),
    "Korea1": _Collection(
        "euc_kr",
        {0xA1A1: 101, 0xA2E6: None, 0xA3A1: 264},
        {2: _ASCII, 8095: _ASCII},
    ),
    "CNS1": _Collection(
        "big5",
        _parts(
            "A140 99 A159 13743 A15D 128 A440 595 ACFE 2431 AD40 2007 AFD0 2432 BBC8 4309 "
            "BE52 4308 BE53 4696 C1AB 5222 C2CB 5221 C2CC 5411 C361 5496 C3B9 5551 C3BA 5550 "
            "C3BB 5552 C456 5495 C457 5642 C6A1 - C6A5 13761 C7B1 13934 C7BB 13950 C7E9 506 "
            "C7F3 - C940 5996 C94A - C94B 6006 C96C 6040 C9BE 6039 C9BF 6088 C9ED 6135 CAF7 6134 "
            "CAF8 6302 D77B 8251 DBA7 8890 E8A3 10927 E976 11074 EB5B 11362 EBF2 11478 ECDF 11615 "
            "EDAA 11720 EEEC 11942 F057 12140 F0CC 12222 F163 12309 F16C 12317 F269 12470 "
            "F2C3 12527 F375 12641 F466 12784 F4B6 12829 F4FD 12901 F664 13095 F977 13586 "
            "F9C7 13630 F9D2 13642 "
        ),
        {2: _ASCII, 13649: _ASCII},
    ),
}
_SHOWS = frozenset({b"Tj", b"TJ", b"'", b'"'})
_CODES = "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"


@cache
def letters_by_number(ordering: str) -> dict[int, str]:
    """The characters of a collection by their glyph numbers; none for an unknown collection."""
    collection = _COLLECTIONS.get(ordering)
    if collection is None:
        return {}
    letters = {1: " "}
    for first, run in collection.narrow.items():
        letters |= dict(enumerate(run, start=first))
    number: int | None = None
    for code, letter in _letters_in_order(collection.codec):
        number = collection.parts.get(code, number)
        if number is not None:
            letters[number] = letter
            number += 1
    return letters


def has_collection(ordering: str) -> bool:
    """Whether the characters of a collection are known."""
    return ordering in _COLLECTIONS


def unicode_table(ordering: str, codes: Iterable[int]) -> bytes:
    """A table as a PDF font has it (ToUnicode), with the characters of a collection for the codes;
    U+FFFD for those that are not known."""
    letters = letters_by_number(ordering)
    wanted = sorted(set(codes))
    parts = [TABLE_START.decode(), _CODES]
    for start in range(0, len(wanted), LETTERS_IN_BLOCK):
        block = wanted[start : start + LETTERS_IN_BLOCK]
        lines = "".join(f"<{code:04X}> <{ord(letters.get(code, UNKNOWN)):04X}>\n" for code in block)
        parts.append(f"{len(block)} beginbfchar\n{lines}endbfchar\n")
    return "".join([*parts, "endcmap\n"]).encode()


class ShownCodes:
    """Sees each operation of a page before it is carried out, and collects the codes of two bytes
    that it shows, in whichever font."""

    def __init__(self) -> None:
        self.codes: set[int] = set()

    def __call__(self, operator: bytes, operands: Any, *_matrices: Any) -> None:
        """Adds the codes of text."""
        if operator in _SHOWS and operands:
            shown = operands[-1]
            for item in shown if isinstance(shown, list) else (shown,):
                text = getattr(item, "original_bytes", item)
                if isinstance(text, bytes):
                    pairs = zip(text[::2], text[1::2], strict=False)
                    self.codes.update(first << 8 | second for first, second in pairs)


def _letters_in_order(codec: str) -> Iterator[tuple[int, str]]:
    """The codes and characters of a set; those that it has twice for another reading, once."""
    second_bytes = [*(LOW_BYTES if codec == "big5" else ()), *HIGH_BYTES]
    for first in FIRST_BYTES:
        for second in second_bytes:
            try:
                letter = bytes((first, second)).decode(codec)
            except UnicodeDecodeError:
                continue
            if len(letter) == 1 and not "\uf900" <= letter <= "\ufaff":
                yield first << 8 | second, letter
