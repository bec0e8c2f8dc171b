"""Whom a sentence is about: nobody whom its writer knows, or somebody or something of his own."""

from __future__ import annotations

import pytest
from whole_chunk import whole_chunk

from memctl.extraction.extractor import DocumentText, ExtractionResult, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.extraction.rules.language import detect_language
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.subjects import Subject, subject_of
from memctl.extraction.rules.worth import NOBODYS


def extract(text: str) -> ExtractionResult:
    document = DocumentText(text=text, text_format=TextFormat.MARKDOWN)
    return RulesExtractor().begin(document).extract(whole_chunk(text))


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("He sold it.", Subject.PRONOUN),
        ("The very old fisherman sighed.", Subject.UNNAMED),
        ("Senators left the hall.", Subject.PUBLIC),
        ("The documentary shows a pier.", Subject.WORK),
        ("Nobody knows why.", Subject.ANYBODY),
        ("The upload failed.", Subject.PROGRAM),
        ("Our noodles are cold.", Subject.EVERYDAY),
        ("L'actrice a pleuré.", Subject.PUBLIC),
        ("Las medusas brillan.", Subject.KIND),
        ("Пауки плетут сети.", Subject.KIND),
        ("海盗举起了旗。", Subject.UNNAMED),
        ("海賊は旗を上げた。", Subject.UNNAMED),
        ("젊은 해적이 깃발을 올렸다.", Subject.UNNAMED),
        ("The film club meets here.", None),
        ("The key of the minister is lost.", None),
        ("The rye is ground on site.", None),
    ],
)
def test_the_first_noun_tells_whom_a_sentence_is_about(text: str, subject: Subject | None) -> None:
    """Articles and adjectives are passed over; a noun before another noun is no subject."""
    folded = fold(text)
    assert subject_of(folded, detect_language(folded)) is subject


@pytest.mark.parametrize(
    "text",
    [
        "He closed the shutters and waited.",
        "They argued again.",
        "Ella apagó la vela y se marchó.",
        "Sie löschte die Kerze und ging.",
        "Она задула свечу и ушла.",
        "她吹灭蜡烛，离开了。",
        "彼女はろうそくを吹き消した。",
        "그녀는 촛불을 껐다.",
        "The old shepherd leaned on his staff.",
        "A stranger knocked three times.",
        "Un chevalier traversa le pont.",
        "Stary rybak wyciągnął sieci.",
        "The chancellor spoke of hard times on Tuesday.",
        "Der Kanzler sprach am Dienstag von harten Zeiten.",
        "El parlamento aprobó la ley el martes.",
        "Il senato ha respinto la legge martedì.",
        "Парламент во вторник отклонил закон.",
        "国会は火曜日に法案を否決した。",
        "The documentary follows three beekeepers.",
        "Le film raconte la vie d'un horloger.",
        "Los murciélagos duermen cabeza abajo.",
        "Os golfinhos dormem com um olho aberto.",
        "Nietoperze śpią głową w dół.",
        "鲸鱼用肺呼吸。",
        "Nobody enjoys queueing.",
        "The transaction was declined.",
        "La sesión ha terminado.",
    ],
)
def test_what_is_about_nobody_known_is_no_memory(text: str) -> None:
    """Pronouns without anybody before them, figures of tales, the news, films, kinds of animals and
    messages of programs give nothing."""
    result = extract(text)
    assert result.candidates == ()
    assert result.rejected


def test_what_is_about_nobody_known_is_counted_with_its_reason() -> None:
    """The reason stands in the result as for all that is left out."""
    assert dict(extract("The old shepherd leaned on his staff.").rejected) == {NOBODYS: 1}


@pytest.mark.parametrize(
    "text",
    [
        "She passed her diving exam on 9 June 2026.",
        "He owes Marit 40 euros.",
        "They deliver gravel on Mondays.",
        "Marit moved out. She left the bicycle.",
        "# Marit\n\nShe left the bicycle in the yard.",
        "The woman from the council comes on Thursday.",
        "The man upstairs is called Olsen.",
        "The soldier figure of my grandfather is made of lead.",
        "The minister of our parish is Father Quinn.",
        "The documentary about our harbour is finished.",
        "The film club meets in the library.",
        "Los pulpos de mi acuario comen gambas.",
        "Die Sitzung ist auf Dienstag verschoben.",
        "Nobody at the pottery knows the alarm code.",
        "The connection to the mast goes through the barn.",
        "Everybody on the quay uses the blue crane.",
        "- The old shepherd's hut is rented until May.",
        "## Events\n\nThe minister came by.",
    ],
)
def test_what_names_somebody_or_something_of_ones_own_is_a_memory(text: str) -> None:
    """A name, a day, a figure, a personal word, a heading or what was said before vouches."""
    assert extract(text).candidates
