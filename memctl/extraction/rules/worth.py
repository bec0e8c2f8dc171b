"""Whether a sentence is worth a memory where it stands.

What its writer marked vouches for it: a label or a checkbox for what looks like talk, a heading for
what looks like a request or is general. In running prose it must say something of its writer's
own world.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memctl.blocks import BlockKind
from memctl.extraction.rules.classifier import EvidenceByType, core_of, wording_evidence
from memctl.extraction.rules.generality import (
    ADVERTISEMENT,
    COMMON_KNOWLEDGE,
    NEWS,
    begins_determined,
    has_clock_time,
    has_name,
    is_advice_to_anybody,
    is_chatty,
    is_headline,
    is_order_to_anybody,
    is_particular,
    names_day,
    names_weekday,
    naming_words,
    reject_public,
)
from memctl.extraction.rules.language import POINTS, Language
from memctl.extraction.rules.literature import told_around_speech
from memctl.extraction.rules.moments import (
    is_errand,
    is_gesture,
    is_momentary,
    is_ongoing,
    is_told_of_no_time,
)
from memctl.extraction.rules.quality import (
    PASSING_MAXIMUM_WORDS,
    PASSING_STATE,
    REQUEST,
    reject_sentence,
    reject_talk,
)
from memctl.extraction.rules.reading import Scene
from memctl.extraction.rules.sentences import has_digit, word_count
from memctl.extraction.rules.subjects import Subject, is_elliptic, is_of_nobody
from memctl.extraction.rules.surroundings import context_words
from memctl.memory import MemoryType

ADVICE = "advice"
"""Why a sentence is left out that tells anybody what is good or possible for them."""

NOBODYS = "about nobody known"
"""Why a sentence is left out whose subject its writer could not look up."""

OF_NO_TIME = "told of no time"
"""Why a sentence is left out that stands alone and tells what happened once."""

STORY = "literature"
"""Why a sentence is left out that tells a story."""

SHORTEST_SENTENCE_WORDS = 2
LONGEST_CRY_WORDS = 4

SELF_SPOKEN = frozenset({MemoryType.IDENTITY, MemoryType.PREFERENCE, MemoryType.DECISION})
"""Types that somebody says of himself or of the one he talks to."""

STEP = "instructions"
"""Why a sentence is left out that is a step of a recipe or a manual."""

ORDERED = frozenset({MemoryType.TODO})
"""What an order sounds like: behind an interjection it is one of the moment, and in praise of
goods ("book now") one to anybody."""

ON_SOMETHING = frozenset({MemoryType.TODO, MemoryType.GOAL, MemoryType.EVENT})
"""What is to be done or happened, to some thing or person."""

LEAST_NAMED = {True: 3, False: 2}
"""How many naming words a lone sentence has at least for which nothing else speaks, by whether its
language has words for one certain thing, with which it could have begun."""

LEAST_NAMED_OF_DEED = 2
"""How many a task, a wish or an event has at least: what is done, and to what."""

NOTHING_IN_PARTICULAR = "nothing in particular"
"""Why a sentence is left out that names nothing by which it could be found again."""

PLANNED = frozenset({MemoryType.TODO, MemoryType.DECISION, MemoryType.GOAL, MemoryType.PREFERENCE})
"""Types of what somebody is up to: encyclopaedias have none of it."""

TOLD = frozenset({MemoryType.EVENT, MemoryType.OBSERVATION})
"""What a sentence of a story may sound like."""

EARLIEST_OWN_YEAR = 1900
"""Days before it are history to everybody who writes notes."""

VAGUE_POINTS = {
    MemoryType.FACT: POINTS["sure"],
    MemoryType.OBSERVATION: POINTS["likely"],
    MemoryType.EVENT: POINTS["hint"],
}
"""Up to these points a sentence of these types may be about nothing that its writer knows."""

_EXCLAMATIONS = ("!", "！")
_TRAILING_OFF = ("...", "…", "。。")
_FACE = re.compile("[\U0001f600-\U0001f64f\U0001f910-\U0001f92f\U0001f970-\U0001f97a]")
"""Smileys, not the pictures of things."""

_DRAWN_OUT = re.compile(r"[^\W\d_](?:([aouhy])\1\1|([a-zß-ÿа-я])\2\2(?!\w))")
"""A small letter three times over, as in "soooo" or "yesss", but not as in "Schifffahrt"."""


@dataclass(frozen=True, slots=True)
class WordedSentence:
    """A sentence as it is written and folded (``core_of``), with what its words speak for."""

    text: str
    core: str
    evidence: EvidenceByType

    @property
    def points(self) -> int:
        """How strongly its words speak for the type that they speak for most."""
        return max((found.points for found in self.evidence.values()), default=0)

    def plans(self, kind: str) -> bool:
        """Whether it speaks at least so strongly (a key of ``POINTS``) for plans of its writer."""
        planned = PLANNED & self.evidence.keys()
        return any(self.evidence[one].points >= POINTS[kind] for one in planned)


class SentenceFilter:
    """Judges the sentences of one block."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._language = scene.language
        self._is_item = scene.block.kind is BlockKind.LIST_ITEM

    def reject(
        self,
        sentence: WordedSentence,
        *,
        is_marked: bool,
        is_answer: bool = False,
        is_first: bool = True,
    ) -> str | None:
        """Why a sentence is left out, or None.

        ``is_marked``: a label or a checkbox stands in front of it; ``is_answer``: the block has a
        question in front of it; ``is_first``: the block has nothing in front of it.
        """
        is_filed = bool(self._scene.marks)
        reason = reject_sentence(sentence.text, sentence.core, self._language)
        if reason == "small talk" and (is_marked or sentence.points >= POINTS["sure"]):
            reason = None
        if reason is not None or is_marked:
            return reason
        talk = None
        if sentence.points < POINTS["sure"] or sentence.evidence.keys() <= ORDERED:
            talk = reject_talk(sentence.core, self._language)
            if talk != PASSING_STATE and sentence.points >= POINTS["sure"]:
                talk = None
        if talk is not None and not (talk == REQUEST and (is_filed or self._is_task(sentence))):
            return talk
        if self._is_change_to_program(sentence):
            return "release note"
        if is_filed:
            return None
        if self._is_of_the_moment(sentence):
            return PASSING_STATE
        return self._reject_unfiled(sentence, is_answer=is_answer, is_first=is_first)

    def _is_of_the_moment(self, sentence: WordedSentence) -> bool:
        """Whether a short sentence without a figure or a day tells how something is just now that
        is another way in an hour."""
        text, core, language = sentence.text, sentence.core, self._language
        if language.has(core, "kept") or has_digit(text) or names_day(text, language):
            return False
        if word_count(text, language) > PASSING_MAXIMUM_WORDS:
            return False
        if sentence.evidence.keys() <= PLANNED and is_errand(core, language):
            return True
        return not sentence.plans("likely") and is_momentary(core, language)

    def _is_task(self, sentence: WordedSentence) -> bool:
        """Whether something is to be done, and a day is named for it."""
        is_order = MemoryType.TODO in sentence.evidence
        return is_order and names_day(sentence.text, self._language)

    def _reject_unfiled(
        self, sentence: WordedSentence, *, is_answer: bool, is_first: bool
    ) -> str | None:
        """Why a sentence is left out that no heading or checkbox vouches for."""
        if self._is_item:
            general = STEP if self._is_bare_step(sentence) else None
        else:
            general = self._reject_general(sentence, is_answer=is_answer)
            general = general or self._reject_lone(sentence, is_first=is_first)
        if general is not None:
            return general
        if sentence.points:
            return "remark" if self._is_exclamation(sentence) else None
        return self._reject_unsupported(sentence, is_first=is_first)

    def _is_change_to_program(self, sentence: WordedSentence) -> bool:
        """Whether a sentence tells what is new in a version, and not what its writer is up to."""
        if not self._scene.around.is_release or self._language.has(sentence.core, "personal"):
            return False
        return not sentence.plans("sure")

    def _reject_general(self, sentence: WordedSentence, *, is_answer: bool) -> str | None:
        """Why a sentence of running prose says nothing of its writer's world."""
        reason = self._reject_public(sentence)
        if reason is None and self._is_advice(sentence, is_answer=is_answer):
            reason = ADVICE
        return reason or self._reject_vague(sentence)

    def _reject_lone(self, sentence: WordedSentence, *, is_first: bool) -> str | None:
        """Why a sentence below no heading is about nobody whom its writer could look up, or of
        something past that nothing places in time."""
        if self._has_titled_section:
            return None
        text, core, language = sentence.text, sentence.core, self._language
        is_placed = not is_first or self._scene.follows_text or self._scene.has_day
        subject = is_of_nobody(text, core, language, is_placed=is_placed)
        if subject is not None and not self._is_planned(sentence, subject):
            return NOBODYS
        if not is_placed and self._is_of_what_was_named(sentence):
            return NOBODYS
        if not self._scene.has_day and self._is_of_story(sentence):
            return STORY
        is_event = sentence.evidence.keys() <= {MemoryType.EVENT}
        if is_event and not is_placed and is_told_of_no_time(text, core, language):
            return OF_NO_TIME
        return self._reject_unplaceable(sentence, is_first=is_first)

    def _reject_unplaceable(self, sentence: WordedSentence, *, is_first: bool) -> str | None:
        """Why a sentence without a figure, a day or a name is left out that says what is going on
        just now, or what is done to nothing that is named."""
        core, language = sentence.core, self._language
        if sentence.points <= POINTS["hint"] and is_ongoing(core, language):
            is_short = word_count(sentence.text, language) <= PASSING_MAXIMUM_WORDS
            return PASSING_STATE if is_short and self._is_bare(sentence) else None
        if not sentence.points or not sentence.evidence.keys() <= ON_SOMETHING:
            return None
        follows = not is_first or self._scene.follows_text
        is_known = follows or (MemoryType.EVENT in sentence.evidence and self._scene.has_day)
        if is_known or not language.has_word_ends:
            return None
        names_little = naming_words(core, language) < LEAST_NAMED_OF_DEED
        return NOTHING_IN_PARTICULAR if names_little and self._is_bare(sentence) else None

    def _is_scrap(self, sentence: WordedSentence, *, is_first: bool) -> bool:
        """Whether a sentence for which nothing speaks begins with no certain thing and has too few
        naming words; what follows it may lean on it."""
        core, language = sentence.core, self._language
        has_articles = bool(language.lines("definite"))
        if naming_words(core, language) >= LEAST_NAMED[has_articles]:
            return False
        if self._has_titled_section or not language.has_word_ends:
            return False
        if not self._scene.block.text.endswith(sentence.text):
            return False
        follows = not is_first or self._scene.follows_text
        if begins_determined(core, language) or (follows and leans_on_others(core, language)):
            return False
        return self._is_bare(sentence)

    def _is_bare(self, sentence: WordedSentence) -> bool:
        """Whether a sentence has no figure, day or name by which it could be found again, and no
        label or the like in front."""
        text, language = sentence.text, self._language
        if self._scene.opening.name is not None or has_digit(text):
            return False
        if names_day(text, language) or has_name(text, language):
            return False
        return not language.day_findings(sentence.core)

    def _is_of_what_was_named(self, sentence: WordedSentence) -> bool:
        """Whether a sentence with nothing before it is about something that was named before it."""
        others = sentence.evidence.keys() - TOLD
        if any(sentence.evidence[one].points >= POINTS["sure"] for one in others):
            return False
        return is_elliptic(sentence.text, sentence.core, self._language)

    def _is_of_story(self, sentence: WordedSentence) -> bool:
        """Whether a sentence tells what somebody in a story does."""
        is_told = sentence.evidence.keys() <= TOLD
        return is_told and is_gesture(sentence.text, sentence.core, self._language)

    @staticmethod
    def _is_planned(sentence: WordedSentence, subject: Subject) -> bool:
        """Whether a sentence plans something that its writer has to do with, whoever it is about;
        what governments decide and what everybody wants is nothing of his."""
        if subject is Subject.PUBLIC:
            return False
        return sentence.plans("sure" if subject is Subject.ANYBODY else "likely")

    def _reject_public(self, sentence: WordedSentence) -> str | None:
        """Why a sentence is of stories, of common knowledge or an offer, and plans nothing."""
        reason = reject_public(sentence.text, sentence.core, self._language)
        if reason == ADVERTISEMENT and sentence.evidence.keys() <= ORDERED:
            return reason
        if reason == COMMON_KNOWLEDGE and self._language.has(sentence.core, "at hand"):
            reason = None
        if self._scene.is_literature:
            reason = STORY
        if reason == NEWS and not sentence.plans("likely"):
            return reason
        if reason is None or self._is_own_affair(self._without_speech(sentence)):
            return None
        return reason

    def _without_speech(self, sentence: WordedSentence) -> WordedSentence:
        """What a sentence of a story says outside of its quotation marks; others as they are."""
        rest = told_around_speech(sentence.text) if self._scene.is_literature else sentence.text
        if rest == sentence.text:
            return sentence
        core = core_of(rest, self._language)
        return WordedSentence(rest, core, wording_evidence(rest, self._language))

    def _is_own_affair(self, sentence: WordedSentence) -> bool:
        """Whether a sentence plans or settles something, or has a day that its writer lived."""
        if sentence.plans("likely"):
            return True
        mentions = self._scene.dates.mentions(sentence.text, self._language)
        if any(mention.value.year >= EARLIEST_OWN_YEAR for mention in mentions):
            return True
        return names_weekday(sentence.text, self._language) or has_clock_time(sentence.text)

    def _is_advice(self, sentence: WordedSentence, *, is_answer: bool) -> bool:
        """Whether a sentence is advice to anybody; what introduces somebody, or wishes or settles
        something, is none."""
        spoken = SELF_SPOKEN & sentence.evidence.keys()
        if is_order_to_anybody(sentence.core, self._language):
            wish = sentence.evidence.get(MemoryType.PREFERENCE)
            if wish is not None and wish.points < POINTS["sure"]:
                spoken -= {MemoryType.PREFERENCE}
        return not spoken and is_advice_to_anybody(
            sentence.text, sentence.core, self._language, is_answer=is_answer
        )

    def _reject_vague(self, sentence: WordedSentence) -> str | None:
        """Why a sentence orders something that is no task, or names nothing certain."""
        is_weak = sentence.points <= POINTS["hint"] and not self._is_task(sentence)
        if is_weak and self._is_soft_request(sentence.core):
            return REQUEST
        return NOTHING_IN_PARTICULAR if self._is_of_nothing(sentence) else None

    def _is_of_nothing(self, sentence: WordedSentence) -> bool:
        """Whether a sentence that states a fact, a habit or, at a guess, an event names nothing
        that it is true of; a heading above it does."""
        if self._has_titled_section:
            return False
        evidence = sentence.evidence
        if any(found.points > VAGUE_POINTS.get(kind, -1) for kind, found in evidence.items()):
            return False
        if leans_on_others(sentence.core, self._language):
            return False
        return not is_particular(sentence.text, sentence.core, self._language)

    @property
    def _has_titled_section(self) -> bool:
        """Whether some heading above says what this is about."""
        return any(context_words(title) for title in self._scene.around.path)

    def _is_soft_request(self, core: str) -> bool:
        """Whether running prose orders something that is not said to be a task."""
        if self._scene.around.parents:
            return False
        return self._language.has(core, "soft request") or self._language.has(core, "step")

    def _is_bare_step(self, sentence: WordedSentence) -> bool:
        """Whether a list item is a step of a recipe or a manual that nothing says whose it is."""
        if self._has_titled_section or sentence.points > POINTS["hint"]:
            return False
        is_step = self._language.has(sentence.core, "step")
        return is_step and not self._language.has(sentence.core, "personal")

    def _reject_unsupported(self, sentence: WordedSentence, *, is_first: bool) -> str | None:
        """Why a sentence is left out that no sign speaks for: a remark, or too short."""
        is_remark = not has_digit(sentence.text) and self._is_remark(sentence)
        if not self._is_item and is_remark:
            return "remark"
        if not self._is_item and is_headline(self._scene.block.text, self._language):
            return "headline"
        if not self._is_item and self._is_scrap(sentence, is_first=is_first):
            return NOTHING_IN_PARTICULAR
        return self._reject_short(sentence.text)

    def _is_exclamation(self, sentence: WordedSentence) -> bool:
        """Whether a sentence is a short cry that hardly speaks for a type."""
        if self._is_item or sentence.points > POINTS["hint"] or has_digit(sentence.text):
            return False
        is_cry = sentence.text.endswith(_EXCLAMATIONS)
        return is_cry and word_count(sentence.text, self._language) <= LONGEST_CRY_WORDS

    def _is_remark(self, sentence: WordedSentence) -> bool:
        text = sentence.text
        if self._language.ends_with_cry(sentence.core) or _DRAWN_OUT.search(text):
            return True
        if text.endswith(_EXCLAMATIONS + _TRAILING_OFF) or _FACE.search(text) is not None:
            return True
        is_typed_fast = not self._scene.block.text[:1].isupper()
        if is_typed_fast and is_chatty(text, sentence.core, self._language):
            return True
        if names_day(text, self._language):
            return False
        return self._is_of_unknown_today(sentence) or self._language.has(sentence.core, "remark")

    def _is_of_unknown_today(self, sentence: WordedSentence) -> bool:
        """Whether a sentence that names nobody tells how it is "today", and nothing says which day
        that was."""
        if self._scene.has_day:
            return False
        language = self._language
        if not language.has(sentence.core, "day 0") or language.has(sentence.core, "personal"):
            return False
        return not has_name(sentence.text, language)

    def _reject_short(self, text: str) -> str | None:
        """A word or two say something only under a heading, or with a number in them."""
        words = word_count(text, self._language)
        if words > SHORTEST_SENTENCE_WORDS:
            return None
        listed = self._is_item or bool(self._scene.around.parents)
        if listed and self._has_titled_section:
            return None
        if words == SHORTEST_SENTENCE_WORDS and (listed or has_digit(text)):
            return None
        return "too short"


def leans_on_others(core: str, language: Language) -> bool:
    """Whether a folded sentence speaks of something that was named before it."""
    if language.has(core, "not anaphora"):
        return False
    return language.has(core, "anaphora start") or language.has(core, "anaphora inside")


def begins_with_others(core: str, language: Language) -> bool:
    """Whether a folded sentence has for its subject what was named before it."""
    return language.has(core, "anaphora start") and not language.has(core, "not anaphora")
