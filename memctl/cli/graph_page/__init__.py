"""A neighbourhood as one HTML page that needs nothing else: no server, no network, no library.

What was stored reaches the page as data and is shown as text only. The page's policy lets no script
run but its own, which it names by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib.resources import files
from typing import Any

from memctl import __version__
from memctl.cli.text import shorten
from memctl.memory import Memory
from memctl.search.neighbourhood import Neighbourhood
from memctl.times import format_iso

LABEL_LENGTH = 40
TITLE_LENGTH = 70


def html_page(start: str, neighbourhood: Neighbourhood) -> str:
    """The whole page."""
    script, style = _part("page.js"), _part("page.css")
    title = shorten(neighbourhood.memories[start].content, TITLE_LENGTH)
    replacements = {
        "{{policy}}": f"default-src 'none'; script-src '{_hash(script)}'; "
        f"style-src '{_hash(style)}'; img-src data:",
        "{{title}}": html.escape(title),
        "{{version}}": html.escape(__version__),
        "{{style}}": style,
        "{{list}}": "\n".join(map(_list_item, neighbourhood.memories.values())),
        "{{data}}": _script_json(_data(start, neighbourhood)),
        "{{script}}": script,
    }
    page = ""
    for piece in _part("page.html").split("\n"):
        page += replacements.get(piece.strip(), _filled(piece, replacements)) + "\n"
    return page.removesuffix("\n")


def _filled(line: str, replacements: dict[str, str]) -> str:
    """A line of the template with its mark filled in; what is filled in is not read again."""
    for mark in ("{{policy}}", "{{title}}", "{{version}}"):
        head, found, tail = line.partition(mark)
        if found:
            return head + replacements[mark] + tail
    return line


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8").removesuffix("\n")


def _hash(text: str) -> str:
    """As a content security policy names the element whose text this is, line ends included."""
    digest = hashlib.sha256(f"\n{text}\n".encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _data(start: str, neighbourhood: Neighbourhood) -> dict[str, Any]:
    return {
        "start": start,
        "memories": [_memory(memory) for memory in neighbourhood.memories.values()],
        "associations": [
            {
                "source": edge.source_id,
                "target": edge.target_id,
                "relation": edge.relation_type.value.replace("_", " "),
                "weight": edge.weight,
            }
            for edge in neighbourhood.associations
        ],
    }


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "label": shorten(memory.content, LABEL_LENGTH),
        "content": memory.content,
        "type": memory.memory_type.value,
        "importance": memory.importance,
        "saved": format_iso(memory.created_at)[:10],
        "happened": None if memory.event_at is None else format_iso(memory.event_at)[:10],
        "source": memory.source,
        "tags": list(memory.tags),
        "superseded": memory.superseded_by is not None,
        "forgotten": memory.forgotten,
    }


def _script_json(value: object) -> str:
    """JSON that no HTML parser takes for the end of its element or for a comment."""
    text = json.dumps(value, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _list_item(memory: Memory) -> str:
    content = html.escape(" ".join(memory.content.split()))
    return f"<li>{memory.short_id} ({memory.memory_type.value}) {content}</li>"
