"""From one file to the memories that it states: read, redact, clean, extract.

Everything here is a pure function of the file's bytes and the task, so that several processes can
share the work. Whatever the bytes are, the answer is a value; nothing is raised for a bad file.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path, PurePath

from memctl.document import Candidate, DocumentStatus
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.redaction import redact
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.discovery import FileContent, Found, Identity, read_found
from memctl.ingestion.preparation import redact_document
from memctl.ingestion.readers.dates import date_in_file_name
from memctl.ingestion.readers.markdown import parse_front_matter
from memctl.ingestion.readers.outcome import ReadOutcome
from memctl.ingestion.readers.registry import read_document
from memctl.memory import Chunk, MemoryType
from memctl.migration.cleaning import Cleaned, clean_markdown
from memctl.migration.entry_note import read_entry_note
from memctl.migration.profile import adapt_profile
from memctl.migration.session_log import read_session_log
from memctl.migration.session_note import is_session_note, read_session_note
from memctl.migration.snapshot import keyed_memory, read_snapshot
from memctl.migration.source_file import Role
from memctl.migration.statement import PlannedMemory
from memctl.migration.tagged import is_tagged, read_tagged
from memctl.migration.transcript import Speaker, Transcript, Utterance

EARLIEST_DAY = date(2000, 1, 1)
LATEST_DAYS_AHEAD = 366
"""A date in a file's name outside of these bounds is no date of a note."""

STRAY_NUL_SHARE = 0.1
"""Up to this share of NUL bytes a text is damaged, not binary: they are left out."""

_NOTHING = "nothing in it is worth a memory"
_STANDING_WISH = re.compile(
    r"from now on|in future|in the future|henceforth|as of now|ab (?:sofort|jetzt)|von nun an"
    r"|künftig|désormais|à partir de maintenant|de ahora en adelante|a partir de ahora"
    r"|d'ora in poi|a partir de agora|de agora em diante|vanaf nu|od teraz|с этого момента|отныне"
    r"|впредь|从现在(?:起|开始)|以后|今后|今後|これから|앞으로|이제부터",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTask:
    """A file and what must be known to read it. ``today`` bounds what is taken for a date."""

    path: str
    real_path: str
    identity: Identity | None
    role: Role
    max_bytes: int
    today: date
    known_sources: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class ReadFile:
    """What one file gave. ``text`` is cleaned and without secrets, with the file's own lines.

    ``status`` is DONE, or names why there is no text.
    """

    path: str
    status: DocumentStatus
    reason: str | None = None
    content_hash: str = ""
    size_bytes: int = 0
    modified_at: datetime | None = None
    encoding: str | None = None
    day: date | None = None
    text: str = ""
    memories: list[PlannedMemory] = field(default_factory=list)
    redactions: tuple[str, ...] = ()
    rejected: Counter[str] = field(default_factory=Counter)
    transcript: Transcript | None = None


def read_source(task: ReadTask) -> ReadFile:
    """The memories of a text file."""
    found = Found(path=Path(task.real_path), identity=task.identity, max_bytes=task.max_bytes)
    content = read_found(found)
    if content.status is not DocumentStatus.PENDING:
        return ReadFile(path=task.path, status=content.status, reason=content.reason)
    outcome, warning = _decoded(task, content)
    result = ReadFile(
        path=task.path,
        status=outcome.status,
        reason=outcome.reason,
        content_hash=hashlib.sha256(content.data).hexdigest(),
        size_bytes=len(content.data),
        modified_at=content.modified_at,
        encoding=outcome.encoding,
    )
    if outcome.document is None:
        return result
    result.text = outcome.document.text
    if task.role is not Role.SESSION:
        # JSON is redacted message by message: a mark must not eat a quote or a bracket.
        document, result.redactions = redact_document(outcome.document)
        result.text = document.text
    result.day = _day_of_file(task, result.text)
    _read_text(result, task)
    result.reason = "; ".join(filter(None, [warning, *outcome.warnings, result.reason])) or None
    if not result.memories and result.reason is None:
        result.reason = _NOTHING
    return result


def _decoded(task: ReadTask, content: FileContent) -> tuple[ReadOutcome, str | None]:
    """The text, read as what the role says it is; stray NUL bytes are left out."""
    suffix = ".txt" if task.role is Role.SESSION else ".md"
    name = PurePath(PurePath(task.path).stem + suffix)
    outcome = read_document(name, content.data)
    nul_count = content.data.count(0)
    if outcome.document is None and 0 < nul_count <= len(content.data) * STRAY_NUL_SHARE:
        again = read_document(name, content.data.replace(b"\0", b""))
        if again.document is not None:
            return again, f"{nul_count} NUL bytes were left out"
    return outcome, None


def _day_of_file(task: ReadTask, text: str) -> date | None:
    """The day that front matter or name give; one that makes no sense is none."""
    named = date_in_file_name(PurePath(task.path).stem)
    entry = read_entry_note(text) if text.startswith(("---", "+++")) else None
    front = parse_front_matter(text).document_date if entry is not None else None
    for day in (front, named, entry.day if entry is not None else None):
        if day is not None and day >= EARLIEST_DAY:
            return day if (day - task.today).days <= LATEST_DAYS_AHEAD else None
    return None


def _exported_day(path: str) -> date | None:
    """The day in the name of a file that memctl wrote, which is believed: it may be long ago."""
    try:
        return date.fromisoformat(PurePath(path).stem)
    except ValueError:
        return None


def _read_text(result: ReadFile, task: ReadTask) -> None:
    if task.role is Role.SESSION:
        transcript, result.redactions = _redacted(read_session_log(result.text))
        _read_transcript(result, transcript)
    elif task.role is Role.SNAPSHOT:
        result.memories = [
            keyed_memory(
                entry.key, entry.content, first_line=entry.first_line, last_line=entry.last_line
            )
            for entry in read_snapshot(result.text)
        ]
    elif is_tagged(result.text):
        result.memories = list(read_tagged(result.text, result.day or _exported_day(task.path)))
    elif is_session_note(result.text):
        _read_transcript(result, read_session_note(result.text))
    else:
        _read_markdown(result, task)


def _read_markdown(result: ReadFile, task: ReadTask) -> None:
    entry = read_entry_note(result.text)
    cleaned = clean_markdown(result.text, task.known_sources)
    result.text = cleaned.text
    result.rejected.update(cleaned.dropped)
    candidates = _extract(result, cleaned.text, result.day)
    memories = [_noted(_planned(one), cleaned, result.day) for one in candidates]
    if entry.memory is not None:
        own = entry.memory
        memories.insert(0, replace(own, event_at=own.event_at or result.day))
    if task.role in (Role.USER, Role.IDENTITY, Role.PERSONA):
        memories = [adapt_profile(memory, task.role, result.text) for memory in memories]
    result.memories = memories


def _extract(
    result: ReadFile, text: str, anchor: date | None, text_format: TextFormat = TextFormat.MARKDOWN
) -> tuple[Candidate, ...]:
    document = DocumentText(
        text=text, text_format=text_format, path=result.path, document_date=anchor
    )
    whole = Chunk(
        id="",
        document_id="",
        position=0,
        content=text,
        content_hash="",
        first_line=1,
        last_line=text.count("\n") + 1,
    )
    found = RulesExtractor(timezone=None).begin(document).extract(whole)
    result.rejected.update(dict(found.rejected))
    return found.candidates


def _planned(candidate: Candidate) -> PlannedMemory:
    return PlannedMemory(
        content=candidate.content,
        memory_type=candidate.memory_type,
        importance=candidate.importance,
        event_at=candidate.event_at,
        first_line=candidate.first_line,
        last_line=candidate.last_line,
        tags=candidate.tags,
        subject=candidate.subject,
        key=candidate.key,
        reason=candidate.reason,
    )


def _noted(memory: PlannedMemory, cleaned: Cleaned, day: date | None) -> PlannedMemory:
    """With what comments say about its line; its day is its own, the comment's, or the file's."""
    note = cleaned.notes.get(memory.first_line or 0)
    importance = memory.importance
    if note is not None and note.importance is not None:
        importance = note.importance
    note_day = note.day if note is not None else None
    return replace(
        memory,
        importance=importance,
        event_at=note_day or memory.event_at or day,
        is_promoted=note is not None and note.is_promoted,
    )


def _read_transcript(result: ReadFile, transcript: Transcript) -> None:
    """What the user said is remembered; the text keeps both sides, at their lines."""
    result.transcript = transcript
    result.reason = transcript.problem
    result.rejected["machine chatter"] += transcript.dropped
    started = transcript.started_at
    for said in transcript.utterances:
        if said.speaker is not Speaker.USER:
            continue
        moment = said.said_at or started
        anchor = moment.date() if moment is not None else result.day
        result.memories += _said(result, said, anchor, transcript.session_id)
    result.day = result.day or (started.date() if started is not None else None)
    result.text = _both_sides(result.text.count("\n") + 1, transcript.utterances)


def _redacted(transcript: Transcript) -> tuple[Transcript, tuple[str, ...]]:
    kinds: list[str] = []
    for position, said in enumerate(transcript.utterances):
        redacted = redact(said.text)
        kinds += redacted.kinds
        transcript.utterances[position] = replace(said, text=redacted.text)
    return transcript, tuple(kinds)


def _said(
    result: ReadFile, said: Utterance, anchor: date | None, session_id: str | None
) -> Iterator[PlannedMemory]:
    on_one_line = said.first_line == said.last_line
    for candidate in _extract(result, said.text, anchor, TextFormat.MARKDOWN):
        first = said.first_line + (0 if on_one_line else (candidate.first_line or 1) - 1)
        last = said.first_line + (0 if on_one_line else (candidate.last_line or 1) - 1)
        memory = replace(_planned(candidate), first_line=first, last_line=last)
        wish = memory.memory_type is MemoryType.DECISION and _STANDING_WISH.search(memory.content)
        if wish:
            kind = MemoryType.PREFERENCE
            memory = replace(memory, memory_type=kind, importance=kind.default_importance)
        yield replace(memory, event_at=memory.event_at or anchor, session_id=session_id)


def _both_sides(line_count: int, utterances: Iterable[Utterance]) -> str:
    """A text of so many lines in which each message stands where the file has it."""
    lines = [""] * line_count
    for said in utterances:
        own = said.text.split("\n")
        if said.first_line == said.last_line:
            own = [" ".join(part.strip() for part in own if part.strip())]
        own[0] = f"{said.speaker.value}: {own[0]}"
        lines[said.first_line - 1 : said.first_line - 1 + len(own)] = own
    return "\n".join(lines[:line_count])


def extract_said(
    path: str, text: str, said_at: datetime | None
) -> tuple[list[PlannedMemory], tuple[str, ...]]:
    """What one message of the user states, and the kinds of secret that were in it."""
    redacted = redact(text)
    result = ReadFile(path=path, status=DocumentStatus.DONE)
    said = Utterance(
        speaker=Speaker.USER, text=redacted.text, first_line=1, last_line=1, said_at=said_at
    )
    anchor = None if said_at is None else said_at.date()
    found = [
        replace(one, first_line=None, last_line=None) for one in _said(result, said, anchor, None)
    ]
    return found, redacted.kinds


def clean_secrets(memory: PlannedMemory) -> tuple[PlannedMemory, tuple[str, ...]]:
    """A memory that no file's text was redacted for, without secrets, and their kinds."""
    redacted = redact(memory.content)
    return replace(memory, content=redacted.text), redacted.kinds
