"""What saving texts means for the memories that are there: a plan, made without touching a disk.

Only equal content (after normalisation, in one channel, with a compatible event time) is a
duplicate, and not where a file ticks what it had left open, or the reverse. A text that the user
forgot stays forgotten however often a file restates it, and comes back as a new memory when
somebody deliberately saves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memctl.content import hash_content, normalise_content
from memctl.errors import UsageError
from memctl.file_lines import StatedAt
from memctl.memory import EventTime, ForgetReason, Memory, MemoryType, Origin, RelationType
from memctl.new_memory import NewMemory, Outcome, RelatedMemory, SaveReceipt
from memctl.store.live import is_live, only_one_is_done

SUPERSEDED_IMPORTANCE_FACTOR = 0.5
"""By this the importance of a memory falls when a newer one takes its place: even an identity (1.0)
then weighs less than a live fact (0.6)."""

DELIBERATE_ORIGINS = frozenset({Origin.USER, Origin.AGENT})
"""Who may edit a memory by restating it, and bring back what the user forgot. Files, models that
read files, and imports only restate."""


@dataclass(frozen=True, slots=True)
class Statement:
    """That a chunk states a memory, where it does, and on which page (from 1)."""

    memory_id: str
    chunk_id: str
    stated: StatedAt
    page: int | None


@dataclass(slots=True)
class SavePlan:
    """What is to be written. ``receipts`` are in the order of the texts.

    ``changed`` holds (before, after); ``updates`` holds (newer id, older id).
    """

    receipts: list[SaveReceipt] = field(default_factory=list)
    created: list[Memory] = field(default_factory=list)
    changed: list[tuple[Memory, Memory]] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    updates: list[tuple[str, str]] = field(default_factory=list)


def clean(new: NewMemory) -> NewMemory:
    """``new`` as it will be stored: normal form of its text, tags and key. Raises UsageError."""
    content = normalise_content(new.content)
    if not content:
        raise UsageError(what="save the memory", why="it has no text")
    check_importance(new.importance)
    key = normalise_content(new.key or "") or None
    return replace(new, content=content, tags=clean_tags(new.tags), key=key)


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """The tags in normal form, sorted, without doubles and empty ones."""
    return tuple(sorted({tag for tag in map(normalise_content, tags) if tag}))


def check_importance(importance: float | None) -> None:
    """Raises UsageError unless ``importance`` is None or lies in 0..1."""
    if importance is not None and not 0 <= importance <= 1:
        raise UsageError(what="use this importance", why=f"{importance:g} is not between 0 and 1")


def superseded(memory: Memory, successor_id: str, now: datetime) -> Memory:
    """``memory`` after a newer one took its place; its importance falls the first time only."""
    factor = 1 if memory.superseded_by else SUPERSEDED_IMPORTANCE_FACTOR
    return replace(scaled(memory, factor), superseded_by=successor_id, updated_at=now)


def no_longer_superseded(memory: Memory) -> Memory:
    """``memory`` without a successor, as important as before it had one. What was merged into
    another one had lost nothing."""
    is_merged = memory.forgotten_reason is ForgetReason.MERGED
    factor = 1 if is_merged or memory.superseded_by is None else 1 / SUPERSEDED_IMPORTANCE_FACTOR
    return replace(scaled(memory, factor), superseded_by=None)


def scaled(memory: Memory, factor: float) -> Memory:
    """``memory`` with its importance, and what decay left of it, times ``factor``, at most 1."""
    decayed_from = memory.decayed_from
    return replace(
        memory,
        importance=min(1.0, memory.importance * factor),
        decayed_from=None if decayed_from is None else min(1.0, decayed_from * factor),
    )


def plan_saves(
    new_memories: Sequence[NewMemory],
    known: Iterable[Memory],
    *,
    now: datetime,
    make_id: Callable[[], str],
) -> SavePlan:
    """The plan for texts that ``clean`` has been through, in their order.

    ``known`` must hold every memory with the content hash of one of the texts, and every live one
    with one of their keys or one of those memories' keys.
    """
    return _Planner(known, now, make_id).plan(new_memories)


class _Planner:
    def __init__(self, known: Iterable[Memory], now: datetime, make_id: Callable[[], str]) -> None:
        self._now = now
        self._make_id = make_id
        self._plan = SavePlan()
        self._original: dict[str, Memory] = {}
        self._current: dict[str, Memory] = {}
        self._by_text: dict[tuple[str, str | None], list[str]] = {}
        self._by_key: dict[str, str] = {}
        self._stated: set[tuple[str, str]] = set()
        for memory in known:
            self._original[memory.id] = memory
            self._put(memory)

    def plan(self, new_memories: Sequence[NewMemory]) -> SavePlan:
        self._plan.receipts = [self._save(new) for new in new_memories]
        for memory in self._current.values():
            before = self._original.get(memory.id)
            if before is None:
                self._plan.created.append(memory)
            elif before != memory:
                self._plan.changed.append((before, memory))
        return self._plan

    def _put(self, memory: Memory) -> None:
        previous = self._current.get(memory.id)
        if previous is None:
            texts = self._by_text.setdefault((memory.content_hash, memory.channel_id), [])
            texts.append(memory.id)
        elif previous.key is not None and self._by_key.get(previous.key) == memory.id:
            del self._by_key[previous.key]
        self._current[memory.id] = memory
        if memory.key is not None and is_live(memory):
            self._by_key[memory.key] = memory.id

    def _save(self, new: NewMemory) -> SaveReceipt:
        content_hash = hash_content(new.content)
        same_text = [
            self._current[memory_id]
            for memory_id in self._by_text.get((content_hash, new.channel_id), ())
        ]
        deliberate = new.origin in DELIBERATE_ORIGINS
        match = _match(new, filter(self._is_current, same_text), deliberate=deliberate)
        if match is not None:
            return self._edit(match, new) if deliberate else self._restate(match, new)
        if not deliberate:
            outdated = _match(new, filter(_is_outdated, same_text), deliberate=False)
            if outdated is not None:
                return self._restate(outdated, new)
            hidden = _match(new, filter(_is_hidden, same_text), deliberate=False)
            if hidden is not None:
                return self._restate_hidden(hidden, new)
        return self._create(new, content_hash)

    def _is_current(self, memory: Memory) -> bool:
        expired = memory.expires_at is not None and memory.expires_at <= self._now
        return is_live(memory) and not expired

    def _edit(self, memory: Memory, new: NewMemory) -> SaveReceipt:
        self._state(memory.id, new)
        edited = replace(memory, **_said(memory, new))
        differs = edited != memory
        if differs:
            edited = replace(edited, updated_at=self._now)
        related = self._take_key(edited)
        self._put(replace(edited, stated_directly=True))
        outcome = Outcome.UPDATED if differs else Outcome.UNCHANGED
        return SaveReceipt(memory.id, outcome, related)

    def _restate(self, memory: Memory, new: NewMemory) -> SaveReceipt:
        self._state(memory.id, new)
        return SaveReceipt(memory.id, Outcome.UNCHANGED)

    def _restate_hidden(self, memory: Memory, new: NewMemory) -> SaveReceipt:
        self._state(memory.id, new)
        if memory.forgotten_reason in {None, ForgetReason.USER}:
            return SaveReceipt(memory.id, Outcome.UNCHANGED)
        key_is_free = memory.key is None or memory.key not in self._by_key
        revived = replace(
            memory,
            forgotten=False,
            forgotten_reason=None,
            importance=max(memory.whole_importance, _importance(new)),
            decayed_from=None,
            expires_at=new.expires_at,
            key=memory.key if key_is_free else None,
            updated_at=self._now,
        )
        self._put(revived)
        return SaveReceipt(memory.id, Outcome.CREATED)

    def _create(self, new: NewMemory, content_hash: str) -> SaveReceipt:
        memory = self._new_memory(new, content_hash)
        related = self._take_key(memory)
        self._put(memory)
        self._state(memory.id, new)
        return SaveReceipt(memory.id, Outcome.UPDATED if related else Outcome.CREATED, related)

    def _new_memory(self, new: NewMemory, content_hash: str) -> Memory:
        return Memory(
            id=self._make_id(),
            content=new.content,
            content_hash=content_hash,
            memory_type=_type(new),
            importance=_importance(new),
            created_at=new.created_at or self._now,
            updated_at=new.created_at or self._now,
            last_accessed_at=new.created_at or self._now,
            source=new.source,
            channel_id=new.channel_id,
            session_id=new.session_id,
            subject=new.subject,
            key=new.key,
            tags=new.tags,
            event_at=new.event_at,
            expires_at=new.expires_at,
            pinned=bool(new.pinned),
            origin=new.origin,
            stated_directly=new.document_id is None,
            document_id=new.document_id,
            chunk_id=new.chunk_id,
            first_line=new.first_line,
            last_line=new.last_line,
            page=new.page,
        )

    def _take_key(self, memory: Memory) -> tuple[RelatedMemory, ...]:
        """Supersedes whichever other live memory holds the key that ``memory`` is to have."""
        holder_id = self._by_key.get(memory.key) if memory.key is not None else None
        if holder_id is None or holder_id == memory.id:
            return ()
        self._put(superseded(self._current[holder_id], memory.id, self._now))
        self._plan.updates.append((memory.id, holder_id))
        return (RelatedMemory(holder_id, RelationType.UPDATES),)

    def _state(self, memory_id: str, new: NewMemory) -> None:
        if new.chunk_id is None or (memory_id, new.chunk_id) in self._stated:
            return
        self._stated.add((memory_id, new.chunk_id))
        self._plan.statements.append(
            Statement(
                memory_id,
                new.chunk_id,
                StatedAt(new.first_line, new.last_line, new.first_place, new.last_place),
                new.page,
            )
        )


def _is_hidden(memory: Memory) -> bool:
    return memory.forgotten and memory.superseded_by is None


def _is_outdated(memory: Memory) -> bool:
    """Whether a newer one took its place: a file that still says it is no news."""
    return not memory.forgotten and memory.superseded_by is not None


def _type(new: NewMemory) -> MemoryType:
    return new.memory_type or new.suggested_type or MemoryType.FACT


def _importance(new: NewMemory) -> float:
    return _type(new).default_importance if new.importance is None else new.importance


def _match(new: NewMemory, memories: Iterable[Memory], *, deliberate: bool) -> Memory | None:
    """The memory that already says this: one of equal event time first, else a compatible one.

    An open todo does not say that it was done, nor the reverse. Who saves deliberately turns the
    one into the other; a file does not turn what a person has said, edited or forgotten.
    """
    compatible = [memory for memory in memories if _same_event(memory.event_at, new.event_at)]
    one_claim = [
        memory for memory in compatible if not only_one_is_done(memory.memory_type, _type(new))
    ]
    turned = [memory for memory in compatible if deliberate or _is_up_to_people(memory)]
    return _best_match(new, one_claim) or _best_match(new, turned)


def _is_up_to_people(memory: Memory) -> bool:
    is_forgotten = memory.forgotten and memory.forgotten_reason in {None, ForgetReason.USER}
    return memory.stated_directly or is_forgotten


def _best_match(new: NewMemory, memories: Sequence[Memory]) -> Memory | None:
    """Of memories of compatible event times, one of the same time, then one of the same type."""
    return max(
        memories,
        key=lambda memory: (memory.event_at == new.event_at, memory.memory_type is _type(new)),
        default=None,
    )


def _same_event(known: EventTime | None, new: EventTime | None) -> bool:
    return known is None or new is None or known == new


def _said(memory: Memory, new: NewMemory) -> dict[str, Any]:
    """The fields that the caller gave a value, as they are to be."""
    given: dict[str, Any] = {
        "memory_type": new.memory_type,
        "importance": new.importance,
        "pinned": new.pinned,
        "key": new.key,
        "subject": new.subject,
        "expires_at": new.expires_at,
        "event_at": new.event_at,
    }
    said = {name: value for name, value in given.items() if value is not None}
    if new.importance is not None:
        said["decayed_from"] = None
    said["tags"] = clean_tags((*memory.tags, *new.tags))
    return said
