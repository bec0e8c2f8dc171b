"""Taking files in with a language model: budgets, faults, what is known already, and the ledger.

The model is a server on loopback, behind the real LiteLLM.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fakes.openai_server import (
    OpenAiServer,
    ScriptedReply,
    answer,
    dropped,
    failure,
    hanging,
    memories,
)

from memctl.extraction.llm import LanguageModel

PARAGRAPHS = {
    "press": "The press in the yard belongs to Ilse Tarn, who bought it in Aarhus.",
    "kiln": "The kiln is fired with oak wood and needs nine hours to cool down.",
    "boat": "The boat named Skua has a draught of two metres and a blue hull.",
}


@pytest.fixture(scope="module")
def running_server() -> Iterator[OpenAiServer]:
    """The server, after one question: the first one of a process loads much of LiteLLM, for which
    the time limit of these tests is too short."""
    with OpenAiServer() as server:
        server.play(answer("hello"))
        model = LanguageModel("openai/fake", api_base=server.api_base, timeout_seconds=120)
        model.complete([{"role": "user", "content": "hello"}])
        yield server


@pytest.fixture
def server(running_server: OpenAiServer) -> OpenAiServer:
    running_server.play()
    running_server.respond = stating()
    return running_server


@pytest.fixture
def ingest(call_memctl, server) -> Callable[..., Any]:
    """Runs `memctl ingest --json` with the model and gives the result."""

    def run(*arguments, status: int | None = 0, **variables: str) -> Any:
        environment = {
            "MEMCTL_LLM_MODEL": "openai/fake",
            "MEMCTL_LLM_API_BASE": server.api_base,
            "MEMCTL_LLM_MAX_RETRIES": "0",
            "MEMCTL_LLM_TIMEOUT_SECONDS": "3",
            **{f"MEMCTL_{name}": value for name, value in variables.items()},
        }
        return call_memctl("ingest", *arguments, "--json", environment=environment, status=status)

    return run


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in PARAGRAPHS.items():
        (folder / f"{name}.md").write_text(text + "\n", encoding="utf-8")
    return folder


def asked_about(request: dict[str, Any]) -> list[str]:
    """The names of the paragraphs that a request holds, outside the known memories."""
    text = request["messages"][1]["content"]
    lines = [line for line in text.splitlines() if line.partition("|")[0].isdigit()]
    return [name for name in PARAGRAPHS if any(name in line for line in lines)]


def stating(**replies: ScriptedReply) -> Callable[[dict[str, Any]], ScriptedReply]:
    """Answers with the paragraph asked about as one statement, or with the reply given for it."""

    def respond(request: dict[str, Any]) -> ScriptedReply:
        names = asked_about(request)
        special = next((replies[name] for name in names if name in replies), None)
        return special or memories(*(PARAGRAPHS[name] for name in names))

    return respond


def questions(server: OpenAiServer) -> list[str]:
    return [name for request in server.requests for name in asked_about(request)]


def statuses(result: Any) -> dict[str, str]:
    return {
        document["path"].rpartition("/")[2].removesuffix(".md"): document["status"]
        for document in result.json["documents"]
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "status", "reason"),
    [
        (failure(429, retry_after="120"), "pending", "waiting"),
        (failure(500, "out of order"), "failed", "out of order"),
        (dropped(), "failed", "broke off"),
        (answer('{"memories": [{"content": "The bo'), "failed", "broke off before"),
        (answer("I'm sorry, but I can't help."), "failed", "I'm sorry, but I can't help."),
        (ScriptedReply(body=b'{"choices": [{"mess'), "failed", "its answer is no JSON"),
        (answer(""), "failed", "not usable"),
        (answer(None, refusal="I will not read this."), "quarantined", "refused"),
        (hanging(), "failed", "no answer came"),
    ],
    ids=[
        *("429", "500", "dropped", "half a JSON", "refusal in words", "half a reply"),
        *("empty", "refusal", "silence"),
    ],
)
def test_a_sick_document_says_so_and_holds_up_no_other_and_resumes(
    ingest, folder, server, reply, status, reason
):
    """Whatever the server does about one document, the others are stored in the same run, and the
    next one asks about that document alone."""
    server.respond = stating(boat=reply)
    result = ingest(folder, status=7)
    assert statuses(result) == {"boat": status, "kiln": "done", "press": "done"}
    sick = next(one for one in result.json["documents"] if "boat" in one["path"])
    assert reason in sick["reason"]
    [row] = ingest("--status", folder / "boat.md").json["documents"]
    assert (row["status"], row["chunks"], row["chunks_done"]) == (status, 1, 0)
    assert (row["next_attempt_at"] is None) == (status == "quarantined")

    server.play()
    server.respond = stating()
    again = ingest("--retry")
    assert statuses(again) == {"boat": "done"}
    assert questions(server) == ["boat"]


def test_a_quota_that_is_used_up_stops_all_questions(ingest, folder, server):
    """Nothing is asked after the provider said that nothing is left, and no document is blamed."""
    exhausted = failure(429, "You exceeded your current quota", code="insufficient_quota")
    server.respond = stating(boat=exhausted, kiln=exhausted, press=exhausted)
    result = ingest(folder, status=6, LLM_MAX_CONCURRENCY="1")
    assert set(statuses(result).values()) == {"pending"}
    assert len(server.requests) == 1
    assert {row["attempts"] for row in ingest("--status").json["documents"]} == {0}


def test_a_provider_that_is_down_is_not_asked_about_every_document(ingest, tmp_path, server):
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number}.md").write_text(f"The boat number {number} is blue.\n")
    server.respond = stating(boat=failure(503, "overloaded"))
    result = ingest(folder, status=6)
    assert len(server.requests) <= 5
    assert set(statuses(result).values()) == {"failed", "pending"}


def test_a_limit_of_calls_stops_cleanly_and_the_next_run_goes_on(ingest, folder, server):
    result = ingest(folder, "--max-calls", "1", status=7)
    assert sorted(statuses(result).values()) == ["done", "pending", "pending"]
    assert len(server.requests) == 1
    asked = questions(server)
    assert set(statuses(ingest(folder)).values()) == {"done"}
    assert sorted(questions(server)) == sorted(PARAGRAPHS)
    assert questions(server)[:1] == asked


@pytest.mark.slow
def test_several_questions_are_asked_at_a_time_and_receipts_keep_their_order(
    ingest, folder, server
):
    server.reply_delay_seconds = 0.3
    result = ingest(folder, LLM_MAX_CONCURRENCY="3", LLM_TIMEOUT_SECONDS="20")
    assert list(statuses(result)) == ["boat", "kiln", "press"]
    assert server.most_at_once >= 1
    assert len(server.requests) == 3


def test_an_estimate_asks_nothing_and_leaves_out_what_is_known(ingest, folder, server):
    estimate = ingest(folder, "--estimate").json
    assert (estimate["documents"], estimate["calls"]) == (3, 3)
    assert estimate["input_tokens"] > 300
    assert estimate["cost_usd"] is None
    assert server.requests == []
    ingest(folder / "kiln.md")
    assert ingest(folder, "--estimate").json["calls"] == 2


def test_a_document_is_given_up_after_its_last_attempt(ingest, folder, server):
    """Failures are counted; then the document costs nothing more until a retry asks for it."""
    server.respond = stating(boat=failure(500))
    first = ingest(folder / "boat.md", status=6, INGEST_MAX_ATTEMPTS="2")
    second = ingest(folder / "boat.md", status=6, INGEST_MAX_ATTEMPTS="2")
    assert [*statuses(first).values(), *statuses(second).values()] == ["failed", "quarantined"]
    asked = len(server.requests)
    third = ingest(folder / "boat.md", status=1, INGEST_MAX_ATTEMPTS="2")
    assert statuses(third) == {"boat": "quarantined"}
    assert len(server.requests) == asked
    server.respond = stating()
    assert statuses(ingest("--retry", folder)) == {"boat": "done"}


@pytest.mark.slow
def test_a_changed_file_asks_about_its_changed_parts_alone(ingest, tmp_path, server, call_memctl):
    """What the changed part had said is superseded by what it says now."""
    filler = "It stands in the second shed on the left side of the yard. " * 12
    page = tmp_path / "page.md"
    text = "\n\n".join(f"## {name}\n\n{PARAGRAPHS[name]} {filler}" for name in PARAGRAPHS)
    page.write_text(text)
    ingest(page, LLM_TIMEOUT_SECONDS="20", INGEST_CHUNK_TOKENS="64")
    server.play()
    newer = PARAGRAPHS["kiln"].replace("nine hours", "eleven hours")
    server.respond = stating(kiln=memories(newer))
    page.write_text(text.replace(PARAGRAPHS["kiln"], newer))
    [document] = ingest(page, LLM_TIMEOUT_SECONDS="20", INGEST_CHUNK_TOKENS="64").json["documents"]
    assert set(questions(server)) == {"kiln"}
    assert document["updated"] == 1
    listed = call_memctl("list", "--json").json["memories"]
    superseded = {one["content"]: one["superseded_by"] for one in listed}
    assert superseded[newer] is None
    assert superseded.get(PARAGRAPHS["kiln"]) is not None or PARAGRAPHS["kiln"] not in superseded


def relating(statement: str, kind: str, **details: Any) -> Callable[..., ScriptedReply]:
    """Says that the statement stands in this relation to the first memory that is offered."""

    def respond(request: dict[str, Any]) -> ScriptedReply:
        known = "K1:" in request["messages"][1]["content"]
        relation = {"kind": kind, "known": "K1"} if known else None
        return memories({"content": statement, "relation": relation, **details})

    return respond


def test_a_fact_that_only_repeats_a_memory_is_reported_and_not_stored(
    ingest, tmp_path, server, call_memctl
):
    call_memctl("save", "The kiln needs nine hours to cool down.")
    (tmp_path / "kiln.md").write_text("Cooling the kiln takes nine hours.\n")
    server.respond = relating("Cooling down takes the kiln nine hours.", "repeats")
    [document] = ingest(tmp_path / "kiln.md").json["documents"]
    assert document["unchanged"] == 1
    assert len(call_memctl("list", "--json").json["memories"]) == 1
    assert call_memctl("status", "--json").json["documents"] == {"done": 1}


def test_a_model_that_takes_another_value_for_a_repetition_is_not_believed(
    ingest, tmp_path, server, call_memctl
):
    call_memctl("save", "The router is at 192.168.7.1.")
    (tmp_path / "net.md").write_text("The router is at 192.168.9.1.\n")
    server.respond = relating("The router is at 192.168.9.1.", "repeats")
    [document] = ingest(tmp_path / "net.md").json["documents"]
    assert document["unchanged"] == 0
    contents = [one["content"] for one in call_memctl("list", "--json").json["memories"]]
    assert "The router is at 192.168.9.1." in contents


def test_a_model_may_say_that_a_text_contradicts_a_memory_but_takes_no_place(
    ingest, tmp_path, server, call_memctl
):
    """Without a known order a file puts nothing out of its place, whatever the model says."""
    saved = call_memctl("save", "Ilse keeps the press in the yard.", "--json").json["id"]
    (tmp_path / "press.md").write_text("Ilse keeps the press in the barn, says Tom.\n")
    server.respond = relating("Ilse has put the press into the barn.", "updates")
    [document] = ingest(tmp_path / "press.md").json["documents"]
    [new] = document["memories"]
    shown = json.loads(call_memctl("show", saved, "--json").stdout)
    memory = shown["memories"][0] if "memories" in shown else shown
    assert memory["superseded_by"] is None
    relations = {edge["relation_type"] for edge in memory["associations"]}
    assert "contradicts" in relations
    assert new != saved


@pytest.mark.slow
def test_status_says_what_the_model_has_cost(ingest, folder, call_memctl):
    ingest(folder)
    status = call_memctl("status", "--json").json
    assert status["usage"]["input_tokens"] == 300
    assert status["last_model_run"]["calls"] == 3
    assert "3 model calls" in call_memctl("status").stdout


@pytest.mark.parametrize(
    ("variables", "status", "step", "has_next"),
    [
        ({"MEMCTL_LLM_API_BASE": "http://127.0.0.1:9/v1"}, 6, "Start its server", True),
        ({}, 3, "Set the provider's key in the environment", False),
    ],
    ids=["nobody answers", "no key"],
)
def test_a_model_that_cannot_be_asked_at_all_is_told_with_a_next_step(
    call_memctl, folder, variables, status, step, has_next
):
    """Once, whatever the number of files, with the way to the built-in rules. Where waiting cures
    nothing none is announced, and the files are taken in as soon as the model is another."""
    environment = {"MEMCTL_LLM_MODEL": "openai/gpt-5-mini", "OPENAI_API_KEY": "", **variables}
    shown = call_memctl("ingest", folder, environment=environment, status=status)
    assert shown.stderr.count(step) == 1
    assert "`memctl config unset llm.model`" in shown.stderr
    assert "3 not taken in: 3 waiting" in shown.stderr
    assert "model call" not in shown.stderr
    rows = call_memctl("ingest", "--status", "--json").json["documents"]
    assert {row["next_attempt_at"] is not None for row in rows} == {has_next}
    assert len(call_memctl("ingest", folder, "--json").json["documents"]) == 3
    assert len(call_memctl("list", "--json").json["memories"]) == 3
