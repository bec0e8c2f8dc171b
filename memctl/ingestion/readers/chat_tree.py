"""Conversations that are kept as a tree of messages, as ChatGPT exports them: which branch of it
was the conversation at last.

A message that was written anew begins another branch. Whatever the tree's links are like, no
message is given twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

EVERYBODY = "all"
"""The recipient of what is said to the person; what is said to a tool has the tool's name."""

Nodes = Mapping[str, Mapping[str, object]]


def tree_of(value: object) -> Nodes | None:
    """The nodes of a conversation by their ids, or None where it is kept in another way."""
    if not isinstance(value, Mapping):
        return None
    nodes = value.get("mapping")
    if not isinstance(nodes, Mapping) or not all(map(_is_node, nodes.values())):
        return None
    return nodes


def branch_of(value: Mapping[str, object], nodes: Nodes) -> Sequence[Mapping[str, object]]:
    """The messages on the way from the root to where the conversation stands, as far as its links
    lead; without what only programs see."""
    found: list[Mapping[str, object]] = []
    seen: set[str] = set()
    name: object = _last_node(value, nodes)
    while isinstance(name, str) and name in nodes and name not in seen:
        seen.add(name)
        message = nodes[name].get("message")
        if isinstance(message, Mapping) and _is_shown(message):
            found.append(message)
        name = nodes[name].get("parent")
    return found[::-1]


def _is_node(value: object) -> bool:
    return isinstance(value, Mapping) and "message" in value


def _last_node(value: Mapping[str, object], nodes: Nodes) -> object:
    """The node where the conversation stands; the last one that nothing follows where that is not
    said."""
    current = value.get("current_node")
    if isinstance(current, str) and current in nodes:
        return current
    parents = (node.get("parent") for node in nodes.values())
    followed = {parent for parent in parents if isinstance(parent, str)}
    return next((name for name in reversed(list(nodes)) if name not in followed), None)


def _is_shown(message: Mapping[str, object]) -> bool:
    metadata = message.get("metadata")
    is_hidden = isinstance(metadata, Mapping) and metadata.get(
        "is_visually_hidden_from_conversation"
    )
    return not is_hidden and message.get("recipient", EVERYBODY) == EVERYBODY
