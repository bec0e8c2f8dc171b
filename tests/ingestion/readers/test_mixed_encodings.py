"""Texts that are UTF-8 in some parts and cp1252 in others."""

from __future__ import annotations

import pytest

from memctl.ingestion.readers.mixed import decode_mixed
from memctl.ingestion.readers.text import DecodedText, decode_text

MODERN = "Le café de Zoë est à côté. Größe: 3 – 4 m²\n"
OLD = "La clé est chez la voisine – là où l’été dure, « déjà créée »\n"


@pytest.mark.parametrize(
    "data",
    [
        MODERN.encode() + OLD.encode("cp1252"),
        OLD.encode("cp1252") + MODERN.encode(),
        MODERN.encode() * 5 + "Zürich\n".encode("latin-1"),
    ],
)
def test_each_part_is_read_in_its_own_encoding(data: bytes) -> None:
    """The receipt says how many characters were not UTF-8."""
    decoded = decode_text(data)
    assert isinstance(decoded, DecodedText)
    assert "\ufffd" not in decoded.text
    assert "Ã" not in decoded.text
    for line in decoded.text.splitlines(keepends=True):
        assert line in {MODERN, OLD, "Zürich\n"}
    assert decoded.encoding == "utf-8"
    [warning] = decoded.warnings
    assert warning.startswith("it is UTF-8, and ")
    assert warning.endswith(" read as cp1252")


@pytest.mark.parametrize(
    "data",
    [
        MODERN.encode(),
        OLD.encode("cp1252"),
        "„GRÄ“ ist größer, für Übung, süß und schön".encode("cp1252"),
        MODERN.encode() + "é".encode()[:1] + b"t",
        MODERN.encode() + "é".encode()[1:] + b"t",
        MODERN.encode() + "“".encode()[:2] + b"t",
        "四百円のパン, é".encode() + b"caf\xe9",
    ],
)
def test_what_is_of_one_encoding_or_damaged_is_not_mixed(data: bytes) -> None:
    """It is read as before: as it is, as one legacy encoding, or with what was lost named."""
    assert decode_mixed(data) is None
