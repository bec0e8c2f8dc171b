"""Operations of several transactions that have begun and not come to their end: they are at work,
or were broken off. Each is a fact of the store from its first transaction to its end.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from memctl.store.facts import delete_facts, write_facts
from memctl.store.rows import instant_to_text
from memctl.store.schema import meta

_KEY_BEGIN = "unfinished_operation_"


def note_begun(connection: Connection, operation_id: int, now: datetime) -> None:
    """Notes that an operation will go on with other transactions."""
    write_facts(connection, {_key(operation_id): instant_to_text(now)})


def note_finished(connection: Connection, operation_id: int) -> None:
    """Notes that an operation has come to its end."""
    delete_facts(connection, [_key(operation_id)])


def unfinished_operations(connection: Connection) -> frozenset[int]:
    """The numbers of the operations that have begun and not come to their end."""
    statement = select(meta.c.key).where(meta.c.key.startswith(_KEY_BEGIN, autoescape=True))
    numbers = (key.removeprefix(_KEY_BEGIN) for key in connection.scalars(statement))
    return frozenset(int(number) for number in numbers if number.isdecimal())


def _key(operation_id: int) -> str:
    return f"{_KEY_BEGIN}{operation_id}"
