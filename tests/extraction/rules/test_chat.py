"""Chats in a document: each message is read for itself, with its speaker and its day."""

from __future__ import annotations

from datetime import date

import pytest
from whole_chunk import whole_chunk

from memctl.document import Candidate
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.memory import MemoryType


def _read(
    text: str, text_format: TextFormat = TextFormat.PLAIN, document_date: date | None = None
) -> tuple[Candidate, ...]:
    document = DocumentText(text=text, text_format=text_format, document_date=document_date)
    return RulesExtractor().begin(document).extract(whole_chunk(text)).candidates


def _days(text: str) -> list[tuple[str, str]]:
    return [(one.content, str(one.event_at)[:10]) for one in _read(text)]


PHONE = """\
[21/11/2026, 18:00:00] Odile: \u200eMessages and calls are end-to-end encrypted.
[21/11/2026, 18:03:10] Me: We take the 10:12 train tomorrow
[21/11/2026, 18:04:02] Odile: great.
[21/11/2026, 18:05:00] Odile: I started the new job today
and it is fun so far
[21/11/2026, 18:06:00] Me: where is it?
\u200e[21/11/2026, 18:06:30] Odile: \u200eimage omitted
[22/11/2026, 09:06:00] Me: I am allergic to shrimps by the way
[22/11/2026, 09:07:10] Odile: I live in Brest.
"""


def test_messages_of_a_phone_are_read_one_by_one() -> None:
    """Each message has its own day and lines; what others say has their name in front."""
    found = [
        (one.content, str(one.event_at)[:10], one.first_line, one.last_line) for one in _read(PHONE)
    ]

    assert found == [
        ("We take the 10:12 train tomorrow", "2026-11-22", 2, 2),
        ("Odile: I started the new job today and it is fun so far", "2026-11-21", 4, 5),
        ("I am allergic to shrimps by the way", "None", 8, 8),
        ("Odile: I live in Brest.", "None", 9, 9),
    ]


def test_what_others_say_of_themselves_is_a_fact() -> None:
    """Only the writer of the document has an identity there; the others' matter as facts do."""
    found = {one.content: (one.memory_type, one.importance) for one in _read(PHONE)}

    assert found["I am allergic to shrimps by the way"] == (MemoryType.IDENTITY, 1.0)
    assert found["Odile: I live in Brest."] == (MemoryType.FACT, 0.6)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "21/11/2026, 18:00 - Messages and calls are end-to-end encrypted.\n"
            "21/11/2026, 18:03 - Me: Dentist next Tuesday\n"
            "21/11/2026, 18:04 - Odile: <Media omitted>\n"
            "21/11/2026, 18:05 - Odile: I bought a kayak today\n",
            [
                ("Dentist next Tuesday", "2026-11-24"),
                ("Odile: I bought a kayak today", "2026-11-21"),
            ],
            id="a dash behind the stamp",
        ),
        pytest.param(
            "--- Saturday, 21 November 2026 ---\n"
            "[18:03] <me> I am allergic to shrimps\n"
            "[18:05] *** tom has joined #kitchen\n"
            "[18:07] <odile> I bought a kayak today\n",
            [("I am allergic to shrimps", "None"), ("odile: I bought a kayak today", "2026-11-21")],
            id="IRC under a line with the day",
        ),
        pytest.param(
            "Odile, [21.11.2026 18:02]\nI bought a kayak today.\n\nMe, [21.11.2026 18:03]\nnice!\n",
            [("Odile: I bought a kayak today.", "2026-11-21")],
            id="Telegram",
        ),
        pytest.param(
            "Odile — 21/11/2026 18:02\nI bought a kayak today.\n"
            "Me — 21/11/2026 18:03\nnice!\n"
            "Odile — 22/11/2026 18:09\nI sold the old one to Tom yesterday.\n",
            [
                ("Odile: I bought a kayak today.", "2026-11-21"),
                ("Odile: I sold the old one to Tom yesterday.", "2026-11-21"),
            ],
            id="Discord",
        ),
        pytest.param(
            "odile: hi, are you there?\nme: yes\nodile: I live in Brest.\nme: cool\n",
            [("odile: I live in Brest.", "None")],
            id="names alone",
        ),
        pytest.param(
            "[2026-11-21 18:02] Odile: hello\n[2026-11-21 18:03] Odile: I bought a kayak today\n",
            [("Odile: I bought a kayak today", "2026-11-21")],
            id="Signal",
        ),
        pytest.param(
            "21.11.26, 18:03 - Ich: Morgen habe ich einen Zahnarzttermin.\n"
            "21.11.26, 18:04 - Jörg: Ich bin gegen Nüsse allergisch.\n"
            "21.11.26, 18:05 - Jörg: <Medien ausgeschlossen>\n",
            [
                ("Morgen habe ich einen Zahnarzttermin.", "2026-11-22"),
                ("Jörg: Ich bin gegen Nüsse allergisch.", "None"),
            ],
            id="German",
        ),
        pytest.param(
            "4/11/26, 6:03 p. m. - Yo: Mañana tengo cita con el dentista.\n"
            "4/11/26, 6:04 p. m. - Inés: Soy alérgica a los cacahuetes.\n"
            "4/11/26, 6:05 p. m. - Inés: ¿Qué tal?\n",
            [
                ("Mañana tengo cita con el dentista.", "2026-11-05"),
                ("Inés: Soy alérgica a los cacahuetes.", "None"),
            ],
            id="Spanish, in which days go first",
        ),
        pytest.param(
            "[2026/11/21 下午6:03:00] 我: 我对虾过敏。\n"
            "[2026/11/21 下午6:04:00] 小明: 我明天下午三点去看牙医。\n"
            "[2026/11/21 下午6:05:00] 小明: 好的\n",
            [("我对虾过敏。", "None"), ("小明: 我明天下午三点去看牙医。", "2026-11-22")],
            id="Chinese",
        ),
        pytest.param(
            "[3/4/26, 6:04:02 PM] Ann: I met Bob yesterday at the harbour.\n"
            "[3/14/26, 6:04:02 PM] Ann: did you?\n",
            [("Ann: I met Bob yesterday at the harbour.", "2026-03-03")],
            id="a later stamp tells that months go first",
        ),
        pytest.param(
            "[3/4/26, 6:04:02 PM] Ann: I met Bob yesterday at the harbour.\n"
            "[3/5/26, 6:04:02 PM] Ann: did you?\n",
            [("Ann: I met Bob yesterday at the harbour.", "2026-03-03")],
            id="where PM is in capitals months go first",
        ),
        pytest.param(
            "12/10/2026, 18:04 - Ann: I met Bob yesterday at the harbour.\n"
            "12/10/2026, 18:05 - Ann: did you?\n",
            [("Ann: I met Bob yesterday at the harbour.", "2026-10-11")],
            id="where years are long days go first",
        ),
        pytest.param(
            "3/4/26, 18:04 - Ann: I met Bob yesterday at the harbour.\n"
            "3/5/26, 18:05 - Ann: did you?\n",
            [("Ann: I met Bob yesterday at the harbour.", "None")],
            id="days that read two ways are none",
        ),
        pytest.param(
            "[12.10.26, 18:04:02] Mara: Dentist next Saturday at 10\n",
            [("Mara: Dentist next Saturday at 10", "2026-10-17")],
            id="one message of a messenger",
        ),
        pytest.param(
            "12/10/2026, 18:04 - Mara: The oven is 60 cm wide.\n"
            "13/10/2026, 18:05 - Mara: Beatrix is vegetarian.\n",
            [("Mara: The oven is 60 cm wide.", "None"), ("Mara: Beatrix is vegetarian.", "None")],
            id="a messenger's chat in which nobody speaks of themselves",
        ),
    ],
)
def test_shapes_of_chats(text: str, expected: list[tuple[str, str]]) -> None:
    """Whatever stands before a message, its text alone is kept, dated by its own day."""
    assert _days(text) == expected


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("We take the ferry on Saturday", "2026-10-17"),
        ("The dentist is on Saturday at 10", "2026-10-17"),
        ("We went to Gotland on Saturday.", "2026-10-10"),
        ("Am Samstag habe ich einen Zahnarzttermin.", "2026-10-17"),
        ("Wir waren am Samstag in Wismar.", "2026-10-10"),
        ("El sábado tengo cita con el dentista.", "2026-10-17"),
        ("We decided on Friday to use SQLite.", "None"),
        ("The shop is closed on Saturdays.", "None"),
        ("The library always closes at 6 on Saturday.", "None"),
    ],
)
def test_a_weekday_alone_is_the_last_or_the_coming_one(said: str, when: str) -> None:
    """Counted from the day of the message, a Monday; what comes back has no day."""
    assert _days(f"[12.10.26, 18:04:02] Mara: {said}\n") == [(f"Mara: {said}", when)]


def test_a_chat_in_a_markdown_note_leaves_the_note_alone() -> None:
    """What is above and below a pasted chat is read as before, with its own lines."""
    text = (
        "# Summer\n\nThe cabin costs 300 euros.\n\n"
        "**Odile** 18:02\nI moved to Lisbon in March.\n\n**Me** 18:03\ngreat!\n\n"
        "## Decisions\n\n- We rent the boat from Tom.\n"
    )

    found = [(one.content, one.first_line) for one in _read(text, TextFormat.MARKDOWN)]

    assert found == [
        ("Summer — The cabin costs 300 euros.", 3),
        ("Odile: I moved to Lisbon in March.", 6),
        ("We rent the boat from Tom.", 13),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Name: Odile\nHobby: kayaking\nName: Tom\nHobby: tennis\n",
        "Note: I paid the hall.\nAbsent: Ahmed\nNote: the key is with Tom.\nAbsent: Sara\n",
        "09:30 Standup: I told Sara about the kayak.\n10:30 Call: Tom brings the boat.\n",
        "2026-11-21 18:04:02,115 - tom: I am up\n2026-11-21 18:04:03,200 - tom: idle\n",
        "2026-11-21 18:04:02 INFO: I am up\n2026-11-21 18:04:03 WARN: are you there?\n",
        "Q: How do I log in?\nA: With your name.\nQ: And then?\nA: You wait.\n",
    ],
)
def test_what_is_no_chat_is_read_as_it_was(text: str) -> None:
    """Fields, minutes, diaries, logs and questions with answers are no chats: nobody says it."""
    speakers = ("Odile:", "Tom:", "tom:", "Q:", "A:", "INFO:")

    assert not any(one.content.startswith(speakers) for one in _read(text))
