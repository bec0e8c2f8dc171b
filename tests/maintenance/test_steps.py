"""What each step of maintenance does to a real store, and that undo brings all of it back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from workshop import Workshop

from memctl.errors import LockedError
from memctl.maintenance.plan import StepName
from memctl.maintenance.steps import Run
from memctl.memory import EntryKind, ForgetReason, MemoryType, RelationType
from memctl.new_memory import NewMemory
from memctl.store.database import Database

DECAY, PRUNE, MERGE, EXPIRE = StepName.DECAY, StepName.PRUNE, StepName.MERGE, StepName.EXPIRE
COMPACT, CENTRALITY, REINDEX = StepName.COMPACT, StepName.CENTRALITY, StepName.REINDEX

ONE_CLAIM = [f"{mark}Ada repaired the router{end}" for mark in ("", "- ") for end in ("", ".", "!")]


def test_unused_memories_fade_and_a_use_brings_them_back(workshop: Workshop) -> None:
    fact, used, pinned, self_ = (
        workshop.save("a fact").id,
        workshop.save("a used fact").id,
        workshop.save("a pinned fact", pinned=True).id,
        workshop.save("a name", memory_type=MemoryType.IDENTITY).id,
    )
    workshop.clock.advance(days=100)
    workshop.store.record_accesses([used])
    assert workshop.maintain(DECAY).keys() == {DECAY}
    found = {key: workshop.graph.memory(key).importance for key in (fact, used, pinned, self_)}
    assert found == {fact: pytest.approx(0.6 * 0.95**10), used: 0.6, pinned: 0.6, self_: 1.0}
    assert workshop.maintain(DECAY)[DECAY].planned == 0
    workshop.store.record_accesses([fact])
    workshop.maintain(DECAY)
    assert workshop.graph.memory(fact).importance == 0.6


@pytest.mark.parametrize("days", [7, 30])
def test_how_often_it_runs_makes_no_difference(workshop: Workshop, days: int) -> None:
    only = workshop.save("a fact").id
    start = workshop.clock.now
    for day in range(0, 365, days):
        workshop.clock.now = start + timedelta(days=day)
        workshop.maintain(DECAY)
    workshop.clock.now = start + timedelta(days=365)
    workshop.maintain(DECAY)
    assert workshop.graph.memory(only).importance == 0.6 * 0.95 ** ((365 - 30) // 7)


@pytest.mark.slow
def test_every_hour_of_a_year_gives_the_importances_of_every_month(tmp_path: Path) -> None:
    importances = []
    for hours in (1, 30 * 24):
        workshop = Workshop(tmp_path / str(hours))
        ids = workshop.save_many("a", "b", "c", "d")
        start, used = workshop.clock.now, {ids[1]: 3_001, ids[2]: 8_100}
        for hour in range(365 * 24 + 1):
            workshop.clock.now = start + timedelta(hours=hour)
            for key in [key for key, moment in used.items() if moment == hour]:
                workshop.store.record_accesses([key])
            if hour % hours == 0 or hour == 365 * 24:
                workshop.clock.now = start + timedelta(hours=hour)
                workshop.maintain(DECAY)
        importances.append([workshop.graph.memory(key).importance for key in ids])
        workshop.close()
    assert importances[0] == importances[1]
    assert len(set(importances[0])) == 3


def test_an_edited_or_outdated_importance_is_what_decays_from_then_on(workshop: Workshop) -> None:
    edited, outdated = workshop.save("edited").id, workshop.save("outdated").id
    newer = workshop.save("newer").id
    workshop.clock.advance(days=100)
    workshop.maintain(DECAY)
    with workshop.store.operation("edit") as operation:
        operation.edit(edited, {"importance": 0.9})
        operation.supersede(outdated, by=newer)
    assert workshop.graph.memory(edited).decayed_from is None
    assert workshop.graph.memory(outdated).decayed_from == 0.3
    workshop.clock.advance(days=37.5)
    workshop.maintain(DECAY)
    assert workshop.graph.memory(edited).importance == pytest.approx(0.9 * 0.95)


def test_pruning_hides_what_is_faint_old_and_needed_by_nobody(workshop: Workshop) -> None:
    faint, pinned, needed, needing = (
        workshop.save("faint", importance=0.05).id,
        workshop.save("pinned", importance=0.05, pinned=True).id,
        workshop.save("needed", importance=0.05).id,
        workshop.save("needing").id,
    )
    with workshop.store.operation("link") as operation:
        operation.associate([(needing, needed, RelationType.PART_OF, 0.5)])
    workshop.clock.advance(days=31)
    young = workshop.save("young", importance=0.05).id
    assert workshop.maintain(PRUNE, dry_run=True)[PRUNE].planned == 1
    assert workshop.texts() >= {"faint"}
    workshop.maintain(PRUNE)
    memory = workshop.graph.memory(faint)
    assert (memory.forgotten, memory.forgotten_reason) == (True, ForgetReason.PRUNED)
    assert workshop.texts() == {"pinned", "needed", "needing", "young"}
    assert {pinned, young} <= workshop.index.ids(EntryKind.MEMORY)
    workshop.check_agreement()
    workshop.undo()
    assert "faint" in workshop.texts()
    workshop.check_agreement()


def test_what_decay_would_do_counts_in_the_plan_for_pruning(workshop: Workshop) -> None:
    workshop.save("fading", importance=0.11)
    workshop.clock.advance(days=60)
    planned = workshop.maintain(DECAY, PRUNE, dry_run=True)
    assert [planned[name].planned for name in (DECAY, PRUNE)] == [1, 1]
    done = workshop.maintain(DECAY, PRUNE)
    assert [done[name].applied for name in (DECAY, PRUNE)] == [1, 1]


def test_expiry_comes_first_and_one_run_hides_no_more_than_a_fifth(workshop: Workshop) -> None:
    soon = workshop.clock.now + timedelta(days=1)
    workshop.save_many("e1", "e2", "e3", expires_at=soon)
    workshop.save_many("p1", "p2", "p3", "p4", "p5", "p6", "p7", importance=0.01)
    workshop.save_many(*[f"kept {number}" for number in range(10)])
    workshop.clock.advance(days=40)
    reports = workshop.maintain(yes=False)
    assert [(reports[n].applied, reports[n].plan.withheld) for n in (EXPIRE, PRUNE)] == [
        (3, 0),
        (1, 6),
    ]
    reports = workshop.maintain()
    assert (reports[PRUNE].applied, reports[PRUNE].plan.withheld) == (6, 0)
    assert len(workshop.texts()) == 10


def test_a_small_store_is_maintained_too(workshop: Workshop) -> None:
    workshop.save("over", expires_at=workshop.clock.now + timedelta(days=1))
    workshop.clock.advance(days=2)
    assert workshop.maintain(yes=False)[EXPIRE].applied == 1


def test_merges_count_in_the_share_that_one_run_hides(workshop: Workshop) -> None:
    """Merges stop at a fifth of the store, together with what expired, and later runs go on."""
    workshop.save("over", expires_at=workshop.clock.now + timedelta(days=1))
    workshop.save_many(*[f"kept {number}" for number in range(12)])
    workshop.make_near(*workshop.save_many(*ONE_CLAIM))
    workshop.clock.advance(days=2)
    names = (EXPIRE, MERGE)
    planned = workshop.maintain(*names, yes=False, dry_run=True)
    assert [(planned[n].planned, planned[n].plan.withheld) for n in names] == [(1, 0), (2, 3)]
    done = workshop.maintain(*names, yes=False)
    assert [(done[n].applied, done[n].plan.withheld) for n in names] == [(1, 0), (2, 3)]
    workshop.check_agreement()
    last = workshop.maintain(*names, yes=False)
    assert (last[MERGE].applied, last[MERGE].plan.withheld) == (3, 0)
    assert len(workshop.texts()) == 13
    assert workshop.maintain(*names, yes=False)[MERGE].planned == 0
    workshop.check_agreement()


def test_yes_merges_whatever_there_is(workshop: Workshop) -> None:
    """Without the bound all near-duplicates of a small store become one in one run."""
    workshop.make_near(*workshop.save_many(*ONE_CLAIM))
    report = workshop.maintain(MERGE)[MERGE]
    assert (report.applied, report.plan.withheld, len(workshop.texts())) == (5, 0, 1)


def test_near_duplicates_become_one_that_has_all_that_they_had(workshop: Workshop) -> None:
    plain = workshop.save("The office router stands in the hall", tags=("a",)).id
    keyed = workshop.save("- The office router stands in the hall.", key="router", tags=("b",)).id
    other = workshop.save("Noor likes tea").id
    with workshop.store.operation("link") as operation:
        operation.associate([(other, plain, RelationType.CAUSED_BY, 0.5)])
    workshop.store.record_accesses([plain])
    workshop.make_near(plain, keyed)
    before = workshop.rows()
    [change] = workshop.maintain(MERGE, dry_run=True)[MERGE].plan.changes
    assert (change.memory_id, change.into) == (plain, keyed)
    assert workshop.rows() == before
    workshop.maintain(MERGE)
    kept, hidden = workshop.graph.memory(keyed), workshop.graph.memory(plain)
    assert (hidden.superseded_by, hidden.forgotten_reason) == (keyed, ForgetReason.MERGED)
    assert (kept.tags, kept.access_count, kept.key) == (("a", "b"), 1, "router")
    edges = [(edge.source_id, edge.target_id) for edge in workshop.graph.associations_of([keyed])]
    assert edges == [(other, keyed)]
    workshop.check_agreement()
    assert workshop.maintain(MERGE)[MERGE].planned == 0
    workshop.undo()
    assert workshop.rows() == before
    workshop.check_agreement()
    assert workshop.maintain(MERGE, dry_run=True)[MERGE].planned == 1


@pytest.mark.parametrize(
    ("one", "other", "fields"),
    [
        ("The job cost 20 euros", "The job cost 21 euros", {}),
        ("The router is in the hall", "The router is not in the hall", {}),
        ("Ada repaired the router", "Noor repaired the router", {}),
        ("Ada repaired the router", "Ada repaired the router.", {"channel_id": "ops"}),
        ("Ada repaired the router", "Ada repaired the router.", {"memory_type": MemoryType.EVENT}),
        ("Ada repaired the router", "Ada repaired the router.", {"pinned": True}),
    ],
)
def test_what_a_value_a_scope_or_a_pin_tells_apart_stays_apart(
    workshop: Workshop, one: str, other: str, fields: dict[str, object]
) -> None:
    first = workshop.save(one, memory_type=MemoryType.FACT).id
    second = workshop.save(other, **{"memory_type": MemoryType.FACT, **fields}).id
    workshop.make_near(first, second)
    assert workshop.maintain(MERGE)[MERGE].planned == 0


def test_a_merged_one_hands_on_what_it_had_outdated_and_can_be_restored(
    workshop: Workshop,
) -> None:
    oldest, shorter, longer = workshop.save_many(
        "old", "The hall has a router", "Note: The hall has a router."
    )
    with workshop.store.operation("link") as operation:
        operation.supersede(oldest, by=shorter)
    workshop.make_near(shorter, longer)
    workshop.maintain(MERGE)
    assert workshop.graph.memory(oldest).superseded_by == longer
    with workshop.store.operation("restore") as operation:
        operation.restore([shorter])
    memory = workshop.graph.memory(shorter)
    assert (memory.forgotten, memory.superseded_by) == (False, None)
    workshop.check_agreement()


def test_only_new_memories_are_compared_again(workshop: Workshop) -> None:
    first = workshop.save("Ada repaired the router").id
    workshop.maintain(MERGE)
    second = workshop.save("Ada repaired the router.").id
    workshop.make_near(first, second)
    assert workshop.maintain(MERGE)[MERGE].applied == 1


def test_what_an_operation_adds_that_began_before_is_compared_too(workshop: Workshop) -> None:
    with workshop.store.operation("ingest") as operation:
        [first] = operation.save_many([NewMemory(content="Ada repaired the router")])
        workshop.maintain(MERGE, CENTRALITY)
        [second] = operation.save_many([NewMemory(content="Ada repaired the router.")])
        other = operation.save(NewMemory(content="Tea"))
        operation.associate([(second.id, other.id, RelationType.RELATED_TO, 0.5)])
    workshop.store.drain()
    workshop.make_near(first.id, second.id)
    reports = workshop.maintain(MERGE, CENTRALITY)
    assert [reports[name].applied for name in (MERGE, CENTRALITY)] == [1, 2]


def test_the_graph_gets_its_centralities(workshop: Workshop) -> None:
    hub, *others = workshop.save_many("hub", "a", "b", "c")
    with workshop.store.operation("link") as operation:
        operation.associate([(hub, other, RelationType.RELATED_TO, 0.5) for other in others])
    assert workshop.maintain(CENTRALITY)[CENTRALITY].applied == 4
    assert workshop.maintain(CENTRALITY)[CENTRALITY].planned == 0
    workshop.forget(others[0])
    assert workshop.maintain(CENTRALITY)[CENTRALITY].planned > 0


def test_differences_between_the_stores_are_put_right(workshop: Workshop) -> None:
    ids = workshop.save_many("a", "b", "c")
    workshop.index.delete(EntryKind.MEMORY, ids[:2])
    assert workshop.maintain(REINDEX)[REINDEX].applied == 2
    workshop.check_agreement()


@pytest.mark.slow
def test_compacting_leaves_one_version_and_trims_old_operations(workshop: Workshop) -> None:
    for number in range(15):
        workshop.save(f"statement {number}")
    workshop.clock.advance(days=400)
    workshop.save("a new one")
    assert workshop.maintain(COMPACT)[COMPACT].applied > 15
    assert workshop.index.loose_pieces() == 0
    assert [entry.command for entry in workshop.graph.log()] == ["save"]
    assert len(workshop.index.search_text(EntryKind.MEMORY, "statement", 50)) == 15
    assert workshop.maintain(COMPACT)[COMPACT].planned == 0
    assert len(list((workshop.folder / "index" / "memories_v1.lance" / "data").iterdir())) == 1


def test_a_stopped_purge_is_finished(workshop: Workshop) -> None:
    only = workshop.save("swordfish")
    with workshop.store.operation("forget --purge") as operation:
        operation.purge([only.id])
    workshop.store.drain()
    workshop.maintain(COMPACT)
    held = [p for p in workshop.folder.rglob("*") if p.is_file() and b"swordfish" in p.read_bytes()]
    assert held == []


def test_a_whole_run_says_when_the_next_is_due(workshop: Workshop) -> None:
    assert workshop.maintaining.due().is_due(workshop.clock())
    workshop.maintain(DECAY)
    assert workshop.maintaining.due().is_due(workshop.clock())
    workshop.maintain()
    assert not workshop.maintaining.due().is_due(workshop.clock())
    workshop.clock.advance(days=7, hours=1)
    assert workshop.maintaining.due().is_due(workshop.clock())


def test_a_run_of_a_clock_that_was_ahead_puts_off_no_later_one(workshop: Workshop) -> None:
    workshop.clock.advance(days=3_000)
    workshop.maintain()
    workshop.clock.advance(days=-2_999)
    assert workshop.maintaining.due().is_due(workshop.clock())


def test_two_runs_do_not_meet(workshop: Workshop) -> None:
    other = Database.open(
        workshop.folder / "memctl.db", clock=workshop.clock, command="memctl cron"
    )
    with (
        other.exclusive("maintenance"),
        pytest.raises(LockedError, match=r"process \d+ \(memctl cron\) holds it"),
    ):
        workshop.maintain()
    other.close()
    workshop.maintain()


def test_memories_that_change_between_plan_and_work_are_left_alone(workshop: Workshop) -> None:
    first = workshop.save("Ada repaired the router").id
    second = workshop.save("Ada repaired the router.").id
    workshop.make_near(first, second)
    with workshop.store.operation("maintain") as operation:
        reports = workshop.maintaining._steps(
            workshop.maintaining.policy, whole_index=False, model_name=None
        )
        run = Run(workshop.clock(), operation)
        plan = reports[MERGE].plan(run)
        with workshop.store.operation("edit") as edit:
            edit.edit(second, {"content": "Ada sold the router"})
        assert (plan.count, reports[MERGE].apply(plan, run)) == (1, 0)
    assert workshop.graph.memory(first).forgotten is False


@pytest.mark.slow
def test_importing_many_and_maintaining_keeps_one_operation_for_undo(workshop: Workshop) -> None:
    with workshop.store.operation("import") as operation:
        operation.save_many([NewMemory(content=f"text {n}", importance=0.11) for n in range(1_100)])
    workshop.store.drain()
    before = workshop.rows()
    workshop.clock.advance(days=90)
    reports = workshop.maintain(DECAY, PRUNE)
    assert reports[DECAY].applied == reports[PRUNE].applied == 1_100
    assert len(workshop.graph.log()) == 2
    workshop.undo()
    assert workshop.rows() == before
    workshop.check_agreement()
