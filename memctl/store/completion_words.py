"""Words of the store for the shell to complete: ids, tags, channels and the like.

Every press of Tab comes here, so this reads SQLite directly, waits for nobody and never complains:
a store that cannot be read now has no words.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from memctl.memory import ID_DISPLAY_LENGTH
from memctl.plural import plural

MOST_WORDS = 100
"""More than a screen holds; the recent ones are what people mean."""

WAIT_SECONDS = 0.2

Word = tuple[str, str]
"""A word, and what it stands for."""

_COLUMNS = {"channel": "channel_id", "session": "session_id", "source": "source"}

_IDS = """\
SELECT id, memory_type, content FROM memories
WHERE id >= ? AND id < ? AND forgotten = ? ORDER BY sequence DESC LIMIT ?"""

_TAGS = """\
SELECT tag, count(*) FROM memory_tags WHERE substr(tag, 1, ?) = ?
GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ?"""

_VALUES = """\
SELECT {column}, count(*) FROM memories WHERE substr({column}, 1, ?) = ?
GROUP BY {column} ORDER BY max(sequence) DESC LIMIT ?"""

_OPERATIONS = "SELECT id, command, finished_at FROM operations ORDER BY id DESC LIMIT ?"

_LAST_CHARACTER = "\U0010ffff"


def recent_ids(database: Path, prefix: str, *, forgotten: bool) -> list[Word]:
    """Ids that begin with ``prefix``, the newest first, with their texts: short ones, until the
    prefix is longer than those."""
    values = (prefix.lower(), prefix.lower() + _LAST_CHARACTER, forgotten, MOST_WORDS)
    length = ID_DISPLAY_LENGTH if len(prefix) <= ID_DISPLAY_LENGTH else None
    return [
        (str(key)[:length], f"{kind}: {' '.join(str(content).split())}")
        for key, kind, content in _read(database, _IDS, values)
    ]


def stored_tags(database: Path, prefix: str) -> list[Word]:
    """Tags that begin with ``prefix``, the most used first."""
    return [
        (tag, plural(int(count), "memory"))
        for tag, count in _read(database, _TAGS, (len(prefix), prefix, MOST_WORDS))
    ]


def stored_values(database: Path, field: str, prefix: str) -> list[Word]:
    """Channels, sessions or sources (``field``, one word of these without s), the newest first."""
    statement = _VALUES.format(column=_COLUMNS[field])
    return [
        (value, plural(int(count), "memory"))
        for value, count in _read(database, statement, (len(prefix), prefix, MOST_WORDS))
    ]


def recent_operations(database: Path) -> list[Word]:
    """Numbers of operations in the journal, the newest first, with their commands."""
    return [
        (str(number), f"{command}, {finished_at[:16]}")
        for number, command, finished_at in _read(database, _OPERATIONS, (MOST_WORDS,))
    ]


def _read(database: Path, statement: str, values: Sequence[object]) -> list[tuple[str, ...]]:
    try:
        uri = f"{database.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=WAIT_SECONDS)) as connection:
            return connection.execute(statement, values).fetchall()
    except sqlite3.Error:
        return []
