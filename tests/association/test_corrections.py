"""Corrections in people's own words, and other occurrences, which correct nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memctl.association import Newer, Relation, Statement, judge
from memctl.association.contrast import Contrast, read_contrast
from memctl.association.lexicon import lexicon
from memctl.association.wording import plain_text

SIMILARITY = 0.8


def relation(old: str, new: str) -> Relation:
    """What the newer of two texts that a person says one after the other is to the older."""
    judgement = judge(Statement(content=new), Statement(content=old), SIMILARITY)
    assert judgement.newer is Newer.NEW
    return judgement.relation


@pytest.mark.parametrize(
    ("code", "text", "affirmed", "denied"),
    [
        ("en", "The rent is 950, not 900.", "The rent is 950", "900"),
        ("en", "Ida isn't a nurse but a vet.", "Ida is a vet", "a nurse"),
        ("en", "Not Mara but Ken chairs the club.", "Ken chairs the club", "Mara"),
        (
            "en",
            "The cat isn't called Miso, she's called Mo.",
            "The cat is called Mo",
            "called Miso",
        ),
        ("en", "Mr. Low is not our vet any more; Ms. Ray is.", "Ms. Ray is our vet", "Mr. Low"),
        ("en", "That is wrong: it is Nayar, not Nair.", "it is Nayar", "Nair"),
        ("de", "Der Kater heißt nicht Max, sondern Mo.", "Der Kater heißt Mo", "Max"),
        ("fr", "Il ne vit pas à Lyon mais à Nice.", "Il vit à Nice", "à Lyon"),
        ("es", "Ana no vive en Lugo, sino en Vigo.", "Ana vive en Vigo", "en Lugo"),
        ("ru", "Встреча во вторник, а не в среду.", "Встреча во вторник", "в среду"),
        ("zh", "他不是医生，而是老师。", "他是老师", "医生"),
        ("ja", "猫の名前はミケではなくタマです。", "猫の名前はタマです", "ミケ"),
        ("ko", "열쇠는 서랍이 아니라 상자에 있다.", "열쇠는 상자에 있다", "서랍"),
    ],
)
def test_a_contrast_is_read_as_a_claim_and_a_denial(
    code: str, text: str, affirmed: str, denied: str
) -> None:
    """Each language has its forms of "B, not A"; the affirmed side is a sentence of its own."""
    assert read_contrast(plain_text(text), lexicon(code)) == Contrast(affirmed, denied)


@pytest.mark.parametrize(
    "text", ["I like tea, not only in winter.", "The door is not locked.", "Not now, please."]
)
def test_a_plain_denial_sets_nothing_against_another(text: str) -> None:
    """Without a second side there is no contrast."""
    assert read_contrast(text, lexicon("en")) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ivo's surname is Nair.", "It is Nayar, not Nair."),
        ("The office is on the third floor.", "The office is on the fifth floor, not the third."),
        ("Lena works as a nurse.", "Lena is not a nurse but a pharmacist."),
        ("Tom lives in Leeds.", "Correction: Tom lives in York, not Leeds."),
        ("Clara's partner is Jonas.", "Clara's partner is Martin now."),
        ("Alice is the lead of the ads team.", "That is wrong: Alice is not the lead, Dana is."),
        ("Our landlord is Mr. Grant.", "Mr. Grant is not our landlord any more; Mrs. Webb is."),
        ("Emma is the owner of the boat.", "The boat belongs to Sofia, not to Emma."),
        ("The rent is 900 euros.", "No, the rent is 950 euros."),
        ("We meet on Tuesdays.", "We meet on Wednesdays, not on Tuesdays."),
        ("Felix plays the cello.", "Felix doesn't play the cello, he plays the viola."),
        ("We own a Skoda.", "We sold the Skoda and bought a Zoe."),
        ("Renew my passport.", "I renewed my passport."),
        ("Die Katze heißt Mimi.", "Die Katze heißt nicht Mimi, sondern Momo."),
        (
            "Mon médecin est le docteur Roy.",
            "Mon médecin est le docteur Blanc, pas le docteur Roy.",
        ),
        ("Mi hermana vive en Lugo.", "Mi hermana no vive en Lugo, sino en Vigo."),
        ("Deadline on 3 May", "Deadline on 10 May"),
        ("Pick up the parcel from the shop.", "Picked up the parcel from the shop."),
        ("Sam is 34 years old.", "Sam is 35 years old, not 34."),
        ("I drive to work.", "I don't drive to work anymore, I cycle."),
        ("The wedding is on 12 June.", "The wedding is on 19 June."),
        ("Die Miete beträgt 900 Euro.", "Die Miete beträgt 950 Euro, nicht 900."),
        ("Кота зовут Барсик.", "Кота зовут не Барсик, а Мурзик."),
        ("我的医生是王医生。", "我的医生不是王医生，而是李医生。"),
    ],
)
def test_a_correction_takes_the_place_of_what_it_corrects(old: str, new: str) -> None:
    """What the new text denies of the same thing no longer holds."""
    assert relation(old, new) is Relation.UPDATES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Lena works as a nurse.", "Ida is not a nurse but a pharmacist."),
        ("Tom lives in Leeds.", "Tom likes York, not Leeds."),
        ("The office is on the third floor.", "The canteen is on the fifth floor, not the third."),
        ("The gate code is 4412.", "The north gate code is 4411, not 4412."),
        ("Mara is the treasurer of the club.", "Ken is the secretary, not the treasurer."),
        ("They meet on Tuesdays.", "We meet on Wednesdays, not on Tuesdays."),
        ("Room 3 seats 10.", "Room 4 seats 12, not 10."),
        ("The door is blue.", "It is green, not blue."),
        ("Meeting with Carol on 2026-03-04.", "Meeting with Carol on 2026-03-11."),
        ("Stand-up on Monday", "Stand-up on Tuesday"),
        ("Dentist appointment on 5 May 2026", "Dentist appointment on 11 November 2026"),
        ("We have a stand-up on Monday.", "We have a stand-up on Tuesday."),
        ("There is a concert on 5 May.", "There is a concert on 12 November."),
        ("Anna visits us on 3 May.", "Anna visits us on 10 June."),
        ("We're having dinner with Jo on Friday.", "We're having dinner with Jo on Saturday."),
        ("Our vet is Dr. Low.", "Their vet is now Dr. Ray."),
        ("Greta drives the red car.", "Not Greta but Nils drives the blue van."),
        ("The team uses Slack.", "The design team uses Matrix now."),
        ("Chorprobe am Montag", "Chorprobe am Donnerstag"),
        ("Réunion avec Paul le 3 mars", "Réunion avec Paul le 10 mars"),
    ],
)
def test_another_thing_or_occurrence_takes_no_ones_place(old: str, new: str) -> None:
    """A denial about another thing corrects nothing, nor does the same on another day."""
    assert relation(old, new) not in {Relation.UPDATES, Relation.SAME}


def test_a_correction_that_was_said_before_does_not_hold_now() -> None:
    """Known times count more than words of change."""
    old = Statement(content="Tom lives in Leeds.", said_at=_day(2026))
    new = Statement(content="Tom lives in York, not Leeds.", said_at=_day(2020))
    judgement = judge(new, old, SIMILARITY)
    assert (judgement.relation, judgement.newer) == (Relation.UPDATES, Newer.OLD)


def _day(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)
