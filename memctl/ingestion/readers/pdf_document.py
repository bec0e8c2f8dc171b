"""From the pages of a PDF to one text: words and sentences joined where lines and pages cut them.

The text's lines keep their order, and ``page_first_lines`` says on which page each of them stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from memctl.document import DocumentStatus
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.ingestion.readers.dates import date_in_file_name
from memctl.ingestion.readers.outcome import ReadOutcome, finish, refuse
from memctl.ingestion.readers.pdf_hyphens import join_hyphens
from memctl.ingestion.readers.pdf_lines import is_garbage, page_lines, runs_on, without_lost_lines
from memctl.ingestion.readers.pdf_pictures import without_stamps
from memctl.ingestion.readers.pdf_running import drop_running_lines
from memctl.ingestion.readers.worker import Answer, ReadingWorker
from memctl.pipe_messages import Message

GARBAGE_DOCUMENT_SHARE = 0.8
"""From this share of its pages on whose text layer is garbage, that of the others is none either:
the fonts are the same."""

_LEFT_OUT = "pages before it took too long"
_FILE_TITLE = re.compile(
    r"^Microsoft \w+ - |\.(?:docx?|odt|tex|dvi|indd|pptx?|pdf)$", re.IGNORECASE
)


@dataclass(slots=True)
class _Pages:
    """Pages by what became of them; numbers count from 1."""

    lines: list[list[str]] = field(default_factory=list)
    blank: list[int] = field(default_factory=list)
    garbage: list[int] = field(default_factory=list)
    partly_lost: list[int] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    failure: str = ""


def read_pdf(
    path: PurePath,
    data: bytes,
    *,
    worker: ReadingWorker,
    password: str | None,
    timeout_seconds: float,
) -> ReadOutcome:
    """DONE with all pages that can be read, or the status that says why there is no text."""
    options: Message = {"password": password}
    answer = worker.ask("pdf", data, options, timeout_seconds=timeout_seconds)
    if not answer.messages:
        return refuse(answer.status, answer.failure or "it is no PDF")
    facts = answer.messages[0]
    if facts["kind"] == "refused":
        return refuse(DocumentStatus(facts["status"]), facts["reason"])
    pages = _sort_pages(answer, facts["pages"])
    text, first_lines = _join_pages(join_hyphens(pages.lines))
    without_text = tuple(sorted([*pages.blank, *pages.garbage, *pages.failed]))
    if not text.strip():
        return _without_text(pages, facts, without_text)
    title = facts["title"]
    document = DocumentText(
        text=text,
        text_format=TextFormat.PLAIN,
        path=str(path),
        title=title if title and not _FILE_TITLE.search(title) else None,
        document_date=date_in_file_name(path.stem),
        page_first_lines=first_lines,
        pages_without_text=without_text,
    )
    return finish(document, tuple(_warnings(pages, facts)))


def _sort_pages(answer: Answer, page_count: int) -> _Pages:
    pages = _Pages()
    raw: list[Message] = list(answer.messages[1:])
    missing: Message = {"text": "", "values": [], "error": answer.failure or _LEFT_OUT}
    raw += [{"number": number, **missing} for number in range(len(raw) + 1, page_count + 1)]
    texts: list[list[str]] = []
    raw = [_readable(page) for page in raw]
    garbage_numbers = _garbage_pages(raw)
    for page in raw:
        garbage = page["number"] in garbage_numbers
        if garbage and not page["values"]:
            pages.garbage.append(page["number"])
        elif page["has_lost_lines"]:
            pages.partly_lost.append(page["number"])
        if page.get("error"):
            pages.failed.append(page["number"])
            pages.failure = pages.failure or page["error"]
        texts.append([] if garbage else page_lines(page["text"]))
    pictures = [page.get("is_picture", False) for page in raw]
    pages.lines = without_stamps(drop_running_lines(texts), pictures)
    for page, lines in zip(raw, pages.lines, strict=True):
        _add_values(lines, page["values"])
    marked = {*pages.garbage, *pages.failed}
    pages.blank = [
        number
        for number, lines in enumerate(pages.lines, start=1)
        if number not in marked and not any(line.strip() for line in lines)
    ]
    return pages


def _readable(page: Message) -> Message:
    """The page without lines of unknown glyphs; ``has_lost_lines`` says whether it had some."""
    text, has_lost_lines = without_lost_lines(page["text"])
    return {**page, "text": text, "has_lost_lines": has_lost_lines}


def _garbage_pages(raw: Sequence[Message]) -> set[int]:
    """The numbers of the pages whose text layer says nothing."""
    lost = {page["number"] for page in raw if page["has_lost_lines"] and not page["text"].strip()}
    written = {page["number"] for page in raw if page["text"].strip()}
    garbage = {page["number"] for page in raw if is_garbage(page["text"])}
    guessed = written if len(garbage) >= GARBAGE_DOCUMENT_SHARE * len(written) else garbage
    return lost | guessed


def _add_values(lines: list[str], values: Iterable[Sequence[str]]) -> None:
    """Puts each form value behind its label, or at the end of the page with it."""
    for name, value in values:
        label = name.strip()
        text = value.replace("\n", " ")
        if text.casefold() == label.casefold():
            text = "yes"
        pair = f"{label} {text}" if label.endswith((":", "：", "?")) else f"{label}: {text}"
        places = [place for place, line in enumerate(lines) if label and line.strip() == label]
        if places:
            lines[places[0]] = pair
        else:
            lines.append(pair if label else text)


def _join_pages(pages: Sequence[Sequence[str]]) -> tuple[str, tuple[int, ...]]:
    """The text, and the line (from 1) on which each page begins.

    A blank line parts pages, but for a sentence that runs on.
    """
    lines: list[str] = []
    first_lines: list[int] = []
    for page in pages:
        if lines and page and not runs_on(lines[-1], page[0]):
            lines.append("")
        first_lines.append(len(lines) + 1)
        lines.extend(page)
    return "\n".join([*lines, ""]) if lines else "", tuple(first_lines)


def _without_text(pages: _Pages, facts: Message, without_text: tuple[int, ...]) -> ReadOutcome:
    if pages.failed and facts["is_cut_off"]:
        status, reason = DocumentStatus.UNREADABLE, "the end of the file is missing, with its text"
    elif pages.failed:
        status, reason = DocumentStatus.UNREADABLE, pages.failure
    elif pages.garbage:
        status = DocumentStatus.NO_TEXT
        reason = "its fonts give glyph numbers instead of letters; run text recognition (OCR) first"
    elif not facts["pages"]:
        status, reason = DocumentStatus.UNREADABLE, "it has no pages"
    elif facts["is_cut_off"] or facts["is_relisted"]:
        status = DocumentStatus.UNREADABLE
        reason = "it is damaged, and what is left of its pages holds no text"
    else:
        status = DocumentStatus.NO_TEXT
        reason = "its pages hold no text; if they are scans, run text recognition (OCR) first"
    return ReadOutcome(
        status=status, reason=reason, page_count=facts["pages"], pages_without_text=without_text
    )


def _warnings(pages: _Pages, facts: Message) -> Iterable[str]:
    if pages.failed:
        yield f"{_numbered(pages.failed)} could not be read: {pages.failure}"
    if pages.garbage:
        yield f"{_numbered(pages.garbage)}: glyph numbers instead of letters"
    if pages.partly_lost:
        yield f"{_numbered(pages.partly_lost)}: glyph numbers instead of letters in some lines"
    if pages.blank:
        yield f"{_numbered(pages.blank)}: no text"
    if facts["is_cut_off"]:
        found = _numbered(range(1, facts["pages"] + 1))
        yield f"the end of the file is missing, and pages with it perhaps; it has {found} still"
    elif facts["is_relisted"]:
        yield "the list of its pages is damaged: they were found one by one"
    if facts["attachments"]:
        yield f"attached files are not read: {', '.join(facts['attachments'])}"


def _numbered(numbers: Sequence[int]) -> str:
    """As ``page 2`` or ``pages 2, 4-7``."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    listed = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)
    return f"{'page' if len(numbers) == 1 else 'pages'} {listed}"
