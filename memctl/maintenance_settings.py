"""The settings of `memctl maintain`."""

from __future__ import annotations

from dataclasses import dataclass

from memctl.setting import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceSettings:
    """What `memctl maintain` does. The defaults of decay and pruning are Spacebot's."""

    interval_hours: float = setting(
        168.0, "Time between two runs of `maintain --if-due`.", minimum=0.01, maximum=100_000
    )
    decay_after_days: float = setting(
        30.0, "Days without access after which importance decays.", minimum=0, maximum=36_500
    )
    decay_interval_hours: float = setting(
        168.0, "Time in which importance decays by one factor.", minimum=0.01, maximum=100_000
    )
    decay_factor: float = setting(
        0.95, "What is left of an importance after each interval.", minimum=0.01, maximum=1
    )
    prune_below: float = setting(
        0.1, "Importance below which old memories are hidden.", minimum=0, maximum=1
    )
    prune_after_days: float = setting(
        30.0, "Days for which a memory is never pruned.", minimum=0, maximum=36_500
    )
    hide_share: float = setting(
        0.2, "Largest share of the store that one run hides without --yes.", minimum=0, maximum=1
    )
    merge_similarity: float = setting(
        0.95, "Cosine above which two memories may be merged.", minimum=0.5, maximum=1
    )
    journal_days: float = setting(
        365.0, "Days for which an operation can be undone.", minimum=1, maximum=36_500
    )
