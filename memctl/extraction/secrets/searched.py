"""A text with those of the words that detectors go by, found in one pass over it.

Most texts hold none of them, and then no detector looks any further: asking for each of some four
hundred words took four times as long as all the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from memctl.extraction.secrets.span import Span, lower_in_place, positions_of
from memctl.store.text_search import TextSearch


@dataclass(frozen=True, slots=True)
class SearchedText:
    """``lowered`` is ``text`` in lower case, character by character; ``words`` are those of the
    words looked for, in lower case, that stand in it."""

    text: str
    lowered: str
    words: frozenset[str]

    def places(self, word: str) -> Iterator[int]:
        """Every place where a word begins, ascending, overlaps left out."""
        return positions_of(word, self.lowered) if word in self.words else iter(())


@dataclass(frozen=True, slots=True)
class Detector:
    """``find`` gives the secrets of one sort in a text, in any order, in time linear in its length.

    ``words`` (in lower case) are those without any of which there are none, or nothing where no
    words tell that.
    """

    find: Callable[[SearchedText], Iterator[Span]]
    words: frozenset[str] = frozenset()


class Searcher:
    """Runs detectors on texts, each where one of its words stands."""

    def __init__(self, detectors: Iterable[Detector]) -> None:
        self._detectors = tuple(detectors)
        self._search = TextSearch(word for one in self._detectors for word in sorted(one.words))

    def spans(self, text: str) -> Iterator[Span]:
        """What the detectors find, one after the other."""
        lowered = lower_in_place(text)
        searched = SearchedText(text, lowered, frozenset(self._search.found_in(lowered)))
        for detector in self._detectors:
            if not detector.words or not detector.words.isdisjoint(searched.words):
                yield from detector.find(searched)
