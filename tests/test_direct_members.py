"""Enums whose members are plain attributes of their class."""

from __future__ import annotations

import pickle
from enum import StrEnum

from memctl.direct_members import with_direct_members


@with_direct_members
class Fruit(StrEnum):
    """Two members, one of them by two names."""

    APPLE = "apple"
    PEAR = "pear"
    PIRUM = "pear"


def test_members_stay_what_they_are() -> None:
    """Naming, finding, listing and pickling a member gives the same object as before."""
    assert vars(Fruit)["APPLE"] is Fruit.APPLE is Fruit("apple") is Fruit["APPLE"]
    assert Fruit.PIRUM is Fruit.PEAR
    assert [*Fruit] == [Fruit.APPLE, Fruit.PEAR]
    assert pickle.loads(pickle.dumps(Fruit.PEAR)) is Fruit.PEAR
    assert Fruit.APPLE == "apple"
