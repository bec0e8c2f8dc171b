"""What a memory's own words say about how well it can answer a query; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from memctl.memory import Memory
from memctl.store.terms import analyse_query, analyse_text

MOST_WORDS_OF_A_LABEL = 4
"""A longer beginning before a colon is a sentence of its own and names nobody."""

HEADING_DASH = " — "
"""What extraction puts between a heading, as context, and a statement."""

_LABEL = re.compile(r"[\[*_(]*([^\n:：]{1,120}?)[\])*_]*\s*[:：][*_]*(?=\s)")
_FURTHER_FIELD = re.compile(r";\s[^;:\n]{1,40}:\s")
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")


def subject_of(memory: Memory) -> str | None:
    """Who or what a memory is about: its subject, or the name before the colon that it begins
    with, as in "Ada: I moved", "Router: 192.168.9.1" or "Network — Router: 192.168.9.1", where the
    dash follows a heading. The first field of a record ("tool: saw; shelf: D3") names no one."""
    if memory.subject:
        return memory.subject
    match = _LABEL.match(memory.content)
    if match is None or _FURTHER_FIELD.search(memory.content):
        return None
    label = re.split(r" [—>] ", match.group(1))[-1]
    return label if len(label.split()) <= MOST_WORDS_OF_A_LABEL else None


def names_subject(query_terms: frozenset[str], memory: Memory) -> bool:
    """Whether the query holds every word of the memory's subject."""
    subject = subject_of(memory)
    terms = _terms_of(subject) if subject else frozenset()
    return bool(terms) and terms <= query_terms


def matches_heading_only(query_terms: frozenset[str], content: str) -> bool:
    """Whether a text shares words with the query in its heading ("Launch plan — Ada: call Bob")
    and none in what it states. All that stands under a heading shares that."""
    heading, dash, statement = content.partition(HEADING_DASH)
    if not dash or "\n" in heading:
        return False
    in_heading = query_terms & set(analyse_text(heading))
    return bool(in_heading) and not query_terms & set(analyse_text(statement))


def question_share(content: str) -> float:
    """How much of a text asks rather than states: characters of its questions over all, 0..1."""
    if "?" not in content and "？" not in content:
        return 0.0
    sentences = _SENTENCE.findall(content)
    total = sum(map(len, sentences))
    asking = sum(len(sentence) for sentence in sentences if sentence.endswith(("?", "？")))
    return asking / total if total else 0.0


def coverage(query_terms: Iterable[str], content: str) -> float:
    """Share in 0..1 of the query's distinct terms that the text holds."""
    wanted = set(query_terms)
    return len(wanted & set(analyse_text(content))) / len(wanted) if wanted else 0.0


@lru_cache(maxsize=4096)
def _terms_of(subject: str) -> frozenset[str]:
    return frozenset(analyse_query(subject))
