"""Fusion: contributions, order, near-ties, variety."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.search.fusion import (
    Fusion,
    RankedList,
    ScoreSheet,
    break_near_ties,
    fuse,
    in_order,
    jaccard,
    maximal_marginal_relevance,
    ranked,
    recency,
)
from memctl.search_hit import ScorePart

names = st.text("abcdef", min_size=1, max_size=3)
score_maps = st.dictionaries(names, st.floats(0, 10), min_size=1, max_size=12)


def sheet_of(scores: dict[str, float]) -> ScoreSheet:
    sheet = ScoreSheet()
    for key, score in scores.items():
        sheet.add(key, ScorePart("text", score))
    return sheet


def test_reciprocal_rank_fusion_adds_weight_over_k_and_rank() -> None:
    """The seeds' formula with k = 60: sum of 1 / (60 + rank)."""
    sheet = ScoreSheet()
    first = RankedList("vector", 1.0, ranked([("a", 0.9), ("b", 0.2)], floor=0, full=1))
    second = RankedList("text", 2.0, ranked([("b", 7.0)], floor=0, full=7))
    for found in (first, second):
        fuse(sheet, found, Fusion.RRF, 60)
    assert sheet.scores == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 2 / 61})
    assert sheet.best() == ["b", "a"]
    assert sheet.parts_of("b") == (
        ScorePart("vector", 1 / 62, 2, 0.2),
        ScorePart("text", 2 / 61, 1, 7.0),
    )


def test_relative_fusion_keeps_how_far_hits_lie_apart() -> None:
    sheet = ScoreSheet()
    found = RankedList("text", 2.0, ranked([("a", 8.0), ("b", 2.0), ("c", -1)], floor=0, full=8))
    fuse(sheet, found, Fusion.RELATIVE, 60)
    assert sheet.scores == {"a": 2.0, "b": 0.5, "c": 0.0}


def test_a_floor_takes_noise_away() -> None:
    hits = ranked([("a", 0.58), ("b", 0.16), ("c", 0.1)], floor=0.16, full=1.0)
    assert [hit.share for hit in hits] == pytest.approx([0.5, 0.0, 0.0])
    assert [hit.rank for hit in hits] == [1, 2, 3]


def test_a_list_without_any_scale_counts_nothing() -> None:
    assert ranked([("a", 0.0)], floor=0.0, full=0.0)[0].share == 0.0


@given(
    st.lists(st.tuples(st.floats(0.1, 3), st.lists(names, unique=True, max_size=8)), max_size=4),
    st.sampled_from(Fusion),
)
def test_a_score_is_the_sum_of_its_parts(
    lists: list[tuple[float, list[str]]], fusion: Fusion
) -> None:
    sheet = ScoreSheet()
    for weight, keys in lists:
        pairs = [(key, 1 / place) for place, key in enumerate(keys, start=1)]
        fuse(sheet, RankedList("list", weight, ranked(pairs, floor=0, full=1)), fusion, 5)
    for key, score in sheet.scores.items():
        assert score == pytest.approx(sum(part.contribution for part in sheet.parts_of(key)))
    assert set(sheet.scores) == {key for _, keys in lists for key in keys}


@given(score_maps)
def test_order_is_by_score_then_id_whatever_the_order_of_arrival(scores: dict[str, float]) -> None:
    backwards = dict(reversed(scores.items()))
    ordered = in_order(scores)
    assert ordered == in_order(backwards)
    assert ordered == sorted(scores, key=lambda key: (-scores[key], key))


@given(score_maps, st.data())
def test_priors_change_the_order_of_near_ties_only(
    scores: dict[str, float], data: st.DataObject
) -> None:
    priors = {key: data.draw(st.floats(0, 1)) for key in scores}
    sheet = sheet_of(scores)
    margin = sheet.top_score * 0.02
    break_near_ties(sheet, priors, 0.02)
    for one in scores:
        for other in scores:
            if scores[one] - scores[other] > margin + 1e-9:
                assert sheet.scores[one] > sheet.scores[other]


def test_the_more_important_of_two_equal_ones_comes_first() -> None:
    sheet = sheet_of({"a": 1.0, "b": 1.0})
    break_near_ties(sheet, {"a": 0.3, "b": 0.9}, 0.02)
    assert sheet.best() == ["b", "a"]


def test_scaling_explains_itself() -> None:
    sheet = sheet_of({"a": 2.0})
    sheet.scale("a", "superseded", 0.5)
    sheet.scale("a", "nothing", 1.0)
    assert sheet.scores["a"] == 1.0
    assert sheet.parts_of("a")[1:] == (ScorePart("superseded", -1.0),)


def test_dropped_ids_are_gone_and_taken_ones_keep_their_parts() -> None:
    sheet, other = sheet_of({"a": 1.0, "b": 2.0}), ScoreSheet()
    other.take("b", sheet)
    sheet.drop("b")
    assert sheet.scores == {"a": 1.0}
    assert other.scores == {"b": 2.0}
    assert other.parts_of("b") == (ScorePart("text", 2.0),)


def test_recency_halves_with_each_half_life() -> None:
    assert [recency(days, 30) for days in (-5, 0, 30, 60)] == [1.0, 1.0, 0.5, 0.25]


TERMS = {"a": frozenset({"x", "y"}), "b": frozenset({"x", "y"}), "c": frozenset({"z"})}


def test_full_relevance_leaves_the_order_as_it_is() -> None:
    scores = {"a": 3.0, "b": 2.9, "c": 1.0}
    assert maximal_marginal_relevance(scores, TERMS, 1.0) == ["a", "b", "c"]


def test_variety_puts_another_topic_before_the_same_again() -> None:
    scores = {"a": 3.0, "b": 2.9, "c": 1.0}
    assert maximal_marginal_relevance(scores, TERMS, 0.5) == ["a", "c", "b"]


@given(score_maps, st.floats(0.01, 1))
def test_variety_loses_and_repeats_nothing(scores: dict[str, float], trade: float) -> None:
    terms = {key: frozenset(key) for key in scores}
    chosen = maximal_marginal_relevance(scores, terms, trade)
    assert sorted(chosen) == sorted(scores)
    assert chosen[0] == in_order(scores)[0]


@given(st.frozensets(names), st.frozensets(names))
def test_likeness_lies_between_nothing_and_all(one: frozenset[str], other: frozenset[str]) -> None:
    value = jaccard(one, other)
    assert 0 <= value <= 1
    assert value == jaccard(other, one)
    assert math.isclose(jaccard(one, one), 1.0 if one else 0.0)
