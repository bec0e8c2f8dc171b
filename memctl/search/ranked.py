"""Memories with their scores, before they become hits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memctl.memory import Memory
from memctl.search.fusion import ScoreSheet


class RankedMemories(NamedTuple):
    """The candidates' scores, and the candidates themselves."""

    sheet: ScoreSheet
    memories: Mapping[str, Memory]
