"""The built-in extractor: structure, wording and dates decide, no model is asked.

A document is read once, when extraction begins; each chunk then gets the candidates that begin in
it. The same document gives the same candidates whatever its chunks are.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, tzinfo
from functools import cached_property
from pathlib import PurePath

from memctl.blocks import (
    Block,
    BlockKind,
    parse_data,
    parse_entries,
    parse_markdown,
    parse_plain,
    table_row_text,
)
from memctl.blocks.chat import Chat
from memctl.blocks.literal import put_stand_ins, read_stand_ins
from memctl.blocks.source_code import comments_of
from memctl.blocks.written_chat import read_written_chat
from memctl.document import Candidate
from memctl.extraction.extractor import (
    RULES_EXTRACTOR,
    DocumentText,
    ExtractionResult,
    KnownMemory,
    TextFormat,
)
from memctl.extraction.rules.chat import find_document_chats, read_chats, without_chats
from memctl.extraction.rules.dates import DAY_FIRST_LANGUAGES, DateReader, slashed_order
from memctl.extraction.rules.language import detect_language
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.reading import Reading, Statement
from memctl.extraction.rules.statements import read_statements
from memctl.file_lines import StatedAt
from memctl.memory import Chunk

LANGUAGE_SAMPLE_CHARACTERS = 20_000
"""How much of a document tells the language of those of its lines that give no sign."""

_FIRST_WORD = re.compile(r"\w+")

SEARCHED_CHARACTERS = 20_000
"""How far behind its place in the text without markup a statement is looked for on its line."""


class RulesExtractor:
    """Makes memories out of text by rules.

    Times without an offset are in ``timezone``, None being the machine's own.
    """

    name = RULES_EXTRACTOR

    def __init__(self, timezone: tzinfo | None = UTC) -> None:
        self._timezone = timezone

    def begin(self, document: DocumentText) -> RulesExtraction:
        """Starts on a document whose text has been redacted already."""
        return RulesExtraction(document, self._timezone)


class RulesExtraction:
    """One document at work; ``extract`` answers for any chunk of it, in any order."""

    def __init__(self, document: DocumentText, timezone: tzinfo | None = UTC) -> None:
        self._document = document
        self._timezone = timezone
        self._ends: dict[int, int] = {}

    def extract(self, chunk: Chunk, known: Sequence[KnownMemory] = ()) -> ExtractionResult:
        """Candidates that begin in ``chunk``, in reading order; ``known`` changes nothing."""
        del known
        start, end = self._bounds(chunk)
        begin = bisect_right(self._line_starts, start)
        placed, rejected = self._statements, self._rejections
        reasons = Counter(reason for _, reason in rejected[_slice(rejected, start, end)])
        return ExtractionResult(
            candidates=tuple(
                self._candidate(statement, chunk, begin)
                for _, statement in placed[_slice(placed, start, end)]
            ),
            rejected=tuple(sorted(reasons.items())),
        )

    @cached_property
    def _line_starts(self) -> list[int]:
        text = self._document.text
        return [0, *(match.end() for match in re.finditer("\n", text))]

    def _line_start(self, line: int) -> int:
        starts = self._line_starts
        return starts[line - 1] if line <= len(starts) else len(self._document.text)

    def _bounds(self, chunk: Chunk) -> tuple[int, int]:
        """The characters of the document that the chunk covers."""
        begin = self._line_start(chunk.first_line)
        if chunk.line_starts:
            begin = self._file_line_starts.get(chunk.line_starts[0].line, 0)
        # On a line of many chunks each begins where the one before it ends.
        begin = max(begin, self._ends.get(chunk.position - 1, 0))
        start = self._document.text.find(chunk.content, begin)
        if start >= 0:
            self._ends[chunk.position] = start + len(chunk.content)
            return start, start + len(chunk.content)
        last_line = bisect_right(self._line_starts, begin) + chunk.content.rstrip().count("\n")
        return begin, self._line_start(last_line + 1)

    @cached_property
    def _file_line_starts(self) -> dict[int, int]:
        """By line of the file, the first character that stands on it."""
        return {line: start for start, line in reversed(self._document.file_lines)}

    @cached_property
    def _reading(self) -> Reading:
        document = _without_code(self._document)
        sample = fold(document.text[:LANGUAGE_SAMPLE_CHARACTERS])
        language = detect_language(sample).code
        day_first = slashed_order(document.text)
        if day_first is None and language in DAY_FIRST_LANGUAGES:
            day_first = True
        dates = DateReader(document.document_date, self._timezone, day_first=day_first)
        chats = _chats(document, dates, language)
        reading = read_statements(
            _blocks(_without_lines_of(chats, document)),
            dates,
            language,
            has_bare_titles=bool(document.page_first_lines),
            changed_at=document.changed_at,
            named_day=document.named_day,
        )
        talk = read_chats(chats, dates, language)
        return Reading(
            [*reading.statements, *talk.statements], [*reading.rejections, *talk.rejections]
        )

    @cached_property
    def _statements(self) -> list[tuple[int, Statement]]:
        """The statements with where they begin in the text, in that order."""
        cursors: dict[int, int] = {}
        placed = []
        for statement in self._reading.statements:
            start = self._line_start(statement.first_line)
            cursor = cursors.get(statement.first_line, start)
            end = self._line_start(statement.first_line + 1)
            place = self._find(statement, start, cursor, end)
            cursors[statement.first_line] = place + 1
            placed.append((place, statement))
        return sorted(placed, key=_place)

    def _find(self, statement: Statement, start: int, cursor: int, end: int) -> int:
        """Where a statement begins on the line from ``start`` to ``end``, behind the one before it,
        which begins before ``cursor``; ``cursor`` where its first word is not there."""
        word = _FIRST_WORD.search(statement.anchor)
        if word is None:
            return cursor
        # What was said before may begin with the same words and be no statement.
        begin = max(cursor, start + statement.column)
        near = min(end, begin + SEARCHED_CHARACTERS)
        text = self._document.text
        for looked_for in (statement.anchor, word[0]):
            found = text.find(looked_for, begin, near)
            if found >= 0:
                return found
        return max(text.find(word[0], cursor, end), cursor)

    @cached_property
    def _rejections(self) -> list[tuple[int, str]]:
        rejections = self._reading.rejections
        return sorted(((self._line_start(one.line), one.reason) for one in rejections), key=_place)

    def _candidate(self, statement: Statement, chunk: Chunk, begin: int) -> Candidate:
        """The candidate for a statement of a chunk that begins on line ``begin`` of the text."""
        found = statement.classification
        places = statement.first_line - begin, statement.last_line - begin
        if self._document.file_lines:
            stated = chunk.stated_at(*places, statement.content)
        else:
            stated = StatedAt(statement.first_line, statement.last_line)
        return Candidate(
            content=statement.content,
            memory_type=found.memory_type,
            importance=found.importance,
            event_at=statement.event_at,
            **stated._asdict(),
            page=self._document.page_of_line(statement.first_line),
            tags=statement.tags,
            reason=found.reason,
        )


def _place(entry: tuple[int, object]) -> int:
    return entry[0]


def _slice(entries: Sequence[tuple[int, object]], start: int, end: int) -> slice:
    return slice(bisect_left(entries, start, key=_place), bisect_left(entries, end, key=_place))


def _chats(document: DocumentText, dates: DateReader, language: str) -> Sequence[Chat]:
    if document.text_format in {TextFormat.TABLE, TextFormat.DATA, TextFormat.ENTRIES}:
        return ()
    if document.text_format is TextFormat.CHAT:
        chat = read_written_chat(document.text.split("\n"))
        return () if chat is None else (chat,)
    return find_document_chats(document.text, dates, language)


def _without_code(document: DocumentText) -> DocumentText:
    """The document; of source code only what people say in it, on the same lines."""
    is_plain = document.text_format is TextFormat.PLAIN
    comments = comments_of(document.path, document.text) if is_plain else None
    return document if comments is None else replace(document, text=comments)


def _without_lines_of(chats: Sequence[Chat], document: DocumentText) -> DocumentText:
    if not chats:
        return document
    marked = put_stand_ins(document.text, document.literal_places)
    left = read_stand_ins(without_chats(marked, chats))
    return replace(document, text=left.text, literal_places=left.places)


def _blocks(document: DocumentText) -> list[Block]:
    if document.text_format is TextFormat.MARKDOWN:
        return parse_markdown(document.text, document.literal_places)
    if document.text_format in {TextFormat.PLAIN, TextFormat.CHAT}:
        return parse_plain(document.text)
    if document.text_format is TextFormat.ENTRIES:
        return parse_entries(document.text)
    title = document.title or PurePath(document.path).stem
    if document.text_format is TextFormat.DATA:
        return parse_data(document.text, title)
    return [
        Block(
            kind=BlockKind.TABLE_ROW,
            text=table_row_text(document.table_header, row.cells),
            first_line=row.first_line,
            last_line=row.last_line,
            heading_path=(title,) if title else (),
            cells=row.cells,
            header=document.table_header,
        )
        for row in document.table_rows
    ]
