"""When that was which somebody says in a sentence of their own, and of which type it is.

Read as in a file that was written on the day of saying. A sentence with several dates is not dated:
nothing tells which of them is meant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from memctl.extraction.rules.classifier import Dated, classify
from memctl.extraction.rules.dates import DateReader
from memctl.extraction.rules.language import detect_language
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.reading import (
    dated_by_mention,
    is_dated_by_wording,
    is_day_to_come,
    says_when,
)
from memctl.memory import MemoryType
from memctl.new_memory import NewMemory


@dataclass(frozen=True, slots=True)
class Said:
    """What the wording of a text says about it; no ``event_day`` where it names no one date."""

    memory_type: MemoryType
    event_day: date | None


def with_said(new: NewMemory, *, day: date) -> NewMemory:
    """``new``, said on ``day``, with the type and the event day of its wording where it has none of
    its own."""
    said = read_said(new.content, day=day, memory_type=new.memory_type)
    return replace(
        new,
        suggested_type=said.memory_type if new.memory_type is None else None,
        event_at=said.event_day if new.event_at is None else new.event_at,
    )


def read_said(text: str, *, day: date, memory_type: MemoryType | None = None) -> Said:
    """The type of a text, where it is not given, and on which day it was or will be.

    ``day`` is that of saying it, from which "yesterday" and "next Friday" count. The day by which
    something is to be done is not when it is.
    """
    language = detect_language(fold(text))
    mentions = DateReader(day).mentions(text, language)
    is_to_come = is_day_to_come(mentions, day, text, language)
    only = mentions[0] if len(mentions) == 1 and not mentions[0].deadline else None
    dated = Dated.NOT if only is None else dated_by_mention(only)
    found = classify(text, dated=dated, is_to_come=is_to_come)
    found_type = memory_type or found.memory_type
    if only is None or not says_when(only, is_told=found.is_told):
        return Said(found_type, None)
    is_planned = found_type is MemoryType.TODO and is_to_come
    is_dated = is_planned or is_dated_by_wording(found_type, dated)
    return Said(found_type, only.day if is_dated else None)
