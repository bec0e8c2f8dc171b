"""Running headers, footers and page numbers: found by their return from page to page, and dropped.

Only lines at the edges of a page are looked at. A number in such a line counts as a page number
only when it stands at the line's end and grows with the pages; a line that comes back with other
numbers is content.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

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
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

MOST_RUNNING_LINES = 3
"""A page that has more lines than these does not consist of running lines alone."""

Page = Sequence[str]
Place = tuple[int, int]
"""A page (from 0) and the position of a line on it (from 0)."""


def drop_running_lines(pages: Sequence[Page]) -> list[list[str]]:
    """The pages without their running lines; as they are when nothing else would be left."""
    if len(pages) < MINIMUM_PAGES:
        return [list(page) for page in pages]
    dropped = _running_places(pages)
    kept = [
        [line for position, line in enumerate(page) if (number, position) not in dropped]
        for number, page in enumerate(pages)
    ]
    if not any(line.strip() for page in kept for line in page):
        return [list(page) for page in pages]
    _keep_copies_once(pages, kept)
    return [_trim(page) for page in kept]


def _keep_copies_once(pages: Sequence[Page], kept: list[list[str]]) -> None:
    """Puts back the first of the pages that come again and again as they are: copies of a form or
    a ticket, not headers. ``kept`` is changed."""
    seen: set[str] = set()
    for number, page in enumerate(pages):
        filled = [line for line in page if line.strip()]
        is_emptied = not any(line.strip() for line in kept[number])
        text = _fold("\n".join(filled))
        if is_emptied and len(filled) > MOST_RUNNING_LINES and text not in seen:
            seen.add(text)
            kept[number] = list(page)


def _running_places(pages: Sequence[Page]) -> set[Place]:
    offsets = _page_number_offsets(pages)
    places: dict[str, list[Place]] = defaultdict(list)
    for number, page in enumerate(pages):
        for position in _edge_positions(page):
            for key in _keys(page[position], number, offsets):
                places[key].append((number, position))
    filled = sum(any(line.strip() for line in page) for page in pages)
    running = [found for found in places.values() if _is_running({n for n, _ in found}, filled)]
    return set(chain.from_iterable([*running, *_bare_numbers(pages)]))


def _bare_numbers(pages: Sequence[Page]) -> Iterator[set[Place]]:
    """Places of outermost lines that are only a number, where two or more count with the pages."""
    places: dict[int, set[Place]] = defaultdict(set)
    for number, page in enumerate(pages):
        positions = _edge_positions(page)
        for position in {*positions[:1], *positions[-1:]}:
            for value, rest in _page_numbers(page[position]):
                if not any(map(str.isalnum, rest)):
                    places[value - number].add((number, position))
    return (found for found in places.values() if len({n for n, _ in found}) > 1)


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
        yield value, f"{line[: match.start(group)]}\0{line[match.end(group) :]}"


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
