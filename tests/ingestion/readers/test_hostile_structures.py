"""Odd and hostile structures never end a run, lose a text, or take long."""

from __future__ import annotations

import time
from pathlib import PurePath

import pytest

from memctl.ingestion.readers import registry
from memctl.ingestion.readers.registry import read_document

ODD = {
    "year-one.ics": "BEGIN:VEVENT\nSUMMARY:Zebra\nDTSTART;VALUE=DATE:20250101\n"
    "DTEND;VALUE=DATE:00010101\nEND:VEVENT\n",
    "subtype.json": '[{"ts":"1700000000.000100","text":"Zebra","subtype":[]}]',
    "type.json": '{"messages":[{"type":["x"],"date":"2026-01-01","text":"Zebra"}]}',
    "kind.json": '{"guild":{},"channel":{},"messages":[{"type":{},"content":"Zebra",'
    '"timestamp":"2026-01-01T00:00:00Z","author":{"name":"Bo"}}]}',
    "undefined.vcf": "BEGIN:VCARD\nFN:Zebra\n"
    "NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=undefined:x\nEND:VCARD\n",
    "idna.vcf": "BEGIN:VCARD\nFN:Zebra\nNOTE;CHARSET=idna;QUOTED-PRINTABLE:x\nEND:VCARD\n",
    "nested.eml": "From: a@b.c\n" + "Content-Type: message/rfc822\n\n" * 4_000 + "\nZebra",
    "brackets.eml": "From: " + "(" * 125_000 + "\nSubject: x\n\nZebra",
}


@pytest.mark.parametrize("name", ODD)
def test_no_field_of_a_wrong_kind_loses_the_text(name: str) -> None:
    outcome = read_document(PurePath("/notes") / name, ODD[name].encode())
    assert outcome.document is not None
    assert "Zebra" in outcome.document.text


def test_a_fault_of_a_reader_is_that_of_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it raises: the text is taken as it is, and the receipt says so."""

    def read(path: PurePath, text: str, encoding: str) -> None:
        raise ArithmeticError

    monkeypatch.setitem(registry._TEXT_READERS, ".yaml", read)
    outcome = read_document(PurePath("/notes/a.yaml"), b"zebra: 1\n")
    assert outcome.document is not None
    assert outcome.document.text == "zebra: 1\n"
    [remark] = outcome.document.remarks
    assert "read as plain text" in remark
    assert "ArithmeticError" in remark


def test_a_value_that_looks_like_a_group_stays_whole() -> None:
    """What stands before a point is the group of a line only where the line begins."""
    text = (
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Talk\nDTSTART:20260105T100000\n"
        "LOCATION:https://quagga.com:8080/x\nDESCRIPTION:Dr.Smith: why\nEND:VEVENT\n"
        "END:VCALENDAR\n"
    )
    outcome = read_document(PurePath("/notes/a.ics"), text.encode())
    assert outcome.document is not None
    assert "https://quagga.com:8080/x" in outcome.document.text
    assert "Dr.Smith: why" in outcome.document.text


def _events(count: int) -> str:
    event = "BEGIN:VEVENT\nSUMMARY:Talk\nDTSTART:20260105T100000\n" + "\n" * 20 + "END:VEVENT\n"
    return f"BEGIN:VCALENDAR\n{event * count}END:VCALENDAR\n"


LONG = {
    "photo.vcf": lambda n: f"BEGIN:VCARD\nFN:Bo\nPHOTO:{'A' * n}\nEND:VCARD\n",
    "summary.ics": lambda n: f"BEGIN:VEVENT\nSUMMARY:{'x' * n}\nEND:VEVENT\n",
    "folded.vcf": lambda n: (
        "BEGIN:VCARD\nFN:Bo\nPHOTO:" + "A" * 75 + ("\n " + "A" * 74) * (n // 75) + "\nEND:VCARD\n"
    ),
    "comment.yaml": lambda n: f"a: b\n# x{' ' * n}x y\n",
    "dashes.yaml": lambda n: f"a: b\n# x{' -' * (n // 2)}x y\n",
    "events.ics": lambda n: _events(n // 200),
}


@pytest.mark.parametrize("name", LONG)
def test_long_lines_and_many_entries_are_read_in_seconds(name: str) -> None:
    """What took minutes when each line was searched from each of its characters."""
    data = LONG[name](100_000).encode()
    began = time.process_time()
    assert read_document(PurePath("/notes") / name, data).document is not None
    assert time.process_time() - began < 5
