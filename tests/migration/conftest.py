"""A state folder of an invented assistant, with everything that such a folder may hold."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from command_runner import child_environment

FAKE_TOKEN = "ghp_FAKE4testsOnly7Qm2Zx9abcdefghRv1Lp83"

FILES = {
    "openclaw.json": """\
// Hand-edited.
{
  agents: {
    defaults: { workspace: './workspace' },
    list: [{ id: 'main', default: true }, { id: "orchard", workspace: 'teams/orchard', }],
  },
}
""",
    "workspace/MEMORY.md": """\
# MEMORY.md

## About the mill
- The mill grinds 40 kg of rye per hour.
- **Water wheel** (2026-02-08): the wheel was rebuilt with oak paddles.

## Decisions
1. Decided to close the mill on Mondays.

## Machines
| Machine | Power  |
|---------|--------|
| Sifter  | 750 W  |
| Hoist   | 1500 W |

## Promoted From Short-Term Memory (2026-03-06)
<!-- openclaw-memory-promotion:memory:memory/2026-03-02.md:4:4 -->
- The sifter needs a new belt. [score=0.83 recalls=2 avg=0.79 source=memory/2026-03-02.md:4-4]
<!-- openclaw-memory-promotion:memory:memory/2026-03-02.md:5:5 -->
- Candidate: User: the hoist is slow [score=0.41 recalls=0 avg=0.40 source=memory/2026-03-02.md:5-5]

<!-- importance: 9 -->
- Never open the sluice when the river is above 2 m.
Source: memory/2026-03-02.md#L4-L5
""",
    "workspace/USER.md": "# USER.md\n\n- **Name:** Odile Testwright\n- **Timezone:** Etc/UTC\n",
    "workspace/IDENTITY.md": "# IDENTITY.md\n\n- **Name:** Grist\n- **Vibe:** dry\n",
    "workspace/SOUL.md": "# SOUL.md\n\nI would rather say nothing than guess a weight.\n",
    "workspace/AGENTS.md": "# AGENTS.md\n\n- Read MEMORY.md before you answer.\n",
    "workspace/HEARTBEAT.md": "- Answer HEARTBEAT_OK.\n",
    "workspace/DREAMS.md": "# Dreams\nThe stones sang.\n",
    "workspace/MEMORY.md.bak": "- The mill grinds 10 kg.\n",
    "workspace/README.md": "A copy goes to the disk Heron every night.\n",
    "workspace/skills/tide/SKILL.md": "Fetch the almanac.\n",
    "workspace/memory/2026-03-02.md": f"""\
# 2026-03-02

## 08:40 Morning
- The sifter needs a new belt.
- The hoist is slow.
- [ ] Order two belts for the sifter
- [x] Sweep the flour loft
- Repository token: {FAKE_TOKEN}

## Light Sleep
<!-- openclaw:dreaming:light:start -->
- Candidate: User: the stones sang
  - confidence: 0.62
<!-- openclaw:dreaming:light:end -->

## 18:30 Evening
- The river stood at 1.4 m.
""",
    "workspace/memory/archive/2026-03-02.md": "# 2026-03-02\n\n- The hoist is slow.\n",
    "workspace/memory/2026-03-04-0915.md": """\
# Session: 2026-03-04 09:15:22 UTC

- **Session Key**: agent:main:telegram:direct
- **Session ID**: 5d2f3c1e-7a44-4a0c-9c55-0f6be1a2d311

## Conversation Summary

user: Conversation info (untrusted metadata):
```json
{"message_id": "812"}
```

[Wed 2026-03-04 09:12 UTC] the scale in the loft is 2 kg off
[message_id: 812]
assistant: Noted.
user: [OpenClaw heartbeat poll]
assistant: HEARTBEAT_OK
user: thanks, bye
assistant: Bye!
""",
    "workspace/memory/entries/2026-03-06-sack.md": """\
---
timestamp: "2026-03-06T14:20:00Z"
importance: 4
content: "The spare sacks lie under the stairs."
---
# Entry
""",
    "workspace/memory/YYYY-MM-DD.md": "# YYYY-MM-DD\n\nCheck at $(date +%H:%M): quiet.\n",
    "workspace/memory/dreaming/light/2026-03-02.md": "- Candidate: the moon mills\n",
    "workspace/memory/.dreams/recall.json": '{"snippet": "velvet"}',
    "workspace/memory/empty.md": "",
    "workspace-shed/MEMORY.md": "# Core\n\n- **shed_key**: The key hangs behind the door.\n",
    "workspace-shed/USER.md": "# USER.md\n\n_Fill this in._\n\n- **Name:**\n  _(optional)_\n",
    "teams/orchard/memory.md": "# 果园\n\n- 决定所有日报都用中文写。\n- **果树数量**：四十二棵\n",
    "agents/main/agent/auth-profiles.json": '{"token": "x"}',
    "agents/main/sessions/sessions.json": '{"agent:main:main": {"sessionId": "s-1"}}',
    "agents/main/sessions/s-1.jsonl.lock": "{}",
    "agents/main/sessions/s-2.jsonl.deleted.2026-03-01": "{}",
}  # fmt: skip


def session_lines() -> list[dict[str, object]]:
    """A session with a fork, a failed answer, a cron job and a heartbeat."""

    def entry(name: str, parent: str | None, role: str, text: str) -> dict[str, object]:
        return {
            "type": "message",
            "id": name,
            "parentId": parent,
            "timestamp": "2026-03-11T10:00:00.000Z",
            "message": {"role": role, "content": [{"type": "text", "text": text}]},
        }

    return [
        {"type": "session", "id": "s-1", "timestamp": "2026-03-11T10:00:00.000Z"},
        entry("a1", None, "user", "From now on report weights in kilograms, not in pounds."),
        entry("a2", "a1", "assistant", "Kilograms it is."),
        entry("a3", "a2", "toolResult", "zebra 55123"),
        entry("b1", "a3", "user", "The new stone weighs 700 kg."),
        entry("c1", "a3", "user", "The new stone weighs 770 kg."),
        entry("c2", "c1", "assistant", "Noted."),
        entry("c3", "c2", "user", "[cron:1 digest] Write a sea shanty."),
        entry("c4", "c3", "assistant", "A shanty!"),
        entry("c5", "c4", "user", "[OpenClaw heartbeat poll]"),
        entry("c6", "c5", "assistant", "HEARTBEAT_OK"),
    ]


def write_brain(path: Path) -> None:
    """A brain.db of ZeroClaw with one memory of each category."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE memories (id TEXT PRIMARY KEY, key TEXT UNIQUE, content TEXT,"
            " category TEXT, embedding BLOB, created_at TEXT, updated_at TEXT)"
        )
        connection.executemany(
            "INSERT INTO memories VALUES (?, ?, ?, ?, NULL, ?, ?)",
            [
                (
                    "3f8a1c52-6b7d-4e90-8a1f-2c3d4e5f6a7b", "fog_signal", "two long tones", "core",
                    "2025-11-02T08:00:00+00:00", "2025-11-02T08:00:00+00:00",
                ),
                (
                    "9a8a1c52-6b7d-4e90-8a1f-2c3d4e5f6a7b", "bug_fix", "The pump was repaired.",
                    "daily", "2025-11-03T08:00:00+00:00", "2025-11-03T08:00:00+00:00",
                ),
                (
                    "aa8a1c52-6b7d-4e90-8a1f-2c3d4e5f6a7b", "user_msg_12", "hello there",
                    "conversation", "2025-11-04T08:00:00+00:00", "2025-11-04T08:00:00+00:00",
                ),
            ],
        )  # fmt: skip


def write_state(folder: Path) -> Path:
    """The whole state folder below ``folder``, with a link out of it and one inside."""
    root = folder / "old" / ".openclaw"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "agents/main/sessions/s-1.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in session_lines()), encoding="utf-8"
    )
    write_brain(root / "workspace-shed/memory/brain.db")
    (folder / "diary.md").write_text("- A walrus account.\n", encoding="utf-8")
    (root / "workspace/memory/outside.md").symlink_to(folder / "diary.md")
    (root / "workspace/memory.md").symlink_to("MEMORY.md")
    return root


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder of the test's own."""
    return write_state(tmp_path)


@dataclass(frozen=True)
class Moved:
    """A state folder that was moved in, the store, and the report."""

    state: Path
    store: Path
    report: dict[str, Any]


@pytest.fixture(scope="session")
def moved_once(tmp_path_factory: pytest.TempPathFactory) -> Moved:
    """Moved in once for all tests, which leave folder and store as they are."""
    folder = tmp_path_factory.mktemp("moved")
    state, store = write_state(folder), folder / "store"
    process = subprocess.run(
        [sys.executable, "-m", "memctl", "--store", store, "migrate-openclaw", state, "--json"],
        env=child_environment(folder),
        check=True,
        capture_output=True,
    )
    return Moved(state, store, json.loads(process.stdout))


@pytest.fixture
def moved(moved_once: Moved, store_path: Path) -> Moved:
    """The same with a store of the test's own; files that it changes are put back."""
    shutil.copytree(moved_once.store, store_path)
    return Moved(moved_once.state, store_path, moved_once.report)


@pytest.fixture
def change_memory_file(moved: Moved) -> Iterator[Callable[[str, str], None]]:
    """Replaces words of the main MEMORY.md until the end of the test."""
    path = moved.state / "workspace/MEMORY.md"
    before = path.read_text(encoding="utf-8")

    def change(old: str, new: str) -> None:
        assert old in before
        path.write_text(before.replace(old, new), encoding="utf-8")

    yield change
    path.write_text(before, encoding="utf-8")


@pytest.fixture
def snapshot() -> Callable[[Path], dict[str, object]]:
    """Bytes and times of everything below a folder, to see whether anything was touched."""

    def take(root: Path) -> dict[str, object]:
        found: dict[str, object] = {}
        for path in sorted(root.rglob("*")):
            status = path.lstat()
            data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path)] = (data, status.st_mtime_ns, status.st_ino, status.st_mode)
        return found

    return take
