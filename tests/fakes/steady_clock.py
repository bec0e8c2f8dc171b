"""A clock for tests: each look at it is a second later than the one before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class SteadyClock:
    """Starts at a fixed moment; ``advance`` moves it on."""

    def __init__(self, start: datetime = datetime(2026, 3, 4, 12, tzinfo=UTC)) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def advance(self, **duration: float) -> None:
        """Moves on by what ``timedelta`` takes, such as ``days=3``."""
        self.now += timedelta(**duration)
