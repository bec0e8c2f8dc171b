"""What a text says is found on the lines of the file that it was read from."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from memctl.file_lines import (
    FileLine,
    StatedAt,
    cited_lines,
    join_lines,
    line_of,
    moved_places,
    starts_within,
    stated_places,
)

WORDS = st.text("abc", min_size=1, max_size=3)
SOURCE = st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=1, max_size=8)


def folded(source: list[list[str]], ends: list[bool]) -> tuple[str, list[FileLine]]:
    """Lines of a file as fewer lines of a text; ``ends``: whether a line of the text ends there."""
    text = ""
    starts = []
    for number, words in enumerate(source, start=1):
        starts.append(FileLine(len(text), number))
        text += " ".join(words) + ("\n" if ends[number % len(ends)] else " ")
    return text, starts


@given(SOURCE, st.lists(st.booleans(), min_size=1), st.data())
def test_the_cited_lines_have_the_words_of_the_statement(
    source: list[list[str]], ends: list[bool], data: st.DataObject
) -> None:
    """They are never more than those that the statement was taken from, wherever a passage
    begins and ends."""
    text, starts = folded(source, ends)
    begin = data.draw(st.integers(0, len(text) - 1))
    content = text[begin : data.draw(st.integers(begin + 1, len(text)))]
    line_starts = starts_within(text, starts, begin, begin + len(content))
    spans = [match.span() for match in re.finditer(r"\w+", content)]
    assume(spans)
    first_word = data.draw(st.integers(0, len(spans) - 1))
    first, last = spans[first_word][0], spans[data.draw(st.integers(first_word, len(spans) - 1))][1]
    statement = content[first:last]
    places = content.count("\n", 0, first), content.count("\n", 0, last - 1)

    cited = cited_lines(content, line_starts, *places, statement)

    true = line_of(starts, begin + first), line_of(starts, begin + last - 1)
    assert cited[1] - cited[0] <= true[1] - true[0]
    told = " ".join(word for line in source[cited[0] - 1 : cited[1]] for word in line)
    assert all(word in told for word in statement.split())


class CountedList(list[FileLine]):
    """Notes how many of its entries were asked for."""

    asked_for = 0

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        self.asked_for += len(found) if isinstance(key, slice) else 1
        return found


def test_the_lines_under_a_passage_are_found_without_going_over_those_behind_it() -> None:
    """All passages of a text together go over its lines once, so to say."""
    text = "a \n" * 2_000
    starts = CountedList(FileLine(3 * line, 2 * line + 1) for line in range(2_000))
    found = [starts_within(text, starts, start, start + 30) for start in range(0, len(text), 30)]
    assert [start.line for passage in found for start in passage] == [one.line for one in starts]
    assert starts.asked_for <= 50 * len(found)


def test_of_several_lines_the_fewest_with_all_words_are_cited() -> None:
    """Words in front of a statement that its lines do not have, such as a heading, change nothing,
    and one that shares nothing with them has all."""
    text = "Bo owns the drill and Cid the anvil in the barn"
    starts = [FileLine(0, 4), FileLine(18, 5), FileLine(36, 9)]
    passage = text, starts_within(text, starts, 0, len(text)), 0, 0
    assert cited_lines(*passage, "Tools: Bo owns the drill") == (4, 4)
    assert cited_lines(*passage, "Cid the anvil in the barn") == (5, 9)
    assert cited_lines(*passage, "something else") == (4, 9)


@given(st.lists(st.tuples(st.text("ab ", max_size=4), st.integers(1, 9)), min_size=1))
def test_joined_lines_stand_where_they_stood(lines: list[tuple[str, int]]) -> None:
    """Whatever the order of their lines is in the file, each text is found on its own."""
    text, starts = join_lines([line for line, _ in lines], [number for _, number in lines])
    if not starts:
        assert text.split("\n") == [line for line, _ in lines]
        assert [number for _, number in lines] == list(range(1, len(lines) + 1))
        return
    position, found = 0, []
    for line in text.split("\n"):
        found.append((line, line_of(starts, position)))
        position += len(line) + 1
    assert [entry for entry in found if entry[0]] == [entry for entry in lines if entry[0]]


@given(SOURCE, st.sampled_from([("\n", " "), (" ", "\n"), ("\n", "\n\n")]), st.data())
def test_lines_are_found_again_where_only_blanks_have_changed(
    source: list[list[str]], change: tuple[str, str], data: st.DataObject
) -> None:
    """The words of the lines stand on those that are given for them."""
    before = "\n".join(map(" ".join, source))
    after = before.replace(*change)
    first = data.draw(st.integers(0, len(source) - 1))
    last = data.draw(st.integers(first, len(source) - 1))
    new_first, new_last = moved_places(before, after, first, last)
    words = [word for line in source[first : last + 1] for word in line]
    found = " ".join(after.split("\n")[new_first : new_last + 1]).split()
    assert " ".join(words) in " ".join(found)
    if change[0] != "\n" or change[1] != " ":
        assert found == words


@given(SOURCE, st.integers(1, 9), st.integers(0, 5), st.integers(0, 5))
def test_lines_that_follow_each_other_need_no_places(
    source: list[list[str]], first_line: int, first: int, more: int
) -> None:
    """The lines of a passage are counted from its first one, unless places are told."""
    content = "\n".join(map(" ".join, source))
    stated = StatedAt(first_line + first, first_line + first + more)
    assert stated_places(content, first_line, (), stated) == (first, first + more)
    told = stated._replace(first_place=first, last_place=first)
    assert stated_places(content, first_line, (), told) == (first, first)
    assert stated_places(content, first_line, (), StatedAt(None, None)) == (0, len(source) - 1)
