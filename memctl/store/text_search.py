"""Finds any of many texts in another one, in one pass over it (Aho and Corasick 1975)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

HEAD_CHARACTERS = 64
"""Of a text, as much is looked for, and the rest compared where that stands: so what is kept in
memory grows with the number of the texts, not with their length."""


class TextSearch:
    """Looks for the same texts in any number of others. An empty text is nowhere."""

    def __init__(self, texts: Iterable[str]) -> None:
        import ahocorasick

        by_head: dict[str, list[str]] = {}
        for text in filter(None, dict.fromkeys(texts)):
            by_head.setdefault(text[:HEAD_CHARACTERS], []).append(text)
        self._heads = ahocorasick.Automaton() if by_head else None
        if self._heads is not None:
            for head, wholes in by_head.items():
                self._heads.add_word(head, (len(head), wholes))
            self._heads.make_automaton()

    def places(self, where: str) -> Iterator[tuple[int, str]]:
        """The character of ``where`` at which a text begins, and that text; in the order in which
        the heads of the texts end, overlapping ones as well."""
        if self._heads is None:
            return
        for last, (length, wholes) in self._heads.iter(where):
            start = last - length + 1
            for text in wholes:
                if where.startswith(text, start):
                    yield start, text

    def is_in(self, where: str) -> bool:
        """Whether any of the texts stands in ``where``."""
        return next(self.places(where), None) is not None

    def found_in(self, where: str) -> set[str]:
        """Those of the texts that stand in ``where``."""
        return {text for _start, text in self.places(where)}
