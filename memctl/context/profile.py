"""The files with which a user tells agents who they are: SOUL.md, IDENTITY.md and USER.md.

They lie in the configuration folder and are the user's own words to the model, so they stand in
the briefing as they are, in front of all that was remembered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memctl.content import normalise_content

PROFILE_NAMES = ("SOUL.md", "IDENTITY.md", "USER.md")
"""In the order in which they stand in the briefing (OpenClaw's and Spacebot's names)."""

MOST_BYTES = 1_000_000
"""A larger file is no profile: nobody reads it into every prompt."""


@dataclass(frozen=True, slots=True)
class ProfileFile:
    """One of the files and its text."""

    name: str
    text: str


def read_profile(folder: Path, warn: Callable[[str], None]) -> list[ProfileFile]:
    """The profile files that there are in ``folder`` and hold text; of one that cannot be read
    ``warn`` is told why."""
    found = []
    for name in PROFILE_NAMES:
        path = folder / name
        try:
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
            text = normalise_content(data.decode("utf-8-sig"))
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            warn(f"{path} was left out: {_reason(error)}")
            continue
        if len(data) > MOST_BYTES:
            warn(f"{path} was left out: it is larger than {MOST_BYTES:,} bytes")
        elif text:
            found.append(ProfileFile(name, text))
    return found


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return (getattr(error, "strerror", None) or str(error)).lower()
