"""When that was which somebody says in a sentence of their own."""

from __future__ import annotations

from datetime import date

import pytest

from memctl.extraction.rules.said import Said, read_said
from memctl.memory import MemoryType

DAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "memory_type", "event_day"),
    [
        ("On 3 March 2026 Anton proposed on the ferry", MemoryType.EVENT, date(2026, 3, 3)),
        ("Yesterday the oven broke", MemoryType.EVENT, date(2026, 11, 27)),
        ("Gestern ist der Ofen kaputtgegangen", MemoryType.EVENT, date(2026, 11, 27)),
        ("On 3 March 2026 we chose Postgres", MemoryType.DECISION, date(2026, 3, 3)),
        ("We went hiking last week", MemoryType.EVENT, None),
        ("Pay the rent by 3 March 2027", MemoryType.TODO, None),
        ("Call Ada on 2026-12-03", MemoryType.TODO, date(2026, 12, 3)),
        ("Pay the invoice of 2026-03-03", MemoryType.TODO, None),
        ("Anton's birthday is 3 March 1980", MemoryType.FACT, None),
        ("We visited Ada on 3 March 2026 and Ben on 5 May 2026", MemoryType.EVENT, None),
    ],
)
def test_one_day_that_a_text_names_is_when_it_was(text, memory_type, event_day):
    """As in a file; deadlines, birthdays and one of several days are no such day."""
    assert read_said(text, day=DAY) == Said(memory_type, event_day)


def test_a_given_type_decides_what_a_day_in_a_text_means():
    """A todo of yesterday is still to be done, so it has no day on which it happened."""
    text = "Yesterday the oven broke"
    assert read_said(text, day=DAY, memory_type=MemoryType.TODO).event_day is None


@pytest.mark.parametrize(
    ("text", "event_day"),
    [
        ("Dinner with Farid on 4 December 2026", date(2026, 12, 4)),
        ("Dinner with Farid next Friday at 19:00", date(2026, 12, 4)),
        ("Tomorrow: dentist at 8:30.", date(2026, 11, 29)),
        ("The parcel comes the day after tomorrow", date(2026, 11, 30)),
        ("Follow-up on Dec 4 at 10:00.", date(2026, 12, 4)),
        ("Zahnarzt morgen um 8:30", date(2026, 11, 29)),
        ("Nächsten Freitag um 19:00 Abendessen mit Farid", date(2026, 12, 4)),
        ("Rendez-vous chez le dentiste demain à 8h30", date(2026, 11, 29)),
        ("Dîner avec Farid vendredi prochain", date(2026, 12, 4)),
        ("Cena con Farid el 4 de diciembre de 2026", date(2026, 12, 4)),
        ("Mañana por la mañana dentista", date(2026, 11, 29)),
        ("Cena con Farid venerdì prossimo", date(2026, 12, 4)),
        ("Jantar com Farid na próxima sexta-feira", date(2026, 12, 4)),
        ("Volgende vrijdag eten met Farid", date(2026, 12, 4)),
        ("Jutro wizyta u dentysty", date(2026, 11, 29)),
        ("В следующую пятницу ужин с Фаридом", date(2026, 12, 4)),
        ("明天晚上和小李聚餐", date(2026, 11, 29)),
        ("明日は歯医者です", date(2026, 11, 29)),
        ("내일 치과 진료가 있어요", date(2026, 11, 29)),
    ],
)
def test_what_is_arranged_for_a_day_is_an_event_of_that_day(text, event_day):
    """Counted from the day of saying it, a Saturday."""
    assert read_said(text, day=DAY) == Said(MemoryType.EVENT, event_day)


@pytest.mark.parametrize(
    ("text", "event_day"),
    [
        ("Remind me to call the tax office tomorrow", date(2026, 11, 29)),
        ("Erinnere mich morgen an das Finanzamt", date(2026, 11, 29)),
        ("Book dinner with Farid on 4 December", date(2026, 12, 4)),
    ],
)
def test_what_is_to_be_done_on_a_day_is_a_todo_of_that_day(text, event_day):
    assert read_said(text, day=DAY) == Said(MemoryType.TODO, event_day)


@pytest.mark.parametrize(
    "text",
    ["Jeden Morgen gibt es Tee", "Am Morgen ist der Ofen kalt", "Ada's birthday is 4 December"],
)
def test_mornings_and_yearly_days_are_no_day_to_come(text):
    assert read_said(text, day=DAY).event_day is None
