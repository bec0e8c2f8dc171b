"""How the options of `recall` become a request; values that make no sense raise UsageError."""

from __future__ import annotations

import math
from typing import Any

from memctl import times
from memctl.errors import UsageError
from memctl.search.request import CompositeWeights, RecallRequest

SECONDS_PER_DAY = 86_400

WEIGHT_NAMES = ("semantic", "recency", "importance")

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
    weights: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = (piece.strip() for piece in part.partition("="))
        if name not in WEIGHT_NAMES:
            why = f"it is none of {', '.join(WEIGHT_NAMES)}"
            raise UsageError(what=f"use the weight {name!r}", why=why)
        if name in weights:
            raise UsageError(what=f"use the weights {text!r}", why=f"{name} stands there twice")
        weights[name] = _finite(number, part.strip())
    try:
        return CompositeWeights(**dict.fromkeys(WEIGHT_NAMES, 0.0) | weights)
    except ValueError as error:
        raise UsageError(what=f"use the weights {text!r}", why=str(error)) from None


def _finite(number: str, part: str) -> float:
    try:
        weight = float(number)
    except ValueError:
        weight = math.nan
    if not math.isfinite(weight):
        raise UsageError(what=f"use the weight {part!r}", why="write for example semantic=0.6")
    return weight


def parse_days(text: str) -> float:
    """A span such as 30d in days."""
    try:
        return times.parse_duration(text).total_seconds() / SECONDS_PER_DAY
    except ValueError as error:
        raise UsageError(what="understand --half-life", why=str(error)) from None
