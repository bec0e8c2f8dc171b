"""The order of a list says nothing, unless it tells what belongs to what."""

from __future__ import annotations

import pytest

from memctl.association import Relation, Statement, judge
from memctl.association.analysis import analyse

SIMILARITY = 0.99


def relation(old: str, new: str) -> Relation:
    return judge(Statement(content=new), Statement(content=old), SIMILARITY).relation


def enumerations(text: str) -> list[list[str]]:
    analysis = analyse(Statement(content=text))
    words = {term.position: term.word for term in analysis.terms}
    return [[words[place] for place in run] for run in analysis.enumerations]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We stock rye, wheat and spelt", [["rye", "wheat", "spelt"]]),
        ("The goats, the sheep and the hens need water", [["goats", "sheep", "hens"]]),
        ("We keep goats, red sheep and hens", []),
        ("We bought 5 kg rye and wheat", []),
        ("Gerda buys milk, Otto buys bread", []),
        ("Wir haben Roggen, Weizen und Dinkel", [["roggen", "weizen", "dinkel"]]),
    ],
)
def test_an_enumeration_is_made_of_words_that_stand_alone(
    text: str, found: list[list[str]]
) -> None:
    """What says more about one of them belongs to it and stays with it."""
    assert enumerations(text) == found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We stock rye, wheat and spelt.", "We stock spelt, wheat and rye."),
        ("The recipe needs flour, butter and sugar", "The recipe needs sugar, butter and flour"),
        ("We ship to Norway, Sweden and Denmark", "We ship to Denmark, Norway and Sweden"),
        ("Guests: Ada, Ben and Cora", "Guests: Cora, Ada and Ben"),
        ("Wir haben Roggen, Weizen und Dinkel", "Wir haben Dinkel, Weizen und Roggen"),
    ],
)
def test_a_list_in_another_order_is_one_claim(old: str, new: str) -> None:
    """Nothing is said about the order."""
    assert relation(old, new) is Relation.SAME
    assert relation(new, old) is Relation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Ada, Ben and Cora finished first, second and third",
            "Cora, Ben and Ada finished first, second and third",
        ),
        ("The steps are mixing, kneading and baking", "The steps are baking, kneading and mixing"),
        ("The ranking is Ada, Ben and Cora", "The ranking is Cora, Ben and Ada"),
        ("Ablauf: Suppe, Fisch und Kuchen", "Ablauf: Kuchen, Fisch und Suppe"),
        ("Gerda buys milk and Otto buys bread", "Gerda buys bread and Otto buys milk"),
        (
            "Gerda buys milk, bread and Otto buys butter",
            "Gerda buys butter, bread and Otto buys milk",
        ),
        ("Ada pays Ben and Cora", "Ben pays Ada and Cora"),
    ],
)
def test_an_order_that_tells_what_belongs_to_what_counts(old: str, new: str) -> None:
    """Two lists beside each other, clauses, and what speaks of an order are more than a list."""
    assert relation(old, new) is not Relation.SAME
    assert relation(new, old) is not Relation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Anna's favourite colour is green.", "Anna's favorite color is green!"),
        ("We organise the market at the harbour", "We organize the market at the harbor"),
        ("The grey fibre is cosy", "The gray fiber is cozy"),
    ],
)
def test_the_spelling_of_either_side_of_the_atlantic_is_one_word(old: str, new: str) -> None:
    """Only the letters differ."""
    assert relation(old, new) is Relation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Odalys decided to rent the workshop.", "Odalys bought a lathe."),
        ("Bertil is taller than Folke.", "Folke sold the canoe to Bertil."),
        ("Folke sold the canoe to Bertil.", "Bertil is taller than Folke."),
    ],
)
def test_another_deed_of_the_same_people_takes_no_place(old: str, new: str) -> None:
    """They have only the people in common."""
    assert relation(old, new) in {Relation.RELATED, Relation.DISTINCT}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Odalys rents the workshop.", "Odalys bought the workshop."),
        ("Odalys works at Hexagon in Kiel.", "Odalys retired to Porto."),
    ],
)
def test_the_next_state_of_the_same_thing_is_an_update(old: str, new: str) -> None:
    """Where somebody lives now is no object of a deed."""
    assert relation(old, new) is Relation.UPDATES
