"""Running headers, footers and page numbers: found by their return from page to page, and dropped.

A running line that says something (a sentence, a value with its label, a date or a version) and
stands nowhere else is kept once. Only lines at the edges of a page are looked at. What runs is the
smaller part of a page: where most of a page comes back on others, or all of it but its numbers, the
page is a form that was filled in (a certificate, an invoice, a voucher), and its lines are text. A
number in a running line counts as a page number only when it stands at the line's end and grows
with the pages; a line that comes back with other numbers is content.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from memctl.ingestion.readers.pdf_lines import runs_on

MINIMUM_PAGES = 3
"""A line must stand on so many pages before its return says anything."""

EDGE_LINES = 4
"""Lines at the top and at the bottom of a page among which running lines are looked for."""

COMMON_SHARE = 0.5
"""A line on this share of the pages runs through the document; else it must run through
neighbouring pages (a chapter's header, on every page or every other one)."""

_PAGE_NUMBER = re.compile(
    r"^\W*(?P<first>\d{1,4})(?=\s)"
    r"|(?<![\d.,:])(?P<last>\d{1,4}|(?<!\w)[ivxlc]{1,7})"
    r"(?:页|頁|ページ|쪽)?\W*(?:(?:of|von|sur|de|di|из|/)\s*\d+\W*)?$"
)
_PAGE_LABEL = re.compile(
    r"^\W*(?:p(?:age|[áa]gina|g|p)?|seite|s(?:trana|trona|ida|ide)|стр(?:аница)?|第)?[\W\d]*"
    r"(?:(?:of|von|sur|de|di|из)[\W\d]*|(?:页|頁|ページ|쪽)\W*)?$"
)
"""A folded line that tells nothing but the number of its page."""

_PAGE_NUMBER_MARK = "\0"
"""What stands for the page number in what lines have in common."""

_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

MOST_RUNNING_LINES = 3
"""A page that has more lines than these does not consist of running lines alone."""

MINIMUM_SENTENCE_WORDS = 3
MINIMUM_SENTENCE_LETTERS = 6
"""A sentence has at least so many words, or letters in a script that sets no blanks."""

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’»)\]」』）]*$")
_LABELLED = re.compile(r"^[^\W\d][^:：\d]{0,39}(?::\s|：)\s*\w")
_DATED = re.compile(
    r"(?<!\d)(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?!\d)"
    r"|\b\d{1,2}\.? [^\W\d]{3,}\.? \d{4}\b|\b[^\W\d]{3,} \d{1,2}, \d{4}\b"
    r"|\d{4}[年년]\s?\d{1,2}[月월]"
    r"|\bv(?:er[sz]\w*)?\.? ?\d+(?:\.\d+)*\b|(?<![\d.])\d+\.\d+\.\d+(?![\d.])"
)

Page = Sequence[str]
Place = tuple[int, int]
"""A page (from 0) and the position of a line on it (from 0)."""


@dataclass(frozen=True, slots=True)
class _RunningLine:
    """What a running line has in common on its pages, and its places in ascending order."""

    key: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class _Rest:
    """What a page has besides its page numbers: lines that come back on other pages, wherever they
    stand, and lines of its own, of which the shape is told (folded and without digits)."""

    recurring_count: int
    own_count: int
    own_shape: str
    is_framed: bool
    """Whether what comes back is one line at the top and one at the bottom, with text between."""

    @property
    def is_mostly_recurring(self) -> bool:
        return self.own_count == 0 or (self.recurring_count > self.own_count and not self.is_framed)


def drop_running_lines(pages: Sequence[Page]) -> list[list[str]]:
    """The pages without their running lines; as they are when nothing else would be left."""
    if len(pages) < MINIMUM_PAGES:
        return [list(page) for page in pages]
    recurring = _running_lines(pages)
    bare = set(chain.from_iterable(_bare_numbers(pages)))
    returning = bare.union(*(line.places for line in recurring))
    if not any(line.strip() for page in _without(pages, returning) for line in page):
        return [list(page) for page in pages]
    rests = _rests(pages, recurring, bare)
    forms = _filled_forms(rests)
    running = [line for line in recurring if _runs_beside_text(line, forms)]
    copied, copies = _copied_pages(pages)
    whole = copied | {
        number
        for number, rest in enumerate(rests)
        if rest.is_mostly_recurring and rest.recurring_count > MOST_RUNNING_LINES
    }
    labels = bare.union(*(line.places for line in running if _tells_page(line.key)))
    dropped = labels.union(*(line.places for line in running))
    dropped = {place for place in dropped if place[0] not in whole or place in labels}
    dropped |= {place for place in returning if place[0] in copies}
    dropped.difference_update(_places_kept_once(pages, running, dropped, rests))
    return [_trim(page) for page in _without(pages, dropped)]


def _rests(
    pages: Sequence[Page], recurring: Sequence[_RunningLine], bare: Container[Place]
) -> list[_Rest]:
    numbered = {
        place for line in recurring if _PAGE_NUMBER_MARK in line.key for place in line.places
    }
    texts = [
        [
            text
            for position, line in enumerate(page)
            if (text := _fold(line))
            and (number, position) not in numbered
            and (number, position) not in bare
        ]
        for number, page in enumerate(pages)
    ]
    numbers: dict[str, set[int]] = defaultdict(set)
    for number, page in enumerate(texts):
        for text in page:
            numbers[text].add(number)
    filled = _filled_count(pages)
    rests = []
    for page in texts:
        own = [text for text in page if not _is_running(numbers[text], filled)]
        is_framed = bool(own) and page[1:-1] == own
        shape = _DIGITS.sub("0", "\n".join(own))
        rests.append(_Rest(len(page) - len(own), len(own), shape, is_framed))
    return rests


def _filled_forms(rests: Sequence[_Rest]) -> set[int]:
    """Pages of which most comes back on others, or half when the other half differs from that of
    others in numbers only."""
    shapes = Counter(rest.own_shape for rest in rests)
    return {
        number
        for number, rest in enumerate(rests)
        if rest.is_mostly_recurring
        or (rest.recurring_count >= rest.own_count and shapes[rest.own_shape] >= MINIMUM_PAGES)
    }


def _runs_beside_text(line: _RunningLine, forms: Container[int]) -> bool:
    """Whether the line only tells the page, or at least half of its pages are no forms."""
    if _tells_page(line.key):
        return True
    numbers = {number for number, _ in line.places}
    return 2 * sum(number in forms for number in numbers) <= len(numbers)


def _tells_page(key: str) -> bool:
    return _PAGE_NUMBER_MARK in key and _PAGE_LABEL.search(key) is not None


def _copied_pages(pages: Sequence[Page]) -> tuple[set[int], set[int]]:
    """The first of the pages that come again as they are, and the later ones: copies of a form or
    a ticket. What has no more lines than run on a page is none."""
    texts = [_fold("\n".join(page)) for page in pages]
    counts = Counter(texts)
    first: dict[str, int] = {}
    later: set[int] = set()
    for number, text in enumerate(texts):
        if counts[text] > 1 and first.setdefault(text, number) != number:
            later.add(number)
    is_long = [sum(bool(line.strip()) for line in page) > MOST_RUNNING_LINES for page in pages]
    return {number for number in first.values() if is_long[number]}, later


def _without(pages: Sequence[Page], dropped: Container[Place]) -> list[list[str]]:
    return [
        [line for position, line in enumerate(page) if (number, position) not in dropped]
        for number, page in enumerate(pages)
    ]


def _places_kept_once(
    pages: Sequence[Page],
    running: Sequence[_RunningLine],
    dropped: Container[Place],
    rests: Sequence[_Rest],
) -> Iterator[Place]:
    """Where each running line that says something or belongs to a form, and is dropped everywhere,
    stays: at its first place, or at the first one that does not cut a sentence from one page to
    the next."""
    kept = _without(pages, dropped)
    texts = {_fold(line) for page in kept for line in page}
    for line in running:
        first_text = _fold(pages[line.places[0][0]][line.places[0][1]])
        core = line.key.replace(_PAGE_NUMBER_MARK, "").strip()
        is_text = _says_something(line.key) or _belongs_to_form(line, rests)
        if is_text and texts.isdisjoint((first_text, core)):
            texts |= {first_text, core}
            whole = (place for place in line.places if not _cuts_sentence(place, pages, kept))
            yield next(whole, line.places[0])


def _says_something(key: str) -> bool:
    """Whether a line, folded and without page numbers, tells more than a title does."""
    if _LABELLED.search(key) is not None or _DATED.search(key) is not None:
        return True
    letters_without_blanks = sum(char > "\u2e80" for char in key)
    has_words = len(_WORD.findall(key)) >= MINIMUM_SENTENCE_WORDS
    return _SENTENCE_END.search(key) is not None and (
        has_words or letters_without_blanks >= MINIMUM_SENTENCE_LETTERS
    )


def _belongs_to_form(line: _RunningLine, rests: Sequence[_Rest]) -> bool:
    """Whether most of the line's pages differ in numbers only."""
    if _PAGE_NUMBER_MARK in line.key:
        return False
    shapes = Counter(rests[number].own_shape for number in {number for number, _ in line.places})
    return 2 * max(shapes.values()) > shapes.total()


def _cuts_sentence(place: Place, pages: Sequence[Page], kept: Sequence[Page]) -> bool:
    """Whether the line stands between two pages of ``kept`` that one sentence runs across."""
    number, position = place
    upper = number - 1 if 2 * position < len(pages[number]) else number
    if not 0 <= upper < len(pages) - 1:
        return False
    above, below = (_trim(list(page)) for page in kept[upper : upper + 2])
    return bool(above and below) and runs_on(above[-1], below[0])


def _running_lines(pages: Sequence[Page]) -> list[_RunningLine]:
    offsets = _page_number_offsets(pages)
    places: dict[str, list[Place]] = defaultdict(list)
    for number, page in enumerate(pages):
        for position in _edge_positions(page):
            for key in _keys(page[position], number, offsets):
                places[key].append((number, position))
    filled = _filled_count(pages)
    return [
        _RunningLine(key, tuple(found))
        for key, found in places.items()
        if _is_running({number for number, _ in found}, filled)
    ]


def _filled_count(pages: Sequence[Page]) -> int:
    return sum(any(line.strip() for line in page) for page in pages)


def _bare_numbers(pages: Sequence[Page]) -> list[tuple[Place, ...]]:
    """Places of outermost lines that are only a number, where two or more count with the pages."""
    places: dict[int, set[Place]] = defaultdict(set)
    for number, page in enumerate(pages):
        positions = _edge_positions(page)
        for position in {*positions[:1], *positions[-1:]}:
            for value, rest in _page_numbers(page[position]):
                if not any(map(str.isalnum, rest)):
                    places[value - number].add((number, position))
    return [tuple(found) for found in places.values() if len({n for n, _ in found}) > 1]


def _edge_positions(page: Page) -> list[int]:
    filled = [position for position, line in enumerate(page) if line.strip()]
    return sorted({*filled[:EDGE_LINES], *filled[-EDGE_LINES:]})


def _page_number_offsets(pages: Sequence[Page]) -> set[int]:
    """What page numbers are ahead of the count of pages, where most pages agree on it."""
    offsets: Counter[int] = Counter()
    for number, page in enumerate(pages):
        offsets.update(
            {
                value - number
                for position in _edge_positions(page)
                for value, _ in _page_numbers(page[position])
            }
        )
    enough = max(MINIMUM_PAGES, COMMON_SHARE * len(pages))
    return {offset for offset, count in offsets.items() if count >= enough}


def _page_numbers(line: str) -> Iterator[tuple[int, str]]:
    """What may be a page number in a line, with the line without it."""
    for match in _PAGE_NUMBER.finditer(line):
        group = "first" if match["first"] else "last"
        numeral = match[group]
        value = int(numeral) if numeral.isdecimal() else _roman_value(numeral)
        yield value, f"{line[: match.start(group)]}{_PAGE_NUMBER_MARK}{line[match.end(group) :]}"


def _roman_value(numeral: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    total = 0
    for value, following in zip(values, [*values[1:], 0], strict=True):
        total += value if value >= following else -value
    return total


def _keys(line: str, number: int, offsets: set[int]) -> Iterator[str]:
    """What the line has in common with its like on other pages."""
    yield _fold(line)
    for value, rest in _page_numbers(line):
        if value - number in offsets:
            yield _fold(rest)


def _fold(line: str) -> str:
    return " ".join(line.casefold().split())


def _is_running(numbers: set[int], page_count: int) -> bool:
    if len(numbers) < MINIMUM_PAGES:
        return False
    if len(numbers) >= COMMON_SHARE * page_count:
        return True
    return any(
        {number, number + step, number + 2 * step} <= numbers
        for number in numbers
        for step in (1, 2)
    )


def _trim(page: list[str]) -> list[str]:
    while page and not page[-1].strip():
        page.pop()
    while page and not page[0].strip():
        page.pop(0)
    return page
