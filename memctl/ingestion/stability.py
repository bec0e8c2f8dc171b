"""When a file that appears or changes has come to rest: pure decisions on what is seen of it.

A file is ready when it has looked the same for a while, so that nothing is read that is still being
copied. Time is any clock in seconds that never goes back. Nothing here touches a disk.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

SETTLE_SECONDS = 2.0
"""How long a file must look the same: longer than the pauses of a copy over a slow network."""

CLOSED_SETTLE_SECONDS = 0.5
"""The same after its writer has closed it or it was moved in whole."""

EMPTY_SETTLE_SECONDS = 30.0
"""The same for a file without a byte: mostly a copy that has not begun."""

CLOSED_EMPTY_SETTLE_SECONDS = 5.0
"""The same after the writer of one has closed it: some programs make a file, and fill it when they
open it again."""

RETURN_SECONDS = 60.0
"""A file of the name of one that was moved away so short a time ago has come back: somebody may be
appending to it line by line, and each line would be a document of its own."""

RETURNED_SETTLE_SECONDS = 10.0
"""How long such a file must look the same, at least."""

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Signature:
    """What tells one state of a file from another without reading it."""

    device: int
    inode: int
    size_bytes: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """A file as it was last seen: since when it has looked so, whether it was closed, and whether
    it came back."""

    signature: Signature
    since: float
    is_closed: bool = False
    is_returned: bool = False


def see(
    before: Sighting | None,
    signature: Signature,
    now: float,
    *,
    closed: bool,
    returned: bool = False,
) -> Sighting:
    """The sighting after another look, at time ``now``."""
    if before is None or before.signature != signature:
        is_returned = returned or (before is not None and before.is_returned)
        return Sighting(signature, now, closed, is_returned)
    return replace(before, is_closed=True) if closed and not before.is_closed else before


def ready_at(sighting: Sighting) -> float:
    """The time at which the file counts as whole, if it looks the same until then."""
    if sighting.signature.size_bytes == 0:
        pause = CLOSED_EMPTY_SETTLE_SECONDS if sighting.is_closed else EMPTY_SETTLE_SECONDS
    else:
        pause = CLOSED_SETTLE_SECONDS if sighting.is_closed else SETTLE_SECONDS
    if sighting.is_returned:
        pause = max(pause, RETURNED_SETTLE_SECONDS)
    return sighting.since + pause


class SettlingFiles(Generic[Key]):
    """Files that are waited for, in the order in which they arrived."""

    def __init__(self) -> None:
        self._sightings: dict[Key, Sighting] = {}
        self._moved: dict[Key, float] = {}

    def __len__(self) -> int:
        return len(self._sightings)

    def __iter__(self) -> Iterator[Key]:
        return iter(list(self._sightings))

    def see(
        self, key: Key, signature: Signature | None, now: float, *, closed: bool = False
    ) -> bool:
        """Takes in another look; None when the file is gone. True when it is whole, which ends
        the waiting."""
        if signature is None:
            self._sightings.pop(key, None)
            return False
        returned = now - self._moved.get(key, -math.inf) < RETURN_SECONDS
        before = self._sightings.get(key)
        sighting = see(before, signature, now, closed=closed, returned=returned)
        self._sightings[key] = sighting
        if now < ready_at(sighting):
            return False
        del self._sightings[key]
        return True

    def is_closed(self, key: Key, signature: Signature | None) -> bool:
        """Whether a file that is waited for has been closed as it looks now."""
        seen = self._sightings.get(key)
        return seen is not None and seen.signature == signature and seen.is_closed

    def wait_anew(self, key: Key, signature: Signature, now: float) -> None:
        """Begins to wait again for a file that somebody has open."""
        self._sightings[key] = Sighting(signature, now)

    def note_moved(self, key: Key, now: float) -> None:
        """Remembers for a while that a whole file was moved away from its place."""
        self._moved = {one: at for one, at in self._moved.items() if now - at < RETURN_SECONDS}
        self._moved[key] = now

    def due(self, now: float) -> list[Key]:
        """The files that are worth another look now, the first to arrive first."""
        return [key for key, seen in self._sightings.items() if ready_at(seen) <= now]

    def next_look(self) -> float | None:
        """When the next file is worth another look; None without any."""
        return min(map(ready_at, self._sightings.values()), default=None)
