"""What errors of providers mean, as they word them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction.llm_failures import Failure, FailureKind, classify, retry_after, tidy
from memctl.extraction.llm_patience import RETRIED_KINDS, Patience


@pytest.mark.parametrize(
    ("status", "code", "message", "kind"),
    [
        (429, "rate_limit_exceeded", "Rate limit reached for gpt", FailureKind.THROTTLED),
        (429, "insufficient_quota", "You exceeded your current quota", FailureKind.EXHAUSTED),
        (402, "", "Insufficient credits", FailureKind.EXHAUSTED),
        (400, "", "Your credit balance is too low", FailureKind.EXHAUSTED),
        (403, "", "billing not active", FailureKind.EXHAUSTED),
        (401, "invalid_api_key", "Incorrect API key", FailureKind.DENIED),
        (500, "", "Missing credentials. Please pass an `api_key`", FailureKind.DENIED),
        (404, "model_not_found", "no such model; see response_format", FailureKind.INVALID),
        (400, "", "temperature must be below 2", FailureKind.INVALID),
        (400, "context_length_exceeded", "too big", FailureKind.TOO_LONG),
        (500, "", "the request exceeds the available context size", FailureKind.TOO_LONG),
        (413, "", "Payload Too Large", FailureKind.TOO_LONG),
        (400, "content_filter", "blocked", FailureKind.REFUSED),
        (400, "", "response_format json_schema is not supported", FailureKind.FORMAT),
        (400, "", "failed to parse grammar", FailureKind.FORMAT),
        (500, "", "boom", FailureKind.TRANSIENT),
        (503, "", "overloaded", FailureKind.TRANSIENT),
        (529, "overloaded_error", "Overloaded", FailureKind.TRANSIENT),
        (408, "", "Request timeout", FailureKind.TRANSIENT),
        (None, "", "Connection error.", FailureKind.TRANSIENT),
    ],
)
def test_status_code_and_words_are_weighed(status, code, message, kind):
    assert classify(status=status, code=code, message=message).kind is kind


def test_a_quota_that_comes_back_in_seconds_is_throttling():
    message = 'You exceeded your current quota ... {"retryDelay": "34s"}'

    failure = classify(status=429, message=message)

    assert failure.kind is FailureKind.THROTTLED
    assert failure.retry_after_seconds == 34


@pytest.mark.parametrize(
    ("headers", "message", "seconds"),
    [
        ({"retry-after": "7"}, "", 7),
        ({"retry-after-ms": "1500", "retry-after": "9"}, "", 1.5),
        (
            {
                "retry-after": "Wed, 04 Mar 2026 10:00:30 GMT",
                "date": "Wed, 04 Mar 2026 10:00:00 GMT",
            },
            "",
            30,
        ),
        ({"retry-after": "Wed, 04 Mar 2026 10:00:30 GMT"}, "", None),
        ({"retry-after": "soon"}, "", None),
        ({"retry-after": "-5"}, "", None),
        ({}, "Please try again in 6.2s.", 6.2),
        ({}, "Please try again in 348ms.", 0.348),
        ({}, "Please try again in 1m3.5s", 63.5),
        ({}, "Please retry after 2h0m0s", 7_200),
        ({}, "Try again in a while", None),
    ],
)
def test_the_wait_is_read_from_headers_or_words(headers, message, seconds):
    assert retry_after(headers, message) == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("litellm.RateLimitError: RateLimitError: OpenAIException - slow down", "slow down"),
        ("litellm.APIError: APIError: OpenAIException - a\nb\nTraceback (most\n x", "a b"),
        ("", "it gave no reason"),
    ],
)
def test_a_reason_is_one_line_without_class_names(message, line):
    assert tidy(message) == line


@given(st.integers(100, 599) | st.none(), st.text(), st.text())
def test_any_error_is_classified(status, code, message):
    failure = classify(status=status, code=code, message=message)

    assert "\n" not in failure.reason
    assert failure.reason


@given(
    st.lists(
        st.builds(
            Failure,
            st.sampled_from([FailureKind.TRANSIENT, FailureKind.THROTTLED]),
            st.just("r"),
            st.none() | st.floats(0, 500),
        ),
        max_size=30,
    ),
    st.integers(0, 10),
    st.floats(0, 300),
)
def test_tries_and_throttle_waits_are_bounded(failures, max_retries, throttle_wait_seconds):
    patience = Patience(max_retries=max_retries, throttle_wait_seconds=throttle_wait_seconds)
    pauses = []
    for failure in failures:
        pause = patience.pause_seconds(failure)
        if pause is None:
            break
        pauses.append((failure.kind, pause))

    assert len(pauses) <= max_retries
    throttled = sum(pause for kind, pause in pauses if kind is FailureKind.THROTTLED)
    assert throttled <= throttle_wait_seconds + 1e-6


def test_other_failures_are_not_asked_again():
    patience = Patience(max_retries=9, throttle_wait_seconds=900)
    final = set(FailureKind) - RETRIED_KINDS

    assert all(patience.pause_seconds(Failure(kind, "r")) is None for kind in final)
