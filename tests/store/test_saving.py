"""What saving a text means for the memories that are there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from fakes.steady_clock import SteadyClock
from harness import Harness, ingest, make_chunks, make_document
from hypothesis import given
from hypothesis import strategies as st

from memctl.errors import UsageError
from memctl.memory import ForgetReason, Memory, MemoryType, Origin, RelationType
from memctl.new_memory import NewMemory, Outcome, RelatedMemory
from memctl.store.saving import SUPERSEDED_IMPORTANCE_FACTOR, clean, plan_saves

YESTERDAY = date(2026, 3, 3)
INGESTING = [Origin.FILE, Origin.LLM, Origin.IMPORT]
DELIBERATE = [Origin.USER, Origin.AGENT]


def test_a_new_text_becomes_a_memory_with_all_that_was_said(harness: Harness) -> None:
    receipt = harness.save(
        "  We chose PostgreSQL\r\nfor billing.  ",
        memory_type=MemoryType.DECISION,
        importance=0.75,
        source="cli",
        channel_id="ops",
        session_id="s1",
        subject="billing",
        key="billing.database",
        tags=("db", " work ", "db", ""),
        event_at=YESTERDAY,
        expires_at=datetime(2027, 1, 1, tzinfo=UTC),
        pinned=True,
        origin=Origin.AGENT,
    )
    memory = harness.graph.memory(receipt.id)
    assert receipt.outcome is Outcome.CREATED
    assert memory.content == "We chose PostgreSQL\nfor billing."
    assert memory == replace(
        memory,
        memory_type=MemoryType.DECISION,
        importance=0.75,
        source="cli",
        channel_id="ops",
        session_id="s1",
        subject="billing",
        key="billing.database",
        tags=("db", "work"),
        event_at=YESTERDAY,
        expires_at=datetime(2027, 1, 1, tzinfo=UTC),
        pinned=True,
        origin=Origin.AGENT,
        access_count=0,
        forgotten=False,
        superseded_by=None,
    )
    assert memory.created_at == memory.updated_at == memory.last_accessed_at


@pytest.mark.parametrize(
    ("said", "guess", "expected"),
    [
        (None, None, MemoryType.FACT),
        (None, MemoryType.GOAL, MemoryType.GOAL),
        (MemoryType.TODO, MemoryType.GOAL, MemoryType.TODO),
    ],
)
def test_the_type_is_what_was_said_else_guessed_else_a_fact(
    harness: Harness, said: MemoryType | None, guess: MemoryType | None, expected: MemoryType
) -> None:
    receipt = harness.save("Ship it", memory_type=said, suggested_type=guess)
    memory = harness.graph.memory(receipt.id)
    assert (memory.memory_type, memory.importance) == (expected, expected.default_importance)


@pytest.mark.parametrize("text", ["", "  \n\t ", "\r\n", "\u00a0 \u2003"])
def test_a_text_of_nothing_is_refused(harness: Harness, text: str) -> None:
    with pytest.raises(UsageError, match="no text"):
        harness.save(text)
    assert harness.operation_count() == 0


@pytest.mark.parametrize("importance", [1.5, -0.1, float("nan"), float("inf")])
def test_an_importance_outside_0_to_1_is_refused(harness: Harness, importance: float) -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        harness.save("text", importance=importance)


@pytest.mark.parametrize("again", ["One  text", " One\ntext", "Ｏｎｅ text"])
def test_the_same_content_again_is_unchanged_and_writes_nothing(
    harness: Harness, again: str
) -> None:
    first = harness.save("One text")
    before = harness.graph.memory(first.id)
    second = harness.save(again)
    assert (second.id, second.outcome) == (first.id, Outcome.UNCHANGED)
    assert harness.graph.memory(first.id) == before
    assert harness.operation_count() == 1


@pytest.mark.parametrize(
    "other", ["one text", "One text.", "One text 2", "The router is 192.168.9.1"]
)
def test_a_text_that_differs_at_all_is_a_memory_of_its_own(harness: Harness, other: str) -> None:
    harness.save("The router is 192.168.7.1")
    harness.save("One text")
    assert harness.save(other).outcome is Outcome.CREATED
    assert len(harness.listed()) == 3


def test_the_same_content_in_another_channel_is_another_memory(harness: Harness) -> None:
    ids = {harness.save("One text", channel_id=channel).id for channel in (None, "a", "b")}
    assert len(ids) == 3
    assert harness.save("One text", channel_id="b").outcome is Outcome.UNCHANGED


def test_the_same_content_about_another_time_is_another_memory(harness: Harness) -> None:
    first = harness.save("Standup was held", event_at=YESTERDAY)
    second = harness.save("Standup was held", event_at=YESTERDAY + timedelta(days=1))
    assert second.outcome is Outcome.CREATED
    again = harness.save("Standup was held", event_at=YESTERDAY)
    assert (again.id, again.outcome) == (first.id, Outcome.UNCHANGED)
    assert harness.save("Standup was held").outcome is Outcome.UNCHANGED


@pytest.mark.parametrize("origin", DELIBERATE)
@pytest.mark.parametrize(
    "said",
    [
        {"memory_type": MemoryType.GOAL},
        {"importance": 0.9},
        {"tags": ("new",)},
        {"pinned": True},
        {"key": "a.key"},
        {"subject": "Ada"},
        {"expires_at": datetime(2027, 1, 1, tzinfo=UTC)},
        {"event_at": YESTERDAY},
    ],
)
def test_what_is_said_anew_about_a_known_text_edits_its_memory(
    harness: Harness, origin: Origin, said: dict[str, object]
) -> None:
    first = harness.save("One text", tags=("old",))
    before = harness.graph.memory(first.id)
    second = harness.save("One text", origin=origin, **said)
    after = harness.graph.memory(first.id)
    assert (second.id, second.outcome) == (first.id, Outcome.UPDATED)
    expected = said | {"tags": ("new", "old") if "tags" in said else ("old",)}
    assert after == replace(before, updated_at=after.updated_at, **expected)  # type: ignore[arg-type]
    assert after.updated_at > before.updated_at
    assert harness.save("One text", origin=origin, **said).outcome is Outcome.UNCHANGED


def test_a_guessed_type_edits_nothing(harness: Harness) -> None:
    first = harness.save("One text", memory_type=MemoryType.GOAL)
    second = harness.save("One text", suggested_type=MemoryType.EVENT)
    assert second.outcome is Outcome.UNCHANGED
    assert harness.graph.memory(first.id).memory_type is MemoryType.GOAL


@pytest.mark.parametrize("origin", INGESTING)
def test_a_file_that_restates_a_text_changes_nothing_of_what_was_said(
    harness: Harness, origin: Origin
) -> None:
    first = harness.save("One text", memory_type=MemoryType.IDENTITY, importance=0.95)
    before = harness.graph.memory(first.id)
    second = harness.save(
        "One text", origin=origin, memory_type=MemoryType.EVENT, importance=0.1, tags=("x",)
    )
    assert (second.id, second.outcome) == (first.id, Outcome.UNCHANGED)
    assert harness.graph.memory(first.id) == before


def test_a_key_again_with_another_text_lets_the_new_memory_take_the_place(
    harness: Harness,
) -> None:
    old = harness.save("The database is MySQL", key="db", importance=0.8)
    new = harness.save("The database is PostgreSQL", key=" db ")
    assert new.outcome is Outcome.UPDATED
    assert new.related == (RelatedMemory(old.id, RelationType.UPDATES),)
    superseded = harness.graph.memory(old.id)
    assert superseded.superseded_by == new.id
    assert superseded.importance == pytest.approx(0.8 * SUPERSEDED_IMPORTANCE_FACTOR)
    assert not superseded.forgotten
    holder = harness.graph.find_by_key("db")
    assert holder is not None
    assert holder.id == new.id
    [edge] = harness.graph.associations_of([old.id])
    assert (edge.source_id, edge.target_id, edge.relation_type) == (
        new.id,
        old.id,
        RelationType.UPDATES,
    )
    assert harness.listed() == ["The database is PostgreSQL"]


def test_a_key_again_with_the_same_text_is_unchanged(harness: Harness) -> None:
    first = harness.save("The database is MySQL", key="db")
    second = harness.save("The database is MySQL", key="db")
    assert (second.id, second.outcome) == (first.id, Outcome.UNCHANGED)


def test_a_known_text_may_take_over_a_key(harness: Harness) -> None:
    holder = harness.save("The database is MySQL", key="db")
    other = harness.save("The database is PostgreSQL")
    taken = harness.save("The database is PostgreSQL", key="db")
    assert (taken.id, taken.outcome) == (other.id, Outcome.UPDATED)
    assert taken.related == (RelatedMemory(holder.id, RelationType.UPDATES),)
    assert harness.graph.memory(holder.id).superseded_by == other.id
    harness.check_truth()


def test_a_memory_may_give_up_one_key_for_that_of_another(harness: Harness) -> None:
    second = harness.save("second", key="k2")
    first = harness.save("first", key="k1")
    third = harness.save("third", key="k3")
    news = [("third", "k1"), ("second", "k3"), ("fourth", "k2")]
    with harness.store.operation("import") as operation:
        receipts = operation.save_many([NewMemory(content=text, key=key) for text, key in news])
    assert [receipt.id for receipt in receipts[:2]] == [third.id, second.id]
    holders = {key: harness.graph.find_by_key(key) for key in ("k1", "k2", "k3")}
    assert {key: held and held.content for key, held in holders.items()} == {
        "k1": "third",
        "k2": "fourth",
        "k3": "second",
    }
    assert harness.graph.memory(first.id).superseded_by == third.id
    harness.check_truth()


def test_going_back_to_an_earlier_value_makes_a_new_memory_of_it(harness: Harness) -> None:
    first = harness.save("The database is MySQL", key="db")
    harness.save("The database is PostgreSQL", key="db")
    third = harness.save("The database is MySQL", key="db")
    assert third.outcome is Outcome.UPDATED
    assert third.id != first.id
    assert harness.listed() == ["The database is MySQL"]
    assert len(harness.graph.history(first.id)) == 3


@pytest.mark.parametrize("origin", INGESTING)
def test_a_file_does_not_bring_back_what_the_user_forgot(harness: Harness, origin: Origin) -> None:
    receipt = harness.save("My old address")
    harness.forget(receipt.id)
    again = harness.save("My old address", origin=origin)
    assert (again.id, again.outcome) == (receipt.id, Outcome.UNCHANGED)
    assert harness.listed() == []


@pytest.mark.parametrize("origin", DELIBERATE)
def test_a_deliberate_save_of_a_forgotten_text_works(harness: Harness, origin: Origin) -> None:
    receipt = harness.save("My old address")
    harness.forget(receipt.id)
    again = harness.save("My old address", origin=origin)
    assert again.outcome is Outcome.CREATED
    assert again.id != receipt.id
    assert harness.listed() == ["My old address"]
    assert harness.graph.memory(receipt.id).forgotten


@pytest.mark.parametrize(
    "reason", [ForgetReason.DOCUMENT, ForgetReason.PRUNED, ForgetReason.EXPIRED]
)
def test_a_file_brings_back_what_only_upkeep_had_hidden(
    harness: Harness, reason: ForgetReason
) -> None:
    receipt = harness.save("The API has two versions", importance=0.05)
    with harness.store.operation("maintain") as operation:
        operation.forget([receipt.id], reason)
    again = harness.save("The API has two versions", origin=Origin.FILE, importance=0.6)
    memory = harness.graph.memory(receipt.id)
    assert (again.id, again.outcome) == (receipt.id, Outcome.CREATED)
    assert (memory.forgotten, memory.forgotten_reason) == (False, None)
    assert memory.importance == 0.6


def test_what_comes_back_with_a_file_leaves_its_key_to_who_has_it_now(harness: Harness) -> None:
    old = harness.save("value 1", key="k")
    with harness.store.operation("maintain") as operation:
        operation.forget([old.id], ForgetReason.PRUNED)
    new = harness.save("value 2", key="k")
    harness.save("value 1", origin=Origin.FILE)
    assert sorted(harness.listed()) == ["value 1", "value 2"]
    holder = harness.graph.find_by_key("k")
    assert holder is not None
    assert holder.id == new.id


def test_a_file_that_still_says_an_outdated_text_is_no_news(harness: Harness) -> None:
    old = harness.save("The database is MySQL", key="db")
    harness.save("The database is PostgreSQL", key="db")
    again = harness.save("The database is MySQL", origin=Origin.FILE)
    assert (again.id, again.outcome) == (old.id, Outcome.UNCHANGED)
    assert harness.listed() == ["The database is PostgreSQL"]


def test_a_text_whose_memory_has_expired_is_saved_anew(harness: Harness) -> None:
    first = harness.save("Parking is free", expires_at=harness.clock.now + timedelta(hours=1))
    harness.clock.advance(hours=2)
    second = harness.save("Parking is free")
    assert second.outcome is Outcome.CREATED
    assert second.id != first.id
    assert harness.listed() == ["Parking is free"]


def test_many_texts_have_one_receipt_each_in_their_order(harness: Harness) -> None:
    texts = ["a", "b", "a", "c", "b", "d"]
    with harness.store.operation("import") as operation:
        receipts = operation.save_many([NewMemory(content=text) for text in texts])
    contents = harness.graph.memories([receipt.id for receipt in receipts])
    assert [contents[receipt.id].content for receipt in receipts] == texts
    assert [str(receipt.outcome) for receipt in receipts] == [
        "created",
        "created",
        "unchanged",
        "created",
        "unchanged",
        "created",
    ]
    assert harness.operation_count() == 1


def test_one_wrong_text_among_many_leaves_nothing(harness: Harness) -> None:
    with pytest.raises(UsageError), harness.store.operation("import") as operation:
        operation.save_many([NewMemory(content="good"), NewMemory(content=" ")])
    assert harness.listed() == []
    assert harness.operation_count() == 0


def test_one_key_many_times_in_a_batch_keeps_the_last(harness: Harness) -> None:
    with harness.store.operation("import") as operation:
        operation.save_many([NewMemory(content=f"value {n}", key="k") for n in range(4)])
    assert harness.listed() == ["value 3"]
    [live] = harness.graph.list_memories()
    assert [memory.content for memory in harness.graph.history(live.id)] == [
        f"value {n}" for n in range(4)
    ]
    harness.check_truth()


def test_the_state_of_the_text_does_not_matter_for_saving_it(harness: Harness) -> None:
    for text in (
        "[red]x[/red]",
        "\x1b[31mred",
        "a\0b",
        "x" * 100_000,
        "'; DROP TABLE memories; --",
    ):
        receipt = harness.save(text)
        assert harness.graph.memory(receipt.id).content == text.replace("\0", "\ufffd")


def test_a_chunk_that_states_a_known_text_is_added_to_its_places(harness: Harness) -> None:
    receipt = harness.save("Deploys happen on Tuesday")
    ingest(harness, "/notes/deploy.md", ["Deploys happen on Tuesday"])
    citation = harness.graph.citations([receipt.id])[receipt.id]
    assert str(citation) == "/notes/deploy.md:1"
    assert harness.graph.memory(receipt.id).origin is Origin.USER
    assert len(harness.listed()) == 1


def test_statements_of_a_file_know_their_document_and_lines(harness: Harness) -> None:
    document = make_document("/notes/a.md", "x")
    chunks = make_chunks("first line\nsecond line")
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(document, chunks)
        new = NewMemory(content="second line", origin=Origin.FILE, first_line=2, last_line=2)
        [receipt] = operation.commit_chunk(begun.chunks[0].id, [new])
    memory = harness.graph.memory(receipt.id)
    assert (memory.document_id, memory.chunk_id) == (begun.document.id, begun.chunks[0].id)
    assert (memory.first_line, memory.last_line) == (2, 2)


texts = st.sampled_from(["alpha", "beta", "gamma", "Alpha"])
news = st.builds(
    NewMemory,
    content=texts,
    memory_type=st.sampled_from([None, MemoryType.GOAL, MemoryType.TODO, MemoryType.EVENT]),
    importance=st.sampled_from([None, 0.2]),
    channel_id=st.sampled_from([None, "a"]),
    key=st.sampled_from([None, "k1", "k2"]),
    tags=st.sampled_from([(), ("x",), ("y",)]),
    event_at=st.sampled_from([None, YESTERDAY, date(2026, 3, 4)]),
    origin=st.sampled_from([Origin.USER, Origin.FILE]),
)


def state_after(groups: list[list[NewMemory]]) -> list[Memory]:
    """All memories after saving groups of texts, one plan for each group."""
    clock, numbers = SteadyClock(), iter(range(1000))
    known: dict[str, Memory] = {}
    for group in groups:
        plan = plan_saves(
            [clean(new) for new in group],
            known.values(),
            now=clock(),
            make_id=lambda: f"id {next(numbers):03}",
        )
        known |= {memory.id: memory for memory in plan.created}
        known |= {after.id: after for _, after in plan.changed}
    return list(known.values())


def without_times(memories: list[Memory]) -> list[Memory]:
    moment = SteadyClock().now
    return [
        replace(memory, created_at=moment, updated_at=moment, last_accessed_at=moment)
        for memory in memories
    ]


@given(st.lists(news, max_size=12))
def test_saving_many_at_once_is_saving_them_one_by_one(group: list[NewMemory]) -> None:
    one_by_one = state_after([[new] for new in group])
    assert without_times(state_after([group])) == without_times(one_by_one)


@given(st.lists(news, max_size=12))
def test_what_files_say_again_creates_nothing(group: list[NewMemory]) -> None:
    said = [replace(new, key=None, origin=Origin.FILE) for new in group]
    assert without_times(state_after([said, said])) == without_times(state_after([said]))


@given(st.lists(news, max_size=12))
def test_what_people_say_again_creates_nothing(group: list[NewMemory]) -> None:
    said = [replace(new, key=None, event_at=None) for new in group]
    twice, once = state_after([said, said]), state_after([said])
    assert [memory.id for memory in twice] == [memory.id for memory in once]


@given(st.lists(news, max_size=12))
def test_no_two_live_memories_have_one_key_or_say_the_same(group: list[NewMemory]) -> None:
    live = [memory for memory in state_after([group]) if memory.superseded_by is None]
    keys = [memory.key for memory in live if memory.key is not None]
    said = [
        (memory.content_hash, memory.channel_id, memory.event_at, memory.memory_type)
        for memory in live
    ]
    assert len(keys) == len(set(keys))
    assert len(said) == len(set(said))


@given(st.lists(news, max_size=12))
def test_what_a_plan_supersedes_has_a_successor_that_exists(group: list[NewMemory]) -> None:
    memories = {memory.id: memory for memory in state_after([group])}
    for memory_id in memories:
        chain = [memory_id]
        while (successor_id := memories[chain[-1]].superseded_by) is not None:
            assert successor_id not in chain
            chain.append(successor_id)
