"""Times of a transcript's messages, checked for sense."""

from __future__ import annotations

import json

import pytest

from memctl.migration.session_log import read_session_log


@pytest.mark.parametrize(
    "timestamp", [5, 1e30, -1, "yesterday", "1970-01-01T00:00:00Z", True, None]
)
def test_a_time_that_makes_no_sense_is_none(timestamp):
    line = {"type": "message", "timestamp": timestamp, "message": {"role": "user", "content": "a"}}
    [said] = read_session_log(json.dumps(line)).utterances
    assert said.said_at is None


def test_milliseconds_and_text_give_the_same_instant():
    lines = [
        {"timestamp": stamp, "message": {"role": "user", "content": "a"}}
        for stamp in (1_772_445_600_000, "2026-03-02T10:00:00Z")
    ]
    first, second = read_session_log("\n".join(map(json.dumps, lines))).utterances
    assert first.said_at == second.said_at
