"""Tells a secret value from a word, a name, a path, a date or a placeholder.

Pure judgements on one value and the text behind it, for the places where a form alone does not
say it. A value is taken as ordinary text only for a reason that stands here.
"""

from __future__ import annotations

import re

from memctl.extraction.word_set import word_set

MINIMUM_RANDOM_LENGTH = 8
"""Shortest value behind ``token:`` or ``secret=`` that can be one."""

_NAME_SEPARATOR = re.compile(r"[-_./:+]")
_NAME_PART = re.compile(
    r"[a-z]+|[A-Z][a-z]+|[A-Z]{1,12}|v?\d{1,8}|\d{1,3}[a-z]{1,3}|[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})+"
)

_YEAR = re.compile(r"(?:19|20)\d\d")
_NAMING_PARTS = word_set("password passwd secret token key credentials name field value")

_PLACEHOLDER = re.compile(
    r"""
      [\[(<{（【「『《]
    | \$[({\[]
    | \$(?:[A-Z][A-Z0-9_]*|[A-Za-z]+_\w*)\W*\Z
    | %\w+%\W*\Z | %\(\w+\)s | %[sdrv]\W*\Z | \#\{ | @\w+@\W*\Z
    | !(?:vault|secret|env_var|Ref|Sub)\b
    | (?:vault|env|secrets?|file|keyring|keychain|op|ref|ssm|arn|kms)://?
    | (?:env|vault|keyring|keychain|op|arn|secretsmanager):\S
    | ENC\[
    | (?P<mask>[*xX•●·.…_#?-])(?P=mask){2,}
    | (?:your|insert|enter|replace|dein|euer|votre|tu)[-_ ]
    """,
    re.VERBOSE | re.IGNORECASE,
)

_REFERENCE = re.compile(
    r"""
      (?:[A-Za-z][A-Za-z0-9+.-]*:)?//
    | (?:~|\.{1,2})?/[\w.@-]+/ | ~/ | [A-Za-z]:\\
    | [\w-]+\.(?:txt|md|json5?|ya?ml|toml|env|pem|key|crt|kdbx?|gpg|asc|py|js|ts|go|rs|sh|cfg|ini
        |conf|docx?|pdf|xlsx?|csv|html?|log|db)\Z
    | [A-Za-z_][\w.]*[(\[]\Z | [A-Za-z_][\w.]*\(.*\)\W*\Z | (?=\w*[_.])[A-Za-z_][\w.:>-]*[(\[]
    | (?:self|this|os|env|process|config|conf|cfg|settings|args|request|req|secrets?|vars?|data
        |params|options|ctx|props|credentials|form|inputs|github|environment)
      (?:\.[A-Za-z_]\w*)+\W*\Z
    | (?=\w*(?:KEY|TOKEN|SECRET|PASS|PWD|PW))[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\Z
    | (?=[a-z_]*(?:pass|pwd|token|secret|key))[a-z]+(?:_[a-z]+)+\Z
    """,
    re.VERBOSE,
)

_EXPANSION = re.compile(r"\$[({]|\{\{|%\(")

_MEASURE = re.compile(
    r"""
      \d{4}-\d{2}(?:-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?)?\Z
    | \d{8}T\d{6}Z?\Z
    | \d{1,2}[./]\d{1,2}[./](?:\d{2,4})?\Z
    | \d{1,2}:\d{2}(?::\d{2})?\Z
    | [<>≥≤~±]?=?\d+(?:[.,]\d+)?[-+]?(?:st|nd|rd|th|%|x|k|m|kb|mb|gb|h|d|w|min|s|ms
        |chars?|characters?|digits?|letters?|days?|weeks?|months?|years?|hours?|minutes?|words?|bits?|bytes?|times?
        |zeichen|stellen|tage|位|字|个|個|天|日|文字|桁|자리|자|일|символов|символа|знаков|дней)\Z
    """,
    re.VERBOSE | re.IGNORECASE,
)

_MAIL_ADDRESS = re.compile(r"[^@\s]+@[\w-]+(?:\.[\w-]+)+\Z")
_HAS_DIGIT = re.compile(r"\d")
_HAS_LETTER = re.compile(r"[^\W\d_]")
_HAS_ASCII_LETTER = re.compile(r"[A-Za-z]")
_HAS_SYMBOL = re.compile(r"[!@#$%^&*+=~?|\\]")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")
_ALPHABETIC = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_RANDOM_ALPHABET = re.compile(r"[A-Za-z0-9+/=_.~:$!@%^&*#?,|-]+")
UNSPACED_SCRIPT = re.compile(r"[\u0e00-\u0e7f\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_CASE_CHANGES = re.compile(r"[a-z](?=[A-Z])|[A-Z](?=[a-z])|\d(?=[A-Za-z])|[A-Za-z](?=\d)")

_CLAUSE_END = re.compile(
    r"""\s*(?:\Z|\n|[,;|)\]}"'`<，。；、）」！!?？*]|\.(?:\s|\Z)|[-–—]\s|\()"""
)
GOES_ON = re.compile(
    r"\s+(?:for|on|at|and|or|und|für|et|pour|y|para|e|per|och|för|en|voor|и|для|user|username|login)\b",
    re.IGNORECASE,
)

PLACEHOLDER_WORDS = word_set(
    """
    none null nil undefined true false yes no n/a na tbd tba todo unknown unset empty blank missing
    required optional needed mandatory same default changed unchanged string str text varchar char
    bytes int integer bool boolean number any object secretstr hidden redacted masked omitted
    removed encrypted hashed stored saved placeholder prompt password passwort passwd passphrase
    secret token pass pwd pw user username login bearer basic oauth bitwarden 1password keepass
    keepassxc lastpass vault keychain dashlane keyring gopass protonpass nordpass see siehe voir ver
    vedi zie siehe keine keins kein aucun ninguno ninguna nessuna geen нет см смотри 无 無 なし 없음
    """
)

FUNCTION_WORDS = word_set(
    """
    a an the is are was were be been must should will would can could may might shall not no never
    only use uses used in on at to of for from with without by via under inside into it its this
    that these those we you they he she i my our your their please contact ask see stored kept saved
    written known needs need has have contains and or as if when which who same every each per than
    der die das ist liegt steht wird muss soll nur bitte frag wie auf bei nicht im und oder den dem
    am an aus bei bis durch ein eine einem einen einer es er sie ich wir hat habe haben sind
    sein seit soll sollte über unter nach vor von wegen weil wenn dass kann darf mit mein meine
    unser unsere wurde worden werden zu zum zur ab als auch für
    le la les est doit dans du des et ou une un el los las está debe en y o una il lo gli deve nel
    con sin por para que del al de se ya hay ha fue ser es son mi su nuestra nuestro cada como según
    don't doesn't isn't it's can't won't that's
    """
)

STATE_WORDS = word_set(
    """
    wrong correct right ok okay fine good bad weak strong stronger secure insecure safe unsafe short
    long longer shorter secret public private unique random simple complex easy hard old new due
    valid invalid here there below above different gone lost open done set temporary permanent plain
    plaintext ready visible available back next first last again still also then now okay dead nice
    very too quite rather really enough today tomorrow tonight yesterday always until since known
    everywhere
    falsch richtig korrekt neu alt lang kurz sicher unsicher gültig ungültig bekannt geheim schwach
    stark gleich hier dort unten oben noch schon jetzt wieder immer sehr leider nur heute morgen
    correcta incorrecta larga corta segura débil fuerte nueva vieja válida secreta pública igual
    aquí abajo ahora siempre todavía muy demasiado hoy mañana
    """
)
STATE_ENDINGS = (
    "ed",
    "ing",
    "able",
    "ible",
    "ful",
    "less",
    "ly",
    "ent",
    "ant",
    "ous",
    "ary",
    "ive",
)


def is_slug(value: str) -> bool:
    """Whether ``value`` is a chain of words and numbers, such as ``risk-register-2026``."""
    parts = [part for part in _NAME_SEPARATOR.split(value) if part]
    return any(len(part) > 2 and part.isalpha() for part in parts) and all(
        _NAME_PART.fullmatch(part) for part in parts
    )


def is_numbered_slug(value: str) -> bool:
    """Whether ``value`` is a chain of words with a number among them that is no year, as
    ``zanzibar-9914-quux`` is: a name of something, or a key that somebody made up."""
    parts = _NAME_SEPARATOR.split(value)
    return (
        len(value) >= MINIMUM_RANDOM_LENGTH
        and is_slug(value)
        and not is_placeholder(value)
        and parts[0].casefold() not in PLACEHOLDER_WORDS | FUNCTION_WORDS
        and any(part.isdigit() and len(part) >= 3 and not _YEAR.fullmatch(part) for part in parts)
    )


def ends_clause(behind: str) -> bool:
    """Whether a clause ends where the text ``behind`` a value begins."""
    return _CLAUSE_END.match(behind) is not None


def is_placeholder(value: str) -> bool:
    """Whether ``value`` stands for a secret that is elsewhere, or says that there is none."""
    if _PLACEHOLDER.match(value) or _REFERENCE.match(value) or _EXPANSION.search(value):
        return True
    if is_slug(value) and _NAMING_PARTS & set(_NAME_SEPARATOR.split(value.casefold())):
        return True
    return value.strip(".,:;!?*_'\"").casefold() in PLACEHOLDER_WORDS


def is_measure(value: str) -> bool:
    """Whether ``value`` is a date, a time of day, or a number with its unit."""
    return _MEASURE.match(value.rstrip(".,;")) is not None


def looks_random(value: str, minimum_length: int = MINIMUM_RANDOM_LENGTH) -> bool:
    """Whether ``value`` can only be a generated key: long, mixed, no name, no date, no path."""
    if len(value) < minimum_length or not _RANDOM_ALPHABET.fullmatch(value):
        return False
    if is_placeholder(value) or is_measure(value) or is_slug(value):
        return False
    if not _HAS_ASCII_LETTER.search(value):
        return value.isdigit() and len(value) >= 2 * MINIMUM_RANDOM_LENGTH
    return bool(_HAS_DIGIT.search(value)) or len(_CASE_CHANGES.findall(value)) >= 6


def is_password_like(value: str) -> bool:
    """Whether ``value`` mixes kinds of characters as words do not."""
    value = value.rstrip("!?")
    if len(value) < 4 or is_placeholder(value) or is_measure(value):
        return False
    if not (_HAS_LETTER.search(value) or _HAS_SYMBOL.search(value)):
        return False
    return bool(
        _HAS_DIGIT.search(value) or _HAS_SYMBOL.search(value) or _INNER_CAPITAL.search(value)
    )


def is_assigned_password(value: str, behind: str) -> bool:
    """Whether ``value`` in ``password: value`` is one; ``behind`` is the text that follows it."""
    if is_placeholder(value) or is_measure(value) or UNSPACED_SCRIPT.fullmatch(value):
        return False
    ends = bool(_CLAUSE_END.match(behind) or GOES_ON.match(behind))
    if value.isdigit():
        return ends and len(value) >= 4
    if _ALPHABETIC.fullmatch(value) and not _INNER_CAPITAL.search(value):
        return ends and len(value) >= 3 and value.casefold() not in FUNCTION_WORDS
    return len(value) >= 3


def is_stated_password(value: str, behind: str) -> bool:
    """Whether ``value`` in ``the password is value`` is one: a bare word mostly is not."""
    if _MAIL_ADDRESS.match(value):
        return False
    if value.isdigit():
        return len(value) >= 4 and is_assigned_password(value, behind)
    if not _ALPHABETIC.fullmatch(value):
        return is_password_like(value)
    word = value.casefold()
    return (
        value.isascii()
        and len(value) >= 6
        and word not in STATE_WORDS | FUNCTION_WORDS | PLACEHOLDER_WORDS
        and not word.endswith(STATE_ENDINGS)
        and _CLAUSE_END.match(behind) is not None
    )
