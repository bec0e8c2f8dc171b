"""What exchanges its values between two things is another claim, however alike the words are."""

from __future__ import annotations

import pytest

from memctl.association import Relation, Statement, judge

SIMILARITY = 0.98


def relation(old: str, new: str) -> Relation:
    return judge(Statement(content=new), Statement(content=old), SIMILARITY).relation


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Freja gets 20 shares and Ida gets 30 shares",
            "Freja gets 30 shares and Ida gets 20 shares",
        ),
        ("Gerda buys milk, Otto buys bread", "Gerda buys bread, Otto buys milk"),
        (
            "The width of the table is 80 cm and its height is 120 cm",
            "The width of the table is 120 cm and its height is 80 cm",
        ),
        ("red means stop and green means go", "green means stop and red means go"),
        (
            "Freja's flight lands in London and Ida's flight lands in Paris",
            "Freja's flight lands in Paris and Ida's flight lands in London",
        ),
        (
            "Der Keller hat 18 Grad und der Speicher hat 24 Grad",
            "Der Keller hat 24 Grad und der Speicher hat 18 Grad",
        ),
        ("Marc paie le loyer et Lise paie le gaz", "Marc paie le gaz et Lise paie le loyer"),
        (
            "Ana cuida el jardín y Luis cuida la cocina",
            "Ana cuida la cocina y Luis cuida el jardín",
        ),
        (
            "The heating is on in the evening and off in the morning",
            "The heating is off in the evening and on in the morning",
        ),
        (
            "Le chauffage est allumé le soir et éteint le matin",
            "Le chauffage est éteint le soir et allumé le matin",
        ),
        ("Everyone but Ida has a key", "Everyone and Ida has a key"),
        ("Everyone other than Ida has a key", "Everyone with Ida has a key"),
        ("All black dogs but Rex bark", "All black dogs and Rex bark"),
        ("We open on Sundays even if it rains", "We open on Sundays if it rains"),
        (
            "Der Vermieter darf eintreten, es sei denn, die Mieter stimmen zu",
            "Der Vermieter darf eintreten, wenn die Mieter zustimmen",
        ),
        (
            "Le bailleur peut entrer à moins que les locataires refusent",
            "Le bailleur peut entrer si les locataires refusent",
        ),
        (
            "El dueño puede entrar a menos que los inquilinos acepten",
            "El dueño puede entrar si los inquilinos aceptan",
        ),
        (
            "The landlord may enter the flat if the tenants agree",
            "The landlord may enter the flat unless the tenants agree",
        ),
    ],
)
def test_values_that_change_places_make_another_claim(old: str, new: str) -> None:
    """Neither direction is a rewording, which a merge would make one of."""
    assert relation(old, new) is not Relation.SAME
    assert relation(new, old) is not Relation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("On Monday Ada calls Bob about the boiler", "Ada calls Bob about the boiler on Monday"),
        ("Ada likes tea and coffee in the morning", "Ada likes coffee and tea in the morning"),
        ("The price of the saw is 40 euros", "40 euros is the price of the saw"),
        ("The south rail broke down on 3 May 2026.", "2026-05-03: breakdown of the south rail."),
        ("Everyone except Ida has a key", "Everyone but Ida has a key"),
        ("Everyone apart from Ida has a key", "Everyone except for Ida has a key"),
        ("Ken painted the shed in May", "The shed was painted by Ken in May"),
    ],
)
def test_clauses_and_neighbours_that_move_change_nothing(old: str, new: str) -> None:
    """A clause that moves as a whole, a list in another order and the passive say the same."""
    assert relation(old, new) is Relation.SAME
