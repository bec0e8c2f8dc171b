"""Which memories belong into a briefing, section by section, the most important first."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memctl.association.plan import SAME_WEIGHT
from memctl.memory import (
    Association,
    Citation,
    Memory,
    MemoryFilter,
    MemorySort,
    MemoryType,
    RelationType,
    happened_at,
)
from memctl.search.collapse import collapse
from memctl.store.graph import Graph

MOST_CANDIDATES = 100
"""Memories read for a section: more than any usual budget holds."""

MOST_IDENTITIES = 1_000
"""Identities read, the oldest: all of any usual store, so that the person's name is among them."""

_NAMING = re.compile(
    r"\b(?:name|surname|called|known as)\b|\b(?:vor|nach|familien)?name\b|\bhei(?:ß|ss)[et]\b"
    r"|\b(?:pré)?nom\b|\b[ms]['’]appelle\b|\bnombre\b|\b(?:me|se) llam[ao]\b|\bnome\b"
    r"|\b(?:mi|si) chiam[ao]\b|\bchamo-me\b|\bchama-se\b|\bnaam\b|\bheet\b|\bимя\b|\bзовут\b"
    r"|名字|名前|叫|と申します|といいます|이름",
    re.IGNORECASE,
)
"""How identities say what somebody is called."""

RECENT_DAYS = 30
"""How far back an event is recent; what is still to come always is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionKind:
    """A part of the briefing. ``share`` is the part of the budget that it may always have."""

    name: str
    title: str
    types: tuple[MemoryType, ...]
    share: float


IDENTITY = SectionKind(
    name="identity", title="Identity and pinned", types=(MemoryType.IDENTITY,), share=0.25
)
EVENTS = SectionKind(
    name="events", title="Recent and coming events", types=(MemoryType.EVENT,), share=0.12
)
SECTION_KINDS = (
    IDENTITY,
    SectionKind(name="goals", title="Goals", types=(MemoryType.GOAL,), share=0.12),
    SectionKind(name="todos", title="To do", types=(MemoryType.TODO,), share=0.15),
    SectionKind(name="decisions", title="Decisions", types=(MemoryType.DECISION,), share=0.14),
    SectionKind(name="preferences", title="Preferences", types=(MemoryType.PREFERENCE,), share=0.1),
    EVENTS,
    SectionKind(
        name="facts", title="Facts", types=(MemoryType.FACT, MemoryType.OBSERVATION), share=0.12
    ),
)
"""In the order in which they stand; pinned memories of every type are in the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What a section could hold, the most important first, and how many the store has of them."""

    kind: SectionKind
    memories: tuple[Memory, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All that a briefing is made from. ``contradictions`` gives by id those that contradict it."""

    sections: tuple[Candidates, ...]
    citations: dict[str, Citation]
    contradictions: dict[str, tuple[str, ...]]


def gather(graph: Graph, memory_filter: MemoryFilter, now: datetime) -> Material:
    """The live memories that pass the filter, by section; other wordings of a claim count once.

    Of the identities, those that say what somebody is called come first, then the most important,
    pinned ones before others, then the oldest: what a person says first is most often the core.

    ``memory_filter`` names channels, sessions, sources or tags; types and times are the sections'.
    """
    pinned = graph.list_memories(
        replace(memory_filter, pinned=True),
        sort=MemorySort.IMPORTANCE,
        limit=MOST_CANDIDATES,
        now=now,
    )
    sections = []
    for kind in SECTION_KINDS:
        narrowed = _narrowed(kind, memory_filter, now)
        found = [one for one in _listed(graph, kind, narrowed, now) if not one.pinned]
        total = graph.count_memories(narrowed, now=now)
        total -= graph.count_memories(replace(narrowed, pinned=True), now=now)
        if kind is IDENTITY:
            found, total = sorted([*pinned, *found], key=_place_of_identity), total + len(pinned)
            found = found[:MOST_CANDIDATES]
        sections.append(Candidates(kind=kind, memories=tuple(found), total=total))
    ids = [memory.id for section in sections for memory in section.memories]
    edges = graph.associations_of(ids)
    rewordings = [
        (edge.source_id, edge.target_id)
        for edge in edges
        if edge.relation_type is RelationType.RELATED_TO and edge.weight >= SAME_WEIGHT
    ]
    return Material(
        sections=tuple(_without_rewordings(section, rewordings) for section in sections),
        citations=graph.citations(ids),
        contradictions=_contradictions(edges, set(ids)),
    )


def _narrowed(kind: SectionKind, memory_filter: MemoryFilter, now: datetime) -> MemoryFilter:
    narrowed = replace(memory_filter, types=kind.types)
    if kind is EVENTS:
        since = now - timedelta(days=RECENT_DAYS)
        return replace(narrowed, since=since)
    return narrowed


def _listed(
    graph: Graph, kind: SectionKind, memory_filter: MemoryFilter, now: datetime
) -> list[Memory]:
    if kind is IDENTITY:
        return graph.list_memories(
            memory_filter, sort=MemorySort.OLDEST, limit=MOST_IDENTITIES, now=now
        )
    sort = MemorySort.HAPPENED if kind is EVENTS else MemorySort.IMPORTANCE
    found = graph.list_memories(memory_filter, sort=sort, limit=MOST_CANDIDATES, now=now)
    return sorted(found, key=lambda memory: _distance(memory, now)) if kind is EVENTS else found


def _place_of_identity(memory: Memory) -> tuple[bool, float, bool, datetime]:
    is_identity = memory.memory_type is MemoryType.IDENTITY
    names = is_identity and _NAMING.search(f"{memory.key or ''} {memory.content}") is not None
    return not names, -memory.importance, not memory.pinned, memory.created_at


def _contradictions(
    edges: Sequence[Association], ids: Collection[str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for edge in edges:
        ends = (edge.source_id, edge.target_id)
        if edge.relation_type is RelationType.CONTRADICTS and set(ends) <= set(ids):
            for one, other in (ends, ends[::-1]):
                found[one] = (*found.get(one, ()), other)
    return found


def _distance(memory: Memory, now: datetime) -> tuple[timedelta, str]:
    """How far from now an event is, on either side."""
    return abs(happened_at(memory.event_at, memory.created_at) - now), memory.id


def _without_rewordings(section: Candidates, rewordings: Sequence[tuple[str, str]]) -> Candidates:
    by_id = {memory.id: memory for memory in section.memories}
    kept = collapse(list(by_id), by_id, rewordings, len(by_id))
    folded = len(by_id) - len(kept)
    return replace(
        section, memories=tuple(by_id[key] for key in kept), total=section.total - folded
    )
