"""Statements of list items with a name in front, and clauses that lean on what stands before."""

from __future__ import annotations

import pytest
from whole_chunk import whole_chunk

from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor


def statements(text: str) -> list[tuple[str, str]]:
    """The types and texts of what a markdown text states."""
    document = DocumentText(text=text, text_format=TextFormat.MARKDOWN)
    chunk = whole_chunk(text)
    found = RulesExtractor().begin(document).extract(chunk).candidates
    return [(one.memory_type.value, one.content) for one in found]


def test_a_name_that_is_worded_like_an_order_is_none() -> None:
    """Nobody is told to water a butt."""
    said = "Water butt (2026-02-08): the second butt holds 300 litres"
    assert statements("- **Water butt** (2026-02-08): the second butt holds 300 litres") == [
        ("fact", said)
    ]


@pytest.mark.parametrize("text", ["Water the ferns: they hang low.", "TODO: water the ferns"])
def test_an_order_before_a_colon_stays_one(text: str) -> None:
    assert [kind for kind, _ in statements(f"- {text}")] == ["todo"]


def test_a_clause_that_needs_the_one_before_it_does_not_repeat_it() -> None:
    said = "Replaced the vent motor — the old one was worn."
    assert statements(f"- {said}") == [("event", said)]


@pytest.mark.parametrize("between", [" ", "\n", "\n\n"])
def test_a_sentence_in_another_language_is_read_in_its_own(between: str) -> None:
    text = f"Der Klempner kommt am Freitag um 9 Uhr.{between}Zoë prefers café crème."
    assert statements(text) == [
        ("fact", "Der Klempner kommt am Freitag um 9 Uhr."),
        ("preference", "Zoë prefers café crème."),
    ]


def test_when_the_next_visit_is_due_says_more_of_the_last_one() -> None:
    """A past event stays one, whatever it says of the next."""
    said = "Pickle went to the vet for her vaccination; the next one is due in March 2027."
    assert statements(f"- {said}") == [("event", said)]


def test_what_was_decided_is_no_task_though_it_has_a_deadline() -> None:
    said = "Wir haben beschlossen, bis Juni einen Transporter zu kaufen."
    assert statements(said) == [("decision", said)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The bike was serviced on 2 August 2026 by Radwerk; they changed the chain.", "event"),
        ("We agreed to go with Halden Roofing; their quote was 4,200.", "decision"),
        ("The pairing trial runs with both teams. They agreed to start on Monday.", "decision"),
        ("Das Fahrrad wurde am 2. August 2026 gewartet; sie haben die Kette gewechselt.", "event"),
    ],
)
def test_what_leans_on_a_statement_and_adds_no_other_kind_is_part_of_it(
    text: str, kind: str
) -> None:
    """One statement, with the day and the price of all of it, of the type that is clearest."""
    assert statements(text) == [(kind, text)]


def test_what_leans_on_a_statement_and_is_clearly_of_another_kind_repeats_it() -> None:
    first = "The compressor failed on 2026-03-09."
    whole = f"{first} It tends to fail whenever the hall is warmer than 30 degrees."
    assert statements(whole) == [("event", first), ("observation", whole)]


@pytest.mark.parametrize(
    ("first", "whole"),
    [
        ("My aunt keeps the chapel key", "My aunt keeps the chapel key and I want to copy it."),
        ("The lift in the annex sticks.", "The lift in the annex sticks. I'd rather not use it."),
    ],
)
def test_what_takes_up_a_whole_statement_for_another_subject_repeats_it(
    first: str, whole: str
) -> None:
    """The first one, a fact without figures, stays a statement of its own."""
    assert [content for _, content in statements(whole)] == [first, whole]


def test_rows_of_a_table_of_people_are_about_others() -> None:
    """Who they are is no identity of the one who wrote the table."""
    table = "| Person | Instrument |\n|---|---|\n| Mira | viola |\n| Lev | horn |\n"
    assert [kind for kind, _ in statements(table)] == ["fact", "fact"]


def test_a_licence_of_the_writers_own_is_a_fact_and_that_of_a_text_is_none() -> None:
    assert statements("License: MIT") == []
    assert [kind for kind, _ in statements("License: our own code is MIT")] == ["fact"]


def test_the_name_of_an_offer_makes_it_no_field() -> None:
    assert statements("Descubre nuestras ofertas: hasta un 40 % de descuento en calzado.") == []
