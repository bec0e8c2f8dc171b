"""How a backup's manifest looks as JSON and as text."""

from __future__ import annotations

from typing import Any

from memctl.backup.archive import Manifest
from memctl.plural import plural


def manifest_json(manifest: Manifest) -> dict[str, Any]:
    """What the backup holds, without the checksums."""
    return {
        "created_at": manifest.created_at,
        "memctl_version": manifest.memctl_version,
        "store_schema_version": manifest.schema_version,
        "embedding_model": manifest.embedding_model,
        "has_index": manifest.has_index,
        "counts": dict(manifest.counts),
    }


def manifest_text(manifest: Manifest) -> str:
    """``123 memories, 4 forgotten, 298 associations, 10 documents``."""
    counts = manifest.counts
    return ", ".join(
        [
            plural(counts.get("memories", 0), "memory"),
            f"{counts.get('forgotten', 0):,} forgotten",
            plural(counts.get("associations", 0), "association"),
            plural(counts.get("documents", 0), "document"),
        ]
    )
