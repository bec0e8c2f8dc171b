"""What kind of memory a statement is, and how much it matters.

What its writer marked (a checkbox, a label, a heading) counts more than wording; wording is
weighed by the tables of the statement's language. The same arguments give the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from memctl.direct_members import with_direct_members
from memctl.extraction.rules.labels import GENERIC, key_of, label_of
from memctl.extraction.rules.language import POINTS, Language, detect_language
from memctl.extraction.rules.phrases import Finding, fold
from memctl.memory import MemoryType

CHECKBOX_POINTS = 20
LEAD_POINTS = 12
KEY_POINTS = 8
HEADING_POINTS = 5
"""What marks count beside wording (see ``POINTS``): a heading outweighs all but sure wording."""

LOOSE_HEADING_POINTS = 3
"""For headings that name facts or events: the wording of a single entry may know better."""

FURTHER_SIGN_POINTS = 1
FURTHER_SIGNS_MAXIMUM = 2
"""What a second and third phrase for one type add to the strongest."""

MINIMUM_POINTS = 2
"""Below it the signs of a type say nothing."""

IMPORTANT_BONUS = 0.1
EMPHASIS_BONUS = 0.05
IMPORTANT_MAXIMUM = 0.95
"""How far marked importance can lift a statement; only its type makes an identity 1.0."""

CLASSIFIED_CHARACTERS = 1_000
"""How much of a statement is looked at."""

LEAD_CHARACTERS = 60
LEAD_WORDS = 6
"""What stands before a colon and is longer is no name but a sentence."""

APPOINTMENT = "appointment"
DAY_TO_COME = "day to come"
"""The reasons for an event that is ahead; by all others, events are told when they have been."""

ONE_TIME = frozenset({MemoryType.TODO, MemoryType.EVENT, MemoryType.IDENTITY})
"""What a need that comes back again and again ("has to be replaced every 6 months") is not."""

_PRECEDENCE = (
    MemoryType.DECISION,
    MemoryType.GOAL,
    MemoryType.TODO,
    MemoryType.PREFERENCE,
    MemoryType.IDENTITY,
    MemoryType.OBSERVATION,
    MemoryType.EVENT,
    MemoryType.FACT,
)
"""Which of two types wins where as much speaks for either."""

_SIGNS = {
    f"{memory_type} {kind}": (memory_type, points)
    for memory_type in MemoryType
    for kind, points in POINTS.items()
}
"""The table sections that speak for a type, and how strongly."""

_COLON = re.compile(r":(?=\s|[^\x00-\x7f])|：")
_SENTENCE_SIGNS = frozenset(".!?。！？,;，；、")


@with_direct_members
class Dated(IntEnum):
    """How a date stands with a statement; the value is what it says for an event."""

    NOT = 0
    UNDER_HEADING = 1
    """Under a heading that is a day."""
    WITHIN = 2
    """Somewhere in its own words."""
    AT_START = 3
    """It begins with it: an entry of a dated list, or "On 2 March 2026 ..."."""


@dataclass(frozen=True, slots=True)
class Classification:
    """A type with its importance (0..1); ``reason`` names what decided.

    ``points`` says how sure it is: 0 when nothing spoke for any type and it is a fact for want
    of a better word; ``from_wording`` is True where the statement's own words decided.
    """

    memory_type: MemoryType
    importance: float
    reason: str
    points: int = 0
    from_wording: bool = False

    @property
    def is_told(self) -> bool:
        """Whether it is an event by words that tell of the past."""
        ahead = self.reason in (APPOINTMENT, DAY_TO_COME)
        return self.memory_type is MemoryType.EVENT and self.from_wording and not ahead


@dataclass(frozen=True, slots=True)
class Mark:
    """Something beside the wording that speaks for a type."""

    memory_type: MemoryType
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """How strongly the wording speaks for a type, and the strongest phrase."""

    points: int
    phrase: str


EvidenceByType = Mapping[MemoryType, Evidence]


def classify(
    statement: str,
    *,
    heading_path: Sequence[str] = (),
    lead: str | None = None,
    checked: bool | None = None,
    dated: Dated = Dated.NOT,
    is_to_come: bool = False,
    emphasised: bool = False,
    language: Language | None = None,
) -> Classification:
    """The type and importance of one statement.

    ``heading_path`` goes from the outermost heading inwards, ``lead`` is a label or field name in
    front of the statement (looked for before a colon when None, none when empty), ``checked`` the
    state of its checkbox, ``dated`` how a date stands with it, ``is_to_come`` whether that day was
    ahead when it was written.
    """
    rest = statement
    if lead is None:
        lead, rest = split_lead(statement)
    if language is None:
        language = detect_language(fold(statement[:CLASSIFIED_CHARACTERS]))
    readings = [rest] if lead and label_of(lead) is not None else [statement, rest]
    evidence = strongest([wording_evidence(text, language, dated) for text in readings])
    marks = [*lead_marks(lead or None), *box_marks(checked), *heading_marks(heading_path)]
    bonus = importance_bonus(statement, language, emphasised=emphasised)
    return judge(evidence, marks, dated=dated, is_to_come=is_to_come, bonus=bonus)


def judge(
    evidence: EvidenceByType,
    marks: Sequence[Mark],
    *,
    dated: Dated = Dated.NOT,
    is_to_come: bool = False,
    bonus: float = 0.0,
) -> Classification:
    """The type that marks and wording together speak for most.

    ``is_to_come``: it names a day that was ahead when it was written. ``bonus`` is added to the
    type's importance, as of ``importance_bonus``.
    """
    rivals = [
        *marks,
        *(Mark(kind, found.points, found.phrase) for kind, found in evidence.items()),
    ]
    if dated is Dated.AT_START:
        rivals.append(Mark(MemoryType.EVENT, int(Dated.AT_START), "dated entry"))
    if is_to_come:
        rivals.append(Mark(MemoryType.EVENT, POINTS["hint"], DAY_TO_COME))
    if not rivals:
        rivals = [Mark(MemoryType.FACT, 0, "no sign of another type")]
    best = max(rivals, key=lambda mark: (mark.points, -_PRECEDENCE.index(mark.memory_type)))
    importance = best.memory_type.default_importance
    raised = min(importance + bonus, max(importance, IMPORTANT_MAXIMUM))
    return Classification(
        best.memory_type,
        round(raised, 2),
        best.reason,
        best.points,
        from_wording=best.memory_type in evidence,
    )


def split_lead(text: str) -> tuple[str | None, str]:
    """A name before a colon at the start of a text and the rest; None and the text without one."""
    colon = _COLON.search(text[: LEAD_CHARACTERS + 1])
    if colon is None or not text[colon.end() :].strip():
        return None, text
    head, rest = text[: colon.start()], text[colon.end() :]
    name = bare_name(head.strip(" -"))
    is_name = bool(name) and len(name.split()) <= LEAD_WORDS and any(map(str.isalpha, name))
    return (name, rest.strip()) if is_name and not _SENTENCE_SIGNS & set(name) else (None, text)


def bare_name(head: str) -> str:
    """A name without the marks around it; a bracket goes only together with its other half."""
    name = head.strip(" *_#")
    bare = name.strip(" *_#[]")
    return name if "[" in bare or "]" in bare else bare


def core_of(text: str, language: Language) -> str:
    """The beginning of a statement as the tables see it: folded, without openings."""
    folded = fold(text[:CLASSIFIED_CHARACTERS])
    return strip_markers(folded, language) or folded


def strip_markers(folded: str, language: Language) -> str:
    """A folded text without greetings and openings like "by the way," in front."""
    for _ in range(3):
        match = language.markers.match(folded)
        if match is None or match.end() >= len(folded):
            break
        folded = folded[match.end() :]
    return folded.lstrip("\"'“„«([*_-–—→>• ")


def wording_evidence(
    text: str, language: Language, dated: Dated = Dated.NOT
) -> dict[MemoryType, Evidence]:
    """What the words of a statement say for each type that they speak for."""
    core = core_of(text, language)
    found: dict[MemoryType, list[tuple[int, str]]] = {}
    standing = language.findings(core, "standing need")
    for section, findings in language.all_findings(core).items():
        sign = _SIGNS.get(section)
        if sign is None:
            continue
        void = standing if sign[0] in ONE_TIME else ()
        signs = [(sign[1], one.phrase) for one in findings if not _is_within(one, void)]
        if signs:
            found.setdefault(sign[0], []).extend(signs)
    if language.introduction.match(text.lstrip()) is not None:
        found.setdefault(MemoryType.IDENTITY, []).append((POINTS["likely"], "says a name"))
    evidence = {}
    for memory_type, signs in found.items():
        best, phrase = max(signs)
        further = min(len(signs) - 1, FURTHER_SIGNS_MAXIMUM) * FURTHER_SIGN_POINTS
        points = best + further + (dated if memory_type is MemoryType.EVENT else 0)
        if points >= MINIMUM_POINTS and not _taken_back(memory_type, best, core, language):
            evidence[memory_type] = Evidence(points, phrase)
    if dated >= Dated.WITHIN and _is_appointment(core, evidence, dated, language):
        evidence[MemoryType.EVENT] = Evidence(POINTS["likely"] + dated, APPOINTMENT)
    return _without_tense(evidence)


def _is_within(sign: Finding, others: Sequence[Finding]) -> bool:
    """Whether a sign shares words with one of some other findings."""
    return any(sign.start < other.end and other.start < sign.end for other in others)


def _is_appointment(core: str, evidence: EvidenceByType, dated: Dated, language: Language) -> bool:
    """Whether a dated text tells of something arranged, and neither what somebody is to do about it
    nor what happened."""
    if not language.has(core, "appointment"):
        return False
    told = evidence.get(MemoryType.EVENT)
    if told is not None and told.points - dated >= POINTS["likely"]:
        return False
    return not any(
        found.points >= POINTS["likely"] or found.phrase.startswith("^")
        for kind, found in evidence.items()
        if kind is not MemoryType.EVENT
    )


def _without_tense(evidence: dict[MemoryType, Evidence]) -> dict[MemoryType, Evidence]:
    """Drops the event where another type is sure: deciding and noticing are told in the past."""
    others = (found.points for kind, found in evidence.items() if kind is not MemoryType.EVENT)
    if max(others, default=0) >= POINTS["sure"]:
        evidence.pop(MemoryType.EVENT, None)
    return evidence


def _taken_back(memory_type: MemoryType, best: int, core: str, language: Language) -> bool:
    """Whether the text has a phrase that makes the signs of a type, or its weak ones, void; within
    a sign ("il ne faut pas" in "il ne faut pas oublier") it does not count."""
    signs = [sign for kind in POINTS for sign in language.findings(core, f"{memory_type} {kind}")]
    for void in language.findings(core, f"{memory_type} not"):
        if not any(sign.start < void.start and void.end <= sign.end for sign in signs):
            return True
    return best <= POINTS["hint"] and language.has(core, f"{memory_type} unless")


def strongest(several: Sequence[EvidenceByType]) -> dict[MemoryType, Evidence]:
    """For each type the strongest evidence among several readings of one statement."""
    best: dict[MemoryType, Evidence] = {}
    for evidence in several:
        for memory_type, found in evidence.items():
            if memory_type not in best or found.points > best[memory_type].points:
                best[memory_type] = found
    return best


def lead_marks(lead: str | None) -> list[Mark]:
    """What a label or field name in front of a statement says."""
    if lead is None:
        return []
    marks = []
    label = label_of(lead)
    if label is not None and label.memory_type is not None:
        marks.append(Mark(label.memory_type, LEAD_POINTS, f"label {lead}"))
    key = key_of(lead)
    if key in (MemoryType.IDENTITY, MemoryType.PREFERENCE):
        marks.append(Mark(MemoryType(key), KEY_POINTS, f"field {lead}"))
    return marks


def box_marks(checked: bool | None) -> list[Mark]:
    """What a checkbox says: an open one is to be done, a ticked one happened."""
    if checked is None:
        return []
    if checked:
        return [Mark(MemoryType.EVENT, CHECKBOX_POINTS, "ticked box")]
    return [Mark(MemoryType.TODO, CHECKBOX_POINTS, "open box")]


def heading_marks(heading_path: Sequence[str]) -> list[Mark]:
    """What the innermost heading that names a type says."""
    named = heading_type(heading_path)
    if named is None:
        return []
    loose = named[0] in (MemoryType.FACT, MemoryType.EVENT)
    points = LOOSE_HEADING_POINTS if loose else HEADING_POINTS
    return [Mark(named[0], points, f"heading {named[1]}")]


def heading_type(heading_path: Sequence[str]) -> tuple[MemoryType, str] | None:
    """The type that the innermost telling heading names, and that heading."""
    for title in reversed(heading_path):
        label = label_of(title)
        if label is None or label.meaning == GENERIC:
            continue
        return (label.memory_type, title) if label.memory_type is not None else None
    return None


def importance_bonus(text: str, language: Language, *, emphasised: bool = False) -> float:
    """What words like "important", exclamation and emphasis add to a statement's importance."""
    folded = fold(text[:CLASSIFIED_CHARACTERS])
    bonus = EMPHASIS_BONUS if emphasised else 0.0
    if "!!" in folded or language.has(folded, "important"):
        bonus += IMPORTANT_BONUS
    return bonus
