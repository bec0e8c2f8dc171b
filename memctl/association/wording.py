"""Takes the packaging off a statement: markup, check boxes, labels, openings, fillers, markers.

What is left is the claim itself; what was taken off says how it is meant: a task, a finished one,
a goal, a decision, a change.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from memctl.association.lexicon import Lexicon
from memctl.direct_members import with_direct_members
from memctl.memory import MemoryType


@with_direct_members
class Frame(StrEnum):
    """How a statement is meant."""

    PLAIN = "plain"
    TODO = "todo"
    DONE = "done"
    PLAN = "plan"
    GOAL = "goal"
    DECISION = "decision"


@with_direct_members
class Cue(StrEnum):
    """What a statement says about time and change."""

    CHANGE = "change"
    ENDED = "ended"
    FORMER = "former"
    CORRECTION = "correction"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Wording:
    """The claim that is left, how it is meant, and what it says about change."""

    claim: str
    frame: Frame
    cues: frozenset[Cue]
    since: bool = False
    """Whether it says since when: that may announce a change, but makes no other claim."""
    no_longer: bool = False
    """Whether it denies by "no longer" or its like."""


_BULLET = re.compile(r"^\s*(?:[-*+•‣>]|\d{1,2}[.)])\s+(?=\S)")
_CHECKBOX = re.compile(r"^\s*\[([ xX✓✔])\]\s*")
_HEADING = re.compile(r"^\s*#{1,6}\s+")
_STRUCK = re.compile(r"^~~(.+)~~$")
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_QUOTES = str.maketrans(dict.fromkeys('"“”„«»‹›‚「」『』', " ") | dict.fromkeys("’‘ʼ´", "'"))
_LEADING_SIGNS = " ,:;–—"
_LABEL = re.compile(r"^([^\W\d_][\w-]*)(?:\s*\([^)]*\))?\s*[:：]\s*")
_VULGAR = re.compile(r"(\d*)([¼½¾])")
_VULGAR_PARTS = {"¼": ".25", "½": ".5", "¾": ".75"}
_CONTRACTIONS = [
    (re.compile(r"\bcan'?not\b|\bcan't\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bcan not stand\b", re.IGNORECASE), "hates"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bshan't\b", re.IGNORECASE), "shall not"),
    (re.compile(r"n't\b", re.IGNORECASE), " not"),
    (re.compile(r"\b(I)'m\b", re.IGNORECASE), r"\1 am"),
    (re.compile(r"\b([a-z]{3,})-free\b", re.IGNORECASE), r"without \1"),
    (re.compile(r"'(?:re)\b", re.IGNORECASE), " are"),
    (re.compile(r"'ve\b", re.IGNORECASE), " have"),
    (re.compile(r"'(?:ll)\b", re.IGNORECASE), " will"),
    (re.compile(r"\b(let|it|that|there|he|she|what|who)'s\b", re.IGNORECASE), r"\1 is"),
]
_SIGNS_OF_CONTRACTIONS = ("'", "cannot", "can not", "-free")
"""Every one of the contractions has one of them."""

_NUMBER_SIGN = re.compile(r"(?<![\w'’])(?<![.?!] )no\. ?(?=\d)", re.IGNORECASE)
"""``No. 12`` counts and denies nothing; at a sentence's end it answers a question."""

_ELISION = re.compile(r"\b([ldnjsmtc]|qu|jusqu|lorsqu|puisqu)'(?=\w)", re.IGNORECASE)

_NO_CUES: frozenset[Cue] = frozenset()
"""One for all: every empty set that is made has 200 bytes, and thousands of analyses are kept."""

_FRAMES_BY_LABEL = {
    "todo": Frame.TODO,
    "done": Frame.DONE,
    "decision": Frame.DECISION,
    "goal": Frame.GOAL,
    "plan": Frame.PLAN,
}
_FRAMES_BY_TYPE = {
    MemoryType.TODO: Frame.TODO,
    MemoryType.GOAL: Frame.GOAL,
    MemoryType.DECISION: Frame.DECISION,
}


def plain_text(content: str) -> str:
    """NFKC, markdown signs and quotation marks removed, white space folded to one blank."""
    if content.isascii():
        text = content.replace('"', " ")
    else:
        text = content
        if any(sign in text for sign in _VULGAR_PARTS):
            text = _VULGAR.sub(lambda m: (m[1] or "0") + _VULGAR_PARTS[m[2]], text)
        text = unicodedata.normalize("NFKC", text.translate(_QUOTES))
    if "*" in text or "_" in text or "`" in text:
        text = _EMPHASIS.sub(r"\2", text)
    return " ".join(text.split())


def read_wording(plain: str, memory_type: MemoryType | None, words: Lexicon) -> Wording:
    """Takes the packaging off a statement, of which ``plain_text`` is handed in."""
    text, frame = _read_markup(plain, words)
    if "no." in text.lower():
        text = _NUMBER_SIGN.sub(_number_word(words), text)
    text = expand_contractions(text, words.code)
    if words.fillers is not None:
        cleared = words.fillers.sub(" ", text) if words.may_have_filler(text.lower()) else text
        text = cleared.lstrip(_LEADING_SIGNS)
    text, label = _read_label(text, words)
    text, opening = _read_opening(text, words)
    text, marks = _read_markers(text, words)
    told = marks - {SINCE}
    cues = frozenset(Cue(_CUES_BY_MARK.get(mark, mark)) for mark in told) if told else _NO_CUES
    frame = frame or label or opening or _FRAMES_BY_TYPE.get(memory_type or MemoryType.FACT)
    if Cue.DONE in cues and frame is Frame.TODO:
        frame = Frame.DONE
    return Wording(
        claim=text.strip(),
        frame=frame or Frame.PLAIN,
        cues=cues,
        since=SINCE in marks,
        no_longer=NO_LONGER in marks,
    )


def _read_markup(text: str, words: Lexicon) -> tuple[str, Frame | None]:
    text = _HEADING.sub("", text)
    bullet = _BULLET.match(text)
    if bullet is not None and text[bullet.end() :].split()[0].lower() not in words.months:
        text = text[bullet.end() :]
    frame = None
    if struck := _STRUCK.match(text):
        text, frame = struck[1], Frame.DONE
    if box := _CHECKBOX.match(text):
        frame = Frame.TODO if box[1] == " " else Frame.DONE
        text = text[box.end() :]
    return text, frame


def _number_word(words: Lexicon) -> str:
    """The language's own word for ``No.``, with a blank behind it."""
    row = next(iter(words.table("numbering")), "no.")
    return f"{row.split()[0]} "


def expand_contractions(text: str, code: str) -> str:
    """The text with English contractions written out and French elisions cut off."""
    if code == "en":
        lower = text.lower()
        may_have_some = any(sign in lower for sign in _SIGNS_OF_CONTRACTIONS)
        for pattern, full in _CONTRACTIONS if may_have_some else ():
            text = pattern.sub(full, text)
    elif code == "fr":
        text = _ELISION.sub(r"\1' ", text)
    return text


def _read_label(text: str, words: Lexicon) -> tuple[str, Frame | None]:
    """``Decision: …`` says how the rest is meant; other words before a colon stay."""
    match = _LABEL.match(text)
    row = words.labels.get(match[1].lower()) if match else None
    if match is None or row is None:
        return text, None
    return text[match.end() :], _FRAMES_BY_LABEL.get(row)


def _read_opening(text: str, words: Lexicon) -> tuple[str, Frame | None]:
    """``we decided to …``, ``remember to …``: what follows is the claim."""
    for name, pattern in words.openings:
        if match := pattern.match(text):
            front = match.groupdict().get("front") or ""
            return front + text[match.end() :], _FRAMES_BY_LABEL[name]
    return text, None


NO_LONGER = "no_longer"
SINCE = "since"
_CUES_BY_MARK = {NO_LONGER: Cue.ENDED}


def _read_markers(text: str, words: Lexicon) -> tuple[str, set[str]]:
    """Words that say that something changed or ended; they are no part of the claim."""
    marks: set[str] = set()
    for name, pattern in words.markers if words.may_have_marker(text.lower()) else ():
        if pattern.search(text) is None:
            continue
        if name != SINCE:
            text = pattern.sub(" ", text)
        if name != "skip":
            marks.add(name)
    return text, marks
