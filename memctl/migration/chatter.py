"""What machines say in a conversation, and what they put around what people say.

The marks are those that OpenClaw itself writes into its transcripts: polls of its scheduler, notes
about background tasks, texts that it passes on from one conversation to another.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

_POLL = re.compile(
    r"^\s*(?:\[OpenClaw heartbeat poll\]|\[cron:[^\]]*\]|\[heartbeat[^\]]*\]"
    r"|\[inter-?session[^\]]*\]"
    r"|\[subagent[^\]]*\]|\[system[^\]]*\]|HEARTBEAT_OK\b|NO_REPLY\b"
    r"|Pre-compaction memory flush|System:\s*\[|System \(untrusted\)|\[Queued (?:messages|announce)"
    r"|A new session was started via /|Read HEARTBEAT\.md if it exists"
    r"|Continue (?:the conversation )?where you left off\b|An async command\b"
    r"|Sender \(untrusted metadata\):\s*$|\[Post-compaction|The conversation history before this"
    r"|/\w[\w-]*(?:\s\S+)?\s*$)",
    re.IGNORECASE,
)
_SILENT_ANSWER = re.compile(r"\s*[*_`]*(?:NO_REPLY|HEARTBEAT_OK)\b", re.IGNORECASE)
_SILENT_LINE = re.compile(r"^\s*[*_`]*(?:NO_REPLY|HEARTBEAT_OK)[*_`]*\s*$", re.IGNORECASE)
_METADATA_HEAD = re.compile(r"^.*\(untrusted(?: metadata|,[^)]*)\):?\s*$", re.IGNORECASE)
_FENCE = re.compile(r"^\s*```")
_MESSAGE_ID = re.compile(r"^\s*\[message_id:[^\]]*\]\s*$")
_STAMP = re.compile(
    r"^\s*\[(?:[\w ()+@.#:-]{0,80}?\s)?(?:[A-Z][a-z]{2},? )?"
    r"(?P<day>\d{4}-\d{2}-\d{2})[ T](?P<time>\d{2}:\d{2})(?::\d{2})?"
    r"(?P<zone>\s?(?:UTC|GMT|Z|[+-]\d{2}:?\d{2}))?[^\]]*\]\s*"
)
_RECALLED = re.compile(
    r"<(?P<name>relevant-memories|relevant_memories|memory-context|system-reminder)\b"
)


def is_machine_prompt(text: str) -> bool:
    """Whether a message that stands under the user's name comes from a machine."""
    return _POLL.match(text) is not None


def is_silent_answer(text: str) -> bool:
    """Whether an assistant's message only says that there is nothing to say."""
    return _SILENT_ANSWER.match(text) is not None


def split_stamp(line: str) -> tuple[str, datetime | None]:
    """A line without the time in brackets that a channel puts in front, and that time."""
    match = _STAMP.match(line)
    if match is None:
        return line, None
    zone = (match["zone"] or "").strip()
    suffix = "+00:00" if zone in ("", "UTC", "GMT", "Z") else zone
    try:
        moment = datetime.fromisoformat(f"{match['day']}T{match['time']}:00{suffix}")
    except ValueError:
        return line[match.end() :], None
    return line[match.end() :], moment.astimezone(UTC)


def without_wrapping(lines: list[str]) -> tuple[list[str], datetime | None]:
    """The lines of a message, as many as before, with blanks in place of metadata blocks,
    recalled memories and message ids; and the time that the channel gave."""
    kept: list[str] = []
    moment: datetime | None = None
    closing: re.Pattern[str] | None = None
    after_head = False
    for line in lines:
        if closing is not None:
            kept.append("")
            closing = None if closing.search(line) else closing
            continue
        recalled = _RECALLED.search(line)
        if recalled is not None:
            end = re.compile(f"</{recalled['name']}>")
            closing = None if end.search(line) else end
        elif after_head and _FENCE.match(line):
            closing = _FENCE
        is_mark = _METADATA_HEAD.match(line) or _MESSAGE_ID.match(line) or _SILENT_LINE.match(line)
        after_head = bool(_METADATA_HEAD.match(line)) or (after_head and not line.strip())
        if recalled is not None or closing is not None or is_mark:
            kept.append("")
            continue
        rest, found = split_stamp(line)
        moment = moment or found
        kept.append(rest)
    return kept, moment
