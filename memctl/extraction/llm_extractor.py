"""The extractor that asks a language model, chunk by chunk.

A chunk either gives what the model said about all of it, or raises: an answer that cannot be read
is asked for once more and then is an error, never an empty result. A chunk that is too much for
one answer is asked about in two halves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memctl.document import Candidate, Usage
from memctl.errors import (
    LanguageModelError,
    LanguageModelResponseError,
    LanguageModelTooLongError,
)
from memctl.extraction import gate
from memctl.extraction.evidence import locate, supported_date
from memctl.extraction.extractor import DocumentText, ExtractionResult, KnownMemory
from memctl.extraction.llm import Completion, LanguageModel, sum_usage
from memctl.extraction.prompt import (
    INSTRUCTIONS,
    Message,
    Piece,
    build_messages,
    correction,
    label_of,
)
from memctl.extraction.schema import (
    Proposal,
    Reply,
    UnusableReplyError,
    read_reply,
    response_schema,
)
from memctl.extraction.splitting import split_text
from memctl.memory import Chunk

MAXIMUM_SPLITS = 3
"""How often a chunk is halved: eighths of a chunk are a few lines."""

QUOTED_REASON_LENGTH = 80
"""Characters of an answer without JSON that stand in the reason why it cannot be used."""

QUOTED_ANSWER_LENGTH = 2_000
"""Characters of a bad answer that go back to the model with the complaint."""


class LlmExtractor:
    """Makes memories with a language model; see ``Extractor``."""

    def __init__(self, language_model: LanguageModel) -> None:
        self._language_model = language_model
        self.name = language_model.name

    def begin(self, document: DocumentText) -> LlmDocumentExtraction:
        """Starts on a document whose text has been redacted already."""
        return LlmDocumentExtraction(self._language_model, document)


@dataclass(slots=True)
class _Finding:
    """What the answers to one chunk hold so far."""

    known: Sequence[KnownMemory]
    chunk: Chunk
    usages: list[Usage] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)


class LlmDocumentExtraction:
    """A language model at work on one document; see ``DocumentExtraction``."""

    def __init__(self, language_model: LanguageModel, document: DocumentText) -> None:
        self._language_model = language_model
        self._document = document

    def extract(self, chunk: Chunk, known: Sequence[KnownMemory] = ()) -> ExtractionResult:
        """Candidates of a chunk, in reading order; ``known`` memories are offered to the model.

        Raises LanguageModelError and its kinds, with what was spent in ``data["usage"]``.
        """
        finding = _Finding(known, chunk)
        if chunk.content.strip():
            try:
                self._ask(self._whole(chunk), finding, MAXIMUM_SPLITS)
            except LanguageModelError as error:
                spent = error.data.get("usage")
                finding.usages += [spent] if isinstance(spent, Usage) else []
                error.data["usage"] = sum_usage(finding.usages)
                raise
        return _result(finding)

    def _whole(self, chunk: Chunk) -> Piece:
        return Piece(
            text=chunk.content,
            first_line=chunk.first_line,
            path=self._document.path,
            title=self._document.title,
            heading_path=chunk.heading_path,
            document_date=self._document.document_date,
        )

    def _ask(self, piece: Piece, finding: _Finding, splits_left: int) -> None:
        """Adds what the model says about ``piece`` to ``finding``."""
        halves = split_text(piece.text) if splits_left else None
        try:
            reply = self._read(piece, finding)
        except LanguageModelTooLongError as error:
            if halves is None:
                raise
            _note_spent(error, finding)
        else:
            if not reply.truncated:
                self._add(piece, reply, finding)
                return
            if halves is None:
                self._add_what_is_whole(piece, reply, finding)
                return
        first, second = halves
        second_line = piece.first_line + first.count("\n")
        self._ask(replace(piece, text=first), finding, splits_left - 1)
        self._ask(replace(piece, text=second, first_line=second_line), finding, splits_left - 1)

    def _read(self, piece: Piece, finding: _Finding) -> Reply:
        """The model's answer, or its answer to the complaint about its answer."""
        messages = build_messages(piece, finding.known)
        completion = self._complete(messages, finding)
        try:
            return _read_completion(completion)
        except UnusableReplyError as problem:
            if completion.truncated:
                return Reply((), truncated=True)
            answer = {"role": "assistant", "content": completion.text[:QUOTED_ANSWER_LENGTH]}
            messages = [*messages, answer, correction(str(problem))]
        completion = self._complete(messages, finding)
        try:
            return _read_completion(completion)
        except UnusableReplyError as problem:
            if completion.truncated or isinstance(problem, _BrokenOffError):
                return Reply((), truncated=True)
            why = f"its answer is not usable: {problem}{_quoted(completion.text)}"
            raise LanguageModelResponseError(model=self._language_model.name, why=why) from problem

    def _complete(self, messages: Sequence[Message], finding: _Finding) -> Completion:
        schema = response_schema(with_relation=bool(finding.known))
        completion = self._language_model.complete(messages, schema=schema)
        finding.usages.append(completion.usage)
        return completion

    def _add_what_is_whole(self, piece: Piece, reply: Reply, finding: _Finding) -> None:
        if not reply.proposals:
            raise LanguageModelResponseError(
                model=self._language_model.name,
                why=(
                    "its answer broke off before the first statement ended; it may have "
                    f"{self._language_model.max_output_tokens} tokens (llm.max_output_tokens)"
                ),
            )
        self._add(piece, reply, finding)
        finding.rejected[gate.CUT_SHORT] += 1

    def _add(self, piece: Piece, reply: Reply, finding: _Finding) -> None:
        context = self._context(piece)
        seen = {gate.fold_statement(candidate.content) for candidate in finding.candidates}
        for proposal in reply.proposals:
            reason = gate.rejection_reason(proposal.content, context, INSTRUCTIONS)
            folded = gate.fold_statement(proposal.content)
            if reason is None and folded in seen:
                reason = gate.DUPLICATE
            if reason is not None:
                finding.rejected[reason] += 1
                continue
            seen.add(folded)
            finding.candidates.append(self._candidate(piece, proposal, finding, context))

    def _context(self, piece: Piece) -> str:
        return "\n".join(
            [piece.path, piece.title or "", *piece.heading_path, *self._document.tags, piece.text]
        )

    def _candidate(
        self, piece: Piece, proposal: Proposal, finding: _Finding, context: str
    ) -> Candidate:
        places = self._places(piece, proposal, finding.chunk)
        stated = finding.chunk.stated_at(*places, proposal.content)
        known = {label_of(place): memory.id for place, memory in enumerate(finding.known)}
        relation = proposal.relation
        known_id = known.get(relation.label) if relation else None
        return Candidate(
            content=proposal.content,
            memory_type=proposal.memory_type,
            importance=proposal.importance,
            event_at=supported_date(proposal.event_at, context, self._document.document_date),
            **stated._asdict(),
            page=self._document.page_of_line(stated.first_line or 1),
            subject=proposal.subject,
            reason=self._language_model.name,
            known_id=known_id,
            known_outcome=relation.outcome if relation and known_id else None,
        )

    def _places(self, piece: Piece, proposal: Proposal, chunk: Chunk) -> tuple[int, int]:
        """The lines of the chunk (from 0) that the model means, which are shown to it with numbers
        that begin with the chunk's first line and go up by one, whatever the file has there."""
        offset = piece.first_line
        first, last = locate(
            proposal.content,
            piece.lines,
            None if proposal.first_line is None else proposal.first_line - offset,
            None if proposal.last_line is None else proposal.last_line - offset,
        )
        shift = piece.first_line - chunk.first_line
        last_place = chunk.content.rstrip().count("\n")
        return min(first + shift, last_place), min(last + shift, last_place)


class _BrokenOffError(UnusableReplyError):
    """An answer that ends in the middle although the model says that it is whole."""


def _quoted(answer: str) -> str:
    """How an answer in plain words begins, as a refusal does; nothing for one in JSON."""
    line = " ".join(answer.split())
    if not line or "{" in line:
        return ""
    return f' ("{line[:QUOTED_REASON_LENGTH]}{"…" if len(line) > QUOTED_REASON_LENGTH else ""}")'


def _read_completion(completion: Completion) -> Reply:
    """Raises UnusableReplyError where another try may give a better one."""
    reply = read_reply(completion.text)
    if reply.truncated and not (completion.truncated or reply.proposals):
        raise _BrokenOffError("the JSON breaks off in the middle")
    return replace(reply, truncated=True) if completion.truncated else reply


def _note_spent(error: LanguageModelError, finding: _Finding) -> None:
    spent = error.data.get("usage")
    if isinstance(spent, Usage):
        finding.usages.append(spent)


def _result(finding: _Finding) -> ExtractionResult:
    usage = sum_usage(finding.usages)
    ordered = sorted(
        finding.candidates,
        key=lambda candidate: (candidate.first_place or 0, candidate.first_line or 0),
    )
    return ExtractionResult(
        candidates=tuple(ordered),
        rejected=tuple(sorted(finding.rejected.items())),
        calls=usage.calls,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=usage.cost_usd,
    )
