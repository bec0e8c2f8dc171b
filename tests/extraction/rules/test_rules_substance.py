"""What a sentence that stands alone has to say to be found again: some thing, and what lasts."""

from __future__ import annotations

import pytest
from whole_chunk import whole_chunk

from memctl.extraction.extractor import DocumentText, ExtractionResult, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor


def extract(text: str) -> ExtractionResult:
    document = DocumentText(text=text, text_format=TextFormat.MARKDOWN)
    return RulesExtractor().begin(document).extract(whole_chunk(text))


@pytest.mark.parametrize(
    "text",
    [
        "The pigeons are fluttering again.",
        "Somebody upstairs is hoovering.",
        "The scanner is humming loudly.",
        "El loro está silbando otra vez.",
        "Il vicino sta fischiettando.",
        "O papagaio está assobiando.",
        "Le voisin est en train de siffler.",
    ],
)
def test_what_others_are_at_just_now_is_no_memory(text: str) -> None:
    """What is going on while a sentence is written is over when it is read."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "The neighbours are building a sauna behind the hedge.",
        "The nephew is studying geology in the north.",
        "The spare fuse is hanging behind the cupboard.",
        "I'm volunteering at the animal shelter.",
        "The scouts are camping here until 3 May.",
    ],
)
def test_what_goes_on_for_weeks_is_kept(text: str) -> None:
    """A form of the present tells of the moment only where its verb does, of others, undated."""
    assert len(extract(text).candidates) == 1


@pytest.mark.parametrize(
    "text",
    [
        "I need to check that again.",
        "We have to do it again.",
        "I want to hear this again.",
        "Ich muss das noch lesen.",
        "Devo farlo ancora.",
        "Tengo que repetirlo.",
        "I have to finish this chapter first.",
        "Das muss erst mal trocknen.",
        "Всё починили!",
    ],
)
def test_a_deed_on_nothing_that_is_named_is_no_memory(text: str) -> None:
    """What is to be done or was done counts with the thing that it is done to."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "I need to grease the hinges.",
        "We have to call the glazier.",
        "I want to learn pottery.",
        "Ich muss den Glaser anrufen.",
        "Devo chiamare il vetraio.",
        "Tengo que llamar al cristalero.",
        "The dishwasher broke.",
        "I have to do it by 4 May 2026.",
        "The gutter leaks. I have to fix it.",
    ],
)
def test_a_deed_on_something_named_is_kept(text: str) -> None:
    """A named thing, a day, or a sentence before it says what a deed is about."""
    assert len(extract(text).candidates) >= 1


@pytest.mark.parametrize(
    "text",
    [
        "Hugs and cheers from all of us.",
        "Out of sight, as ever.",
        "Nothing to it.",
        "La verdad, nada nuevo.",
    ],
)
def test_a_lone_scrap_that_names_next_to_nothing_is_no_memory(text: str) -> None:
    """Words that are among the most common ones of their language name nothing."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "The parrot is grey.",
        "My bicycle is green.",
        "I am vegetarian.",
        "Parking costs nothing on 3 May.",
        "# Garden\n\nLots of shade.",
        "- spare bulbs: top shelf",
    ],
)
def test_few_words_are_kept_where_something_says_what_they_are_about(text: str) -> None:
    """A certain subject, a figure, a heading or a list vouches for a short statement."""
    assert len(extract(text).candidates) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The parcel fell over, one sec.",
        "A moth flew into the lamp, hang on.",
        "I have to feed the chickens, brb.",
    ],
)
def test_what_is_said_before_asking_to_wait_is_no_memory(text: str) -> None:
    """It does not matter whether the reason or the wish to wait comes first."""
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "08:01:55 [mailer] giving up on message 4",
        "2026-05-01 08:01:55 <sync> two files skipped",
        "robin_42 joined the channel",
        "guest7 left the chat\nguest9 joined the chat",
        "1 Preface\n2 Tools of the trade\n3 Wood",
        "Inside\n1 Preface\n2 Tools of the trade",
    ],
)
def test_lines_of_programs_and_of_contents_are_no_memories(text: str) -> None:
    """Exact times with a part of a program behind them, comings and goings in a chat, and titles
    that are numbered one after the other are known by their form."""
    assert [one.content for one in extract(text).candidates if one.content != "Inside"] == []


@pytest.mark.parametrize(
    "text",
    [
        "Olga left the choir on 3 May 2026.",
        "3 drills\n5 hammers from the cellar",
        "I have to fill in the insurance form by 3 May 2026.",
        "Wir müssen den Antrag bis 3. Mai 2026 ausfüllen.",
        "Нужно заполнить анкету до пятницы.",
        "打印机放在地下室的柜子里。",
        "Please send receipts by letter post.",
        "Don't put photos in reports to the council.",
    ],
)
def test_what_only_looks_like_a_form_or_a_log_is_kept(text: str) -> None:
    """Forms that somebody has to fill in, counted things and people are of the writer's world."""
    assert len(extract(text).candidates) >= 1
