"""What decides a statement's type and importance, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction.rules.classifier import Dated, classify, split_lead
from memctl.memory import MemoryType

T = MemoryType


@pytest.mark.parametrize(
    ("statement", "memory_type"),
    [
        ("I prefer tea over coffee", T.PREFERENCE),
        ("We chose PostgreSQL for billing", T.DECISION),
        ("My name is Tess", T.IDENTITY),
        ("The server crashed on 2 March 2026", T.EVENT),
        ("It seems that the sensor drifts", T.OBSERVATION),
        ("We aim to halve our gas use by 2028", T.GOAL),
        ("I have to call the dentist", T.TODO),
        ("The billing database is PostgreSQL 17", T.FACT),
        ("router is 192.168.9.1", T.FACT),
        ("Ich mag keine Anrufe", T.PREFERENCE),
        ("Nous avons décidé de rester", T.DECISION),
        ("Мы решили остаться", T.DECISION),
        ("我叫罗莎", T.IDENTITY),
        ("The boss dislikes slides with more than five points", T.PREFERENCE),
        ("Reply in Welsh whenever I write in Welsh", T.PREFERENCE),
        ("The jury picked the poster with the heron", T.DECISION),
        ("One day we'd like the whole choir to sing in Tallinn", T.GOAL),
        ("", T.FACT),
    ],
)
def test_wording_alone_tells_a_saved_text(statement: str, memory_type: MemoryType) -> None:
    assert classify(statement).memory_type is memory_type


def test_marks_outweigh_wording_in_their_order() -> None:
    text = "I prefer to stay"
    assert classify(text, heading_path=("Decisions",)).memory_type is T.PREFERENCE
    assert classify("stay here", heading_path=("Decisions",)).memory_type is T.DECISION
    assert classify(text, lead="Decision").memory_type is T.DECISION
    assert classify(f"Decision: {text}").memory_type is T.DECISION
    assert classify(f"Decision: {text}", checked=False).memory_type is T.TODO
    assert classify(text, checked=True).memory_type is T.EVENT


def test_the_innermost_telling_heading_counts() -> None:
    path = ("Goals", "Notes", "2026-03-14")
    assert classify("more bread", heading_path=path).memory_type is T.GOAL
    assert classify("more bread", heading_path=("Goals", "Tasks")).memory_type is T.TODO
    assert classify("more bread", heading_path=("Goals", "Oven")).memory_type is T.GOAL


def test_what_is_denied_or_open_is_no_decision() -> None:
    assert classify("We have not decided yet").memory_type is not T.DECISION
    assert classify("We still have to decide on a name").memory_type is T.TODO
    assert classify("I don't want to learn Polish").memory_type is not T.GOAL


@pytest.mark.parametrize(
    "text",
    [
        "Il ne faut pas oublier de payer la cotisation.",
        "Don't let me forget to return the drill.",
    ],
)
def test_a_sign_that_holds_a_denial_is_not_made_void_by_it(text: str) -> None:
    """What must not be forgotten is to be done, although "must not" denies a task elsewhere."""
    assert classify(text).memory_type is MemoryType.TODO


@pytest.mark.parametrize(
    "text",
    [
        "La grille ne ferme plus.",
        "El horno ya no funciona.",
        "La stampante non funziona più.",
        "Замок больше не закрывается.",
    ],
)
def test_what_has_stopped_working_was_not_decided(text: str) -> None:
    assert classify(text).memory_type is not MemoryType.DECISION


def test_what_is_no_longer_done_was_decided() -> None:
    assert classify("Ya no vendemos pan los lunes.").memory_type is MemoryType.DECISION


def test_a_date_makes_weak_signs_an_event() -> None:
    assert classify("two shelves", dated=Dated.AT_START).memory_type is T.EVENT
    assert classify("The choir sang well", dated=Dated.WITHIN).memory_type is T.EVENT
    assert classify("The choir sings well", dated=Dated.UNDER_HEADING).memory_type is T.FACT


def test_importance_starts_at_the_type_and_rises_within_bounds() -> None:
    plain = classify("The valve is behind the boiler")
    marked = classify("Important: the valve is behind the boiler")
    strong = classify("The valve is behind the boiler", emphasised=True)
    assert plain.importance == T.FACT.default_importance
    assert plain.importance < strong.importance < marked.importance < 1.0
    goal = classify("Very important: our goal is to survive!!", emphasised=True)
    assert goal.importance <= 0.95
    assert classify("My name is Tess, urgent!!").importance == 1.0


def test_the_reason_names_what_decided() -> None:
    assert classify("x", heading_path=("Decisions",)).reason == "heading Decisions"
    assert classify("x", checked=False).reason == "open box"
    assert classify("Goal: more bread").reason == "label Goal"
    assert classify("the oven").points == 0


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("Decision: we stay", ("Decision", "we stay")),
        ("決定：残る", ("決定", "残る")),
        ("**Goal**: grow", ("Goal", "grow")),
        ("at 14:30 it rang", (None, "at 14:30 it rang")),
        ("https://tern.invalid", (None, "https://tern.invalid")),
        ("Yes, that is it: a sentence", (None, "Yes, that is it: a sentence")),
        ("empty:", (None, "empty:")),
    ],
)
def test_a_lead_is_a_short_name_before_a_colon(text: str, lead: tuple[str | None, str]) -> None:
    assert split_lead(text) == lead


@given(st.text(max_size=200), st.sampled_from([None, True, False]), st.sampled_from(list(Dated)))
def test_any_text_is_classified_alike_each_time(
    text: str, checked: bool | None, dated: Dated
) -> None:
    found = classify(text, checked=checked, dated=dated)
    assert found == classify(text, checked=checked, dated=dated)
    assert 0.0 <= found.importance <= 1.0
    assert found.importance >= found.memory_type.default_importance
    assert found.reason


@pytest.mark.parametrize(
    "text",
    [
        "The printer in room 5 needs a new drum every year.",
        "The boiler has to be serviced every two years.",
        "The hedge needs cutting twice a year.",
        "Each spring the boat needs a new coat of paint.",
        "The filter in the kitchen needs to be replaced every 6 months.",
        "Der Drucker in Raum 5 braucht jedes Jahr eine neue Trommel.",
        "Der Drucker in Raum 5 braucht eine neue Trommel jedes Jahr.",
        "Die Heizung muss alle zwei Jahre gewartet werden.",
        "L'imprimante de la salle 5 a besoin d'un nouveau tambour chaque année.",
        "La chaudière doit être révisée tous les deux ans.",
        "La impresora de la sala 5 necesita un nuevo tambor cada año.",
        "La stampante della sala 5 ha bisogno di un tamburo nuovo ogni anno.",
        "La caldaia deve essere controllata ogni due anni.",
        "A impressora da sala 5 precisa de um tambor novo todos os anos.",
        "De printer in kamer 5 heeft elk jaar een nieuwe drum nodig.",
        "De ketel moet om de twee jaar worden nagekeken.",
        "Drukarka w pokoju 5 potrzebuje nowego bębna co rok.",
        "Kocioł trzeba sprawdzać co dwa lata.",
        "Принтеру в комнате 5 каждый год нужен новый барабан.",
        "Котел нужно проверять каждые два года.",
        "5号室のプリンターは毎年新しいドラムが必要です。",
        "ボイラーは毎年点検しなければならない。",
        "5호실 프린터는 매년 새 드럼이 필요하다.",
        "보일러는 매년 점검해야 한다.",
        "5号房间的打印机每年需要换一个新硒鼓。",
        "锅炉需要每年检查一次。",
    ],
)
def test_what_is_needed_again_and_again_is_a_fact(text: str) -> None:
    assert classify(text).memory_type is MemoryType.FACT


@pytest.mark.parametrize(
    "text",
    [
        "The printer in room 5 needs a new drum.",
        "We need to order new chairs for every room.",
        "Die Heizung muss bis Freitag gewartet werden.",
        "The printer needs a new drum every year and I must order one by Friday.",
    ],
)
def test_what_is_needed_once_is_a_todo(text: str) -> None:
    assert classify(text).memory_type is MemoryType.TODO
