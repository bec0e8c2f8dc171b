"""Makes statements of IDENTITY.md, USER.md and SOUL.md stand alone: whose name, whose time zone."""

from __future__ import annotations

from dataclasses import replace

from memctl.extraction.rules.classifier import split_lead
from memctl.extraction.rules.language import detect_language
from memctl.extraction.rules.phrases import fold
from memctl.memory import MemoryType
from memctl.migration.source_file import Role
from memctl.migration.statement import PlannedMemory

ASSISTANT = "assistant"
USER = "user"

_WORDS = {
    "en": ("Assistant", "User"),
    "de": ("Assistent", "Nutzer"),
    "fr": ("Assistant", "Utilisateur"),
    "es": ("Asistente", "Usuario"),
    "pt": ("Assistente", "Usuário"),
    "it": ("Assistente", "Utente"),
    "nl": ("Assistent", "Gebruiker"),
    "pl": ("Asystent", "Użytkownik"),
    "ru": ("Ассистент", "Пользователь"),
    "zh": ("助手", "用户"),
    "ja": ("アシスタント", "ユーザー"),
    "ko": ("어시스턴트", "사용자"),
}
_PERSONA_TYPES = frozenset({MemoryType.IDENTITY, MemoryType.PREFERENCE, MemoryType.OBSERVATION})
_PROFILE_TYPES = _PERSONA_TYPES | {MemoryType.FACT}
_TITLED = ("heading ", "label ", "open box", "ticked box")
"""How a classifier's reason begins where the writer named the type."""


def adapt_profile(memory: PlannedMemory, role: Role, text: str) -> PlannedMemory:
    """A statement of a profile file: its owner in front of a bare field, and a type that fits."""
    subject = USER if role is Role.USER else ASSISTANT
    lead, _ = split_lead(memory.content.rsplit(" — ", 1)[-1])
    content = memory.content
    if lead is not None and role is not Role.PERSONA:
        code = detect_language(fold(text[:2_000])).code
        owner = _WORDS.get(code, _WORDS["en"])[role is Role.USER]
        if owner.lower() not in content.lower():
            content = f"{owner} — {content}"
    memory_type = _type(memory, role, is_field=lead is not None)
    importance = max(memory.importance, memory_type.default_importance)
    if memory_type is memory.memory_type:
        importance = memory.importance
    return replace(
        memory, content=content, subject=subject, memory_type=memory_type, importance=importance
    )


def _type(memory: PlannedMemory, role: Role, *, is_field: bool) -> MemoryType:
    found = memory.memory_type
    if role is Role.PERSONA:
        return found if found in _PERSONA_TYPES else MemoryType.IDENTITY
    if role is Role.USER and found not in _PROFILE_TYPES and memory.reason.startswith(_TITLED):
        return found
    if found in (MemoryType.PREFERENCE, MemoryType.OBSERVATION):
        return found
    return MemoryType.IDENTITY if role is Role.IDENTITY or is_field else MemoryType.FACT
