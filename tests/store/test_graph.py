"""Reading the graph: lists, prefixes, neighbours, adjacency, history, citations, counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from harness import Harness, ingest, make_chunks, make_document, statements_of
from sqlalchemy import event

from memctl.content import hash_content
from memctl.document import DocumentStatus
from memctl.errors import AmbiguousMemoryError, ShortPrefixError, UnknownMemoryError
from memctl.memory import Chunk, MemoryFilter, MemorySort, MemoryType, Origin, RelationType
from memctl.new_memory import NewMemory
from memctl.store.memory_store import MemoryStore
from memctl.store.neighbourhood import AdjacencyKind, Adjacent


def save_with_ids(harness: Harness, *ids: str) -> None:
    """Saves one memory under each id; its text is the id."""
    for memory_id in ids:
        store = MemoryStore(
            harness.database,
            index_factory=lambda: harness.index,
            embedder_factory=lambda: harness.embedder,
            make_id=lambda memory_id=memory_id: memory_id,  # type: ignore[misc]
        )
        with store.operation("save") as operation:
            operation.save(NewMemory(content=f"text of {memory_id}"))


def test_a_prefix_finds_the_one_id_that_starts_with_it(harness: Harness) -> None:
    save_with_ids(harness, "3fa91111-a", "3fa92222-b", "77771111-c")
    for prefix, expected in {
        "7777": "77771111-c",
        "3fa91": "3fa91111-a",
        "3FA92": "3fa92222-b",
        " 3fa92222-b ": "3fa92222-b",
        "77771111-c": "77771111-c",
    }.items():
        assert harness.graph.resolve(prefix) == expected


def test_a_prefix_of_several_names_them(harness: Harness) -> None:
    save_with_ids(harness, *(f"3fa9{number}" for number in range(8)))
    with pytest.raises(AmbiguousMemoryError) as caught:
        harness.graph.resolve("3fa9")
    assert "3fa90 ('text of 3fa90')" in str(caught.value)
    assert "…" in str(caught.value)


def test_candidates_are_shown_as_far_as_it_takes_to_tell_them_apart(harness: Harness) -> None:
    save_with_ids(harness, "3fa91111-aaa1", "3fa91111-aaa2")
    with pytest.raises(AmbiguousMemoryError, match=r"3fa91111-aaa1 \('.*, 3fa91111-aaa2 \('"):
        harness.graph.resolve("3fa9")


def test_an_id_that_another_one_starts_with_is_found_when_it_is_given_whole(
    harness: Harness,
) -> None:
    save_with_ids(harness, "3fa91", "3fa912")
    assert harness.graph.resolve("3fa91") == "3fa91"


@pytest.mark.parametrize("prefix", ["", "3", "3fa", "   ", "ab "])
def test_a_short_prefix_says_how_many_characters_it_needs(harness: Harness, prefix: str) -> None:
    with pytest.raises(ShortPrefixError, match="at least 4"):
        harness.graph.resolve(prefix)


@pytest.mark.parametrize("prefix", ["ffff", "%%%%", "____", "\U0010ffff" * 4, "3fa9zzzz", "' OR"])
def test_a_prefix_of_none_is_not_found(harness: Harness, prefix: str) -> None:
    save_with_ids(harness, "3fa91111-a")
    with pytest.raises(UnknownMemoryError):
        harness.graph.resolve(prefix)


def test_hidden_memories_are_found_only_when_they_are_asked_for(harness: Harness) -> None:
    save_with_ids(harness, "3fa91111-a", "3fa92222-b")
    harness.forget("3fa91111-a")
    assert harness.graph.resolve("3fa9") == "3fa92222-b"
    with pytest.raises(UnknownMemoryError):
        harness.graph.resolve("3fa91")
    assert harness.graph.resolve("3fa91", include_forgotten=True) == "3fa91111-a"
    with pytest.raises(AmbiguousMemoryError):
        harness.graph.resolve("3fa9", include_forgotten=True)


def test_lists_come_in_the_order_that_is_asked_for(harness: Harness) -> None:
    for text, importance in {"a": 0.5, "b": 0.9, "c": 0.5, "d": 0.1}.items():
        harness.save(text, importance=importance)
    ids = {memory.content: memory.id for memory in harness.graph.list_memories()}
    harness.store.record_accesses([ids["c"], ids["a"]])
    harness.store.record_accesses([ids["a"]])
    for sort, expected in {
        MemorySort.RECENT: "dcba",
        MemorySort.OLDEST: "abcd",
        MemorySort.IMPORTANCE: "bcad",
        MemorySort.ACCESS: "acdb",
    }.items():
        assert "".join(harness.listed(sort=sort)) == expected
        assert "".join(harness.listed(sort=sort, limit=2, offset=1)) == expected[1:3]
        assert "".join(harness.listed(sort=sort, offset=3)) == expected[3:]


def test_memories_of_one_moment_keep_the_order_in_which_they_were_given(harness: Harness) -> None:
    with harness.store.operation("import") as operation:
        operation.save_many([NewMemory(content=f"{number:03}") for number in range(50)])
    assert harness.listed(sort=MemorySort.OLDEST) == [f"{number:03}" for number in range(50)]


def test_what_a_list_leaves_out_can_be_asked_for(harness: Harness) -> None:
    harness.save("old", key="k")
    harness.save("new", key="k")
    harness.forget(harness.save("hidden").id)
    harness.save("expired", expires_at=harness.clock.now + timedelta(minutes=1))
    harness.clock.advance(minutes=2)
    assert harness.listed() == ["new"]
    assert harness.listed(include_superseded=True) == ["new", "old"]
    assert harness.listed(include_expired=True) == ["expired", "new"]
    assert harness.listed(include_forgotten=True) == ["hidden", "new"]
    assert harness.listed(only_forgotten=True) == ["hidden"]
    assert harness.listed(now=harness.clock.now - timedelta(minutes=5)) == ["expired", "new"]
    ids = [
        memory.id
        for memory in harness.graph.list_memories(
            include_forgotten=True, include_superseded=True, include_expired=True
        )
    ]
    assert len(ids) == 4
    contents = harness.graph.memories(ids)
    for options, expected in [
        ({}, {"new", "old"}),
        ({"include_superseded": False}, {"new"}),
        ({"include_expired": True}, {"new", "old", "expired"}),
    ]:
        matching = harness.graph.visible_memories(ids, **options)  # type: ignore[arg-type]
        assert {contents[memory_id].content for memory_id in matching} == expected


def plans_of(harness: Harness, act: Callable[[], object]) -> str:
    """How SQLite says that it goes about the statements on memories that ``act`` leads to."""
    statements: list[str] = []

    def listen(connection: Any, *_rest: Any) -> None:
        connection.set_trace_callback(statements.append)

    with harness.database.reading() as connection:
        pool = connection.engine.pool
    event.listen(pool, "checkout", listen)
    act()
    event.remove(pool, "checkout", listen)
    plans: list[str] = []
    with harness.database.reading() as connection:
        connection.connection.dbapi_connection.set_trace_callback(None)  # type: ignore[union-attr]
        for statement in statements:
            if "memories" in statement and not statement.startswith("--"):
                explained = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")
                plans += [row[-1] for row in explained]
    assert plans
    return "\n".join(plans)


@pytest.mark.parametrize(
    ("sort", "index"),
    [
        (MemorySort.RECENT, "memories_by_creation"),
        (MemorySort.OLDEST, "memories_by_creation"),
        (MemorySort.IMPORTANCE, "memories_by_importance"),
        (MemorySort.ACCESS, "memories_by_access"),
    ],
)
def test_the_first_of_a_long_list_are_found_without_sorting_it(
    harness: Harness, sort: MemorySort, index: str
) -> None:
    plan = plans_of(harness, lambda: harness.graph.list_memories(sort=sort, limit=5))
    assert index in plan
    assert "TEMP B-TREE FOR ORDER BY" not in plan


def test_what_asks_for_a_few_memories_never_goes_through_all(harness: Harness) -> None:
    ids = [harness.save(f"text {number}", key=f"k{number}").id for number in range(3)]
    graph = harness.graph
    narrow = MemoryFilter(
        types=(MemoryType.FACT,), channels=("a",), sessions=("s",), tags=("t", "u")
    )
    for ask in (
        lambda: graph.memories(ids),
        lambda: graph.resolve(ids[0][:8]),
        lambda: graph.visible_memories(ids, narrow),
        lambda: graph.neighbours(ids),
        lambda: graph.adjacent(ids, reach=2),
        lambda: graph.history(ids[0]),
        lambda: graph.find_by_key("k1"),
        lambda: graph.find_by_content(hash_content("text 1")),
        lambda: graph.citations(ids),
        lambda: harness.store.record_accesses(ids),
        lambda: harness.save("text 9", key="k1"),
        lambda: harness.forget(ids[2]),
        lambda: harness.restore(ids[2]),
    ):
        plan = plans_of(harness, ask)
        assert "SCAN memories" not in plan
        assert not re.search(
            r"memories_by_(creation|importance|access|type|channel)|tags_by_tag", plan
        )


def test_neighbours_are_one_level_in_both_directions_heaviest_first(harness: Harness) -> None:
    ids = {text: harness.save(text).id for text in "abcdef"}
    harness.forget(ids["f"])
    with harness.store.operation("link") as operation:
        operation.associate(
            [
                (ids["a"], ids["b"], RelationType.RELATED_TO, 0.5),
                (ids["c"], ids["a"], RelationType.CAUSED_BY, 0.9),
                (ids["b"], ids["d"], RelationType.PART_OF, 0.7),
                (ids["d"], ids["e"], RelationType.RELATED_TO, 1.0),
                (ids["a"], ids["f"], RelationType.RELATED_TO, 1.0),
            ]
        )
    names = {memory_id: text for text, memory_id in ids.items()}

    def steps(start: str, **options: object) -> list[tuple[str, str, float, bool]]:
        found = harness.graph.neighbours([ids[text] for text in start], **options)  # type: ignore[arg-type]
        return [
            (names[step.memory_id], names[step.neighbour_id], step.weight, step.outgoing)
            for step in found
        ]

    assert steps("a") == [("a", "c", 0.9, False), ("a", "b", 0.5, True)]
    assert sorted(steps("ab")) == [
        ("a", "b", 0.5, True),
        ("a", "c", 0.9, False),
        ("b", "a", 0.5, False),
        ("b", "d", 0.7, True),
    ]
    assert steps("ab", relation_types=[RelationType.PART_OF]) == [("b", "d", 0.7, True)]
    assert steps("ab", minimum_weight=0.8) == [("a", "c", 0.9, False)]
    assert steps("") == []
    edges = harness.graph.associations_of([ids["a"]])
    assert {(names[edge.source_id], names[edge.target_id]) for edge in edges} == {
        ("a", "b"),
        ("c", "a"),
        ("a", "f"),
    }


def adjacent(
    harness: Harness, kind: AdjacencyKind, *ids: str, reach: int = 1
) -> list[tuple[str, str, int]]:
    found = harness.graph.adjacent(ids, reach=reach)
    contents = harness.graph.memories(
        [each for pair in found for each in (pair.memory_id, pair.neighbour_id)]
    )
    return [
        (contents[pair.memory_id].content, contents[pair.neighbour_id].content, pair.distance)
        for pair in found
        if pair.kind is kind
    ]


def test_memories_next_to_each_other_in_a_session_are_adjacent(harness: Harness) -> None:
    ids = {}
    for number in range(6):
        ids[f"a{number}"] = harness.save(f"a{number}", session_id="A").id
        ids[f"b{number}"] = harness.save(f"b{number}", session_id="B").id
    alone = harness.save("alone").id
    harness.forget(ids["a2"])
    assert set(adjacent(harness, AdjacencyKind.SESSION, ids["a3"], alone)) == {
        ("a3", "a1", 1),
        ("a3", "a4", 1),
    }
    assert set(adjacent(harness, AdjacencyKind.SESSION, ids["a0"], ids["b5"], reach=2)) == {
        ("a0", "a1", 1),
        ("a0", "a3", 2),
        ("b5", "b4", 1),
        ("b5", "b3", 2),
    }


def test_memories_next_to_each_other_in_a_document_are_adjacent(harness: Harness) -> None:
    ingest(harness, "/a.md", ["one\ntwo\nthree", "four", "five"])
    ingest(harness, "/b.md", ["three\nsix"])
    ids = {memory.content: memory.id for memory in harness.graph.list_memories()}
    assert set(adjacent(harness, AdjacencyKind.DOCUMENT, ids["two"])) == {
        ("two", "one", 1),
        ("two", "three", 1),
    }
    assert set(adjacent(harness, AdjacencyKind.DOCUMENT, ids["three"])) == {
        ("three", "two", 1),
        ("three", "four", 1),
        ("three", "six", 1),
    }
    assert set(adjacent(harness, AdjacencyKind.DOCUMENT, ids["five"], reach=2)) == {
        ("five", "four", 1),
        ("five", "three", 2),
    }
    harness.forget(ids["four"])
    assert set(adjacent(harness, AdjacencyKind.DOCUMENT, ids["five"])) == set()
    assert harness.graph.adjacent([]) == []


def test_adjacent_memories_come_nearest_first(harness: Harness) -> None:
    receipts = [harness.save(f"turn {number}", session_id="s") for number in range(9)]
    found = harness.graph.adjacent([receipts[4].id], reach=3)
    assert [pair.distance for pair in found] == [1, 1, 2, 2, 3, 3]
    assert isinstance(found[0], Adjacent)


def test_history_is_the_whole_chain_oldest_first(harness: Harness) -> None:
    ids = [harness.save(f"value {number}", key="k").id for number in range(4)]
    harness.save("unrelated")
    harness.forget(ids[1])
    for memory_id in (ids[0], ids[2], ids[3]):
        chain = harness.graph.history(memory_id)
        assert [memory.id for memory in chain if memory.id != ids[1]] == [ids[0], ids[2], ids[3]]
    with pytest.raises(UnknownMemoryError):
        harness.graph.history("unknown")


def test_history_goes_by_who_took_whose_place_and_not_by_when_they_were_saved(
    harness: Harness,
) -> None:
    newest, middle, oldest = [harness.save(f"value {number}").id for number in range(3)]
    with harness.store.operation("link") as operation:
        operation.supersede(oldest, by=middle)
        operation.supersede(middle, by=newest)
    for memory_id in (newest, middle, oldest):
        chain = harness.graph.history(memory_id)
        assert [memory.id for memory in chain] == [oldest, middle, newest]


def test_a_memory_without_changes_is_its_own_history(harness: Harness) -> None:
    receipt = harness.save("text")
    assert [memory.id for memory in harness.graph.history(receipt.id)] == [receipt.id]


def test_memories_are_found_by_content_and_by_key(harness: Harness) -> None:
    first = harness.save("text")
    harness.forget(first.id)
    second = harness.save("text", key="k")
    other = harness.save("text", channel_id="ops")
    found = harness.graph.find_by_content(hash_content("text"))
    assert [memory.id for memory in found] == [first.id, second.id]
    found = harness.graph.find_by_content(hash_content("text"), "ops")
    assert [memory.id for memory in found] == [other.id]
    assert harness.graph.find_by_content(hash_content("nothing")) == []
    holder = harness.graph.find_by_key(" k ")
    assert holder is not None
    assert holder.id == second.id
    assert harness.graph.find_by_key("unknown") is None


def test_a_citation_follows_the_place_that_still_says_it(harness: Harness) -> None:
    ingest(harness, "/a.md", ["start", "alpha"])
    ingest(harness, "/b.md", ["alpha"])
    [alpha] = [memory.id for memory in harness.graph.list_memories() if memory.content == "alpha"]
    assert str(harness.graph.citations([alpha])[alpha]) == "/a.md:3"
    ingest(harness, "/a.md", ["start"])
    assert str(harness.graph.citations([alpha])[alpha]) == "/b.md:1"
    ingest(harness, "/b.md", [])
    assert harness.graph.memory(alpha).forgotten
    assert str(harness.graph.citations([alpha])[alpha]) == "/a.md:3"
    said = harness.save("said by a person").id
    assert harness.graph.citations([said]) == {}


def test_chunks_and_their_pages_are_cited(harness: Harness) -> None:
    [chunk] = make_chunks("alpha")
    paged = Chunk(
        id=chunk.id,
        document_id="",
        position=0,
        content=chunk.content,
        content_hash=chunk.content_hash,
        first_line=40,
        last_line=41,
        first_page=3,
        last_page=3,
        heading_path=("Report", "Results"),
    )
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(make_document("/r.pdf", "x"), [paged])
        new = NewMemory(content="alpha", origin=Origin.FILE, first_line=40, last_line=40, page=3)
        [receipt] = operation.commit_chunk(chunk.id, [new])
    [stored] = begun.chunks
    assert stored.heading_path == ("Report", "Results")
    assert str(harness.graph.chunk_citations([chunk.id])[chunk.id]) == "/r.pdf p. 3"
    assert str(harness.graph.citations([receipt.id])[receipt.id]) == "/r.pdf p. 3"
    [passage] = harness.graph.passages([receipt.id])[receipt.id]
    assert (passage.chunk.id, passage.stated.first_line, passage.retired) == (chunk.id, 40, False)
    assert passage.cited_text == "alpha"
    assert harness.graph.chunks([chunk.id, "unknown"]).keys() == {chunk.id}


def test_chunks_that_state_a_memory_come_with_those_that_still_stand_first(
    harness: Harness,
) -> None:
    first = ingest(harness, "/a.md", ["alpha"])
    ingest(harness, "/b.md", ["alpha"])
    ingest(harness, "/a.md", [])
    [alpha] = harness.graph.list_memories()
    stating = harness.graph.passages([alpha.id])[alpha.id]
    assert [(one.chunk.document_id == first.id, one.retired) for one in stating] == [
        (False, False),
        (True, True),
    ]


def test_everything_is_counted(harness: Harness) -> None:
    harness.save("goal", memory_type=MemoryType.GOAL)
    harness.save("old", key="k")
    harness.save("new", key="k")
    harness.forget(harness.save("hidden").id)
    ingest(harness, "/a.md", ["alpha\nbeta"])
    with harness.store.operation("ingest") as operation:
        operation.record_document(make_document("/s.pdf", "x", status=DocumentStatus.NO_TEXT))
    counts = harness.graph.counts()
    assert counts.by_type == {MemoryType.GOAL: 1, MemoryType.FACT: 3}
    assert (counts.visible, counts.live) == (5, 4)
    assert (counts.forgotten, counts.superseded, counts.expired) == (1, 1, 0)
    assert counts.documents == {DocumentStatus.DONE: 1, DocumentStatus.NO_TEXT: 1}
    assert (counts.chunks, counts.associations) == (1, 1)
    assert (counts.pending, counts.waiting) == (7, 0)
    harness.embedder.broken = True
    harness.drain()
    counts = harness.graph.counts()
    assert (counts.pending, counts.waiting) == (0, 5)


def test_a_question_takes_as_many_statements_for_many_ids_as_for_one(harness: Harness) -> None:
    with harness.store.operation("import") as operation:
        receipts = operation.save_many(
            [NewMemory(content=f"turn {n}", session_id="s", tags=("t",)) for n in range(200)]
        )
        begun = operation.begin_document(make_document("/a.md", "x"), make_chunks("a\nb", "c"))
        for chunk in begun.chunks:
            operation.commit_chunk(chunk.id, statements_of(chunk))
    ids = [receipt.id for receipt in receipts]
    statements: list[str] = []
    with harness.database.reading() as connection:
        event.listen(
            connection.engine,
            "before_cursor_execute",
            lambda _c, _k, statement, _p, _x, _m: statements.append(statement),
        )

    def count(ask: object, wanted: list[str]) -> int:
        statements.clear()
        ask(wanted)  # type: ignore[operator]
        return len([each for each in statements if each != "BEGIN"])

    graph = harness.graph
    for ask in (
        graph.memories,
        graph.neighbours,
        graph.adjacent,
        graph.citations,
        graph.visible_memories,
        graph.associations_of,
        graph.passages,
    ):
        assert count(ask, ids) == count(ask, ids[:1]) <= 2


def test_what_is_compared_of_memories_is_what_their_rows_say(harness: Harness) -> None:
    """Field by field as whole memories have it, hidden ones too, and with the day of the document,
    where one says a day."""
    ingest(harness, "/notes/a.md", ["alpha"], document_date=date(2026, 3, 14))
    ingest(harness, "/notes/b.md", ["beta"])
    old, new = harness.save("said", subject="Ada", channel_id="shop"), harness.save("said anew")
    with harness.store.operation("supersede") as operation:
        operation.supersede(old.id, by=new.id)
    harness.forget(new.id)
    ids = [*harness.graph.comparable_memories([old.id, new.id, "unknown"])]
    assert sorted(ids) == sorted([old.id, new.id])
    whole = harness.graph.memories([*ids, *(one.id for one in harness.graph.list_memories())])
    found = harness.graph.comparable_memories(whole)
    days = {one.content: one.document_date for one in found.values()}
    assert days == {"alpha": date(2026, 3, 14), "beta": None, "said": None, "said anew": None}
    for id_, memory in whole.items():
        compared = found[id_]._asdict()
        del compared["document_date"]
        assert compared == {name: getattr(memory, name) for name in compared}
