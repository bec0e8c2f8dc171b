"""The same words in another order, or joined by other small words, are another claim."""

from __future__ import annotations

import pytest

from memctl.association import Relation, Statement, judge

SIMILARITY = 0.98


def relation(old: str, new: str) -> Relation:
    return judge(Statement(content=new), Statement(content=old), SIMILARITY).relation


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Hilda is Nils's manager", "Nils is Hilda's manager"),
        ("Hilda is the manager of Nils", "Nils is the manager of Hilda"),
        ("Turku lies north of Tallinn", "Tallinn lies north of Turku"),
        ("All editors are members", "All members are editors"),
        ("Salt the soup, then the noodles", "Salt the noodles, then the soup"),
        ("The crate stands on the barrel", "The barrel stands on the crate"),
        ("The crate is on the barrel", "The barrel is on the crate"),
        ("Hilda and Nils met Ravi", "Hilda met Nils and Ravi"),
        ("Hilda paid Nils", "Hilda was paid by Nils"),
        ("The ferry Oslo - Kiel is late", "The ferry Kiel - Oslo is late"),
        ("Der Bus fährt von Jena nach Erfurt", "Der Bus fährt von Erfurt nach Jena"),
        ("Le bus va de Nantes à Rennes", "Le bus va de Rennes à Nantes"),
        ("El tren va de Cádiz a Huelva", "El tren va de Huelva a Cádiz"),
        ("鳥を虫が追う。", "鳥が虫を追う。"),
    ],
)
def test_who_and_what_exchanged_make_another_claim(old: str, new: str) -> None:
    """Whatever joins them: a verb, "is", a possessive, a preposition, a particle."""
    assert relation(old, new) is not Relation.SAME
    assert relation(new, old) is not Relation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Give the horse oats, never barley", "Give the horse barley, never oats"),
        ("Hilda can sail but not row", "Hilda can row but not sail"),
        ("Hilda is tired, not Nils", "Nils is tired, not Hilda"),
        ("Water it on Tuesday, never on Sunday", "Water it on Sunday, never on Tuesday"),
        ("Hilda eats rice and no bread", "Hilda eats bread and no rice"),
        ("Only Hilda has the key", "Hilda has the only key"),
        ("Nur Hilda kennt den Weg, nicht Nils", "Nur Nils kennt den Weg, nicht Hilda"),
    ],
)
def test_a_denial_that_moves_makes_another_claim(old: str, new: str) -> None:
    """What is denied is what stands behind the denial."""
    assert relation(old, new) is not Relation.SAME
    assert relation(new, old) is not Relation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The inn is in Bergen", "The inn is near Bergen"),
        ("The log is in /opt/log", "The log is under /opt/log"),
        ("A film by Hilda was shown", "A film about Hilda was shown"),
        ("Hilda walked through the hall", "Hilda walked around the hall"),
        ("Das Glas steht in dem Regal", "Das Glas steht auf dem Regal"),
        ("Le livre est dans la caisse", "Le livre est sur la caisse"),
        ("Hilda is stronger than Nils", "Hilda is as strong as Nils"),
        ("Nils has few friends", "Nils has a few friends"),
        ("The barn holds exactly 40 bales", "The barn holds about 40 bales"),
        ("Hilda's mother sings", "Hilda's mother's mother sings"),
        ("The wiring could be damaged", "The wiring is damaged"),
        ("Pack all jackets but the red one", "Pack all jackets and the red one"),
    ],
)
def test_other_small_words_make_another_claim(old: str, new: str) -> None:
    """Prepositions, degrees and bounds are no packaging."""
    assert relation(old, new) is not Relation.SAME
    assert relation(new, old) is not Relation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Set the option -q", "Set the option -Q"),
        ("The gas is CO", "The gas is Co"),
        ("The file has 7 Mb", "The file has 7 MB"),
        ("The variable is HOME", "The variable is home"),
        ("The path is src/lib", "The path is lib/src"),
        ("Check that x1 < y1", "Check that y1 < x1"),
        ("It runs a1 && b1", "It runs a1 & b1"),
        ("The reading was 130/85", "The reading was 85/130"),
        ("We lost 4:1", "We lost 1:4"),
        ("Disk 70 %, memory 30 %", "Disk 30 %, memory 70 %"),
        ("mv old.md new.md", "mv new.md old.md"),
    ],
)
def test_other_letters_and_signs_of_code_make_another_claim(old: str, new: str) -> None:
    """Options, paths, units and figures mean what their letters and their order say."""
    assert relation(old, new) is not Relation.SAME
    assert relation(new, old) is not Relation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The bakery bakes rye on Fridays", "On Fridays the bakery bakes rye"),
        ("The bakery does not open on Mondays", "On Mondays the bakery does not open"),
        ("THE CRATE STANDS ON THE BARREL", "The crate stands on the barrel"),
        ("60 euros is the fee", "The fee is 60 euros"),
        (
            "Hilda sailed with Nils, and the trip cost 90 euros",
            "Hilda sailed with Nils and the trip cost 90 euros",
        ),
        ("Hilda plays chess and poker at home", "Hilda plays poker and chess at home"),
        ("Riga is the capital", "The capital is Riga"),
    ],
)
def test_phrases_lists_and_sides_of_is_may_change_places(old: str, new: str) -> None:
    """What moves as a whole says the same."""
    assert relation(old, new) is Relation.SAME
    assert relation(new, old) is Relation.SAME


LIFE = """\
I moved to Aarhus on 14 June 2025
I have a meeting with the lawyer tomorrow
I have an appointment with the optician tomorrow at 11
I started a new job at the harbour on Monday
I stopped drinking coffee
I prefer tea in the morning
I switched my energy supplier to Vattenfall
I upgraded the laptop to 32 GB
I now swim three times a week
I parked the van behind the church
I keep the spare keys in the blue drawer
I planned the holiday in Porto for May
I met Tom yesterday
We collect the keys tomorrow
We settle the bill tomorrow
I quit smoking in March
I lost my umbrella on the train
I left the choir last year
Ich bin letztes Jahr nach Graz gezogen
Ich habe morgen einen Termin beim Notar
Ich habe den Zahnarzttermin auf Freitag verschoben
Ich trinke keinen Kaffee mehr
Me mudé a Valencia en enero
Mañana tengo una reunión con el banco
J'ai déménagé à Lyon en juin
J'ai rendez-vous chez le notaire demain
我去年搬到了成都
我明天和银行开会
先月、大阪に引っ越しました
明日、銀行と打ち合わせがあります""".splitlines()


def test_deeds_of_one_person_leave_each_other_alone() -> None:
    """That "I" did both makes none of two deeds the update of the other one."""
    wrong = [
        (old, new)
        for old in LIFE
        for new in LIFE
        if old != new
        and relation(old, new) in {Relation.SAME, Relation.UPDATES, Relation.CONTRADICTS}
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Aarhus", "I moved to Odense"),
        ("I moved to Odense", "I live in Aarhus now"),
        ("I drink coffee", "I switched to tea"),
        ("I work at the harbour", "I now work at the town hall"),
    ],
)
def test_a_change_of_one_attribute_is_still_an_update(old: str, new: str) -> None:
    """Home, drink and work are told by other verbs, too."""
    assert relation(old, new) is Relation.UPDATES
