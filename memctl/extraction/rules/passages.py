"""A block's text to statements: sentences and clauses, judged, then joined where they lean.

Sentences of a list item stay together while they say one kind of thing; sentences of a paragraph
only where one needs the other ("It costs 140 credits."). A sentence that leans on an earlier one
is one statement with it; only where each of them says something of its own, of another type, it
repeats the earlier one, so that every statement stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from memctl.blocks import BlockKind
from memctl.extraction.rules.classifier import (
    Classification,
    EvidenceByType,
    Mark,
    core_of,
    importance_bonus,
    judge,
    lead_marks,
    split_lead,
    wording_evidence,
)
from memctl.extraction.rules.generality import names_day
from memctl.extraction.rules.labels import label_of
from memctl.extraction.rules.language import POINTS, Language, detect_language
from memctl.extraction.rules.literature import is_joke
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.quality import (
    PASSING_MAXIMUM_WORDS,
    PASSING_STATE,
    REQUEST,
    is_question,
    reject_sentence,
)
from memctl.extraction.rules.reading import Rejection, Scene
from memctl.extraction.rules.sentences import (
    Piece,
    has_digit,
    split_clauses,
    split_sentences,
    word_count,
)
from memctl.extraction.rules.worth import (
    ORDERED,
    STORY,
    TOLD,
    SentenceFilter,
    WordedSentence,
    begins_with_others,
    leans_on_others,
)
from memctl.memory import MemoryType

LONGEST_GROUP_CHARACTERS = 400
"""Sentences that lean on each other are one statement up to this length."""

SPLIT_POINTS = POINTS["likely"]
"""A clause of its own speaks at least so strongly for its type."""

_STOPS = (";", "；", "—", "–")

MAXIMUM_CUTS = 8
"""Connectors of a sentence at which it may be cut; a sentence with more is a list."""

CLAUSE_WORDS = 3
"""Fewer words are no clause, but for two that give a name ("I'm Tess")."""

FACT_CLAUSE_WORDS = 5
"""A clause without a sign of any type, and without a figure, is a fact from so many words on."""

ASIDE_WORDS = 7
SCREEN_LINE_WORDS = 7
BOILERPLATE = "boilerplate"
TALK = frozenset({"small talk", "question", REQUEST, PASSING_STATE, BOILERPLATE})
"""What makes a short remark beside it worthless too."""

SAID_MEANWHILE = ORDERED | {MemoryType.EVENT}
"""What a reason to wait sounds like."""

ASKED = ORDERED | {MemoryType.PREFERENCE}
"""What a line on a screen sounds like that asks its reader for something."""

TOLD_TOGETHER = frozenset({STORY, "fiction"})
"""Where a sentence is left out for these, those beside it go on with the story."""

ASIDE = "aside"
"""Why a remark is left out that stands among talk, or behind an interjection."""

SIGNATURE = "signature"
"""Why the end of a letter is left out: names and numbers that its writer did not mean to note."""


JOKE = "joke"
INSTRUCTION = "instruction"
"""Why sentences are left out that make a joke together, or go on with orders to a machine."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One statement of a block, from ``start`` to ``end`` of the block's text."""

    text: str
    start: int
    end: int
    classification: Classification


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence or clause that is worth a memory, before it is joined with others."""

    text: str
    start: int
    end: int
    classification: Classification
    leans: bool
    """Whether it needs what was said before it."""
    has_own_subject: bool
    """Whether what it says is not said of what was named before it."""


def read_passages(
    scene: Scene, start: int, label: Sequence[Mark] = ()
) -> tuple[list[Passage], list[Rejection]]:
    """The statements in a block's text from ``start`` on, in order, and what was left out.

    ``label`` is what a label in front of the first sentence says about those after it, too.
    """
    reader = _PassageReader(scene, label)
    sentences: list[_Sentence] = []
    pieces = split_sentences(scene.block.text[start:])
    if reader.is_joke(pieces):
        reader.note(start, JOKE)
        return [], reader.rejections
    for position, piece in enumerate(pieces):
        if scene.language.sign_off.match(fold(piece.text)):
            reader.note(piece.start + start, SIGNATURE)
            break
        one = reader.in_language_of(piece.text) if len(pieces) > 1 else reader
        placed = Piece(piece.text, piece.start + start)
        sentences.extend(one.sentences(placed, is_first=position == 0))
    return reader.passages(reader.without_asides(sentences)), reader.rejections


class _PassageReader:
    """Reads the sentences of one block."""

    def __init__(self, scene: Scene, label: Sequence[Mark]) -> None:
        self.rejections: list[Rejection] = []
        self._scene = scene
        self._filter = SentenceFilter(scene)
        self._label = label
        self._language = scene.language
        self._is_item = scene.block.kind is BlockKind.LIST_ITEM

    def in_language_of(self, text: str) -> _PassageReader:
        """The reader of a sentence among others: where it is in another language than the block is,
        one for that language, which counts into the same rejections."""
        language = detect_language(fold(text), self._language.code)
        if language is self._language:
            return self
        reader = _PassageReader(replace(self._scene, language=language), self._label)
        reader.rejections = self.rejections
        return reader

    def is_joke(self, pieces: Sequence[Piece]) -> bool:
        """Whether the sentences of a paragraph that no heading vouches for are a joke."""
        if self._is_item or self._label or self._scene.marks or not pieces:
            return False
        return is_joke([piece.text for piece in pieces], self._language)

    def sentences(self, piece: Piece, *, is_first: bool) -> list[_Sentence]:
        """A sentence, as two where its clauses say different kinds of things; none if worthless.

        ``is_first``: no other one of the block stands before it.
        """
        text = without_markers(piece.text, self._language)
        is_talk = self._language.interjections.match(fold(piece.text)) is not None
        start = piece.start + len(piece.text) - len(text)
        core = core_of(text, self._language)
        evidence = self._with_name_apart(
            text, wording_evidence(text, self._language, self._scene.dated_by(text))
        )
        marks = self._marks(text)
        reason = self._filter.reject(
            WordedSentence(text, core, evidence),
            is_marked=bool(marks) or self._scene.block.checked is not None,
            is_answer=any(one.reason == "question" for one in self.rejections),
            is_first=is_first,
        )
        if reason is None and is_talk and self._is_passing(text, core, evidence):
            reason = ASIDE
        if reason is None and self._is_said_meanwhile(piece.text, evidence):
            reason = ASIDE
        if reason is None and not marks and self._goes_on_ordering(core, evidence):
            reason = INSTRUCTION
        if reason is not None:
            self.note(piece.start, reason)
            return []
        clauses = [] if marks else self._clauses(text, start)
        return clauses or [self._sentence(text, core, start, evidence, marks)]

    def _with_name_apart(self, text: str, evidence: EvidenceByType) -> EvidenceByType:
        """The evidence of a sentence that may have a name in front: where the whole says nothing,
        that of the rest; and without the todo that only the name is worded like (``Water butt: it
        holds 300 l``), where the rest speaks for another type."""
        order = evidence.get(MemoryType.TODO)
        name, rest = split_lead(text)
        if name is None or (evidence and order is None):
            return evidence
        of_rest = wording_evidence(rest, self._language)
        if order is None:
            return of_rest
        knows_better = any(found.points >= order.points for found in of_rest.values())
        if MemoryType.TODO in of_rest or not knows_better:
            return evidence
        return {kind: found for kind, found in evidence.items() if kind is not MemoryType.TODO}

    def without_asides(self, sentences: Sequence[_Sentence]) -> list[_Sentence]:
        """Leaves out what has no sign of anything and is short and stands among small talk, or
        tells why its writer asks the question at the end."""
        reasons = {one.reason for one in self.rejections}
        if reasons.isdisjoint(TALK | TOLD_TOGETHER):
            return list(sentences)
        asks = not self._is_item and is_question(self._scene.block.text)
        is_screen, is_story = BOILERPLATE in reasons, not reasons.isdisjoint(TOLD_TOGETHER)
        kept = []
        for sentence in sentences:
            is_aside = not reasons.isdisjoint(TALK) and self._is_aside(sentence)
            if (
                is_aside
                or (asks and self._is_background(sentence))
                or (is_screen and self._is_on_screen(sentence))
                or (is_story and self._is_told_on(sentence))
            ):
                self.note(sentence.start, ASIDE)
            else:
                kept.append(sentence)
        return kept

    def _is_aside(self, sentence: _Sentence) -> bool:
        return not sentence.classification.points and self._is_short(sentence.text)

    def _is_on_screen(self, sentence: _Sentence) -> bool:
        """Whether a sentence is as short as what stands on a screen or a form beside other such
        lines: a button ("Proceed to checkout") or a number with its name."""
        found = sentence.classification
        if found.points and found.memory_type not in ASKED:
            return False
        if self._language.has(core_of(sentence.text, self._language), "personal"):
            return False
        return word_count(sentence.text, self._language) <= SCREEN_LINE_WORDS

    def _is_told_on(self, sentence: _Sentence) -> bool:
        """Whether a sentence beside one of a story tells what else happened in it."""
        found = sentence.classification
        if has_digit(sentence.text) or (found.points and found.memory_type not in TOLD):
            return False
        return not self._language.has(core_of(sentence.text, self._language), "personal")

    def _is_passing(self, text: str, core: str, evidence: EvidenceByType) -> bool:
        """Whether a short remark speaks for nothing, or orders what is not its writer's to do."""
        orders = evidence.keys() <= ORDERED and not self._language.has(core, "personal")
        return self._is_short(text) and (not evidence or orders)

    def _is_said_meanwhile(self, text: str, evidence: EvidenceByType) -> bool:
        """Whether a short sentence asks to wait and says why: what its writer has to do is done
        then."""
        if not evidence.keys() <= SAID_MEANWHILE:
            return False
        folded, language = fold(text), self._language
        if not language.ends_with_wait(folded) and language.waits.match(folded) is None:
            return False
        if has_digit(text) or names_day(text, self._language):
            return False
        return word_count(text, self._language) <= PASSING_MAXIMUM_WORDS

    def _goes_on_ordering(self, core: str, evidence: EvidenceByType) -> bool:
        """Whether a sentence behind orders to a machine says nothing of its writer."""
        if not any(one.reason == INSTRUCTION for one in self.rejections):
            return False
        return evidence.keys() <= ORDERED and not self._language.has(core, "personal")

    def _is_short(self, text: str) -> bool:
        return not has_digit(text) and word_count(text, self._language) <= ASIDE_WORDS

    def _is_background(self, sentence: _Sentence) -> bool:
        core = core_of(sentence.text, self._language)
        return not sentence.classification.points and self._language.has(core, "remark")

    def note(self, start: int, reason: str) -> None:
        """Counts a sentence that begins at ``start`` as left out."""
        self.rejections.append(Rejection(self._scene.line_at(start), reason))

    def _marks(self, text: str) -> Sequence[Mark]:
        """What a label in front of this one sentence says (``... Decision: we stay.``)."""
        lead, _ = split_lead(text)
        label = label_of(lead) if lead is not None else None
        if lead is None or label is None or not label.exact:
            return self._label
        return lead_marks(lead)

    def passages(self, sentences: Sequence[_Sentence]) -> list[Passage]:
        """The sentences joined to statements."""
        groups: list[list[_Sentence]] = []
        antecedent: _Sentence | None = None
        for sentence in sentences:
            if groups and self._belongs(sentence, groups[-1]):
                groups[-1].append(sentence)
                continue
            if sentence.leans and antecedent is not None:
                groups.append([self._joined(antecedent, sentence)])
                continue
            groups.append([sentence])
            antecedent = sentence
        return [self._passage(group) for group in groups]

    def _sentence(
        self,
        text: str,
        core: str,
        start: int,
        evidence: EvidenceByType,
        marks: Sequence[Mark] = (),
    ) -> _Sentence:
        found = judge(
            evidence,
            [*self._scene.marks, *marks],
            dated=self._scene.dated_by(text),
            is_to_come=self._scene.is_to_come(text),
            bonus=max(self._scene.bonus, importance_bonus(text, self._language)),
        )
        return _Sentence(
            text,
            start,
            start + len(text),
            found,
            leans=leans_on_others(core, self._language),
            has_own_subject=not begins_with_others(core, self._language),
        )

    def _clauses(self, text: str, start: int) -> list[_Sentence]:
        """The sentence in two where both sides stand alone and say different kinds of things."""
        cuts = islice(split_clauses(text, self._language), MAXIMUM_CUTS)
        for left, right, position in cuts:
            first = self._clause(left, start)
            second = self._clause(right, start + position)
            if first is None or second is None:
                continue
            if not _may_split(first, second, text[:position], self._language):
                continue
            if second.leans and not self._say_two_things(first, second):
                continue
            if second.leans:
                return [first, replace(second, text=text, start=start, leans=False)]
            return [first, *(self._clauses(right, start + position) or [second])]
        return []

    def _clause(self, text: str, start: int) -> _Sentence | None:
        core = core_of(text, self._language)
        evidence = wording_evidence(text, self._language, self._scene.dated_by(text))
        shortest = CLAUSE_WORDS - 1 if MemoryType.IDENTITY in evidence else CLAUSE_WORDS
        if word_count(text, self._language) < shortest:
            return None
        if reject_sentence(text, core, self._language) is not None:
            return None
        return self._sentence(text, core, start, evidence)

    def _belongs(self, sentence: _Sentence, group: Sequence[_Sentence]) -> bool:
        """Whether a sentence goes on with the statement before it."""
        if sentence.end - group[0].start > LONGEST_GROUP_CHARACTERS:
            return False
        if sentence.leans:
            return not self._say_two_things(group[0], sentence)
        first, new = group[0].classification, sentence.classification
        same = first.memory_type is new.memory_type or not new.from_wording
        is_list = first.memory_type is MemoryType.TODO and bool(self._label)
        return same and (self._is_item or bool(self._label)) and not is_list

    def _say_two_things(self, first: _Sentence, second: _Sentence) -> bool:
        """Whether a sentence and the one that leans on it are of two types, and neither is only the
        other's beginning or end: the second speaks clearly for its type, and the first does too,
        has figures, or is a whole statement that the second takes up for another subject."""
        one, other = first.classification, second.classification
        if one.memory_type is other.memory_type or not _is_clear(other):
            return False
        if _is_clear(one) or has_digit(first.text):
            return True
        return second.has_own_subject and _is_substantial(first.text, self._language)

    def _joined(self, first: _Sentence, second: _Sentence) -> _Sentence:
        text = self._join([first.text, second.text])
        return replace(second, text=text, start=first.start, leans=False)

    def _passage(self, group: Sequence[_Sentence]) -> Passage:
        strongest = max((one.classification for one in group), key=lambda found: found.points)
        text = self._join(
            [sentence.text for sentence in group if not _is_repeated(sentence, group)]
        )
        return Passage(text, group[0].start, group[-1].end, strongest)

    def _join(self, texts: Sequence[str]) -> str:
        return ("" if self._language.is_dense else " ").join(texts)


def _is_clear(found: Classification) -> bool:
    return found.from_wording and found.points >= SPLIT_POINTS


def _is_repeated(sentence: _Sentence, group: Sequence[_Sentence]) -> bool:
    """Whether another sentence of the group holds this one: a clause and the whole with it."""
    return any(
        len(other.text) > len(sentence.text)
        and other.start <= sentence.start
        and sentence.end <= other.end
        and sentence.text in other.text
        for other in group
    )


def without_markers(text: str, language: Language) -> str:
    """The text without a greeting or "by the way," in front, as it is written otherwise."""
    for _ in range(3):
        folded = fold(text)
        match = language.markers.match(folded)
        if match is None or match.end() >= len(folded) or len(folded) != len(text):
            break
        text = text[match.end() :]
    return text


def _may_split(first: _Sentence, second: _Sentence, left_end: str, language: Language) -> bool:
    """Whether two clauses are statements of their own; a clause with "if" or "because" is not."""
    left, right = first.classification, second.classification
    is_stop = left_end.rstrip().endswith(_STOPS)
    dependent = [language.has(fold(side.text), "subordinate") for side in (first, second)]
    if left.memory_type is right.memory_type or dependent[0] or (dependent[1] and not is_stop):
        return False
    speaks = right.points if right.from_wording else 0
    if is_stop:
        return speaks >= SPLIT_POINTS or left.points >= SPLIT_POINTS
    if not left.points and not _is_substantial(first.text, language):
        return False
    needed = SPLIT_POINTS if _has_comma(first, left_end) else POINTS["sure"]
    return speaks >= needed


def _is_substantial(text: str, language: Language) -> bool:
    """Whether a clause that nothing speaks for is a fact of its own."""
    return word_count(text, language) >= FACT_CLAUSE_WORDS or has_digit(text)


def _has_comma(first: _Sentence, left_end: str) -> bool:
    return any(mark in left_end[len(first.text) :] for mark in ",，、")
