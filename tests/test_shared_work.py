"""Work that several threads ask for at the same time is done for all of them in one go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from memctl.shared_work import SharedWork

SECONDS = 10


class Gate:
    """Work that stands still until it is let go, in each of its rounds."""

    def __init__(self, fails: Callable[[Sequence[str]], bool] = lambda _: False) -> None:
        self.rounds: list[list[str]] = []
        self._fails = fails
        self._begun = threading.Semaphore(0)
        self._may_end = threading.Semaphore(0)

    def work(self, parts: Sequence[str]) -> list[str]:
        self.rounds.append(list(parts))
        self._begun.release()
        assert self._may_end.acquire(timeout=SECONDS)
        if self._fails(parts):
            raise OSError(parts[0])
        return list(parts)

    def await_round(self) -> None:
        assert self._begun.acquire(timeout=SECONDS)

    def let_go(self, rounds: int = 1) -> None:
        self._may_end.release(rounds)


def come(
    pool: ThreadPoolExecutor, shared: SharedWork[str, list[str]], part: str
) -> Future[list[str]]:
    """Another thread that wants the work done, once it stands in line."""
    future = pool.submit(shared.do, [part])
    until = threading.Event()
    for _ in range(SECONDS * 1_000):
        if part in shared._next.parts:
            return future
        until.wait(0.001)
    raise AssertionError(f"{part} does not come")


def test_those_who_come_while_work_is_done_are_served_together_by_the_next_round() -> None:
    gate = Gate()
    shared = SharedWork(gate.work)
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(shared.do, ["first"])
        gate.await_round()
        others = [come(pool, shared, part) for part in ("second", "third", "fourth")]
        gate.let_go(2)
        assert first.result(SECONDS) == ["first"]
        assert [other.result(SECONDS) for other in others] == [["second", "third", "fourth"]] * 3
    assert gate.rounds == [["first"], ["second", "third", "fourth"]]


def test_work_that_fails_is_tried_again_by_each_who_had_joined_it() -> None:
    gate = Gate(fails=lambda parts: "bad" in parts)
    shared = SharedWork(gate.work)
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(shared.do, ["first"])
        gate.await_round()
        bad, good = come(pool, shared, "bad"), come(pool, shared, "good")
        gate.let_go(4)
        assert first.result(SECONDS) == ["first"]
        answers = {future.exception(SECONDS) is None for future in (bad, good)}
    assert gate.rounds[:2] == [["first"], ["bad", "good"]]
    assert gate.rounds[2] in (["bad"], ["good"])
    assert False in answers


def test_one_round_is_done_at_a_time_and_begins_after_its_callers_have_come() -> None:
    seen: set[str] = set()
    working = threading.Lock()
    rounds = []

    def work(parts: Sequence[str]) -> frozenset[str]:
        assert working.acquire(blocking=False)
        present = frozenset(seen)
        rounds.append(len(parts))
        working.release()
        return present

    shared = SharedWork(work)

    def ask(number: int) -> bool:
        seen.add(str(number))
        return str(number) in shared.do([str(number)])

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(400)))
    assert sum(rounds) == 400


def test_an_error_of_the_work_is_its_callers() -> None:
    def work(parts: Sequence[str]) -> None:
        raise OSError(parts[0])

    with pytest.raises(OSError, match="part"):
        SharedWork(work).do(["part"])
