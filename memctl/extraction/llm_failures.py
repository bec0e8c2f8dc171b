"""What an error of a language model's provider means, and whether asking again can help.

Providers say the same thing by status, by code or only in words; all three are looked at, the most
telling first. Pure: nothing here knows LiteLLM.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import StrEnum
from types import MappingProxyType

MAXIMUM_REASON_LENGTH = 300


class FailureKind(StrEnum):
    """What to do about a failed call."""

    TRANSIENT = "transient"
    """Ask again after a pause."""
    SLOW = "slow"
    """No answer in time: asking once more may help, more often only makes all others wait."""
    UNREACHABLE = "unreachable"
    """No connection: ask once again after a pause; all questions share this."""
    THROTTLED = "throttled"
    """Ask again when the provider wants it."""
    EXHAUSTED = "exhausted"
    """Quota or account used up: stop."""
    DENIED = "denied"
    """Key missing, wrong or without the right: stop."""
    NO_KEY = "no key"
    """No key is set: stop."""
    INVALID = "invalid"
    """Unknown model or a request that the provider does not take: stop."""
    TOO_LONG = "too long"
    """Ask with less text."""
    REFUSED = "refused"
    """This text will not be worked on."""
    FORMAT = "format"
    """The provider knows no such response format: ask without."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed call: its kind, one line for people, the wait that the provider asks for, and
    whether the question has left this machine at all."""

    kind: FailureKind
    reason: str
    retry_after_seconds: float | None = None
    was_asked: bool = True


_EXHAUSTED_CODES = frozenset(
    ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "payment_required"]
)
_EXHAUSTED = re.compile(
    r"insufficient[_ ](?:quota|credits?|balance|funds)|billing[_ ](?:hard[_ ]limit|not[_ ]active)"
    r"|credit balance is too low|out of credits|payment required|hard limit"
    r"|exceeded your (?:current|monthly) (?:quota|usage|limit)|quota (?:is )?exhausted",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context[_ ](?:length|size|window)|maximum context|prompt is too long|too many tokens"
    r"|input (?:is )?too long|exceeds? the (?:available )?context|reduce the length"
    r"|maximum (?:number of|input) tokens|longer than the model",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"content[_ ](?:filter|policy|management)|safety system|usage policy|flagged as|moderation"
    r"|responsible ?ai",
    re.IGNORECASE,
)
_FORMAT = re.compile(
    r"response[_ ]format|json[_ ]schema|json[_ ]object|structured output|grammar", re.IGNORECASE
)
_NO_KEY = re.compile(
    r"missing credentials|unable to locate credentials|missing .{0,40}api[_ -]?key"
    r"|api[_ -]?key .{0,60}(?:must be set|missing|required|not set)|no api key",
    re.IGNORECASE,
)
_TRY_AGAIN_IN = re.compile(
    r"(?:try again in|retry(?:ing)?(?: again)? (?:in|after)|\"?retrydelay\"?\W+)\s*"
    r"(?:(?P<hours>\d+)h)?(?:(?P<minutes>\d+)m(?!s))?\s*(?:(?P<seconds>\d+(?:\.\d+)?)\s*(?P<milli>m?)s)?",
    re.IGNORECASE,
)
_NO_COMPLETION = re.compile(r"^error - (.*), Received response - <.*$")
_PREFIX = re.compile(r"^(?:litellm\.)?(?:\w*(?:Error|Exception|Timeout)\b\s*[-:]\s*)+")


def classify(
    *,
    status: int | None,
    message: str,
    code: str = "",
    headers: Mapping[str, str] = MappingProxyType({}),
    is_too_long: bool = False,
) -> Failure:
    """``status`` is HTTP's, or None where no answer came; ``headers`` have lower-case names.

    ``code`` holds the provider's error codes, parted by blanks. ``is_too_long`` is what the client
    library has found out already.
    """
    wait = retry_after(headers, message)
    kind = FailureKind.TOO_LONG if is_too_long else _kind(status, code.casefold(), message, wait)
    return Failure(kind, tidy(message), wait)


def _kind(status: int | None, code: str, message: str, wait: float | None) -> FailureKind:
    """The first that applies; the order is from the most telling sign to the least."""
    text = f"{code} {message}"
    is_bad_request = status in {400, 422}
    may_be_quota = status in {400, 403, 429, None} and wait is None
    refuses_request = (status is not None and 400 <= status < 500) or status == 501
    signs = (
        (FailureKind.EXHAUSTED, status == 402 or not _EXHAUSTED_CODES.isdisjoint(code.split())),
        (FailureKind.EXHAUSTED, may_be_quota and _EXHAUSTED.search(message)),
        (FailureKind.THROTTLED, status == 429),
        (FailureKind.DENIED, status in {401, 403} or _NO_KEY.search(message)),
        (FailureKind.TOO_LONG, status == 413),
        (FailureKind.TOO_LONG, status in {400, 422, 500} and _TOO_LONG.search(text)),
        (FailureKind.REFUSED, is_bad_request and _REFUSED.search(text)),
        (FailureKind.FORMAT, (is_bad_request or status == 501) and _FORMAT.search(text)),
        (FailureKind.INVALID, refuses_request and status not in {408, 409, 425}),
        (FailureKind.THROTTLED, wait is not None),
    )
    return next((kind for kind, applies in signs if applies), FailureKind.TRANSIENT)


def retry_after(headers: Mapping[str, str], message: str = "") -> float | None:
    """Seconds to wait, from ``Retry-After`` (seconds or date) or from the message; else None."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1_000
    seconds = _number(headers.get("retry-after"))
    if seconds is None:
        seconds = _until(headers.get("retry-after"), headers.get("date"))
    if seconds is not None:
        return seconds
    match = _TRY_AGAIN_IN.search(message)
    if match is None or not any(match.group("hours", "minutes", "seconds")):
        return None
    last = float(match["seconds"] or 0) / (1_000 if match["milli"] else 1)
    return int(match["hours"] or 0) * 3_600 + int(match["minutes"] or 0) * 60 + last


def tidy(message: str) -> str:
    """A provider's message as one line without class names and stack traces."""
    message = message.split("\nTraceback", 1)[0].split("Traceback (most recent", 1)[0]
    line = _PREFIX.sub("", " ".join(message.split())).strip()
    line = _NO_COMPLETION.sub(r"its answer is no JSON: \1", line)
    return line[:MAXIMUM_REASON_LENGTH] or "it gave no reason"


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < 1e9 else None


def _until(moment: str | None, now: str | None) -> float | None:
    """Seconds between two HTTP dates; the server's own clock counts, not ours."""
    try:
        difference = parsedate_to_datetime(moment or "") - parsedate_to_datetime(now or "")
    except (TypeError, ValueError):
        return None
    return max(0.0, difference.total_seconds())
