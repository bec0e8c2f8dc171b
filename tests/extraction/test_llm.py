"""The language model through the real LiteLLM, over loopback."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.openai_server import (
    OpenAiServer,
    ScriptedReply,
    answer,
    dripping,
    dropped,
    failure,
    hanging,
    json_reply,
)

import memctl
from memctl.document import Usage
from memctl.errors import (
    ExitCode,
    LanguageModelError,
    LanguageModelExhaustedError,
    LanguageModelFaultError,
    LanguageModelRefusedError,
    LanguageModelThrottledError,
    LanguageModelTooLongError,
)
from memctl.extraction.llm import LanguageModel
from memctl.extraction.llm_errors import MissingKeyError, UnreachableModelError

MESSAGES = [{"role": "user", "content": "How many beacons are there?"}]
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.fixture(scope="module")
def running_server() -> Iterator[OpenAiServer]:
    with OpenAiServer() as server:
        yield server


@pytest.fixture
def server(running_server: OpenAiServer) -> OpenAiServer:
    running_server.play()
    return running_server


class Pauses(list):
    """Stands for time.sleep and keeps what it was asked for."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
def model(server: OpenAiServer, pauses: Pauses) -> LanguageModel:
    return LanguageModel(
        "openai/fake", api_base=server.api_base, timeout_seconds=5, max_retries=2, sleep=pauses
    )


def test_an_answer_comes_with_its_usage(server, model):
    server.play(answer("seven"))

    completion = model.complete(MESSAGES)

    assert completion.text == "seven"
    assert not completion.truncated
    assert completion.usage == Usage(calls=1, input_tokens=100, output_tokens=20, cost_usd=0.0)
    request = server.requests[0]
    assert request["path"] == "/v1/chat/completions"
    assert request["model"] == "fake"
    assert request["messages"] == MESSAGES
    assert request["temperature"] == 0.0
    assert request["max_tokens"] == 2_048
    assert "response_format" not in request


def test_the_price_is_known_for_models_that_litellm_lists(server, pauses):
    server.play(answer("seven", tokens=(1_000, 1_000)))
    model = LanguageModel("openai/gpt-4o-mini", api_base=server.api_base, sleep=pauses)

    assert model.complete(MESSAGES).usage.cost_usd == pytest.approx(0.00075)


def test_usage_adds_up_over_questions(server, model):
    server.play(answer("a"), failure(500), answer("b"))

    model.complete(MESSAGES)
    second = model.complete(MESSAGES)

    assert second.usage.calls == 2
    assert model.usage == Usage(calls=3, input_tokens=200, output_tokens=40)


def test_a_schema_is_sent_as_a_strict_json_schema(server, model):
    server.play(answer('{"n": 7}'))

    model.complete(MESSAGES, schema=SCHEMA)

    response_format = server.requests[0]["response_format"]
    assert response_format["type"] == "json_schema"
    assert response_format["json_schema"]["schema"] == SCHEMA
    assert response_format["json_schema"]["strict"] is True


def test_a_provider_without_json_schema_is_asked_for_less_and_remembered(server, model, pauses):
    server.play(
        failure(400, "response_format.type json_schema is unavailable now"),
        failure(400, "'response_format.type' must be 'text'"),
        answer("{}"),
        answer("{}"),
    )

    model.complete(MESSAGES, schema=SCHEMA)
    model.complete(MESSAGES, schema=SCHEMA)

    formats = [request.get("response_format", {}).get("type") for request in server.requests]
    assert formats == ["json_schema", "json_object", None, None]
    assert pauses == []


@pytest.mark.parametrize("sick", [failure(500), failure(503), dropped(), ScriptedReply(body=b"{x")])
def test_a_transient_error_is_asked_again_after_growing_pauses(server, model, pauses, sick):
    server.play(sick, sick, answer("seven"))

    assert model.complete(MESSAGES).text == "seven"
    assert pauses == [1.0, 2.0]


def test_retries_are_bounded(server, model, pauses):
    server.play(*[failure(500, "boom")] * 5)

    with pytest.raises(LanguageModelError, match="boom") as caught:
        model.complete(MESSAGES)

    assert len(server.requests) == 3
    assert caught.value.data["usage"].calls == 3
    assert not isinstance(caught.value, LanguageModelThrottledError)


def test_a_server_that_says_nothing_is_given_up(server, pauses):
    server.play(hanging())
    model = LanguageModel(
        "openai/fake", api_base=server.api_base, timeout_seconds=0.3, max_retries=0, sleep=pauses
    )

    with pytest.raises(LanguageModelError, match=r"no answer came from http\S+ within 0\.3 s"):
        model.complete(MESSAGES)


def test_a_refused_connection_names_the_address(pauses):
    model = LanguageModel(
        "openai/fake", api_base="http://127.0.0.1:9/v1", max_retries=1, sleep=pauses
    )

    with pytest.raises(LanguageModelError) as caught:
        model.complete(MESSAGES)

    assert "no connection to http://127.0.0.1:9/v1: Connection refused" in str(caught.value)
    assert "llm.api_base" in caught.value.next_step
    assert pauses == [1.0]


def test_a_connection_that_keeps_breaking_off_is_told_so(server, model):
    server.play(*[dropped()] * 3)

    with pytest.raises(LanguageModelError, match=r"the connection to http\S+ broke off"):
        model.complete(MESSAGES)


def test_retry_after_is_waited_for(server, model, pauses):
    server.play(
        failure(429, "slow down", code="rate_limit_exceeded", retry_after="7"), answer("ok")
    )

    assert model.complete(MESSAGES).text == "ok"
    assert pauses == [7.0]


def test_throttling_without_a_hint_backs_off_and_then_says_so(server, model, pauses):
    server.play(*[failure(429, "slow down")] * 5)

    with pytest.raises(LanguageModelThrottledError, match="slow down") as caught:
        model.complete(MESSAGES)

    assert pauses == [1.0, 2.0]
    assert caught.value.data["retry_after_seconds"] is None


def test_a_wait_beyond_the_bound_is_left_to_the_caller(server, model, pauses):
    server.play(failure(429, "come back tomorrow", retry_after="86400"))

    with pytest.raises(LanguageModelThrottledError) as caught:
        model.complete(MESSAGES)

    assert pauses == []
    assert caught.value.data["retry_after_seconds"] == 86_400


def test_waits_for_a_throttling_provider_are_bounded_together(server, pauses):
    server.play(*[failure(429, "slow down", retry_after="40")] * 5)
    model = LanguageModel(
        "openai/fake",
        api_base=server.api_base,
        max_retries=9,
        throttle_wait_seconds=90,
        sleep=pauses,
    )

    with pytest.raises(LanguageModelThrottledError):
        model.complete(MESSAGES)

    assert pauses == [40.0, 40.0]


@pytest.mark.parametrize(
    "reply",
    [
        failure(429, "You exceeded your current quota, please check", code="insufficient_quota"),
        failure(402, "Payment required"),
        failure(400, "Your credit balance is too low to access the API"),
        failure(429, "billing hard limit has been reached", code="billing_hard_limit_reached"),
    ],
)
def test_a_used_up_account_stops_at_once(server, model, pauses, reply):
    server.play(reply)

    with pytest.raises(LanguageModelExhaustedError) as caught:
        model.complete(MESSAGES)

    assert len(server.requests) == 1
    assert pauses == []
    assert "billing" in caught.value.next_step


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_stops_at_once_and_points_at_the_key(server, model, pauses, status):
    server.play(failure(status, "Incorrect API key provided", code="invalid_api_key"))

    with pytest.raises(LanguageModelError, match="Incorrect API key") as caught:
        model.complete(MESSAGES)

    assert len(server.requests) == 1
    assert "key in the environment" in caught.value.next_step


def test_a_key_that_the_provider_repeats_is_not_shown(server, model):
    key = "sk-" + "proj-" + "Ab3" * 16
    server.play(failure(401, f"Incorrect API key provided: {key}"))

    with pytest.raises(LanguageModelError) as caught:
        model.complete(MESSAGES)

    assert key not in str(caught.value)


def test_an_unknown_model_stops_at_once(server, model):
    server.play(failure(404, "The model `fake` does not exist", code="model_not_found"))

    with pytest.raises(LanguageModelError, match="does not exist"):
        model.complete(MESSAGES)

    assert len(server.requests) == 1


def test_a_model_name_without_provider_is_explained(pauses):
    with pytest.raises(LanguageModelError, match="provider"):
        LanguageModel("nonsense", sleep=pauses).complete(MESSAGES)


@pytest.mark.parametrize(
    "reply",
    [
        failure(400, "This model's maximum context length is 4096", code="context_length_exceeded"),
        failure(400, "the request exceeds the available context size. try increasing it"),
        failure(413, "Request Entity Too Large"),
    ],
)
def test_a_text_beyond_the_context_is_told_apart(server, model, reply):
    server.play(reply)

    with pytest.raises(LanguageModelTooLongError):
        model.complete(MESSAGES)

    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        answer(None, refusal="I cannot help with that."),
        answer("", finish_reason="content_filter"),
        failure(400, "The response was filtered by the content management policy"),
    ],
)
def test_a_refusal_is_an_error_that_says_so(server, model, reply):
    server.play(reply)

    with pytest.raises(LanguageModelRefusedError) as caught:
        model.complete(MESSAGES)

    assert "refus" in str(caught.value) or "filter" in str(caught.value)
    assert len(server.requests) == 1


def test_an_answer_at_the_output_limit_is_marked(server, model):
    server.play(answer("half of an ans", finish_reason="length"))

    assert model.complete(MESSAGES).truncated


def test_a_reply_without_choices_is_an_empty_answer(server, model):
    server.play(json_reply({"id": "x", "object": "chat.completion", "choices": []}))

    assert model.complete(MESSAGES).text == ""


def test_a_key_of_the_environment_is_used_and_none_is_needed_for_a_server_of_ones_own(
    server, pauses, monkeypatch
):
    server.play(answer("a"), answer("b"))
    LanguageModel("openai/fake", api_base=server.api_base, sleep=pauses).complete(MESSAGES)
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    LanguageModel("openai/fake", api_base=server.api_base, sleep=pauses).complete(MESSAGES)

    keys = [headers["authorization"] for headers in server.request_headers]
    assert keys == ["Bearer none", "Bearer from-the-environment"]


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openai/gpt-4o-mini", "OPENAI_API_KEY"),
        ("anthropic/claude-3-5-haiku-20241022", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-2.0-flash", "GEMINI_API_KEY"),
        ("azure/gpt4", "AZURE_API_KEY"),
    ],
)
def test_a_missing_key_for_a_hosted_model_is_a_matter_of_configuration(
    pauses, monkeypatch, name, variable
):
    """It is said at once, with the variable and the way without one, and nobody was asked."""
    for one in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(one, raising=False)
    with pytest.raises(MissingKeyError, match=f"{variable}.* is not set") as caught:
        LanguageModel(name, sleep=pauses).complete(MESSAGES)

    assert caught.value.exit_code is ExitCode.CONFIGURATION
    assert "llm.model" in caught.value.next_step
    assert caught.value.data["usage"] == Usage()
    assert pauses == []


def test_a_server_of_ones_own_that_wants_a_key_says_so_and_the_variable_is_named(server, model):
    server.play(failure(401, "This server wants a key"))
    with pytest.raises(MissingKeyError, match=r"wants a key \(OPENAI_API_KEY is not set\)"):
        model.complete(MESSAGES)


def test_a_refused_connection_is_tried_again_once_and_by_the_first_question_alone(pauses):
    """Nobody was asked, so that no call is counted, and a budget counts a question once."""
    begun: list[Usage] = []
    model = LanguageModel(
        "openai/fake", api_base="http://127.0.0.1:9/v1", sleep=pauses, before_call=begun.append
    )
    for _ in range(3):
        with pytest.raises(UnreachableModelError) as caught:
            model.complete(MESSAGES)
        assert "Start its server" in caught.value.next_step
    assert pauses == [1.0]
    assert model.usage == Usage()
    assert begun == [Usage()] * 3


def test_a_budget_can_stop_before_a_request(server, pauses):
    class SpentError(Exception):
        pass

    def stop_after_two(usage: Usage) -> None:
        if usage.calls >= 2:
            raise SpentError

    server.play(answer("a"), failure(500), answer("c"))
    model = LanguageModel(
        "openai/fake", api_base=server.api_base, sleep=pauses, before_call=stop_after_two
    )
    model.complete(MESSAGES)

    with pytest.raises(SpentError):
        model.complete(MESSAGES)

    assert len(server.requests) == 2


def test_no_more_calls_run_at_once_than_allowed(server, pauses):
    server.play(*[answer("ok")] * 6)
    server.reply_delay_seconds = 0.05
    model = LanguageModel("openai/fake", api_base=server.api_base, max_concurrency=2, sleep=pauses)
    threads = [threading.Thread(target=model.complete, args=(MESSAGES,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)

    assert len(server.requests) == 6
    assert server.most_at_once == 2
    assert model.usage.calls == 6


@pytest.mark.slow
def test_nothing_is_printed_and_no_env_file_is_read(server, tmp_path: Path):
    """A process of its own, because pytest replaces streams and LiteLLM is loaded once."""
    server.play(failure(500, "boom"), failure(401, "bad key"))
    (tmp_path / ".env").write_text("OPENAI_API_KEY=from-a-file\n", encoding="utf-8")
    program = textwrap.dedent(
        f"""
        from memctl.errors import LanguageModelError
        from memctl.extraction.llm import LanguageModel
        model = LanguageModel("openai/fake", api_base={server.api_base!r}, sleep=lambda _: None)
        try:
            model.complete([dict(role="user", content="hello")])
        except LanguageModelError as error:
            assert "bad key" in str(error), error
        """
    )
    package_folder = Path(memctl.__file__).parents[1]
    guard = Path(__file__).parents[1] / "network_guard"
    names = ("PATH", "HOME", "REFUSED_CONNECTIONS_LOG")
    environment = {name: os.environ[name] for name in names if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join([str(guard), str(package_folder)])
    finished = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")
    assert server.request_headers[0]["authorization"] == "Bearer none"


def test_litellm_is_not_loaded_before_the_first_question():
    program = (
        "import sys; from memctl.extraction.llm import LanguageModel; LanguageModel('openai/x'); "
        "assert 'litellm' not in sys.modules"
    )
    package_folder = Path(memctl.__file__).parents[1]
    subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(package_folder)},
        check=True,
        timeout=30,
    )


def test_the_time_limit_holds_for_an_answer_that_drips_in(server):
    """Every byte comes in time, and the answer as a whole does not."""
    server.play(dripping(answer("late"), 0.05))
    model = LanguageModel("openai/fake", api_base=server.api_base, timeout_seconds=1, max_retries=0)
    started = time.monotonic()
    with pytest.raises(LanguageModelFaultError, match="no answer came"):
        model.complete([{"role": "user", "content": "?"}])
    assert time.monotonic() - started < 8
