"""What decides between same, updates, contradicts, related and distinct, one sign at a time."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from memctl.association import (
    MINILM_THRESHOLDS,
    Judgement,
    Newer,
    Relation,
    Statement,
    analyse,
    judge,
    thresholds_for,
)
from memctl.association.analysis import MOST_ANALYSED_CHARACTERS
from memctl.memory import MemoryType

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def _judge(old: str, new: str, similarity: float = 0.85, **new_facts: Any) -> Judgement:
    return judge(Statement(content=new, **new_facts), Statement(content=old), similarity)


NEWER_BY_WORDING = [
    ("The pump runs at 40 °C.", "The pump now runs at 55 °C."),
    ("The pump runs at 40 °C.", "The pump runs at 55 °C instead of 40 °C."),
    ("The pump runs at 40 °C.", "From now on the pump runs at 55 °C."),
    ("The pump is in the shed.", "The pump was moved to the barn."),
    ("The pump is named Otter.", "The pump was renamed Heron."),
    ("Ada works at Norrland Mutual.", "Ada switched to Baltic Direct; she works there now."),
    ("Ada smokes.", "Ada no longer smokes."),
    ("Ada manages the depot.", "Goran now manages the depot."),
    ("The bridge is closed.", "The bridge has reopened."),
    ("Ada is looking for a flat.", "Ada found a flat."),
    ("The bike is at the workshop.", "The bike came back from the workshop."),
    ("Ada lives in Riga.", "Correction: Ada lives in Lund."),
]


@pytest.mark.parametrize(("old", "new"), NEWER_BY_WORDING)
def test_words_of_change_make_an_update_of_the_newer_text(old: str, new: str) -> None:
    judgement = _judge(old, new)
    assert (judgement.relation, judgement.newer) == (Relation.UPDATES, Newer.NEW), judgement


LONG_REASON = "after the supplier had announced that this model will not be sold any longer"

TWO_DEEDS = [
    ("Jonas wants sensor 1259 moved to the garage", "Jonas repaired ladder 245 in the garden"),
    (
        "Eun noticed that lamp 523 in house 569 drew 67 W",
        "Eun wants tripod 2933 moved to the cellar of house 186",
    ),
    (
        "Decision: van 3794 stays in the kitchen of house 662",
        "Jonas labelled speaker 1914 in the attic of house 812",
    ),
]


@pytest.mark.parametrize(("old", "new"), TWO_DEEDS)
def test_a_long_reason_in_common_makes_two_deeds_no_update(old: str, new: str) -> None:
    """A word of change in a clause that both texts have announces no change of either."""
    for first, second in ((old, new), (new, old)):
        judgement = _judge(f"{first} {LONG_REASON}.", f"{second} {LONG_REASON}.")
        assert judgement.relation in {Relation.RELATED, Relation.DISTINCT}, judgement


SEVERAL_NEW_VALUES = [
    ("The standup starts at 9:00 in room 3.", "The standup now starts at 10:00 in room 5."),
    ("The weekly call is at 14:00 in room 2.", "We moved the weekly call to 15:00 and to room 4."),
    ("Rent is 900 euros, due on the 1st.", "Rent is now 950 euros, due on the 3rd."),
]


@pytest.mark.parametrize(("old", "new"), SEVERAL_NEW_VALUES)
def test_several_values_of_one_thing_may_change_at_once(old: str, new: str) -> None:
    assert _judge(old, new).relation is Relation.UPDATES


def test_a_word_of_change_in_the_old_text_makes_it_the_newer_one() -> None:
    judgement = _judge("The pump now runs at 55 °C.", "The pump runs at 40 °C.")
    assert (judgement.relation, judgement.newer) == (Relation.UPDATES, Newer.OLD)


def test_a_known_order_of_saving_counts_for_more_than_a_word_of_change_in_the_old_text() -> None:
    old = Statement(content="The pump now runs at 55 °C.", said_at=NOON)
    new = Statement(content="The pump runs at 40 °C.", said_at=NOON + timedelta(days=40))
    judgement = judge(new, old, 0.9)
    assert (judgement.relation, judgement.newer) == (Relation.UPDATES, Newer.NEW)


def test_the_later_event_time_holds() -> None:
    old = Statement(content="The pump runs at 55 °C.", event_at=date(2026, 5, 1))
    new = Statement(content="The pump runs at 40 °C.", event_at=date(2026, 4, 1))
    earlier = judge(new, old, 0.9)
    assert (earlier.relation, earlier.newer) == (Relation.UPDATES, Newer.OLD)
    moved = Statement(content="The pump now runs at 40 °C.", event_at=date(2026, 6, 1))
    judgement = judge(moved, old, 0.9)
    assert (judgement.relation, judgement.newer) == (Relation.UPDATES, Newer.NEW)


def test_a_value_that_can_change_is_an_update_also_without_a_word_of_change() -> None:
    judgement = _judge("The router is 192.0.2.7.", "The router is 192.0.2.9.", 0.98)
    assert judgement.relation is Relation.UPDATES
    assert "192.0.2.9" in judgement.reason


CANNOT_CHANGE = [
    ("Ada was born in 1979.", "Ada was born in 1982."),
    ("The mill was built in 1740.", "The mill was built in 1760."),
    ("Ada was born in Riga.", "Ada was born in Lund."),
    ("The first ferry ran in 1899.", "The first ferry ran in 1903."),
]


@pytest.mark.parametrize(("old", "new"), CANNOT_CHANGE)
def test_a_value_that_cannot_change_is_a_contradiction(old: str, new: str) -> None:
    assert _judge(old, new).relation is Relation.CONTRADICTS


def test_a_correction_settles_what_cannot_change() -> None:
    judgement = _judge("The mill was built in 1740.", "Correction: the mill was built in 1760.")
    assert judgement.relation is Relation.UPDATES


OPPOSITES = [
    ("The hut has a stove.", "The hut has no stove."),
    ("The hut is open.", "The hut is closed."),
    ("The hut is open.", "The hut is not open."),
    ("Ada likes fog.", "Ada hates fog."),
    ("All huts have stoves.", "No hut has a stove."),
    ("All huts are warm.", "Not all huts are warm."),
    ("Ada always locks up.", "Ada never locks up."),
    ("Dogs may come in.", "Dogs must not come in."),
    ("Dogs are allowed.", "Dogs are not allowed."),
    ("The lamp is visible.", "The lamp is invisible."),
    ("Ada prefers tea to cocoa.", "Ada prefers cocoa to tea."),
    ("Ada is older than Ben.", "Ben is older than Ada."),
    ("Nobody saw the fox.", "Several hikers saw the fox."),
    ("The path runs above the lake.", "The path runs below the lake."),
]


@pytest.mark.parametrize(("old", "new"), OPPOSITES)
def test_opposites_contradict_in_either_order(old: str, new: str) -> None:
    assert _judge(old, new).relation is Relation.CONTRADICTS
    assert _judge(new, old).relation is Relation.CONTRADICTS


NO_CONTRADICTION = [
    ("Ada drinks coffee.", "Ada drinks no coffee after six."),
    ("Some huts have stoves.", "Some huts have no stoves."),
    ("The hut is closed on Mondays.", "The hut opens at seven on weekdays."),
    ("The north gate is open.", "The south gate is closed."),
    ("Ada likes fog.", "Ben hates fog."),
    ("The hut is warm.", "The hut is not far from the lake."),
]


@pytest.mark.parametrize(("old", "new"), NO_CONTRADICTION)
def test_what_both_may_hold_is_no_contradiction(old: str, new: str) -> None:
    assert _judge(old, new).relation in {Relation.RELATED, Relation.DISTINCT}


def test_two_denials_are_none() -> None:
    assert _judge("The hut is open on Mondays.", "The hut is not closed on Mondays.").relation is (
        Relation.SAME
    )


def test_not_hot_is_not_cold() -> None:
    assert _judge("The kettle is cold.", "The kettle is not hot.").relation is Relation.RELATED


TASKS = [
    ("- [ ] paint the bench", "- [x] paint the bench"),
    ("Todo: paint the bench", "The bench has been painted."),
    ("We plan to paint the bench.", "The bench was painted in May."),
    ("Renew the domain kelp.example.", "The domain kelp.example was renewed."),
]


@pytest.mark.parametrize(("old", "new"), TASKS)
def test_a_finished_task_updates_the_task(old: str, new: str) -> None:
    assert _judge(old, new).relation is Relation.UPDATES


def test_a_task_that_is_not_done_yet_stays() -> None:
    judgement = _judge("Todo: paint the bench", "The bench has not been painted yet.")
    assert judgement.relation is Relation.RELATED


def test_a_task_that_tells_of_a_deed_is_not_done_by_it() -> None:
    old = Statement(
        content="The cat went to the vet; the next visit is due in May.",
        memory_type=MemoryType.TODO,
    )
    new = Statement(content="The cat went to the vet.", memory_type=MemoryType.EVENT)
    assert judge(new, old, 0.9).relation is Relation.RELATED


def test_another_task_with_the_same_verb_is_another_task() -> None:
    assert _judge("Todo: paint the bench", "Todo: paint the boat", 0.3).relation is (
        Relation.DISTINCT
    )


def test_the_memory_type_can_make_a_text_a_task() -> None:
    old = Statement(content="a new bench for the pier", memory_type=MemoryType.TODO)
    new = Statement(content="A new bench for the pier was built.")
    assert judge(new, old, 0.9).relation is not Relation.SAME


OTHER_THINGS = [
    ("Buoy 7 is green.", "Buoy 17 is green."),
    ("Ada's boat is blue.", "Ben's boat is blue."),
    ("Invoice 88-17 is open.", "Invoice 88-71 is open."),
    ("The meeting on 4 May was short.", "The meeting on 11 May was short."),
    ("The staging server is down.", "The production server is down."),
]


@pytest.mark.parametrize(("old", "new"), OTHER_THINGS)
def test_the_same_words_about_another_thing_are_distinct(old: str, new: str) -> None:
    assert _judge(old, new, 0.98).relation is Relation.DISTINCT


def test_subjects_given_beside_the_texts_tell_things_apart() -> None:
    old = Statement(content="The frequency is 433 MHz.", subject="Gannet")
    new = Statement(content="The frequency is 868 MHz.", subject="Petrel")
    assert judge(new, old, 0.95).relation is Relation.DISTINCT
    same = Statement(content="The frequency is 868 MHz.", subject="Gannet")
    assert judge(same, old, 0.95).relation is Relation.UPDATES


def test_the_same_words_about_another_day_are_another_event() -> None:
    old = Statement(content="Ran 10 km.", memory_type=MemoryType.EVENT, event_at=date(2026, 3, 3))
    new = Statement(content="Ran 10 km.", memory_type=MemoryType.EVENT, event_at=date(2026, 3, 10))
    assert judge(new, old, 1.0).relation is Relation.RELATED


def test_a_date_in_the_text_meets_the_event_time_beside_the_other_text() -> None:
    old = Statement(content="The north oven broke down.", event_at=date(2026, 3, 14))
    new = Statement(content="The north oven broke down on 14 March 2026.")
    assert judge(new, old, 0.9).relation is Relation.SAME


def test_an_embedding_alone_makes_nothing_the_same() -> None:
    assert _judge("The heron nests here.", "The egret breeds here.", 1.0).relation is not (
        Relation.SAME
    )


def test_nearness_and_common_subjects_make_texts_related() -> None:
    old, new = "The hut has a stove.", "The hut belongs to the club."
    assert _judge(old, new, 0.5).relation is Relation.RELATED
    assert _judge("Fog came in.", "The harbour lay in mist.", 0.6).relation is Relation.RELATED
    assert _judge("Fog came in.", "Ada sold the car.", 0.05).relation is Relation.DISTINCT


def test_long_texts_never_take_the_place_of_others() -> None:
    old = "The hut has a stove and six beds, and the key hangs behind the door of the barn."
    new = (
        "We now walk up on Fridays. The stove smokes. Ada moved the beds to the barn, sold two of "
        "them, and has changed the lock since the club bought a boat for the lake."
    )
    assert _judge(old, new, 0.8).relation is Relation.RELATED


def test_questions_state_nothing() -> None:
    assert _judge("The hut is open.", "Is the hut no longer open?").relation is Relation.RELATED


def test_analyses_can_be_kept_and_used_again() -> None:
    old, new = Statement(content="The hut is open."), Statement(content="The hut is closed.")
    kept = analyse(old)
    assert judge(new, kept, 0.9) == judge(analyse(new), kept, 0.9) == judge(new, old, 0.9)


def test_every_model_has_thresholds() -> None:
    assert thresholds_for("all-MiniLM-L6-v2") is MINILM_THRESHOLDS
    assert thresholds_for("intfloat/multilingual-e5-small").candidate > (
        MINILM_THRESHOLDS.candidate
    )
    assert thresholds_for("something new") is MINILM_THRESHOLDS


def test_the_similarity_of_a_model_that_cannot_read_a_script_says_nothing() -> None:
    old, new = "우체국은 아홉 시에 연다.", "등대의 높이는 이십 미터이다."
    assert _judge(old, new, 0.95).relation is Relation.DISTINCT


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (
            "Node Petrel has the MAC address A1:B2:C3:00:11:22.",
            "Petrel now reaches the gateway at SF9.",
        ),
        (
            "Petrel now reaches the gateway at SF9.",
            "Node Petrel has the MAC address A1:B2:C3:00:11:22.",
        ),
        (
            "The kiln now heats to 1240 degrees in the red programme.",
            "The kiln has the order code K9.",
        ),
    ],
)
def test_codes_of_two_attributes_replace_nothing(new: str, old: str) -> None:
    judged = judge(Statement(content=new), Statement(content=old), 0.6)
    assert judged.relation in {Relation.RELATED, Relation.DISTINCT}


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("x < y holds for alpha", "x > y holds for alpha"),
        ("Is Lena coming?", "Lena is coming"),
        ("The file is in /tmp/A", "The file is in /tmp/a"),
        ("The load is <= the limit", "The load is the limit"),
        ("Glue and sand are mixed 3:4.", "Glue and sand are mixed 3/4."),
        ("Mi papá está en la cocina grande.", "Mi papa está en la cocina grande."),
        ("Yo tomó café sin azúcar.", "Yo tomo café sin azúcar."),
    ],
)
def test_signs_accents_and_the_case_of_paths_keep_two_claims_apart(new: str, old: str) -> None:
    for pair in ((new, old), (old, new)):
        statements = [Statement(content=content) for content in pair]
        assert judge(*statements, 0.98).relation is not Relation.SAME


def test_punctuation_and_the_case_of_words_do_not() -> None:
    new, old = (
        Statement(content="the Oven is in the Hall!"),
        Statement(content="The oven is in the hall"),
    )
    assert judge(new, old, 0.98).relation is Relation.SAME


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Oven No. 12 is broken.", "Oven number 12 is broken."),
        ("The pump no. 4 leaks.", "Pump number 4 leaks."),
    ],
)
def test_a_number_sign_denies_nothing(new: str, old: str) -> None:
    assert judge(Statement(content=new), Statement(content=old), 0.9).relation is Relation.SAME


def test_no_before_a_figure_denies_where_it_is_no_number_sign() -> None:
    new, old = "There is no 12 volt lamp.", "There is a 12 volt lamp."
    judged = judge(Statement(content=new), Statement(content=old), 0.9)
    assert judged.relation is Relation.CONTRADICTS


def test_what_goes_on_behind_the_analysed_part_is_never_one_claim() -> None:
    """The same beginning says nothing about the rest of two long texts."""
    begin = "The crane in the yard lifts four tonnes. " * 60
    assert len(begin) > MOST_ANALYSED_CHARACTERS
    for new, old in ((begin + "Left.", begin + "Right."), (begin, "The crane lifts four tonnes.")):
        judged = judge(Statement(content=new), Statement(content=old), 0.99)
        assert judged.relation is Relation.RELATED


def test_a_very_long_text_is_compared_in_no_time() -> None:
    long = "".join(f"The crane number {n} lifts {n % 9} tonnes for Anneke. " for n in range(2_000))
    started = time.monotonic()
    judge(Statement(content=long), Statement(content=long + "Done."), 0.99)
    assert time.monotonic() - started < 2
