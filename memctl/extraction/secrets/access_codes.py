"""Codes that open something: ``door code: 4711``, ``the safe opens with 22-14-9``.

Two things must be named, the code and what it opens, since ``code`` alone means much else: error
codes, area codes, code reviews.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memctl.extraction.secrets.joints import ASSIGNMENT, JUXTAPOSITION, STATEMENT
from memctl.extraction.secrets.name_words import ABOUT_WORDS
from memctl.extraction.secrets.searched import Detector, SearchedText
from memctl.extraction.secrets.span import Span
from memctl.extraction.secrets.wording import is_assigned_password, is_measure, is_password_like

KIND = "access code"

CODE_WORDS = (
    *("code", "combination", "combo", "pin", "kombination", "código", "codigo", "combinación"),
    *("clave", "combinaison", "codice"),
)
OPENING_WORDS = ("opens", "unlocks", "opened", "unlocked", "öffnet", "öffnen", "abre", "geht")
LOCK_WORDS = (
    *("padlock", "bike lock", "combination lock", "lockbox", "lock box", "key safe"),
    *("fahrradschloss", "zahlenschloss", "schlüsseltresor", "candado", "caja fuerte", "digicode"),
    *("keypad", "key pad", "tastenfeld", "codeschloss", "teclado", "clavier à code", "tastierino"),
)
"""Things of which a number in a note can only be the code."""

PURPOSE_WORDS = (
    *("to open", "to unlock", "to disarm", "para abrir", "pour ouvrir", "per aprire"),
    *("para desactivar", "pour désactiver"),
)
ENTERING_WORDS = ("eingeben", "eintippen", "drücken")
"""They stand behind what is entered."""

SHORTEST_CODE = 3
SHORTEST_BARE_CODE = 4
"""Digits. A shorter number that only follows "alarm code" may be one of a list of faults."""

_LOCKED = r"""(?:
    (?:front\ |back\ )?door | gate | garage | alarm(?:\ system)? | safe | entry | entrance
  | (?:bike\ |pad)?lock | lock\ ?box | keypad | key\ (?:safe|box) | locker | vault | access
  | tor | garagentor | eingangs? | zugangs? | zutritts? | garagen? | keller | alarmanlagen?
  | schlüssel(?:kasten|box|safes?) | schließfach | [^\W\d_]{0,20}(?:tür|tresor|schloss)s?
  | puerta | portón | portal | alarma | caja\ fuerte | candado | garaje | entrada | acceso
  | porte | portail | alarme | coffre(?:-fort)? | entrée | accès | cadenas
  | porta | cancello | allarme | cassaforte | lucchetto
)"""
_PREPOSITION = r"""[ \t](?:for|of|to|at|on|für|zu[mr]?|an|am|beim?|vom?|von|de[lr]?|des|du|della?
    |per|para|en|pour)"""
_NAMED = rf"""
    [ \t](?:(?:the|our|my|your|die|de[nrms]|das|unsere?[nr]?|la|el|le|nuestr[oa]|mi|il)[ \t])?
    (?:[dl]['’])?(?:[^\W\d_]{{1,20}}(?:['’]s)?[ \t])?{_LOCKED}(?![^\W_])
"""
_NAMED_OBJECT = re.compile(_NAMED, re.VERBOSE | re.IGNORECASE)
_LOCKED_BEFORE = re.compile(
    rf"(?<![^\W_]){_LOCKED}(?:['’]s)?[ \t_-]?\Z", re.VERBOSE | re.IGNORECASE
)
_LOCKED_BEHIND = re.compile(rf"(?:{_PREPOSITION})?{_NAMED}", re.VERBOSE | re.IGNORECASE)
_OPENS_BEHIND = re.compile(
    rf"(?:{_PREPOSITION}|[ \t](?:opens|unlocks|öffnet|abre)){_NAMED}", re.VERBOSE | re.IGNORECASE
)
_FREE_BEFORE = re.compile(
    r"(?:\A|[^\w\s]|\n|\b(?:the|a|our|my|is|use|with|enter|type|new|de[rnm]|mit|ein|neue[rn]?"
    r"|el|la|un|con|nuevo|le|il))\s*\Z",
    re.IGNORECASE,
)
"""What comes before ``code`` where no other noun says which code it is, as in "colour code"."""

_SUBJECT_BEFORE = re.compile(
    rf"(?<![^\W_]){_LOCKED}(?:[ \t][^\W\d_]{{1,20}})?[ \t]"
    r"(?:(?:is|can[ \t]be|se|lässt[ \t]sich)[ \t])?\Z",
    re.VERBOSE | re.IGNORECASE,
)
_MEANS = re.compile(
    r"[ \t](?:sich[ \t])?(?:with|using|mit|con|avec)[ \t]"
    r"(?:(?:the|de[rm]|el|la|le)[ \t])?"
    r"(?:(?:code|combination|number|kombination|zahl|código|clave)[ \t])?",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"[ \t](?:(?:is|was|has[ \t]been|got)[ \t])?(?:now[ \t])?(?:changed|set|reset)[ \t]to[ \t]"
    r"|[ \t](?:wurde|ist)[ \t](?:jetzt[ \t])?auf[ \t]|[ \t](?:is[ \t]still|ist[ \t]jetzt)[ \t]"
    r"|[ \t](?:ahora[ \t]es|se[ \t]cambió[ \t]a)[ \t]",
    re.IGNORECASE,
)
_OPENING_MARKS = re.compile(r"""[*_]{0,3}["'`“„«]?""")
_DIGITS = re.compile(
    r"""
    [#*]?
    (?: \d{1,2}(?P<mark>[ \t]?[-./,–][ \t]?|[ \t])\d{1,2}(?:(?P=mark)\d{1,2}){1,4}
      | \d{2,6}(?:-\d{2,6}){1,3}
      | \d{3,12}
    )
    [#*]?
    (?!\w|[.,:/-]\w|[ \t]?[%°€$])
    """,
    re.VERBOSE,
)
_ISO_DAY = re.compile(r"\d{4}-\d{2}(?:-\d{2})?\Z")
_WORD = re.compile(r"[^\s\"'`*<>|,;.()]{4,40}")
_NEXT_WORD = re.compile(r"[ \t]([^\W\d_]{1,20})")
_CLAUSE_END = re.compile(
    r"[\"'`*_”“»]{0,4}[ \t]*(?:\Z|[\r\n.,;!()|]|(?:auf|öffnen|and|und|y|now)\b)"
)
_ENTERED_BEFORE = re.compile(
    r"\b(?:use|enter|type|dial|press|punch[ \t]in|key[ \t]in|usa|marca|teclea|introduce|pulsa"
    r"|tape[zr]?|utilise[zr]?|composez?|entrez?|digita|inserisci)[ \t]"
    r"(?:(?:the|el|le|il)[ \t])?(?:(?:code|number|código|codice|número|numéro)[ \t])?[\"'`*“„]{0,3}"
    r"(?P<code>[#*]?\d{3,12}[#*]?)[\"'`*”“]{0,3}"
    r"(?:[ \t](?:on|at|into|en|sur|su)[ \t](?:the|el|le|il)[ \t][^\W\d_]{1,12})?,?[ \t]\Z",
    re.IGNORECASE,
)
_NUMBER_BEFORE = re.compile(r"(?<![\w.,:/-])(?P<code>[#*]?\d{3,12}[#*]?)[\"'`*”“]{0,3}[ \t]\Z")
_THING_NEAR = re.compile(
    r"""(?<![^\W_])(?:
        (?:front|back|garage)?\ ?doors? | gates? | garage | alarm(?:\ system)? | safe | vault | pin
      | (?:bike\ ?|pad)?lock | lock\ ?box | key\ ?(?:pad|safe|box) | lockers?
      | tor | garagentor | alarmanlage | [^\W\d_]{0,20}(?:tür|tresor|schloss) | tastenfeld
      | puerta | portón | alarma | caja\ fuerte | candado | garaje
      | porte | portail | alarme | coffre(?:-fort)? | cadenas | digicode
      | porta | cancello | allarme | cassaforte | lucchetto
    )(?![^\W_])""",
    re.VERBOSE | re.IGNORECASE,
)
_OTHER_CODE = re.compile(
    r"(?<![^\W_])(?:errors?|faults?|status|postal|postcode|zip|area|country|colou?rs?|paint(?:ed)?"
    r"|discount|promo\w*|voucher|coupon|booking|order|article|product|item|part|source|diagnos\w+"
    r"|fehler\w*|störung\w*|farb\w*|lack\w*|postleitzahl|vorwahl|rabatt\w*|gutschein\w*|artikel\w*"
    r"|color|postale?|descuento|erreur|couleur|errore|colore|sconto|fallo|avería)(?![^\W_])",
    re.IGNORECASE,
)
"""Where these are spoken of, a bare code may be another one."""

_PLACE = re.compile(r"[ \t](?P<place>[^\W\d_]{2,20})[ \t]?[:=][*_]{0,3}[ \t]{0,4}")
"""Where the thing is that a code opens."""

_PARAGRAPH_END = "\n\n"
_NEAR_LENGTH = 100
"""Characters on either side of a bare code in which a thing that it opens counts as near."""

_CONTEXT_LENGTH = 48


def find_access_codes(searched: SearchedText) -> Iterator[Span]:
    """Codes of doors, gates, alarms, safes and locks that the text names as such."""
    text = searched.text
    for words, find_behind in _RULES:
        for word in sorted(searched.words & words):
            for start in searched.places(word):
                if (found := find_behind(text, start, start + len(word))) is not None:
                    yield found


def _behind_code(text: str, start: int, end: int) -> Span | None:
    """Of ``door code 1``, ``code for the door: 1``, and ``code 1 for the door``."""
    end += text.startswith("s", end)
    if end < len(text) and text[end].isalnum():
        return None
    before = text[max(0, start - _CONTEXT_LENGTH) : start]
    if _LOCKED_BEFORE.search(before):
        return _read_code(text, end) or _behind_place(text, end)
    if not _FREE_BEFORE.search(before):
        return None
    if named := _LOCKED_BEHIND.match(text, end):
        return _read_code(text, named.end())
    bare = JUXTAPOSITION.match(text, end)
    code = _read_digits(text, bare.end()) if bare else None
    if code is not None and _OPENS_BEHIND.match(text, code.end):
        return code
    return _near_thing(text, start, end)


def _behind_place(text: str, end: int) -> Span | None:
    """Of ``door code garage: 1``."""
    place = _PLACE.match(text, end)
    if place is None or place["place"].casefold() in ABOUT_WORDS or _OTHER_CODE.search(place[0]):
        return None
    code = _read_digits(text, place.end(), SHORTEST_BARE_CODE)
    return code if code is not None and _CLAUSE_END.match(text, code.end) else None


def _near_thing(text: str, start: int, end: int) -> Span | None:
    """Of ``Code: 1`` where a door, an alarm or a safe is spoken of in the paragraph. Several pins
    are those of a plug."""
    assignment = ASSIGNMENT.match(text, end)
    is_pin = text[start:end].casefold().startswith("pin")
    if assignment is None or is_pin:
        return None
    code = _read_digits(text, assignment.end(), SHORTEST_BARE_CODE)
    if code is None or not _CLAUSE_END.match(text, code.end):
        return None
    before = text[max(0, start - _NEAR_LENGTH) : start].rpartition(_PARAGRAPH_END)[2]
    behind = text[code.end : code.end + _NEAR_LENGTH].partition(_PARAGRAPH_END)[0]
    is_near = _THING_NEAR.search(before) or _THING_NEAR.search(behind)
    is_other = _OTHER_CODE.search(before) or _OTHER_CODE.search(behind)
    return code if is_near and not is_other else None


def _behind_opening(text: str, start: int, end: int) -> Span | None:
    """Of ``the safe opens with 1``."""
    means = _MEANS.match(text, end)
    before = text[max(0, start - _CONTEXT_LENGTH) : start]
    if means is None:
        # In German the verb may stand behind it.
        means = _MEANS.search(text, max(0, start - _CONTEXT_LENGTH), start)
        before = text[max(0, means.start() - _CONTEXT_LENGTH) : means.start() + 1] if means else ""
    if means is None or not _SUBJECT_BEFORE.search(before):
        return None
    code = _read_digits(text, means.end())
    return code if code is not None and _CLAUSE_END.match(text, code.end) else None


def _behind_lock(text: str, _start: int, end: int) -> Span | None:
    """Of ``bike lock: 1``."""
    named = _LOCKED_BEHIND.match(text, end)
    assignment = ASSIGNMENT.match(text, named.end() if named else end)
    code = _read_digits(text, assignment.end()) if assignment else None
    return code if code is not None and _CLAUSE_END.match(text, code.end) else None


def _before_purpose(text: str, start: int, end: int) -> Span | None:
    """Of ``use 1 to open the gate``."""
    offset = max(0, start - _NEAR_LENGTH)
    entered = _ENTERED_BEFORE.search(text[offset:start])
    if entered is None or not _NAMED_OBJECT.match(text, end):
        return None
    return Span(offset + entered.start("code"), offset + entered.end("code"), KIND)


def _before_entering(text: str, start: int, end: int) -> Span | None:
    """Of ``1 eingeben, um das Tor zu öffnen``."""
    offset = max(0, start - _NEAR_LENGTH)
    number = _NUMBER_BEFORE.search(text[offset:start])
    if number is None:
        return None
    before = text[offset : offset + number.start()].rpartition("\n")[2]
    behind = text[end : end + _NEAR_LENGTH].partition("\n")[0]
    if not (_THING_NEAR.search(before) or _THING_NEAR.search(behind)):
        return None
    return Span(offset + number.start("code"), offset + number.end("code"), KIND)


def _read_code(text: str, end: int) -> Span | None:
    """The code of what is named up to ``end``."""
    assignment = ASSIGNMENT.match(text, end)
    if assignment is not None:
        found = _read_digits(text, assignment.end())
        return found or _read_word(text, assignment.end(), is_assigned_password)
    stated = _CHANGE.match(text, end) or STATEMENT.match(text, end)
    if stated is not None:
        found = _read_digits(text, stated.end())
        return found or _read_word(text, stated.end(), _is_mixed)
    bare = JUXTAPOSITION.match(text, end)
    if bare is None:
        return None
    found = _read_digits(text, bare.end(), SHORTEST_BARE_CODE)
    return found or _read_word(text, bare.end(), _is_mixed)


def _read_digits(text: str, position: int, shortest: int = SHORTEST_CODE) -> Span | None:
    """A code in digits, which is neither a day nor a number of something."""
    marks = _OPENING_MARKS.match(text, position)
    match = _DIGITS.match(text, marks.end() if marks else position)
    if match is None or _ISO_DAY.match(match[0]):
        return None
    unit = _NEXT_WORD.match(text, match.end())
    digits = sum(character.isdigit() for character in match[0])
    if digits < shortest or (unit and is_measure(match[0] + unit[1])):
        return None
    return Span(match.start(), match.end(), KIND)


def _read_word(text: str, position: int, is_code: Callable[[str, str], bool]) -> Span | None:
    """A code in letters, or in letters and digits, that is one by ``is_code``."""
    marks = _OPENING_MARKS.match(text, position)
    match = _WORD.match(text, marks.end() if marks else position)
    if match is None or not is_code(match[0], text[match.end() : match.end() + _CONTEXT_LENGTH]):
        return None
    return Span(match.start(), match.end(), KIND)


def _is_mixed(value: str, _behind: str) -> bool:
    return is_password_like(value)


_RULES: tuple[tuple[frozenset[str], Callable[[str, int, int], Span | None]], ...] = (
    (frozenset(CODE_WORDS), _behind_code),
    (frozenset(OPENING_WORDS), _behind_opening),
    (frozenset(LOCK_WORDS), _behind_lock),
    (frozenset(PURPOSE_WORDS), _before_purpose),
    (frozenset(ENTERING_WORDS), _before_entering),
)
"""Words, and what finds the code beside one."""

ACCESS_CODES = Detector(find_access_codes, frozenset(word for words, _ in _RULES for word in words))
