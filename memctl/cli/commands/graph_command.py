"""``memctl graph``."""

from __future__ import annotations

from typing import Annotated

from memctl.cli.declaration import Argument, Option
from memctl.cli.graph_views import VIEWS, GraphView
from memctl.cli.session import Session
from memctl.errors import UsageError
from memctl.records import association_record, memory_record

FORMATS = (*VIEWS, "html", "json")


def graph(
    session: Session,
    memory: Annotated[str, Argument(metavar="ID", help="Where to begin.")],
    depth: Annotated[
        int, Option("--depth", metavar="N", minimum=1, maximum=10, help="How many steps away.")
    ] = 2,
    output_format: Annotated[
        str,
        Option(
            "--format",
            metavar="NAME",
            help="tree, dot, mermaid, html (one page, for a browser) or json.",
        ),
    ] = "tree",
) -> None:
    """Show what a memory is connected with.

    \b
    Examples:
      memctl graph 3fa9
      memctl graph 3fa9 --depth 3 --format mermaid
      memctl graph 3fa9 --format html > graph.html
      memctl graph 3fa9 --format dot | dot -Tsvg > graph.svg
    """
    if output_format not in FORMATS:
        names = ", ".join(FORMATS)
        raise UsageError(what=f"draw as {output_format!r}", why=f"it must be one of {names}")
    runtime = session.runtime
    start = runtime.graph.resolve(memory, include_forgotten=True)
    neighbourhood = runtime.neighbourhood(start, depth)
    if session.output.as_json or output_format == "json":
        session.output.json(
            {
                "start": start,
                "memories": [memory_record(one, None) for one in neighbourhood.memories.values()],
                "associations": [association_record(edge) for edge in neighbourhood.associations],
            }
        )
        return
    if output_format == "html":
        from memctl.cli.graph_page import html_page

        session.output.line(html_page(start, neighbourhood))
        return
    view: GraphView = VIEWS[output_format]
    say = session.output.cut if output_format == "tree" else session.output.line
    for line in view(start, neighbourhood):
        say(line)
