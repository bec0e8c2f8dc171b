"""How long to wait before a failed question is asked again, and when to give up."""

from __future__ import annotations

from memctl.extraction.llm_failures import Failure, FailureKind

BACKOFF_SECONDS = 1.0
"""Pause before the second try; it doubles with each further one."""

MAXIMUM_BACKOFF_SECONDS = 30.0

THROTTLE_WAIT_SECONDS = 90.0
"""Longest total wait for a provider that throttles, in one question: its windows are a minute."""


RETRIED_KINDS = frozenset(
    {FailureKind.TRANSIENT, FailureKind.SLOW, FailureKind.UNREACHABLE, FailureKind.THROTTLED}
)
ONCE_RETRIED_KINDS = frozenset({FailureKind.SLOW, FailureKind.UNREACHABLE})


class Patience:
    """The tries and waits of one question."""

    def __init__(self, *, max_retries: int, throttle_wait_seconds: float) -> None:
        self._retries_left = max_retries
        self._wait_left_seconds = throttle_wait_seconds
        self._backoff_seconds = BACKOFF_SECONDS
        self._tried_again: set[FailureKind] = set()

    def pause_seconds(self, failure: Failure) -> float | None:
        """Seconds to wait before the next try; None when there is to be none."""
        if failure.kind not in RETRIED_KINDS or self._retries_left == 0:
            return None
        if failure.kind in ONCE_RETRIED_KINDS:
            if failure.kind in self._tried_again:
                return None
            self._tried_again.add(failure.kind)
        pause = failure.retry_after_seconds
        if pause is None:
            pause = self._backoff_seconds
            self._backoff_seconds = min(MAXIMUM_BACKOFF_SECONDS, 2 * pause)
        if failure.kind is FailureKind.THROTTLED:
            if pause > self._wait_left_seconds:
                return None
            self._wait_left_seconds -= pause
        self._retries_left -= 1
        return pause
