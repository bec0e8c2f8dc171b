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
from memctl.extraction.rules.reading import dated_by_mention, day_of
from memctl.extraction.rules.statements import is_dated_by_wording
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
    """The type of a text, where it is not given, and on which day it was.

    ``day`` is that of saying it, from which "yesterday" counts. The day by which something is to be
    done is not when it was.
    """
    mentions = DateReader(day).mentions(text, detect_language(fold(text)))
    only = mentions[0] if len(mentions) == 1 and not mentions[0].deadline else None
    dated = Dated.NOT if only is None else dated_by_mention(only)
    found_type = memory_type or classify(text, dated=dated).memory_type
    is_dated = only is not None and is_dated_by_wording(found_type, dated)
    return Said(found_type, day_of(only.value) if only is not None and is_dated else None)
