"""HTML files: decoded by what they declare, converted in the worker, which bounds their time."""

from __future__ import annotations

from datetime import date
from pathlib import PurePath

from memctl.blocks.written_chat import Conversation, WrittenMessage, write_chat
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.file_lines import FileLine
from memctl.ingestion.readers.chat_page import is_chat_page
from memctl.ingestion.readers.dates import date_in_file_name
from memctl.ingestion.readers.message_times import moment_of
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
    if is_chat_page(decoded.text):
        chat = _chat_page(path, source, decoded.encoding, worker, timeout_seconds)
        if chat is not None:
            return finish(chat, decoded.warnings)
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


def _chat_page(
    path: PurePath, source: bytes, encoding: str, worker: ReadingWorker, timeout_seconds: float
) -> DocumentText | None:
    """The messages of a chat that a messenger has exported as a page; None where it is none."""
    answer = worker.ask("chat_page", source, {}, timeout_seconds=timeout_seconds)
    page = None if answer.failure is not None else answer.messages[0]
    if page is None or not page["messages"]:
        return None
    messages = [
        WrittenMessage(
            speaker=one["speaker"],
            text="\n".join(text for text, _ in one["lines"]),
            said_at=moment_of(one["time"]),
            file_lines=tuple(line for _, line in one["lines"]),
        )
        for one in page["messages"]
    ]
    written = write_chat([Conversation(page["title"] or None, messages)])
    return DocumentText(
        text=written.text,
        text_format=TextFormat.CHAT,
        file_lines=written.file_lines,
        path=str(path),
        title=page["title"] or None,
        encoding=encoding,
    )
