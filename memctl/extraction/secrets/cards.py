"""Payment card numbers: a card organisation's prefix and length, its grouping, and the Luhn sum.

All three must hold, so order numbers, telephone numbers, ISBNs and time stamps stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memctl.extraction.secrets.searched import Detector, SearchedText
from memctl.extraction.secrets.span import Span

_NUMBER = re.compile(r"\d(?<![\w.,+#/-]\d)(?:[ \u00a0\u2009.-]?\d){12,18}(?![\w-]|[.,]\d)")
_SEPARATOR = re.compile(r"[ \u00a0\u2009.-]")
_GROUPINGS = ((4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (4, 4, 4, 1), (6, 13), (8, 8))

_ISSUERS: tuple[tuple[range, int, tuple[int, ...]], ...] = (
    (range(4, 5), 1, (13, 16, 19)),  # Visa
    (range(51, 56), 2, (16,)),  # Mastercard
    (range(2221, 2721), 4, (16,)),  # Mastercard
    (range(2200, 2205), 4, (16,)),  # Mir
    (range(34, 35), 2, (15,)),  # American Express
    (range(37, 38), 2, (15,)),  # American Express
    (range(300, 306), 3, (14,)),  # Diners Club
    (range(36, 37), 2, (14,)),  # Diners Club
    (range(38, 40), 2, (14,)),  # Diners Club
    (range(6011, 6012), 4, (16, 19)),  # Discover
    (range(644, 660), 3, (16, 19)),  # Discover
    (range(3528, 3590), 4, (16,)),  # JCB
    (range(62, 63), 2, (16, 17, 18, 19)),  # UnionPay
)
"""First digits, how many of them count, and the lengths that exist (ISO/IEC 7812 registrations)."""


def find_cards(searched: SearchedText) -> Iterator[Span]:
    """Numbers of payment cards, with or without blanks or hyphens between groups."""
    for match in _NUMBER.finditer(searched.text):
        groups = _SEPARATOR.split(match[0])
        digits = "".join(groups)
        if (
            digits.isdecimal()
            and (len(groups) == 1 or tuple(map(len, groups)) in _GROUPINGS)
            and _has_issuer(digits)
            and passes_luhn(digits)
        ):
            yield Span(match.start(), match.end(), "card number")


def passes_luhn(digits: str) -> bool:
    """Whether the check digit of ISO/IEC 7812 is right."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _has_issuer(digits: str) -> bool:
    return any(
        int(digits[:count]) in prefixes and len(digits) in lengths
        for prefixes, count, lengths in _ISSUERS
    )


CARDS = Detector(find_cards)
