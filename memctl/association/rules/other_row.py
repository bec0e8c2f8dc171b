"""Two rows of one table: the first cell tells which thing a row is about."""

from __future__ import annotations

from memctl.association.comparison import Comparison
from memctl.association.row import Row
from memctl.association.rules.succession import succession
from memctl.association.values import Judgement, Relation


def other_row(comparison: Comparison) -> Judgement | None:
    """Rows of two things, or another value of one thing."""
    new, old = comparison.new.row, comparison.old.row
    if new is None or old is None or not new.is_comparable(old):
        return None
    differing = new.differing(old)
    if not differing:
        return None
    if differing[0] == 0:
        return Judgement(
            Relation.DISTINCT, f"about two things: {new.cells[0]} and {old.cells[0]}", 0.7
        )
    if len(differing) > 1:
        return Judgement(Relation.RELATED, "two rows about one thing", 0.5)
    return _changed_cell(comparison, new, old, differing[0])


def _changed_cell(comparison: Comparison, new: Row, old: Row, position: int) -> Judgement:
    reason = f"{old.cells[position]} became {new.cells[position]}"
    return succession(comparison, reason, 0.7, excludes=True)
