"""Which of a language model's statements are worth a memory; each other one gets its reason."""

from __future__ import annotations

import re

from memctl.extraction.evidence import evidence_of, is_supported
from memctl.extraction.word_set import word_set

MAXIMUM_STATEMENT_LENGTH = 1_000
"""Characters; one claim is far shorter, a copied paragraph is not."""

EMPTY = "empty"
TOO_SHORT = "too short"
TOO_LONG = "too long"
QUESTION = "a question"
NO_SUBJECT = "does not say whom or what it is about"
ABOUT_TEXT = "speaks about the text or the assistant"
INSTRUCTIONS = "repeats the instructions"
NO_PROSE = "no prose"
NOT_IN_TEXT = "not in the text"
DUPLICATE = "said twice"
CUT_SHORT = "cut short by the output limit"

_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_WORDS = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_QUESTION = re.compile(r"[?？؟]\s*[\"'”’)）」]?\s*\Z")
_ABOUT_TEXT = re.compile(
    r"""
    (?:the|this|these)\ (?:\w+\ )?(?:document|text|chunk|file|passage|excerpt|snippet|content|lines?
        |section|assistant|ai|model|agent)\b
      \ (?:\w+\ )?(?:contains?|describes?|discuss|discusses|provides?|mentions?|lists?|includes?
        |is|are|was|were|has|have|should|must|will|can|cannot|does|do|states?|says?|talks?|shows?
        |explains?|asks?|helped|answered|offered|responded|replied|suggested|extracted)\b
    | (?:as\ an?\ (?:ai|assistant|language\ model) | (?:i|we)\ (?:cannot|can't|extracted|found)\b
        | (?:no|there\ (?:are|is)\ no)\ (?:\w+\ )?(?:memories|facts|statements|information)\b)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_POINTING_WORDS = word_set(
    """
    i you he she it they we me him her them us this that these those his its their my your our er
    sie es wir ich ihn ihm ihnen dies das diese il elle ils elles ce cela on él ella ellos eso
    он она оно они это его её их мы
    """
)
_FILLERS = word_set(
    """
    the a an is are was were be been has have had do does did will would can could should may might
    not no very so too also and or but to of in on at for with by as there here now then
    """
)
_UNSPACED_PRONOUNS = re.compile(
    "^(?:他|她|它|他们|她们|我|我们|你|这|那|这个|那个|彼|彼女|それ|これ|그|그녀|그것)"
)


def rejection_reason(statement: str, source: str, instructions: str) -> str | None:
    """Why ``statement`` is no memory, or None. ``source`` is the text with its headings."""
    if not statement.strip():
        return EMPTY
    if len(statement) > MAXIMUM_STATEMENT_LENGTH:
        return TOO_LONG
    if _QUESTION.search(statement):
        return QUESTION
    return _wording_reason(statement) or _source_reason(statement, source, instructions)


def fold_statement(statement: str) -> str:
    """The form in which two statements of one answer count as the same."""
    return " ".join(_WORDS.findall(statement.casefold()))


def _wording_reason(statement: str) -> str | None:
    letters = sum(sign.isalpha() for sign in statement)
    if letters < sum(not sign.isspace() for sign in statement) / 2:
        return NO_PROSE
    if _CJK.search(statement):
        return _unspaced_reason(statement)
    words = [word.casefold() for word in _WORDS.findall(statement)]
    if len(words) < 3:
        return TOO_SHORT
    meaning = [word for word in words if word not in _POINTING_WORDS and word not in _FILLERS]
    if len(meaning) < 2 and any(word in _POINTING_WORDS for word in words):
        return NO_SUBJECT
    return ABOUT_TEXT if _ABOUT_TEXT.match(statement) else None


def _unspaced_reason(statement: str) -> str | None:
    signs = sum(sign.isalnum() for sign in statement)
    if signs < 5:
        return TOO_SHORT
    return NO_SUBJECT if signs < 8 and _UNSPACED_PRONOUNS.match(statement) else None


def _source_reason(statement: str, source: str, instructions: str) -> str | None:
    if is_supported(statement, source):
        return None
    claimed = evidence_of(statement)
    if claimed and len(claimed & evidence_of(instructions)) / len(claimed) > 0.6:
        return INSTRUCTIONS
    return NOT_IN_TEXT
