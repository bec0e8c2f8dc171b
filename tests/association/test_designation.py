"""Numbers and codes that tell which thing is meant, against those that say something of it."""

from __future__ import annotations

import pytest

from memctl.association import Relation, Statement, judge

OTHER_THINGS = [
    ("Ada repairs the oven number 12 in the hall.", "Ada repairs the oven number 45 in the hall."),
    ("Ada keeps the lamp number 7 of house 3.", "Ada keeps the lamp number 7 of house 9."),
    ("Ada cleans room 3.", "Ada cleans room 5."),
    ("Ada works on BUG-12.", "Ada works on BUG-45."),
    ("Ada works on ticket 12.", "Ada works on ticket 45."),
    ("Ada closed #12.", "Ada closed #45."),
    ("The hut uses pump 3 on floor 2.", "The hut uses pump 4 on floor 1."),
    ("Ada putzt Zimmer 12.", "Ada putzt Zimmer 14."),
    ("Ada repariert den Ofen Nr. 12.", "Ada repariert den Ofen Nr. 45."),
]

CHANGED_VALUES = [
    ("The panel listens on port 8080.", "The panel listens on port 8093."),
    ("The panel listens on port number 8080.", "The panel listens on port number 8093."),
    ("The choir rehearses in room 3.", "The choir rehearses in room 5."),
    ("Ada's flat is in house 3.", "Ada's flat is in house 9."),
    ("Ada has customer number 4711.", "Ada has customer number 4712."),
    ("The app requires Python 3.11.", "The app requires Python 3.12."),
    ("The scanner runs version 2.4.", "The scanner runs version 2.5."),
    ("Ada cleans room 3.", "Ada now cleans room 5 instead of room 3."),
]


@pytest.mark.parametrize(("old", "new"), OTHER_THINGS)
def test_another_number_makes_another_thing(old: str, new: str) -> None:
    judgement = judge(Statement(content=new), Statement(content=old), 0.98)
    assert judgement.relation is Relation.DISTINCT, judgement


@pytest.mark.parametrize(("old", "new"), CHANGED_VALUES)
def test_another_value_of_one_thing_updates_it(old: str, new: str) -> None:
    judgement = judge(Statement(content=new), Statement(content=old), 0.98)
    assert judgement.relation is Relation.UPDATES, judgement


def test_another_version_of_another_thing_replaces_nothing() -> None:
    old = Statement(content="We use version 2.4 of the scanner app.")
    new = Statement(content="We use version 2.5 of the camera app.")
    assert judge(new, old, 0.98).relation in {Relation.RELATED, Relation.DISTINCT}
