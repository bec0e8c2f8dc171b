"""Decay as a function of the time that passed since a memory was last used, and of nothing else.

So it does not matter how often it is computed, and an access brings the whole importance back.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from memctl.memory import Importances


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayPolicy:
    """After ``grace`` without a use, each full ``interval`` leaves ``factor`` (0..1)."""

    grace: timedelta = timedelta(days=30)
    interval: timedelta = timedelta(hours=168)
    factor: float = 0.95

    def untouched_since(self, now: datetime) -> datetime:
        """Memories used later than this have not decayed at all."""
        return now - self.grace - self.interval


def decayed(
    importance: float,
    decayed_from: float | None,
    touched_at: datetime,
    now: datetime,
    policy: DecayPolicy,
) -> Importances:
    """What the importance is now, given what it was computed to be at any earlier time.

    ``touched_at`` is the last use. Never below 0, never above the whole importance.
    """
    whole = importance if decayed_from is None else decayed_from
    intervals = max(0, (now - touched_at - policy.grace) // policy.interval)
    faded = whole * policy.factor**intervals
    return (whole, None) if faded == whole else (faded, whole)
