"""Memories with their scores, before they become hits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memctl.memory import Memory
from memctl.search.fusion import ScoreSheet


@dataclass(frozen=True, slots=True)
class RankedMemories:
    """The candidates' scores, and the candidates themselves."""

    sheet: ScoreSheet
    memories: Mapping[str, Memory]
