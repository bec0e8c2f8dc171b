"""What decay will do to the memories that nobody uses: the same formula, at later times.

Pure: nothing is written, and what is used meanwhile fades later than is said here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memctl.maintenance.decay import DecayPolicy, decayed

FORECAST_DAYS = (0, 30, 90, 180, 365)


@dataclass(frozen=True, slots=True)
class Fading:
    """What decay needs to know of a memory; exempt ones, identity and pinned, never fade."""

    importance: float
    decayed_from: float | None
    touched_at: datetime
    is_exempt: bool


@dataclass(frozen=True, slots=True)
class Forecast:
    """How the memories stand in ``days`` if none is used: their mean importance (0..1), and how
    many lie below the importance at which they are hidden."""

    days: int
    mean_importance: float
    below: int


def forecast(
    memories: Sequence[Fading],
    now: datetime,
    policy: DecayPolicy,
    prune_below: float,
    days: Sequence[int] = FORECAST_DAYS,
) -> list[Forecast]:
    """One forecast for each of ``days`` from now; none without memories."""
    return [_at(memories, now, day, policy, prune_below) for day in days] if memories else []


def _at(
    memories: Sequence[Fading], now: datetime, days: int, policy: DecayPolicy, prune_below: float
) -> Forecast:
    moment = now + timedelta(days=days)
    importances = [
        memory.importance
        if memory.is_exempt
        else decayed(memory.importance, memory.decayed_from, memory.touched_at, moment, policy)[0]
        for memory in memories
    ]
    below = sum(
        importance < prune_below and not memory.is_exempt
        for importance, memory in zip(importances, memories, strict=True)
    )
    return Forecast(days, sum(importances) / len(importances), below)
