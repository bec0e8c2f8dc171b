"""Trees as they are found: many languages, odd markdown, odd files. Nothing stops the others."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

LANGUAGES = {
    "de": "## Entscheidungen\n- Wir schließen die Mühle montags.\n- **Adresse**: Gartenstraße 5\n",
    "fr": "## Préférences\n- Je préfère le thé.\n- **Adresse** : 12 rue des Lilas\n",
    "es": "## Decisiones\n- Cerramos el molino los lunes.\n- **Cumpleaños**: 3 de mayo\n",
    "pt": "## Metas\n- Aprender a velejar até junho.\n- **Endereço**: Rua das Flores 12\n",
    "ru": "## Решения\n- Мы закрываем мельницу по понедельникам.\n- **Адрес**: Садовая, 5\n",
    "zh": "## 决定\n- 磨坊星期一不开门。\n- **地址**：花园路5号\n",
    "ja": "## 決定\n- 水車小屋は月曜日に閉めることにした。\n- **住所**：庭園通り5番地\n",
    "ko": "## 결정\n- 월요일에는 방앗간을 닫기로 결정했다.\n- **주소**： 정원로 5\n",
}
ENCODINGS = {"ru": "koi8-r", "zh": "gb18030", "ja": "shift_jis", "ko": "euc-kr", "fr": "cp1252"}
ODD_MARKDOWN = """\
## 🎯 Goals
- 🏁 Run a marathon in 2027
- deep
  - deeper
    - The deepest shelf holds the spare belts.

| Machine | Power |
|---|---|
| Sieve | 750 W |
| | |

- [ ]
-
:: ：
2026-02-30: nothing happened on a day that is none
## 99:99 Late
- ~~taken back~~
<script>alert(1)</script>
- [[wiki]] \u202e\u200b
```
never a memory
"""
TYPES = {
    "de": "decision", "fr": "preference", "es": "decision", "pt": "goal", "ru": "decision",
    "zh": "decision", "ja": "decision", "ko": "decision",
}  # fmt: skip


@pytest.fixture
def odd_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder with all that a disk may hold."""
    root = tmp_path / ".openclaw"
    memory = root / "workspace" / "memory"
    memory.mkdir(parents=True)
    for code, text in LANGUAGES.items():
        (memory / f"{code}.md").write_bytes(
            f"# {code}\n\n{text}".encode(ENCODINGS.get(code, "utf-8"))
        )
    (memory / "crlf.md").write_bytes(
        b"\xef\xbb\xbf- The crane lifts 5 t.\r\n- The gate is red.\r\n"
    )
    (memory / "odd.md").write_text(ODD_MARKDOWN, encoding="utf-8")
    (memory / "line.md").write_text("- One line " + "of many words " * 3_000, encoding="utf-8")
    (memory / "deep.md").write_text("\n".join("  " * n + f"- level {n}" for n in range(150)))
    (memory / "quotes.md").write_text("> " * 400 + "said somebody\n")
    (memory / "binary.md").write_bytes(bytes(range(256)) * 20)
    (memory / "a\nb [red].md").write_text("- The name of this file has two lines.\n")
    (memory / "loop").symlink_to(memory)
    (memory / "self.md").symlink_to("self.md")
    (root / "again").symlink_to(root)
    os.mkfifo(memory / "pipe.md")
    # A socket's path has a short limit.
    monkeypatch.chdir(memory)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.md")
    unnamable = memory / os.fsdecode(b"bad\xff")
    unnamable.mkdir()
    (unnamable / "x.md").write_text("- a\n")
    sessions = root / "agents" / "main" / "sessions"
    sessions.mkdir(parents=True)
    lines = ["{bad", "[]", "7", '{"type": "message", "message": {"role": 3}}', "[" * 5_000]
    (sessions / "s.jsonl").write_text("\n".join(lines))
    (sessions / "sessions.json").write_text("[7]")
    (memory / "brain.db").write_bytes(b"SQLite format 3\0" + b"\x07" * 400)
    (root / "openclaw.json").write_text("{agents: {list: [1, null, {id: 3, workspace: []}]}}")
    return root


def names_on_disk(root: Path) -> set[str]:
    return {str(Path(folder) / name) for folder, _, names in os.walk(root) for name in names}


@pytest.mark.slow
def test_no_file_stops_the_others_and_each_has_its_fate(call_memctl, odd_state, snapshot):
    """Exit status 7: some could not be read, and they are named."""
    before = snapshot(odd_state)
    result = call_memctl("migrate-openclaw", odd_state, "--sessions", "--json", status=7)
    assert "Traceback" not in result.stderr
    report = result.json
    assert report["proof"]["holds"]
    fates = {file["path"]: file for file in report["files"]}
    without = {name for name in names_on_disk(odd_state) if "bad" not in name} - fates.keys()
    assert not without
    assert all(file["reason"] for file in fates.values() if file["status"] != "done")
    assert snapshot(odd_state) == before
    again = call_memctl("migrate-openclaw", odd_state, "--sessions", "--json", status=7).json
    assert again["totals"]["new"] == again["totals"]["updated"] == 0


def test_every_language_is_read_in_its_encoding_and_typed(call_memctl, odd_state):
    report = call_memctl(
        "migrate-openclaw", odd_state, "--dry-run", "--verbose", "--json", status=7
    ).json
    by_name = {Path(file["path"]).stem: file for file in report["files"]}
    for code, text in LANGUAGES.items():
        found = by_name[code]["candidates"]
        expected = text.split("\n")[1].removeprefix("- ").rstrip(".。")
        [first] = [one for one in found if expected in one["content"]]
        assert (first["memory_type"], first["first_line"]) == (TYPES[code], 4)
        assert len(found) == 2
    assert "The deepest shelf" in json.dumps(by_name["odd"]["candidates"])
    assert "never a memory" not in json.dumps(by_name["odd"]["candidates"])
    assert len(by_name["crlf"]["candidates"]) == 2
