"""Mail as messages of a chat: the mail of an .eml file, and all mails of an mbox.

Each mail is what its sender says on the day of its date: the subject, and below it the text, or
what a reader of its HTML sees. Attachments are named, and not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.policy import default as modern_policy
from pathlib import PurePath

from memctl.blocks.written_chat import Conversation, WrittenMessage, text_lines, write_chat
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.file_lines import FileLine, line_of
from memctl.ingestion.readers.outcome import ReadOutcome, finish
from memctl.ingestion.readers.text import DecodedText, decode_text
from memctl.ingestion.readers.worker import ReadingWorker
from memctl.plural import plural

MOST_NAMED_ATTACHMENTS = 5

DAMAGED = "system"
"""In whose name a damaged mail stands."""

_LINE_END = re.compile("\r\n?")
_MBOX_START = re.compile(
    rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]{0,300}?\d{4}[^\r\n]{0,100}\r?\n"
    rb"|(?<=\n)From [^\s]{1,300} {1,4}[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}"
    rb"[^\r\n]{0,30}\d{4}[^\r\n]{0,30}\r?\n(?=[!-9;-~]{1,80}:)"
)
"""Between two mails; where no blank line is above it, all of it must be as programs write it."""

_HEADER = re.compile(rb"[!-9;-~]{1,80}:")
_MBOX_ESCAPE = re.compile(rb"^>(>*From )", re.MULTILINE)
_SUBJECT = re.compile(rb"^subject:", re.IGNORECASE | re.MULTILINE)
_FAULTS = (ValueError, LookupError, AttributeError, TypeError, RecursionError)
"""What the standard library raises on headers and parts that are damaged."""


@dataclass(frozen=True, slots=True)
class _Mail:
    """What is read of a mail; ``text`` has the subject above it."""

    sender: str
    day: date | None
    subject: str
    text: str
    lines: tuple[int, ...]
    """The lines (from 1) of the mail on which those of the text stand."""
    attachments: tuple[str, ...]
    has_lost_text: bool


def is_mbox(data: bytes) -> bool:
    """Whether a file begins as a folder of mails does, whatever it is called."""
    start = _MBOX_START.match(data)
    return start is not None and _HEADER.match(data, start.end()) is not None


def read_mail(
    path: PurePath, data: bytes, *, worker: ReadingWorker, timeout_seconds: float
) -> ReadOutcome | None:
    """The mails of a file; None where it holds none. One of several that is damaged is written down
    as it is."""
    mails: list[_Mail] = []
    messages: list[WrittenMessage] = []
    for first_line, source in _sources(data):
        try:
            mail = _read(source, worker, timeout_seconds)
        except _FAULTS:
            mail = None
        if mail is not None:
            mails.append(mail)
        messages.append(_raw(source, first_line) if mail is None else _message(mail, first_line))
    if not mails:
        return None
    written = write_chat([Conversation(None, messages)])
    document = DocumentText(
        text=written.text,
        text_format=TextFormat.CHAT,
        path=str(path),
        title=mails[0].subject if len(messages) == 1 else None,
        document_date=mails[0].day,
        file_lines=written.file_lines,
        remarks=tuple(_remarks(mails, len(messages) - len(mails))),
    )
    return finish(document, document.remarks)


def _sources(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The bytes of each mail, and the line (from 1) on which it begins."""
    starts = list(_MBOX_START.finditer(data))
    if not starts:
        yield 1, data
        return
    ends = [match.start() for match in starts[1:]] + [len(data)]
    line = 1
    position = 0
    for match, end in zip(starts, ends, strict=True):
        line += data.count(b"\n", position, match.end())
        position = match.end()
        yield line, _MBOX_ESCAPE.sub(rb"\1", data[position:end])


def _read(source: bytes, worker: ReadingWorker, timeout_seconds: float) -> _Mail | None:
    message = message_from_bytes(source, EmailMessage, policy=modern_policy)
    if "from" not in message or not ("date" in message or "subject" in message):
        return None
    addresses = message["from"].addresses
    if not addresses:
        return None
    moment = message["date"].datetime if "date" in message else None
    subject = " ".join(str(message.get("subject", "")).split())
    body = _body(message, source, worker, timeout_seconds)
    found = _SUBJECT.search(source)
    subject_line = 1 if found is None else source.count(b"\n", 0, found.start()) + 1
    above = [(subject, subject_line), ("", subject_line)] if subject else []
    lines = [*above, *(body or ())] or [("", 1)]
    names = (part.get_filename() for part in message.iter_attachments())
    return _Mail(
        sender=addresses[0].display_name or addresses[0].addr_spec,
        day=None if moment is None else moment.date(),
        subject=subject,
        text="\n".join(text for text, _ in lines),
        lines=tuple(line for _, line in lines),
        attachments=tuple(name or "one without a name" for name in names),
        has_lost_text=body is None,
    )


def _body(
    message: EmailMessage, source: bytes, worker: ReadingWorker, timeout_seconds: float
) -> list[tuple[str, int]] | None:
    """The lines of a mail's text, each with its line (from 1) in the mail, none where it has no
    text; None where its HTML could not be read."""
    part = message.get_body(("plain", "html"))
    if part is None:
        return []
    text = _LINE_END.sub("\n", _content(part))
    numbers = _line_numbers(part, source, text)
    if part.get_content_subtype() != "html":
        return list(zip(text_lines(text), numbers, strict=True))
    page = worker.ask("html", text.encode("utf-8", "replace"), {}, timeout_seconds=timeout_seconds)
    if page.failure is not None:
        return None
    shown, file_lines = page.messages[0]["text"], page.messages[0]["file_lines"]
    starts = [FileLine(start, numbers[line - 1]) for start, line in file_lines]
    position, lines = 0, []
    for line in text_lines(shown.rstrip()) if starts else ():
        lines.append((line, line_of(starts, position)))
        position += len(line) + 1
    return lines


def _content(part: MIMEPart) -> str:
    """The text of a part. Where bytes do not fit the encoding that it names, or that mails have
    which name none, theirs is found as that of any file."""
    text: str = part.get_content()
    if "\ufffd" in text:
        data = part.get_payload(decode=True)
        decoded = decode_text(data) if isinstance(data, bytes) else None
        if isinstance(decoded, DecodedText):
            return decoded.text
    return text


def _line_numbers(part: MIMEPart, source: bytes, text: str) -> list[int]:
    """The line of the mail for each line of the text that a part of it holds."""
    payload = part.get_payload()
    raw = payload.encode("utf-8", "surrogateescape") if isinstance(payload, str) else b""
    first_line = source.count(b"\n", 0, max(source.find(raw), 0)) + 1
    encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
    count = len(text_lines(text))
    if encoding == "base64":
        return [first_line] * count
    numbers: list[int] = []
    is_continued = False
    for number, line in enumerate(raw.split(b"\n"), start=first_line):
        if not is_continued:
            numbers.append(number)
        is_continued = encoding == "quoted-printable" and line.rstrip().endswith(b"=")
    last = numbers[-1] if numbers else first_line
    return [*numbers[:count], *[last] * (count - len(numbers))]


def _message(mail: _Mail, first_line: int) -> WrittenMessage:
    """The mail with its lines in a file in which it begins on ``first_line``."""
    return WrittenMessage(
        speaker=mail.sender,
        text=mail.text,
        said_at=mail.day,
        file_lines=tuple(first_line + line - 1 for line in mail.lines),
    )


def _raw(source: bytes, first_line: int) -> WrittenMessage:
    """A damaged mail as nobody's message, so that it can be found all the same."""
    lines = text_lines(source.decode("utf-8", "replace"))
    numbers = range(first_line, first_line + len(lines))
    return WrittenMessage(speaker=DAMAGED, text="\n".join(lines), file_lines=tuple(numbers))


def _remarks(mails: list[_Mail], damaged: int) -> Iterator[str]:
    names = [name for mail in mails for name in mail.attachments]
    if names:
        named = ", ".join(names[:MOST_NAMED_ATTACHMENTS])
        more = ", ..." if len(names) > MOST_NAMED_ATTACHMENTS else ""
        count = plural(len(names), "attachment was", "attachments were")
        yield f"{count} not read: {named}{more}"
    if damaged:
        yield f"{plural(damaged, 'mail is', 'mails are')} damaged and kept only for search"
    lost = sum(mail.has_lost_text for mail in mails)
    if lost:
        yield f"the HTML of {plural(lost, 'mail', 'mails')} could not be read"
