"""A document's text in spans that the embedding model sees whole.

The contents of all chunks, joined, are the document's text; none has more tokens than the model
takes. Cuts prefer headings, then blocks, list items, lines, sentences and words. Where several
places are as good, the text around them decides, so that an edit moves few cuts.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from memctl.extraction.extractor import DocumentText
from memctl.file_lines import LineStart, starts_within
from memctl.ingestion.outline import Boundary, Piece, outline

TokenCounter = Callable[[Sequence[str]], list[int]]
"""Tokens of each text for the embedding model, without special tokens and without truncation."""

LAST_CHUNK_SLACK = 1.25
"""A rest of up to this many times the aimed size stays one chunk instead of leaving a stub."""

LONGEST_TOKEN_CHARACTERS = 8
"""A piece with more characters than this for each token of the window is cut without counting its
tokens first; writing has two to five."""

SURE_SHARE = 0.9
"""Up to this share of the window the tokens of a chunk need no recount: a token is lost or won
where two atoms meet, never a tenth of them."""

MOST_SINGLE_WORDS = 4_096
"""Words of one sentence that are looked at one by one; what has more is no writing, and is taken in
pieces of at least PIECE_CHARACTERS: of 20 MB without a full stop each word would need 1 kB."""

PIECE_CHARACTERS = 64

_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？；][」』”’）]*\s*")
_WORD_END = re.compile(r"\s+")
_LINE_END = re.compile("[\n\u2028]+")
_FINER = (
    (Boundary.LINE, _LINE_END),
    (Boundary.SENTENCE, _SENTENCE_END),
    (Boundary.WORD, _WORD_END),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSpan:
    """A verbatim span of a document's text.

    Lines and pages count from 1; ``last_line`` is the last line that is not blank. Lines are those
    of the file, on which its own ones stand as ``line_starts`` say (empty: each on one, without
    gaps), or those of the text where that has pages. The heading
    path, outermost first, is what all lines of the chunk stand under, its own heading included.
    """

    content: str
    first_line: int
    last_line: int
    line_starts: tuple[LineStart, ...] = ()
    first_page: int | None = None
    last_page: int | None = None
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is not cut any further: characters ``start`` up to ``end`` of the text."""

    start: int
    end: int
    tokens: int
    boundary: Boundary


@dataclass(slots=True)
class _Section:
    """A heading's own text and the sections under it; ``tokens`` counts both."""

    level: int
    path: tuple[str, ...]
    atoms: list[_Atom] = field(default_factory=list)
    children: list[_Section] = field(default_factory=list)
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class _Span:
    """Characters that become one chunk. ``joinable`` with its neighbours under one heading."""

    start: int
    end: int
    tokens: int
    path: tuple[str, ...]
    joinable: bool


def chunk_text(
    document: DocumentText,
    *,
    count_tokens: TokenCounter,
    max_tokens: int,
    target_tokens: int,
) -> list[ChunkSpan]:
    """Chunks of at most ``max_tokens`` and about ``target_tokens``, in the text's order.

    ``max_tokens`` is the model's window less its special tokens. A section that fits the aimed
    size is one chunk with all that is under it, and small neighbours under one heading are
    joined up to it. An empty text has no chunks.
    """
    if not document.text:
        return []
    aimed_tokens = min(target_tokens, max_tokens)
    if sum(_most_tokens([document.text])) <= aimed_tokens:
        count_tokens = _most_tokens
    cutter = _Cutter(document.text, count_tokens, max_tokens)
    packer = _Packer(document.text, aimed_tokens, max_tokens)
    spans = packer.spans(cutter.tree(outline(document)))
    lines = _Lines(document)
    return [lines.chunk(span) for span in cutter.bound(spans)]


def _most_tokens(texts: Sequence[str]) -> list[int]:
    """More tokens than these no text has for any model: each stands for a byte at least of the text
    in the form of Unicode that has the most of them."""
    return [len(unicodedata.normalize("NFKD", text).encode("utf-8", "replace")) for text in texts]


class _Cutter:
    """Cuts the text into atoms that fit the window, counting tokens in batches."""

    def __init__(self, text: str, count_tokens: TokenCounter, max_tokens: int) -> None:
        self._text = text
        self._count_tokens = count_tokens
        self._max_tokens = max_tokens

    def tree(self, pieces: Sequence[Piece]) -> _Section:
        """The sections by their headings; the root stands for what no heading is above."""
        starts = [0, *(match.end() for match in re.finditer("\n", self._text)), len(self._text)]
        bounds = [(starts[piece.first], starts[piece.end], piece.boundary) for piece in pieces]
        open_sections = [_Section(0, ())]
        for piece, atoms in zip(pieces, self._fit(bounds), strict=True):
            heading = piece.heading
            if heading is not None:
                while open_sections[-1].level >= heading.level:
                    open_sections.pop()
                path = open_sections[-1].path
                section = _Section(heading.level, (*path, heading.text) if heading.text else path)
                open_sections[-1].children.append(section)
                open_sections.append(section)
            open_sections[-1].atoms.extend(atoms)
            for section in open_sections:
                section.tokens += sum(atom.tokens for atom in atoms)
        return open_sections[0]

    def bound(self, spans: Iterable[_Span]) -> list[_Span]:
        """Halves what has more tokens than the sum of its atoms let expect."""
        bounded: list[_Span] = []
        pending: list[_Span] = []
        for span in spans:
            is_sure = span.tokens <= SURE_SHARE * self._max_tokens
            (bounded if is_sure else pending).append(span)
        while pending:
            counts = self._count([(span.start, span.end) for span in pending])
            halves: list[_Span] = []
            for span, tokens in zip(pending, counts, strict=True):
                if tokens <= self._max_tokens or span.end - span.start < 2:
                    bounded.append(span)
                    continue
                middle = self._middle(span.start, span.end)
                for start, end in ((span.start, middle), (middle, span.end)):
                    halves.append(_Span(start, end, tokens, span.path, joinable=False))
            pending = halves
        return sorted(bounded, key=lambda span: span.start)

    def _count(self, bounds: Sequence[tuple[int, int]]) -> list[int]:
        if not bounds:
            return []
        return self._count_tokens([self._text[start:end] for start, end in bounds])

    def _fit(self, bounds: Sequence[tuple[int, int, Boundary]]) -> list[list[_Atom]]:
        """The atoms of each span, in order."""
        longest = LONGEST_TOKEN_CHARACTERS * self._max_tokens
        counts = iter(self._count([(s, e) for s, e, _ in bounds if e - s <= longest]))
        fitted = []
        for start, end, boundary in bounds:
            tokens = next(counts) if end - start <= longest else self._max_tokens + 1
            if tokens <= self._max_tokens or end - start < 2:
                fitted.append([_Atom(start, end, tokens, boundary)])
            else:
                parts = self._parts(start, end, boundary)
                fitted.append([atom for atoms in self._fit(parts) for atom in atoms])
        return fitted

    def _parts(self, start: int, end: int, boundary: Boundary) -> list[tuple[int, int, Boundary]]:
        """The span at its lines; where it has but one, at sentences, words or characters."""
        for finer, pattern in _FINER:
            ends = (match.end() for match in pattern.finditer(self._text, start, end))
            inner = [cut for cut in ends if cut < end]
            if finer is Boundary.WORD and len(inner) > MOST_SINGLE_WORDS:
                inner = _spaced(start, inner)
            if inner:
                return _spans_between(start, inner, end, boundary, finer)
        step = max(1, min(self._max_tokens, (end - start) // 2))
        inner = list(range(start + step, end, step))
        return _spans_between(start, inner, end, boundary, Boundary.CHARACTER)

    def _middle(self, start: int, end: int) -> int:
        """A place near the middle, behind a blank if one is near."""
        middle = (start + end) // 2
        blank = max(self._text.rfind(mark, start + 1, middle) for mark in ("\n", " "))
        return blank + 1 if blank > start + (end - start) // 4 else middle


def _spaced(start: int, cuts: Sequence[int]) -> list[int]:
    """Those of the cuts that leave at least PIECE_CHARACTERS between each other."""
    kept = []
    for cut in cuts:
        if cut - start >= PIECE_CHARACTERS:
            kept.append(cut)
            start = cut
    return kept


def _spans_between(
    start: int, inner: Sequence[int], end: int, first: Boundary, others: Boundary
) -> list[tuple[int, int, Boundary]]:
    bounds = pairwise([start, *inner, end])
    return [
        (left, right, others if position else first)
        for position, (left, right) in enumerate(bounds)
    ]


class _Packer:
    """Joins atoms to chunks of about the aimed size."""

    def __init__(self, text: str, target_tokens: int, max_tokens: int) -> None:
        self._text = text
        self._target = target_tokens
        self._last = min(max_tokens, int(target_tokens * LAST_CHUNK_SLACK))

    def spans(self, section: _Section) -> list[_Span]:
        """The chunks of a section and of all that is under it."""
        if section.tokens <= self._target and (section.atoms or section.children):
            end = _last_atom(section).end
            start = _first_atom(section).start
            return [_Span(start, end, section.tokens, section.path, joinable=True)]
        spans = self._own_spans(section)
        for child in section.children:
            spans.extend(self.spans(child))
        return self._join(spans, section.path)

    def _own_spans(self, section: _Section) -> list[_Span]:
        runs = self._pack(section.atoms)
        return [
            _Span(
                run[0].start,
                run[-1].end,
                sum(atom.tokens for atom in run),
                section.path,
                joinable=len(runs) == 1,
            )
            for run in runs
        ]

    def _join(self, spans: Sequence[_Span], path: tuple[str, ...]) -> list[_Span]:
        joined: list[_Span] = []
        for span in spans:
            before = joined[-1] if joined else None
            fits = before is not None and before.tokens + span.tokens <= self._target
            if before is not None and fits and before.joinable and span.joinable:
                tokens = before.tokens + span.tokens
                joined[-1] = _Span(before.start, span.end, tokens, path, joinable=True)
            else:
                joined.append(span)
        return [_Span(s.start, s.end, s.tokens, s.path, joinable=False) for s in joined]

    def _pack(self, atoms: Sequence[_Atom]) -> list[Sequence[_Atom]]:
        runs: list[Sequence[_Atom]] = []
        first = 0
        rest = sum(atom.tokens for atom in atoms)
        while first < len(atoms):
            cut = len(atoms) if rest <= self._last else self._choose_cut(atoms, first)
            runs.append(atoms[first:cut])
            rest -= sum(atom.tokens for atom in atoms[first:cut])
            first = cut
        return runs

    def _choose_cut(self, atoms: Sequence[_Atom], first: int) -> int:
        """The best cut between half the aimed size and all of it, or the last one that fits."""
        size = atoms[first].tokens
        position = first + 1
        places: list[int] = []
        while position < len(atoms) and size + atoms[position].tokens <= self._target:
            if 2 * size >= self._target:
                places.append(position)
            size += atoms[position].tokens
            position += 1
        places.append(position)
        if position == len(atoms):
            return position
        return min(places, key=lambda place: self._preference(atoms[place]))

    def _preference(self, atom: _Atom) -> tuple[int, int]:
        content = self._text[atom.start : atom.end]
        return atom.boundary, zlib.crc32(content.encode("utf-8", "surrogatepass"))


def _first_atom(section: _Section) -> _Atom:
    while not section.atoms:
        section = section.children[0]
    return section.atoms[0]


def _last_atom(section: _Section) -> _Atom:
    while section.children:
        section = section.children[-1]
    return section.atoms[-1]


class _Lines:
    """Finds the lines and pages of spans."""

    def __init__(self, document: DocumentText) -> None:
        self._document = document
        self._starts = [0, *(match.end() for match in re.finditer("\n", document.text))]

    def chunk(self, span: _Span) -> ChunkSpan:
        """The chunk of a span of characters."""
        content = self._document.text[span.start : span.end]
        last_character = span.start + max(len(content.rstrip()) - 1, 0)
        first_line = bisect_right(self._starts, span.start)
        last_line = bisect_right(self._starts, last_character)
        text, file_lines = self._document.text, self._document.file_lines
        line_starts = starts_within(text, file_lines, span.start, last_character + 1)
        own_lines = [start.line for start in line_starts]
        return ChunkSpan(
            content=content,
            first_line=min(own_lines, default=first_line),
            last_line=max(own_lines, default=last_line),
            line_starts=line_starts,
            first_page=self._page(first_line),
            last_page=self._page(last_line),
            heading_path=span.path,
        )

    def _page(self, line: int) -> int | None:
        return bisect_right(self._document.page_first_lines, line) or None
