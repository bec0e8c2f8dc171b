"""What tells the encodings of a text apart: its lines that are not ASCII, and how much they say."""

from __future__ import annotations

import re

SAMPLE_BYTES = 32_768
"""How many bytes of lines that are not ASCII are looked at to tell legacy encodings apart."""

CONTEXT_BYTES = 200
"""How much plain ASCII of a line before its first other character is looked at with it."""

REPEATED_EVIDENCE = 0.3
"""What a character that occurs again adds to the evidence, where a new one adds 1."""

_NOT_ASCII = re.compile(rb"[\x80-\xff]")


def sample_lines(data: bytes) -> bytes:
    """At most SAMPLE_BYTES of the lines that are not ASCII, which alone tell encodings apart."""
    taken = bytearray()
    position = 0
    while len(taken) < SAMPLE_BYTES and (found := _NOT_ASCII.search(data, position)):
        line_start = data.rfind(b"\n", position, found.start()) + 1
        start = max(position, line_start, found.start() - CONTEXT_BYTES)
        line_end = data.find(b"\n", found.start()) + 1
        position = min(line_end or len(data), start + SAMPLE_BYTES)
        taken += data[start:position]
    if len(taken) <= SAMPLE_BYTES:
        return bytes(taken)
    cut = max(taken.rfind(blank, 0, SAMPLE_BYTES) for blank in (b" ", b"\n", b"\r", b","))
    return bytes(taken[: cut + 1] if cut > SAMPLE_BYTES // 2 else taken[:SAMPLE_BYTES])


def evidence_of(sample: bytes) -> float:
    """How much the bytes outside ASCII tell: as many different ones as it is, roughly."""
    found = _NOT_ASCII.findall(sample)
    different = len(set(found))
    return different + REPEATED_EVIDENCE * (len(found) - different)
