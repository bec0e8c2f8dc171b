"""Which links a new memory gets, in what order, and what the outcome is called."""

from __future__ import annotations

from memctl.association import MOST_RELATED, SAME_WEIGHT, Relation, Statement, associate
from memctl.memory import RelationType
from memctl.new_memory import Outcome

NEW = Statement(content="The panel now listens on port 8093.")


def _candidate(id_: str, content: str, similarity: float) -> tuple[str, Statement, float]:
    return id_, Statement(content=content), similarity


def test_without_candidates_a_memory_is_created() -> None:
    plan = associate(NEW, [])
    assert (plan.outcome, plan.links) == (Outcome.CREATED, ())


def test_distinct_candidates_get_no_link() -> None:
    plan = associate(NEW, [_candidate("a", "Ada is allergic to hazelnuts.", 0.02)])
    assert (plan.outcome, plan.links) == (Outcome.CREATED, ())


def test_an_update_points_from_the_new_memory_to_the_old_one() -> None:
    plan = associate(
        NEW,
        [
            _candidate("related", "The panel is written in Go.", 0.48),
            _candidate("old", "The panel listens on port 8080.", 0.88),
        ],
    )
    assert plan.outcome is Outcome.UPDATED
    assert [(link.id, link.relation_type, link.reversed) for link in plan.links] == [
        ("old", RelationType.UPDATES, False),
        ("related", RelationType.RELATED_TO, False),
    ]
    assert plan.superseded_by is None


def test_a_rewording_is_linked_with_full_weight_and_nothing_else_is() -> None:
    plan = associate(
        Statement(content="The panel listens on port 8093."),
        [
            _candidate("same", "Port 8093 is the port on which the panel listens.", 0.95),
            _candidate("related", "The panel listens to the north antenna.", 0.999),
        ],
    )
    assert plan.outcome is Outcome.SAME
    weights = {link.id: link.weight for link in plan.links}
    assert weights["same"] == SAME_WEIGHT
    assert all(weight < SAME_WEIGHT for id_, weight in weights.items() if id_ != "same")


def test_a_contradiction_is_linked_and_named() -> None:
    plan = associate(
        Statement(content="The user hates pop-up windows."),
        [_candidate("old", "The user likes pop-up windows.", 0.88)],
    )
    assert plan.outcome is Outcome.CONTRADICTS
    assert plan.links[0].relation_type is RelationType.CONTRADICTS


def test_a_new_memory_that_an_old_one_updates_is_superseded_on_arrival() -> None:
    plan = associate(
        Statement(content="The panel listens on port 8080."),
        [_candidate("old", "The panel now listens on port 8093.", 0.88)],
    )
    assert plan.links[0].reversed
    assert plan.superseded_by == "old"
    assert plan.outcome is Outcome.RELATED


def test_only_the_nearest_related_memories_are_linked() -> None:
    facts = ["written in Go", "red", "loud", "old", "in the hall", "from Graz", "locked", "new"]
    candidates = [
        _candidate(f"m{number}", f"The panel is {fact}.", 0.4 + number / 100)
        for number, fact in enumerate(facts)
    ]
    plan = associate(NEW, candidates)
    assert len(plan.links) == MOST_RELATED
    similarities = [link.similarity for link in plan.links]
    assert similarities == sorted(similarities, reverse=True)
    assert {link.relation for link in plan.links} == {Relation.RELATED}


def test_the_order_of_candidates_does_not_matter() -> None:
    candidates = [
        _candidate("a", "The panel listens on port 8080.", 0.88),
        _candidate("b", "The panel is written in Go.", 0.48),
        _candidate("c", "The panel is loud.", 0.48),
    ]
    assert associate(NEW, candidates) == associate(NEW, candidates[::-1])
