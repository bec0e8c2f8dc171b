"""One memory's whole life in a store of its own: saved, found, forgotten, brought back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from memctl.doctor.finding import Finding, Severity
from memctl.memory import MemoryType
from memctl.new_memory import NewMemory, SaveReceipt
from memctl.search.request import RecallRequest
from memctl.search_hit import SearchResult

STATEMENT = "The lighthouse keeper of Skerry Point polishes the lens on Fridays."
QUESTION = "When is the lens of the lighthouse polished?"


class Scratch(Protocol):
    """What the round trip needs of a runtime."""

    def save(self, new: NewMemory) -> SaveReceipt: ...
    def recall(self, request: RecallRequest) -> SearchResult: ...
    def forget(self, ids: Sequence[str]) -> None: ...
    def restore(self, ids: Sequence[str]) -> None: ...


def check_round_trip(scratch: Scratch) -> Iterator[Finding]:
    """Findings where a step does not give what it must. Raises what the steps raise."""
    saved = scratch.save(NewMemory(content=STATEMENT, memory_type=MemoryType.FACT))
    first = scratch.recall(RecallRequest(query=QUESTION))
    for warning in first.warnings:
        yield _finding(f"recall says: {warning}", Severity.WARNING)
    if saved.id not in _ids(first):
        yield _finding("a memory that was just saved is not recalled")
    scratch.forget([saved.id])
    if _ids(scratch.recall(RecallRequest(query=QUESTION))):
        yield _finding("a memory that was forgotten is still recalled")
    scratch.restore([saved.id])
    if saved.id not in _ids(scratch.recall(RecallRequest(query=QUESTION))):
        yield _finding("a memory that was brought back is not recalled")


def _ids(result: SearchResult) -> set[str]:
    return {hit.memory.id for hit in result.hits if hit.memory is not None}


def _finding(problem: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(
        check="round trip",
        severity=severity,
        problem=problem,
        fix="install memctl anew, and report this with the output of `memctl doctor --deep --json`",
    )
