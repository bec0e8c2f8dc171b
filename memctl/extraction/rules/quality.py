"""What is not worth a memory, and why.

Every function looks at one piece of text and answers with a short reason that is counted in the
result, or with None. What a text orders its reader to do is one more thing not worth a memory: it
changes nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memctl.extraction.rules.language import Language, language
from memctl.extraction.rules.machine_text import is_code, is_commit_message, is_log_line
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.sentences import has_digit, word_count

LONGEST_STATEMENT_CHARACTERS = 1_500
"""A longer piece without an end of sentence states no single thing; its chunk keeps it."""

PASSING_MAXIMUM_WORDS = 12
REFERENCE_MAXIMUM_WORDS = 9
SMALL_TALK_CHARACTERS = 120
"""A longer sentence is no mere greeting."""

SMALL_TALK_REST_WORDS = 2
"""What may be left of small talk when all its phrases are taken out: a name."""

PASSING_STATE = "passing state"
"""Why a sentence is left out that tells how something is just now."""

REQUEST = "request"
"""Why a sentence is left out that only asks its reader for something now."""

PAGE_NUMBER_CHARACTERS = 16
OWN_OUTPUT_MARKS = ("<!-- memctl", "memctl")
"""What a fenced block begins with that holds recalled memories (its first line or its info)."""

_URL = re.compile(
    r"(?:https?|ftp|file|mailto|ssh)://\S+|www\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,255}",
    re.IGNORECASE,
)
_URL_MARKS = ("://", "@")
"""One of these is in every address that does not begin with ``www.``."""

_AROUND_LINKS = " <>()-:*"
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"\w+")
_PLACEHOLDER = re.compile(
    r"\{\{.{0,60}?\}\}|\$\{.{0,60}?\}|\$\(.{0,60}?\)"
    r"|\bY{4}\b|_{3,}|\bX{3,}\b"
    r"|\[(?:your|insert|enter|add|name|date|todo|fill|dein|votre|tu|su)\b[^\]]{0,40}\]",
    re.IGNORECASE,
)
_ANGLED = re.compile(r"<[^\W\d_][^<>\n]{1,40}>")
"""Words between ``<`` and ``>``: a field to fill in, a part of a name, or just words."""

_FIELD = re.compile(
    r"(?:^|(?<=[\s(,;:\"“„«]))<(?:"
    r"(?:your|insert|enter|fill in|dein\w*|ihre?n?|votre|vos|ton|ta|tes|tu|tus|su|sus|seu|sua|teu"
    r"|tua|il tuo|la tua|uw|jouw|je|tw[oó]j\w*|wpisz|ваш\w*|введите)\b[^<>]+"
    r"|(?:您的|你的|请输入|請輸入|あなたの|당신의)[^<>]+"
    r"|(?:(?:first|last|full|user|company) ?)?name|date|day|month|year|time|title|city|country"
    r"|(?:e-?mail|street|postal)?(?: ?address)|e-?mail|phone|amount|number|text|placeholder"
    r"|nombre|fecha|nom|datum|data|nome|imię|имя|дата|姓名|名前|日期|日付|이름|날짜"
    r")>(?=[\s),.;:!?\"”»]|$)",
    re.IGNORECASE,
)
"""Such words that ask for something, and stand by themselves: ``/home/<name>/notes`` is a path."""

_BLANK_SPACE = re.compile(r"_{3,}|\.{6,}")
BLANK_SPACES = 2
"""A line with so many places to be filled in is a form."""

_KEYS_HIT = re.compile(
    r"(?:(?:([^\W\d_])\1+|test\w{0,3}|asdf\w*|qwert\w*|foo|bar|baz|blah|hello world|\d+)\b\W*)+",
    re.IGNORECASE,
)
LONGEST_TRIAL_CHARACTERS = 60
"""What somebody types to see whether it arrives (``test test 123``), and how long it may be."""

_ASIDE = re.compile(r"^[_*\s]*[(\[（].{0,120}[)\]）][_*\s.]*$")
_QUOTED = re.compile(
    r"^(?:\"[^\"]+\"|[“„][^“”„]+[”“]|«[^«»]+»|‘[^‘’]+’|「[^「」]+」|『[^『』]+』|《[^《》]+》)"
    r"\W*(?:(?:[—–-]+ ?|\()(?:[^\W\d]\S* ?){0,5}\)?|(?:[^\W\d]\S* ?){0,3})$"
)
"""A quotation with at most the name of whom it is from."""

_ATTRIBUTION = re.compile(
    r"^(?P<dash>[—–-]{1,2} ?)?(?:[^\W\d_a-zß-ÿ][\w.'’-]*,? ?){2,5}(?:[(,].{1,40})?$"
)
"""Whom a saying is from, on a line of its own."""

_SUNG = re.compile(r"[♪♫🎵🎶]")

_SEPARATED = re.compile(r"\s[|·•>»›]\s")
_COUNTED = re.compile(
    r"^(?:cart|basket|wishlist|inbox|drafts|comments|reviews|notifications|messages) \(\d+\)$",
    re.IGNORECASE,
)
"""What a menu says is there."""

_CAPTION = re.compile(
    r"^(?:(?:Figure|Fig|Figura|Abbildung|Abb|Afb|Рис|Рисунок|Rys)\.? ?\d+(?:\.\d+)*[.:] \S"
    r"|(?:Table|Tabelle|Tab|Tableau|Tabla|Tabella|Tabela)\.? \d+(?:\.\d+)*\. [^\W\d_]"
    r"|[图圖図] ?\d+[:：.、] ?[^\W\d_])"
)
"""What stands under a picture or over a table; ``Table 12: the Petrovs`` is one in a restaurant."""

_COPYRIGHT = re.compile(
    r"^\([cC]\) (?:\d{4}(?:[-–, ]+\d{4})* \w"
    r"|(?=\S+ \S)(?:(?:&|and|by|und|et|y|e|the|of|[A-Z]\S*)(?: |$))+$)"
)
"""``(c)`` with a year, or with nothing but the names of who owns a text."""

_LEADER = re.compile(r"(?:\. ?){5,}|…{2,}")
"""The dots of a table of contents."""

_LEADER_MARKS = ("..", ". .", "……")
"""One of these is in every leader."""

_PAGE_NUMBER = re.compile(
    r"^\W*(?:\w{1,10}\.? ?)?\d{1,4}(?: ?(?:/|of|von|de|di|van|z|из) ?\d{1,4})?\W*$"
)
_REDACTED = "[redacted:"
_REDACTED_ONLY = re.compile(r"^\W*(?:[\w ]{0,30}:? ?)?\[redacted: ?[^\]]*\]\W*$")
_MACHINE_WORD = re.compile(r"\b(?:NO_REPLY|HEARTBEAT_OK)\b|\[message_id:", re.IGNORECASE)
"""What agents say to each other; each has a ``_``."""

_MACHINE_OPENING = re.compile(
    r"\W*(?:message|session|conversation) (?:id|info|key)\b"
    r"|(?:DEADLINE|SCHEDULED|CLOSED): ?[<\[]",
    re.IGNORECASE,
)
_QUESTION_END = re.compile(r"[?？;؟][\"'”’»)\]*_\s!]*$|[?？]+!*$")


def is_own_output(info: str, text: str) -> bool:
    """Whether a fenced block is memory that this program handed out earlier."""
    return info.lower().startswith("memctl") or text.lstrip().startswith(OWN_OUTPUT_MARKS[0])


def is_attribution(text: str) -> bool:
    """Whether a line only says whom something is from: a name behind a dash."""
    attribution = _ATTRIBUTION.match(text)
    return attribution is not None and attribution["dash"] is not None


def is_attributed(text: str, next_line: str, table: Language) -> bool:
    """Whether the next quoted line only says whom a quoted text is from: a name behind a dash, or
    a bare one where the text speaks of nobody's own."""
    if _ATTRIBUTION.match(next_line) is None:
        return False
    return is_attribution(next_line) or not table.has(fold(text), "personal")


def reject_whole(text: str) -> str | None:
    """Why a block's text as a whole states nothing."""
    stripped = text.strip()
    for reason, test in _WHOLE_TESTS:
        if test(stripped):
            return reason
    return None


def reject_sentence(text: str, core: str, table: Language) -> str | None:
    """Why a sentence states nothing, whatever else its words are; ``core`` as of ``core_of``."""
    if len(text) > LONGEST_STATEMENT_CHARACTERS:
        return "too long"
    if not _LETTER.search(text):
        return "no words"
    for reason, test in _FIRM_TESTS:
        if test(text, core, table):
            return reason
    return None


def reject_talk(core: str, table: Language) -> str | None:
    """Why a sentence is only talk of the moment, unless its words clearly speak for a type."""
    if table.has(core, "filler"):
        return "small talk"
    if _is_passing(core, table):
        return PASSING_STATE
    return REQUEST if table.has(core, "request") and not table.has(core, "kept") else None


def reject_value(text: str) -> str | None:
    """Why what stands behind ``name:`` says nothing."""
    stripped = text.strip().strip("*_ ")
    if not stripped or not any(map(str.isalnum, stripped)):
        return "empty"
    if _ASIDE.match(text.strip()) or _holds_field(text):
        return "template"
    if language("en").has(fold(stripped), "template"):
        return "template"
    return None


def reject_row(cells: Sequence[str]) -> str | None:
    """Why a row of a table says nothing: beside its first cell, which may be the name of a field,
    it holds nothing but fields to fill in."""
    filled = [cell for cell in cells if cell.strip()]
    values = filled[1:] or filled
    if values and all(_holds_field(cell) for cell in values):
        return "template"
    said = " ".join(cell for cell in filled if not _holds_field(cell))
    return reject_value(said)


def is_question(text: str) -> bool:
    """Whether a text ends like a question."""
    return _QUESTION_END.search(text[-12:]) is not None and not text.endswith(";")


def _is_question(text: str, folded: str, table: Language) -> bool:
    if table.has(folded, "kept"):
        return False
    if is_question(text):
        return True
    if text.startswith("¿"):
        return True
    return not text.endswith(".") and table.has(folded, "question")


def _holds_field(text: str) -> bool:
    """Whether a text has a field to fill in, or is a form: its words in angle brackets are all that
    it says, or of several such the greater part."""
    if _may_hold_placeholder(text) and _PLACEHOLDER.search(text) is not None:
        return True
    if "<" not in text:
        return False
    if _FIELD.search(text) is not None:
        return True
    angled = _ANGLED.findall(text)
    if not angled:
        return False
    around = len(_WORD.findall(_ANGLED.sub(" ", text)))
    return around == 0 or (len(angled) > 1 and len(_WORD.findall(" ".join(angled))) >= around)


def _may_hold_placeholder(text: str) -> bool:
    """Whether a text has one of the signs that every placeholder begins with."""
    if "[" in text or "{" in text or "$" in text or "__" in text:
        return True
    lowered = text.lower()
    return "xxx" in lowered or "yyyy" in lowered


def _is_template(text: str, folded: str, table: Language) -> bool:
    return _holds_field(text) or _ASIDE.match(text) is not None or table.has(folded, "template")


def _is_small_talk(_text: str, folded: str, table: Language) -> bool:
    if len(folded) > SMALL_TALK_CHARACTERS or not table.may_have_small_talk(folded):
        return False
    rest, count = table.small_talk.subn(" ", folded)
    if count == 0:
        return False
    words = _WORD.findall(rest)
    if has_digit(rest):
        return False
    if table.is_dense:
        return sum(map(len, words)) <= SMALL_TALK_REST_WORDS
    letters = sum(map(len, words))
    return len(words) <= SMALL_TALK_REST_WORDS and letters * 2 <= len(folded)


def _is_passing(folded: str, table: Language) -> bool:
    if has_digit(folded):
        return False
    short = word_count(folded, table) <= PASSING_MAXIMUM_WORDS
    return short and table.has(folded, "passing")


def _is_reference(_text: str, folded: str, table: Language) -> bool:
    """``See the plan for the drawings.`` points elsewhere and says nothing itself."""
    short = word_count(folded, table) <= REFERENCE_MAXIMUM_WORDS
    return short and table.has(folded, "reference")


def _section_test(section: str) -> Callable[[str, str, Language], bool]:
    def test(_text: str, folded: str, table: Language) -> bool:
        return table.has(folded, section)

    return test


_FIRM_TESTS: tuple[tuple[str, Callable[[str, str, Language], bool]], ...] = (
    ("question", _is_question),
    ("instruction", _section_test("instruction")),
    ("hypothetical", _section_test("hypothetical")),
    ("boilerplate", _section_test("boilerplate")),
    ("template", _is_template),
    ("small talk", _is_small_talk),
    ("introduction", lambda text, _core, _table: text.endswith((":", "："))),
    ("reference", _is_reference),
)


def _is_links(text: str) -> bool:
    if not any(mark in text for mark in _URL_MARKS) and "www." not in text.lower():
        return not text.strip(_AROUND_LINKS)
    return not _URL.sub("", text).strip(_AROUND_LINKS)


def _is_only_secret(text: str) -> bool:
    return _REDACTED in text and _REDACTED_ONLY.match(text) is not None


def _is_machine_chatter(text: str) -> bool:
    if _MACHINE_OPENING.match(text) is not None:
        return True
    return "_" in text and _MACHINE_WORD.search(text) is not None


def _is_contents(text: str) -> bool:
    return any(mark in text for mark in _LEADER_MARKS) and _LEADER.search(text) is not None


def _is_form(text: str) -> bool:
    if "___" not in text and "......" not in text:
        return False
    return len(_BLANK_SPACE.findall(text)) >= BLANK_SPACES


def _is_navigation(text: str) -> bool:
    if _COUNTED.match(text):
        return True
    parts = _SEPARATED.split(text)
    if len(parts) < 3:
        return len(text) < PAGE_NUMBER_CHARACTERS and _PAGE_NUMBER.match(text) is not None
    return all(len(part.split()) <= 4 and _is_plain(part) for part in parts[1:])


def _is_plain(part: str) -> bool:
    """Whether a part between marks is words or page numbers, not a value."""
    return not has_digit(part) or not any(map(str.isalpha, part))


_WHOLE_TESTS: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("empty", lambda text: not text),
    ("links", _is_links),
    ("no words", lambda text: not _LETTER.search(text)),
    ("only a secret", _is_only_secret),
    ("machine chatter", _is_machine_chatter),
    ("boilerplate", _is_navigation),
    ("boilerplate", lambda text: _CAPTION.match(text) or _COPYRIGHT.match(text)),
    ("trial", lambda text: len(text) <= LONGEST_TRIAL_CHARACTERS and _KEYS_HIT.fullmatch(text)),
    ("table of contents", _is_contents),
    ("template", _is_form),
    ("code", is_code),
    ("commit message", is_commit_message),
    ("quotation", lambda text: _QUOTED.match(text) or _SUNG.search(text)),
    ("log line", is_log_line),
)
