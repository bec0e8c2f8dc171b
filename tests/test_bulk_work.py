"""The interpreter's settings during long work."""

from __future__ import annotations

import gc
import sys

import pytest

from memctl.bulk_work import SWITCH_SECONDS, YOUNG_OBJECTS, work_in_bulk


def settings() -> tuple[float, tuple[int, int, int], int]:
    return sys.getswitchinterval(), gc.get_threshold(), gc.get_freeze_count()


@pytest.mark.parametrize("fails", [False, True])
def test_everything_is_as_before_afterwards(fails):
    """However the work ends, the process goes on with the settings that it had."""
    before = settings()
    try:
        with work_in_bulk(), work_in_bulk():
            assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
            assert gc.get_threshold()[0] == YOUNG_OBJECTS
            if fails:
                raise KeyError("stop")
    except KeyError:
        assert fails
    assert settings() == before


def test_the_last_piece_of_work_puts_them_back():
    """Two pieces of work that overlap leave the settings as the first one found them."""
    before = settings()
    first, second = work_in_bulk(), work_in_bulk()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
    second.__exit__(None, None, None)
    assert settings() == before


def test_cycles_of_the_work_are_collected():
    """What the work itself leaves behind is no leak."""
    with work_in_bulk():
        ring: list[object] = []
        ring.append(ring)
        del ring
        assert gc.collect() >= 1
