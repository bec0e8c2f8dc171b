"""Which binary formats give themselves away by their first bytes.

Only formats that are no text are named: a text may begin with the letters of a weak signature, so
those count only together with bytes that no text holds.
"""

from __future__ import annotations

import re

PDF_HEADER = b"%PDF-"

_STRONG = (
    (b"\x7fELF", "an ELF executable"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh91AY", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"\xca\xfe\xba\xbe", "an executable or Java class"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O executable"),
    (b"\xce\xfa\xed\xfe", "a Mach-O executable"),
    (b"\x00asm", "a WebAssembly module"),
    (b"OggS\x00", "an Ogg recording"),
    (b"fLaC\x00", "a FLAC recording"),
    (b"\x1aE\xdf\xa3", "a Matroska video"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"{\\rtf", "a rich text document"),
)
_WEAK = (
    (b"MZ", "a Windows executable"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"BM", "a bitmap picture"),
    (b"ID3", "an MP3 recording"),
    (b"RIFF", "a sound, picture or video file"),
    (b"%!PS", "a PostScript document"),
)
_NEVER_IN_TEXT = re.compile(rb"[\x00-\x06\x0e-\x1a]")
_HEAD_BYTES = 1024


def binary_kind(data: bytes) -> str | None:
    """A noun for the binary format of ``data`` ("a PNG picture"), or None when it may be text."""
    for signature, kind in _STRONG:
        if data.startswith(signature):
            return kind
    if data[4:8] == b"ftyp":
        return "a video or picture file"
    if _NEVER_IN_TEXT.search(data, 0, _HEAD_BYTES):
        for signature, kind in _WEAK:
            if data.startswith(signature):
                return kind
    if data.startswith(PDF_HEADER):
        return "a PDF document"
    return None


def looks_like_pdf(data: bytes) -> bool:
    """Whether a PDF header stands within the first 1,024 bytes (junk before it is tolerated)."""
    return PDF_HEADER in data[:_HEAD_BYTES]
