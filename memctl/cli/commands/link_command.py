"""``memctl link``."""

from __future__ import annotations

from typing import Annotated

from memctl.cli.declaration import Argument, Option
from memctl.cli.options import parse_relation
from memctl.cli.session import Session
from memctl.errors import UsageError
from memctl.memory import ID_DISPLAY_LENGTH
from memctl.records import association_record

SourceArgument = Annotated[str, Argument(metavar="A", help="Id of the one memory.")]
TargetArgument = Annotated[str, Argument(metavar="B", help="Id of the other memory.")]


def link(
    session: Session,
    source: SourceArgument,
    relation: Annotated[
        str,
        Argument(
            metavar="RELATION",
            help="related_to, updates, contradicts, caused_by, result_of or part_of.",
        ),
    ],
    target: TargetArgument,
    weight: Annotated[
        float, Option("--weight", metavar="N", help="How strong the link is (0 to 1).")
    ] = 1.0,
) -> None:
    """Say what one memory is to another.

    `A updates B` means that A is the newer one: B keeps its place in the history and ranks below.

    \b
    Examples:
      memctl link 3fa9 caused_by 77c1
      memctl link 3fa9 updates 77c1
    """
    if not 0 <= weight <= 1:
        raise UsageError(what=f"use the weight {weight:g}", why="it must lie between 0 and 1")
    relation_type = parse_relation(relation)
    graph = session.runtime.graph
    source_id, target_id = graph.resolve(source), graph.resolve(target)
    association = session.runtime.link(source_id, target_id, relation_type, weight)
    if session.output.as_json:
        session.output.json({"association": association_record(association)})
        return
    name = relation_type.value.replace("_", " ")
    session.output.line(
        f"Linked: {source_id[:ID_DISPLAY_LENGTH]} {name} {target_id[:ID_DISPLAY_LENGTH]}"
    )
