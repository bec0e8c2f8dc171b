"""Running headers, footers and page numbers: found by their return from page to page, and dropped.

A running line that says something (a sentence, a value with its label, a date or a version) and
stands nowhere else is kept once. Only lines at the edges of a page are looked at. A number in such
a line counts as a page number only when it stands at the line's end and grows with the pages; a
line that comes back with other numbers is content.
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
_PAGE_NUMBER_MARK = "\0"
"""What stands for the page number in what lines have in common."""

_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

MOST_RUNNING_LINES = 3
"""A page that has more lines than these does not consist of running lines alone."""

MINIMUM_SENTENCE_WORDS = 3
MINIMUM_SENTENCE_LETTERS = 6
"""A sentence has at least so many words, or letters in a script that sets no blanks."""

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


def drop_running_lines(pages: Sequence[Page]) -> list[list[str]]:
    """The pages without their running lines; as they are when nothing else would be left."""
    if len(pages) < MINIMUM_PAGES:
        return [list(page) for page in pages]
    running = _running_lines(pages)
    dropped = set(chain.from_iterable([line.places for line in running] + _bare_numbers(pages)))
    if not any(line.strip() for page in _without(pages, dropped) for line in page):
        return [list(page) for page in pages]
    copies = _copies_kept_once(pages, dropped)
    dropped = {place for place in dropped if place[0] not in copies}
    dropped.difference_update(_places_kept_once(pages, running, dropped))
    return [_trim(page) for page in _without(pages, dropped)]


def _without(pages: Sequence[Page], dropped: Container[Place]) -> list[list[str]]:
    return [
        [line for position, line in enumerate(page) if (number, position) not in dropped]
        for number, page in enumerate(pages)
    ]


def _copies_kept_once(pages: Sequence[Page], dropped: Container[Place]) -> set[int]:
    """The first of the pages that come again as they are, or of which nothing would be left:
    copies of a form or a ticket, not headers."""
    texts = [_fold("\n".join(page)) for page in pages]
    counts = Counter(texts)
    first_copies: dict[str, int] = {}
    for number, kept in enumerate(_without(pages, dropped)):
        is_emptied = not any(line.strip() for line in kept)
        is_long = sum(bool(line.strip()) for line in pages[number]) > MOST_RUNNING_LINES
        if is_long and (is_emptied or counts[texts[number]] > 1):
            first_copies.setdefault(texts[number], number)
    return set(first_copies.values())


def _places_kept_once(
    pages: Sequence[Page], running: Sequence[_RunningLine], dropped: Container[Place]
) -> Iterator[Place]:
    """Where each running line that says something, and is dropped everywhere, stays: at its first
    place, or at the first one that does not cut a sentence from one page to the next."""
    kept = _without(pages, dropped)
    texts = {_fold(line) for page in kept for line in page}
    for line in running:
        first_text = _fold(pages[line.places[0][0]][line.places[0][1]])
        core = line.key.replace(_PAGE_NUMBER_MARK, "").strip()
        if _says_something(line.key) and texts.isdisjoint((first_text, core)):
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
    filled = sum(any(line.strip() for line in page) for page in pages)
    return [
        _RunningLine(key, tuple(found))
        for key, found in places.items()
        if _is_running({number for number, _ in found}, filled)
    ]


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
