"""What holds for any texts: judging never fails, never wavers, and likes each text as itself."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memctl.association import Newer, Relation, Statement, analyse, associate, judge

PAIRS = Path(__file__).resolve().parents[1] / "data" / "association_pairs.jsonl"
SENTENCES = sorted(
    {
        json.loads(line)[side]
        for line in PAIRS.read_text(encoding="utf-8").splitlines()
        for side in ("a", "b")
    }
)
PIECES = sorted({word for sentence in SENTENCES for word in sentence.split()})

any_text = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join),
    st.sampled_from(SENTENCES),
)
similarities = st.floats(min_value=-1, max_value=1)
IN_EITHER_ORDER = {Relation.SAME, Relation.CONTRADICTS}


@given(any_text, any_text, similarities)
def test_any_two_texts_can_be_judged(old: str, new: str, similarity: float) -> None:
    judgement = judge(Statement(content=new), Statement(content=old), similarity)
    assert judgement.reason
    assert 0 <= judgement.confidence <= 1
    assert judgement == judge(Statement(content=new), Statement(content=old), similarity)


@given(any_text)
def test_a_text_is_the_same_as_itself(text: str) -> None:
    assert judge(Statement(content=text), Statement(content=text), 1.0).relation is Relation.SAME


@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES), similarities)
def test_same_and_contradicts_know_no_order(one: str, other: str, similarity: float) -> None:
    first = judge(Statement(content=one), Statement(content=other), similarity)
    second = judge(Statement(content=other), Statement(content=one), similarity)
    if first.relation in IN_EITHER_ORDER or second.relation in IN_EITHER_ORDER:
        assert first.relation == second.relation


@given(any_text, any_text)
def test_nearer_texts_are_never_less_related(old: str, new: str) -> None:
    far, near = (
        judge(Statement(content=new), Statement(content=old), similarity)
        for similarity in (0.0, 0.99)
    )
    if far.relation is not Relation.DISTINCT:
        assert near.relation is not Relation.DISTINCT


@given(any_text)
def test_an_analysis_depends_on_its_text_alone(text: str) -> None:
    first, second = (analyse(Statement(content=text)) for _ in range(2))
    assert first.key == second.key
    assert first.terms == second.terms
    assert first.values == second.values


@given(any_text, st.lists(st.tuples(any_text, similarities), max_size=6))
def test_a_plan_links_each_candidate_at_most_once(
    new: str, candidates: list[tuple[str, float]]
) -> None:
    plan = associate(
        Statement(content=new),
        [(str(number), Statement(content=old), s) for number, (old, s) in enumerate(candidates)],
    )
    ids = [link.id for link in plan.links]
    assert len(ids) == len(set(ids))
    assert all(0 <= link.weight <= 1 for link in plan.links)
    reversed_links = [link for link in plan.links if link.reversed]
    assert all(link.relation is Relation.UPDATES for link in reversed_links)
    assert Newer.NEW != Newer.OLD
