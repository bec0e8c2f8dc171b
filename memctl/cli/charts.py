"""Bars for the terminal: eighths of a block where it can show them, number signs elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

EIGHTHS = " ▏▎▍▌▋▊▉"
FULL = "█"
ASCII_FULL = "#"

LEAST_BAR = 10
"""Columns of the longest bar on the narrowest terminal."""


def bar(value: float, maximum: float, width: int, *, unicode: bool) -> str:
    """A bar of up to ``width`` columns; whatever is not nothing can be seen."""
    if value <= 0 or maximum <= 0:
        return ""
    eighths = max(round(value / maximum * width * 8), 1)
    if not unicode:
        return ASCII_FULL * max(round(eighths / 8), 1)
    return FULL * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def bar_lines(
    rows: Sequence[tuple[str, float, str]], width: int, *, unicode: bool
) -> Iterator[str]:
    """One line for each row of name, value and the value's text, at most ``width`` columns wide
    where the names allow it."""
    names = max((len(name) for name, _, _ in rows), default=0)
    texts = max((len(text) for _, _, text in rows), default=0)
    room = max(width - names - texts - 6, LEAST_BAR)
    maximum = max((value for _, value, _ in rows), default=0)
    for name, value, text in rows:
        line = f"  {name:<{names}}  {text:>{texts}}  {bar(value, maximum, room, unicode=unicode)}"
        yield line.rstrip()
