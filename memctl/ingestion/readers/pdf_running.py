"""Running headers, footers and page numbers: found by their return from page to page, and dropped.

Only lines at the edges of a page are looked at. A number in such a line counts as a page number
only when it grows with the pages; a line that repeats with other numbers is content.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

MINIMUM_PAGES = 3
"""A line must stand on so many pages before its return says anything."""

EDGE_LINES = 3
"""Lines at the top and at the bottom of a page among which running lines are looked for."""

MAXIMUM_ROUNDS = 4
"""How often edges are looked at again after lines were dropped: headers of several lines."""

COMMON_SHARE = 0.5
"""A line on this share of the pages runs through the document; else it must run through
neighbouring pages (a chapter's header, on every page or every other one)."""

_NUMBER = re.compile(r"(?<![\d.,:])\d{1,4}(?![\d:]|[.,]\d)")
_ROMAN = re.compile(r"[ivxlc]{1,7}")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_DECORATION = re.compile(r"[\s\-–—|·•~.\[\]()]+")

Page = Sequence[str]


def drop_running_lines(pages: Sequence[Page]) -> list[list[str]]:
    """The pages without their running lines; as they are when nothing else would be left."""
    kept = [list(page) for page in pages]
    if len(kept) < MINIMUM_PAGES:
        return kept
    for _ in range(MAXIMUM_ROUNDS):
        running = _running_lines(kept)
        if not running:
            break
        for number, positions in running.items():
            kept[number] = [
                line for position, line in enumerate(kept[number]) if position not in positions
            ]
    if not any(line.strip() for page in kept for line in page):
        return [list(page) for page in pages]
    return [_trim(page) for page in kept]


def _running_lines(pages: Sequence[Page]) -> dict[int, set[int]]:
    """Positions of the lines to drop, by page (from 0)."""
    offset = _page_number_offset(pages)
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, page in enumerate(pages):
        for position in _edge_positions(page):
            for key in _keys(page[position], number, offset):
                places[key].append((number, position))
    filled = sum(any(line.strip() for line in page) for page in pages)
    dropped: dict[int, set[int]] = defaultdict(set)
    for found in places.values():
        if _is_running({number for number, _ in found}, filled):
            for number, position in found:
                dropped[number].add(position)
    return dropped


def _edge_positions(page: Page) -> list[int]:
    filled = [position for position, line in enumerate(page) if line.strip()]
    return sorted({*filled[:EDGE_LINES], *filled[-EDGE_LINES:]})


def _page_number_offset(pages: Sequence[Page]) -> int | None:
    """What page numbers are ahead of the count of pages; None when few pages are numbered."""
    offsets: Counter[int] = Counter()
    for number, page in enumerate(pages):
        seen = {
            value - number
            for position in _edge_positions(page)
            for value, _, _ in _numbers(page[position])
        }
        offsets.update(seen)
    if not offsets:
        return None
    offset, count = max(offsets.items(), key=lambda item: (item[1], -abs(item[0])))
    return offset if count >= max(MINIMUM_PAGES, COMMON_SHARE * len(pages)) else None


def _numbers(line: str) -> Iterator[tuple[int, int, int]]:
    """Value, start and end of each number in a line; a lone roman numeral is one."""
    for match in _NUMBER.finditer(line):
        yield int(match[0]), match.start(), match.end()
    bare = _DECORATION.sub("", line)
    if _ROMAN.fullmatch(bare):
        start = line.index(bare)
        yield _roman_value(bare), start, start + len(bare)


def _roman_value(numeral: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    total = 0
    for value, following in zip(values, [*values[1:], 0], strict=True):
        total += value if value >= following else -value
    return total


def _keys(line: str, number: int, offset: int | None) -> Iterator[str]:
    """What the line has in common with its like on other pages."""
    yield _fold(line)
    for value, start, end in _numbers(line):
        if offset is not None and value - number == offset:
            yield _fold(f"{line[:start]}\0{line[end:]}")


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
