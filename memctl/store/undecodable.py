"""Text in the database that is no UTF-8, read where the driver would refuse the whole row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection


@contextmanager
def undecodable_as_bytes(connection: Connection) -> Iterator[None]:
    """Lets text that is no UTF-8 be read as bytes, which no reading takes for text."""
    driver: Any = connection.connection.driver_connection
    before = driver.text_factory
    driver.text_factory = _text_or_bytes
    try:
        yield
    finally:
        driver.text_factory = before


def _text_or_bytes(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data
