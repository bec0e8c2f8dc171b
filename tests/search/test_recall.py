"""Recall on a small store: modes, filters, order, trust, and what goes wrong."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from fakes.hash_embedder import HashEmbedder
from fakes.memory_index import MemoryIndex
from recall_library import Library

from memctl.embedding import EmbeddingModel
from memctl.errors import SearchIndexError, UsageError
from memctl.memory import ForgetReason, MemoryFilter, MemoryType, Origin, RelationType
from memctl.search.fusion import Fusion
from memctl.search.recall import EMPTY_QUERY_WARNING
from memctl.search.request import CompositeWeights, RecallMode, RecallRequest, RecallSort
from memctl.search.settings import SearchSettings
from memctl.store.index import IndexHit
from memctl.store.upkeep_writes import write_centrality

TODOS = MemoryFilter(types=(MemoryType.TODO,))
FACTS = MemoryFilter(types=(MemoryType.FACT,))


def test_a_note_in_another_language_is_found_where_none_in_the_questions_is(
    library: Library,
) -> None:
    """By what the words of the question are called there."""
    library.save("Aparcamos el coche en la plaza 47 del garaje.", "Cold tea, no sugar.")
    assert library.found("where is the car parked?") == [
        "Aparcamos el coche en la plaza 47 del garaje."
    ]


def test_the_memory_that_holds_the_words_comes_first(library: Library) -> None:
    library.save("The billing database is PostgreSQL", "Tests run on SQLite", "The cat sleeps")
    assert library.found("on which database does billing run?") == [
        "The billing database is PostgreSQL",
        "Tests run on SQLite",
    ]


def test_no_mode_but_hybrid_touches_index_or_model(library: Library) -> None:
    library.save("one", "two", memory_type=MemoryType.TODO)
    for request in (
        RecallRequest(mode=RecallMode.RECENT),
        RecallRequest(mode=RecallMode.IMPORTANT),
        RecallRequest(mode=RecallMode.TYPED, memory_filter=TODOS),
    ):
        assert not request.needs_index
        assert len(library.recaller.recall(request).hits) == 2
    assert library.built == []
    assert RecallRequest(query="one").needs_index


def test_recent_and_important_sort_by_what_they_say(library: Library) -> None:
    library.save("old and heavy", importance=0.9)
    library.save("new and light", importance=0.1)
    assert library.found(mode=RecallMode.RECENT) == ["new and light", "old and heavy"]
    assert library.found(mode=RecallMode.IMPORTANT) == ["old and heavy", "new and light"]


def test_typed_has_three_sorts(library: Library) -> None:
    _, second, third = (
        library.save(text, memory_type=MemoryType.TODO, importance=weight)[0]
        for text, weight in (("first", 0.9), ("second", 0.2), ("third", 0.5))
    )
    library.save("no todo")
    library.store.record_accesses([second])
    library.store.record_accesses([second, third])
    expected = {
        RecallSort.RECENT: ["third", "second", "first"],
        RecallSort.IMPORTANCE: ["first", "third", "second"],
        RecallSort.ACCESSED: ["second", "third", "first"],
    }
    for sort, contents in expected.items():
        hits = library.recaller.recall(
            RecallRequest(mode=RecallMode.TYPED, sort=sort, memory_filter=TODOS, limit=5)
        ).hits
        assert [hit.memory.content for hit in hits if hit.memory] == contents
        assert [hit.rank for hit in hits] == [1, 2, 3]


def test_typed_without_a_type_is_a_usage_error(library: Library) -> None:
    with pytest.raises(UsageError):
        library.found(mode=RecallMode.TYPED)


def test_every_filter_applies_before_the_limit(library: Library) -> None:
    """200 better matches that do not pass leave room for the one that does."""
    library.save(*(f"tea tea tea number {number}" for number in range(200)))
    library.save(
        "tea in the garden with many other words around it",
        memory_type=MemoryType.EVENT,
        importance=0.95,
        channel_id="garden",
        session_id="s1",
        source="diary",
        origin=Origin.AGENT,
        tags=("outside", "warm"),
        event_at=datetime(2020, 5, 1, tzinfo=UTC),
    )
    wanted = ["tea in the garden with many other words around it"]
    for fields in (
        {"types": (MemoryType.EVENT,)},
        {"minimum_importance": 0.9},
        {"channels": ("garden",)},
        {"sessions": ("s1",)},
        {"sources": ("diary",)},
        {"origins": (Origin.AGENT,)},
        {"tags": ("outside", "warm")},
        {"until": datetime(2021, 1, 1, tzinfo=UTC)},
        {"since": datetime(2020, 1, 1, tzinfo=UTC), "until": datetime(2021, 1, 1, tzinfo=UTC)},
    ):
        assert library.filtered("tea", limit=3, **fields) == wanted
    assert library.filtered("tea", types=(MemoryType.GOAL,)) == []


def test_filters_hold_for_what_the_graph_reaches_too(library: Library) -> None:
    tea, coffee = library.save("tea is served at four", "a kettle", channel_id="kitchen")
    (other,) = library.save("a samovar", channel_id="hall")
    library.link(tea, RelationType.RELATED_TO, other)
    library.link(tea, RelationType.RELATED_TO, coffee)
    assert library.filtered("tea at four", channels=("kitchen",)) == [
        "tea is served at four",
        "a kettle",
    ]


def test_the_graph_brings_what_no_word_does(library: Library) -> None:
    tea, cup, hidden = library.save("tea is served at four", "porcelain", "silver spoon")
    library.link(cup, RelationType.PART_OF, tea)
    library.link(hidden, RelationType.PART_OF, tea)
    with library.store.operation("forget") as operation:
        operation.forget([hidden])
    hits = library.recall("tea at four").hits
    assert [hit.memory.content for hit in hits if hit.memory] == [
        "tea is served at four",
        "porcelain",
    ]
    assert [part.strategy for part in hits[1].parts if part.rank][-1] == "graph"


def test_what_was_said_next_to_a_hit_comes_along(library: Library) -> None:
    library.save(
        "Ada: where did you spend the holidays?",
        "Bob: three weeks on Crete",
        "Ada: lovely",
        session_id="s1",
    )
    library.save("Bob: a long day at work", session_id="s2")
    assert "Bob: three weeks on Crete" in library.found("holidays")
    assert "Bob: a long day at work" not in library.found("holidays")


def test_sessions_of_one_name_in_two_channels_are_two_sessions(library: Library) -> None:
    library.save("holidays are near", session_id="session 1", channel_id="work")
    library.save("the cat has slept", session_id="session 1", channel_id="home")
    library.save("we fly to Crete", session_id="session 1", channel_id="work")
    assert library.found("holidays") == ["holidays are near", "we fly to Crete"]


def test_a_statement_answers_before_a_question(library: Library) -> None:
    library.save("Does the billing team use PostgreSQL?", "The billing team uses PostgreSQL now.")
    assert library.found("billing team PostgreSQL")[0] == "The billing team uses PostgreSQL now."


def test_a_statement_answers_before_what_only_stands_under_such_a_heading(
    library: Library,
) -> None:
    library.save("Launch plan — Ada: print posters", "The launch was moved to the ninth of May")
    assert library.found("launch plan")[0] == "Launch plan — Ada: print posters"
    assert library.found("launch")[0] == "The launch was moved to the ninth of May"


def test_an_outdated_memory_stands_below_its_successor_and_says_so(library: Library) -> None:
    old, new = library.save("The router address is 192.168.9.1", "It is 192.168.7.1 since March")
    library.supersede(old, by=new)
    hits = library.recall("router address").hits
    assert [hit.memory.id for hit in hits if hit.memory] == [new, old]
    assert hits[1].memory is not None
    assert hits[1].memory.superseded_by == new
    assert library.found("router address", include_superseded=False) == [
        "It is 192.168.7.1 since March"
    ]


def test_a_chain_of_corrections_ends_with_the_last_one(library: Library) -> None:
    ids = library.save("The code is 1111", "Later the code is 2222", "Now 3333 is right")
    library.supersede(ids[0], by=ids[1])
    library.supersede(ids[1], by=ids[2])
    assert library.found("what is the code")[0] == "Now 3333 is right"


WEAK_QUERY = "Does Hilda often play the cello near the gym?"
"""Shares a word with the gym's memory, which is not enough to be an answer."""


def supersede_in_turn(library: Library, *contents: str, **fields: Any) -> None:
    """Saves a chain of corrections, the oldest first."""
    ids = [library.save(content, **fields)[0] for content in contents]
    for old, new in pairwise(ids):
        library.supersede(old, by=new)


@pytest.mark.parametrize(
    "later",
    [("It costs 399 kr",), ("It costs 379 kr", "It costs 389 kr", "It costs 399 kr")],
    ids=["one update", "a chain"],
)
@pytest.mark.parametrize("include_superseded", [True, False])
def test_an_outdated_memory_that_says_too_little_brings_no_successor(
    library: Library, later: tuple[str, ...], *, include_superseded: bool
) -> None:
    """It comes where the outdated one would be an answer, and then in its place."""
    supersede_in_turn(library, "The gym costs 349 kr", *later)
    library.save("Hilda plays the cello", "The gym is shut on Mondays")
    weak = library.found(WEAK_QUERY, include_superseded=include_superseded)
    assert weak[0] == "Hilda plays the cello"
    assert not [content for content in weak if "399" in content]
    asked = library.found("what does the gym cost", include_superseded=include_superseded)
    assert asked[0] == "It costs 399 kr"
    assert "It costs 399 kr" in library.found(WEAK_QUERY, minimum_score=0.0)


def test_an_outdated_memory_that_says_too_little_stands_below_a_successor_found_by_itself(
    library: Library,
) -> None:
    supersede_in_turn(library, "Hilda is at the gym", "Hilda plays at the hall")
    found = library.found(WEAK_QUERY, minimum_score=0.3)
    assert found == ["Hilda plays at the hall", "Hilda is at the gym"]


def test_a_filter_keeps_a_successor_out_that_it_does_not_fit(library: Library) -> None:
    """Filters ask for the successor too, whatever the outdated memory says."""
    (old,) = library.save("The gym costs 349 kr", tags=("sport",))
    (new,) = library.save("It costs 399 kr", tags=("money",))
    library.supersede(old, by=new)
    query = "what does the gym cost"
    assert library.filtered(query, tags=("sport",)) == ["The gym costs 349 kr"]
    assert library.filtered(query, tags=("money",)) == []
    assert library.found(mode=RecallMode.TYPED, memory_filter=FACTS) == ["It costs 399 kr"]


def test_as_of_answers_with_what_was_current_then(library: Library) -> None:
    (old,) = library.save("The router address is 192.168.9.1")
    before = library.now
    library.clock.advance(days=10)
    (new,) = library.save("The router address is 192.168.7.1")
    library.supersede(old, by=new)
    assert library.found("router address", as_of=before) == ["The router address is 192.168.9.1"]
    (hit,) = library.recall("router address", as_of=before).hits
    assert "superseded" not in [part.strategy for part in hit.parts]
    assert library.found("router address")[0] == "The router address is 192.168.7.1"
    assert library.found(mode=RecallMode.RECENT, as_of=before) == [
        "The router address is 192.168.9.1"
    ]


def test_as_of_knows_plans_made_before_and_old_notes_taken_in_later(library: Library) -> None:
    library.save("tea party planned for May", event_at=date(2030, 5, 1))
    library.save("tea party of last year", event_at=date(2019, 5, 1))
    before = library.now
    library.clock.advance(days=10)
    library.save("tea party of the year before", event_at=date(2018, 5, 1))
    library.save("tea party just now")
    found = library.found("tea party", as_of=before)
    assert sorted(found) == [
        "tea party of last year",
        "tea party of the year before",
        "tea party planned for May",
    ]
    assert sorted(library.found(mode=RecallMode.RECENT, as_of=before)) == sorted(found)
    assert library.found("tea party", as_of=datetime(2018, 12, 1, tzinfo=UTC)) == [
        "tea party of the year before"
    ]


def test_as_of_knows_what_has_been_hidden_since_unless_somebody_wanted_that(
    library: Library,
) -> None:
    """What a file no longer states was true then; what its user forgot stays forgotten."""
    stale, unwanted, expiring = library.save(
        "The router address is 192.168.9.1",
        "The router address of the barn is 10.0.0.1",
        "The router address of the fair is 10.9.9.9",
    )
    before = library.now
    library.clock.advance(days=10)
    library.save("The router stands in the hall")
    with library.store.operation("forget") as operation:
        operation.forget([stale], reason=ForgetReason.DOCUMENT)
        operation.forget([unwanted])
        operation.forget([expiring], reason=ForgetReason.EXPIRED)
    library.store.drain()
    then = ["The router address is 192.168.9.1", "The router address of the fair is 10.9.9.9"]
    assert sorted(library.found("router address", as_of=before)) == then
    assert sorted(library.found(mode=RecallMode.RECENT, as_of=before)) == then
    assert library.found(mode=RecallMode.RECENT, as_of=before - timedelta(days=1)) == []
    now = ["The router stands in the hall"]
    assert library.found(mode=RecallMode.RECENT) == now
    assert library.found(mode=RecallMode.RECENT, as_of=library.now) == now
    assert library.found("router hall", as_of=library.now) == now


def test_expired_and_forgotten_memories_are_left_out(library: Library) -> None:
    library.save("tea at four today", expires_at=library.now + timedelta(days=1))
    (hidden,) = library.save("tea at five today")
    assert len(library.found("tea today")) == 2
    with library.store.operation("forget") as operation:
        operation.forget([hidden])
    assert library.found("tea today") == ["tea at four today"]
    library.clock.advance(days=2)
    assert library.found("tea today") == []


def test_other_wordings_are_folded_and_their_ids_kept(library: Library) -> None:
    one, two, three = library.save("Ada likes tea.", "ada likes tea", "tea makes Ada happy")
    library.link(three, RelationType.RELATED_TO, one)
    (hit,) = library.recall("Ada likes tea").hits
    assert hit.memory is not None
    assert {hit.memory.id, *hit.collapsed} == {one, two, three}


def test_contradictions_are_named(library: Library) -> None:
    one, two = library.save("The firm was founded in 1999", "The firm was founded in 2001")
    library.link(two, RelationType.CONTRADICTS, one)
    hits = {
        hit.memory.id: hit for hit in library.recall("when was the firm founded").hits if hit.memory
    }
    assert hits[one].contradicted_by == (two,)
    assert hits[two].contradicted_by == (one,)


@pytest.mark.parametrize("fusion", Fusion)
def test_an_explanation_adds_up(library: Library, fusion: Fusion) -> None:
    library.save(*(f"tea number {number} is served" for number in range(30)), session_id="s")
    recall = library.make_recall(SearchSettings(fusion=fusion, rrf_k=60))
    for hit in recall.recall(RecallRequest(query="tea number 7")).hits:
        assert hit.score == pytest.approx(sum(part.contribution for part in hit.parts))
        assert {"text"} <= {part.strategy for part in hit.parts}


def test_a_query_about_nothing_known_finds_nothing(library: Library) -> None:
    library.save("Billing runs on PostgreSQL", "The cat sleeps in the hall")
    assert library.recall("xylophone zebra").hits == ()
    assert library.recall("xylophone zebra").warnings == ()
    assert len(library.found("xylophone zebra", minimum_score=0.0)) >= 1
    assert library.found("who sleeps in the cellar", minimum_score=1.0) == []


@pytest.mark.parametrize("query", ["", " ", "?!", '*** :: "" --', "\N{ZERO WIDTH SPACE}"])
def test_a_query_without_a_word_finds_nothing_and_says_why(library: Library, query: str) -> None:
    library.save("one")
    result = library.recall(query)
    assert result.hits == ()
    assert result.warnings == (EMPTY_QUERY_WARNING,)


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("I don't eat fish", "don't"),
        ("The pre-edit hook fails", "pre-edit"),
        ("The link carries 4 GB/s", "GB/s"),
        ('She said "quote me"', '"quote me"'),
        ("A * in a glob", "* glob :"),
        ("We party 🎉 tonight", "🎉"),
        ("数据库在柏林", "数据库"),
        ("好みはダークモードです", "ダーク"),
        ("서울에서 회의를 했다", "회의"),
    ],
)
def test_any_text_is_a_query_and_finds_its_memory_by_keyword(
    tmp_path: Path, content: str, query: str
) -> None:
    library = Library(tmp_path, MemoryIndex(8), HashEmbedder(dimension=8, broken=True))
    library.save(content, "Something else entirely")
    result = library.recall(query)
    assert [hit.memory.content for hit in result.hits if hit.memory] == [content]
    library.recall(query * 20_000)
    library.database.close()


def test_without_the_model_keywords_still_find_and_the_warning_says_so(tmp_path: Path) -> None:
    library = Library(tmp_path, MemoryIndex(8), HashEmbedder(dimension=8, broken=True))
    library.save("Billing runs on PostgreSQL")
    result = library.recall("billing PostgreSQL")
    assert len(result.hits) == 1
    assert "keyword only" in result.warnings[0]
    assert "its files are missing" in result.warnings[0]
    library.database.close()


def test_vectors_of_another_model_are_never_compared(tmp_path: Path) -> None:
    embedder = HashEmbedder(dimension=8)
    library = Library(tmp_path, MemoryIndex(8), embedder)
    library.save("Billing runs on PostgreSQL")
    embedder.model = EmbeddingModel("another", 8)
    embedder.history.clear()
    result = library.recall("billing PostgreSQL")
    assert len(result.hits) == 1
    assert "hash" in result.warnings[0]
    assert "another" in result.warnings[0]
    assert embedder.history == []
    library.database.close()


def test_an_index_that_cannot_be_read_is_not_an_empty_answer(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> list[IndexHit]:
        raise SearchIndexError(path="index", why="it is damaged")

    library.save("one")
    monkeypatch.setattr(library.index, "search_text", fail)
    with pytest.raises(SearchIndexError):
        library.recall("one")


def test_the_more_central_of_two_near_matches_comes_first(library: Library) -> None:
    first, second = library.save("the tea stands in the hall", "the tea stands in the shed")
    before = library.found("where does the tea stand?")
    last = {"the tea stands in the hall": first, "the tea stands in the shed": second}[before[-1]]
    with library.database.writing() as connection:
        write_centrality(connection, {last: (7, 1.0)}, [])
    recaller = library.make_recall(SearchSettings(centrality_margin=0.5))
    hits = recaller.recall(RecallRequest(query="where does the tea stand?")).hits
    assert [hit.memory.content for hit in hits if hit.memory] == before[::-1]
    assert [part.strategy for part in hits[0].parts][-2:] == ["prior", "centrality"]
    assert sum(part.contribution for part in hits[0].parts) == pytest.approx(hits[0].score)


def test_importance_decides_between_equal_matches_only(library: Library) -> None:
    library.save("the tea stands in the hall", importance=0.2, session_id="a")
    library.save("the tea stands in the shed", importance=0.9, session_id="b")
    library.save("somebody drank green tea", importance=0.0)
    found = library.found("where does the tea stand")
    assert found[:2] == ["the tea stands in the shed", "the tea stands in the hall"]
    assert library.found("green tea")[0] == "somebody drank green tea"


def test_the_composite_score_can_put_freshness_first(library: Library) -> None:
    library.save("tea is served in the garden", event_at=date(2020, 1, 1))
    library.save("tea in the garden was mentioned", event_at=library.now.date())
    query = "tea served in the garden"
    assert library.found(query)[0] == "tea is served in the garden"
    weights = CompositeWeights(semantic=0.1, recency=0.9, importance=0.0)
    hits = library.recall(query, weights=weights).hits
    assert hits[0].memory is not None
    assert hits[0].memory.content == "tea in the garden was mentioned"
    assert [part.strategy for part in hits[0].parts] == ["semantic", "recency", "importance"]


def test_temporal_decay_lowers_old_hits_but_not_pinned_ones(library: Library) -> None:
    library.save("tea in the garden is nice", event_at=date(2025, 1, 1))
    library.save("tea in the hall", event_at=library.now.date())
    library.save("tea in the cellar is nice", event_at=date(2025, 1, 1), pinned=True)
    found = library.found("tea in the garden is nice", half_life_days=10)
    assert found.index("tea in the hall") < found.index("tea in the garden is nice")
    assert found[0] == "tea in the cellar is nice"


def test_variety_puts_another_topic_before_a_near_repetition(library: Library) -> None:
    library.save("black tea is served in the hall", "black tea is served in the hall daily")
    library.save("Assam gives a black tea")
    assert library.found("black tea served")[2] == "Assam gives a black tea"
    assert library.found("black tea served", mmr_lambda=0.2)[1] == "Assam gives a black tea"


def test_several_requests_start_up_once(library: Library) -> None:
    library.save("one tea", "two coffee")
    requests = [RecallRequest(query="tea"), RecallRequest(query="coffee")]
    first, second = library.recaller.recall_many(requests)
    assert [hit.memory.content for hit in first.hits if hit.memory] == ["one tea"]
    assert [hit.memory.content for hit in second.hits if hit.memory] == ["two coffee"]
    assert sorted(library.built) == ["embedder", "index"]


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"minimum_score": 1.5}, {"mmr_lambda": -1}, {"half_life_days": 0}]
)
def test_a_request_out_of_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        RecallRequest(query="x", **wrong)  # type: ignore[arg-type]


def test_composite_weights_must_weigh_something() -> None:
    with pytest.raises(ValueError, match="weights"):
        CompositeWeights(semantic=0, recency=0, importance=0)
    with pytest.raises(ValueError, match="weights"):
        CompositeWeights(semantic=-1)
