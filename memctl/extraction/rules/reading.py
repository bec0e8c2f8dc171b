"""What reading a document gives: statements and rejections, and the scene that a block sets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import pairwise

from memctl.blocks import Block, BlockKind
from memctl.extraction.rules.classifier import (
    Classification,
    Dated,
    Mark,
    box_marks,
    heading_marks,
    importance_bonus,
    lead_marks,
    split_lead,
)
from memctl.extraction.rules.dates import DateMention, DateReader
from memctl.extraction.rules.language import Language
from memctl.extraction.rules.literature import (
    begins_chapter,
    begins_rhyme,
    is_chapter_title,
    is_regulated_verse,
    is_told,
    is_verse,
)
from memctl.extraction.rules.opening import Opening
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.surroundings import Surroundings
from memctl.memory import EventTime, MemoryType

OPENING_CHARACTERS = 14
"""A date that begins so early in a sentence opens it ("On Monday, 2 March 2026, ...")."""

SELF_NAMED = frozenset({MemoryType.IDENTITY})
"""What the names of fields say of nobody where there are many: in the rows of a table and in
records, each is about another one."""

DATED_WHERE_OPENED = frozenset({MemoryType.DECISION, MemoryType.OBSERVATION})
"""A date later in their words is what was decided or seen, not when; in other types it is a
deadline, a birthday, a validity."""

_NEXT_FIELD = re.compile(r"; [\w ]{1,40}: ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement with its place: ``first_line`` and ``last_line`` count from 1.

    ``anchor`` is how it begins in the source, and ``column`` how many characters at least stand
    before it on its line, for finding it within a long one.
    """

    content: str
    classification: Classification
    first_line: int
    last_line: int
    event_at: EventTime | None = None
    tags: tuple[str, ...] = ()
    anchor: str = ""
    column: int = 0


@dataclass(frozen=True, slots=True)
class Rejection:
    """A piece of text that is not worth a memory, and why."""

    line: int
    reason: str


@dataclass(slots=True)
class Reading:
    """What a document's blocks gave, in reading order."""

    statements: list[Statement] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)


@dataclass(frozen=True)
class Scene:
    """What all statements of one block share."""

    block: Block
    around: Surroundings
    opening: Opening
    language: Language
    dates: DateReader
    follows_text: bool = False
    """Whether a block before it, below the same headings, says something."""

    @property
    def event_at(self) -> EventTime | None:
        """When it was, as far as marks in front of the block or its headings say."""
        opening = self.opening
        if opening.moment is not None or opening.day is not None:
            return opening.moment or opening.day
        return self.around.event_at

    @property
    def has_day(self) -> bool:
        """Whether the day of the block, or of the whole document, is known."""
        return self.around.day is not None or self.dates.anchor is not None

    @property
    def dated(self) -> Dated:
        """How a date stands with the block."""
        if self.opening.day is not None or self.opening.moment is not None:
            return Dated.AT_START
        return Dated.UNDER_HEADING if self.around.day is not None else Dated.NOT

    @cached_property
    def marks(self) -> Sequence[Mark]:
        """What headings and a checkbox say about the type."""
        return [*box_marks(self.block.checked), *heading_marks(self.around.path)]

    @cached_property
    def bonus(self) -> float:
        """What emphasis and a label like ``Important:`` add to all statements of the block."""
        name = self.opening.name or ""
        return importance_bonus(name, self.language, emphasised=self.block.emphasised)

    def marks_of(self, name: str) -> Sequence[Mark]:
        """What the name of a field says; in a record, below its name, it says it of nobody."""
        marks, parents = lead_marks(name), self.block.parents[-1:]
        is_below = bool(parents) and self.block.kind is BlockKind.PARAGRAPH
        is_of_record = is_below or any(split_lead(parent)[0] for parent in parents)
        is_of_record = is_of_record or self.block.key is not None
        if not is_of_record and _NEXT_FIELD.search(self.opening.rest) is None:
            return marks
        return [mark for mark in marks if mark.memory_type not in SELF_NAMED]

    @property
    def name_start(self) -> int:
        """Where the name before the colon begins in the block's text; where the rest does, without
        one."""
        name, offset = self.opening.name, self.opening.offset
        start = self.block.text.find(name, 0, offset) if name is not None else -1
        return start if start >= 0 else offset

    @cached_property
    def is_literature(self) -> bool:
        """Whether the block is verse or tells a story."""
        text = self.block.text
        bounds = pairwise((*self.block.line_offsets, len(text)))
        lines = [text[start:end].strip() for start, end in bounds]
        if self.language.code == "zh" and is_regulated_verse(text):
            return True
        if self.around.path and is_chapter_title(self.around.path[-1]):
            return True
        if begins_chapter(text, self.language) or begins_rhyme(text, self.language):
            return True
        return is_verse(lines) or is_told(text, self.language)

    def dated_by(self, text: str) -> Dated:
        """How a date stands with one sentence of the block."""
        found = Dated.NOT
        for mention in self.dates.mentions(text, self.language):
            if not mention.deadline:
                found = dated_by_mention(mention)
                break
        return max(found, self.dated)

    def own_date(self, text: str, *, is_told: bool = False) -> EventTime | None:
        """The first date in a text that is no deadline, and no "tomorrow" in what ``is_told`` as of
        the past."""
        for mention in self.dates.mentions(text, self.language):
            if is_told and mention.told_day is not None:
                return mention.told_day
            if says_when(mention, is_told=is_told):
                return mention.value
        return None

    def is_to_come(self, text: str) -> bool:
        """Whether a sentence of the block names one day, and that was ahead when it was written."""
        written = self.around.day or self.dates.anchor
        mentions = self.dates.mentions(text, self.language)
        return written is not None and is_day_to_come(mentions, written, text, self.language)

    def day_within(self, day: date, text: str, memory_type: MemoryType) -> date | None:
        """The day of a file or message if it says when that was which a text of it tells: what
        happened and names no other day, and what was decided unless it names an earlier one."""
        if memory_type is MemoryType.DECISION:
            mentions = self.dates.mentions(text, self.language)
            days = (mention.told_day or mention.day for mention in mentions)
            return day if all(named >= day for named in days) else None
        return day if memory_type is MemoryType.EVENT else None

    def line_at(self, offset: int) -> int:
        """The document's line (from 1) of a place in the block's text."""
        return self.block.line_at(offset)


def dated_by_mention(mention: DateMention) -> Dated:
    """How a date in a sentence stands with it; a weekday alone opens no entry."""
    is_opening = mention.start <= OPENING_CHARACTERS and mention.told_day is None
    return Dated.AT_START if is_opening else Dated.WITHIN


def says_when(mention: DateMention, *, is_told: bool) -> bool:
    """Whether a date may say when something was or will be; ``is_told``: it was."""
    return not mention.deadline and not (is_told and mention.is_coming)


def is_day_to_come(
    mentions: Sequence[DateMention], written: date, text: str, language: Language
) -> bool:
    """Whether a text of the day ``written`` names one later day, on which something is that does
    not come back every year or week."""
    days = {mention.day for mention in mentions}
    if len(days) != 1 or any(mention.deadline for mention in mentions):
        return False
    return days.pop() > written and not language.has(fold(text), "recurring")


def is_dated_by_wording(memory_type: MemoryType, dated: Dated) -> bool:
    """Whether the date that stands so with a statement says when it was."""
    if memory_type in DATED_WHERE_OPENED:
        return dated is Dated.AT_START
    return memory_type is MemoryType.EVENT
