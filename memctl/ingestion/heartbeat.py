"""What a watching process writes into the store about itself, for `status` to read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta

HEARTBEAT_FACT = "watch"
"""The fact of the store that holds the last heartbeat."""

HEARTBEAT_SECONDS = 30.0
"""How often a watching process says that it is alive."""

SILENCE_SECONDS = 5 * HEARTBEAT_SECONDS
"""After so long without a word something is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """``on_disk`` and ``recorded`` compare the files in the folders with the ledger, as of the last
    look through them; ``waiting`` are being written still, ``queued`` come next; ``in_hand`` is the
    path of the large file that is being taken in, since then; ``stored`` and ``failed`` count
    documents since the start. Times are ISO 8601 in UTC."""

    process_id: int
    folders: tuple[str, ...]
    started_at: str
    seen_at: str
    stopped_at: str | None = None
    is_polling: bool = False
    on_disk: int = 0
    recorded: int = 0
    waiting: int = 0
    queued: int = 0
    in_hand: str | None = None
    in_hand_since: str | None = None
    stored: int = 0
    failed: int = 0
    paused_until: str | None = None

    def to_json(self) -> str:
        """The text of the fact."""
        return json.dumps(asdict(self), ensure_ascii=False)

    def state(self, now: datetime) -> str:
        """``running``, ``silent`` (alive without a word for too long), ``stopped``, or ``ended``
        where the process is gone without having said so."""
        if self.stopped_at is not None:
            return "stopped"
        if not _is_alive(self.process_id):
            return "ended"
        silence = now - datetime.fromisoformat(self.seen_at)
        return "silent" if silence > timedelta(seconds=SILENCE_SECONDS) else "running"


def read_heartbeat(facts: Mapping[str, str]) -> Heartbeat | None:
    """The last heartbeat among a store's facts; None where nothing ever watched."""
    text = facts.get(HEARTBEAT_FACT)
    if text is None:
        return None
    values = json.loads(text)
    known = {field.name for field in fields(Heartbeat)}
    values = {name: value for name, value in values.items() if name in known}
    return Heartbeat(**{**values, "folders": tuple(values["folders"])})


def _is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
