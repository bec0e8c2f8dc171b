"""The settings of `memctl maintain`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memctl.setting import setting

LONGEST_HOURS = 100_000
LONGEST_DAYS = 36_500
"""A hundred years."""


def _hours(default: float, description: str) -> Any:
    return setting(default, description, minimum=0.01, maximum=LONGEST_HOURS)


def _days(default: float, description: str, *, minimum: float = 0) -> Any:
    return setting(default, description, minimum=minimum, maximum=LONGEST_DAYS)


def _share(default: float, description: str, *, minimum: float = 0) -> Any:
    return setting(default, description, minimum=minimum, maximum=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceSettings:
    """What `memctl maintain` does. The defaults of decay and pruning are Spacebot's."""

    interval_hours: float = _hours(168.0, "Time between two runs of `maintain --if-due`.")
    decay_after_days: float = _days(30.0, "Days without access after which importance decays.")
    decay_interval_hours: float = _hours(168.0, "Time in which importance decays by one factor.")
    decay_factor: float = _share(
        0.95, "What is left of an importance after each interval.", minimum=0.01
    )
    prune_below: float = _share(0.1, "Importance below which old memories are hidden.")
    prune_after_days: float = _days(30.0, "Days for which a memory is never pruned.")
    hide_share: float = _share(0.2, "Largest share of the store that one run hides without --yes.")
    merge_similarity: float = _share(
        0.95, "Cosine above which two memories may be merged.", minimum=0.5
    )
    consolidate_similarity: float = _share(
        0.85, "Cosine above which `maintain --consolidate` takes memories together.", minimum=0.5
    )
    journal_days: float = _days(365.0, "Days for which an operation can be undone.", minimum=1)
