"""A server's queue: in order, some at a time, one writer among them, and an end that waits."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from memctl.cli.warm.turns import Turns


def test_some_work_at_a_time_and_the_others_follow_in_order() -> None:
    turns = Turns(2)
    first, second, third, fourth = (turns.join(writes=False) for _ in range(4))
    assert [turn.is_granted for turn in (first, second, third, fourth)] == [
        True,
        True,
        False,
        False,
    ]
    turns.leave(second)
    assert third.wait(0)
    assert not fourth.is_granted
    turns.leave(fourth)
    turns.leave(first)
    turns.leave(third)
    assert turns.is_idle


def test_one_writes_at_a_time_and_readers_pass_a_waiting_writer_by() -> None:
    turns = Turns(3)
    writer, next_writer, reader = (turns.join(writes=writes) for writes in (True, True, False))
    assert writer.is_granted
    assert reader.is_granted
    assert not next_writer.is_granted
    turns.leave(writer)
    assert next_writer.is_granted


def test_the_end_refuses_those_who_wait_and_waits_for_those_who_work() -> None:
    turns = Turns(1)
    working, waiting = turns.join(writes=False), turns.join(writes=False)
    closing = threading.Thread(target=turns.close)
    closing.start()
    assert waiting.wait(5)
    assert not waiting.is_granted
    assert closing.is_alive()
    turns.leave(working)
    closing.join(5)
    assert not closing.is_alive()
    late = turns.join(writes=True)
    assert late.wait(0)
    assert not late.is_granted


@given(
    at_once=st.integers(1, 4),
    steps=st.lists(st.tuples(st.sampled_from("rwl"), st.integers(0, 9)), max_size=60),
)
def test_never_too_many_never_two_writers_and_nobody_waits_for_nothing(at_once, steps) -> None:
    turns, places = Turns(at_once), []
    for kind, number in steps:
        if kind == "l" and places:
            turns.leave(places.pop(number % len(places)))
        elif kind != "l":
            places.append(turns.join(writes=kind == "w"))
        working = [turn for turn in places if turn.is_granted]
        waiting = [turn for turn in places if not turn.is_granted]
        assert len(working) <= at_once
        assert sum(turn.writes for turn in working) <= 1
        if len(working) < at_once:
            assert not waiting or (
                any(turn.writes for turn in working) and all(turn.writes for turn in waiting)
            )
