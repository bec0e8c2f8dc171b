"""The language model behind LiteLLM: one question, one answer, with retries and a tally.

LiteLLM is loaded at the first question and is kept from fetching anything by itself and from
writing to the terminal. Transient errors are asked again, throttling is waited out up to a bound,
and what stays an error says what to do. Nothing here may be called inside a transaction.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from memctl.document import Usage
from memctl.errors import (
    LanguageModelError,
    LanguageModelExhaustedError,
    LanguageModelFaultError,
    LanguageModelRefusedError,
    LanguageModelThrottledError,
    LanguageModelTooLongError,
)
from memctl.extraction.background import run_within
from memctl.extraction.llm_errors import MissingKeyError, UnreachableModelError
from memctl.extraction.llm_failures import Failure, FailureKind, classify
from memctl.extraction.llm_patience import THROTTLE_WAIT_SECONDS, Patience
from memctl.extraction.prompt import Message
from memctl.extraction.redaction import redact

PLACEHOLDER_KEY = "none"
"""Sent to a server of one's own where no key is set: OpenAI's client refuses to go without."""

LIBRARY_SWITCHES = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_MODE": "PRODUCTION",
}
"""LiteLLM reads these while it is imported, so they are set before: no price list or other file is
fetched, and no ``.env`` of a parent folder is loaded, which could name another server or key."""

_BROKEN_CONNECTION = "Connection error."
"""All that OpenAI's client says when a connection ends before the answer does."""

FORBIDDEN = 403
"""The status of who is known and may not: no key would be another one's."""

_LIBRARY_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")

_ERRORS: dict[FailureKind, type[LanguageModelError]] = {
    FailureKind.TRANSIENT: LanguageModelFaultError,
    FailureKind.SLOW: LanguageModelFaultError,
    FailureKind.THROTTLED: LanguageModelThrottledError,
    FailureKind.EXHAUSTED: LanguageModelExhaustedError,
    FailureKind.TOO_LONG: LanguageModelTooLongError,
    FailureKind.REFUSED: LanguageModelRefusedError,
    FailureKind.UNREACHABLE: UnreachableModelError,
    FailureKind.NO_KEY: MissingKeyError,
}


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer. ``truncated``: it broke off at the output limit. ``usage``: of all its tries."""

    text: str
    truncated: bool
    usage: Usage


class LanguageModel:
    """A configured model. May be used from several threads."""

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        timeout_seconds: float = 120.0,
        max_retries: int = 3,
        temperature: float | None = 0.0,
        max_output_tokens: int = 2_048,
        max_concurrency: int = 2,
        throttle_wait_seconds: float = THROTTLE_WAIT_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
        before_call: Callable[[Usage], None] | None = None,
    ) -> None:
        """``model`` is LiteLLM's name, such as ``openai/gpt-5-mini`` or ``ollama_chat/llama3.2``.

        ``before_call`` gets the usage of all questions so far before each request; what it raises
        reaches the caller and the request is not sent. Keys come from the provider's variables.
        """
        self.name = model
        self.max_output_tokens = max_output_tokens
        self._api_base = api_base
        self._timeout_seconds = timeout_seconds
        self._max_retries = max_retries
        self._temperature = temperature
        self._throttle_wait_seconds = throttle_wait_seconds
        self._sleep = sleep
        self._before_call = before_call
        self._slots = threading.BoundedSemaphore(max_concurrency)
        self._lock = threading.RLock()
        self._usage = Usage()
        self._refused_formats: set[str] = set()
        self._is_unreachable = False

    @property
    def usage(self) -> Usage:
        """What all questions have cost so far, failed ones included."""
        return self._usage

    def price(self, input_tokens: int, output_tokens: int) -> float | None:
        """Dollars for so many tokens by LiteLLM's own list; None for a model that is not on it."""
        prices = self._litellm.model_cost
        known = prices.get(self.name) or prices.get(self.name.partition("/")[2])
        if not known or "input_cost_per_token" not in known:
            return None
        per_input = float(known.get("input_cost_per_token") or 0.0)
        per_output = float(known.get("output_cost_per_token") or 0.0)
        return input_tokens * per_input + output_tokens * per_output

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, object] | None = None,
        max_output_tokens: int | None = None,
    ) -> Completion:
        """Asks one question and gives the answer's text.

        With a ``schema`` the answer is held to it where the provider can do that; elsewhere it
        is whatever the model wrote. Raises LanguageModelError and its kinds, with what was spent
        in ``data["usage"]``.
        """
        spent: list[Usage] = []
        limit = max_output_tokens or self.max_output_tokens
        try:
            with self._slots:
                response = self._ask(list(messages), schema, limit, spent)
            return self._completion(response, spent)
        except LanguageModelError as error:
            error.data["usage"] = sum_usage(spent)
            raise

    def _ask(
        self,
        messages: list[Message],
        schema: Mapping[str, object] | None,
        max_output_tokens: int,
        spent: list[Usage],
    ) -> Any:
        """LiteLLM's response to the first try that succeeds."""
        patience = Patience(
            max_retries=self._max_retries, throttle_wait_seconds=self._throttle_wait_seconds
        )
        is_announced = False
        while True:
            if self._before_call is not None and not is_announced:
                self._before_call(self.usage)
            response_format = self._response_format(schema)
            answer = self._send(messages, response_format, max_output_tokens)
            self._count(answer, spent)
            if not isinstance(answer, Failure):
                self._is_unreachable = False
                return answer
            is_announced = not answer.was_asked
            if answer.kind is FailureKind.FORMAT and response_format is not None:
                self._refused_formats.add(str(response_format["type"]))
                continue
            is_unreachable = answer.kind is FailureKind.UNREACHABLE
            # What one question has tried again in vain is not tried again by the next ones.
            is_known = is_unreachable and self._is_unreachable
            pause = None if is_known else patience.pause_seconds(answer)
            if pause is None:
                self._is_unreachable = is_unreachable
                raise self._error(answer)
            self._sleep(pause)

    def _response_format(self, schema: Mapping[str, object] | None) -> dict[str, object] | None:
        """The strictest format that this provider has not refused yet."""
        if schema is None:
            return None
        if "json_schema" not in self._refused_formats:
            named = {"name": "answer", "schema": dict(schema), "strict": True}
            return {"type": "json_schema", "json_schema": named}
        if "json_object" not in self._refused_formats:
            return {"type": "json_object"}
        return None

    def _send(
        self,
        messages: list[Message],
        response_format: dict[str, object] | None,
        max_output_tokens: int,
    ) -> Any:
        """One request: LiteLLM's response, or what went wrong as a Failure.

        LiteLLM's own time-out is for each read of the connection, so an answer that drips would
        never be given up; the call as a whole gets the same time.
        """
        litellm = self._litellm
        call = partial(
            litellm.completion,
            model=self.name,
            messages=messages,
            api_base=self._api_base,
            api_key=self._api_key,
            timeout=self._timeout_seconds,
            temperature=self._temperature,
            max_tokens=max_output_tokens,
            response_format=response_format,
            max_retries=0,
            num_retries=0,
            drop_params=True,
        )
        try:
            return run_within(self._timeout_seconds, call)
        except TimeoutError:
            return self._no_answer()
        except (*litellm.LITELLM_EXCEPTION_TYPES, ImportError) as error:
            return self._failure(error)

    def _no_answer(self) -> Failure:
        place = self._api_base or "the provider"
        reason = f"no answer came from {place} within {self._timeout_seconds:g} s"
        return Failure(FailureKind.SLOW, reason)

    def _failure(self, error: Exception) -> Failure:
        status = getattr(error, "status_code", None)
        body = getattr(error, "body", None)
        body = body if isinstance(body, Mapping) else {}
        headers = getattr(error, "litellm_response_headers", None) or {}
        message = str(body.get("message") or getattr(error, "message", "") or error)
        root = _root_cause(error)
        if isinstance(error, ImportError):
            return Failure(FailureKind.INVALID, message)
        place = self._api_base or "the provider"
        if isinstance(error, self._litellm.Timeout):
            return self._no_answer()
        if isinstance(root, OSError):
            reason = f"no connection to {place}: {root.strerror or type(root).__name__}"
            is_unreachable = isinstance(root, ConnectionRefusedError | socket.gaierror)
            kind = FailureKind.UNREACHABLE if is_unreachable else FailureKind.TRANSIENT
            return Failure(kind, reason, was_asked=not is_unreachable)
        if message.endswith(_BROKEN_CONNECTION):
            return Failure(FailureKind.TRANSIENT, f"the connection to {place} broke off")
        failure = classify(
            status=status if isinstance(status, int) else None,
            code=f"{body.get('code') or ''} {body.get('type') or ''}",
            message=message,
            headers={name.lower(): value for name, value in dict(headers).items()},
            is_too_long=isinstance(error, self._litellm.ContextWindowExceededError),
        )
        reason = redact(failure.reason).text
        if failure.kind is FailureKind.DENIED and status != FORBIDDEN and self._missing_variables:
            missing = f"{' or '.join(self._missing_variables)} is not set"
            said = missing if self._api_base is None else f"{reason} ({missing})"
            # Without an address of its own LiteLLM finds out before it asks.
            return Failure(FailureKind.NO_KEY, said, was_asked=self._api_base is not None)
        return Failure(failure.kind, reason, failure.retry_after_seconds)

    def _error(self, failure: Failure) -> LanguageModelError:
        kind = _ERRORS.get(failure.kind, LanguageModelError)
        return kind(
            model=self.name,
            why=failure.reason,
            retry_after_seconds=failure.retry_after_seconds,
        )

    def _count(self, answer: Any, spent: list[Usage]) -> None:
        usage = _usage_of(answer)
        spent.append(usage)
        with self._lock:
            self._usage = sum_usage([self._usage, usage])

    def _completion(self, response: Any, spent: list[Usage]) -> Completion:
        choices = response.choices
        message = choices[0].message if choices else None
        finish_reason = choices[0].finish_reason if choices else None
        refusal = getattr(message, "refusal", None)
        text = getattr(message, "content", None) or ""
        if refusal or (finish_reason == "content_filter" and not text.strip()):
            reason = str(refusal) if refusal else "its provider's content filter held the answer"
            failure = Failure(FailureKind.REFUSED, f"it refused: {' '.join(reason.split())[:200]}")
            raise self._error(failure)
        return Completion(text, finish_reason == "length", sum_usage(spent))

    @cached_property
    def _litellm(self) -> Any:
        with self._lock:
            return _load_litellm()

    @cached_property
    def _api_key(self) -> str | None:
        """None lets LiteLLM take the provider's own variable."""
        if self._api_base is None:
            return None
        return PLACEHOLDER_KEY if self._missing_variables else None

    @cached_property
    def _missing_variables(self) -> tuple[str, ...]:
        """The variables of which the provider needs one or all, where they are not set."""
        found = self._litellm.validate_environment(self.name)
        return () if found["keys_in_environment"] else tuple(found["missing_keys"])


def sum_usage(parts: Sequence[Usage]) -> Usage:
    """What several questions or tries cost together."""
    return Usage(
        calls=sum(part.calls for part in parts),
        input_tokens=sum(part.input_tokens for part in parts),
        output_tokens=sum(part.output_tokens for part in parts),
        cost_usd=sum(part.cost_usd for part in parts),
    )


def _usage_of(response: Any) -> Usage:
    """Tokens as the provider counts them, and LiteLLM's price for them where it knows one. Where
    nobody was reached, nobody was asked."""
    if isinstance(response, Failure):
        return Usage(calls=int(response.was_asked))
    counted = getattr(response, "usage", None)
    # Every response carries this mapping; its name has the underscore in LiteLLM's manual too.
    cost = getattr(response, "_hidden_params", {}).get("response_cost")
    return Usage(
        calls=1,
        input_tokens=int(getattr(counted, "prompt_tokens", 0) or 0),
        output_tokens=int(getattr(counted, "completion_tokens", 0) or 0),
        cost_usd=float(cost or 0.0),
    )


def _root_cause(error: BaseException) -> BaseException:
    seen = {id(error)}
    while (cause := error.__cause__ or error.__context__) is not None and id(cause) not in seen:
        seen.add(id(cause))
        error = cause
    return error


def _load_litellm() -> Any:
    os.environ.update(LIBRARY_SWITCHES)
    import litellm

    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    litellm.redact_messages_in_exceptions = True
    for name in _LIBRARY_LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [logging.NullHandler()]
        logger.propagate = False
    return litellm
