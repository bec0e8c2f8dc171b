"""Bytes to text: the encoding is found, line ends become LF, and binary data is refused.

The order is byte order mark, UTF-8, UTF-16/32 without a mark, UTF-8 mixed with Western bytes
(``mixed``), nearly UTF-8, then what chardet proposes, weighed by how plausible the decoded text is.
A decoded text holds no NUL, no CR and no byte order mark. chardet is used here and nowhere else.
"""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from memctl.document import DocumentStatus
from memctl.ingestion.readers.declared import declared_encoding, without_declarations
from memctl.ingestion.readers.mixed import decode_mixed
from memctl.ingestion.readers.outcome import ReadOutcome, refuse
from memctl.ingestion.readers.plausibility import (
    east_asian_share,
    has_foreign_letters,
    holds_kana,
    implausibility,
    is_of_kana,
    usualness,
)
from memctl.ingestion.readers.samples import evidence_of, sample_lines
from memctl.ingestion.readers.signatures import binary_kind

JUDGED_CHARACTERS = 3_000
"""How many characters of a decoding are judged by their plausibility; a page of writing."""

MAXIMUM_CONTROL_SHARE = 0.02
"""More control characters than this share of a text and it is binary data, not writing."""

MAXIMUM_LOST_SHARE = 0.2
"""More replaced characters than this share of a text and what is left is no text either."""

MINIMUM_PLAUSIBILITY = 0.6
"""Below this share of characters in their place a decoding counts as mojibake."""

MUCH_EVIDENCE = 12.0
PLAUSIBILITY_OF_MUCH = 0.75
"""The same from so much evidence on. Right decodings of 1,400 notes in 32 languages stay above .9,
and bytes by chance reach .7 where letters have no case."""

MOSTLY_ASCII_SHARE = 0.2
"""Up to this share of bytes outside ASCII a text is kept though its encoding is unclear."""

FALLBACK_ENCODING = "cp1252"

MAXIMUM_WIDE_MISFIT = 0.1
"""Largest share of misplaced characters in a text that is taken for UTF-16 without a mark: a text
with stray NUL bytes gives rare Chinese characters instead."""

UTF8_DAMAGE_RATIO = 3
"""Valid multi-byte characters for each invalid byte from which a text is damaged UTF-8 rather than
another encoding: other encodings form valid UTF-8 sequences only by rare chance."""

MINIMUM_UNMARKED_BYTES = 16
"""Fewer bytes than these of Chinese or Japanese UTF-16 look like other encodings by chance."""

MAXIMUM_BAD_BYTES = 5
"""A sample with more bytes than these that an encoding does not have is in another one."""

GOOD_BYTES_FOR_A_BAD_ONE = 40
"""Bytes outside ASCII for each one that may be damage, so that no short text is taken for damaged
Chinese."""

DAMAGE_FACTOR = 0.85
"""What an encoding is worth, beside one that fits all bytes, when it fits all but damaged ones."""

MAXIMUM_ESCAPED_LOSSES = 2
"""Characters that may be lost of a text with escapes: it is cut off in the middle of one."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDE_ENCODINGS = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")

_FREQUENCIES = {
    **dict.fromkeys(("cp1252", "iso8859-1"), 1.0),
    **dict.fromkeys(("cp1250", "cp1251", "cp932", "cp949", "gb18030", "big5hkscs"), 0.8),
    **dict.fromkeys(("iso8859-2", "iso8859-15", "koi8-r", "euc_jis_2004", "euc_kr"), 0.7),
    **dict.fromkeys(("cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874"), 0.7),
    **dict.fromkeys(("iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8", "iso8859-9"), 0.6),
    **dict.fromkeys(("mac-roman", "koi8-u", "iso8859-13", "tis-620", "shift_jis_2004"), 0.6),
    **dict.fromkeys(("cp437", "cp850", "cp852", "cp866"), 0.5),
    **dict.fromkeys(("mac-latin2", "mac-cyrillic", "cp858", "johab"), 0.4),
    **dict.fromkeys(("mac-greek", "mac-turkish", "cp737", "cp775", "cp855", "cp857", "cp862"), 0.3),
    **dict.fromkeys(("mac-iceland", "iso8859-16", "iso8859-4", "iso8859-3"), 0.02),
    **dict.fromkeys(("iso8859-10", "iso8859-14"), 0.02),
}
"""The legacy encodings that are considered, and how usual each is among notes, as a rough share of
the most usual ones: what to believe when a text holds hardly a letter to tell them apart."""

PRIOR_WEIGHT = 1.0
"""Exponent of the frequency, and of how usual its characters are, for a text with one character
outside ASCII; it falls with the square of the evidence, as the text itself tells more."""

KANA_CONFIDENCE = 0.5
"""The least confidence in a reading all of Japanese syllables, each two bytes of which are one of
170 pairs among 9,000: no other writing gives that by chance."""

KANA_ABROAD = 0.3
"""What a reading with Japanese syllables is worth in an encoding of Chinese or Korean."""

SCRIPT_UNUSED = 0.3
"""How usual the encoding of another script than the Latin one is for a text without its letters."""

REFUTING_RATIO = 0.3
"""A declared encoding is doubted when it is less likely than this share of the likeliest one."""

REFUTING_PLAUSIBILITY = 0.95
"""Below this share of the likeliest one's plausibility an encoding that is declared and doubted is
wrong: in right ones hardly a character is out of place."""

LITTLE_EVIDENCE = 5.0
"""Below so much evidence an encoding counts as guessed, and the receipt says so."""

UNBROKEN_CHARACTERS = 200
"""So long a text has something between its words."""

LEAST_BREAK_SHARE = 0.02
"""At least this share of such a text is blanks and other ASCII signs; random bytes beyond ASCII
have none."""

_WORDLIKE = re.compile(rb"[\x80-\xff][A-Za-z\x80-\xff]|[A-Za-z][\x80-\xff]")
_CHINESE_OR_KOREAN = frozenset({"gb18030", "big5hkscs", "cp949", "euc_kr", "johab"})
_WITHOUT_BLANKS = _CHINESE_OR_KOREAN | {
    "cp932",
    "euc_jis_2004",
    "shift_jis_2004",
    "cp874",
    "tis-620",
}
_NOT_LATIN = _WITHOUT_BLANKS | {
    *("cp1251", "koi8-r", "koi8-u", "iso8859-5", "cp866", "mac-cyrillic", "cp855"),
    *("cp1253", "iso8859-7", "mac-greek", "cp737"),
    *("cp1255", "iso8859-8", "cp862", "cp1256", "iso8859-6"),
}
_ESCAPED = ("iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_ext", "iso2022_kr", "hz")
_ESCAPE_MARKS = re.compile(rb"\x1b[$(]|~\{")
_SUPERSETS = {
    "iso8859-1": "cp1252",
    "euc_kr": "cp949",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
}
_ASCII_PROBE = b"<a b='\\x41 +AOk-'>"
_HIGH_BYTES = bytes(range(0x80, 0x100))
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_UTF8_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_CUT_UTF8_CHARACTER = re.compile(rb"(?:[\xc2-\xdf]|[\xe0-\xf4][\x80-\xbf]{0,2})\Z")
_CONTROLS = re.compile(r"[\x00-\x07\x0b\x0e-\x1a\x1c-\x1f\x7f\x80-\x84\x86-\x9f]")
_LINE_ENDS = re.compile("\r\n?")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text, the Python codec that it was read with, and what was lost on the way."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode_text(data: bytes) -> DecodedText | ReadOutcome:
    """The text of ``data``, or UNSUPPORTED or UNREADABLE with a reason.

    An encoding that the data itself names is believed where what it gives may be writing.
    """
    kind = binary_kind(data)
    if kind is not None:
        return refuse(DocumentStatus.UNSUPPORTED, f"it is {kind}, not text")
    decoded = _decode(data)
    if decoded is None:
        if b"\0" in data:
            return refuse(DocumentStatus.UNREADABLE, "it holds NUL bytes: binary or damaged data")
        return refuse(DocumentStatus.UNREADABLE, "its encoding cannot be told; save it as UTF-8")
    text = _LINE_ENDS.sub("\n", decoded.text).replace("\ufeff", "")
    if "\0" in text or _holds_controls(text):
        return refuse(DocumentStatus.UNREADABLE, "it holds control characters: binary data")
    if decoded.warnings and text.count("\ufffd") > max(3, MAXIMUM_LOST_SHARE * len(text)):
        return refuse(DocumentStatus.UNREADABLE, f"much of it is not valid {decoded.encoding}")
    return DecodedText(text, decoded.encoding, decoded.warnings)


def _holds_controls(text: str) -> bool:
    controls = sum(1 for _ in _CONTROLS.finditer(text))
    return controls > max(2, MAXIMUM_CONTROL_SHARE * len(text))


def _decode(data: bytes) -> DecodedText | None:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_with_losses(data, encoding)
    if b"\0" in data:
        return _decode_wide(data)
    return _decode_escaped(data) or _decode_utf8(data) or _decode_other(data)


def _decode_utf8(data: bytes) -> DecodedText | None:
    text = _strictly(data, "utf-8")
    if text is None:
        return None
    unmarked = _decode_unmarked(data) if _holds_controls(text) else None
    return unmarked or DecodedText(text, "utf-8")


def _decode_other(data: bytes) -> DecodedText | None:
    declared = declared_encoding(data)
    believed = None if declared is None else _decode_declared(data, declared)
    if believed is not None:
        return believed
    mixed = decode_mixed(data)
    if mixed is not None:
        return DecodedText(mixed.text, "utf-8", (mixed.warning,))
    if _is_damaged_utf8(sample_lines(data)):
        return _decode_with_losses(data, "utf-8")
    return _decode_unmarked(data) or _decode_legacy(data)


def _decode_declared(data: bytes, declared: str) -> DecodedText | None:
    """The declared encoding or its superset, if it leaves ASCII alone, fits all bytes and is not
    shown to be wrong by what they are."""
    if _strictly(_ASCII_PROBE, declared) != _ASCII_PROBE.decode():
        return None
    name = name_of(declared)
    for encoding in (_SUPERSETS.get(name, name), name):
        text = _strictly(data, encoding)
        if text is not None:
            return None if _is_refuted(encoding, data) else DecodedText(text, name_of(encoding))
    return None


def _is_refuted(encoding: str, data: bytes) -> bool:
    """Whether the bytes are no writing in the encoding and are far more likely in another one."""
    sample = sample_lines(data)
    scores = _scores(sample, list(_FREQUENCIES))
    best, likeliest = max(scores, default=(0.0, encoding))
    own = max((score for score, name in scores if name_of(name) == name_of(encoding)), default=0.0)
    if own >= REFUTING_RATIO * best:
        return False
    plausible = _plausibility(sample, encoding)
    if evidence_of(sample) < LITTLE_EVIDENCE:
        return plausible < MINIMUM_PLAUSIBILITY
    return plausible < REFUTING_PLAUSIBILITY * _plausibility(sample, likeliest)


def _plausibility(sample: bytes, encoding: str) -> float:
    return 1 - implausibility(sample.decode(encoding, "ignore")[:JUDGED_CHARACTERS])


def name_of(encoding: str) -> str:
    """The one name that Python has for an encoding."""
    return codecs.lookup(encoding).name


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _decode_with_losses(data: bytes, encoding: str) -> DecodedText:
    text = data.decode(encoding, "replace")
    name = name_of(encoding)
    own = data.decode(encoding, "ignore").count("\ufffd")
    lost = text.count("\ufffd") - own
    if not lost:
        return DecodedText(text, name)
    return DecodedText(text, name, (f"{lost} invalid characters ({name}) were replaced",))


def _decode_wide(data: bytes) -> DecodedText | None:
    """UTF-16 or UTF-32 without a mark: the reading with the most characters in their place."""
    best: tuple[float, str] | None = None
    for encoding in _WIDE_ENCODINGS:
        unit_bytes = 4 if encoding.startswith("utf-32") else 2
        text = _strictly(data[: len(data) - len(data) % unit_bytes], encoding)
        if text is None or "\0" in text:
            continue
        sample = text[:JUDGED_CHARACTERS]
        above_ascii = sum(char > "\x7f" for char in sample)
        bad = implausibility(sample) * above_ascii + len(_CONTROLS.findall(sample))
        share = bad / max(len(sample), 1)
        if share < MAXIMUM_WIDE_MISFIT and (best is None or share < best[0]):
            best = (share, encoding)
    return _decode_with_losses(data, best[1]) if best else None


def _decode_unmarked(data: bytes) -> DecodedText | None:
    """UTF-16 without a mark and without any ASCII character, so without NUL bytes."""
    if len(data) % 2 or len(data) < MINIMUM_UNMARKED_BYTES:
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        sample = _strictly(data[: 2 * JUDGED_CHARACTERS], encoding)
        if sample is None or implausibility(sample) >= 0.02:
            continue
        if east_asian_share(sample) > 0.6 or _is_of_small_script(sample):
            return _decode_with_losses(data, encoding)
    return None


def _is_of_small_script(text: str) -> bool:
    """Whether its letters are of scripts below U+2000, one byte of which is a control character
    in every other encoding."""
    letters = sum("\u0100" <= char < "\u2000" for char in text)
    return letters > 0.6 * len(text)


def _decode_escaped(data: bytes) -> DecodedText | None:
    """ISO-2022 or HZ: bytes that are ASCII, with escapes that switch to another set."""
    if _ESCAPE_MARKS.search(data) is None:
        return None
    readings = [_decode_with_losses(data, encoding) for encoding in _ESCAPED]
    fitting = [one for one in readings if not one.text.isascii() and not _has_escapes(one.text)]
    best = min(fitting, key=_losses, default=None)
    if best is None or _losses(best) > MAXIMUM_ESCAPED_LOSSES:
        return None
    is_mojibake = implausibility(best.text[:JUDGED_CHARACTERS]) >= 1 - MINIMUM_PLAUSIBILITY
    return None if is_mojibake else best


def _has_escapes(text: str) -> bool:
    return "\x1b" in text or "~{" in text or "\x0e" in text


def _losses(decoded: DecodedText) -> int:
    return decoded.text.count("\ufffd")


def _is_damaged_utf8(sample: bytes) -> bool:
    whole = _CUT_UTF8_CHARACTER.sub(b"", sample)
    valid = len(_UTF8_CHARACTER.findall(whole))
    invalid = len(_NOT_ASCII.findall(_UTF8_CHARACTER.sub(b"", whole)))
    return valid > 0 and valid >= UTF8_DAMAGE_RATIO * invalid


def _decode_legacy(data: bytes) -> DecodedText | None:
    not_ascii = len(data) - len(data.translate(None, _HIGH_BYTES))
    sample = sample_lines(data)
    for encoding in _rank_legacy(sample):
        text = _strictly(data, encoding)
        if text is not None:
            name = name_of(encoding)
            return DecodedText(text, name, _guess_warnings(sample, name))
        decoded = _decode_with_losses(data, encoding)
        if decoded.text.count("\ufffd") * UTF8_DAMAGE_RATIO <= not_ascii:
            return decoded
    if not_ascii > MOSTLY_ASCII_SHARE * len(data):
        return None
    text = data.decode(FALLBACK_ENCODING, "replace")
    warning = f"its encoding is unclear; {FALLBACK_ENCODING} was taken"
    return DecodedText(text, FALLBACK_ENCODING, (warning,))


def _guess_warnings(sample: bytes, name: str) -> tuple[str, ...]:
    if evidence_of(sample) >= LITTLE_EVIDENCE:
        return ()
    return (
        f"its encoding was guessed from few signs ({name}); if it reads wrong, save it as UTF-8",
    )


def _rank_legacy(sample: bytes) -> list[str]:
    """Encodings that may be right, the likeliest first; empty when all give mojibake."""
    scored = _scores(sample, list(_FREQUENCIES))
    for cleaned, names in _without_bad_bytes(sample).items():
        damaged = _scores(cleaned, names)
        scored += [(DAMAGE_FACTOR * score, name) for score, name in damaged]
    scored.sort(key=lambda pair: -pair[0])
    return list(dict.fromkeys(_widest(name, sample) for _, name in scored))


def _scores(sample: bytes, names: Sequence[str]) -> list[tuple[float, str]]:
    """How likely each of the encodings is, for those in which the sample may be writing."""
    evidence = evidence_of(sample)
    prior_exponent = PRIOR_WEIGHT / max(evidence, 1) ** 2
    least = PLAUSIBILITY_OF_MUCH if evidence >= MUCH_EVIDENCE else MINIMUM_PLAUSIBILITY
    scored: list[tuple[float, str]] = []
    for name, confidence in _confidences(sample, names).items():
        text = sample.decode(name, "ignore")[:JUDGED_CHARACTERS]
        plausible = 1 - implausibility(text)
        if plausible < least or _is_unbroken(text, name):
            continue
        score = _with_kana(confidence, text, name) * plausible**3
        scored.append((score * _prior(text, name) ** prior_exponent, name))
    return scored


def _confidences(sample: bytes, names: Sequence[str]) -> dict[str, float]:
    """Chardet's confidence in each of the encodings that it proposes, 0 to 1.

    It knows words. Of signs that stand alone it knows nothing: all encodings that have them fit.
    """
    if _WORDLIKE.search(sample) is None:
        return {name: 1.0 for name in names if _strictly(sample, name) is not None}
    import chardet

    proposals = chardet.detect_all(
        without_declarations(sample),
        ignore_threshold=True,
        compat_names=False,
        include_encodings=[*_FREQUENCIES, *_ESCAPED],
    )
    proposed = {proposal["encoding"]: proposal["confidence"] for proposal in proposals}
    return {name: proposed[name] for name in names if name in proposed}


def _with_kana(confidence: float, text: str, encoding: str) -> float:
    """The confidence in a reading as far as its Japanese syllables change it."""
    if is_of_kana(text):
        confidence = max(confidence, KANA_CONFIDENCE)
    is_abroad = encoding in _CHINESE_OR_KOREAN and holds_kana(text)
    return confidence * KANA_ABROAD if is_abroad else confidence


def _prior(text: str, encoding: str) -> float:
    """How usual a note in the encoding is that has this text, beside the most usual ones."""
    is_unused = encoding in _NOT_LATIN and not has_foreign_letters(text)
    return _FREQUENCIES[encoding] * usualness(text) * (SCRIPT_UNUSED if is_unused else 1.0)


def _is_unbroken(text: str, encoding: str) -> bool:
    """Whether a text is too long for a word and has nothing that ends one."""
    if encoding in _WITHOUT_BLANKS or len(text) < UNBROKEN_CHARACTERS:
        return False
    breaks = sum(char.isascii() and not char.isalnum() for char in text)
    return breaks < LEAST_BREAK_SHARE * len(text)


def _without_bad_bytes(sample: bytes) -> dict[bytes, list[str]]:
    """What is left of a sample without the few bytes that an encoding does not have, with the
    encodings of which that is true."""
    found: dict[bytes, list[str]] = defaultdict(list)
    allowed = min(MAXIMUM_BAD_BYTES, len(_NOT_ASCII.findall(sample)) // GOOD_BYTES_FOR_A_BAD_ONE)
    for name in _FREQUENCIES if allowed else ():
        cleaned = _without_undecodable(sample, name, allowed)
        if cleaned is not None and len(cleaned) < len(sample):
            found[cleaned].append(name)
    return found


def _without_undecodable(data: bytes, encoding: str, allowed: int) -> bytes | None:
    """The data without the bytes that the encoding does not have; None if there are more."""
    for _ in range(allowed + 1):
        try:
            data.decode(encoding)
        except UnicodeDecodeError as error:
            data = data[: error.start] + data[error.end :]
        else:
            return data
    return None


def _widest(name: str, sample: bytes) -> str:
    """The superset where its additional characters occur (``“`` in a text that looks latin-1)."""
    superset = _SUPERSETS.get(name)
    if superset is None or _strictly(sample, superset) is None:
        return name
    text = sample.decode(name, "replace")
    return superset if _CONTROLS.search(text) or "\ufffd" in text else name
