"""Whether what a sentence tells lasts, or is over soon and cannot be placed in time.

How the tea is just now, a small mishap, or something that happened on a day that nothing names and
that changed nothing for good: nobody will ask for that later.
"""

from __future__ import annotations

from memctl.extraction.rules.generality import has_name, names_day
from memctl.extraction.rules.language import Language
from memctl.extraction.rules.sentences import has_digit
from memctl.extraction.rules.subjects import Subject, subject_of


def is_momentary(core: str, table: Language) -> bool:
    """Whether a folded sentence tells of something everyday how it is just now, or of a small
    mishap of the day."""
    if table.has(core, "mishap"):
        return True
    return subject_of(core, table) is Subject.EVERYDAY and table.has_seldom(core, "momentary")


def is_ongoing(core: str, table: Language) -> bool:
    """Whether a folded sentence says what others are at while it is written ("is giggling"), and
    not what they are at for weeks ("is learning")."""
    if not table.has_seldom(core, "ongoing"):
        return False
    return not table.has_seldom(core, "ongoing long")


def is_errand(core: str, table: Language) -> bool:
    """Whether a folded sentence says what somebody has to do or wants within minutes: to answer the
    door, to have a coffee. With a near day in it, it may be a task."""
    return table.has(core, "errand") and not table.day_findings(core)


def is_gesture(text: str, core: str, table: Language) -> bool:
    """Whether a sentence tells of another one's look, move or silence, as stories do: it is over
    when it is told, whoever it was."""
    if has_digit(text) or names_day(text, table) or table.day_findings(core):
        return False
    if table.has(core, "personal"):
        return False
    if table.has(core, "gesture"):
        return True
    return table.has(core, "story thing") and table.has_seldom(core, "told")


def is_told_of_no_time(text: str, core: str, table: Language) -> bool:
    """Whether a sentence tells in the past of something that changes nothing for good, and names no
    day, number or person by which it could be found again."""
    if has_digit(text) or names_day(text, table) or has_name(text, table):
        return False
    if table.day_findings(core) or table.has(core, "event sure") or table.has(core, "event not"):
        return False
    return table.has_seldom(core, "told") and not table.has_seldom(core, "lasting")
