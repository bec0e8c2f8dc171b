"""Folds hits that state one claim into the best of them, so that one fact never fills an answer.

Only equal texts, pairs that the store calls another wording, and pairs that their words show to be
one fold: nearness in meaning alone never does, because a number or a name may be all that differs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memctl.association import Relation, Statement, judge
from memctl.memory import Memory
from memctl.search.fusion import jaccard

LEAST_SHARED_WORDS = 0.7
"""Jaccard index of their words from which two texts are compared more closely."""

LEAST_SHARED_BY_REWORDINGS = 0.1
"""The same for two texts that the store has linked as one claim: a link of full weight that
somebody made by hand between two things is none."""

SIMILARITY_OF_SHARED_WORDS = 0.95
"""Cosine taken for two texts that share so many words: near, so that their words decide."""

_NAME = re.compile(r"\W*[^\W\d_a-z]")
_DIGIT = re.compile(r"\d")
_EDGES = re.compile(r"^\W+|\W+$")


def collapse(
    ranked_ids: Sequence[str],
    memories: Mapping[str, Memory],
    rewordings: Iterable[tuple[str, str]],
    limit: int,
) -> dict[str, list[str]]:
    """The first ``limit`` claims in order: the id of the best hit, and those folded into it.

    ``rewordings`` are pairs of ids that the store has linked as one claim.
    """
    linked = {frozenset(pair) for pair in rewordings}
    folded: dict[str, list[str]] = {}
    claims: dict[str, _Claim] = {}
    for key in ranked_ids:
        claim = _Claim.of(memories[key])
        above = next(
            (
                other
                for other in folded
                if _is_one(claim, claims[other], is_linked=frozenset((key, other)) in linked)
            ),
            None,
        )
        if above is not None:
            folded[above].append(key)
        elif len(folded) < limit:
            folded[key] = []
            claims[key] = claim
    return folded


@dataclass(frozen=True, slots=True)
class _Claim:
    """A memory with its plain text, the words of that, and its values: numbers and names."""

    memory: Memory
    text: str
    words: frozenset[str]
    values: frozenset[str]

    @classmethod
    def of(cls, memory: Memory) -> _Claim:
        text = plain_text(memory.content)
        first, *others = memory.content.split() or [""]
        values = [word for word in others if _NAME.match(word) or _DIGIT.search(word)]
        if _DIGIT.search(first):
            values.append(first)
        stripped = frozenset(_EDGES.sub("", value) for value in values)
        return cls(memory, text, frozenset(text.split()), stripped)


def plain_text(content: str) -> str:
    """A text without case, white space and punctuation at its edges."""
    words = " ".join(unicodedata.normalize("NFKC", content).casefold().split())
    return _EDGES.sub("", words)


def _is_one(one: _Claim, other: _Claim, *, is_linked: bool) -> bool:
    if one.memory.event_at != other.memory.event_at:
        return False
    if one.text == other.text:
        return True
    shared = jaccard(one.words, other.words)
    if is_linked and shared >= LEAST_SHARED_BY_REWORDINGS:
        return True
    if shared < LEAST_SHARED_WORDS or one.values != other.values:
        return False
    judgement = judge(_statement(one.memory), _statement(other.memory), SIMILARITY_OF_SHARED_WORDS)
    return judgement.relation is Relation.SAME


def _statement(memory: Memory) -> Statement:
    return Statement(
        content=memory.content,
        memory_type=memory.memory_type,
        subject=memory.subject,
        event_at=memory.event_at,
        said_at=memory.created_at,
    )
