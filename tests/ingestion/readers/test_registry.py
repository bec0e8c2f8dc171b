"""Each file finds its reader by content and name, and every answer is an outcome."""

from __future__ import annotations

from pathlib import PurePath

import pytest
from fakes.pdf_writer import build_pdf
from hypothesis import given
from hypothesis import strategies as st

from memctl.document import DocumentStatus
from memctl.extraction.extractor import TextFormat
from memctl.ingestion.readers.registry import read_document


@pytest.mark.parametrize(
    ("name", "text_format"),
    [
        ("a.md", TextFormat.MARKDOWN),
        ("a.MARKDOWN", TextFormat.MARKDOWN),
        ("a.org", TextFormat.MARKDOWN),
        ("a.txt", TextFormat.PLAIN),
        ("a.log", TextFormat.PLAIN),
        ("a.yaml", TextFormat.PLAIN),
        ("a.rst", TextFormat.PLAIN),
        ("a.csv", TextFormat.TABLE),
        ("a.tsv", TextFormat.TABLE),
        ("README", TextFormat.PLAIN),
        ("a.unknown", TextFormat.PLAIN),
    ],
)
def test_the_suffix_chooses_the_reader(name: str, text_format: TextFormat) -> None:
    outcome = read_document(PurePath("/n") / name, b"name,town\nAda,Brim\n")
    assert outcome.status is DocumentStatus.DONE
    assert outcome.document.text_format is text_format
    assert outcome.document.path == f"/n/{name}"
    assert outcome.encoding == outcome.document.encoding == "utf-8"


def test_a_pdf_is_known_under_any_name() -> None:
    outcome = read_document(PurePath("notes.txt"), build_pdf([["Words."]]))
    assert outcome.document.text == "Words.\n"


@pytest.mark.parametrize(
    "data", [b"", b" \n\t\r\n", "\ufeff".encode(), "\ufeff\n".encode("utf-16")]
)
def test_nothing_but_blanks_is_empty(data: bytes) -> None:
    outcome = read_document(PurePath("a.md"), data)
    assert (outcome.status, outcome.document) == (DocumentStatus.EMPTY, None)
    assert outcome.reason


def test_binary_data_is_unsupported_under_an_unknown_name() -> None:
    outcome = read_document(PurePath("a.docx"), b"PK\x03\x04" + bytes(100))
    assert outcome.status is DocumentStatus.UNSUPPORTED
    assert "office" in outcome.reason


def test_short_notes_are_notes() -> None:
    assert read_document(PurePath("a.txt"), b"7").document.text == "7"


def test_characters_that_no_text_holds_are_replaced() -> None:
    outcome = read_document(PurePath("a.json"), b'{"a": "x\\u0000y\\ud800z"}')
    assert "x\ufffdy\ufffdz" in outcome.document.text


SUFFIXES = st.sampled_from([".md", ".txt", ".csv", ".json", ".jsonl", ".org", ".rst", ".x"])


@given(
    SUFFIXES,
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")),
)
def test_any_bytes_under_any_name_give_an_outcome(suffix: str, data: bytes) -> None:
    outcome = read_document(PurePath(f"note{suffix}"), data)
    if outcome.document is None:
        assert outcome.status is not DocumentStatus.DONE
        assert outcome.reason
    else:
        assert outcome.document.text.strip()
        assert not {"\0", "\r"} & set(outcome.document.text)
        outcome.document.text.encode()
