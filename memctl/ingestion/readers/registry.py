"""Which reader takes a file: by what its first bytes give away, then by the name's suffix.

Whatever the bytes are, the answer is an outcome; no reader raises anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath

from memctl.document import DocumentStatus
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.ingestion.readers.calendar_file import read_calendar, read_contacts
from memctl.ingestion.readers.dates import date_in_file_name
from memctl.ingestion.readers.html import read_html
from memctl.ingestion.readers.mail import is_mbox, read_mail
from memctl.ingestion.readers.markdown import is_written_as_markdown, read_markdown
from memctl.ingestion.readers.notebook import read_notebook
from memctl.ingestion.readers.org import read_org
from memctl.ingestion.readers.outcome import ReadOutcome, finish, refuse
from memctl.ingestion.readers.pdf_document import read_pdf
from memctl.ingestion.readers.signatures import PDF_HEADER, looks_like_pdf
from memctl.ingestion.readers.structured import (
    read_json,
    read_json_lines,
    read_rst,
    read_xml,
    read_yaml,
)
from memctl.ingestion.readers.table import read_table
from memctl.ingestion.readers.text import DecodedText, decode_text
from memctl.ingestion.readers.worker import ReadingWorker, shared_worker

DEFAULT_TIMEOUT_SECONDS = 60.0
"""Longest silence of the reader of a PDF or HTML file, which speaks page by page."""

TextReader = Callable[[PurePath, str, str], DocumentText]
"""Takes the path, the decoded text and the name of its encoding."""

_NO_TEXT_CHARACTERS = re.compile("[\0\ud800-\udfff\ufdd0-\ufdef]")
_PDF_SUFFIX = ".pdf"
_MAIL_SUFFIXES = frozenset({".eml", ".mbox"})
_HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})


def read_plain(path: PurePath, text: str, encoding: str) -> DocumentText:
    """The text as it is: notes, logs, configuration, and whatever else is text."""
    day = date_in_file_name(path.stem)
    return DocumentText(
        text=text,
        text_format=TextFormat.PLAIN,
        path=str(path),
        document_date=day,
        named_day=day,
        encoding=encoding,
    )


def read_text(path: PurePath, text: str, encoding: str) -> DocumentText:
    """Markdown where it is written like that, plain text otherwise."""
    reader = read_markdown if is_written_as_markdown(text) else read_plain
    return reader(path, text, encoding)


_TEXT_READERS: dict[str, TextReader] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mdx", ".rmd", ".qmd"), read_markdown),
    **dict.fromkeys((".csv", ".tsv", ".tab"), read_table),
    **dict.fromkeys((".json", ".geojson", ".webmanifest"), read_json),
    **dict.fromkeys((".ics", ".ical", ".ifb"), read_calendar),
    **dict.fromkeys((".vcf", ".vcard"), read_contacts),
    **dict.fromkeys((".jsonl", ".ndjson"), read_json_lines),
    **dict.fromkeys((".yaml", ".yml"), read_yaml),
    **dict.fromkeys((".xml", ".rss", ".atom", ".opml"), read_xml),
    ".ipynb": read_notebook,
    **dict.fromkeys((".txt", ".text"), read_text),
    ".org": read_org,
    **dict.fromkeys((".rst", ".rest"), read_rst),
}

SUFFIXES = frozenset({_PDF_SUFFIX, *_MAIL_SUFFIXES, *_HTML_SUFFIXES, *_TEXT_READERS})
"""Ends of names, in small letters, of files that are not read as plain text."""


_MARKED_SUFFIXES = frozenset(_TEXT_READERS) - {".txt", ".text"}
"""Whose files are in a form of their own, and no folders of mails whatever they begin with."""


def read_document(
    path: PurePath,
    data: bytes,
    *,
    password: str | None = None,
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
    worker: ReadingWorker | None = None,
) -> ReadOutcome:
    """The text of a file, or a named status.

    ``path`` gives format and date by its name; nothing is read from it. ``password`` opens an
    encrypted PDF. ``worker`` is the process that reads PDF and HTML; by default that of this
    process.
    """
    if not data:
        return refuse(DocumentStatus.EMPTY, "it has no bytes")
    suffix = path.suffix.casefold()
    reading = worker or shared_worker()
    if data.startswith(PDF_HEADER) or (suffix == _PDF_SUFFIX and looks_like_pdf(data)):
        outcome = read_pdf(
            path, data, worker=reading, password=password, timeout_seconds=timeout_seconds
        )
    elif suffix == _PDF_SUFFIX:
        return refuse(DocumentStatus.UNREADABLE, "it is no PDF: the PDF header is missing")
    elif suffix in _HTML_SUFFIXES:
        outcome = read_html(path, data, worker=reading, timeout_seconds=timeout_seconds)
    else:
        mail = None
        if suffix in _MAIL_SUFFIXES or (suffix not in _MARKED_SUFFIXES and is_mbox(data)):
            mail = read_mail(path, data, worker=reading, timeout_seconds=timeout_seconds)
        outcome = mail or _read_text(path, data, _TEXT_READERS.get(suffix, read_plain))
    return _without_stray_characters(outcome)


def _read_text(path: PurePath, data: bytes, reader: TextReader) -> ReadOutcome:
    decoded = decode_text(data)
    if isinstance(decoded, ReadOutcome):
        return decoded
    if not decoded.text.strip():
        return replace(_BLANK, encoding=decoded.encoding)
    document = _read_structure(path, decoded, reader)
    return finish(document, (*decoded.warnings, *document.remarks))


def _read_structure(path: PurePath, decoded: DecodedText, reader: TextReader) -> DocumentText:
    """By the reader of the file's kind. A fault of that one is no reason to lose a text, nor the
    files behind it: the text is then taken as it is, and that is remarked on."""
    try:
        return reader(path, decoded.text, decoded.encoding)
    except Exception as error:  # noqa: BLE001 - a reader's fault is that of one file
        remark = (
            f"it was read as plain text: its structure is not understood ({type(error).__name__})"
        )
        return replace(read_plain(path, decoded.text, decoded.encoding), remarks=(remark,))


_BLANK = refuse(DocumentStatus.EMPTY, "it holds nothing but blanks")


def _without_stray_characters(outcome: ReadOutcome) -> ReadOutcome:
    """NUL and lone surrogates, which escapes in a file can make, stand in no document's text, nor
    do the noncharacters that stand in for literal ones while Markdown is parsed."""
    document = outcome.document
    if document is None or _NO_TEXT_CHARACTERS.search(document.text) is None:
        return outcome
    text = _NO_TEXT_CHARACTERS.sub("\ufffd", document.text)
    return replace(outcome, document=replace(document, text=text))
