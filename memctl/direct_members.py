"""Makes the members of an enum plain attributes of its class, as they are from Python 3.12 on."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

Member = TypeVar("Member", bound=Enum)


def with_direct_members(enum: type[Member]) -> type[Member]:
    """A class decorator for enums that are asked for millions of times.

    Python 3.11 runs a function each time that a member is named, which takes 100 ns instead of 15:
    a tenth of the time in which statements are taken apart and compared.
    """
    for name, member in enum.__members__.items():
        # The class of enums forbids to set a member, even to itself.
        type.__setattr__(enum, name, member)
    return enum
