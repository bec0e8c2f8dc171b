"""memctl stats, on a terminal and in a pipe."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from memctl.cli.commands.stats_command import BINS, count_by_bin, count_by_week, last_mondays


def fill(call_memctl) -> None:
    rows = [
        {
            "id": "00000000-0000-4000-8000-000000000001",
            "content": "old",
            "memory_type": "fact",
            "created_at": "2020-01-01T00:00:00Z",
        },
        {"content": "a", "memory_type": "goal", "importance": 1.0, "tags": ["x", "y"]},
        {"content": "b", "memory_type": "goal", "importance": 0.0, "tags": ["x"]},
    ]
    call_memctl("import", "-", stdin="\n".join(map(json.dumps, rows)))


def test_every_live_memory_is_counted_once_in_every_chart(call_memctl) -> None:
    fill(call_memctl)
    document = call_memctl("stats", "--json").json
    assert document["memories"] == 3
    assert document["by_type"] == {"goal": 2, "fact": 1}
    assert sum(one["memories"] for one in document["by_importance"]) == 3
    assert sum(document["by_origin"].values()) == 3
    assert document["tags"] == [{"tag": "x", "memories": 2}, {"tag": "y", "memories": 1}]
    assert [one["saved"] for one in document["by_week"]] == [0] * 11 + [2]
    now, *later = document["forecast"]
    assert (now["days"], now["below"]) == (0, 2), "the old one has faded already"
    assert later[-1]["mean_importance"] < now["mean_importance"]


def test_forgotten_memories_count_no_more(call_memctl) -> None:
    saved = call_memctl("save", "x y z", "--json").json["id"]
    call_memctl("forget", saved)
    figures = call_memctl("stats", "--json").json
    assert figures["memories"] == 0
    assert sum(one["saved"] for one in figures["by_week"]) == 0
    assert "no memories" in call_memctl("stats", "--store", "elsewhere").stderr


def test_a_terminal_gets_charts_and_a_pipe_gets_lines(call_memctl) -> None:
    fill(call_memctl)
    lines = call_memctl("stats", "--weeks", "1").stdout.splitlines()
    assert lines[:2] == ["type\tgoal\t2", "type\tfact\t1"]
    assert all(line.count("\t") == 2 for line in lines)
    shown = call_memctl("stats", environment={"FORCE_COLOR": "1", "COLUMNS": "40"}).stdout
    assert "By type\n  goal  2  ██" in shown
    bars = [line for line in shown.splitlines() if line.startswith("  ")]
    assert max(map(len, bars)) <= 40


@given(st.dates(date(1, 6, 1)), st.integers(1, 20))
def test_the_weeks_end_with_this_one(today: date, weeks: int) -> None:
    mondays = last_mondays(today, weeks)
    assert len(mondays) == weeks
    assert all(monday.weekday() == 0 for monday in mondays)
    assert 0 <= (today - mondays[-1]).days < 7


@given(st.lists(st.floats(0, 1)))
def test_every_importance_lies_in_one_tenth(importances: list[float]) -> None:
    assert sum(count_by_bin(importances)) == len(importances)
    for number in range(BINS):
        assert count_by_bin([number / BINS])[number] == 1


def test_a_moment_counts_in_its_week() -> None:
    mondays = last_mondays(date(2026, 3, 4), 2)
    moments = [datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 1, 23, tzinfo=UTC)]
    assert list(count_by_week(moments, mondays).values()) == [1, 1]
