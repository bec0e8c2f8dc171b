"""The page of file types tells of exactly what the registry of readers knows."""

from __future__ import annotations

import re
from pathlib import Path, PurePath

import pytest

from memctl.document import DocumentStatus
from memctl.ingestion.readers.registry import SUFFIXES, read_document

PAGE = (Path(__file__).parents[3] / "docs" / "file-types.md").read_text(encoding="utf-8")
READ, NOT_READ = PAGE.split("## Which files are not read")


def suffixes(part: str) -> list[str]:
    """The ends of names in the first cells of a part's table."""
    cells = re.findall(r"^\|([^|]+)\|", part, re.MULTILINE)
    return [suffix for cell in cells for suffix in re.findall(r"`(\.\w+)`", cell)]


def test_every_end_of_a_name_with_a_reader_of_its_own_has_one_place() -> None:
    assert sorted(suffixes(READ)) == sorted(SUFFIXES)


def test_nothing_that_is_read_is_said_not_to_be() -> None:
    assert suffixes(NOT_READ)
    assert set(suffixes(NOT_READ)).isdisjoint(SUFFIXES)


@pytest.mark.parametrize(
    ("suffix", "beginning"),
    [
        (".docx", b"PK\x03\x04\x14\x00\x06\x00"),
        (".odt", b"PK\x03\x04\x14\x00\x00\x08"),
        (".xlsx", b"PK\x03\x04\x14\x00\x06\x00"),
        (".epub", b"PK\x03\x04\x0a\x00\x00\x00"),
        (".zip", b"PK\x03\x04\x0a\x00\x00\x00"),
        (".rtf", b"{\\rtf1\\ansi"),
        (".doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        (".gz", b"\x1f\x8b\x08\x08"),
        (".sqlite", b"SQLite format 3\x00"),
        (".png", b"\x89PNG\r\n\x1a\n"),
        (".jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF"),
        (".mp3", b"ID3\x03\x00\x00"),
    ],
)
def test_what_the_page_says_is_not_read_is_refused_with_its_kind(
    suffix: str, beginning: bytes
) -> None:
    outcome = read_document(PurePath(f"a{suffix}"), beginning + bytes(200))
    assert suffix in suffixes(NOT_READ)
    assert outcome.status is DocumentStatus.UNSUPPORTED
    assert outcome.reason
