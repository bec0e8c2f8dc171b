"""Typing by a language model: what is asked, what its answer changes, and what it may not."""

from __future__ import annotations

import json
import re

import pytest
from fakes.openai_server import OpenAiServer, answer, failure

MEMORY = """\
# Notes

## Decisions
- The gate stays shut in winter.

## Mill
- The gate squeaks when it rains.
- The new stone came from the north.
"""


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "MEMORY.md").write_text(MEMORY)
    (folder / "USER.md").write_text("- **Name:** Odile Testwright\n")
    return folder


def types_reply(request):
    """Types each statement by its words."""
    text = request["messages"][-1]["content"]
    rows = [
        {"statement": int(number), "type": "event" if "came" in said else "observation"}
        for number, said in re.findall(r"^(\d+)\. (.*)$", text, re.MULTILINE)
    ]
    return answer(json.dumps({"statements": rows}))


def environment(server):
    return {
        "MEMCTL_LLM_MODEL": "openai/fake",
        "MEMCTL_LLM_API_BASE": server.api_base,
        "MEMCTL_LLM_MAX_RETRIES": "0",
    }


def types_by_words(call_memctl):
    found = call_memctl("list", "--json").json["memories"]
    return {one["content"]: one["memory_type"] for one in found}


@pytest.mark.slow
def test_the_model_types_what_nothing_marks(call_memctl, workspace):
    """A heading and a profile file know better; a second run asks nothing."""
    with OpenAiServer() as server:
        server.respond = types_reply
        arguments = ("migrate-openclaw", workspace, "--llm", "--json")
        call_memctl(*arguments, environment=environment(server))
        asked = len(server.requests)
        call_memctl(*arguments, environment=environment(server))
        assert asked == len(server.requests) == 1
        assert "Odile" not in json.dumps(server.requests[0])
        assert "stays shut" not in json.dumps(server.requests[0])
    assert types_by_words(call_memctl) == {
        "The gate stays shut in winter.": "decision",
        "Mill — The gate squeaks when it rains.": "observation",
        "Mill — The new stone came from the north.": "event",
        "User — Name: Odile Testwright": "identity",
    }


@pytest.mark.slow
def test_a_model_that_fails_leaves_the_rules_word(call_memctl, workspace):
    with OpenAiServer() as server:
        server.script = [failure(500, "out of order")]
        arguments = ("migrate-openclaw", workspace, "--llm")
        result = call_memctl(*arguments, environment=environment(server))
    assert "the built-in rules type the rest" in result.stderr
    assert "Traceback" not in result.stderr
    assert len(types_by_words(call_memctl)) == 4


def test_without_a_configured_model_it_is_refused(call_memctl, workspace):
    result = call_memctl("migrate-openclaw", workspace, "--llm", status=3)
    assert "llm.model" in result.stderr
    assert types_by_words(call_memctl) == {}
