"""What the ledger says about trying a document again: pure decisions on values.

A document's own failures count as attempts: it is tried again after growing pauses and is put in
quarantine after the last one. What keeps all documents back, such as a provider that throttles or
a quota that is used up, counts against none of them: they stay pending until it may be over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import uuid4

from memctl.document import Document, DocumentStatus
from memctl.errors import (
    LanguageModelBudgetError,
    LanguageModelError,
    LanguageModelExhaustedError,
    LanguageModelFaultError,
    LanguageModelRefusedError,
    LanguageModelResponseError,
    LanguageModelThrottledError,
    LanguageModelTooLongError,
)
from memctl.extraction.llm_errors import MissingKeyError

FIRST_PAUSE_SECONDS = 60.0
"""Pause after the first failure of a document."""

PAUSE_FACTOR = 5.0
"""By this each further pause is longer: 1, 5, 25 minutes, then 2 hours, then 10."""

LONGEST_PAUSE_SECONDS = 12 * 3_600.0

THROTTLED_PAUSE_SECONDS = 60.0
"""Pause where a provider throttles and does not say for how long: its windows are a minute."""

EXHAUSTED_PAUSE_SECONDS = 3_600.0
"""Pause where a quota is used up: asking more often than hourly is of no use."""

UNAVAILABLE_PAUSE_SECONDS = 300.0
"""Pause where the model cannot be asked at all: no connection, a wrong key, no such model."""

SETTLED_STATUSES = frozenset(
    {
        DocumentStatus.DONE,
        DocumentStatus.EMPTY,
        DocumentStatus.NO_TEXT,
        DocumentStatus.ENCRYPTED,
        DocumentStatus.UNREADABLE,
        DocumentStatus.UNSUPPORTED,
        DocumentStatus.QUARANTINED,
    }
)
"""Ends that only a change of the file, or of the extractor, can alter."""

RETRIED_STATUSES = frozenset(DocumentStatus) - {DocumentStatus.DONE, DocumentStatus.EMPTY}
"""What `memctl ingest --retry PATH` tries again."""

NOT_TAKEN_STATUSES = RETRIED_STATUSES - {DocumentStatus.IGNORED}
"""What was not taken in: `memctl ingest --retry` tries all of it again, and `memctl status` and
`memctl ingest --status` count it by kind."""

HELPED_STATUSES = NOT_TAKEN_STATUSES - {
    DocumentStatus.NO_TEXT,
    DocumentStatus.ENCRYPTED,
    DocumentStatus.UNSUPPORTED,
}
"""What may come to another end when it is tried again as it is."""

WAITING_STATUSES = frozenset(
    {
        DocumentStatus.PENDING,
        DocumentStatus.READING,
        DocumentStatus.EXTRACTING,
        DocumentStatus.FAILED,
    }
)
"""What the daemon tries again by itself, when its time has come."""

FINAL_ERRORS = (LanguageModelRefusedError, LanguageModelTooLongError)
"""Answers that the same model would give again to the same text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a try of a document ended, as the ledger is to say it."""

    status: DocumentStatus
    attempts: int
    next_attempt_at: datetime | None = None


def is_closed(known: Document, *, retry: bool) -> bool:
    """Whether the file is not even opened, because its user has forgotten it as a source."""
    return known.status is DocumentStatus.IGNORED and not retry


def is_settled(
    known: Document, content_hash: str, extractor: str, *, has_password: bool, retry: bool
) -> bool:
    """Whether a file with these bytes may be left alone. ``retry`` says that the user asks for
    everything to be tried again that did not come to a good end."""
    if retry and known.status in RETRIED_STATUSES:
        return False
    if known.status is DocumentStatus.IGNORED:
        return True
    if known.status is DocumentStatus.ENCRYPTED and has_password:
        return False
    same = known.content_hash == content_hash and known.extractor == extractor
    return same and known.status in SETTLED_STATUSES


def attempts_before(
    known: Document | None, content_hash: str, extractor: str, *, retry: bool
) -> int:
    """How often these bytes have failed with this extractor; a retry begins anew."""
    if known is None or retry:
        return 0
    same = known.content_hash == content_hash and known.extractor == extractor
    return known.attempts if same and known.status not in SETTLED_STATUSES else 0


def after_failure(attempts: int, max_attempts: int, now: datetime) -> Verdict:
    """What follows when a document has failed for the ``attempts``th time, from 1."""
    if attempts >= max_attempts:
        return Verdict(status=DocumentStatus.QUARANTINED, attempts=attempts)
    pause = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * PAUSE_FACTOR ** (attempts - 1))
    return Verdict(
        status=DocumentStatus.FAILED,
        attempts=attempts,
        next_attempt_at=now + timedelta(seconds=pause),
    )


def is_own_failure(error: LanguageModelError) -> bool:
    """Whether it speaks about this document only, so that others may do better."""
    return isinstance(error, LanguageModelResponseError | LanguageModelFaultError)


def is_final(error: LanguageModelError) -> bool:
    """Whether asking the same model again about the same text is of no use."""
    return isinstance(error, FINAL_ERRORS)


def available_again_at(error: LanguageModelError, now: datetime) -> datetime | None:
    """When to ask again after what keeps all documents back; None: in another run."""
    if isinstance(error, LanguageModelBudgetError | MissingKeyError):
        return None
    if isinstance(error, LanguageModelThrottledError):
        asked = error.data.get("retry_after_seconds")
        pause = asked if isinstance(asked, int | float) else THROTTLED_PAUSE_SECONDS
    elif isinstance(error, LanguageModelExhaustedError):
        pause = EXHAUSTED_PAUSE_SECONDS
    else:
        pause = UNAVAILABLE_PAUSE_SECONDS
    return now + timedelta(seconds=pause)


def is_due(document: Document, now: datetime) -> bool:
    """Whether the daemon should try it again now."""
    if document.status not in WAITING_STATUSES:
        return False
    return document.next_attempt_at is None or document.next_attempt_at <= now


def failed_document(
    before: Document | None, path: str, why: str, max_attempts: int, now: datetime
) -> Document:
    """What the ledger says of a file at which something went wrong that has nothing to do with what
    is in it. ``before`` is what it said until then."""
    is_repeated = before is not None and before.status in _FAILING
    attempts = 1 + (before.attempts if before is not None and is_repeated else 0)
    verdict = after_failure(attempts, max_attempts, now)
    if before is None:
        before = Document(
            id=str(uuid4()),
            path=path,
            content_hash="",
            size_bytes=0,
            modified_at=None,
            status=verdict.status,
            created_at=now,
            updated_at=now,
        )
    return replace(
        before,
        status=verdict.status,
        reason=why,
        attempts=attempts,
        next_attempt_at=verdict.next_attempt_at,
        updated_at=now,
    )


_FAILING = frozenset({DocumentStatus.FAILED, DocumentStatus.QUARANTINED})
