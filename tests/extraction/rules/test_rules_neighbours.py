"""What blocks are by those around them: quoted mail, poems, songs and plays give no memories."""

from __future__ import annotations

import pytest
from whole_chunk import whole_chunk

from memctl.extraction.extractor import DocumentText, ExtractionResult, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor


def extract(text: str, text_format: TextFormat = TextFormat.MARKDOWN) -> ExtractionResult:
    document = DocumentText(text=text, text_format=text_format)
    return RulesExtractor().begin(document).extract(whole_chunk(text))


@pytest.mark.parametrize(
    "text",
    [
        "> On Mon, 9 Feb 2026, Lev Holt wrote:\n> I want to sell the cart.\n\nFine!",
        "On Mon, 9 Feb 2026, Lev Holt wrote:\n\n> We decided to sell the cart.",
        "Am 9.2.2026 um 8:01 schrieb Lev Holt:\n\n> Wir haben beschlossen, umzuziehen.",
        "Le 9 févr. 2026 à 8:01, Lev Holt a écrit :\n\n> Je préfère la charrette bleue.",
        "> I want to sell the cart.\n\nFine!",
    ],
)
def test_what_somebody_else_wrote_in_a_mail_is_not_the_answers(text: str) -> None:
    """Lines behind ``>`` are another one's words where the line before them says so, or where they
    speak of "I" and an answer follows."""
    found = extract(text)
    assert found.candidates == ()
    assert dict(found.rejected)["quoted mail"] >= 1


@pytest.mark.parametrize("text_format", [TextFormat.PLAIN, TextFormat.CHAT])
def test_a_line_right_above_a_quotation_names_its_writer_in_any_text(
    text_format: TextFormat,
) -> None:
    """It is no heading of what is quoted, in a mail and in a note."""
    before = "[2026-02-10] Ada Wirth: " if text_format is TextFormat.CHAT else ""
    text = (
        f"{before}We meet at the mill.\n\n  On Mon, 9 Feb 2026, Lev Holt wrote:\n"
        "  > I prefer the blue cart."
    )
    found = extract(text, text_format)
    assert dict(found.rejected)["quoted mail"] >= 1
    assert not any("blue cart" in candidate.content for candidate in found.candidates)


@pytest.mark.parametrize(
    "text",
    [
        "# Cart\n\n> We decided to sell the cart in May.",
        "I wrote to myself:\n\n> We decided to sell the cart in May.",
        "> The cart weighs 80 kilos.\n\nFine!",
    ],
)
def test_a_quotation_that_nobody_answers_is_a_note(text: str) -> None:
    assert len(extract(text).candidates) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The mill is standing in the snow,\nThe wheel has nowhere left to go,\n"
        "The miller's lamp is burning low,\nThe river sleeps beneath.",
        "Old river, carry me along,\nPast meadow, bridge and steeple,\n"
        "I never learned another song,\nNor met with other people.",
        "Der Abend kommt, die Glocke schweigt,\nDie Schwalben ziehen weiter,\n"
        "Der Mond, der aus dem Weiher steigt,\nMacht meine Seele heiter.",
    ],
)
def test_lines_that_break_off_and_go_on_with_a_capital_are_a_poem(text: str) -> None:
    assert extract(text).candidates == ()


def test_the_lines_of_a_song_are_left_out_where_its_parts_are_named() -> None:
    assert extract("[Verse 1]\nI live by the river\n[Chorus]\nI want to go home").candidates == ()


def test_the_lines_below_two_dashes_are_a_signature() -> None:
    found = extract(
        "We decided to sell the cart.\n\n-- \nMira Holt\nHead of Sales\n\nI live in Ribe."
    )
    assert [one.content for one in found.candidates] == [
        "We decided to sell the cart.",
        "I live in Ribe.",
    ]


def test_the_short_lines_below_kind_regards_say_who_sent_a_mail() -> None:
    mail = "We decided to sell the cart.\n\nRegards,\nMira\n\nMira Holt\nOffice: +44 20 7946 0000\n"
    assert [one.content for one in extract(mail).candidates] == ["We decided to sell the cart."]
    assert len(extract(f"{mail}\nPS: I live in Ribe, not in Esbjerg.").candidates) == 2


def test_lines_of_notes_are_no_poem() -> None:
    """They do not break off."""
    notes = "I prefer the early ferry\nI hate loud hotels\nI want to learn Danish\nI live in Ribe"
    assert len(extract(notes).candidates) == 4


@pytest.mark.parametrize(
    "text",
    [
        "[The curtain rises on a cellar.]\nMIRA: I have waited here since harvest.",
        "(Thunder.)\n\nKING: I decided to spare the town.\n\nFOOL: I prefer the soup.",
        "KING (rising): I decided to spare the town.",
    ],
)
def test_speeches_beside_stage_directions_are_literature(text: str) -> None:
    assert extract(text).candidates == ()


def test_a_transcript_with_names_in_capitals_is_no_play() -> None:
    """Nothing is said there of how anybody moves."""
    assert len(extract("MIRA: I prefer the early ferry.\nLEV: I live in Ribe.").candidates) == 2
