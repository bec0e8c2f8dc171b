"""HTML files: decoded by what they declare, converted in the worker, which bounds their time."""

from __future__ import annotations

from datetime import date
from pathlib import PurePath

from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.file_lines import FileLine
from memctl.ingestion.readers.dates import date_in_file_name
from memctl.ingestion.readers.outcome import ReadOutcome, finish, refuse
from memctl.ingestion.readers.text import decode_text
from memctl.ingestion.readers.worker import ReadingWorker


def read_html(
    path: PurePath, data: bytes, *, worker: ReadingWorker, timeout_seconds: float
) -> ReadOutcome:
    """The visible text as Markdown, with the title and date that the page gives itself."""
    decoded = decode_text(data)
    if isinstance(decoded, ReadOutcome):
        return decoded
    source = decoded.text.encode("utf-8", "replace")
    answer = worker.ask("html", source, {}, timeout_seconds=timeout_seconds)
    if answer.failure is not None:
        return refuse(answer.status, answer.failure)
    page = answer.messages[0]
    written = date.fromisoformat(page["date"]) if page["date"] else None
    document = DocumentText(
        text=page["text"],
        text_format=TextFormat.MARKDOWN,
        literal_places=tuple(page["literal_places"]),
        file_lines=tuple(FileLine(*pair) for pair in page["file_lines"]),
        path=str(path),
        title=page["title"],
        document_date=written or date_in_file_name(path.stem),
        encoding=decoded.encoding,
    )
    return finish(document, decoded.warnings)
