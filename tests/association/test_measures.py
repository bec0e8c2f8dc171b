"""Equal values are equal whatever their wording, and others are not."""

from __future__ import annotations

import itertools

import pytest

from memctl.association import Statement, analyse
from memctl.association.measures import Match, Value, compare_values


def _value(text: str, language: str = "en") -> Value:
    values = analyse(Statement(content=text), language).values
    assert len(values) == 1, [value.text for value in values]
    return values[0]


EQUAL = [
    ("en", ["1.5 kg", "1500 g", "1,500 g", "1.5 kilos", "one and a half kilograms"]),
    ("en", ["90 minutes", "1.5 h", "an hour and a half", "1 h 30 min", "ninety mins"]),
    ("en", ["45 min", "three quarters of an hour", "45 minutes"]),
    ("en", ["half an hour", "30 min", "thirty minutes"]),
    ("en", ["14 days", "two weeks", "fourteen days"]),
    ("en", ["half past six", "6:30", "6:30 am", "06:30"]),
    ("en", ["2:05 pm", "14:05", "2:05 p.m."]),
    ("en", ["quarter to nine", "8:45"]),
    ("en", ["noon", "12:00", "midday"]),
    (
        "en",
        ["14 March 2026", "March 14, 2026", "2026-03-14", "14.03.2026", "the 14th of March 2026"],
    ),
    ("en", ["Fridays", "every Friday", "Friday"]),
    ("en", ["at most 50", "no more than fifty", "up to 50"]),
    ("en", ["€1200", "1,200 euros", "EUR 1200", "1200 €"]),
    ("en", ["3 million", "3,000,000", "three million"]),
    ("en", ["three hundred and twelve", "312"]),
    ("en", ["forty-two", "42", "forty two"]),
    ("en", ["2.4 m", "240 cm", "2400 mm"]),
    ("en", ["19 degrees", "19 °C", "19°C"]),
    ("en", ["100 km/h", "100km/h"]),
    ("en", ["50 %", "50%", "50 percent", "fifty per cent"]),
    ("en", ["twice", "two"]),
    ("en", ["the second", "2nd"]),
    ("de", ["halb sieben", "6:30 Uhr", "6.30 Uhr"]),
    ("de", ["7 Uhr", "sieben Uhr"]),
    ("de", ["dreihundertvierzig", "340"]),
    ("de", ["einundzwanzig", "21"]),
    ("de", ["13,8 Volt", "13.8 V"]),
    ("de", ["1.500 Gramm", "1500 g", "1,5 kg"]),
    ("de", ["3. Mai 2026", "03.05.2026", "2026-05-03"]),
    ("de", ["eineinhalb Stunden", "90 Minuten"]),
    ("fr", ["à neuf heures", "à 9 h"]),
    ("fr", ["dix-sept", "17"]),
    ("fr", ["quatre-vingts", "80"]),
    ("es", ["a las diez", "a las 10"]),
    ("es", ["3 de mayo de 2026", "2026-05-03"]),
    ("ru", ["в десять часов", "в 10 часов"]),
    ("ru", ["12 июня 2026", "2026-06-12"]),
    ("zh", ["三月十四日", "3月14日"]),
    ("zh", ["九点半", "9点30分"]),
    ("zh", ["二十米", "20米", "20 米"]),
    ("zh", ["周一", "星期一"]),
    ("ja", ["九時", "9時"]),
    ("ja", ["三百円", "300円"]),
    ("ko", ["세 시", "3시"]),
    ("ko", ["육천 원", "6000원"]),
    ("ko", ["이십 미터", "20미터"]),
]


@pytest.mark.parametrize(("language", "texts"), EQUAL)
def test_one_value_in_several_wordings(language: str, texts: list[str]) -> None:
    for one, other in itertools.combinations(texts, 2):
        match = compare_values(_value(one, language), _value(other, language))
        assert match is Match.EQUAL or (match is Match.COMPATIBLE and "half past" in one), (
            one,
            other,
        )


DIFFERENT = [
    ("en", "1.5 kg", "1.6 kg"),
    ("en", "5 mW", "5 MW"),
    ("en", "20 °C", "20 °F"),
    ("en", "5 USD", "5 EUR"),
    ("en", "7 am", "7 pm"),
    ("en", "14 March 2026", "15 March 2026"),
    ("en", "14 March", "14 April"),
    ("en", "Monday", "Tuesday"),
    ("en", "10.20.30.1", "10.20.30.254"),
    ("en", "BUG-118", "BUG-181"),
    ("en", "2026-014", "2026-041"),
    ("en", "at least 5", "at most 5"),
    ("en", "release 2.4.1", "release 2.4.10"),
    ("en", "port 80", "port 8080"),
    ("en", "help@a.example", "desk@a.example"),
    ("en", "/srv/a", "/srv/b"),
    ("en", "-5 °C", "5 °C"),
    ("de", "halb acht", "acht Uhr"),
    ("de", "700 Euro", "770 Euro"),
    ("zh", "三点", "四点"),
    ("ja", "三百円", "三千円"),
    ("ko", "아홉 시", "열 시"),
]


@pytest.mark.parametrize(("language", "one", "other"), DIFFERENT)
def test_other_values_conflict(language: str, one: str, other: str) -> None:
    assert compare_values(_value(one, language), _value(other, language)) is Match.CONFLICT


COMPATIBLE = [
    ("14 March 2026", "14 March"),
    ("March 2026", "14 March 2026"),
    ("at seven", "19:00"),
    ("up to 50", "50"),
    ("weekdays", "Monday"),
    ("version 3.1", "version 3.10"),
]


@pytest.mark.parametrize(("one", "other"), COMPATIBLE)
def test_a_less_exact_value_is_neither_equal_nor_in_conflict(one: str, other: str) -> None:
    first, second = _value(one), _value(other)
    assert compare_values(first, second) is Match.COMPATIBLE
    assert compare_values(second, first) is Match.COMPATIBLE


UNLIKE = [("3 kg", "3 m"), ("Monday", "9:30"), ("5 EUR", "5"), ("2 months", "60 days")]


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_values_of_different_kinds_say_nothing_about_each_other(one: str, other: str) -> None:
    assert compare_values(_value(one), _value(other)) is Match.UNLIKE


NO_VALUES = [
    "Guests may smoke.",
    "They march to the station.",
    "The new one is better.",
    "He sat in the sun.",
    "See e.g. the manual.",
]


@pytest.mark.parametrize("text", NO_VALUES)
def test_words_that_only_look_like_values(text: str) -> None:
    assert analyse(Statement(content=text)).values == []
