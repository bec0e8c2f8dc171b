"""Two analyses, their alignment and their similarity, with the questions that the rules ask."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memctl.association.alignment import Alignment, TermPair, ValuePair
from memctl.association.analysis import Analysis
from memctl.association.designation import other_designation
from memctl.association.lazy import lazy
from memctl.association.measures import ValueKind
from memctl.association.sentence import Tense
from memctl.association.terms import Term
from memctl.association.thresholds import SimilarityThresholds
from memctl.association.values import Newer, Statement
from memctl.association.wording import Cue, Frame
from memctl.memory import EventTime, event_day

CHANGE_CUES = frozenset({Cue.CHANGE, Cue.ENDED, Cue.CORRECTION})

MOST_SENTENCES = 2
MOST_WORDS_LEFT = 5
LEAST_COMMON_SHARE = 1 / 3
"""How long two texts may be, what each may say alone, and what share of the shorter one they must
have in common, for one to take the other's place. Set so that no pair of
tests/data/association_pairs.jsonl is lost and none of 1,450 turns of chat replaces another one."""

_WHO_TALK = frozenset({"user", "we", "you"})
"""Pronouns that may mean the same people, by who says them to whom."""

_PLACES = frozenset({"in", "at", "on", "with"})
"""Prepositions of being somewhere, which coming from there ends."""


@dataclass(eq=False)
class Comparison:
    """What the rules look at, never changed; frozen it would take longer to make, and ten are made
    for each new statement. ``similarity`` is a cosine."""

    new: Analysis
    old: Analysis
    alignment: Alignment
    similarity: float
    thresholds: SimilarityThresholds

    @property
    def sides(self) -> tuple[Analysis, Analysis]:
        return (self.new, self.old)

    @lazy
    def similarity_counts(self) -> bool:
        """Whether the embedding model can read both texts."""
        if self.thresholds.reads_all_scripts:
            return True
        return not any(side.is_cjk or side.words.code == "ru" for side in (self.new, self.old))

    @lazy
    def shared_terms(self) -> list[TermPair]:
        return [pair for pair in self.alignment.shared if not pair[0].is_light]

    @lazy
    def is_focused(self) -> bool:
        """Whether the two say little beside what they have in common.

        Long texts nearly always share a word and announce some change; that one takes the place
        of another one needs more.
        """
        alignment = self.alignment
        if max(len(alignment.left_new), len(alignment.left_old)) > MOST_WORDS_LEFT:
            return False
        new, old = self.new.found, self.old.found
        if new.is_question or old.is_question:
            return False
        if max(new.sentences, old.sentences) > MOST_SENTENCES:
            return False
        said = min(len(new.terms) + len(new.values), len(old.terms) + len(old.values))
        least = LEAST_COMMON_SHARE * said
        met = {one.position for one, _ in self.shared_terms}
        if len(met) >= least:
            return True
        pairs = [*alignment.near, *alignment.opposed, *alignment.rivals]
        met.update([one.position for one, _ in pairs if not one.is_light])
        if len(met) >= least:
            return True
        values = len(alignment.equal) + len(alignment.conflicts) + len(alignment.compatible)
        return len(met) + values >= least

    @lazy
    def shared_subject(self) -> bool:
        """Whether a word of both subjects is the same, or both are about the same person."""
        if any(new.in_subject and old.in_subject for new, old in self.shared_terms):
            return True
        equal = self.alignment.equal
        if any(new.in_subject and old.in_subject for new, old in equal):
            return True
        return self.same_person

    @lazy
    def same_subject(self) -> bool:
        """Whether the subjects are the same in all their words, and both definite."""
        if not (self.new.structure.definite and self.old.structure.definite):
            return False
        if any(self.subject_left):
            return False
        return any(new.in_subject and old.in_subject for new, old in self.shared_terms)

    @lazy
    def takes_up_subject(self) -> bool:
        """Whether one text names all that the other is about, in whatever place."""
        shared = [pair for pair in self.alignment.shared if pair[0].is_verb == pair[1].is_verb]
        for side, whole in ((0, self.new), (1, self.old)):
            subject = {t.position for t in whole.terms if t.in_subject and not t.is_light}
            if subject and subject <= {pair[side].position for pair in shared}:
                return True
        return False

    @lazy
    def same_person(self) -> bool:
        """Whether both have only a pronoun, or the user, for a subject."""
        if not self.new.found.persons & self.old.found.persons:
            return False
        return not (_has_own_subject(self.new) or _has_own_subject(self.old))

    @lazy
    def value_conflicts(self) -> list[ValuePair]:
        """Conflicting values that are not names of what the texts are about."""
        return [pair for pair in self.alignment.conflicts if not _names_things(pair)]

    @lazy
    def subject_left(self) -> tuple[list[Term], list[Term]]:
        return (
            [term for term in self.alignment.left_new if term.in_subject],
            [term for term in self.alignment.left_old if term.in_subject],
        )

    @lazy
    def predicate_left(self) -> tuple[list[Term], list[Term]]:
        return (
            [term for term in self.alignment.left_new if not term.in_subject],
            [term for term in self.alignment.left_old if not term.in_subject],
        )

    @lazy
    def other_thing(self) -> str | None:
        """What tells that the texts are about two things, if anything does."""
        new_left, old_left = self.subject_left
        if new_left and old_left:
            return f"{new_left[0].word} and {old_left[0].word}"
        for new, old in self.alignment.conflicts:
            if _names_things((new, old)):
                return f"{new.text} and {old.text}"
        for pairs in (self.alignment.opposed, self.alignment.rivals):
            for one, other in pairs:
                if one.in_subject and other.in_subject:
                    return f"{one.word} and {other.word}"
        named = None if self.change_is_announced else self._designated
        if named is not None:
            return f"{named[0].text} and {named[1].text}"
        return (
            self._other_subject
            or self._other_person
            or self._other_owner
            or self._other_given_subject
        )

    @lazy
    def _other_subject(self) -> str | None:
        """Two subjects of which the other text says nothing."""
        new, old = _subject_names(self.new), _subject_names(self.old)
        if not new or not old:
            return None
        alignment = self.alignment
        met = [*alignment.shared, *alignment.near, *alignment.opposed, *alignment.rivals]
        if any(new.in_subject or old.in_subject for new, old in met):
            return None
        if any(new.in_subject or old.in_subject for new, old in alignment.equal):
            return None
        return f"{new[0]} and {old[0]}"

    @lazy
    def _designated(self) -> ValuePair | None:
        return other_designation(self.new, self.old, self.alignment)

    @lazy
    def narrower_subject(self) -> bool:
        """Whether one text is about a narrower thing: the server, the server alpha-1."""
        alignment = self.alignment
        if any(self.subject_left):
            return True
        values = alignment.only_new + alignment.only_old
        return any(value.in_subject and value.names_things for value in values)

    @lazy
    def _other_person(self) -> str | None:
        """Other pronouns, or a pronoun here and a name there that nothing connects."""
        for one, other in ((self.new, self.old), (self.old, self.new)):
            names = [term.word for term in other.terms if term.in_subject and term.is_name]
            speaker = _speaker(one)
            if speaker and names and not other.found.persons and not _has_own_subject(one):
                known = {term.word for term in one.terms}
                if not known & set(names):
                    return f"{speaker} and {names[0]}"
        new, old = self.new.found.persons, self.old.found.persons
        if not new or not old or new & old or (self.shared_terms and self.shared_subject):
            return None
        return f"{min(new)} and {min(old)}"

    @lazy
    def _other_owner(self) -> str | None:
        """Two subjects that belong to different people: our vet, their vet."""
        new, old = (
            {person for person, in_subject in side.found.people if in_subject}
            for side in self.sides
        )
        if not new or not old or new & old or new | old <= _WHO_TALK:
            return None
        return f"{min(new)} and {min(old)}"

    @lazy
    def _other_given_subject(self) -> str | None:
        new, old = self.new.statement.subject, self.old.statement.subject
        if new is None or old is None or new.casefold() == old.casefold():
            return None
        words = set(new.casefold().split()) & set(old.casefold().split())
        return None if words else f"{new} and {old}"

    @lazy
    def predicate_opposed(self) -> list[TermPair]:
        return [pair for pair in self.alignment.opposed if not _both_in_subject(pair)]

    @lazy
    def predicate_rivals(self) -> list[TermPair]:
        return [pair for pair in self.alignment.rivals if not _both_in_subject(pair)]

    @lazy
    def opposite(self) -> bool:
        """Whether one denies what the other says: a denial or an antonym, but not both."""
        denials_differ = self.new.found.denied != self.old.found.denied
        return denials_differ != (len(self.predicate_opposed) % 2 == 1)

    @lazy
    def new_announces_change(self) -> bool:
        if not self.new.may_announce_change:
            return False
        return bool(self.new_cues & CHANGE_CUES) or self.displaces(of_new=True)

    @lazy
    def old_announces_change(self) -> bool:
        if not self.old.may_announce_change:
            return False
        return bool(self.old_cues & CHANGE_CUES) or self.displaces(of_new=False)

    @lazy
    def new_cues(self) -> frozenset[Cue]:
        """What small words and verbs of the new text say about change."""
        return self.new.cues | self._cues_of_deeds(of_new=True)

    @lazy
    def old_cues(self) -> frozenset[Cue]:
        return self.old.cues | self._cues_of_deeds(of_new=False)

    def _cues_of_deeds(self, *, of_new: bool) -> frozenset[Cue]:
        """What the deeds say of which one text tells alone: a change of which both tell tells
        neither apart."""
        side, deeds = (0, self.new.deeds_of_change) if of_new else (1, self.old.deeds_of_change)
        if not deeds:
            return frozenset()
        reported = {
            pair[side].position
            for pair in self.alignment.shared
            if pair[0].is_past and pair[1].is_past
        }
        return frozenset(cue for deed, cue in deeds if deed.position not in reported)

    def displaces(self, *, of_new: bool) -> bool:
        """Whether one text names what the other says as what was there before."""
        side, text = (0, self.new) if of_new else (1, self.old)
        if not text.leaves_something:
            return False
        pairs = self.alignment.shared + self.alignment.near
        displaced = [p for p in pairs if p[side].displaced and not p[1 - side].displaced]
        if displaced and self.has_change_word(of_new=of_new):
            return True
        if any(pair[1 - side].preposition in _PLACES for pair in displaced):
            return True
        replacing = text.words.words_of("replacing")
        return any(pair[side].preposition in replacing for pair in self.alignment.equal)

    def has_change_word(self, *, of_new: bool) -> bool:
        side = self.new if of_new else self.old
        return any(
            term.is_in("change_verbs") or term.preposition in side.words.words_of("replacing")
            for term in side.terms
        )

    @lazy
    def change_is_announced(self) -> bool:
        return self.new_announces_change or self.old_announces_change

    @lazy
    def left_without_change(self) -> tuple[list[Term], list[Term]]:
        """What has no partner, but for verbs that only say that something changed or ended."""
        return (
            [term for term in self.alignment.left_new if not _is_of_change(term)],
            [term for term in self.alignment.left_old if not _is_of_change(term)],
        )

    @lazy
    def shares_most(self) -> bool:
        """Whether more of one text's words are shared than left over, verbs alone not."""
        if all(new.is_verb and old.is_verb for new, old in self.shared_terms):
            return False
        shared = len(self.shared_terms)
        return shared > min(len(self.alignment.left_old), len(self.alignment.left_new))

    @lazy
    def same_verb(self) -> bool:
        """Whether both have a verb in common that says more than being or having."""
        return any(new.is_verb and old.is_verb for new, old in self.shared_terms)

    @lazy
    def happens_once(self) -> bool:
        """Whether the shared verb is of what happens once: founded, born, signed."""
        if {self.new.tense, self.old.tense} <= {Tense.PRESENT, Tense.PERFECT}:
            return False
        if any(new.kind is ValueKind.ORDINAL and new.in_subject for new, _ in self.alignment.equal):
            return True
        return any(
            new.is_in("once_verbs") and (new.is_past or new.is_verb or new.word == old.word)
            for new, old in self.shared_terms
        )

    @lazy
    def values_differ(self) -> bool:
        """Whether a value of either text lacks an equal one in the other.

        Times of which one leaves the half of the day open count as equal.
        """
        alignment = self.alignment
        if alignment.conflicts or alignment.only_new or alignment.only_old:
            return True
        return any(new.kind is not ValueKind.TIME for new, _ in alignment.compatible)

    @lazy
    def newer(self) -> Newer | None:
        """Which text holds now, if anything says so: known times, then words of change, then the
        order in which people said them."""
        if self.newer_by_time is not None:
            return self.newer_by_time
        if self.new_announces_change != self.old_announces_change:
            return Newer.NEW if self.new_announces_change else Newer.OLD
        return Newer.NEW if self.new.statement.stated_directly else None

    @lazy
    def newer_by_time(self) -> Newer | None:
        """Which text is of a later time: by what happened, else by when it was said."""
        if self.happened_on_other_days:
            return _later(self.new.event_day, self.old.event_day)
        return self.said_later

    @lazy
    def said_later(self) -> Newer | None:
        """Which text is known to have been said or written later."""
        new, old = self.new.statement, self.old.statement
        return _later(new.said_at, old.said_at) or _said_since(new, old)

    @lazy
    def happened_on_other_days(self) -> bool:
        """Whether event times that stand beside the texts, not in both of them, differ."""
        new_day, old_day = self.new.event_day, self.old.event_day
        if new_day is None or old_day is None or new_day == old_day:
            return False
        return not (_names_a_date(self.new) and _names_a_date(self.old))

    @lazy
    def frames_agree(self) -> bool:
        """Whether both are meant the same way: a task is no fact, a goal no result."""
        if self.new.is_task != self.old.is_task:
            return self._task_as_duty
        frames = {self.new.frame, self.old.frame}
        return len(frames) == 1 or frames <= {Frame.PLAIN, Frame.DECISION} or self.new.is_task

    @lazy
    def _task_as_duty(self) -> bool:
        """Whether one asks for what the other calls a duty: renew it, it has to be renewed."""
        task, other = (self.new, self.old) if self.new.is_task else (self.old, self.new)
        return other.frame is Frame.PLAIN and other.found.modality == "duty" and task.is_task

    @lazy
    def tenses_agree(self) -> bool:
        tenses = {_simple(self.new.tense), _simple(self.old.tense)} - {Tense.NONE}
        if tenses == {Tense.PRESENT, Tense.FUTURE}:
            return bool(self.alignment.equal)
        return len(tenses) <= 1


def _later(new: EventTime | None, old: EventTime | None) -> Newer | None:
    """Which of two times is the later one; None where they do not tell, such as on one day."""
    if new is None or old is None:
        return None
    if isinstance(new, datetime) and isinstance(old, datetime):
        return None if new == old else Newer.NEW if new > old else Newer.OLD
    new_day, old_day = event_day(new), event_day(old)
    return None if new_day == old_day else Newer.NEW if new_day > old_day else Newer.OLD


def _said_since(new: Statement, old: Statement) -> Newer | None:
    """What a person says now is newer than what a file stated before."""
    return Newer.NEW if new.stated_directly and not old.stated_directly else None


def _names_a_date(side: Analysis) -> bool:
    return any(value.kind is ValueKind.DATE for value in side.values)


def _simple(tense: Tense) -> Tense:
    return Tense.PAST if tense is Tense.PERFECT else tense


def _is_of_change(term: Term) -> bool:
    return term.is_in("change_verbs") or term.is_in("ending_verbs")


def _both_in_subject(pair: TermPair) -> bool:
    return pair[0].in_subject and pair[1].in_subject


def _names_things(pair: ValuePair) -> bool:
    new, old = pair
    if not (new.in_subject and old.in_subject):
        return False
    return new.names_things and old.names_things


def _subject_names(side: Analysis) -> list[str]:
    """The words and values that a subject consists of."""
    terms = [term.word for term in side.terms if term.in_subject and not term.is_light]
    return terms + [value.text for value in side.values if value.in_subject and value.names_things]


def _speaker(side: Analysis) -> str | None:
    """Whom a pronoun in the subject means."""
    return next((person for person, in_subject in side.found.people if in_subject), None)


def _has_own_subject(side: Analysis) -> bool:
    return any(term.in_subject and not term.is_light for term in side.terms)
