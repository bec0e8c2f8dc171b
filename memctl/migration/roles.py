"""What a file is to an OpenClaw or ZeroClaw agent, told by its name and folder alone.

Pure: no file is looked at. What is no memory is left, and each kind of it has its reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memctl.migration.source_file import Role
from memctl.migration.state_config import CONFIG_NAMES

INSTRUCTION_NAMES = frozenset(
    {"agents", "tools", "heartbeat", "boot", "bootstrap", "claude", "gemini", "agent", "skill"}
)
BOOT_NAMES = frozenset(
    {"agents", "soul", "user", "identity", "tools", "heartbeat", "boot", "bootstrap"}
)
"""Files without suffix; two of them make a folder an agent's workspace."""

_TAKEN_NAMES = {
    "memory": Role.MEMORY,
    "user": Role.USER,
    "identity": Role.IDENTITY,
    "soul": Role.PERSONA,
    "memory_snapshot": Role.SNAPSHOT,
}
_MARKDOWN = re.compile(r"\.\s*(?:md|markdown)\s*$", re.IGNORECASE)
_BACKUP = re.compile(
    r"(?:\.(?:bak|backup|old|orig|save)(?:[\w.-]*)|~|\.(?:bak|backup|old|orig)\.md)$", re.IGNORECASE
)
_BACKUP_FOLDERS = re.compile(r"[._]?(?:bak|backups?)|.*\.(?:bak|backup|old)", re.IGNORECASE)
_TEMPLATE = re.compile(r"_?templates?|.*[._-]template|y{4}-m{2}-d{2}.*", re.IGNORECASE)
_DATABASE = re.compile(r"\.(?:db|sqlite|sqlite3)$", re.IGNORECASE)
_SIDECAR = re.compile(r"\.(?:db|sqlite|sqlite3)-(?:wal|shm|journal)$", re.IGNORECASE)
_PLAIN_NAMES = frozenset({"readme", "license", "changelog", "contributing"})
_DREAM_NAMES = frozenset({"dreams", "dreaming", "dream"})
_SESSION_LEFTS = (
    (re.compile(r"\.lock$"), "lock file"),
    (re.compile(r"\.deleted\."), "session that was deleted"),
    (re.compile(r"\.checkpoint\."), "copy of a session at a checkpoint"),
    (re.compile(r"\.trajectory(?:-path)?\.jsonl?$"), "trace of a session's steps"),
    (re.compile(r"\.bak|\.tmp|\.corrupt", re.IGNORECASE), "backup copy"),
)
_SESSION = re.compile(r"\.jsonl(?:\.reset\.[\w.:-]+)?$")
_CREDENTIALS = re.compile(r"credential|auth|secret|token|oauth|\.env|\.pem$|\.key$", re.IGNORECASE)

NOT_MEMORY = "no memory file"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A role, or why the file is left."""

    role: Role
    reason: str | None = None


def is_markdown(name: str) -> bool:
    """Whether a name has markdown's suffix, blanks in it forgiven."""
    return _MARKDOWN.search(name) is not None


def stem_of(name: str) -> str:
    """A markdown file's name without its suffix, in lower case."""
    return _MARKDOWN.sub("", name).strip().lower()


def is_database_part(name: str) -> bool:
    """Whether a name is that of a SQLite file or of what lies beside one."""
    return _DATABASE.search(name) is not None or _SIDECAR.search(name) is not None


def is_session_log(name: str) -> bool:
    """Whether a name is that of a transcript as JSON lines."""
    return _SESSION.search(name) is not None


def judge_in_workspace(parts: Sequence[str]) -> Judgement:
    """What a file of a workspace is; ``parts`` lead from the workspace's folder to it."""
    general = _judge_anywhere(parts)
    if general is not None:
        return general
    if len(parts) > 1 and parts[0].lower() == "memory":
        return _judge_in_memory(parts[1:])
    if len(parts) == 1 and is_markdown(parts[0]):
        return _judge_by_stem(stem_of(parts[0]))
    if parts[0].lower() == "skills":
        return _left("part of a skill")
    return _left("machine state" if parts[-1].endswith((".json", ".jsonl")) else NOT_MEMORY)


def _judge_by_stem(stem: str) -> Judgement:
    if stem in _TAKEN_NAMES:
        return Judgement(_TAKEN_NAMES[stem])
    if stem in INSTRUCTION_NAMES:
        return _left("instructions for the agent")
    if stem in _DREAM_NAMES:
        return _left("dream diary")
    return _left("template" if _TEMPLATE.fullmatch(stem) else NOT_MEMORY)


def judge_in_state(parts: Sequence[str]) -> Judgement:
    """What a file of a state folder outside all workspaces is."""
    name = parts[-1]
    if name in CONFIG_NAMES:
        return _left("configuration")
    general = _judge_anywhere(parts)
    if general is not None:
        return general
    if any(_CREDENTIALS.search(part) for part in parts):
        return _left("credentials, never opened")
    if is_markdown(name) or "skills" in parts:
        return _left(NOT_MEMORY)
    return _left("machine state")


def is_session_folder(parts: Sequence[str]) -> bool:
    """Whether a file lies directly in a folder of transcripts."""
    return len(parts) > 1 and parts[-2] == "sessions"


def _judge_anywhere(parts: Sequence[str]) -> Judgement | None:
    name = parts[-1]
    if is_session_folder(parts):
        return _judge_session(name)
    if _BACKUP.search(name) or any(map(_BACKUP_FOLDERS.fullmatch, parts[:-1])):
        return _left("backup copy")
    if _SIDECAR.search(name):
        return _left("part of a database")
    if _DATABASE.search(name):
        return Judgement(Role.DATABASE)
    return None


def _judge_session(name: str) -> Judgement:
    for pattern, reason in _SESSION_LEFTS:
        if pattern.search(name):
            return _left(reason)
    return Judgement(Role.SESSION) if _SESSION.search(name) else _left("machine state")


def _judge_in_memory(parts: Sequence[str]) -> Judgement:
    name, stem = parts[-1], stem_of(parts[-1])
    folders = [part.lower() for part in parts[:-1]]
    is_state = ".dreams" in folders or name.endswith((".json", ".jsonl"))
    grounds = (
        (is_state, "machine state"),
        ("dreaming" in folders, "dreaming report"),
        (any(part.startswith(".") for part in parts), "hidden file"),
        (not is_markdown(name), "no markdown"),
        (stem in _DREAM_NAMES, "dream diary"),
        (_TEMPLATE.fullmatch(stem), "template"),
        (stem in INSTRUCTION_NAMES and name.startswith(stem.upper()), "instructions for the agent"),
        (stem in _PLAIN_NAMES, NOT_MEMORY),
    )
    reason = next((why for holds, why in grounds if holds), None)
    return Judgement(Role.MEMORY) if reason is None else _left(reason)


def _left(reason: str) -> Judgement:
    return Judgement(Role.OTHER, reason)
