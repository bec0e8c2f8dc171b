"""Words that other tools have for what a command or an option of memctl does."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS_BY_MEANING: Mapping[str, tuple[str, ...]] = {
    "config": ("configure", "preferences", "settings"),
    "edit": ("change", "modify", "update"),
    "forget": ("del", "delete", "discard", "drop", "erase", "hide", "purge", "remove", "rm"),
    "ingest": ("index", "load", "watch"),
    "list": ("ls",),
    "log": ("history", "journal"),
    "maintain": ("clean", "cleanup", "compact", "prune", "vacuum"),
    "recall": ("ask", "find", "get", "grep", "look", "query", "retrieve", "search"),
    "restore": ("recover", "unforget"),
    "save": ("add", "create", "insert", "new", "note", "put", "remember", "store"),
    "serve": ("daemon", "server", "start"),
    "serve --stop": ("end", "kill", "stop"),
    "show": ("cat", "print", "view"),
    "status": ("info",),
    "status or config path": ("path", "where"),
}

COMMAND_SYNONYMS = {word: meaning for meaning, words in _WORDS_BY_MEANING.items() for word in words}
"""By a word that is no command, the command that does what it says."""

OPTION_SYNONYMS = {
    "edit": {"--text": "--content", "--message": "--content"},
    "forget": {"--erase": "--purge", "--hard": "--purge"},
    "list": {"--count": "--limit", "--max": "--limit"},
    "recall": {"--count": "--limit", "--max": "--limit", "--top-k": "--limit"},
    "save": {"--kind": "--type", "--label": "--tag"},
}
"""By command, and by an option that it has not, the one that does what it says."""
