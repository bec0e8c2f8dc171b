"""Accesses are counted after the answers are out, none twice and none too few."""

from __future__ import annotations

import threading
import time
from collections import Counter
from contextlib import closing

import pytest

from memctl.cli.warm import access_counter
from memctl.cli.warm.access_counter import AccessCounter
from memctl.errors import LockedError
from memctl.store.database import Database
from memctl.times import utc_now

PATIENCE_SECONDS = 60.0


class Counts:
    """A store's counts; while ``locked`` they cannot be written."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.attempts = 0
        self.locked = False

    def write(self, ids, _wait_seconds):
        assert len(set(ids)) == len(ids)
        self.attempts += 1
        if not self.locked:
            self.counts.update(ids)
        return not self.locked


def wait_for(condition):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def counts():
    return Counts()


def test_each_access_is_counted_once_whoever_recalled_it(counts):
    counter = AccessCounter(counts.write)
    threads = [
        threading.Thread(target=lambda: [counter.add(["a", "b"]) for _ in range(50)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counter.add(["c"])
    counter.close()
    assert counts.counts == {"a": 200, "b": 200, "c": 1}


def test_counts_are_written_without_anybody_asking_for_it(counts):
    with closing(AccessCounter(counts.write)) as counter:
        counter.add(["a"])
        wait_for(lambda: counts.counts == {"a": 1})


def test_what_cannot_be_written_now_is_written_later(counts, monkeypatch):
    monkeypatch.setattr(access_counter, "RETRY_SECONDS", 0.01)
    counts.locked = True
    with closing(AccessCounter(counts.write)) as counter:
        counter.add(["a"])
        counter.add(["a", "b"])
        wait_for(lambda: counts.attempts > 2)
        counts.locked = False
        wait_for(lambda: counts.counts == {"a": 2, "b": 1})


def test_a_store_that_can_never_be_written_is_given_up(counts, monkeypatch):
    monkeypatch.setattr(access_counter, "MOST_FAILURES", 3)
    counts.locked = True
    counter = AccessCounter(counts.write)
    counter._waiting.update(["a"])
    assert [counter.write_now() for _ in range(4)] == [False, False, False, True]
    assert counts.attempts == 3


def test_an_error_of_the_store_is_no_count_and_no_end():
    def fail(_ids, _wait_seconds):
        raise LockedError(what="count", holder="somebody", waited_seconds=0)

    counter = AccessCounter(fail)
    counter.add(["a"])
    assert not counter.write_now()
    counter.close()


def test_a_recall_is_answered_while_another_process_writes_and_counted_afterwards(warm):
    """Nobody waits for an answer on account of a count."""
    warm.cold("save", "The mixer draws 2.2 kilowatts")
    warm.serve()
    assert "2.2" in warm.ask("recall", "mixer")[1]
    path = warm.settings.store.path / "memctl.db"

    def shown() -> str:
        return warm.ask("list", "--json")[1]

    wait_for(lambda: '"access_count": 1' in shown())
    with closing(Database.open(path, clock=utc_now)) as other, other.writing():
        assert "2.2" in warm.ask("recall", "mixer")[1]
        assert '"access_count": 1' in shown()
    wait_for(lambda: '"access_count": 2' in shown())
