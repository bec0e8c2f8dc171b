"""Units of measurement: which dimension a unit belongs to, and its size in the base unit.

Months and years are counted in months, which no number of days equals; every currency is a
dimension of its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from memctl.association.lexicon import LANGUAGES_FOLDER, read_tables


@dataclass(frozen=True, slots=True)
class Unit:
    """``amount`` of it is ``amount * factor + offset`` of the base unit of ``dimension``."""

    dimension: str
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)


_TABLES = read_tables((LANGUAGES_FOLDER / "units.txt").read_text(encoding="utf-8"))
_FAHRENHEIT = Unit("temperature", Fraction(5, 9), Fraction(-160, 9))


def _read_units() -> dict[str, Unit]:
    units = {"°F": _FAHRENHEIT, "fahrenheit": _FAHRENHEIT}
    for row in _TABLES["sizes"]:
        dimension, *entries = row.split()
        for entry in entries:
            sign, _, size = entry.rpartition(":")
            units[sign] = Unit(dimension, Fraction(size))
    for row in _TABLES["currencies"]:
        currency, *signs = row.split()
        units.update({sign: Unit(currency) for sign in signs})
    return units


UNITS = _read_units()
"""Units by sign or by the English name that the languages' tables lead to. Case counts."""

UNIT_SIGNS = frozenset(UNITS)

MONEY = frozenset(row.split()[0] for row in _TABLES["currencies"])

_SIGNS_BY_LOWER = Counter(sign.lower() for sign in UNITS)
_LOWER_UNITS = {
    sign.lower(): unit
    for sign, unit in UNITS.items()
    if len(sign) > 1 and _SIGNS_BY_LOWER[sign.lower()] == 1
}
"""For signs in the wrong case, where no other unit differs by case alone (mW and MW do)."""


def find_unit(sign: str) -> Unit | None:
    """The unit of a sign as written, else in another case where that is not ambiguous."""
    return UNITS.get(sign) or _LOWER_UNITS.get(sign.lower())
