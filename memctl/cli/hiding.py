"""What `forget` and `restore` share: ids in, one operation, a line for each memory."""

from __future__ import annotations

from collections.abc import Sequence

from memctl.cli.session import Session
from memctl.cli.text import shorten
from memctl.records import memory_record

CONTENT_LENGTH = 70

_DONE = {
    ("forget", False): "Forgotten",
    ("forget", True): "Would forget",
    ("restore", False): "Restored",
    ("restore", True): "Would restore",
}
_NOTHING = {"forget": "Forgotten already", "restore": "Not forgotten"}


def run_on_ids(session: Session, command: str, ids: Sequence[str], *, dry_run: bool) -> None:
    """Resolves every id first, so that one wrong id changes nothing, then acts on all at once.

    Raises UnknownMemoryError and AmbiguousMemoryError before anything is written.
    """
    runtime = session.runtime
    resolved = list(
        dict.fromkeys(runtime.graph.resolve(prefix, include_forgotten=True) for prefix in ids)
    )
    memories = runtime.graph.memories(resolved)
    hides = command == "forget"
    affected = [memory_id for memory_id in resolved if memories[memory_id].forgotten != hides]
    if affected and not dry_run:
        (runtime.forget if hides else runtime.restore)(affected)
    output = session.output
    if output.as_json:
        output.json(
            {
                "dry_run": dry_run,
                "changed": affected,
                "memories": [
                    memory_record(memory, None)
                    for memory in runtime.graph.memories(resolved).values()
                ],
            }
        )
        return
    for memory_id in resolved:
        memory = memories[memory_id]
        word = _DONE[command, dry_run] if memory_id in affected else _NOTHING[command]
        output.line(f"{word}: {memory.short_id}  {shorten(memory.content, CONTENT_LENGTH)}")
