"""Runs of text at their places on a page: cells joined to rows, labels found beside form fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ROW_TOLERANCE = 0.3
"""How far baselines of one row may differ, as a share of the font size."""

CELL_GAP = "  "
"""What stands between the cells of a row."""

LABEL_REACH = 18.0
"""How far above or to the right of a field its label may stand, in points: a line and a half."""

LOST_SHARE = 0.02
"""Share of the text that rows may lack before the text as it was is taken."""

Box = tuple[float, float, float, float]
"""Left, bottom, right and top, in points."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of text, the start of its baseline and its font size, in points on the page.

    The text ends with a line feed where the line ends. ``y`` is NaN when it is not upright.
    """

    text: str
    x: float
    y: float
    size: float


def join_rows(runs: Sequence[Run], text: str) -> str:
    """The text with cells on one baseline in one line; ``text`` as it is if that loses some."""
    parts: list[str] = []
    before: Run | None = None
    line_ended = False
    for run in runs:
        body = run.text.strip("\n")
        if not body.strip():
            line_ended = line_ended or "\n" in run.text
            parts.append("" if line_ended else body)
            continue
        if before is not None and (line_ended or run.text.startswith("\n")):
            parts.append(CELL_GAP if _continues_row(before, run) else "\n")
        parts.append(body)
        line_ended = run.text.endswith("\n")
        before = run
    joined = "".join(parts)
    missing = len("".join(text.split())) - len("".join(joined.split()))
    return text if abs(missing) > LOST_SHARE * len(text) else joined


def label_beside(runs: Sequence[Run], box: Box) -> str | None:
    """The text that labels a form field: left of it on its line, else right of it, else above."""
    left, bottom, right, top = box
    on_line = [run for run in runs if run.text.strip() and bottom - 2 <= run.y <= top + 2]
    before = [run for run in on_line if run.x < left]
    after = [run for run in on_line if right <= run.x <= right + LABEL_REACH]
    above = [
        run
        for run in runs
        if run.text.strip() and top < run.y <= top + LABEL_REACH and run.x <= right
    ]
    if before:
        return max(before, key=lambda run: run.x).text.strip()
    if after:
        return min(after, key=lambda run: run.x).text.strip()
    return min(above, key=lambda run: run.y).text.strip() if above else None


def _continues_row(before: Run, run: Run) -> bool:
    same_baseline = abs(run.y - before.y) <= ROW_TOLERANCE * max(run.size, before.size)
    return same_baseline and run.x > before.x
