"""States that follow each other or end: looking for a job, found one; a task, done."""

from __future__ import annotations

from memctl.association.analysis import Analysis
from memctl.association.comparison import Comparison
from memctl.association.rules.succession import succession
from memctl.association.sentence import Tense
from memctl.association.terms import Modality, Term
from memctl.association.values import Judgement, Newer, Relation
from memctl.association.wording import Cue, Frame

LEAST_DONE_SHARE = 0.7
"""Share of a task's words that a report must take up to be about that task."""

LEAST_DONE_WORDS = 2
"""Words and values of a task that a report must take up at least."""

LEAST_ENDED_SHARE = 0.6
"""Share of an old text's words that a text must take up to say that it holds no longer."""

_OPEN_FRAMES = frozenset({Frame.TODO, Frame.PLAN, Frame.GOAL})


def finished_task(comparison: Comparison) -> Judgement | None:
    """A task or plan, and a text that says that it was done."""
    new, old = comparison.new, comparison.old
    if _is_open(old) and _reports(new) and _covers(comparison, task_is_new=False):
        if comparison.said_later is Newer.OLD:
            return _done_before()
        return Judgement(Relation.UPDATES, "the task is done", 0.85)
    if _is_open(new) and _reports(old) and _covers(comparison, task_is_new=True):
        if comparison.said_later is Newer.NEW:
            return _done_before()
        return Judgement(Relation.UPDATES, "the task is done", 0.8, Newer.OLD)
    return None


def _done_before() -> Judgement:
    return Judgement(Relation.RELATED, "a task that was done before", 0.6)


def _is_open(side: Analysis) -> bool:
    return side.frame in _OPEN_FRAMES or side.is_task


def _reports(side: Analysis) -> bool:
    """Whether a text says that something happened."""
    if side.found.denied or _is_open(side) or side.found.modality is not Modality.NONE:
        return False
    if side.frame is Frame.DONE or Cue.DONE in side.cues:
        return True
    is_state = side.tense is Tense.PRESENT and side.structure.passive
    return side.tense in {Tense.PAST, Tense.PERFECT} or is_state


def _covers(comparison: Comparison, *, task_is_new: bool) -> bool:
    """Whether a report takes up what a task names, and what was to be done with it."""
    if comparison.other_thing is not None or comparison.value_conflicts:
        return False
    task, report = comparison.new, comparison.old
    if not task_is_new:
        task, report = report, task
    if task.tense in {Tense.PAST, Tense.PERFECT}:
        # It tells of the deed itself, and asks for what comes after it.
        return False
    side = 0 if task_is_new else 1
    wanted = [term for term in task.terms if not term.is_light]
    pairs = comparison.alignment.shared + comparison.alignment.near
    met = [pair for pair in pairs if not pair[side].is_light]
    only = comparison.alignment.only_new if task_is_new else comparison.alignment.only_old
    if task.frame is Frame.GOAL and only:
        return False
    enough = max(LEAST_DONE_SHARE * len(wanted), LEAST_DONE_WORDS)
    if len(met) + len(comparison.alignment.equal) < enough:
        return False
    deed_is_named = any(pair[side].is_verb or pair[1 - side].is_past for pair in met)
    return deed_is_named or report.frame is Frame.DONE or Cue.DONE in report.cues


def next_state(comparison: Comparison) -> Judgement | None:
    """A state and the one that follows it: looking for a job, found a job."""
    if comparison.other_thing is not None or not comparison.shared_terms:
        return None
    if comparison.new.found.denied or comparison.old.found.denied:
        return None
    states = _follows(comparison.new, comparison.old)
    if states and not _has_other_object(comparison, later_is_new=True):
        return _state_after_state(states, Newer.NEW, comparison.newer_by_time or Newer.NEW)
    states = _follows(comparison.old, comparison.new)
    if states and not _has_other_object(comparison, later_is_new=False):
        return _state_after_state(states, Newer.OLD, comparison.newer or Newer.OLD)
    return None


def _has_other_object(comparison: Comparison, *, later_is_new: bool) -> bool:
    """Whether the later deed has an object of which the earlier text, which is about something
    else, says nothing: rents the workshop, bought a lathe; but not: works in Kiel, retired to
    Porto."""
    if any(not new.in_subject or not old.in_subject for new, old in comparison.shared_terms):
        return False
    later, earlier = comparison.predicate_left if later_is_new else comparison.predicate_left[::-1]
    return any(_may_be_object(term) and term.preposition is None for term in later) and any(
        map(_may_be_object, earlier)
    )


def _may_be_object(term: Term) -> bool:
    return not term.is_verb and not term.facts.states


def _state_after_state(states: tuple[Term, Term], holds: Newer, newer: Newer) -> Judgement:
    """``holds`` is the text with the second state, ``newer`` the one that was said later."""
    first, second = states[0].word, states[1].word
    if newer is not holds:
        return Judgement(Relation.RELATED, f"{first} after {second}", 0.4)
    return Judgement(Relation.UPDATES, f"{first}, then {second}", 0.7, newer)


def _follows(later: Analysis, earlier: Analysis) -> tuple[Term, Term] | None:
    """A word for a state in one text and the word for the next state in the other."""
    for state in earlier.terms:
        for following in later.terms:
            if following.word == state.word or not _is_reached(following):
                continue
            if any(
                (row, 1) in following.facts.states for row, side in state.facts.states if not side
            ):
                return state, following
    return None


def _is_reached(term: Term) -> bool:
    """Whether a state is said to have come about, not to come about as a habit."""
    return term.is_past or not term.is_in("verbs")


def ended(comparison: Comparison) -> Judgement | None:
    """One text says that what the other one says holds no longer, or that it is otherwise now."""
    if comparison.other_thing is not None:
        return None
    if comparison.new_announces_change == comparison.old_announces_change:
        return None
    if not _takes_up(comparison, new_announces=comparison.new_announces_change):
        return None
    if comparison.old_announces_change and comparison.newer is Newer.NEW:
        return None
    return succession(comparison, "it is said to have changed", 0.6, excludes=False)


def _takes_up(comparison: Comparison, *, new_announces: bool) -> bool:
    """Whether a text of change is about what the other one says, and says more than that."""
    alignment = comparison.alignment
    cues, other = comparison.new_cues, comparison.old
    left, other_values, side = alignment.left_new, alignment.only_old, 1
    if not new_announces:
        cues, other = comparison.old_cues, comparison.new
        left, other_values, side = alignment.left_old, alignment.only_new, 0
    if other_values or alignment.conflicts or comparison.subject_left[side]:
        return False
    if not (comparison.shared_subject or comparison.shares_most):
        return False
    says_more = bool(left) or bool(cues & {Cue.ENDED, Cue.CORRECTION})
    says_more = says_more or comparison.displaces(of_new=new_announces)
    wanted = [term for term in other.terms if not term.is_light]
    pairs = alignment.shared + alignment.near + alignment.opposed + alignment.rivals
    met = {pair[side].position: pair[side] for pair in pairs if not pair[side].is_light}
    may_be_said_of_others = not comparison.shared_subject
    goes_beyond_subject = any(
        not term.in_subject and not (may_be_said_of_others and term.is_name)
        for term in met.values()
    )
    return says_more and goes_beyond_subject and len(met) / len(wanted) >= LEAST_ENDED_SHARE
