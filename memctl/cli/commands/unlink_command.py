"""``memctl unlink``."""

from __future__ import annotations

from typing import Annotated

from memctl.cli.commands.link_command import SourceArgument, TargetArgument
from memctl.cli.declaration import Option
from memctl.cli.options import parse_relation
from memctl.cli.session import Session
from memctl.memory import ID_DISPLAY_LENGTH
from memctl.records import association_record


def unlink(
    session: Session,
    source: SourceArgument,
    target: TargetArgument,
    relation: Annotated[
        str | None,
        Option("--relation", metavar="RELATION", help="Only this one; all when not given."),
    ] = None,
) -> None:
    """Take back what one memory is to another, in both directions.

    \b
    Examples:
      memctl unlink 3fa9 77c1
      memctl unlink 3fa9 77c1 --relation contradicts
    """
    relation_type = None if relation is None else parse_relation(relation)
    graph = session.runtime.graph
    source_id = graph.resolve(source, include_forgotten=True)
    target_id = graph.resolve(target, include_forgotten=True)
    removed = session.runtime.unlink(source_id, target_id, relation_type)
    if session.output.as_json:
        session.output.json({"removed": [association_record(edge) for edge in removed]})
        return
    if not removed:
        session.output.notice("nothing links these two that way")
    for edge in removed:
        name = edge.relation_type.value.replace("_", " ")
        session.output.line(
            f"Unlinked: {edge.source_id[:ID_DISPLAY_LENGTH]} {name} "
            f"{edge.target_id[:ID_DISPLAY_LENGTH]}"
        )
