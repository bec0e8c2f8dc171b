"""A document's blocks to statements that stand alone, each with its type, day and lines.

One statement per field, task and table row; the sentences of list items and paragraphs are read
as passages. What is not worth a memory is counted with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from memctl.blocks import Block, BlockKind
from memctl.extraction.rules.classifier import (
    APPOINTMENT,
    HEADING_POINTS,
    Classification,
    Dated,
    EvidenceByType,
    Mark,
    core_of,
    importance_bonus,
    judge,
    lead_marks,
    wording_evidence,
)
from memctl.extraction.rules.data_values import (
    is_setting,
    reject_data_value,
    says_its_day,
    text_of,
)
from memctl.extraction.rules.dates import DateReader
from memctl.extraction.rules.generality import reject_public
from memctl.extraction.rules.introductions import (
    COLONS,
    LONGEST_TITLE_CHARACTERS,
    TITLE_WORDS,
    is_bare_title,
    is_introduction,
    is_title,
)
from memctl.extraction.rules.labels import GENERIC, SKIP, key_of, label_of
from memctl.extraction.rules.language import detect_language
from memctl.extraction.rules.literature import is_chapter_title
from memctl.extraction.rules.neighbours import reject_by_neighbours
from memctl.extraction.rules.opening import read_opening
from memctl.extraction.rules.passages import read_passages
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.quality import (
    is_attributed,
    is_attribution,
    is_own_output,
    is_question,
    reject_row,
    reject_value,
    reject_whole,
)
from memctl.extraction.rules.reading import (
    SELF_NAMED,
    Reading,
    Rejection,
    Scene,
    Statement,
    is_dated_by_wording,
)
from memctl.extraction.rules.sentences import split_sentences, tags_in, word_count
from memctl.extraction.rules.surroundings import (
    FRAGMENT_WORDS,
    Surroundings,
    is_value,
    read_surroundings,
    with_context,
)
from memctl.memory import EventTime, MemoryType

FIELD_NAME_WORDS = 2
"""So short a name may be a verb and a noun (``E-mail``, ``Order``): it is no order then."""

LANGUAGE_CHARACTERS = 400
"""How much of a block tells its language."""

ANCHOR_CHARACTERS = 40

SET_DOWN = frozenset({MemoryType.TODO, MemoryType.DECISION})
"""What is decided, or found to be done, by the time that it is written at the latest."""

EASTERNMOST_OFFSET = timedelta(hours=14)
"""How far the first time zone to see a new day is ahead of UTC."""

_SLUG = re.compile(r"[^\W_]+(?:_[^\W_]+)+$")
_LANGUAGE_CODE = re.compile(r"[a-z]{2}(?:[-_][A-Z]{2})?")
"""What a program's setting says: ``language: de``."""

_SILENT = frozenset({BlockKind.FRONT_MATTER, BlockKind.COMMENT})
_BREAKS = frozenset({BlockKind.HEADING, BlockKind.RULE})
_LISTED = frozenset({BlockKind.LIST_ITEM, BlockKind.TABLE_ROW, BlockKind.CODE, BlockKind.QUOTE})


def read_statements(
    blocks: Sequence[Block],
    dates: DateReader,
    default_language: str | None = None,
    *,
    has_bare_titles: bool = False,
    changed_at: datetime | None = None,
    named_day: date | None = None,
) -> Reading:
    """The statements of a document's blocks and what was left out.

    ``default_language`` (ISO 639-1) is taken for blocks too short to tell theirs.
    ``has_bare_titles``: short lines without an end of sentence may be headings, as in the text of
    a PDF, where nothing else marks them. ``changed_at`` is when the document was last changed: no
    heading of a later day says when something was decided or noted as to be done. ``named_day`` is
    when its events and decisions were, of which nothing in it says that.
    """
    last_day = None if changed_at is None else (changed_at + EASTERNMOST_OFFSET).date()
    reader = _Reader(
        dates,
        default_language,
        has_bare_titles=has_bare_titles,
        last_day=last_day,
        named_day=named_day,
    )
    rejected = reject_by_neighbours(blocks, default_language)
    for position, block in enumerate(blocks):
        following = blocks[position + 1] if position + 1 < len(blocks) else None
        reader.take(block, following, rejected.get(position))
    return reader.reading


class _Reader:
    """Goes through the blocks once, remembering what introduces the next ones."""

    def __init__(
        self,
        dates: DateReader,
        default_language: str | None,
        *,
        has_bare_titles: bool,
        last_day: date | None,
        named_day: date | None,
    ) -> None:
        self.reading = Reading()
        self._dates = dates
        self._default_language = default_language
        self._has_bare_titles = has_bare_titles
        self._last_day = last_day
        self._named_day = named_day
        self._day_line: tuple[str, ...] = ()
        self._title: tuple[str, ...] = ()
        self._intro: tuple[str, ...] = ()
        self._intro_is_used = False
        self._field_day: tuple[date, tuple[str, ...]] | None = None
        self._text_before: tuple[str, ...] | None = None
        self._dates_by_day: dict[date | None, DateReader] = {}
        self._around: dict[tuple[tuple[str, ...], tuple[str, ...]], Surroundings] = {}
        self._seen: set[tuple[MemoryType, str]] = set()

    def take(self, block: Block, following: Block | None, reason: str | None = None) -> None:
        """Takes one block; ``following`` is the next one, ``reason`` why it is left out for what
        stands around it, or None."""
        if block.kind in _SILENT:
            return
        if block.kind in _BREAKS:
            self._day_line = self._title = self._intro = ()
            return
        if self._is_day_line(block):
            self._day_line, self._title, self._intro = (block.text,), (), ()
            return
        if block.kind is BlockKind.PARAGRAPH and is_chapter_title(block.text):
            self._title, self._intro = (block.text,), ()
            return
        intro = self._introduction_of(block)
        reason = reason or _reject_block(block)
        if reason is None and self._is_quotation(block, following):
            reason = "quotation"
        if reason is not None:
            self._reject(block, reason)
        elif is_title(block, following) or (
            self._has_bare_titles and is_bare_title(block, following, self._default_language)
        ):
            self._title, self._intro = (block.text.rstrip(" :："),), ()
        elif is_introduction(block, following):
            self._intro, self._intro_is_used = (block.text.rstrip(" :："),), False
        elif block.text.endswith(COLONS) and len(block.text.split()) <= TITLE_WORDS:
            self._reject(block, "template")
        else:
            self._read(block, intro)

    def _is_day_line(self, block: Block) -> bool:
        """Whether a line is only a day, which stands as a heading over the entry below it."""
        if block.kind is not BlockKind.PARAGRAPH or block.parents:
            return False
        if len(block.text) > ANCHOR_CHARACTERS:
            return False
        language = detect_language(fold(block.text), self._default_language)
        return self._dates.is_bare_day(block.text, language)

    def _is_quotation(self, block: Block, following: Block | None) -> bool:
        """Whether a quoted line is a saying, for the next one names whom it is from, or is that
        name."""
        if block.kind is not BlockKind.QUOTE:
            return False
        if following is None or following.kind is not BlockKind.QUOTE:
            return is_attribution(block.text)
        language = detect_language(fold(block.text), self._default_language)
        return is_attributed(block.text, following.text, language)

    def _introduction_of(self, block: Block) -> tuple[str, ...]:
        """The line that introduces a block: it holds for a list, or else for one block only."""
        intro = self._intro
        if block.kind in _LISTED or block.parents:
            self._intro_is_used = True
            return intro
        self._intro = ()
        return () if self._intro_is_used else intro

    def _read(self, block: Block, intro: tuple[str, ...]) -> None:
        around = self._surroundings(block, intro)
        language = detect_language(fold(block.text[:LANGUAGE_CHARACTERS]), self._default_language)
        dates = self._dates_on(around.day)
        opening = read_opening(block.text, block.lead, around.day, dates, language)
        if around.skip:
            self._reject(block, "section not for memory")
        elif opening.role == "machine":
            self._reject(block, "machine chatter")
        else:
            follows_text = self._text_before == block.heading_path
            self._text_before = block.heading_path
            scene = Scene(block, around, opening, language, dates, follows_text)
            if block.key:
                self._read_member(scene)
            elif block.kind is BlockKind.TABLE_ROW:
                self._read_row(scene)
            elif block.checked is not None or block.kind is BlockKind.ENTRY:
                self._read_task(scene)
            elif opening.name is not None:
                self._read_named(scene, opening.name)
            else:
                self._read_passages(scene, opening.offset)

    def _dates_on(self, day: date | None) -> DateReader:
        """What reads the dates of an entry of that day."""
        if day not in self._dates_by_day:
            self._dates_by_day[day] = self._dates.counted_from(day)
        return self._dates_by_day[day]

    def _surroundings(self, block: Block, intro: tuple[str, ...]) -> Surroundings:
        key = (block.heading_path + self._day_line + self._title, intro + block.parents)
        if key not in self._around:
            self._around[key] = read_surroundings(*key, self._dates)
        around = self._around[key]
        if around.day is not None or self._field_day is None:
            return around
        day, parents = self._field_day
        return replace(around, day=day) if block.parents[: len(parents)] == parents else around

    def _read_row(self, scene: Scene) -> None:
        block = scene.block
        reason = reject_row(block.cells)
        if reason is not None:
            self._reject(block, reason)
            return
        header = block.header[0] if block.header else ""
        marks = list(scene.marks)
        if label_of(header) is not None:
            marks += [mark for mark in lead_marks(header) if mark.memory_type not in SELF_NAMED]
        first_cell = next(cell for cell in block.cells if cell.strip())
        dated = scene.dated_by(first_cell)
        found = judge({}, marks, dated=dated, bonus=_bonus(scene))
        self._add(scene, block.text, found, (0, len(block.text)), is_field=True)

    def _read_member(self, scene: Scene) -> None:
        """A key with its value in structured data."""
        block = scene.block
        if says_its_day(block):
            self._note_field_day(scene)
        reason = reject_data_value(block)
        if reason is not None:
            self._reject(block, reason)
        elif scene.opening.name is None or is_setting(block, scene.language):
            found = judge({}, (), bonus=_bonus(scene))
            self._add(scene, text_of(block), found, (0, len(block.text)), is_field=True)
        else:
            self._read_named(scene, scene.opening.name)

    def _read_task(self, scene: Scene) -> None:
        """A task is one statement whatever it says; its date or label in front stays outside."""
        text = self._named_text(scene)
        reason = reject_value(scene.opening.rest)
        if reason is not None:
            self._reject(scene.block, reason)
            return
        dated = scene.dated if scene.block.kind is BlockKind.ENTRY else Dated.NOT
        found = judge({}, scene.marks, dated=dated, bonus=_bonus(scene))
        self._add(scene, text, found, (0, len(scene.block.text)))

    def _read_named(self, scene: Scene, name: str) -> None:
        """A line with something before a colon: a label, a field, or a sentence with a colon."""
        label, key = label_of(name), key_of(name)
        meaning = label.meaning if label is not None and label.exact else None
        if SKIP in (key, meaning) and not (key is None and _is_of_writer(scene)):
            self._note_field_day(scene)
            self._reject(scene.block, "field not for memory")
        elif meaning == GENERIC:
            self._read_passages(scene, scene.opening.offset, is_behind_name=True)
        elif (reason := reject_value(scene.opening.rest)) is not None:
            self._reject(scene.block, reason)
        elif label is not None and label.memory_type is not None:
            self._read_labelled(scene, name, is_field=False)
        elif key is not None or self._is_field(scene, name):
            if is_question(scene.opening.rest):
                self._reject(scene.block, "question")
            elif key is None and (reason := _reject_public_field(scene)) is not None:
                self._reject(scene.block, reason)
            else:
                self._read_labelled(scene, name, is_field=True)
        else:
            self._read_passages(scene, scene.name_start)

    def _read_labelled(self, scene: Scene, name: str, *, is_field: bool) -> None:
        if not is_field and len(split_sentences(scene.opening.rest)) > 1:
            label = [replace(mark, points=HEADING_POINTS) for mark in lead_marks(name)]
            self._read_passages(scene, scene.name_start, label)
            return
        text = self._named_text(scene)
        evidence = wording_evidence(scene.opening.rest, scene.language, scene.dated)
        found = judge(
            evidence or self._appointment(scene),
            [*scene.marks_of(name), *scene.marks],
            dated=scene.dated,
            bonus=_bonus(scene),
        )
        self._add(scene, text, found, (0, len(scene.block.text)), is_field=is_field)

    def _appointment(self, scene: Scene) -> EvidenceByType:
        """What ``Next meeting: 28 September`` says by its name together with its value."""
        dated = scene.dated_by(scene.opening.rest)
        evidence = wording_evidence(scene.block.text, scene.language, dated)
        return {kind: found for kind, found in evidence.items() if found.phrase == APPOINTMENT}

    def _is_field(self, scene: Scene, name: str) -> bool:
        """Whether ``name: value`` is a field: neither part is worded like a sentence of a type."""
        if _SLUG.match(name) or _LANGUAGE_CODE.fullmatch(scene.opening.rest):
            return True
        if len(split_sentences(scene.opening.rest)) > 1:
            return False
        whole = wording_evidence(scene.block.text, scene.language)
        if len(name.split()) <= FIELD_NAME_WORDS:
            whole.pop(MemoryType.TODO, None)
        return not whole and not wording_evidence(scene.opening.rest, scene.language)

    def _note_field_day(self, scene: Scene) -> None:
        """``Date: 2026-03-14`` above a text says when all of it was, or of its item."""
        own = scene.own_date(scene.opening.rest)
        if own is not None and len(scene.opening.rest) <= LONGEST_TITLE_CHARACTERS:
            self._field_day = self._dates.day_of(own), scene.block.parents

    def _named_text(self, scene: Scene) -> str:
        """The statement from its name on: a date or time in front went into the event time."""
        name, text = scene.opening.name, scene.block.text
        text = text[scene.name_start :]
        if name is not None and _SLUG.match(name) and text.startswith(name):
            return name.replace("_", " ") + text[len(name) :]
        return text

    def _read_passages(
        self,
        scene: Scene,
        start: int,
        label: Sequence[Mark] = (),
        *,
        is_behind_name: bool = False,
    ) -> None:
        """Reads the statements from ``start`` on. ``is_behind_name``: there stands a name before
        them, without which a first one of few words says nothing."""
        passages, rejections = read_passages(scene, start, label)
        self.reading.rejections.extend(rejections)
        for passage in passages:
            text, first = passage.text, passage.start
            needs_name = is_behind_name and first == start and is_value(text, scene.language)
            if needs_name:
                first = scene.name_start
                text = f"{scene.block.text[first:start]}{text}"
            span = (first, passage.end)
            self._add(scene, text, passage.classification, span, is_field=needs_name)

    def _add(
        self,
        scene: Scene,
        text: str,
        found: Classification,
        span: tuple[int, int],
        is_field: bool = False,
    ) -> None:
        block = scene.block
        is_to_end = is_field and span[1] == len(block.text)
        is_short = is_field or word_count(text, scene.language) < FRAGMENT_WORDS
        content = with_context(
            text.strip(),
            scene.around.as_path() if block.key is not None and is_short else scene.around,
            language=scene.language,
            is_field=is_field,
            by_heading=found.reason.startswith("heading ") and not found.from_wording,
        )
        key = (found.memory_type, fold(content))
        if key in self._seen:
            self._reject(scene.block, "repeated")
            return
        self._seen.add(key)
        self.reading.statements.append(
            Statement(
                content=content,
                classification=found,
                first_line=scene.line_at(span[0]),
                last_line=block.last_line if is_to_end else scene.line_at(span[1] - 1),
                event_at=self._event_at(text, found, scene),
                tags=tags_in(text),
                anchor=text[:ANCHOR_CHARACTERS],
                column=block.column_at(span[0]),
            )
        )

    def _event_at(self, text: str, found: Classification, scene: Scene) -> EventTime | None:
        """When it was or is to be; what is ticked off was done before any day that is to come."""
        known = self._stated_time(text, found, scene)
        return None if scene.block.checked and self._is_to_come(known) else known

    def _stated_time(self, text: str, found: Classification, scene: Scene) -> EventTime | None:
        known, memory_type = scene.event_at, found.memory_type
        if memory_type in SET_DOWN and scene.opening.day is None and self._is_to_come(known):
            known = None
        if scene.opening.day is None and is_dated_by_wording(memory_type, scene.dated_by(text)):
            known = scene.own_date(text, is_told=found.is_told) or known
        if memory_type is MemoryType.TODO and scene.is_to_come(text):
            known = scene.own_date(text)
        if known is None and self._named_day is not None:
            known = scene.day_within(self._named_day, text, memory_type)
        if memory_type is MemoryType.EVENT and type(known) is date:
            return scene.dates.clock_time(text, known) or known
        return known

    def _is_to_come(self, known: EventTime | None) -> bool:
        """Whether a time had not come yet when the document was last changed."""
        if known is None or self._last_day is None:
            return False
        return self._dates.day_of(known) > self._last_day

    def _reject(self, block: Block, reason: str) -> None:
        self.reading.rejections.append(Rejection(block.first_line, reason))


def _reject_block(block: Block) -> str | None:
    if block.kind is BlockKind.CODE:
        return "own output" if is_own_output(block.info, block.text) else "code"
    is_leaf = block.kind is BlockKind.LIST_ITEM and not block.has_children
    grounds = (
        ("markup", block.kind is BlockKind.HTML),
        ("taken back", block.struck),
        ("links", block.link_only),
        ("code", block.code_only and block.kind is BlockKind.PARAGRAPH),
        ("template", is_leaf and block.text.endswith(COLONS)),
    )
    return next((reason for reason, holds in grounds if holds), None) or reject_whole(block.text)


def _bonus(scene: Scene) -> float:
    return max(scene.bonus, importance_bonus(scene.block.text, scene.language))


def _reject_public_field(scene: Scene) -> str | None:
    """Why what reads like a name and its value states nothing of its writer's world, or None."""
    text = scene.block.text
    core = core_of(text, scene.language)
    for section in ("boilerplate", "instruction"):
        if scene.language.has(core, section):
            return section
    is_prose = scene.block.kind is BlockKind.PARAGRAPH and not scene.marks
    return reject_public(text, core, scene.language) if is_prose else None


def _is_of_writer(scene: Scene) -> bool:
    """Whether what stands behind a name speaks of its writer, in more than a word or two."""
    rest = scene.opening.rest
    speaks = scene.language.has(fold(rest), "personal")
    return speaks and word_count(rest, scene.language) > FIELD_NAME_WORDS
