"""A file is taken when it has come to rest, and not before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.ingestion.stability import (
    CLOSED_EMPTY_SETTLE_SECONDS,
    CLOSED_SETTLE_SECONDS,
    EMPTY_SETTLE_SECONDS,
    RETURN_SECONDS,
    RETURNED_SETTLE_SECONDS,
    SETTLE_SECONDS,
    SettlingFiles,
    Signature,
)


def signature(size: int = 10, modified: int = 1, inode: int = 1) -> Signature:
    return Signature(1, inode, size, modified)


def test_a_file_is_whole_when_it_looks_the_same_over_the_window():
    files: SettlingFiles[str] = SettlingFiles()
    assert not files.see("a", signature(), 0.0)
    assert not files.see("a", signature(), SETTLE_SECONDS - 0.01)
    assert files.see("a", signature(), SETTLE_SECONDS)
    assert len(files) == 0


def test_every_change_begins_the_window_anew():
    files: SettlingFiles[str] = SettlingFiles()
    for second in range(10):
        assert not files.see("a", signature(size=second + 1), float(second))
    assert files.see("a", signature(size=10), 9 + SETTLE_SECONDS)


def test_a_file_that_was_replaced_by_another_of_equal_size_and_time_is_another():
    files: SettlingFiles[str] = SettlingFiles()
    files.see("a", signature(inode=1), 0.0)
    assert not files.see("a", signature(inode=2), SETTLE_SECONDS)


def test_a_closed_file_is_whole_sooner_and_an_empty_one_later():
    files: SettlingFiles[str] = SettlingFiles()
    files.see("closed", signature(), 0.0, closed=True)
    files.see("made", signature(size=0), 0.0, closed=True)
    files.see("empty", signature(size=0), 0.0)
    assert files.due(CLOSED_SETTLE_SECONDS) == ["closed"]
    assert files.see("closed", signature(), CLOSED_SETTLE_SECONDS)
    assert not files.see("made", signature(size=0), CLOSED_EMPTY_SETTLE_SECONDS - 0.1)
    assert files.see("made", signature(size=0), CLOSED_EMPTY_SETTLE_SECONDS)
    assert not files.see("empty", signature(size=0), EMPTY_SETTLE_SECONDS - 0.1)
    assert files.see("empty", signature(size=0), EMPTY_SETTLE_SECONDS)


def test_a_file_that_is_written_again_is_closed_no_more():
    files: SettlingFiles[str] = SettlingFiles()
    files.see("a", signature(), 0.0, closed=True)
    assert files.is_closed("a", signature())
    assert not files.is_closed("a", signature(size=11))
    files.wait_anew("a", signature(), 1.0)
    assert not files.is_closed("a", signature())
    assert not files.see("a", signature(), 1.0 + CLOSED_SETTLE_SECONDS)
    assert files.see("a", signature(), 1.0 + SETTLE_SECONDS)


def test_a_file_that_comes_back_soon_after_it_was_moved_is_given_time_to_grow():
    """Somebody appends to it: each line would be a file of its own otherwise."""
    files = SettlingFiles()
    files.note_moved("a", 0.0)
    assert not files.see("a", signature(size=1), 1.0, closed=True)
    assert not files.see("a", signature(size=2), 9.0, closed=True)
    assert not files.see("a", signature(size=2), 9.0 + RETURNED_SETTLE_SECONDS - 0.1)
    assert files.see("a", signature(size=2), 9.0 + RETURNED_SETTLE_SECONDS)
    files.see("a", signature(size=3), RETURN_SECONDS, closed=True)
    assert files.see("a", signature(size=3), RETURN_SECONDS + CLOSED_SETTLE_SECONDS)


def test_a_file_that_is_gone_is_waited_for_no_more():
    files: SettlingFiles[str] = SettlingFiles()
    files.see("a", signature(), 0.0)
    assert not files.see("a", None, 1.0)
    assert files.next_look() is None


def test_files_that_are_due_come_in_the_order_of_their_arrival():
    files: SettlingFiles[str] = SettlingFiles()
    for moment, name in enumerate("zma"):
        files.see(name, signature(), moment / 10)
    files.see("z", signature(size=11), 0.5)
    assert files.due(100.0) == ["z", "m", "a"]


@given(
    looks=st.lists(
        st.tuples(st.floats(0, 5), st.integers(0, 3), st.booleans()), min_size=1, max_size=40
    )
)
def test_nothing_is_ever_whole_that_changed_within_the_shortest_window(looks):
    """Whatever the looks are, a file counts as whole only after it looked the same for as long as
    the rule that applies to it says."""
    files: SettlingFiles[str] = SettlingFiles()
    now, last, since = 0.0, None, 0.0
    for pause, size, closed in looks:
        now += pause
        seen = signature(size=size)
        if seen != last:
            last, since = seen, now
        if files.see("a", seen, now, closed=closed):
            shortest = CLOSED_EMPTY_SETTLE_SECONDS if size == 0 else CLOSED_SETTLE_SECONDS
            assert now - since >= shortest
            last = None
