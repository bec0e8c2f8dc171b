"""What extraction by a language model would ask and cost, without asking it.

Files are read and cut as in a real run, and what is known already is left out. Tokens are counted
with the embedding model's tokenizer, which differs from a language model's by some tenths.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.document import Document, DocumentStatus
from memctl.extraction.prompt import INSTRUCTIONS, REMINDER
from memctl.ingestion.discovery import Found, read_found
from memctl.ingestion.gone import known_document
from memctl.ingestion.known import MOST_OFFERED
from memctl.ingestion.preparation import cut_into_chunks, prepare
from memctl.memory import Chunk

if TYPE_CHECKING:
    from memctl.embedding import Embedder
    from memctl.ingestion.options import IngestOptions
    from memctl.store.graph import Graph

FRAME_TOKENS = 60
"""Title, headings, date and fence of one question."""

OFFERED_TOKENS = 25
"""One known memory that is offered."""

LINE_TOKENS = 3
"""The number before each line."""

ANSWER_SHARE = 0.8
"""Tokens of an answer for each token of text, with the JSON round the statements."""

LEAST_ANSWER_TOKENS = 10
"""An answer that holds no statement."""


@dataclass(slots=True, kw_only=True)
class Estimate:
    """``documents`` are those that would be asked about; ``cost_usd`` is None where the model's
    price is not known."""

    documents: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None


class Estimator:
    """Estimates for one extractor, by its name."""

    def __init__(
        self, graph: Graph, *, extractor_name: str, measure: Callable[[], Embedder]
    ) -> None:
        self._graph = graph
        self._extractor_name = extractor_name
        self._measure = measure

    def estimate(self, found: Sequence[Found], options: IngestOptions) -> Estimate:
        """Adds up one call for each chunk that would be asked about."""
        total = Estimate()
        fixed = self._fixed_tokens()
        for item in found:
            chunks = self._chunks(item, options)
            if not chunks:
                continue
            counts = self._measure().count_tokens([chunk.content for chunk in chunks])
            lines = sum(chunk.content.rstrip().count("\n") + 1 for chunk in chunks)
            total.documents += 1
            total.calls += len(chunks)
            total.input_tokens += fixed * len(chunks) + sum(counts) + LINE_TOKENS * lines
            total.output_tokens += sum(
                max(LEAST_ANSWER_TOKENS, round(ANSWER_SHARE * count)) for count in counts
            )
        return total

    def _fixed_tokens(self) -> int:
        prompt = sum(self._measure().count_tokens([INSTRUCTIONS, REMINDER]))
        has_memories = self._graph.counts().visible > 0
        return prompt + FRAME_TOKENS + (MOST_OFFERED * OFFERED_TOKENS if has_memories else 0)

    def _chunks(self, item: Found, options: IngestOptions) -> list[Chunk]:
        """The chunks of a file about which the model would be asked."""
        if item.status is not DocumentStatus.PENDING:
            return []
        file = read_found(item)
        if file.status is not DocumentStatus.PENDING:
            return []
        content_hash = hashlib.sha256(file.data).hexdigest()
        known, is_left_alone = known_document(
            self._graph,
            self._graph.document_by_path(str(item.path)),
            content_hash,
            self._extractor_name,
            has_password=options.password is not None,
            retry=options.retry,
        )
        if is_left_alone:
            return []
        outcome, _ = prepare(item, file, options)
        if outcome.document is None:
            return []
        chunks = cut_into_chunks(outcome.document, self._measure(), options)
        answered = self._answered(known)
        return [chunk for chunk in chunks if chunk.content_hash not in answered]

    def _answered(self, known: Document | None) -> set[str]:
        if known is None or known.extractor != self._extractor_name:
            return set()
        chunks = self._graph.chunks_of(known.id)
        return {chunk.content_hash for chunk in chunks if chunk.extracted}
