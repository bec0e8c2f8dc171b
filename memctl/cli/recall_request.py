"""How the options of `recall` become a request; values that make no sense raise UsageError."""

from __future__ import annotations

import math
from typing import Any

from memctl import times
from memctl.errors import UsageError
from memctl.search.request import CompositeWeights, RecallRequest

SECONDS_PER_DAY = 86_400


UNIT_OPTIONS = {"minimum_score": "--min-score", "mmr_lambda": "--mmr"}
"""Fields of a request that lie between 0 and 1, by the options that set them."""


def make_request(**values: Any) -> RecallRequest:
    """The request; raises UsageError for a number out of its range."""
    for name, option in UNIT_OPTIONS.items():
        value = values.get(name)
        if value is not None and not 0 <= value <= 1:
            why = "it must lie between 0 and 1"
            raise UsageError(what=f"use {option} {value:g}", why=why)
    try:
        return RecallRequest(**values)
    except ValueError as error:
        raise UsageError(what="recall", why=str(error)) from None


def parse_weights(text: str) -> CompositeWeights:
    """``semantic=0.6,recency=0.2,importance=0.2``; what is not named weighs nothing."""
    weights = {"semantic": 0.0, "recency": 0.0, "importance": 0.0}
    for part in text.split(","):
        name, _, number = part.partition("=")
        if name.strip() not in weights:
            raise UsageError(
                what=f"use the weight {name.strip()!r}", why=f"it is none of {', '.join(weights)}"
            )
        try:
            weights[name.strip()] = float(number)
            if not math.isfinite(weights[name.strip()]):
                raise ValueError
        except ValueError:
            raise UsageError(
                what=f"use the weight {part.strip()!r}", why="write for example semantic=0.6"
            ) from None
    try:
        return CompositeWeights(**weights)
    except ValueError as error:
        raise UsageError(what=f"use the weights {text!r}", why=str(error)) from None


def parse_days(text: str) -> float:
    """A span such as 30d in days."""
    try:
        return times.parse_duration(text).total_seconds() / SECONDS_PER_DAY
    except ValueError as error:
        raise UsageError(what="understand --half-life", why=str(error)) from None
