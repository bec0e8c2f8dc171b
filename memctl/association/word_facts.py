"""What the wording tables of a language say about one word."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class WordFacts:
    """What the tables say about one word.

    ``synonyms``, ``attributes`` and ``classes`` are row numbers; ``sides`` are pairs of an
    antonym row and the side of it (0 or 1); ``states`` likewise for successions.
    """

    synonyms: frozenset[int] = frozenset()
    attributes: frozenset[int] = frozenset()
    classes: frozenset[int] = frozenset()
    sides: frozenset[tuple[int, int]] = frozenset()
    states: frozenset[tuple[int, int]] = frozenset()
    lists: frozenset[str] = frozenset()
    rows: frozenset[str] = field(init=False, compare=False)
    """The table and number of each row that has the word beside others, but for successions."""

    def __post_init__(self) -> None:
        found = {
            "synonyms": self.synonyms,
            "attributes": self.attributes,
            "classes": self.classes,
            "antonyms": {row for row, _ in self.sides},
        }
        rows = frozenset(f"{table} {row}" for table, rows in found.items() for row in rows)
        object.__setattr__(self, "rows", rows)


@dataclass(slots=True)
class CollectedFacts:
    """The rows and lists that have one word, as they are read."""

    rows: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    pairs: dict[str, set[tuple[int, int]]] = field(default_factory=lambda: defaultdict(set))
    lists: set[str] = field(default_factory=set)

    def facts(self) -> WordFacts:
        return WordFacts(
            synonyms=frozenset(self.rows["synonyms"]),
            attributes=frozenset(self.rows["attributes"]),
            classes=frozenset(self.rows["classes"]),
            sides=frozenset(self.pairs["antonyms"]),
            states=frozenset(self.pairs["successions"]),
            lists=frozenset(self.lists),
        )


NOTHING_KNOWN = WordFacts()
