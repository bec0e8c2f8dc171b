"""Mails are read as what their senders say, not as the bytes that travel."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from email.message import EmailMessage
from pathlib import PurePath
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.file_lines import line_of
from memctl.ingestion.readers.mail import is_mbox
from memctl.ingestion.readers.outcome import ReadOutcome
from memctl.ingestion.readers.registry import read_document
from memctl.ingestion.readers.worker import ReadingWorker, shared_worker


@pytest.fixture(scope="module")
def worker() -> Iterator[ReadingWorker]:
    worker = ReadingWorker()
    yield worker
    worker.stop()


def mail(subject: str = "The lathe") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Mara Löw <mara@example.org>"
    message["Date"] = "Sat, 14 Mar 2026 10:00:00 +0100"
    message["Subject"] = subject
    return message


def read(data: bytes, worker: ReadingWorker, name: str = "note.eml") -> ReadOutcome:
    return read_document(PurePath("/notes") / name, data, worker=worker)


def document_of(outcome: ReadOutcome) -> DocumentText:
    assert outcome.document is not None
    return outcome.document


def test_a_mail_is_what_its_sender_says(worker: ReadingWorker) -> None:
    """Subject, sender, day and decoded text are read, the headers of its transport are not."""
    message = mail()
    message.set_content("The läthe is in Brim.\nBo owns it.\n", cte="quoted-printable")
    document = document_of(read(message.as_bytes(), worker))
    assert document.text_format is TextFormat.CHAT
    assert (document.title, document.document_date) == ("The lathe", date(2026, 3, 14))
    assert document.text.split("\n") == [
        *("[2026-03-14] Mara Löw: The lathe", "", "  The läthe is in Brim.", "  Bo owns it."),
    ]


def test_the_text_of_a_mail_is_cited_on_its_line(worker: ReadingWorker) -> None:
    """Subject and text have the lines of the file, also where its own lines are broken."""
    said = f"The läthe is in {'very ' * 30}Brim.\nBo owns it.\n"
    for content, subtype in (
        (said, "plain"),
        (f"<p>{said.replace(chr(10), chr(10) + '<p>')}", "html"),
    ):
        message = mail()
        message.set_content(content, subtype=subtype, cte="quoted-printable")
        message.add_attachment("no", filename="a.txt")
        data = message.as_bytes()
        document = document_of(read(data, worker))
        lines = data.split(b"\n")
        for start, sign in (("The lathe", b"Subject"), ("The läthe", b"The l="), ("Bo", b"Bo")):
            number = line_of(document.file_lines, document.text.rindex(start))
            assert sign in lines[number - 1]


def test_html_is_read_where_there_is_no_text_and_attachments_are_named(
    worker: ReadingWorker,
) -> None:
    """A mail of HTML alone says what its page shows, and the remark names what was not read."""
    message = mail()
    message.set_content("<p>The size is 5*4*3 cm.</p>", subtype="html")
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="plan.pdf")
    outcome = read(message.as_bytes(), worker)
    assert document_of(outcome).text.endswith("The size is 5*4*3 cm.")
    assert outcome.warnings == ("1 attachment was not read: plan.pdf",)


def test_all_mails_of_an_mbox_are_read(worker: ReadingWorker) -> None:
    """Each is a message of its own day and sender."""
    parts = []
    for subject in ("One", "Two"):
        message = mail(subject)
        message.set_content(f"Text {subject}.\n\nFrom here on it is quiet.\n")
        body = message.as_bytes().replace(b"\nFrom here", b"\n>From here")
        parts.append(b"From mara@example.org Sat Mar 14 10:00:00 2026\n" + body + b"\n")
    text = document_of(read(b"".join(parts), worker, "box.mbox")).text
    assert [line for line in text.split("\n") if line] == [
        *("[2026-03-14] Mara Löw: One", "  Text One.", "  From here on it is quiet."),
        *("[2026-03-14] Mara Löw: Two", "  Text Two.", "  From here on it is quiet."),
    ]


def test_what_is_no_mail_stays_text(worker: ReadingWorker) -> None:
    """A file that only has the name of a mail is read as the text that it is."""
    document = document_of(read(b"Bo prefers green tea.\n", worker))
    assert document.text_format is TextFormat.PLAIN
    assert document.text == "Bo prefers green tea.\n"


@pytest.mark.parametrize("named", ["", "Content-Type: text/plain; charset=utf-8\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_mail_with_another_encoding_than_it_names_is_read(
    worker: ReadingWorker, named: str, encoding: str
) -> None:
    """Also one that names none, as many programs write them: no letter is lost."""
    head = "From: mara@example.org\nDate: Sat, 14 Mar 2026 10:00:00 +0000\n"
    data = f"{head}{named}\nIch bin nach Lübeck gezogen, für länger.\n".encode(encoding)
    assert "nach Lübeck gezogen, für länger." in document_of(read(data, worker)).text


def test_a_mail_may_say_nothing(worker: ReadingWorker) -> None:
    """Without subject and text, and with parts that are missing or attachments only, it is a mail
    of its sender all the same, in a file of its own and among others."""
    head = b"From: mara@example.org\nDate: Sat, 14 Mar 2026 10:00:00 +0000\n"
    attached = EmailMessage()
    attached.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="plan.pdf")
    bodies = (
        b"\n",
        b"Content-Type: multipart/mixed; boundary=x\n",
        b"Content-Type: multipart/mixed; boundary=x\n\n--x--\n",
        attached.as_bytes(),
    )
    for body in bodies:
        document = document_of(read(head + body, worker))
        assert document.text.rstrip() == "[2026-03-14] mara@example.org:"
    box = b"".join(b"From a Sat Mar 14 10:00:00 2026\n" + head + body + b"\n" for body in bodies)
    assert document_of(read(box, worker, "box.mbox")).text.count("mara@example.org") == len(bodies)


HEADERS = st.sampled_from(
    [
        *(b"From: a@b.example\n", b"From: \n", b"Subject: =?x?q?=80?=\n", b"Date: 99 Foo\n", b"\n"),
        *(b"Content-Type: multipart/mixed; boundary=x\n", b"--x\n", b"--x--\n", b"From a 2026\n"),
        *(b"Content-Type: text/plain; charset=no\n", b"Content-Transfer-Encoding: base64\n"),
    ]
)


@given(st.lists(HEADERS | st.binary(max_size=8), max_size=14), st.sampled_from(["a.eml", "a.mbox"]))
def test_any_bytes_give_an_outcome(parts: list[bytes], name: str) -> None:
    """Damaged headers and parts raise nothing."""
    read(b"".join(parts), shared_worker(), name)


BOX = (
    "From petra@x.example Thu Jan 15 09:41:00 2026\n"
    "From: Petra Hansen <petra@x.example>\nSubject: Appointment\n"
    "Date: Thu, 15 Jan 2026 09:41:00 +0100\n\nThe outlet costs 140 euros.\n"
    "{blank}From - Fri Jan 16 09:41:00 2026\n"
    "From: Anna <anna@x.example>\nSubject: Holidays\n"
    "Date: Fri, 16 Jan 2026 09:41:00 +0100\n\nWe decided to go to Gotland.\n>From there, home.\n"
)


@pytest.mark.parametrize("blank", ["", "\n"])
@pytest.mark.parametrize("name", ["mbox", "Inbox", "Archive.2026", "mails.txt", "box.mbox"])
def test_a_folder_of_mails_is_told_by_how_it_begins(
    name: str, blank: str, worker: ReadingWorker
) -> None:
    """Whatever it is called, each mail is said by its sender, and no line between two mails is
    part of one, also where no blank line is above it."""
    document = document_of(read(BOX.format(blank=blank).encode(), worker, name))
    assert document.text_format is TextFormat.CHAT
    assert [line for line in document.text.split("\n") if line] == [
        *("[2026-01-15] Petra Hansen: Appointment", "  The outlet costs 140 euros."),
        *("[2026-01-16] Anna: Holidays", "  We decided to go to Gotland.", "  From there, home."),
    ]


def test_a_damaged_mail_among_others_is_kept_for_search(worker: ReadingWorker) -> None:
    """The others are read as mails all the same, and the receipt says it."""
    damaged = "From x Sat Jan 17 09:41:00 2026\nX-Note: no sender\n\nThe lathe is in Brim.\n"
    outcome = read((BOX.format(blank="\n") + "\n" + damaged).encode(), worker, "mbox")
    assert outcome.warnings == ("1 mail is damaged and kept only for search",)
    assert "system: X-Note: no sender\n\n  The lathe is in Brim." in document_of(outcome).text
    assert "] Petra Hansen: Appointment" in document_of(outcome).text


def test_a_note_that_begins_like_a_mail_is_a_note(worker: ReadingWorker) -> None:
    document = document_of(read(b"From Kiel, 2026\nNote: the lathe is in Brim.\n", worker, "n.txt"))
    assert document.text_format is TextFormat.PLAIN


@pytest.mark.parametrize("line", [b"From " + b"2" * 400_000, b"From " + b"2026 " * 100_000])
def test_a_line_of_any_length_is_soon_known_to_part_no_mails(line: bytes) -> None:
    """The time for it grows with its length alone."""
    started = perf_counter()
    assert not is_mbox(line)
    assert perf_counter() - started < 5
