"""One contract for both search indexes, and what only the one on a disk can get wrong."""

from __future__ import annotations

import errno
import multiprocessing
import stat
import string
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from fakes.memory_index import MemoryIndex, passes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.errors import (
    DimensionMismatchError,
    FullDiskError,
    ReadOnlyStoreError,
    SearchIndexError,
)
from memctl.memory import EntryKind, MemoryFilter, MemoryType, Origin
from memctl.store import index_table, lance_index, upkeep
from memctl.store.event_loop import wait_for
from memctl.store.index import IndexEntry, SearchIndex
from memctl.store.lance_index import LanceIndex

DIMENSION = 8
MEMORY = EntryKind.MEMORY
CHUNK = EntryKind.CHUNK
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def axis(number: int) -> np.ndarray:
    """A unit vector; two different ones have similarity 0."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[number] = 1.0
    return vector


def toward(number: int, other: int, similarity: float) -> np.ndarray:
    """A unit vector with that similarity to axis ``number``, the rest along ``other``."""
    return (similarity * axis(number) + (1 - similarity**2) ** 0.5 * axis(other)).astype(np.float32)


def entry(entry_id: str, content: str = "", vector: np.ndarray | None = None, **more) -> IndexEntry:
    given_values = {"kind": MEMORY, "created_at": NOON} | more
    return IndexEntry(id=entry_id, content=content or entry_id, vector=vector, **given_values)


def random_directions(count: int) -> np.ndarray:
    """The same ones each time, as rows of norm 1."""
    matrix = np.random.default_rng(7).standard_normal((count, DIMENSION)).astype(np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def found(hits) -> list[str]:
    return [hit.id for hit in hits]


@pytest.fixture
def lance(tmp_path: Path) -> Iterator[LanceIndex]:
    opened = LanceIndex(tmp_path / "index", dimension=DIMENSION)
    yield opened
    opened.close()


@pytest.fixture(params=["lance", "memory"])
def index(request: pytest.FixtureRequest) -> SearchIndex:
    return MemoryIndex(DIMENSION) if request.param == "memory" else request.getfixturevalue("lance")


class TestRows:
    def test_an_empty_index_answers_everything_with_nothing(self, index):
        assert index.is_new
        assert index.count(MEMORY) == 0
        assert index.ids(MEMORY) == index.ids_without_vector(MEMORY) == set()
        assert index.search_text(MEMORY, "word", 5) == []
        assert index.search_vector(MEMORY, axis(0), 5) == []
        assert index.vectors(MEMORY, ["a"]) == {}
        index.delete(MEMORY, ["a"])
        assert index.optimise_if_due() is False

    def test_put_replaces_the_row_of_the_same_id(self, index):
        index.put(MEMORY, [entry("a", "the old words", axis(0)), entry("b", "other")])
        index.put(MEMORY, [entry("a", "new ones", axis(1))])
        assert index.count(MEMORY) == 2
        assert index.search_text(MEMORY, "old", 5) == []
        assert found(index.search_text(MEMORY, "new", 5)) == ["a"]
        assert found(index.search_vector(MEMORY, axis(1), 1)) == ["a"]

    def test_putting_twice_changes_nothing(self, index):
        rows = [entry("a", "some words", axis(0), tags=("x",)), entry("b", "words")]
        index.put(MEMORY, rows)
        before = index.search_text(MEMORY, "words", 5)
        index.put(MEMORY, rows)
        assert index.search_text(MEMORY, "words", 5) == before
        assert index.count(MEMORY) == 2

    def test_the_last_of_several_rows_with_one_id_counts(self, index):
        index.put(MEMORY, [entry("a", "first"), entry("a", "second")])
        assert index.count(MEMORY) == 1
        assert found(index.search_text(MEMORY, "second", 5)) == ["a"]

    @pytest.mark.parametrize("there", [(), ("a",), ("b", "c"), ("other",)])
    def test_who_is_alone_puts_the_same_rows(self, index, there):
        """New ones alone, known ones alone, and both in one go."""
        index.put(MEMORY, [entry(row_id, "old words", axis(1)) for row_id in there])
        rows = [entry("a", "new words", axis(0)), entry("b", "new words")]
        index.put(MEMORY, [entry("a", "first"), *rows], is_alone=True)
        index.put(MEMORY, rows, is_alone=True)
        assert index.ids(MEMORY) == {"a", "b", *there}
        assert index.count(MEMORY) == len({"a", "b", *there})
        assert found(index.search_text(MEMORY, "new", 5)) == ["a", "b"]
        assert found(index.search_vector(MEMORY, axis(0), 1)) == ["a"]
        assert index.ids_without_vector(MEMORY) == {"b"}

    def test_put_of_nothing_is_no_error(self, index):
        index.put(MEMORY, [])
        assert index.count(MEMORY) == 0

    def test_delete_takes_known_ids_and_ignores_others(self, index):
        index.put(MEMORY, [entry("a", "word"), entry("it's", "word"), entry("c", "word")])
        index.delete(MEMORY, ["a", "it's", "unknown", "' OR 1=1 --"])
        assert index.ids(MEMORY) == {"c"}
        assert found(index.search_text(MEMORY, "word", 5)) == ["c"]

    def test_more_ids_than_one_condition_holds(self, index):
        names = [f"id-{number:04d}" for number in range(lance_index.IDS_PER_CONDITION + 50)]
        index.put(MEMORY, [entry(name, "word", axis(0)) for name in names])
        assert set(index.vectors(MEMORY, names)) == set(names)
        index.delete(MEMORY, names[:-3])
        assert index.ids(MEMORY) == set(names[-3:])

    def test_kinds_are_kept_apart(self, index):
        index.put(MEMORY, [entry("a", "word", axis(0))])
        index.put(CHUNK, [entry("b", "word", axis(0), kind=CHUNK)])
        assert found(index.search_text(MEMORY, "word", 5)) == ["a"]
        assert found(index.search_vector(CHUNK, axis(0), 5)) == ["b"]
        index.delete(CHUNK, ["a"])
        assert (index.count(MEMORY), index.count(CHUNK)) == (1, 1)


class TestVectors:
    def test_hits_carry_the_cosine_and_come_nearest_first(self, index):
        rows = [entry("far", vector=toward(0, 1, 0.2)), entry("near", vector=toward(0, 1, 0.9))]
        index.put(MEMORY, [*rows, entry("opposite", vector=-axis(0))])
        hits = index.search_vector(MEMORY, axis(0), 5)
        assert found(hits) == ["near", "far", "opposite"]
        assert [hit.score for hit in hits] == pytest.approx([0.9, 0.2, -1.0], abs=1e-6)

    def test_no_similarity_exceeds_one(self, index):
        vector = toward(0, 1, 0.7)
        index.put(MEMORY, [entry("a", vector=vector)])
        assert index.search_vector(MEMORY, vector, 1)[0].score == pytest.approx(1.0, abs=1e-6)
        assert index.search_vector(MEMORY, vector, 1)[0].score <= 1.0 + 1e-6

    def test_a_row_without_a_vector_is_found_by_text_only(self, index):
        index.put(MEMORY, [entry("a", "word"), entry("b", "word", axis(0))])
        assert found(index.search_vector(MEMORY, axis(1), 5)) == ["b"]
        assert found(index.search_text(MEMORY, "word", 5)) == ["a", "b"]
        assert index.ids_without_vector(MEMORY) == {"a"}
        index.put(MEMORY, [entry("a", "word", axis(1))])
        assert index.ids_without_vector(MEMORY) == set()

    def test_vectors_come_back_as_they_were(self, index):
        vector = toward(2, 5, 0.3)
        index.put(MEMORY, [entry("a", vector=vector), entry("b")])
        stored = index.vectors(MEMORY, ["a", "b", "unknown"])
        assert list(stored) == ["a"]
        assert stored["a"].dtype == np.float32
        assert np.array_equal(stored["a"], vector)

    def test_many_vectors_are_searched_as_each_one_is(self, index):
        index.put(MEMORY, [entry(str(number), vector=axis(number)) for number in range(7)])
        queries = [toward(number, 7, 0.6) for number in range(7)]
        together = index.search_vectors(MEMORY, queries, 2)
        assert [found(hits)[0] for hits in together] == [str(number) for number in range(7)]
        assert index.search_vectors(MEMORY, [], 2) == []

    @pytest.mark.parametrize("query_count", [2, 7])
    def test_only_rows_that_are_near_enough_are_found(self, index, query_count):
        """Few vectors are searched one by one, many together; both leave out what is too far."""
        index.put(MEMORY, [entry(str(number), vector=axis(number)) for number in range(7)])
        queries = [toward(number, 7, 0.8) for number in range(query_count)]
        together = index.search_vectors(MEMORY, queries, 3, 0.7)
        assert [found(hits) for hits in together] == [[str(n)] for n in range(query_count)]

    def test_another_dimension_is_refused_by_name(self, index):
        index.put(MEMORY, [entry("a", "word", axis(0))])
        short = np.ones(3, dtype=np.float32)
        with pytest.raises(DimensionMismatchError, match="3 dimensions where 8 are expected"):
            index.put(MEMORY, [entry("b", vector=short)])
        with pytest.raises(DimensionMismatchError):
            index.search_vector(MEMORY, short, 5)
        assert index.ids(MEMORY) == {"a"}


class TestTies:
    def test_equal_scores_are_ordered_by_id_also_at_the_limit(self, index):
        names = list("hcfaebdg")
        index.put(MEMORY, [entry(name, "the same words", axis(0)) for name in names])
        assert found(index.search_vector(MEMORY, axis(0), 3)) == ["a", "b", "c"]
        assert found(index.search_text(MEMORY, "words", 3)) == ["a", "b", "c"]

    def test_a_limit_of_zero_gives_nothing(self, index):
        index.put(MEMORY, [entry("a", "word", axis(0))])
        assert index.search_vector(MEMORY, axis(0), 0) == []
        assert index.search_text(MEMORY, "word", 0) == []


TEXTS = {
    "dark": "ダークモードが好きです",
    "cat": "我养了一只猫，它很可爱",
    "database": "我们决定用数据库保存账单",
    "korean": "데이터베이스를 서울로 옮겼다",
    "house": "우리 집에 개가 있다",
    "contraction": "I don't drink coffee after noon",
    "hyphen": "Run the pre-edit hook first",
    "rate": "The disk reads 3 GB/s",
    "cpp": "The parser is written in C++",
    "csharp": "The client is written in C#",
    "node": "We run node.js in production",
    "router": "The router is 192.168.9.1",
    "path": "Settings live in /etc/nginx/sites-enabled/memo.conf",
    "snake": "Call memory_store before closing",
    "camel": "The class is PostgresPoolManager",
    "emoji": "Launch day 🚀 went well",
    "accent": "Zoë meets René at the café",
    "german": "Die Straße ist gesperrt",
    "logic": "either AND or OR",
    "stop": "to be or not to be",
    "plural": "The meetings were cancelled",
    "russian": "Встреча перенесена на вторник",
    "hindi": "हिन्दी में नमस्ते",
    "thai": "ประชุมวันจันทร์",
    "date": "Signed on 2026-03-04",
    "amount": "It cost $1,250 in all",
    "unit": "The laptop has 16GB",
}

QUERIES = [
    ("ダーク", "dark"),
    ("モード", "dark"),
    ("猫", "cat"),
    ("你的猫叫什么", "cat"),
    ("数据库", "database"),
    ("데이터", "korean"),
    ("집", "house"),
    ("don't", "contraction"),
    ("don’t", "contraction"),
    ("pre-edit", "hyphen"),
    ("preedit", "hyphen"),
    ("GB/s", "rate"),
    ("C++", "cpp"),
    ("c#", "csharp"),
    ("node.js", "node"),
    ("nodejs", "node"),
    ("192.168.9.1", "router"),
    ("192.168", "router"),
    ("/etc/nginx/sites-enabled/memo.conf", "path"),
    ("memo.conf", "path"),
    ("memory_store", "snake"),
    ("memoryStore", "snake"),
    ("postgres pool", "camel"),
    ("🚀", "emoji"),
    ("Zoe", "accent"),
    ("CAFÉ", "accent"),
    ("cafe\u0301", "accent"),
    ("strasse", "german"),
    ("OR", "logic"),
    ("to be", "stop"),
    ("meeting", "plural"),
    ("вторник", "russian"),
    ("नमस्ते", "hindi"),
    ("ประชุม", "thai"),
    ("2026-03", "date"),
    ("1250", "amount"),
    ("16 GB", "unit"),
    ('"router"', "router"),
    ("router*", "router"),
    ("title:router", "router"),
    ("(router) ^2 -x", "router"),
    ("what is the address of our router?", "router"),
]


@pytest.fixture(scope="module", params=["lance", "memory"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """Both indexes with texts of many kinds."""
    filled: SearchIndex = MemoryIndex(DIMENSION)
    if request.param == "lance":
        filled = LanceIndex(tmp_path_factory.mktemp("library"), dimension=DIMENSION)
    filled.put(MEMORY, [entry(name, text) for name, text in TEXTS.items()])
    return filled


class TestText:
    @pytest.mark.parametrize(("query", "expected"), QUERIES)
    def test_a_word_finds_its_text_first(self, library, query, expected):
        assert found(library.search_text(MEMORY, query, 3))[:1] == [expected]

    def test_a_number_does_not_find_its_digits_elsewhere(self, library):
        assert found(library.search_text(MEMORY, "168.9.1", 5)) == []

    @pytest.mark.parametrize(
        "query", ["", " \n", "?!", "'\"*:^()[]{}~", "。、「」…", "\0", "\ud800"]
    )
    def test_a_query_without_a_word_finds_nothing(self, library, query):
        assert library.search_text(MEMORY, query, 5) == []

    def test_more_matching_words_rank_higher(self, library):
        assert found(library.search_text(MEMORY, "disk coffee noon", 5)) == ["contraction", "rate"]

    def test_a_long_document_is_a_valid_query(self, library):
        document = ("The disk reads 3 GB/s. " + string.punctuation) * 1_000
        assert len(document) > 50_000
        assert found(library.search_text(MEMORY, document, 1)) == ["rate"]

    @given(query=st.text(max_size=60))
    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_any_text_is_a_valid_query(self, library, query):
        hits = library.search_text(MEMORY, query, 5)
        assert all(hit.score > 0 for hit in hits)

    def test_a_rare_word_outweighs_a_common_one(self, index):
        rows = [entry(f"common-{number}", "invoice paid") for number in range(9)]
        index.put(MEMORY, [*rows, entry("rare", "invoice disputed")])
        common, rare = (index.search_text(MEMORY, word, 1)[0] for word in ("paid", "disputed"))
        assert rare.id == "rare"
        assert rare.score > common.score


TRICKY = [
    "'; --",
    "x' OR 1=1",
    "O'Brien",
    'say "hi"',
    "back\\slash",
    "100%_",
    "猫 🐈",
    "\t\n",
    "a,b",
]


class TestFilters:
    @pytest.fixture
    def filled(self, index) -> SearchIndex:
        index.put(
            MEMORY,
            [
                entry("fact", "word", axis(0), memory_type=MemoryType.FACT, origin=Origin.USER),
                entry("todo", "word", axis(0), memory_type=MemoryType.TODO, channel_id="c1"),
                entry("tagged", "word", axis(0), tags=("a", "b"), session_id="s1"),
                entry("file", "word", axis(0), source="notes.md", origin=Origin.FILE, tags=("a",)),
            ],
        )
        return index

    @pytest.mark.parametrize(
        ("wanted", "expected"),
        [
            (MemoryFilter(), {"fact", "todo", "tagged", "file"}),
            (MemoryFilter(types=(MemoryType.FACT,)), {"fact"}),
            (MemoryFilter(types=(MemoryType.FACT, MemoryType.TODO)), {"fact", "todo"}),
            (MemoryFilter(channels=("c1", "c2")), {"todo"}),
            (MemoryFilter(sessions=("s1",)), {"tagged"}),
            (MemoryFilter(sources=("notes.md",)), {"file"}),
            (MemoryFilter(origins=(Origin.FILE, Origin.LLM)), {"file"}),
            (MemoryFilter(tags=("a",)), {"tagged", "file"}),
            (MemoryFilter(tags=("a", "b")), {"tagged"}),
            (MemoryFilter(tags=("a",), origins=(Origin.USER,)), set()),
            (MemoryFilter(minimum_importance=0.9), {"fact", "todo", "tagged", "file"}),
        ],
    )
    def test_each_field_narrows_both_searches(self, filled, wanted, expected):
        assert set(found(filled.search_text(MEMORY, "word", 9, wanted))) == expected
        assert set(found(filled.search_vector(MEMORY, axis(0), 9, wanted))) == expected

    def test_the_filter_applies_before_the_limit(self, index):
        better = [entry(f"better-{number}", "word word", axis(0)) for number in range(60)]
        worse = [
            entry(f"wanted-{number}", "word and much else", toward(0, 1, 0.5), tags=("t",))
            for number in range(5)
        ]
        index.put(MEMORY, better + worse)
        wanted = MemoryFilter(tags=("t",))
        names = [f"wanted-{number}" for number in range(5)]
        assert found(index.search_vector(MEMORY, axis(0), 5, wanted)) == names
        assert found(index.search_text(MEMORY, "word", 5, wanted)) == names

    @pytest.mark.parametrize("name", TRICKY)
    def test_crafted_names_match_themselves_and_nothing_else(self, index, name):
        index.put(
            MEMORY,
            [
                entry("named", "word", channel_id=name, source=name, session_id=name, tags=(name,)),
                entry("other", "word", channel_id="c", source="s", session_id="s", tags=("t",)),
            ],
        )
        for wanted in (
            MemoryFilter(channels=(name,)),
            MemoryFilter(sources=(name,)),
            MemoryFilter(sessions=(name,)),
            MemoryFilter(tags=(name,)),
        ):
            assert found(index.search_text(MEMORY, "word", 5, wanted)) == ["named"]

    @pytest.mark.parametrize(
        ("since", "until", "expected"),
        [
            (NOON, None, {"now"}),
            (NOON + timedelta(microseconds=1), None, set()),
            (None, NOON, {"before", "day", "long-ago"}),
            (NOON - timedelta(hours=1), NOON, {"before"}),
            (NOON - timedelta(hours=1, minutes=30), NOON, {"before", "day"}),
            (None, datetime(1970, 1, 2, tzinfo=UTC), {"long-ago"}),
        ],
    )
    def test_since_is_included_and_until_excluded(self, index, since, until, expected):
        index.put(
            MEMORY,
            [
                entry("now", "word"),
                entry("before", "word", event_at=NOON - timedelta(hours=1)),
                entry("day", "word", event_at=date(2026, 3, 4)),
                entry("long-ago", "word", event_at=date(1969, 7, 20)),
            ],
        )
        wanted = MemoryFilter(since=since, until=until)
        assert set(found(index.search_text(MEMORY, "word", 9, wanted))) == expected

    @pytest.mark.parametrize("hours", [-10, -8, 0, 1, 9, 12, 13])
    def test_a_day_lies_between_its_midnights_in_every_zone(self, index, hours):
        midnight = datetime(2026, 3, 4, tzinfo=UTC) - timedelta(hours=hours)
        days = [date(2026, 3, 3), date(2026, 3, 4), date(2026, 3, 5)]
        index.put(MEMORY, [entry(str(day), "word", event_at=day) for day in days])
        wanted = MemoryFilter(since=midnight, until=midnight + timedelta(days=1))
        assert found(index.search_text(MEMORY, "word", 9, wanted)) == ["2026-03-04"]


NAMES = st.sampled_from([None, "c", *TRICKY])
ROWS = st.lists(
    st.builds(
        entry,
        st.uuids().map(str),
        st.just("word"),
        memory_type=st.sampled_from([None, *MemoryType]),
        channel_id=NAMES,
        session_id=NAMES,
        source=st.one_of(NAMES, st.text(max_size=6)),
        origin=st.sampled_from([None, *Origin]),
        tags=st.lists(st.sampled_from(TRICKY), max_size=3, unique=True).map(tuple),
        event_at=st.one_of(
            st.none(),
            st.dates(date(1960, 1, 1), date(2050, 1, 1)),
            st.datetimes(datetime(1960, 1, 1), datetime(2050, 1, 1), timezones=st.just(UTC)),
        ),
    ),
    min_size=1,
    max_size=12,
    unique_by=lambda row: row.id,
)
ANY_NAMES = st.lists(st.sampled_from(["c", *TRICKY]), max_size=2).map(tuple)
ANY_TIME = st.one_of(
    st.none(), st.datetimes(datetime(1960, 1, 1), datetime(2050, 1, 1), timezones=st.just(UTC))
)
FILTERS = st.builds(
    MemoryFilter,
    types=st.lists(st.sampled_from(MemoryType), max_size=3).map(tuple),
    tags=st.lists(st.sampled_from(TRICKY), max_size=2).map(tuple),
    channels=ANY_NAMES,
    sources=st.one_of(ANY_NAMES, st.lists(st.text(max_size=6), max_size=2).map(tuple)),
    sessions=ANY_NAMES,
    origins=st.lists(st.sampled_from(Origin), max_size=2).map(tuple),
    since=ANY_TIME,
    until=ANY_TIME,
)


@given(rows=ROWS, wanted=FILTERS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_sql_filters_mean_what_python_filters_mean(lance, rows, wanted):
    lance.delete(MEMORY, lance.ids(MEMORY))
    lance.put(MEMORY, rows)
    expected = {row.id for row in rows if passes(row, wanted)}
    assert set(found(lance.search_text(MEMORY, "word", 99, wanted))) == expected


class TestOnDisk:
    def test_rows_survive_closing(self, lance, tmp_path):
        lance.put(MEMORY, [entry("a", "word", axis(0))])
        lance.close()
        reopened = LanceIndex(tmp_path / "index", dimension=DIMENSION)
        assert not reopened.is_new
        assert found(reopened.search_text(MEMORY, "word", 5)) == ["a"]

    def test_a_reader_sees_what_another_wrote_after_it_was_opened(self, lance, tmp_path):
        reader = LanceIndex(tmp_path / "index", dimension=DIMENSION)
        assert reader.count(MEMORY) == 0
        lance.put(MEMORY, [entry("a", "word", axis(0))])
        assert found(reader.search_text(MEMORY, "word", 5)) == ["a"]
        lance.put(MEMORY, [entry("b", "word", axis(0))])
        assert found(reader.search_vector(MEMORY, axis(0), 5)) == ["a", "b"]

    def test_rows_after_tidying_are_found_at_once(self, lance):
        lance.put(MEMORY, [entry(f"old-{number}", "word", axis(0)) for number in range(20)])
        assert lance.optimise_if_due()
        assert not lance.optimise_if_due()
        lance.put(MEMORY, [entry("new", "fresh word", axis(1))])
        lance.delete(MEMORY, ["old-3"])
        assert found(lance.search_text(MEMORY, "fresh", 5)) == ["new"]
        assert found(lance.search_vector(MEMORY, axis(1), 1)) == ["new"]
        assert "old-3" not in found(lance.search_text(MEMORY, "word", 50))

    def test_a_score_hardly_depends_on_the_filter_or_on_tidying(self, lance):
        rows = [entry(f"{number:02d}", f"w{number} shared", tags=("t",)) for number in range(40)]
        lance.put(MEMORY, rows)
        lance.optimise_if_due()
        lance.put(MEMORY, [entry("new", "w7x shared", tags=("u",))])
        plain, narrow = (
            lance.search_text(MEMORY, "w7x", 1, wanted)[0].score
            for wanted in (None, MemoryFilter(tags=("u",)))
        )
        old = lance.search_text(MEMORY, "w7", 1)[0].score
        assert narrow == pytest.approx(plain, rel=0.05)
        assert old == pytest.approx(plain, rel=0.15)

    def test_single_writes_do_not_pile_up(self, lance):
        for number in range(upkeep.MAXIMUM_FRAGMENTS + 12):
            lance.put(MEMORY, [entry(f"{number:03d}", "word", axis(0))])
            lance.optimise_if_due()
        state = lance._table(MEMORY).state()
        assert state.rows == upkeep.MAXIMUM_FRAGMENTS + 12
        assert state.fragments <= upkeep.MAXIMUM_FRAGMENTS
        assert state.unindexed_rows <= state.rows // 2

    def test_more_rows_may_wait_while_many_come(self, lance, monkeypatch):
        """Tidying up is due later while a table is being filled, and due when that has ended."""
        monkeypatch.setattr(upkeep, "TOLERATED_UNINDEXED_ROWS", 5)
        lance.put(MEMORY, [entry(f"old-{number}", "word", axis(0)) for number in range(20)])
        assert lance.optimise_if_due(is_filling=True)
        lance.put(MEMORY, [entry(f"new-{number}", "word", axis(0)) for number in range(8)])
        assert not lance.optimise_if_due(is_filling=True)
        assert lance.optimise_if_due()

    def test_old_versions_leave_the_disk(self, lance, tmp_path, monkeypatch):
        monkeypatch.setattr(index_table, "VERSION_RETENTION", timedelta(milliseconds=1))
        for number in range(upkeep.MAXIMUM_FRAGMENTS + 2):
            lance.put(MEMORY, [entry(f"{number:03d}", "word", axis(0))])
        while lance.optimise_if_due():
            pass
        folder = next((tmp_path / "index").glob("memories_v*"))
        assert len(list((folder / "data").iterdir())) <= 2
        assert len(list((folder / "_versions").iterdir())) <= 4

    def test_many_versions_are_tidied_up_once_they_are_old_and_not_before(
        self, lance, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(upkeep, "MAXIMUM_OLD_VERSIONS", 20)
        monkeypatch.setattr(index_table, "VERSIONS_BETWEEN_LOOKS", 10)
        lance.put(MEMORY, [entry(f"{number:02d}", "word", axis(0)) for number in range(30)])
        lance.optimise_if_due()
        tidied = 0
        for number in range(30):
            lance.delete(MEMORY, [f"{number:02d}"])
            tidied += lance.optimise_if_due()
        assert tidied == 0
        monkeypatch.setattr(index_table, "VERSION_RETENTION", timedelta(milliseconds=1))
        for number in range(11):
            lance.delete(MEMORY, [f"{number:02d}"])
            tidied += lance.optimise_if_due()
        assert tidied == 1
        folder = next((tmp_path / "index").glob("memories_v*"))
        assert len(list((folder / "_versions").iterdir())) < 20

    def test_a_large_table_gets_a_vector_index_and_answers_alike(self, lance, monkeypatch):
        monkeypatch.setattr(upkeep, "VECTOR_INDEX_ROWS", 600)
        matrix = random_directions(600)
        rows = [
            entry(f"{number:03d}", "word", vector, tags=("rare",) if number % 50 == 0 else ())
            for number, vector in enumerate(matrix)
        ]
        lance.put(MEMORY, rows)
        exact = lance.search_vector(MEMORY, matrix[0], 10)
        assert lance.optimise_if_due()
        assert not lance.optimise_if_due()
        lance.put(MEMORY, [entry("no-vector", "word"), entry("z-new", "word", matrix[0])])
        hits = lance.search_vector(MEMORY, matrix[0], 11)
        assert found(hits) == ["000", "z-new", *found(exact)[1:]]
        assert [hit.score for hit in hits][2:] == pytest.approx(
            [hit.score for hit in exact][1:], abs=1e-5
        )
        rare = lance.search_vector(MEMORY, matrix[1], 12, MemoryFilter(tags=("rare",)))
        assert len(rare) == 12

    def test_many_rows_without_vectors_are_tidied_up_too(self, lance, monkeypatch):
        """A table of passages that memories cover has no vector to index, and later a few."""
        monkeypatch.setattr(upkeep, "VECTOR_INDEX_ROWS", 100)
        lance.put(MEMORY, [entry(f"{number:03d}", "word") for number in range(120)])
        assert lance.optimise_if_due()
        assert not lance.optimise_if_due()
        lance.put(MEMORY, [entry(f"v{number}", "word", axis(number % 8)) for number in range(130)])
        assert lance.optimise_if_due()
        state = lance._table(MEMORY).state()
        assert (state.unindexed_rows, state.vector_index_parts) == (0, 1)
        assert len(lance.search_vector(MEMORY, axis(1), 250)) == 130

    def test_tidying_again_and_again_leaves_few_parts_and_files(self, lance, monkeypatch):
        """The index of vectors and the table's files stay in few pieces however often rows come,
        and all rows are found."""
        monkeypatch.setattr(upkeep, "VECTOR_INDEX_ROWS", 300)
        monkeypatch.setattr(upkeep, "MAXIMUM_VECTOR_INDEX_PARTS", 2)
        monkeypatch.setattr(index_table, "MAXIMUM_VECTOR_INDEX_PARTS", 2)
        monkeypatch.setattr(upkeep, "MAXIMUM_FRAGMENTS", 3)
        matrix = random_directions(320)
        rows = [entry(f"{number:03d}", "word", vector) for number, vector in enumerate(matrix)]
        lance.put(MEMORY, rows[:300])
        for row in rows[300:]:
            lance.put(MEMORY, [row])
            lance.optimise_if_due()
            state = lance._table(MEMORY).state()
            assert 1 <= state.vector_index_parts <= 2
            assert state.fragments <= 3 + state.vector_index_parts
        assert sorted(found(lance.search_vector(MEMORY, matrix[0], 320))) == [
            row.id for row in rows
        ]

    def test_a_compacted_table_is_in_one_piece(self, lance, monkeypatch):
        """However many parts its index of vectors had: one part, one file, nothing left to do."""
        monkeypatch.setattr(upkeep, "VECTOR_INDEX_ROWS", 300)
        monkeypatch.setattr(upkeep, "MAXIMUM_FRAGMENTS", 3)
        matrix = random_directions(320)
        rows = [entry(f"{number:03d}", "word", vector) for number, vector in enumerate(matrix)]
        lance.put(MEMORY, rows[:300])
        for row in rows[300:]:
            lance.put(MEMORY, [row])
            lance.optimise_if_due()
        assert lance._table(MEMORY).state().vector_index_parts > 1
        lance.compact(grace_seconds=0)
        state = lance._table(MEMORY).state()
        assert (state.vector_index_parts, state.fragments, lance.loose_pieces()) == (1, 1, 0)
        assert found(lance.search_vector(MEMORY, matrix[310], 1)) == ["310"]

    def test_the_model_s_dimension_may_change_and_text_goes_on(self, lance, tmp_path):
        lance.put(MEMORY, [entry("a", "word", axis(0))])
        other = LanceIndex(tmp_path / "index", dimension=3)
        assert found(other.search_text(MEMORY, "word", 5)) == ["a"]
        other.put(MEMORY, [entry("b", "word")])
        with pytest.raises(DimensionMismatchError):
            other.put(MEMORY, [entry("c", "word", np.ones(3, dtype=np.float32))])
        assert other.ids(MEMORY) == {"a", "b"}

    def test_a_new_format_fills_a_new_table_and_keeps_the_vectors(
        self, lance, tmp_path, monkeypatch
    ):
        rows = [entry("a", "word", axis(0)), entry("b", "word", axis(1))]
        lance.put(MEMORY, rows)
        monkeypatch.setattr(lance_index, "INDEX_FORMAT", lance_index.INDEX_FORMAT + 1)
        newer = LanceIndex(tmp_path / "index", dimension=DIMENSION)
        assert newer.is_new
        assert newer.count(MEMORY) == 0
        assert set(newer.vectors(MEMORY, ["a", "b"])) == {"a", "b"}
        newer.put(MEMORY, rows[:1])
        newer.optimise_if_due()
        assert set(newer.vectors(MEMORY, ["a", "b"])) == {"a", "b"}
        newer.put(MEMORY, rows[1:])
        newer.optimise_if_due()
        assert len(list((tmp_path / "index").glob("memories_v*"))) == 1
        assert found(newer.search_text(MEMORY, "word", 5)) == ["a", "b"]

    def test_a_folder_that_is_gone_comes_back_empty(self, lance, tmp_path):
        lance.put(MEMORY, [entry("a", "word")])
        lance.close()
        (tmp_path / "index").rename(tmp_path / "elsewhere")
        again = LanceIndex(tmp_path / "index", dimension=DIMENSION)
        assert again.is_new
        again.put(MEMORY, [entry("a", "word")])
        assert found(again.search_text(MEMORY, "word", 5)) == ["a"]

    def test_a_damaged_table_is_an_error_of_the_store(self, lance, tmp_path):
        lance.put(MEMORY, [entry("a", "word", axis(0))])
        lance.close()
        for manifest in (tmp_path / "index").glob("memories_v*/_versions/*"):
            manifest.write_bytes(b"damaged")
        with pytest.raises(SearchIndexError, match="cannot use the search index"):
            LanceIndex(tmp_path / "index", dimension=DIMENSION).search_text(MEMORY, "word", 5)

    def test_a_file_in_its_place_is_an_error_of_the_store(self, tmp_path):
        (tmp_path / "index").write_text("no folder")
        with pytest.raises(SearchIndexError):
            LanceIndex(tmp_path / "index", dimension=DIMENSION).put(MEMORY, [entry("a")])

    def test_files_follow_the_process_s_mask(self, tmp_path):
        script = (
            "import os, sys; os.umask(0o077)\n"
            "from datetime import UTC, datetime\n"
            "from memctl.memory import EntryKind\n"
            "from memctl.store.index import IndexEntry\n"
            "from memctl.store.lance_index import LanceIndex\n"
            "row = IndexEntry(id='a', kind=EntryKind.MEMORY, content='word', vector=None,\n"
            "                 created_at=datetime(2026, 3, 4, tzinfo=UTC))\n"
            "LanceIndex(sys.argv[1], dimension=8).put(EntryKind.MEMORY, [row])\n"
        )
        subprocess.run([sys.executable, "-c", script, str(tmp_path / "index")], check=True)
        paths = [tmp_path / "index", *(tmp_path / "index").rglob("*")]
        assert len(paths) > 5
        assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in paths)


def _write(uri: str, writer: int) -> None:
    """Runs in a process of its own: own rows, rows shared with all others, and deletions."""
    index = LanceIndex(uri, dimension=DIMENSION)
    for number in range(12):
        rows = [entry(f"{writer}-{number}", "own word", axis(0)), entry(f"shared-{number}", "both")]
        index.put(MEMORY, rows)
        index.delete(MEMORY, [f"old-{writer}-{number}"])
        index.optimise_if_due()


@pytest.mark.slow
def test_concurrent_writers_lose_nothing_and_double_nothing(tmp_path):
    uri = str(tmp_path / "index")
    first = LanceIndex(uri, dimension=DIMENSION)
    old = [entry(f"old-{writer}-{number}") for writer in range(3) for number in range(14)]
    first.put(MEMORY, old)
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_write, args=(uri, writer)) for writer in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    expected = {f"{writer}-{number}" for writer in range(2) for number in range(12)}
    expected |= {f"shared-{number}" for number in range(12)}
    expected |= {row.id for row in old} - {f"old-{w}-{n}" for w in range(2) for n in range(12)}
    assert first.ids(MEMORY) == expected
    assert first.count(MEMORY) == len(expected)


def test_both_indexes_rank_alike(tmp_path):
    words = ["alpha", "beta", "gamma", "delta", "omega"]
    random = np.random.default_rng(3)
    rows = [
        replace(entry(f"{number:02d}"), content=" ".join(random.choice(words, size=1 + number % 7)))
        for number in range(30)
    ]
    lance, memory = LanceIndex(tmp_path, dimension=DIMENSION), MemoryIndex(DIMENSION)
    for index in (lance, memory):
        index.put(MEMORY, rows)
    for query in ("alpha", "beta gamma", "omega delta alpha"):
        real, fake = (index.search_text(MEMORY, query, 30) for index in (lance, memory))
        assert {hit.id: pytest.approx(hit.score, rel=0.02) for hit in real} == {
            hit.id: hit.score for hit in fake
        }


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (
            RuntimeError("lance error: IO: No space left (os error 28), /x/src/io/commit.rs:1:2"),
            FullDiskError,
            "no space is left",
        ),
        (OSError(errno.ENOSPC, "No space left on device"), FullDiskError, "no space is left"),
        (RuntimeError("IO: denied (os error 13) at data"), ReadOnlyStoreError, "permission denied"),
        (
            RuntimeError("lance error: bad file, /root/x-13.0.0/src/object_store.rs:1006:34\nmore"),
            SearchIndexError,
            ": lance error: bad file",
        ),
        (ValueError(), SearchIndexError, "ValueError"),
    ],
)
def test_what_lancedb_says_becomes_an_error_of_the_store(lance, error, kind, text):
    with pytest.raises(kind) as caught, lance._translated():
        raise error
    assert text in str(caught.value)
    assert ".rs:" not in str(caught.value)


def test_a_conflict_with_another_process_s_commit_is_tried_again(monkeypatch):
    monkeypatch.setattr(index_table, "CONFLICT_PAUSES_SECONDS", (0.0, 0.0))
    left = [RuntimeError("Retryable commit conflict for version 7"), RuntimeError("other")]

    async def commit() -> str:
        if len(left) == 2:
            raise left.pop(0)
        return "done"

    assert wait_for(index_table._retried(commit)) == "done"

    async def fail() -> None:
        raise left[0]

    with pytest.raises(RuntimeError, match="other"):
        wait_for(index_table._retried(fail))
