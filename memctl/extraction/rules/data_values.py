"""Keys and values of structured data: what is only a program's, and what is no sentence.

What tells of a thing in data stands under a key that programs chose: its name says neither that the
value is a wish or a goal of the file's writer, nor that it is about them.
"""

from __future__ import annotations

import re

from memctl.blocks import Block
from memctl.extraction.rules.labels import SKIP, key_of
from memctl.extraction.rules.language import Language
from memctl.extraction.rules.quality import reject_value
from memctl.extraction.rules.sentences import word_count

IDENTIFIER = "identifier"
STAMP = "time stamp"
"""Why a value is left out that only programs look up."""

SETTING_WORDS = 2
"""A value of so few words is a setting or a property, whatever its key."""

_SLUG = re.compile(r"[^\W_]+(?:_[^\W_]+)+$")
_WORD_END = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+")
_IDENTIFIERS = frozenset(
    {"id", "ids", "uuid", "guid", "uid", "oid", "pk", "etag", "sha", "sha1", "sha256", "sha512"}
    | {"md5", "hash", "checksum", "digest", "nonce", "cursor", "ulid", "fingerprint"}
)
_STAMPS = frozenset({"ts", "timestamp", "unixtime", "epoch", "mtime", "ctime", "atime"})
_STAMPED = frozenset(
    {"created", "updated", "modified", "edited", "inserted", "synced", "fetched", "generated"}
    | {"crawled", "exported", "imported", "indexed"}
)
_BEHIND_STAMPED = frozenset({"at", "on", "date", "time", "by"})

_IDENTIFIER = re.compile(
    r"(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?:sha\d+[:-])?(?=\w*\d)(?=\w*[a-f])[0-9a-f]{16,}",
    re.IGNORECASE,
)
_OPAQUE = re.compile(r"(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[\w+=-]{20,}")
_STAMP = re.compile(r"1[0-9]{9}(?:\.\d+)?|1[0-9]{12}")


def reject_data_value(block: Block) -> str | None:
    """Why a key with its value says nothing to a person, or None."""
    value = value_of(block)
    words = [word.lower() for word in _WORD_END.split(block.key or "") if word]
    is_code = bool(words) and " " not in value
    grounds = (
        (IDENTIFIER, is_code and words[-1] in _IDENTIFIERS),
        (STAMP, is_code and words[-1] in _STAMPS),
        (STAMP, _is_stamp_key(words) or _STAMP.fullmatch(value)),
        (IDENTIFIER, _IDENTIFIER.fullmatch(value) or _OPAQUE.fullmatch(value)),
        ("repeated", _is_in_name(value, block)),
    )
    return next((reason for reason, holds in grounds if holds), None) or reject_value(value)


def text_of(block: Block) -> str:
    """A key with its value, as a person writes it: ``retention days: 30``."""
    key = block.key or ""
    return f"{key.replace('_', ' ')}{block.text[len(key) :]}" if _SLUG.match(key) else block.text


def _is_in_name(value: str, block: Block) -> bool:
    """Whether a value is one of the words by which the record is named that it stands in."""
    name = block.parents[-1] if block.parents else ""
    return " " in name and value.lower() in name.lower().split()


def value_of(block: Block) -> str:
    """What stands behind the key of a block of structured data."""
    return block.text[len(block.key or "") + 1 :].strip()


def is_setting(block: Block, language: Language) -> bool:
    """Whether the value has so few words that its key alone says what it means."""
    return word_count(value_of(block), language) <= SETTING_WORDS


def says_its_day(block: Block) -> bool:
    """Whether the key tells when all that stands beside it was: ``date``."""
    return key_of(block.key or "") == SKIP


def _is_stamp_key(words: list[str]) -> bool:
    if words[:1] == ["last"]:
        words = words[1:]
    if not words:
        return False
    if words[0] in {"date", "time"}:
        return len(words) > 1 and words[1] in _STAMPED
    return words[0] in _STAMPED and set(words[1:]) <= _BEHIND_STAMPED
