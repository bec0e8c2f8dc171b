"""Lets a language model type what no mark of its writer types.

A heading, a label, a checkbox, a profile file or an earlier memctl has said what a statement is;
the model is asked about the others. What it does not answer keeps the type that the rules gave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from memctl.errors import LanguageModelError
from memctl.extraction.type_question import STATEMENTS_A_QUESTION
from memctl.memory import MemoryType
from memctl.migration.plan import PlannedFile
from memctl.migration.source_file import Role
from memctl.migration.statement import PlannedMemory
from memctl.migration.tagged import EXPORTED

AskTypes = Callable[[Sequence[str]], Sequence[MemoryType | None]]

BY_MODEL = "the language model"
"""The reason of a type that the model gave."""

_MARKED = ("heading ", "label ", "field ", "open box", "ticked box", "front matter", EXPORTED)
"""How the reason of a type begins that its writer gave."""

_PROFILES = frozenset({Role.USER, Role.IDENTITY, Role.PERSONA})


@dataclass(slots=True)
class TypedByModel:
    """How many statements the model typed, and how many of them otherwise than the rules.

    ``problem`` is why it was asked no further.
    """

    typed: int = 0
    changed: int = 0
    problem: LanguageModelError | None = None


def type_by_model(
    files: Iterable[PlannedFile],
    wanted: Callable[[PlannedMemory], bool],
    ask: AskTypes,
    on_typed: Callable[[str], None] = lambda _: None,
) -> TypedByModel:
    """Puts the model's types into ``files``, for the memories that are ``wanted``.

    ``on_typed`` hears each statement that was asked about.
    """
    asked = [
        (file, memory)
        for file in files
        if file.source.role not in _PROFILES
        for memory in file.all_memories
        if not memory.reason.startswith(_MARKED) and wanted(memory)
    ]
    result = TypedByModel()
    changed: dict[int, PlannedMemory] = {}
    for start in range(0, len(asked), STATEMENTS_A_QUESTION):
        some = [memory for _, memory in asked[start : start + STATEMENTS_A_QUESTION]]
        try:
            types = ask([memory.content for memory in some])
        except LanguageModelError as error:
            result.problem = error
            break
        for memory, memory_type in zip(some, types, strict=True):
            if memory_type is not None:
                result.typed += 1
                result.changed += memory_type is not memory.memory_type
                changed[id(memory)] = _typed(memory, memory_type)
            on_typed(memory.content)
    for file in {id(file): file for file, _ in asked}.values():
        file.memories[:] = [changed.get(id(memory), memory) for memory in file.memories]
        file.rows[:] = [
            replace(row, memory=changed.get(id(row.memory), row.memory)) for row in file.rows
        ]
    return result


def _typed(memory: PlannedMemory, memory_type: MemoryType) -> PlannedMemory:
    """With the importance of its type, unless its own was raised or marked."""
    is_default = memory.importance == memory.memory_type.default_importance
    importance = memory_type.default_importance if is_default else memory.importance
    return replace(memory, memory_type=memory_type, importance=importance, reason=BY_MODEL)
