"""What a run may ask of a language model: so many calls, so much money.

Calls are counted when they begin, so their limit holds exactly, also with several at a time. Money
is known when an answer has come: calls that are under way by then may go beyond the limit.
"""

from __future__ import annotations

import threading

from memctl.document import Usage
from memctl.errors import LanguageModelBudgetError
from memctl.plural import plural


class SpendingLimit:
    """The limits of one run; None stands for none. May be used from several threads."""

    def __init__(self, *, max_calls: int | None = None, max_cost_usd: float | None = None) -> None:
        self._max_calls = max_calls
        self._max_cost_usd = max_cost_usd
        self._calls = 0
        self._spent_before_usd = 0.0
        self._lock = threading.Lock()

    def check(self, model: str, spent: Usage) -> None:
        """Counts a call that is about to begin; raises LanguageModelBudgetError instead when the
        limit is reached. ``spent`` is the usage of ``model`` since the program began."""
        with self._lock:
            cost = spent.cost_usd - self._spent_before_usd
            if self._max_calls is not None and self._calls >= self._max_calls:
                raise LanguageModelBudgetError(
                    model=model,
                    why=f"the run's limit of {plural(self._max_calls, 'call')} is reached",
                )
            if self._max_cost_usd is not None and cost >= self._max_cost_usd:
                why = f"the run has cost ${cost:.4f} and its limit is ${self._max_cost_usd:g}"
                raise LanguageModelBudgetError(model=model, why=why)
            self._calls += 1

    def renew(self, spent: Usage) -> None:
        """Begins anew: what was spent until now counts no more."""
        with self._lock:
            self._calls = 0
            self._spent_before_usd = spent.cost_usd
