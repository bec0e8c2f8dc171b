"""Which of two statements of files may take the other's place."""

from __future__ import annotations

import pytest

from memctl.memory import MemoryType
from memctl.migration.statement import PlannedMemory
from memctl.migration.succession import succeeds


def stated(content: str, memory_type: MemoryType = MemoryType.FACT) -> PlannedMemory:
    return PlannedMemory(content=content, memory_type=memory_type, importance=0.5)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The router's address is 192.0.2.4.", "192.0.2.4 is free again."),
        ("The pump runs at night.", "The pump runs at noon."),
        ("Ada lives in Aarhus.", "Ada moved to Odense."),
        ("User — Address: 12 Harbour Street", "User — Address: 7 Mill Lane"),
    ],
)
def test_a_value_the_wording_or_the_subject_shows_it(old, new):
    assert succeeds(stated(old), stated(new))


def test_nothing_in_common_shows_nothing():
    old = "Petrel reaches the boathouse gateway at SF9."
    assert not succeeds(stated(old), stated("Node Petrel has the address 02:00:5e:10:00:07."))


def test_what_is_to_be_done_is_not_about_the_one_it_names():
    old = stated("Ask the harbour office for the new mooring plan", MemoryType.TODO)
    assert not succeeds(old, stated("The harbour office moved its opening hour to 08:30."))


def test_where_every_one_of_several_values_differs_it_is_another_thing():
    """However much of the wording is the same."""
    old = "The pump number 12 stays in the cellar of house 4 because the insurance wants it."
    new = "The pump number 31 stays in the cellar of house 9 because the insurance wants it."
    assert not succeeds(stated(old), stated(new))
    assert succeeds(stated(old), stated(old.replace("house 4", "house 9")))
