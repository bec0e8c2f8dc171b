"""What the store knows of a plan's files already: documents that need not be taken in again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memctl.document import Document, DocumentStatus
from memctl.migration.plan import MigrationPlan, PlannedFile

if TYPE_CHECKING:
    from memctl.store.graph import Graph

EXTRACTOR = "openclaw"
"""Recorded with each document: ingesting the same file by other means reads it afresh."""


def known_documents(graph: Graph, plan: MigrationPlan) -> Mapping[str, Document]:
    """By path, what was taken in earlier from where the plan looked."""
    folders = [path.expanduser().resolve() for path in plan.paths]
    folders += [workspace.path for workspace in plan.workspaces]
    return {
        document.path: document
        for folder in folders
        for document in graph.documents(under=str(folder))
    }


def is_settled(file: PlannedFile, before: Document | None) -> bool:
    """Whether the store has all that the file says, because it has not changed since."""
    return (
        before is not None
        and file.read is not None
        and before.content_hash == file.read.content_hash
        and before.status is DocumentStatus.DONE
        and before.extractor == extractor_name(file)
    )


def extractor_name(file: PlannedFile) -> str:
    """With the channel, because memories of another channel are other memories."""
    workspace = file.source.workspace
    channel = None if workspace is None else workspace.channel_id
    return EXTRACTOR if channel is None else f"{EXTRACTOR} {channel}"
