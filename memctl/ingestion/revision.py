"""What the new text of a changed file means for what its old text had said.

A statement that another wording or another value replaces is superseded by its successor and stays
as history, and so are one whose line was edited in place and an open todo that the file has ticked;
when it is opened again, it is current as before. What is simply gone stays hidden. Only memories of
one document are compared here, of which it is known which are newer.

What is hidden and what is superseded is written together: nothing can stop a process between the
two. What is compared is therefore foreseen: no model is run while the store is held, and nothing
that takes long is thought over.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.association import (
    Judgement,
    Newer,
    Relation,
    Statement,
    analyse,
    judge,
    thresholds_for,
)
from memctl.errors import EmbeddingModelError
from memctl.ingestion.edited_lines import edited_lines, is_edited
from memctl.memory import Chunk, Memory, Passage, RelationType
from memctl.new_memory import Outcome, RelatedMemory

if TYPE_CHECKING:
    from memctl.embedding import Embedder
    from memctl.ingestion.receipt import DocumentReceipt
    from memctl.store.graph import Graph
    from memctl.store.operation import Operation

COMPARED = 3
"""New statements, the nearest ones, with which each old one is compared."""

_REPLACING = frozenset({Relation.SAME, Relation.UPDATES, Relation.CONTRADICTS})


ReplaceMemories = Callable[[Mapping[str, str]], None]
"""Lets memories stand as history behind those that take their places, given by id."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the memories that a receipt names say: the memories by id, and where given ones are
    stated. ``earlier`` are other new ones of the same text, which a run saved that was broken off.
    """

    memories: Mapping[str, Memory]
    find_passages: Callable[[Sequence[str]], Mapping[str, Sequence[Passage]]]
    earlier: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What storing a document will do: the memories that it will hide, and what it will save, of
    which ``live_texts`` are no news."""

    to_hide: Sequence[Memory]
    statements: Sequence[Statement]
    live_texts: Collection[str] = ()


class Reviser:
    """Finds successors among what changed documents say now."""

    def __init__(self, embedder_factory: Callable[[], Embedder]) -> None:
        self._embedder_factory = embedder_factory
        self._foreseen: dict[str, str | None] = {}

    def prepare(self, changes: Iterable[Change]) -> None:
        """Finds out what the next ``revise`` will say, before the transaction that it is in."""
        self._foreseen = {}
        compared = []
        for change in changes:
            stated = frozenset(statement.content for statement in change.statements)
            old = [memory for memory in change.to_hide if memory.content not in stated]
            new = [one for one in change.statements if one.content not in change.live_texts]
            if old and new:
                compared.append((old, list({one.content: one for one in new}.values())))
        with suppress(EmbeddingModelError):
            self._foreseen = self._compare(compared)

    def _compare(
        self, compared: Sequence[tuple[Sequence[Memory], Sequence[Statement]]]
    ) -> dict[str, str | None]:
        """By the id of an old memory, the content of the statement that says what holds now; None
        where none does. Raises EmbeddingModelError."""
        texts = dict.fromkeys(
            one.content for old, new in compared for side in (old, new) for one in side
        )
        if not texts:
            return {}
        vectors = self._embedder_factory().embed_passages(list(texts))
        thresholds = thresholds_for(self._embedder_factory().model.name)
        rows = {text: row for row, text in enumerate(texts)}
        found: dict[str, str | None] = {}
        for old, new in compared:
            news = vectors[[rows[statement.content] for statement in new]]
            analysed = [analyse(statement) for statement in new]
            for memory in old:
                side = analyse(statement_of(memory))
                similarities = news @ vectors[rows[memory.content]]
                nearest = (-similarities).argsort(kind="stable")[:COMPARED]
                successors = (
                    new[place]
                    for place in nearest
                    if _replaces(
                        judge(analysed[place], side, float(similarities[place]), thresholds)
                    )
                )
                successor = next(successors, None)
                found[memory.id] = None if successor is None else successor.content
        return found

    def revise(
        self,
        operation: Operation,
        graph: Graph,
        receipts: Sequence[DocumentReceipt],
        earlier: Sequence[str] = (),
    ) -> None:
        """Lets new memories take the places of those that their documents no longer state, and
        says so in the receipts; to be called in the transaction in which these were hidden. Where
        the embedding model cannot be had, only lines that were edited in place tell which those
        are. ``earlier`` are new memories of the one document that a broken-off run has saved."""

        def replace_memories(successors: Mapping[str, str]) -> None:
            with operation.transaction():
                for old_id, new_id in successors.items():
                    operation.supersede(old_id, by=new_id)
                operation.restore(list(successors))

        changed = [
            (
                receipt,
                Said(
                    graph.memories([*receipt.hidden, *receipt.memory_ids, *earlier]),
                    graph.passages,
                    earlier,
                ),
            )
            for receipt in receipts
            if receipt.hidden and (receipt.saved or earlier)
        ]
        self._revise_all(changed, replace_memories)
        self._foreseen = {}

    def foresee(self, receipt: DocumentReceipt, said: Said) -> None:
        """Says in the receipt of a document that is not stored what ``revise`` would say."""
        if receipt.hidden and receipt.saved:
            self._revise_all([(receipt, said)], lambda _successors: None)

    def _revise_all(
        self, changed: Sequence[tuple[DocumentReceipt, Said]], replace_memories: ReplaceMemories
    ) -> None:
        for receipt, said in changed:
            _revise_turned(receipt, said, replace_memories)
        for find_successors in (self._successors, _edited_in_place):
            try:
                for receipt, said in changed:
                    old = [said.memories[memory_id] for memory_id in receipt.hidden]
                    new_ids = [
                        one.id for one in receipt.saved if one.outcome is not Outcome.UNCHANGED
                    ]
                    new = [said.memories[one] for one in dict.fromkeys([*new_ids, *said.earlier])]
                    _replace(receipt, find_successors(old, new, said), replace_memories)
            except EmbeddingModelError:
                continue

    def _successors(
        self, old: Sequence[Memory], new: Sequence[Memory], _said: Said
    ) -> dict[str, str]:
        """By the id of an old memory, that of the new one which says what holds now. Runs the model
        where somebody else has changed meanwhile what was foreseen."""
        if not old or not new:
            return {}
        by_content = {memory.content: memory for memory in new}
        unforeseen = [memory for memory in old if memory.id not in self._foreseen]
        known = dict(self._foreseen)
        if unforeseen:
            statements = [statement_of(memory) for memory in by_content.values()]
            known |= self._compare([(unforeseen, statements)])
        successors = {memory.id: known[memory.id] for memory in old}
        return {
            old_id: by_content[content].id
            for old_id, content in successors.items()
            if content in by_content
        }


def _revise_turned(receipt: DocumentReceipt, said: Said, replace_memories: ReplaceMemories) -> None:
    """Deals with the texts that are there as before and are of another type now."""
    memories = said.memories
    unchanged = {one.id for one in receipt.saved if one.outcome is Outcome.UNCHANGED}
    unchanged -= {*said.earlier}
    stated = {
        memories[memory_id].content: memory_id
        for memory_id in (*said.earlier, *receipt.memory_ids)
        if not memories[memory_id].forgotten
    }
    turned = {
        memory_id: stated[memories[memory_id].content]
        for memory_id in receipt.hidden
        if memories[memory_id].content in stated
    }
    successors = {old_id: new_id for old_id, new_id in turned.items() if new_id not in unchanged}
    _replace(receipt, successors, replace_memories)
    # Hiding what had taken their places has made these current already.
    current_again = {new_id for old_id, new_id in turned.items() if old_id not in successors}
    receipt.hidden = [memory_id for memory_id in receipt.hidden if memory_id not in turned]
    receipt.saved = [
        replace(one, outcome=Outcome.UPDATED) if one.id in current_again else one
        for one in receipt.saved
    ]


def _replace(
    receipt: DocumentReceipt, successors: Mapping[str, str], replace_memories: ReplaceMemories
) -> None:
    if successors:
        replace_memories(successors)
        _note(receipt, successors)


def _edited_in_place(old: Sequence[Memory], new: Sequence[Memory], said: Said) -> dict[str, str]:
    """By the id of an old memory, that of the new one which its line says now."""
    if not old or not new:
        return {}
    passages = said.find_passages([memory.id for memory in (*old, *new)])
    standing: dict[str, Chunk] = {}
    stated: dict[tuple[str, int], Memory] = {}
    for memory in new:
        for passage in passages.get(memory.id, ()):
            if passage.stated.first_line is not None and not passage.retired:
                standing[passage.chunk.id] = passage.chunk
                place, _ = passage.chunk.places(passage.stated)
                stated[passage.chunk.id, place] = memory
    found: dict[str, str] = {}
    edited: dict[str, tuple[Chunk, dict[int, int]]] = {}
    for memory in old:
        for passage in passages.get(memory.id, ()):
            if passage.stated.first_line is None or not standing:
                continue
            chunk = passage.chunk
            if chunk.id not in edited:
                other = _counterpart(chunk, standing.values())
                lines = edited_lines(chunk.content.split("\n"), other.content.split("\n"))
                edited[chunk.id] = other, lines
            other, lines = edited[chunk.id]
            place, _ = chunk.places(passage.stated)
            successor = stated.get((other.id, lines.get(place, -1)))
            if successor is not None and is_edited(memory.content, successor.content):
                found[memory.id] = successor.id
    return found


def _counterpart(chunk: Chunk, others: Collection[Chunk]) -> Chunk:
    """The passage that shares the most lines with another one, else the one nearest to its
    place."""
    lines = {*chunk.content.split("\n")}
    return min(
        others,
        key=lambda other: (
            -len(lines.intersection(other.content.split("\n"))),
            abs(other.position - chunk.position),
            other.position,
        ),
    )


def _replaces(judgement: Judgement) -> bool:
    is_older = judgement.relation is Relation.UPDATES and judgement.newer is Newer.OLD
    return judgement.relation in _REPLACING and not is_older


def statement_of(memory: Memory) -> Statement:
    """What a memory says, to be compared."""
    return Statement(
        content=memory.content,
        memory_type=memory.memory_type,
        subject=memory.subject,
        event_at=memory.event_at,
        said_at=memory.created_at,
    )


def _note(receipt: DocumentReceipt, successors: Mapping[str, str]) -> None:
    receipt.hidden = [memory_id for memory_id in receipt.hidden if memory_id not in successors]
    replaced: dict[str, list[str]] = {}
    for old_id, new_id in successors.items():
        replaced.setdefault(new_id, []).append(old_id)
    receipt.saved = [
        replace(
            one,
            outcome=Outcome.UPDATED,
            related=(
                *(RelatedMemory(old, RelationType.UPDATES) for old in replaced[one.id]),
                *one.related,
            ),
        )
        if one.id in replaced
        else one
        for one in receipt.saved
    ]
