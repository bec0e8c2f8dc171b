"""Memories with their scores, before they become hits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memctl.memory import Memory
from memctl.search.fusion import ScoreSheet


class RankedMemories(NamedTuple):
    """The candidates' scores, and the candidates themselves; ``leading`` are those in whose place a
    successor, where there is one, may answer."""

    sheet: ScoreSheet
    memories: Mapping[str, Memory]
    leading: frozenset[str] = frozenset()
