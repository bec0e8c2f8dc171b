"""When a document is tried again, and when it is given up."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl import errors
from memctl.document import Document, DocumentStatus
from memctl.ingestion import ledger

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


def document(status: DocumentStatus = DocumentStatus.DONE, **values: object) -> Document:
    base = Document(
        id="d",
        path="/a.md",
        content_hash="h",
        size_bytes=1,
        modified_at=NOW,
        status=status,
        extractor="rules",
        created_at=NOW,
        updated_at=NOW,
    )
    return replace(base, **values)


def settled(known: Document, *, content_hash="h", extractor="rules", password=False, retry=False):
    return ledger.is_settled(known, content_hash, extractor, has_password=password, retry=retry)


def test_a_known_text_is_left_alone_until_it_or_its_extractor_changes():
    assert settled(document())
    assert not settled(document(), content_hash="other")
    assert not settled(document(), extractor="openai/x")


@pytest.mark.parametrize("status", ["pending", "reading", "extracting", "failed"])
def test_what_was_broken_off_is_taken_up_again(status):
    assert not settled(document(DocumentStatus(status)))


def test_what_was_given_up_is_tried_again_on_request_only():
    given_up = document(DocumentStatus.QUARANTINED)
    assert settled(given_up)
    assert not settled(given_up, retry=True)
    assert settled(document(), retry=True)


def test_a_forgotten_source_stays_forgotten_whatever_it_says_now():
    forgotten = document(DocumentStatus.IGNORED)
    assert settled(forgotten, content_hash="other")
    assert not settled(forgotten, retry=True)


def test_a_password_opens_an_encrypted_document_again():
    assert settled(document(DocumentStatus.ENCRYPTED))
    assert not settled(document(DocumentStatus.ENCRYPTED), password=True)


@given(most=st.integers(1, 20))
def test_pauses_grow_and_the_last_attempt_ends_in_quarantine(most):
    pauses = []
    for attempt in range(1, most):
        verdict = ledger.after_failure(attempt, most, NOW)
        assert verdict.status is DocumentStatus.FAILED
        pauses.append(verdict.next_attempt_at - NOW)
    assert pauses == sorted(pauses)
    assert all(timedelta(seconds=60) <= pause <= timedelta(hours=12) for pause in pauses)
    last = ledger.after_failure(most, most, NOW)
    assert (last.status, last.next_attempt_at) == (DocumentStatus.QUARANTINED, None)


def test_attempts_count_for_the_same_bytes_only():
    failed = document(DocumentStatus.FAILED, attempts=3)
    assert ledger.attempts_before(failed, "h", "rules", retry=False) == 3
    assert ledger.attempts_before(failed, "other", "rules", retry=False) == 0
    assert ledger.attempts_before(failed, "h", "rules", retry=True) == 0
    assert ledger.attempts_before(None, "h", "rules", retry=False) == 0


@pytest.mark.parametrize(
    ("error", "own", "pause"),
    [
        (errors.LanguageModelThrottledError(retry_after_seconds=7), False, 7),
        (errors.LanguageModelThrottledError(retry_after_seconds=None), False, 60),
        (errors.LanguageModelExhaustedError(), False, 3_600),
        (errors.LanguageModelError(), False, 300),
        (errors.LanguageModelResponseError(), True, 300),
        (errors.LanguageModelFaultError(), True, 300),
        (errors.LanguageModelRefusedError(), True, 300),
    ],
)
def test_what_concerns_all_documents_is_told_from_what_concerns_one(error, own, pause):
    assert ledger.is_own_failure(error) is own
    assert ledger.available_again_at(error, NOW) == NOW + timedelta(seconds=pause)


def test_a_budget_that_is_spent_waits_for_another_run():
    error = errors.LanguageModelBudgetError()
    assert not ledger.is_own_failure(error)
    assert ledger.available_again_at(error, NOW) is None


def test_only_refusals_and_texts_that_are_too_long_are_final():
    assert ledger.is_final(errors.LanguageModelRefusedError())
    assert ledger.is_final(errors.LanguageModelTooLongError())
    assert not ledger.is_final(errors.LanguageModelResponseError())
