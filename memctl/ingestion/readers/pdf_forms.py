"""What people typed into a PDF: values of form fields, and notes put on its pages.

Works on pypdf's dictionaries, which answer like Python's; what has an unexpected shape is passed
over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memctl.ingestion.readers.pdf_runs import Box

MAXIMUM_PARENTS = 16
"""How far up the tree of fields an inherited entry is looked for; loops end here."""

_HIDDEN_FLAG = 1 << 1
_PASSWORD_FLAG = 1 << 13
_NOTE_KINDS = {"/FreeText": "", "/Text": "Note"}


@dataclass(frozen=True, slots=True)
class FormValue:
    """A filled field or a note: its name (maybe empty), its text and where it stands."""

    name: str
    text: str
    box: Box


def form_values(page: Any) -> Iterator[FormValue]:
    """The filled fields and notes of a page, each once."""
    seen: set[tuple[str, str]] = set()
    for annotation in _annotations(page):
        value = _value(annotation)
        if value is not None and (value.name, value.text) not in seen:
            seen.add((value.name, value.text))
            yield value


def _annotations(page: Any) -> Iterator[Any]:
    listed = _resolve(page.get("/Annots"))
    for entry in listed if isinstance(listed, list) else ():
        annotation = _resolve(entry)
        if isinstance(annotation, dict):
            yield annotation


def _value(annotation: Any) -> FormValue | None:
    flags = _resolve(annotation.get("/F"))
    if isinstance(flags, int) and flags & _HIDDEN_FLAG:
        return None
    kind = _resolve(annotation.get("/Subtype"))
    if kind in _NOTE_KINDS:
        name, text = _NOTE_KINDS[kind], _text(_resolve(annotation.get("/Contents")))
    elif kind == "/Widget":
        name, text = _field_name(annotation), _field_text(annotation)
    else:
        return None
    return FormValue(name, text, _box(annotation)) if text else None


def _field_text(widget: Any) -> str:
    flags = _inherited(widget, "/Ff")
    if isinstance(flags, int) and flags & _PASSWORD_FLAG:
        return ""
    kind, value = _inherited(widget, "/FT"), _inherited(widget, "/V")
    if kind == "/Btn":
        state = _resolve(widget.get("/AS", value))
        name = str(state or "").lstrip("/")
        if name in ("", "Off"):
            return ""
        return "yes" if name.casefold() in ("yes", "on", "1", "true") else name
    if kind == "/Sig":
        return ""
    if isinstance(value, list):
        return ", ".join(filter(None, (_text(_resolve(entry)) for entry in value)))
    return _text(value)


def _field_name(widget: Any) -> str:
    return _text(_inherited(widget, "/TU")) or _text(_inherited(widget, "/T"))


def _inherited(widget: Any, key: str) -> Any:
    """An entry of the widget or of the field above it that has one."""
    node = widget
    for _ in range(MAXIMUM_PARENTS):
        if not isinstance(node, dict):
            return None
        if key in node:
            return _resolve(node[key])
        node = _resolve(node.get("/Parent"))
    return None


def _box(annotation: Any) -> Box:
    corners = _resolve(annotation.get("/Rect"))
    if not isinstance(corners, list) or len(corners) != 4:
        return (0.0, 0.0, 0.0, 0.0)
    numbers = [float(_resolve(corner)) for corner in corners]
    left, right = sorted((numbers[0], numbers[2]))
    bottom, top = sorted((numbers[1], numbers[3]))
    return (left, bottom, right, top)


def _text(value: Any) -> str:
    """A string without line ends of other systems; anything else, also a name, is none."""
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if not isinstance(value, str) or value.startswith("/"):
        return ""
    return value.replace("\r\n", "\n").replace("\r", "\n").strip()


def _resolve(value: Any) -> Any:
    """The object itself where pypdf holds a reference to it."""
    return value.get_object() if hasattr(value, "get_object") else value
