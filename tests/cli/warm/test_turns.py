"""A server's queue: in order, some at a time, and an end that waits."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from memctl.cli.warm.turns import Turns


def test_some_work_at_a_time_and_the_others_follow_in_order() -> None:
    turns = Turns(2)
    first, second, third, fourth = (turns.join() for _ in range(4))
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


def test_the_end_refuses_those_who_wait_and_waits_for_those_who_work() -> None:
    turns = Turns(1)
    working, waiting = turns.join(), turns.join()
    closing = threading.Thread(target=turns.close)
    closing.start()
    assert waiting.wait(5)
    assert not waiting.is_granted
    assert closing.is_alive()
    turns.leave(working)
    closing.join(5)
    assert not closing.is_alive()
    late = turns.join()
    assert late.wait(0)
    assert not late.is_granted


@given(
    at_once=st.integers(1, 4),
    steps=st.lists(st.tuples(st.booleans(), st.integers(0, 9)), max_size=60),
)
def test_never_too_many_and_nobody_waits_for_nothing(at_once, steps) -> None:
    turns, places = Turns(at_once), []
    for leaves, number in steps:
        if leaves and places:
            turns.leave(places.pop(number % len(places)))
        elif not leaves:
            places.append(turns.join())
        granted = [turn.is_granted for turn in places]
        assert granted == sorted(granted, reverse=True)
        assert sum(granted) == min(at_once, len(places))
