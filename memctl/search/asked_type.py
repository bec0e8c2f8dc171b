"""Which type of memory a question is about, where it names a type rather than a topic: what there
is to do, what was decided. Light enough for the command line."""

from __future__ import annotations

import re
from functools import cache

from memctl.memory import MemoryType

_PHRASES = {
    MemoryType.TODO: """to do|to be done|left to do|todo|todos|to-do|to-dos|task|tasks|zu tun
        |noch tun|noch machen|noch erledigen|aufgaben|à faire|tâches|por hacer|que hacer|tareas
        |要做|待办|やること|할 일""",
    MemoryType.DECISION: """decide|decided|decision|decisions|entschieden|entscheidungen|beschlossen
        |décidé|décisions|decidido|decisiones|决定|決定|결정""",
    MemoryType.PREFERENCE: """do i like|do i prefer|preference|preferences|mag ich|vorlieben
        |préférences|est-ce que j'aime|me gusta|preferencias|喜欢|好き""",
    MemoryType.GOAL: """plan|plans|goal|goals|ziel|ziele|pläne|objectif|objectifs|projets|meta|metas
        |planes|目标|计划|目標|목표""",
    MemoryType.EVENT: """happened|happen|passiert|ist geschehen|est arrivé|s'est passé|pasó
        |发生""",
}
"""What people say who ask for memories of a type, in small letters."""


def asked_type(query: str) -> MemoryType | None:
    """The type that a question names, the first of the types that it names; None where it names
    none."""
    text = query.casefold().replace("’", "'")
    return next((kind for kind, pattern in _patterns().items() if pattern.search(text)), None)


@cache
def _patterns() -> dict[MemoryType, re.Pattern[str]]:
    """A phrase of letters with blanks between words stands by itself; others stand anywhere."""
    return {
        kind: re.compile("|".join(_pattern(phrase.strip()) for phrase in phrases.split("|")))
        for kind, phrases in _PHRASES.items()
    }


def _pattern(phrase: str) -> str:
    escaped = re.escape(phrase)
    is_spaced = phrase[0] < "\u0250"
    return rf"\b{escaped}\b" if is_spaced else escaped
