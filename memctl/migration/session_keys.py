"""By which keys OpenClaw knows its sessions: the index beside the transcripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from memctl.ingestion.discovery import Found, read_found
from memctl.migration.source_file import SourceFile

INDEX_NAME = "sessions.json"

SessionKeys = Mapping[str, str]
"""By session id, its key, such as ``agent:main:telegram:direct``."""


def read_session_keys(files: Iterable[SourceFile]) -> SessionKeys:
    """What the indexes among ``files`` say; one that cannot be read says nothing."""
    keys: dict[str, str] = {}
    for file in files:
        if file.path.name == INDEX_NAME and file.path.parent.name == "sessions":
            keys |= _read_index(file.real_path, file)
    return keys


def _read_index(path: Path, file: SourceFile) -> dict[str, str]:
    content = read_found(Found(path=path, identity=file.identity))
    try:
        value = json.loads(content.data.decode("utf-8-sig", "replace") or "{}")
    except (ValueError, RecursionError):
        return {}
    found = {}
    for key, entry in value.items() if isinstance(value, dict) else ():
        session_id = entry.get("sessionId") if isinstance(entry, dict) else None
        if isinstance(session_id, str):
            found[session_id] = str(key)
    return found
