"""Secrets that the words before them give away: ``password: x``, ``api_key=x``, ``密码：x``.

A keyword is looked for first, in any of the languages below, then what stands between it and a
value, then the value is judged: an assignment is believed unless the value is a placeholder or
prose; a sentence ("the password is x") only when the value looks like a password.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memctl.extraction.secrets.span import Span, lower_in_place, positions_of
from memctl.extraction.secrets.wording import (
    is_assigned_password,
    is_password_like,
    is_placeholder,
    is_stated_password,
    is_word_chain,
    looks_random,
)

PASSWORD_WORDS = (
    *("password", "passwd", "passcode", "passphrase", "pass phrase", "pass-phrase", "passwort"),
    *("kennwort", "zugangscode", "netzwerkschlüssel", "mot de passe", "contraseña", "contrasena"),
    *("palavra-passe", "parola d'ordine", "wachtwoord", "lösenord", "adgangskode", "passord"),
    *("salasana", "hasło", "heslo", "jelszó", "parolă", "şifre", "пароль", "парола", "лозинка"),
    *("κωδικός πρόσβασης", "συνθηματικό", "كلمة المرور", "كلمة السر", "סיסמה", "סיסמא"),
    *("पासवर्ड", "mật khẩu", "รหัสผ่าน", "kata sandi", "kata laluan", "密码", "密碼", "口令"),
    *("パスワード", "パスコード", "暗証番号", "비밀번호", "패스워드", "wpa key", "wpa2 key"),
    *("wpa-key", "wpa2-key", "wpa-psk", "wifi key", "wi-fi key", "network key", "requirepass"),
)
AMBIGUOUS_PASSWORD_WORDS = (
    *("pwd", "pass", "psk", "pw", "mdp", "clave", "senha", "parola", "암호"),
)
"""They mean other things too: they count as words of their own and with a mixed value only."""

PIN_WORDS = (
    *("pin", "pin code", "pin-code", "pin number", "puk", "geheimzahl", "passcode"),
    *("cvv", "cvv2", "cvc", "cvc2"),
)

SECRET_WORDS = (
    *("api key", "api-key", "api_key", "apikey", "access key", "access-key", "access_key"),
    *("accesskey", "secret key", "secret-key", "secret_key", "secretkey", "secret_key_base"),
    *("secret", "token", "private key", "private_key", "privatekey", "signing key"),
    *("signing_key", "encryption key", "encryption_key", "encryptionkey", "license key"),
    *("licence key", "product key", "activation code", "activation key", "recovery code"),
    *("recovery key", "backup code", "auth key", "auth_key", "authkey", "account key"),
    *("master key", "master_key", "app key", "app_key", "jsessionid", "phpsessid"),
    *("api-schlüssel", "geheimer schlüssel", "clé api", "clé d'api", "clé secrète", "clave api"),
    *("clave de api", "chave de api", "chave secreta", "chiave api", "api-ключ", "ключ api"),
    *("токен", "секрет", "令牌", "密钥", "密鑰", "秘钥", "トークン", "apiキー", "シークレット"),
    *("토큰", "api 키", "시크릿"),
)

PLURAL_WORDS = (
    *("passwords", "passwörter", "mots de passe", "contraseñas", "пароли", "backup codes"),
    *("recovery codes", "api keys", "access keys", "tokens", "secrets"),
)
PHRASE_WORDS = (
    *("seed phrase", "recovery phrase", "mnemonic phrase", "mnemonic", "seed words"),
    *("recovery words", "wallet seed", "助记词"),
)
PHRASE_WORD_COUNTS = range(11, 26)
"""Words of a wallet's recovery phrase: 12 to 24 by BIP 39, or one lost in copying."""

_BETWEEN = r"""
    (?:_|[^\w\s:=：＝(（|<>.,;?!/-]){0,6}
    (?:[ \t]?[(（][^()（）\n]{0,40}[)）])?
    (?:[ \t](?:for|of|to|on|at|zu[mr]?|für|vom?|pour|du|de|del|della|para|per|för|til|voor|do
        |для|от|к)[ \t][^\n:=|：]{1,40}?)?
    [\\"'`*_]{0,4}[ \t\u3000]{0,8}
"""
_ASSIGNMENT = re.compile(
    _BETWEEN + r"(?P<sign>:=|=>|-{1,2}>|→|={1,2}|[:：＝>])[*_]{0,3}[ \t\u3000]{0,8}", re.VERBOSE
)
_STATEMENT = re.compile(
    _BETWEEN
    + r"""
    (?: (?<=[ \t])(?P<verb>is\ now|is|was|will\ be|ist|lautet|war|est|es|é|è|jest|är|er)
        (?:[ \t]?[:：])?[ \t]{1,4}
      | (?<=[ \t])(?:(?:set|changed|reset)\ to|to|это|[-–—|])[ \t]{1,4}
      | (?:已?(?:改|设|設|换|換|更新|变更)(?:成|为|為)了?|[是为為はが가은는이])
        [:：]?[ \t\u3000]{0,4}
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_JUXTAPOSITION = re.compile(r"[\"'`*_]{0,3}[ \t\u3000]{1,4}")
_NEXT_LINE = re.compile(r"""["'`*_]{0,4}[ \t]*[:：]["'`*_]{0,4}[ \t]*\n[ \t>]*(?:[-*][ \t]+)?""")

_CLOSING_QUOTES = {"“": "”", "‘": "’", "«": "»", "„": "“", "「": "」", "『": "』"}
_OPENING = re.compile(r"""(?P<markup>[*_]{0,3})\\?(?P<quote>["'`“‘«„「『]?)""")
_RUN = re.compile(r"[^\s\"`<>“”«»「」『』，。；、！？（）]{1,300}")
_RUN_IN_LIST = re.compile(r"[^\s\"'`<>;&“”«»「」『』，。；、（）]{1,300}")
_CLAUSE = re.compile(r"[^\n\"`<>.,;|:]{1,300}")
_LETTER_OR_DIGIT = re.compile(r"[A-Za-z0-9]")
_OTHER_SCRIPT = re.compile(r"(?<=[!-~])[\u0e00-\u0e7f\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NEXT_IN_LIST = re.compile(r"[\"'`*]{0,3}[ \t]?(?:[,;/、]|and|und|et|y|и)[ \t]{1,3}")
_DIGITS = re.compile(r"[\"'`*]{0,3}(\d{3,12})(?![\w.,:/-]*\w)")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ACCESS = re.compile(
    r"\b(?:user(?:name)?|login|wi-?fi|ssid|wlan|account|benutzer)\b", re.IGNORECASE
)
_TAG_BEFORE = re.compile(r"<[\w:.-]{0,40}\Z")
_OPTION_BEFORE = re.compile(r"(?:^|\s)--?[\w-]{0,40}\Z")
_MAXIMUM_QUOTED_LENGTH = 300
_CONTEXT_LENGTH = 48


@dataclass(frozen=True, slots=True)
class _Value:
    text: str
    start: int
    behind: str
    quoted: bool

    def span(self, kind: str) -> Span:
        return Span(self.start, self.start + len(self.text), kind)


def find_credentials(text: str) -> Iterator[Span]:
    """Values that a keyword before them names as secret."""
    lowered = lower_in_place(text)
    for words, whole_words, find_behind in (
        (PASSWORD_WORDS, False, _password_behind),
        (AMBIGUOUS_PASSWORD_WORDS, True, _mixed_password_behind),
        (PIN_WORDS, True, _pin_behind),
        (SECRET_WORDS, False, _secret_behind),
        (PLURAL_WORDS, False, _list_behind),
        (PHRASE_WORDS, False, _phrase_behind),
    ):
        for word in words:
            for start in positions_of(word, lowered):
                if not whole_words or _is_own_word(text, start, start + len(word)):
                    yield from find_behind(text, start, start + len(word))


def _is_own_word(text: str, start: int, end: int) -> bool:
    """``db_pass`` and ``dbPass`` hold the word ``pass``; ``bypass`` and test reports do not."""
    if end < len(text) and text[end].isalnum():
        return False
    word = text[start:end]
    if start == 0 or not text[start - 1].isalpha():
        return not word.isupper() or word != "PASS" or text[start - 1 : start] in {"_", "-", "."}
    return text[start - 1].islower() and word[0].isupper()


def _password_behind(text: str, start: int, end: int) -> Iterator[Span]:
    phrase = "phrase" in text[start:end].casefold()
    yield from _find_value(
        text, start, end, "password", is_assigned_password, is_stated_password, phrase=phrase
    )


def _mixed_password_behind(text: str, start: int, end: int) -> Iterator[Span]:
    match = _ASSIGNMENT.match(text, end) or _STATEMENT.match(text, end)
    signs = match.groupdict() if match else {}
    value = None
    if match and (signs.get("verb") or signs.get("sign", ">") != ">"):
        value = _read_value(text, match.end(), in_list=signs.get("sign") == "=")
    elif match is None and _speaks_of_access(text, start, end):
        value = _read_adjacent(text, end)
    if value and is_password_like(value.text):
        yield value.span("password")


def _speaks_of_access(text: str, start: int, end: int) -> bool:
    """Whether the word before a bare value is no verb: ``pw x``, or ``user a pass x``."""
    before = text[max(0, start - _CONTEXT_LENGTH) : start]
    return text[start:end].casefold() != "pass" or _ACCESS.search(before) is not None


def _pin_behind(text: str, start: int, end: int) -> Iterator[Span]:
    word = text[start:end]
    is_card = word.casefold().startswith("cv")
    longest = 5 if word.casefold().startswith("pin") and len(word) > len("pin") else 12
    for pattern in (_ASSIGNMENT, _STATEMENT, _JUXTAPOSITION):
        if pattern is _JUXTAPOSITION and word == "pin":
            return
        match = pattern.match(text, end)
        value = _DIGITS.match(text, match.end()) if match else None
        if value and (3 if is_card else 4) <= len(value[1]) <= longest:
            yield Span(value.start(1), value.end(1), "card check code" if is_card else "pin")
            return


def _secret_behind(text: str, start: int, end: int) -> Iterator[Span]:
    named = "key" in text[start:end].casefold()
    is_stated = _is_stated_key if named else _is_stated_secret
    yield from _find_value(text, start, end, "secret", _is_assigned_secret, is_stated)


def _is_assigned_secret(value: str, _behind: str) -> bool:
    return looks_random(value)


def _is_stated_key(value: str, _behind: str) -> bool:
    return looks_random(value, 12)


def _is_stated_secret(value: str, _behind: str) -> bool:
    return looks_random(value, 12) and not _UUID.fullmatch(value)


def _list_behind(text: str, _start: int, end: int) -> Iterator[Span]:
    """Values behind a plural, up to the first that is none."""
    match = _ASSIGNMENT.match(text, end)
    position = match.end() if match else None
    while position is not None and (value := _read_value(text, position, in_list=True)):
        if not (looks_random(value.text) or is_password_like(value.text)):
            return
        yield value.span("secret")
        comma = _NEXT_IN_LIST.match(text, value.start + len(value.text))
        position = comma.end() if comma else None


def _phrase_behind(text: str, _start: int, end: int) -> Iterator[Span]:
    match = _ASSIGNMENT.match(text, end) or _STATEMENT.match(text, end)
    if match is None:
        return
    value = re.compile(r"[^\n\"`<>.;|:]{1,400}").match(text, match.end())
    words = value[0].replace(",", " ").split() if value else []
    if value and len(words) in PHRASE_WORD_COUNTS and all(word.isalpha() for word in words):
        yield Span(value.start(), value.start() + len(value[0].rstrip()), "recovery phrase")


_Judgement = Callable[[str, str], bool]


def _find_value(
    text: str,
    start: int,
    end: int,
    kind: str,
    is_assigned: _Judgement,
    is_stated: _Judgement,
    *,
    phrase: bool = False,
) -> Iterator[Span]:
    """The secret behind the keyword ``text[start:end]``, at most one."""
    before = text[max(0, start - _CONTEXT_LENGTH) : start]
    if assignment := _ASSIGNMENT.match(text, end):
        if assignment["sign"] == ">" and not _TAG_BEFORE.search(before):
            return
        value = _read_value(text, assignment.end(), in_list=assignment["sign"] in {"=", "＝"})
        if phrase and (chain := _read_chain(text, assignment.end())):
            yield chain
        elif value and _is_believed(value, is_assigned):
            yield value.span(kind)
    elif statement := _STATEMENT.match(text, end):
        value = _read_value(text, statement.end())
        if phrase and (chain := _read_chain(text, statement.end())):
            yield chain
        elif value and _is_said(value, is_stated, with_verb=statement["verb"] is not None):
            yield value.span(kind)
    else:
        shortest = 6 if _OPTION_BEFORE.search(before) else 8
        value = _read_adjacent(text, end)
        if value and len(value.text) >= shortest and _is_said(value, is_stated, with_verb=False):
            yield value.span(kind)
    if (value := _read_next_line(text, end)) and _is_said(value, is_stated, with_verb=False):
        yield value.span(kind)


def _read_adjacent(text: str, end: int) -> _Value | None:
    """What only follows its keyword; no blank is needed where the script uses none."""
    gap = _JUXTAPOSITION.match(text, end)
    if gap is None and (text[end - 1].isascii() or not _LETTER_OR_DIGIT.match(text, end)):
        return None
    return _read_value(text, gap.end() if gap else end)


def _read_next_line(text: str, end: int) -> _Value | None:
    """What stands alone on the line below a keyword with a colon."""
    gap = _NEXT_LINE.match(text, end)
    value = _read_value(text, gap.end()) if gap else None
    if value is None or value.behind.split("\n", 1)[0].strip("\"'`*_ \t.|"):
        return None
    return value


def _is_believed(value: _Value, is_assigned: _Judgement) -> bool:
    if " " in value.text:
        return not is_placeholder(value.text) and (
            is_password_like(value.text) or is_word_chain(value.text.split())
        )
    behind = "" if value.quoted else value.behind
    return is_assigned(value.text, behind)


def _is_said(value: _Value, is_stated: _Judgement, *, with_verb: bool) -> bool:
    if value.quoted and " " not in value.text:
        return not is_placeholder(value.text) and (
            is_stated(value.text, "") or len(value.text) >= 4
        )
    return is_stated(value.text, value.behind) and (with_verb or is_password_like(value.text))


def _read_value(text: str, position: int, *, in_list: bool = False) -> _Value | None:
    """What stands at ``position``: the inside of quotes, or a run without blanks.

    ``in_list`` ends a run at ``;`` and ``&``, as in connection strings and addresses.
    """
    opening = _OPENING.match(text, position)
    if opening and opening["quote"]:
        closing = _CLOSING_QUOTES.get(opening["quote"], opening["quote"])
        limit = opening.end() + _MAXIMUM_QUOTED_LENGTH
        newline = text.find("\n", opening.end(), limit)
        end = text.find(closing, opening.end(), newline if newline >= 0 else limit)
        if end > opening.end():
            inside = text[opening.end() : end].removesuffix("\\")
            start = opening.end() + len(inside) - len(inside.lstrip())
            behind = text[end + 1 : end + _CONTEXT_LENGTH]
            return _Value(inside.strip(), start, behind, quoted=True) if inside.strip() else None
    start = opening.end("markup") if opening else position
    run = (_RUN_IN_LIST if in_list else _RUN).match(text, start)
    if run is None:
        return None
    value = _without_trailing_marks(run[0], marked=bool(opening and opening["markup"]))
    end = start + len(value)
    return _Value(value, start, text[end : end + _CONTEXT_LENGTH], quoted=False) if value else None


def _read_chain(text: str, position: int) -> Span | None:
    """A passphrase of several plain words up to the end of the clause."""
    clause = _CLAUSE.match(text, position)
    if clause is None or not is_word_chain(clause[0].split()):
        return None
    return Span(clause.start(), clause.start() + len(clause[0].rstrip()), "password")


def _without_trailing_marks(run: str, *, marked: bool) -> str:
    other_script = _OTHER_SCRIPT.search(run)
    value = (run[: other_script.start()] if other_script else run).rstrip(".,:;'…|\\")
    while (
        value
        and value[-1] in ")]}"
        and value.count(value[-1]) > value.count({")": "(", "]": "[", "}": "{"}[value[-1]])
    ):
        value = value[:-1].rstrip(".,:;'")
    return value.rstrip("*_") if marked else value
