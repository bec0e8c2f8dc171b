"""What documents give: type, day, lines and the context that lets a statement stand alone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from whole_chunk import whole_chunk

from memctl.document import Candidate
from memctl.extraction.extractor import DocumentText, TableRow, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.memory import Chunk, MemoryType

T = MemoryType


def extract(
    text: str,
    *,
    plain: bool = False,
    document_date: date | None = None,
    hours_east: int = 0,
    changed_at: datetime | None = None,
) -> list[Candidate]:
    document = DocumentText(
        text=text,
        text_format=TextFormat.PLAIN if plain else TextFormat.MARKDOWN,
        document_date=document_date,
        changed_at=changed_at,
    )
    chunk = whole_chunk(text)
    zone = timezone(timedelta(hours=hours_east)) if hours_east else UTC
    return list(RulesExtractor(zone).begin(document).extract(chunk).candidates)


def contents(text: str, **options: bool) -> list[str]:
    return [one.content for one in extract(text, **options)]


def types(text: str) -> list[MemoryType]:
    return [one.memory_type for one in extract(text)]


class TestSentences:
    def test_sentences_of_different_types_are_separate(self) -> None:
        text = "I prefer invoices as PDF. The till prints on 58 mm rolls."
        assert [(one.content, one.memory_type) for one in extract(text)] == [
            ("I prefer invoices as PDF.", T.PREFERENCE),
            ("The till prints on 58 mm rolls.", T.FACT),
        ]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("It rains often, so we decided to stay inside.", [T.OBSERVATION, T.DECISION]),
            ("The wheel squeaks; my aim is to fix it by May.", [T.GOAL]),
            ("The hall has 96 steps, and I like to climb them.", [T.FACT, T.PREFERENCE]),
            ("I'm Tess and I need to renew my press card.", [T.IDENTITY, T.TODO]),
            ("If it rains, I prefer to stay inside.", [T.PREFERENCE]),
            ("Die Halle kostet 80 Euro, und jemand muss noch zahlen.", [T.FACT, T.TODO]),
        ],
    )
    def test_clauses_are_cut_where_both_stand_alone(
        self, text: str, expected: list[MemoryType]
    ) -> None:
        assert types(text) == expected

    def test_a_sentence_with_a_pronoun_stays_with_what_it_speaks_of(self) -> None:
        text = "The new scale came from Hallow. It costs 140 credits."
        assert contents("The scale is blue. It costs 140 credits.") == [
            "The scale is blue. It costs 140 credits."
        ]
        leaning = extract(text)[-1]
        assert "scale" in leaning.content
        assert "140" in leaning.content

    def test_a_leaning_clause_repeats_its_sentence(self) -> None:
        text = "The battery is a CR2032, and I need to buy a new one this week."
        assert contents(text) == ["The battery is a CR2032", text]

    def test_a_label_within_a_paragraph_counts_for_its_sentence(self) -> None:
        text = "The mast is up. Decision: channel 217 becomes the backup channel."
        assert types(text) == [T.FACT, T.DECISION]

    def test_openings_are_left_out(self) -> None:
        assert contents("hi pip, by the way, the spare key hangs behind the rack") == [
            "the spare key hangs behind the rack"
        ]


class TestStructure:
    def test_headings_give_the_type(self) -> None:
        text = "## Preferences\n- dark roast\n\n## Ziele\n- mehr Brot\n\n## 決定\n- 港に残る\n"
        assert types(text) == [T.PREFERENCE, T.GOAL, T.DECISION]

    @pytest.mark.parametrize(
        "talk", ["ok thanks, talk later!", "Give me a sec, I'll look.", "- haha nice one", "- ok"]
    )
    def test_headings_do_not_vouch_for_talk_below_them(self, talk: str) -> None:
        for title in ("Decisions", "Preferences", "Goals"):
            assert contents(f"## {title}\n\n{talk}\n") == []
        assert types(f"## Todo\n\n{talk}\n\n- please check the printer\n") == [T.TODO]

    def test_bold_lines_and_introductions_serve_as_headings(self) -> None:
        assert types("**Goals**\n\n- more bread\n") == [T.GOAL]
        assert types("Decisions:\n\n- the door stays green\n") == [T.DECISION]
        assert contents("Bench test of node Dunlin:\n1. gives 50 mW\n") == [
            "Bench test of node Dunlin: gives 50 mW"
        ]

    def test_boxes_are_open_todos_or_done_events(self) -> None:
        assert types("- [ ] sweep the flue\n- [x] buy flour\n") == [T.TODO, T.EVENT]

    def test_labels_outweigh_headings(self) -> None:
        assert types("## Notes\n- Observation: the gulls are early\n- TODO: buy fuses\n") == [
            T.OBSERVATION,
            T.TODO,
        ]

    def test_fields_of_a_person_are_identity(self) -> None:
        assert types("- **Name:** Pip\n- **Pronouns:** they/them\n- **Port:** 8093\n") == [
            T.IDENTITY,
            T.IDENTITY,
            T.FACT,
        ]

    def test_table_rows_are_facts_under_their_heading(self) -> None:
        text = "# Radio\n\n| Node | Power |\n|---|---|\n| Gannet | 25 mW |\n"
        assert [(one.content, one.memory_type, one.first_line) for one in extract(text)] == [
            ("Radio — Node: Gannet; Power: 25 mW", T.FACT, 5)
        ]

    def test_dated_table_rows_are_events(self) -> None:
        row = extract("| Day | What |\n|---|---|\n| 2026-03-02 | oven repaired |\n")[0]
        assert (row.memory_type, row.event_at) == (T.EVENT, date(2026, 3, 2))

    def test_variable_names_become_readable(self) -> None:
        assert contents("- **fog_signal**: two long tones every ninety seconds\n") == [
            "fog signal: two long tones every ninety seconds"
        ]

    def test_plain_text_is_read_alike(self) -> None:
        text = "TODO:\n- buy milk\n\nName: Anna\nThe shop closes at six on Mondays.\n"
        assert [one.memory_type for one in extract(text, plain=True)] == [
            T.TODO,
            T.IDENTITY,
            T.FACT,
        ]


class TestContext:
    @pytest.mark.parametrize(
        ("text", "content"),
        [
            ("## Preferences\n- dark roast, never decaf\n", "Preferences: dark roast, never decaf"),
            ("## Goals for spring\n- laminated dough\n", "Goals for spring: laminated dough"),
            ("# Mast\n\n- height 14 m\n", "Mast: height 14 m"),
            ("# MEMORY.md\n\n- height 14 m\n", "height 14 m"),
            ("# 2026-03-14\n\n- height 14 m\n", "height 14 m"),
            ("# Daily log, March 2026\n\n- height 14 m\n", "height 14 m"),
            ("## Mast\n- The Mast is 14 m high\n", "The Mast is 14 m high"),
            (
                "# Boat\n\n## Material\n- The lower section is a steel tube.\n",
                "Boat > Material — The lower section is a steel tube.",
            ),
            ("# Mast\n\nI prefer tea.\n", "I prefer tea."),
        ],
    )
    def test_headings_come_along_where_they_add_something(self, text: str, content: str) -> None:
        assert contents(text) == [content]

    def test_nested_items_bring_their_parent(self) -> None:
        text = "- Gannet battery at 12.1 V\n  - the panel was dirty\n"
        assert contents(text)[1] == "Gannet battery at 12.1 V: the panel was dirty"

    def test_a_long_parent_is_shortened(self) -> None:
        parent = "Gannet battery at 12.1 V, " + "which is lower than on all the other days " * 4
        nested = contents(f"- {parent}\n  - the panel was dirty\n")[1]
        assert nested == "Gannet battery at 12.1 V: the panel was dirty"


class TestDays:
    @pytest.mark.parametrize(
        "text",
        [
            "- 2026-03-14: the oven broke down",
            "**Decision (2026-03-14):** the door stays green",
            "**Oven** (2026-03-14): it was repaired",
            "# 2026-03-14\n\n- the oven broke down",
            "## Saturday, 14 March 2026\n\n- the oven broke down",
            "On 14 March 2026 the oven broke down.",
            "Date: 2026-03-14\n\n- the oven broke down",
            "El 14 de marzo de 2026 se rompió el horno.",
            "2026年3月14日，烤箱坏了。",
        ],
    )
    def test_the_day_is_known_however_it_is_written(self, text: str) -> None:
        assert [one.event_at for one in extract(text)] == [date(2026, 3, 14)]

    def test_lines_with_times_under_a_day_know_the_instant(self) -> None:
        text = "# 2026-03-14\n\n14:20 - The tide gauge showed 4.2 m\n"
        assert [(one.content, one.event_at) for one in extract(text)] == [
            ("The tide gauge showed 4.2 m", datetime(2026, 3, 14, 14, 20, tzinfo=UTC))
        ]
        assert extract(text, hours_east=2)[0].event_at == datetime(2026, 3, 14, 12, 20, tzinfo=UTC)

    def test_a_heading_may_give_the_time(self) -> None:
        text = "# 2026-03-14\n\n## 08:40 Morning check\n\n- All nodes reported in time.\n"
        assert extract(text)[0].event_at == datetime(2026, 3, 14, 8, 40, tzinfo=UTC)

    def test_relative_days_need_the_day_of_the_document(self) -> None:
        text = "Yesterday the oven broke down."
        assert extract(text)[0].event_at is None
        assert extract(text, document_date=date(2026, 3, 15))[0].event_at == date(2026, 3, 14)

    def test_the_day_of_a_document_is_no_day_of_its_statements(self) -> None:
        assert extract("The oven is hot.", document_date=date(2026, 3, 15))[0].event_at is None

    def test_a_wrong_year_in_a_daily_title_is_set_right(self) -> None:
        found = extract("# 2025-03-14\n\n- the oven broke down", document_date=date(2026, 3, 14))
        assert found[0].event_at == date(2026, 3, 14)

    @pytest.mark.parametrize(
        "text",
        [
            "We decided to move the launch to 2026-05-09.",
            "I have to send the form by 15 May 2026.",
            "My birthday is 3 May 1990.",
            "The offer is valid until 2026-05-15.",
        ],
    )
    def test_deadlines_and_targets_are_not_when_it_was(self, text: str) -> None:
        assert extract(text)[0].event_at is None


class TestLines:
    def test_each_statement_cites_its_lines(self) -> None:
        text = "# T\n\n- one fact is that the oven is\n  hot in the morning\n  - [ ] nested task\n"
        assert [(one.first_line, one.last_line) for one in extract(text)] == [(3, 4), (5, 5)]

    def test_sentences_of_a_wrapped_paragraph_cite_their_own_lines(self) -> None:
        text = (
            "The kiln reaches 1280 degrees after nine hours of firing. We\n"
            "decided to fire it on Thursdays only, because gas is cheap.\n"
        )
        assert [(one.first_line, one.last_line) for one in extract(text)] == [(1, 1), (1, 2)]

    def test_hashtags_become_tags_and_colours_do_not(self) -> None:
        found = extract("The ember red is #c1440e and the page is done #site #Menu")[0]
        assert found.tags == ("site", "Menu")


def test_rows_of_a_table_file_are_facts_with_their_lines() -> None:
    document = DocumentText(
        text="item,price\nrye,4.80\n",
        text_format=TextFormat.TABLE,
        path="/notes/prices.csv",
        table_header=("item", "price"),
        table_rows=(TableRow(cells=("rye", "4.80"), first_line=2, last_line=2),),
    )
    chunk = Chunk(
        id="c",
        document_id="d",
        position=0,
        content=document.text,
        content_hash="",
        first_line=1,
        last_line=2,
    )
    found = RulesExtractor().begin(document).extract(chunk).candidates
    assert [(one.content, one.memory_type, one.first_line) for one in found] == [
        ("prices — item: rye; price: 4.80", T.FACT, 2)
    ]


class TestDocumentsOfDaysToCome:
    CHANGED_AT = datetime(2026, 3, 14, 9, 30, tzinfo=UTC)

    @pytest.mark.parametrize(
        "text",
        [
            "# Trip to Gannet Island, 2026-06-20\n\n- [ ] book the ferry\n- We decided to camp.\n",
            "# Trip to Gannet Island, 2026-06-20\n\n14:00 - we decided to camp.\n",
        ],
    )
    def test_a_heading_of_a_later_day_dates_no_task_and_no_decision(self, text: str) -> None:
        found = extract(text, changed_at=self.CHANGED_AT)
        assert found
        assert {one.memory_type for one in found} <= {T.TODO, T.DECISION}
        assert all(one.event_at is None for one in found)

    @pytest.mark.parametrize(
        "text",
        [
            "# Trip to Gannet Island, 2026-06-20\n\n- [x] book the ferry\n",
            "- [x] Dentist appointment on 2026-06-20 at 10:00\n",
            "- [x] 2026-06-20: book the ferry\n",
        ],
    )
    def test_what_is_ticked_off_was_not_done_on_a_later_day(self, text: str) -> None:
        [done] = extract(text, changed_at=self.CHANGED_AT)
        assert (done.memory_type, done.event_at) == (T.EVENT, None)

    def test_what_is_ticked_off_keeps_a_day_that_had_come(self) -> None:
        [done] = extract("# 2026-03-14\n\n- [x] book the ferry\n", changed_at=self.CHANGED_AT)
        assert done.event_at == date(2026, 3, 14)

    def test_what_is_to_happen_keeps_the_day_of_its_heading(self) -> None:
        text = "# 2026-06-20\n\n- The ferry to Gannet Island was booked for the family.\n"
        found = extract(text, changed_at=self.CHANGED_AT)
        assert [one.event_at for one in found] == [date(2026, 6, 20)]

    def test_a_decision_keeps_the_later_day_in_front_of_it(self) -> None:
        text = "- 2026-06-20: we decided to camp.\n"
        found = extract(text, changed_at=self.CHANGED_AT)
        assert [one.event_at for one in found] == [date(2026, 6, 20)]

    @pytest.mark.parametrize("day", ["2026-03-14", "2026-03-01"])
    def test_days_that_had_come_date_tasks_and_decisions(self, day: str) -> None:
        text = f"# {day}\n\n- [ ] book the ferry\n- We decided to camp.\n"
        found = extract(text, changed_at=self.CHANGED_AT)
        assert [one.event_at for one in found] == [date.fromisoformat(day)] * 2

    def test_a_day_that_has_come_somewhere_on_earth_has_come(self) -> None:
        text = "# 2026-03-15\n\n- We decided to camp.\n"
        late = datetime(2026, 3, 14, 21, 0, tzinfo=UTC)
        assert [one.event_at for one in extract(text, changed_at=late)] == [date(2026, 3, 15)]


@pytest.mark.parametrize(
    "line", ["Absent: Ahmed", "Apologies: Sara", "Abwesend: Jörg", "Ausentes: Inés", "缺席：小明"]
)
def test_who_did_not_come_to_a_meeting_is_not_for_memory(line: str) -> None:
    """Lines of attendance under a dated heading are no events."""
    text = f"# Meeting of 20 November 2026\n\n{line}\n"
    document = DocumentText(text=text, text_format=TextFormat.MARKDOWN)

    assert RulesExtractor().begin(document).extract(whole_chunk(text)).candidates == ()


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("[22:40] Ana: the shed key is under the pot", "Ana: the shed key is under the pot"),
        (
            "[b.1] release: the shed key is on the hook",
            "[b.1] release: the shed key is on the hook",
        ),
        ("**[Garden]**: the key is under the stone", "[Garden]: the key is under the stone"),
    ],
)
def test_a_bracket_of_a_label_stays_with_its_other_half(line: str, content: str) -> None:
    assert contents(line) == [content]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Status: approved", "Status: approved"),
        ("2026-03-04 Status: approved", "Status: approved"),
        ("- **Status:** approved by Ana", "Status: approved by Ana"),
        ("# Roof project\n\nStatus: approved", "Roof project — Status: approved"),
        ("Estado: aprobado", "Estado: aprobado"),
        ("Note: closed", "Note: closed"),
        ("Note: The shed door sticks.", "The shed door sticks."),
    ],
)
def test_a_value_keeps_the_label_in_front_of_it(text: str, expected: str) -> None:
    assert [one.content for one in extract(text)] == [expected]


def test_only_the_value_behind_a_label_keeps_it() -> None:
    statements = extract("Status: approved.\nAna signs the lease for the shed in May.")
    assert [(one.content, one.first_line, one.last_line) for one in statements] == [
        ("Status: approved.", 1, 1),
        ("Ana signs the lease for the shed in May.", 2, 2),
    ]
