"""What pypdf finds in a PDF, page by page: text, table rows, form values. Runs in the worker.

A page that is damaged or takes too long is reported and left out; the others are read all the
same. pypdf is used here and in ``pdf_opening``, and nowhere else.
"""

from __future__ import annotations

import re
import signal
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from memctl.ingestion.readers.pdf_cids import (
    LEGACY_ENCODINGS,
    ShownCodes,
    has_collection,
    unicode_table,
)
from memctl.ingestion.readers.pdf_fonts import (
    UNKNOWN_GLYPH,
    add_blank,
    collection_of,
    complete_fonts,
    forms_of,
    glyph_number_fonts,
    two_byte_fonts,
)
from memctl.ingestion.readers.pdf_forms import form_values
from memctl.ingestion.readers.pdf_gaps import GapWriter, runs_to_the_left
from memctl.ingestion.readers.pdf_opening import (
    content_damage,
    count_pages,
    damage_errors,
    is_cut_off,
    open_pdf,
)
from memctl.ingestion.readers.pdf_pictures import MOST_STAMPED_CHARACTERS, PictureArea
from memctl.ingestion.readers.pdf_repeats import RepeatRemover, repeats_itself
from memctl.ingestion.readers.pdf_runs import Run, join_rows, label_beside
from memctl.ingestion.readers.pdf_spread import SpreadEvener
from memctl.pipe_messages import Message

if TYPE_CHECKING:
    from types import FrameType

    from pypdf import PageObject, PdfReader

PAGE_SECONDS = 20.0
"""Longest time for one page; the slowest pages of real papers take a tenth of it."""

MAXIMUM_SLOW_PAGES = 3
"""After so many pages that took too long the rest is left unread: it was made to hold us up."""

MAXIMUM_STREAM_BYTES = 32_000_000
"""A content stream that unpacks to more is a bomb or a drawing, no text."""

CELL_LINE_CHARACTERS = 24
"""A page most of whose lines are no longer than this may be a table whose cells stand alone."""

MINIMUM_CELL_LINES = 6

MINIMUM_SPELLED_LINES = 40
SPELLED_SHARE = 0.6
"""From so many lines on, of which this share has one sign each, a page was set sign by sign."""

CODES_OF_A_BYTE = 256

CUT_OFF = "the end of the file is missing, and all its pages with it"

_TOO_SLOW = f"it takes longer than {PAGE_SECONDS:g} s"
_FLOOD = re.compile("decompress|decod|output|number of tokens", re.IGNORECASE)
_REFERENCE = re.compile(r"IndirectObject\((\d+), \d+, \d+\)")
_GAPS = re.compile(" {2,}")
_WIDE_GAPS = re.compile(r"(?<=[\u2e80-\uffef]) (?=[\u2e80-\uffef])")
_EMPTY_TITLES = frozenset({"untitled", "unspecified", "unknown", "no title"})


class _PageTimeout(BaseException):
    """A page took too long. No ``Exception``, so that no handler inside pypdf swallows it."""


def pdf_messages(data: bytes, options: Message) -> Iterator[Message]:
    """``refused`` alone; or ``document``, then a ``page`` for each page in order."""
    import pypdf

    with pypdf.apply_configuration(
        zlib_maximum_output_length=MAXIMUM_STREAM_BYTES,
        lzw_maximum_output_length=MAXIMUM_STREAM_BYTES,
        run_length_maximum_output_length=MAXIMUM_STREAM_BYTES,
        array_based_stream_maximum_output_length=MAXIMUM_STREAM_BYTES,
        jbig2dec_binary=None,
    ):
        yield from _messages(data, options.get("password"))


def _messages(data: bytes, password: str | None) -> Iterator[Message]:
    try:
        reader = open_pdf(data)
        if reader.is_encrypted and not _unlock(reader, password):
            wrong = "the password is not the right one" if password else "it needs a password"
            yield {"kind": "refused", "status": "encrypted", "reason": wrong}
            return
        page_count, is_relisted = count_pages(reader)
    except NotImplementedError as error:
        yield {"kind": "refused", "status": "encrypted", "reason": f"its lock is unknown ({error})"}
        return
    except damage_errors() as error:
        if is_cut_off(data):
            yield {"kind": "refused", "status": "unreadable", "reason": CUT_OFF}
        else:
            yield {"kind": "refused", "status": "unreadable", "reason": _short(error)}
        return
    title, attachments = _facts(reader)
    yield {
        "kind": "document",
        "pages": page_count,
        "title": title,
        "attachments": attachments,
        "is_cut_off": is_cut_off(data),
        "is_relisted": is_relisted,
    }
    slow_pages = 0
    for number in range(page_count):
        page = _read_page(reader, number)
        slow_pages += page.get("error") == _TOO_SLOW
        yield {"kind": "page", "number": number + 1, **page}
        if slow_pages == MAXIMUM_SLOW_PAGES:
            return


def _unlock(reader: PdfReader, password: str | None) -> bool:
    """Whether the file opens with the password, or with none as in any viewer."""
    return any(reader.decrypt(key) for key in dict.fromkeys((password or "", "")))


def _facts(reader: PdfReader) -> tuple[str | None, list[str]]:
    """The title and the names of attached files, as far as they can be read."""
    title: str | None = None
    attachments: list[str] = []
    try:
        metadata = reader.metadata
        title = str(metadata.title or "").strip() if metadata is not None else None
        attachments = [str(name) for name in reader.attachments][:20]
    except damage_errors():
        # Both are a courtesy: a document is as good without them.
        title = title or None
    is_empty = not title or title.casefold() in _EMPTY_TITLES
    return None if is_empty else title, attachments


def _read_page(reader: PdfReader, number: int) -> Message:
    try:
        with _time_limit(PAGE_SECONDS):
            page = reader.pages[number]
            _prepare_fonts(page)
            text = page.extract_text(visitor_operand_before=_changes(page, ""))
            is_repeated = repeats_itself(text)
            if is_repeated or runs_to_the_left(text):
                text = page.extract_text(visitor_operand_before=_changes(page, text))
            values = list(form_values(page))
            if _is_spelled(text):
                text = _spelled_text(page)
            may_be_cells = _may_be_cells(text)
            runs = _runs(page, text) if values or may_be_cells else []
            damage = None if text.strip() else content_damage(page)
            is_picture = _is_picture(page, text)
    except _PageTimeout:
        return {"text": "", "values": [], "error": _TOO_SLOW}
    except damage_errors() as error:
        return {"text": "", "values": [], "error": _short(error)}
    labelled = [(label_beside(runs, value.box) or value.name, value.text) for value in values]
    text = join_rows(runs, text) if may_be_cells else text
    message = f"it is damaged ({damage})" if damage else None
    return {"text": text, "values": labelled, "error": message, "is_picture": is_picture}


def _is_picture(page: PageObject, text: str) -> bool:
    """Whether a page with little text is a picture of its size."""
    if not 0 < len(text.strip()) <= MOST_STAMPED_CHARACTERS:
        return False
    with suppress(*damage_errors()):  # Its text has been read all the same.
        area = PictureArea(page)
        page.extract_text(visitor_operand_before=area)
        return area.covers_page
    return False


def _prepare_fonts(page: PageObject) -> None:
    """Completes the fonts of the page and of the forms drawn on it.

    A form that is damaged is passed over, as pypdf does when it comes to be drawn.
    """
    numbered = _prepare_own_fonts(page)
    seen: set[int] = set()
    waiting: list[Any] = [page]
    while waiting:
        with suppress(*damage_errors()):
            for form in forms_of(waiting.pop()):
                if id(form) not in seen:
                    seen.add(id(form))
                    waiting.append(form)
                    numbered += _prepare_own_fonts(form)
    if numbered:
        shown = ShownCodes()
        page.extract_text(visitor_operand_before=shown)
        for font in numbered:
            _set_table(font, unicode_table(collection_of(font) or "", shown.codes))


def _set_table(font: Any, table: bytes) -> None:
    from pypdf.generic import DecodedStreamObject, NameObject

    letters = DecodedStreamObject()
    letters.set_data(table)
    font[NameObject("/ToUnicode")] = letters
    add_blank(font)


def _prepare_own_fonts(holder: Any) -> list[Any]:
    """The fonts that are left to be told the letters of their character collection."""
    from pypdf._cmap import _predefined_cmap
    from pypdf._codecs import adobe_glyphs
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject

    _predefined_cmap.update(LEGACY_ENCODINGS)  # pypdf asks nothing else for an encoding.
    numbered: list[Any] = []
    for font in glyph_number_fonts(holder, _predefined_cmap):
        if has_collection(collection_of(font) or ""):
            numbered.append(font)
            continue
        glyphs = [NameObject(UNKNOWN_GLYPH)] * CODES_OF_A_BYTE
        differences = ArrayObject([NumberObject(0), *glyphs])
        font[NameObject("/Encoding")] = DictionaryObject({NameObject("/Differences"): differences})
    complete_fonts(holder, adobe_glyphs)
    return numbered


def _changes(page: PageObject, text: str) -> Callable[..., None]:
    """What changes operations of the page before they are carried out, as its text shows."""
    changes: list[Callable[..., None]] = [SpreadEvener(two_byte_fonts(page))]
    if runs_to_the_left(text):
        changes.append(GapWriter(page))
    if repeats_itself(text):
        changes.append(RepeatRemover())

    def change(*operation: Any) -> None:
        for one in changes:
            one(*operation)

    return change


def _runs(page: PageObject, read: str) -> list[Run]:
    """The runs of text in the order in which they are drawn; those not upright break rows."""
    from pypdf import mult

    runs: list[Run] = []

    def visit(text: str, page_matrix: Any, text_matrix: Any, _font: Any, size: float) -> None:
        matrix = mult(text_matrix, page_matrix)
        is_upright = matrix[3] > 0 and abs(matrix[1]) < abs(matrix[3])
        scaled = float(size) * abs(matrix[3])
        y = matrix[5] if is_upright else float("nan")
        runs.append(Run(text, float(matrix[4]), float(y), scaled))

    page.extract_text(visitor_text=visit, visitor_operand_before=_changes(page, read))
    return runs


def _is_spelled(text: str) -> bool:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    single = sum(len(line) == 1 for line in lines)
    return len(lines) >= MINIMUM_SPELLED_LINES and single >= SPELLED_SHARE * len(lines)


def _spelled_text(page: PageObject) -> str:
    """The lines of a page that was set sign by sign, as the widths of its font give them."""
    text = page.extract_text(extraction_mode="layout", layout_mode_space_vertically=False)
    return _WIDE_GAPS.sub("", _GAPS.sub(" ", text))


def _may_be_cells(text: str) -> bool:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    short = sum(len(line) <= CELL_LINE_CHARACTERS for line in lines)
    return short >= MINIMUM_CELL_LINES and 2 * short > len(lines)


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raises _PageTimeout inside when it lasts longer; needs the main thread of its process."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _PageTimeout

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _short(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "it needs too much memory"
    text = " ".join(_REFERENCE.sub(r"object \1", str(error)).split())
    if _is_flood(error, text):
        return "it unpacks to far more than a text needs"
    printable = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
    return f"it is damaged ({printable[:120] or type(error).__name__})"


def _is_flood(error: BaseException, text: str) -> bool:
    """Whether whole data unpacks to too much; what is damaged may unpack to anything."""
    from pypdf.errors import LimitReachedError

    is_damaged = isinstance(error.__context__, zlib.error)
    return isinstance(error, LimitReachedError) and not is_damaged and bool(_FLOOD.search(text))
