"""A neighbourhood as text: a tree for the terminal, DOT for Graphviz, Mermaid for web pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memctl.cli.text import shorten
from memctl.memory import Association, Memory
from memctl.search.neighbourhood import Neighbourhood

LABEL_LENGTH = 60

GraphView = Callable[[str, Neighbourhood], Iterator[str]]

_QUOTES = str.maketrans({'"': "'", "\\": "/"})


def tree_lines(start: str, neighbourhood: Neighbourhood) -> Iterator[str]:
    """Each memory once, below the one by which it was reached; arrows give the direction."""
    yield _label(neighbourhood.memories[start])
    yield from _branches(start, neighbourhood, {start}, "")


def dot_lines(start: str, neighbourhood: Neighbourhood) -> Iterator[str]:
    """A directed graph in the DOT language."""
    yield "digraph memories {"
    yield '  node [shape=box, style=rounded, fontname="sans-serif"];'
    for memory in neighbourhood.memories.values():
        mark = ", penwidth=2" if memory.id == start else ""
        yield f'  "{memory.short_id}" [label="{_quoted(memory)}"{mark}];'
    for edge in neighbourhood.associations:
        yield f'  "{edge.source_id[:8]}" -> "{edge.target_id[:8]}" [label="{_relation(edge)}"];'
    yield "}"


def mermaid_lines(start: str, neighbourhood: Neighbourhood) -> Iterator[str]:
    """A flowchart in the Mermaid language."""
    yield "flowchart LR"
    for memory in neighbourhood.memories.values():
        opening, closing = ("([", "])") if memory.id == start else ("[", "]")
        yield f'  m{memory.short_id}{opening}"{_quoted(memory)}"{closing}'
    for edge in neighbourhood.associations:
        yield f'  m{edge.source_id[:8]} -- "{_relation(edge)}" --> m{edge.target_id[:8]}'


VIEWS: dict[str, GraphView] = {"tree": tree_lines, "dot": dot_lines, "mermaid": mermaid_lines}


def _branches(
    memory_id: str, neighbourhood: Neighbourhood, seen: set[str], indent: str
) -> Iterator[str]:
    arrows: dict[str, list[str]] = {}
    for edge in neighbourhood.associations:
        if memory_id in {edge.source_id, edge.target_id} and _other(edge, memory_id) not in seen:
            outgoing = edge.source_id == memory_id
            arrow = f"{_relation(edge)} →" if outgoing else f"← {_relation(edge)}"
            arrows.setdefault(_other(edge, memory_id), []).append(arrow)
    seen |= arrows.keys()
    for number, (other, names) in enumerate(arrows.items(), start=1):
        last = number == len(arrows)
        label = f"{', '.join(names)} {_label(neighbourhood.memories[other])}"
        yield f"{indent}{'└─' if last else '├─'} {label}"
        yield from _branches(other, neighbourhood, seen, indent + ("   " if last else "│  "))


def _other(edge: Association, memory_id: str) -> str:
    return edge.target_id if edge.source_id == memory_id else edge.source_id


def _relation(edge: Association) -> str:
    return edge.relation_type.value.replace("_", " ")


def _label(memory: Memory) -> str:
    return f"{memory.short_id}  {shorten(memory.content, LABEL_LENGTH)}"


def _quoted(memory: Memory) -> str:
    return shorten(memory.content, LABEL_LENGTH).translate(_QUOTES)
