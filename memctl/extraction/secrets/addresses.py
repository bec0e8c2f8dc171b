"""Secrets in addresses, headers and command lines: ``scheme://user:x@host``, ``Bearer x``."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator

from memctl.extraction.secrets.searched import Detector, SearchedText
from memctl.extraction.secrets.span import Span
from memctl.extraction.secrets.wording import is_password_like, is_placeholder, looks_random

_USER_PASSWORD = re.compile(
    r"://[^\s:/@?#\"'<>]{0,200}:(?P<value>[^\s/\"'<>]{1,200}|(?!\d+/)[^\s@\"'<>]{1,200})@(?=\w)"
)
_AUTHORIZATION = re.compile(
    r"authorization[\"']?[ \t]*[:=][ \t]*[\"']?"
    r"(?:bearer|basic|token|digest|bot|apikey|api-key)?[ \t]+(?P<value>[^\s\"',;]{6,})",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\bbearer[ \t]+(?P<value>[A-Za-z0-9._~+/=-]{12,})", re.IGNORECASE)
_BASIC = re.compile(r"\bbasic[ \t]+(?P<value>[A-Za-z0-9+/]{8,}={0,2})", re.IGNORECASE)
_REGISTRY_LOGIN = re.compile(r"\"auth\"[ \t]*:[ \t]*\"(?P<value>[A-Za-z0-9+/]{8,}={0,2})\"")
_CURL_USER = re.compile(
    r"\bcurl\b[^\n]{0,200}?[ \t](?:-u|--user)[ \t=]{0,2}[\"']?"
    r"[^\s:\"']{1,80}:(?P<value>[^\s\"']{3,})"
)
_MYSQL_PASSWORD = re.compile(r"\bmysql(?:dump|admin)?\b[^\n]{0,120}?[ \t]-p(?P<value>[^\s\"']{4,})")
_SSHPASS = re.compile(r"\bsshpass[ \t]+-p[ \t]*[\"']?(?P<value>[^\s\"']{3,})")
_LOGIN_PAIR = re.compile(
    r"\b(?:credentials|creds|logins?|user(?:name)?/pass(?:word)?|zugang|zugangsdaten|identifiants"
    r"|credenciales)\b[\"'`*]{0,3}[ \t]?(?:\([^()\n]{0,30}\)|(?:for|für)[^:\n]{1,40})?[\"'`*]{0,3}"
    r"[ \t]*[:=][ \t]*[\"'`*]{0,3}"
    r"[^\s/:|,=\"'`]{2,60}[ \t]?[/:|][ \t]?(?P<value>[^\s\"'`|,;=]{4,})",
    re.IGNORECASE,
)
_CHINESE_LOGIN_PAIR = re.compile(
    r"(?:账号|帳號|账户|登录)[:：]?[ ]?[^\s/，,]{2,40}[ ]?[/／][ ]?(?P<value>[!-~]{4,})"
)


def find_in_addresses(searched: SearchedText) -> Iterator[Span]:
    """Passwords of addresses and command lines, and what authorization headers carry."""
    for word, pattern, kind, is_secret in _RULES:
        if word in searched.words:
            for match in pattern.finditer(searched.text):
                value = match["value"].rstrip(".,;")
                if is_secret(value):
                    start = match.start("value")
                    yield Span(start, start + len(value), kind)


def _is_address_password(value: str) -> bool:
    return not is_placeholder(value)


def _is_header_value(value: str) -> bool:
    return not is_placeholder(value) and (is_password_like(value) or looks_random(value))


def _is_bearer(value: str) -> bool:
    return looks_random(value, 12)


def _is_basic(value: str) -> bool:
    """Base64 of ``user:password``."""
    try:
        decoded = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded and all(32 <= byte < 127 or byte >= 160 for byte in decoded)


_RULES: tuple[tuple[str, re.Pattern[str], str, Callable[[str], bool]], ...] = (
    ("://", _USER_PASSWORD, "password", _is_address_password),
    ("authorization", _AUTHORIZATION, "authorization", _is_header_value),
    ("bearer", _BEARER, "authorization", _is_bearer),
    ("basic", _BASIC, "authorization", _is_basic),
    ('"auth"', _REGISTRY_LOGIN, "password", _is_basic),
    ("curl", _CURL_USER, "password", _is_address_password),
    ("mysql", _MYSQL_PASSWORD, "password", is_password_like),
    ("sshpass", _SSHPASS, "password", _is_address_password),
    *(
        (word, _LOGIN_PAIR, "password", is_password_like)
        for word in ("cred", "login", "user", "zugang", "identifiants")
    ),
    *(
        (word, _CHINESE_LOGIN_PAIR, "password", is_password_like)
        for word in ("账号", "帳號", "账户", "登录")
    ),
)
"""A word without which there is none (in lower case), pattern, kind, and the judge of its value."""

ADDRESSES = Detector(find_in_addresses, frozenset(word for word, *_ in _RULES))
