"""A language model writes one statement for memories of one matter, and only a faithful one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from workshop import Workshop

from memctl.document import Usage
from memctl.errors import (
    LanguageModelBudgetError,
    LanguageModelResponseError,
    MemctlError,
    MissingLanguageModelError,
)
from memctl.extraction.llm import Completion
from memctl.maintenance.consolidate import LEFT_ALONE_KEY
from memctl.maintenance.consolidation import propose, what_is_wrong
from memctl.maintenance.plan import DEFAULT_STEPS, StepName
from memctl.memory import EntryKind, ForgetReason, Memory, MemoryType, Origin, RelationType

CONSOLIDATE = StepName.CONSOLIDATE
MOMENT = datetime(2026, 3, 4, 12, tzinfo=UTC)
NOTES = (
    "The greenhouse has 4 windows",
    "Noor painted the greenhouse windows green",
    "The greenhouse windows face the shed",
)
OTHERS = ("Ada bakes rye bread", "Rye bread is what Ada bakes on 7 days")
BREAD = "Ada bakes rye bread on 7 days"
WHOLE = "The greenhouse has 4 windows, which face the shed; Noor painted them green"


class QueueModel:
    """Answers with what it was given, one answer a question, and keeps the questions."""

    name = "fake"

    def __init__(self, *answers: str | MemctlError) -> None:
        self.answers = list(answers)
        self.questions: list[str] = []

    def complete(self, messages: Sequence[Any], **_details: Any) -> Completion:
        self.questions.append(messages[-1]["content"])
        answer = self.answers.pop(0)
        if isinstance(answer, MemctlError):
            raise answer
        return Completion(json.dumps({"statement": answer}), False, Usage(calls=1))


def memory(content: str, **fields: Any) -> Memory:
    values = {
        "id": content,
        "memory_type": MemoryType.FACT,
        "importance": 0.5,
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "last_accessed_at": MOMENT,
        **fields,
    }
    return Memory(content=content, **values)


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        (WHOLE, None),
        ("The greenhouse windows, which Noor painted green, face the shed", "lost 4"),
        (f"{WHOLE} in 2019", "added 2019"),
        (f"{WHOLE} (March 2026)", None),
        ("The greenhouse has 4 windows, which face the shed; they were painted green", "lost Noor"),
        ("Noor has 4 greenhouse windows", "leaves out most of memory The gree"),
        (f"{WHOLE} {'and very nice ' * 20}", "longer than the memories"),
    ],
)
def test_nothing_may_be_lost_or_added(statement: str, wrong: str | None) -> None:
    found = what_is_wrong(statement, [memory(text) for text in NOTES])
    assert found is None if wrong is None else wrong in (found or "")


def test_the_model_is_shown_the_dates_and_fenced_data() -> None:
    model = QueueModel(WHOLE)
    known = [memory(text, event_at=date(2025, 7, 9)) for text in NOTES]
    assert propose(model, known).statement == WHOLE
    [question] = model.questions
    assert "K1: (happened 2025-07-09, noted 2026-03-04) The greenhouse has 4 windows" in question
    assert question.startswith("BEGIN ")


def test_a_model_may_say_that_they_do_not_belong_together() -> None:
    proposal = propose(QueueModel(" "), [memory(text) for text in NOTES])
    assert (proposal.statement, proposal.refused) == (
        None,
        "the model found that they are not about one thing",
    )


@pytest.fixture
def near_notes(workshop: Workshop) -> list[str]:
    """Three memories of one matter with equal vectors, one of them recalled."""
    return save_near(workshop, NOTES)


def save_near(workshop: Workshop, texts: Sequence[str]) -> list[str]:
    """Memories that a real model would find near to each other."""
    ids = workshop.save_many(*texts)
    workshop.make_near(*ids)
    return ids


def test_one_statement_stands_for_the_others_until_it_is_undone(
    workshop: Workshop, near_notes: list[str]
) -> None:
    other = workshop.save("Ada likes tea").id
    with workshop.store.operation("link") as operation:
        operation.associate([(other, near_notes[1], RelationType.CAUSED_BY, 0.5)])
        operation.edit(near_notes[0], {"tags": ("garden",), "importance": 0.7})
    workshop.store.record_accesses([near_notes[1]])
    workshop.clock.advance(days=50)
    workshop.maintain(StepName.DECAY)
    before = workshop.rows()
    planned = workshop.maintain(CONSOLIDATE, dry_run=True, model=QueueModel())[CONSOLIDATE]
    assert (planned.planned, len(planned.plan.changes)) == (1, 3)
    assert workshop.rows() == before
    report = workshop.maintain(CONSOLIDATE, model=QueueModel(WHOLE))[CONSOLIDATE]
    assert report.consolidation is not None
    [written] = report.consolidation.written
    assert (written.content, set(written.hidden_ids)) == (WHOLE, set(near_notes))
    kept = workshop.graph.memory(written.memory_id)
    assert (kept.origin, kept.tags, kept.access_count) == (Origin.LLM, ("garden",), 1)
    assert kept.importance == pytest.approx(0.7 * 0.95**2)
    assert kept.decayed_from == 0.7
    for memory_id in near_notes:
        hidden = workshop.graph.memory(memory_id)
        assert (hidden.superseded_by, hidden.forgotten_reason) == (kept.id, ForgetReason.MERGED)
    edges = workshop.graph.associations_of([kept.id])
    assert [(edge.source_id, edge.target_id) for edge in edges] == [(other, kept.id)]
    workshop.check_agreement()
    assert workshop.maintain(CONSOLIDATE, model=QueueModel())[CONSOLIDATE].planned == 0
    workshop.undo()
    assert workshop.rows() == before
    workshop.check_agreement()


def test_what_is_lost_by_the_model_is_left_alone_and_not_asked_for_again(
    workshop: Workshop, near_notes: list[str]
) -> None:
    before = workshop.rows()
    report = workshop.maintain(CONSOLIDATE, model=QueueModel("Windows"))[CONSOLIDATE]
    assert (report.planned, report.applied) == (1, 0)
    assert report.consolidation is not None
    [left] = report.consolidation.left_alone
    assert (set(left.memory_ids), left.why) == (set(near_notes), "the statement lost 4")
    assert workshop.rows() == before
    assert workshop.maintain(CONSOLIDATE, model=QueueModel())[CONSOLIDATE].planned == 0


def test_groups_have_at_most_five_members_and_no_contradictions(workshop: Workshop) -> None:
    texts = [f"The greenhouse window {word} is green" for word in "abcdefgh"]
    ids = save_near(workshop, texts)
    with workshop.store.operation("link") as operation:
        operation.associate([(ids[0], ids[1], RelationType.CONTRADICTS, 0.5)])
        operation.edit(ids[2], {"pinned": True})
    report = workshop.maintain(CONSOLIDATE, dry_run=True, model=QueueModel())[CONSOLIDATE]
    groups = {change.note: 0 for change in report.plan.changes}
    assert list(groups) == ["with 4 more, into one statement", "with 1 more, into one statement"]
    together = [change.memory_id for change in report.plan.changes]
    assert (ids[2] in together, len(together)) == (False, 7)


def test_a_spent_budget_stops_cleanly_and_the_next_run_goes_on(workshop: Workshop) -> None:
    first = save_near(workshop, NOTES)
    second = save_near(workshop, OTHERS)
    spent = LanguageModelBudgetError(model="fake", why="the run's limit of 1 call is reached")
    model = QueueModel(WHOLE, spent)
    report = workshop.maintain(CONSOLIDATE, StepName.COMPACT, model=model)
    assert report[CONSOLIDATE].applied == 1
    assert report[CONSOLIDATE].consolidation.error is spent  # type: ignore[union-attr]
    assert StepName.COMPACT in report
    workshop.check_agreement()
    again = QueueModel(BREAD)
    assert workshop.maintain(CONSOLIDATE, model=again)[CONSOLIDATE].applied == 1
    assert len(workshop.texts()) == 2
    assert {*first, *second}.isdisjoint(workshop.index.ids(EntryKind.MEMORY))


def test_an_unusable_answer_concerns_its_group_only(workshop: Workshop) -> None:
    save_near(workshop, NOTES)
    save_near(workshop, OTHERS)
    broken = LanguageModelResponseError(model="fake", why="it is no JSON")
    model = QueueModel(broken, BREAD)
    report = workshop.maintain(CONSOLIDATE, model=model)[CONSOLIDATE]
    assert report.applied == 1
    assert [left.why for left in report.consolidation.left_alone] == ["it is no JSON"]  # type: ignore[union-attr]


def test_it_needs_a_language_model_and_is_done_only_when_asked_for(workshop: Workshop) -> None:
    save_near(workshop, NOTES)
    for dry_run in (True, False):
        with pytest.raises(MissingLanguageModelError):
            workshop.maintain(CONSOLIDATE, dry_run=dry_run)
    assert CONSOLIDATE not in DEFAULT_STEPS
    assert CONSOLIDATE not in workshop.maintain()


def test_a_statement_that_one_of_them_makes_already_lets_it_stand_for_the_others(
    workshop: Workshop,
) -> None:
    *_, whole = ids = save_near(workshop, [*NOTES, WHOLE])
    workshop.maintain(CONSOLIDATE, model=QueueModel(WHOLE))
    assert workshop.texts() == {WHOLE}
    assert {workshop.graph.memory(key).superseded_by for key in ids[:3]} == {whole}


def test_one_run_hides_no_more_than_its_share_and_the_next_goes_on(workshop: Workshop) -> None:
    save_near(workshop, OTHERS)
    save_near(workshop, NOTES)
    workshop.save_many("Alders", "Birches", "Cedars")
    first = workshop.maintain(CONSOLIDATE, yes=False, model=QueueModel(BREAD))[CONSOLIDATE]
    assert (first.applied, first.plan.withheld) == (1, 1)
    second = workshop.maintain(CONSOLIDATE, yes=False, model=QueueModel(WHOLE))[CONSOLIDATE]
    assert (second.applied, second.plan.withheld) == (1, 0)
    assert workshop.maintain(CONSOLIDATE, model=QueueModel())[CONSOLIDATE].planned == 0


def test_a_run_that_has_hidden_its_share_consolidates_nothing(workshop: Workshop) -> None:
    """The one group that a small store may always give waits where another step hid something."""
    save_near(workshop, NOTES)
    workshop.save("over", expires_at=workshop.clock.now + timedelta(days=1))
    workshop.clock.advance(days=2)
    steps = (StepName.EXPIRE, CONSOLIDATE)
    first = workshop.maintain(*steps, yes=False, model=QueueModel())
    assert [first[name].applied for name in steps] == [1, 0]
    assert first[CONSOLIDATE].plan.withheld == 1
    second = workshop.maintain(*steps, yes=False, model=QueueModel(WHOLE))
    assert (second[CONSOLIDATE].applied, second[CONSOLIDATE].plan.withheld) == (1, 0)


def test_a_group_that_was_left_alone_costs_no_second_call_after_a_stop(workshop: Workshop) -> None:
    save_near(workshop, NOTES)
    save_near(workshop, OTHERS)
    spent = LanguageModelBudgetError(model="fake", why="the run's limit of 1 call is reached")
    first = workshop.maintain(CONSOLIDATE, model=QueueModel("Windows", spent))[CONSOLIDATE]
    assert (first.planned, first.applied) == (2, 0)
    second = workshop.maintain(CONSOLIDATE, model=QueueModel(BREAD))[CONSOLIDATE]
    assert (second.planned, second.applied) == (1, 1)
    assert LEFT_ALONE_KEY not in workshop.graph.facts()
