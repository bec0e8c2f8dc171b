"""Numbers of things, as a sentence says them."""

from __future__ import annotations


def plural(number: int, name: str, several: str | None = None) -> str:
    """``1 memory``, ``2,000 memories``; ``several`` is what follows other numbers than 1 where that
    is not the regular plural of ``name``: ``plural(number, "row names", "rows name")``."""
    if number == 1:
        return f"1 {name}"
    if several is None:
        several = name.removesuffix("y") + "ies" if name.endswith("y") else name + "s"
    return f"{number:,} {several}"
