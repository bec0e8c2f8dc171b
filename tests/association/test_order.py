"""Which of two statements is the newer one: by known times, by their words, by who said them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from memctl.association import (
    SAME_WEIGHT,
    Judgement,
    Newer,
    Relation,
    Statement,
    associate,
    judge,
)
from memctl.memory import RelationType
from memctl.new_memory import Outcome

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def _file(content: str, **facts: Any) -> Statement:
    """A statement of a file; ``said_at`` is the file's day."""
    return Statement(content=content, stated_directly=False, **facts)


def _saved(content: str, **facts: Any) -> Statement:
    return Statement(content=content, said_at=NOON, **facts)


def _both_ways(one: Statement, other: Statement) -> tuple[Judgement, Judgement]:
    """The judgements with the first, then with the second one taken in later."""
    return judge(one, other, 0.9), judge(other, one, 0.9)


NEWER_BY_WORDING = [
    (
        "We decided to keep the bookings in SQLite.",
        "We decided to move the bookings from SQLite to PostgreSQL.",
    ),
    ("The deposit is 20 euros.", "The deposit is now 25 euros instead of 20."),
    ("Ada smokes.", "Ada no longer smokes."),
    ("Ada is looking for a flat.", "Ada found a flat."),
    ("- [ ] paint the bench", "The bench has been painted."),
]


@pytest.mark.parametrize(("old", "new"), NEWER_BY_WORDING)
def test_words_of_change_tell_the_newer_of_two_files_in_whatever_order_they_come(
    old: str, new: str
) -> None:
    forwards, backwards = _both_ways(_file(new), _file(old))
    assert (forwards.relation, forwards.newer) == (Relation.UPDATES, Newer.NEW)
    assert (backwards.relation, backwards.newer) == (Relation.UPDATES, Newer.OLD)


ONE_VALUE_AT_A_TIME = [
    ("The panel listens on port 8080.", "The panel listens on port 8093."),
    ("Ada lives in Riga.", "Ada lives in Lund."),
    ("Member: Ada; Level: gold; Fee: 20 EUR", "Member: Ada; Level: gold; Fee: 25 EUR"),
]


@pytest.mark.parametrize(("one", "other"), ONE_VALUE_AT_A_TIME)
def test_files_of_unknown_age_that_exclude_each_other_contradict(one: str, other: str) -> None:
    for judgement in _both_ways(_file(one), _file(other)):
        assert judgement.relation is Relation.CONTRADICTS
    assert judge(_saved(one), _saved(other), 0.9).relation is Relation.UPDATES


def test_files_of_unknown_age_that_may_both_hold_are_related_but_no_rewordings() -> None:
    one, other = _file("The hut was locked."), _file("The hut is not locked.")
    plan = associate(one, [("other", other, 1.0)])
    assert plan.outcome is Outcome.RELATED
    (link,) = plan.links
    assert link.relation_type is RelationType.RELATED_TO
    assert link.weight < SAME_WEIGHT


@pytest.mark.parametrize("time", ["event_at", "said_at"])
def test_the_later_of_two_dated_files_holds(time: str) -> None:
    april = _file("The pump runs at 40 °C.", **{time: date(2026, 4, 1)})
    may = _file("The pump runs at 55 °C.", **{time: date(2026, 5, 1)})
    for judgement, holds in zip(_both_ways(may, april), (Newer.NEW, Newer.OLD), strict=True):
        assert (judgement.relation, judgement.newer) == (Relation.UPDATES, holds)


def test_measurements_of_two_days_may_both_hold() -> None:
    april = _file("Pump temperature: 40 °C", event_at=date(2026, 4, 1))
    may = _file("Pump temperature: 55 °C", event_at=date(2026, 5, 1))
    assert judge(may, april, 0.9).relation is Relation.RELATED


def test_a_known_time_counts_for_more_than_a_word_of_change() -> None:
    april = _file("The pump now runs at 40 °C.", said_at=date(2026, 4, 1))
    may = _file("The pump runs at 55 °C.", said_at=date(2026, 5, 1))
    forwards, backwards = _both_ways(may, april)
    assert (forwards.relation, forwards.newer) == (Relation.UPDATES, Newer.NEW)
    assert (backwards.relation, backwards.newer) == (Relation.UPDATES, Newer.OLD)


def test_what_a_person_says_is_newer_than_what_a_file_of_unknown_age_said_before() -> None:
    judgement = judge(_saved("Ada lives in Lund."), _file("Ada lives in Riga."), 0.9)
    assert (judgement.relation, judgement.newer) == (Relation.UPDATES, Newer.NEW)


def test_a_file_of_unknown_age_takes_nobodys_place() -> None:
    judgement = judge(_file("Ada lives in Riga."), _saved("Ada lives in Lund."), 0.9)
    assert judgement.relation is Relation.CONTRADICTS


def test_an_old_file_that_is_taken_in_late_is_outdated_on_arrival() -> None:
    late = _file("Ada lives in Riga.", said_at=date(2025, 1, 1))
    judgement = judge(late, _saved("Ada lives in Lund."), 0.9)
    assert (judgement.relation, judgement.newer) == (Relation.UPDATES, Newer.OLD)


def test_two_files_of_one_day_have_no_order() -> None:
    day = date(2026, 4, 1)
    one, other = _file("Ada lives in Riga.", said_at=day), _file("Ada lives in Lund.", said_at=day)
    assert judge(one, other, 0.9).relation is Relation.CONTRADICTS
