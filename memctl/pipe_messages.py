"""What a process and the one that started it say to each other: lengths, then JSON or bytes.

Both sides take the other's end of the pipe for what it is, an end, never for an error.
"""

from __future__ import annotations

import json
import struct
from typing import IO, Any

Message = dict[str, Any]

END: Message = {"kind": "end"}
"""The last message of every answer."""

_LENGTH = struct.Struct(">Q")


def write_message(stream: IO[bytes], message: Message) -> None:
    """Writes one message and sees that it arrives. Raises BrokenPipeError when nobody reads."""
    write_payload(stream, json.dumps(message).encode())


def read_message(stream: IO[bytes]) -> Message | None:
    """The next message, or None when the other side is gone."""
    payload = read_payload(stream)
    if payload is None:
        return None
    message: Message = json.loads(payload)
    return message


def write_payload(stream: IO[bytes], payload: bytes) -> None:
    stream.write(_LENGTH.pack(len(payload)))
    stream.write(payload)
    stream.flush()


def read_payload(stream: IO[bytes]) -> bytes | None:
    """The next payload, or None at the end of the stream."""
    header = _read_exactly(stream, _LENGTH.size)
    if header is None:
        return None
    return _read_exactly(stream, _LENGTH.unpack(header)[0])


def _read_exactly(stream: IO[bytes], size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = stream.read(min(size - len(parts), 1 << 20))
        if not part:
            return None
        parts += part
    return bytes(parts)
