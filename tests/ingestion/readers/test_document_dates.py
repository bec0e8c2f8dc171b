"""Dates in names, front matter and headings: complete ones count, unclear ones do not."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from memctl.ingestion.readers.dates import (
    date_in_file_name,
    date_of_headings,
    date_of_value,
    dates_in,
)

MARCH_14 = date(2026, 3, 14)


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-14",
        "2026/3/14",
        "2026年3月14日",
        "2026년 3월 14일",
        "14.03.2026",
        "Samstag, 14. März 2026",
        "Saturday, March 14th, 2026",
        "14 March 2026",
        "14 de marzo de 2026",
        "le 14 mars 2026",
        "14/03/2026",
        "03/14/2026",
        "kept on 2026-03-14 at home",
    ],
)
def test_complete_dates_are_read_in_every_usual_order(text: str) -> None:
    assert dates_in(text) == [MARCH_14]


@pytest.mark.parametrize(
    "text",
    ["2026-13-40", "30.02.2026", "03/04/2026", "2026-03", "1850-01-01", "v1.2.2026", "14 March"],
)
def test_unclear_and_impossible_dates_are_none(text: str) -> None:
    assert dates_in(text) == []


@pytest.mark.parametrize(
    ("stem", "expected"),
    [
        ("2026-03-14", MARCH_14),
        ("notes-2026-03-14", MARCH_14),
        ("2026-03-14-0915", MARCH_14),
        ("20260314", MARCH_14),
        ("IMG_20260314_153000", MARCH_14),
        ("20260314153000", MARCH_14),
        ("2026_03_14 minutes", MARCH_14),
        ("2026年3月14日", MARCH_14),
        ("2026-03-14 copy of 20260314", MARCH_14),
        ("2026-03-01_to_2026-03-14", None),
        ("2026-W10", None),
        ("1234567890", None),
        ("call-20261341", None),
        ("plan", None),
    ],
)
def test_file_names_give_their_only_date(stem: str, expected: date | None) -> None:
    assert date_in_file_name(stem) == expected


def test_values_may_be_texts_dates_or_instants() -> None:
    assert date_of_value(MARCH_14) == MARCH_14
    assert date_of_value(datetime(2026, 3, 14, 9)) == MARCH_14
    assert date_of_value("2026-03-14T09:00:00Z") == MARCH_14
    assert date_of_value("20260314") == MARCH_14
    assert date_of_value(7) is None


def test_the_first_heading_dates_the_document_and_a_log_of_days_has_no_date() -> None:
    assert date_of_headings(["Notes of 14 March 2026", "2026-03-20"]) == MARCH_14
    assert date_of_headings(["Notes", "2026-03-14"]) == MARCH_14
    assert date_of_headings(["Log", "2026-03-14", "2026-03-15"]) is None
    assert date_of_headings([]) is None
