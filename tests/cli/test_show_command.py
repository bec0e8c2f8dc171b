"""`memctl show` as a user meets it."""

from __future__ import annotations

import pytest


@pytest.fixture
def chain(call_memctl) -> list[str]:
    """Ids of three memories, each of which took the place of the one before."""
    return [
        call_memctl("save", f"The till is {colour}", "--key", "till", "--json").json["id"]
        for colour in ("blue", "green", "red")
    ]


def test_the_history_begins_with_the_latest(call_memctl, chain):
    blue, green, red = chain
    assert call_memctl("show", red, "--json").json["history"] == [green, blue]
    assert call_memctl("show", blue, "--json").json["history"] == [red, green]
    newest = call_memctl("show", red).stdout.split("history:\n")[1].splitlines()
    assert [line.split("  ")[-1] for line in newest] == ["The till is green", "The till is blue"]


def test_the_history_says_where_a_memory_stands_that_is_not_the_latest(call_memctl, chain):
    lines = call_memctl("show", chain[1]).stdout.split("history:\n")[1].splitlines()
    assert [line.split("  ")[-1] for line in lines] == [
        "The till is red",
        "(this one)",
        "The till is blue",
    ]


def test_other_memories_are_shown_by_their_beginning(call_memctl, chain):
    long = call_memctl("save", "word " * 10_000, "--json").json["id"]
    call_memctl("link", long, "part_of", chain[-1])
    shown = call_memctl("show", chain[-1]).stdout
    assert "is the target of 'part of' from" in shown
    assert max(map(len, shown.splitlines())) < 300


def test_a_text_is_cited_once_from_where_it_stands_now(call_memctl, tmp_path):
    note = tmp_path / "till.md"
    note.write_text("# Till\n\n- We decided to buy a till.\n\n- Anna prefers red tulips.\n")
    call_memctl("ingest", note)
    note.write_text("# Till\n\nNew.\n\n- We decided to buy a till.\n\n- Anna likes tea.\n")
    call_memctl("ingest", note)
    memories = call_memctl("list", "--type", "decision", "--json").json["memories"]
    [bought] = [memory["id"] for memory in memories]
    cited = call_memctl("show", bought).stdout.split("cited text:\n")[1:]
    assert cited == ["  | - We decided to buy a till.\n"]
    assert len(call_memctl("show", bought, "--json").json["passages"]) == 2
