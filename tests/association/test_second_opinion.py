"""What a language model may change about pairs that the rules only call related."""

from __future__ import annotations

from memctl.association import (
    Newer,
    Relation,
    Statement,
    associate,
    judge,
    reconsider,
    unclear_links,
    weigh_opinion,
)
from memctl.memory import RelationType
from memctl.new_memory import Outcome

NEW = Statement(content="The mast carries a wind vane.")
OLD = Statement(content="On the mast sits a weathercock.")


def test_only_similar_pairs_that_are_merely_related_are_unclear() -> None:
    plan = associate(NEW, [("near", OLD, 0.7), ("far", OLD, 0.45)])
    assert {link.relation for link in plan.links} == {Relation.RELATED}
    assert [link.id for link in unclear_links(plan)] == ["near"]


def test_an_opinion_replaces_the_relation_and_the_outcome() -> None:
    plan = associate(NEW, [("near", OLD, 0.7), ("other", OLD, 0.65)])
    opinion = weigh_opinion(Relation.CONTRADICTS, NEW, OLD, 0.7)
    assert opinion is not None
    changed = reconsider(plan, {"near": opinion})
    assert changed.outcome is Outcome.CONTRADICTS
    assert [(link.id, link.relation_type) for link in changed.links] == [
        ("near", RelationType.CONTRADICTS),
        ("other", RelationType.RELATED_TO),
    ]


def test_what_has_nothing_to_do_with_each_other_loses_its_link() -> None:
    plan = associate(NEW, [("near", OLD, 0.7)])
    opinion = weigh_opinion(Relation.DISTINCT, NEW, OLD, 0.7)
    assert opinion is not None
    assert reconsider(plan, {"near": opinion}).outcome is Outcome.CREATED


def test_no_opinion_makes_one_claim_of_two_that_values_or_denials_tell_apart() -> None:
    for new, old in (
        ("The mast is 12 metres high.", "The mast is 14 metres high."),
        ("Ada does not eat fish.", "Ada eats fish."),
        ("The backup runs at 3:00.", "The backup runs."),
    ):
        pair = Statement(content=new), Statement(content=old)
        assert weigh_opinion(Relation.SAME, *pair, 0.9) is None


def test_an_update_takes_the_order_that_is_known_and_none_from_the_model() -> None:
    said = weigh_opinion(Relation.UPDATES, NEW, OLD, 0.7)
    assert said is not None
    assert (said.relation, said.newer) == (Relation.UPDATES, Newer.NEW)
    filed = Statement(content=NEW.content, stated_directly=False)
    unordered = weigh_opinion(
        Relation.UPDATES, filed, Statement(content=OLD.content, stated_directly=False), 0.7
    )
    assert unordered is not None
    assert unordered.relation is Relation.CONTRADICTS


def test_the_rules_alone_call_this_pair_related() -> None:
    assert judge(NEW, OLD, 0.7).relation is Relation.RELATED
