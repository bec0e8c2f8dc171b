"""``memctl list``."""

from __future__ import annotations

from typing import Annotated

import typer

from memctl.cli import options
from memctl.cli.render import MEMORY_COLUMNS, memory_row
from memctl.cli.session import Session
from memctl.errors import UsageError
from memctl.store.graph import MemorySort
from memctl.transfer import memory_record

DEFAULT_LIMIT = 20


def list(  # the command's own name
    session: Session,
    types: options.TypeFilterOption = None,
    tags: options.TagFilterOption = None,
    channels: options.ChannelFilterOption = None,
    sessions: options.SessionFilterOption = None,
    sources: options.SourceFilterOption = None,
    origins: options.OriginFilterOption = None,
    minimum_importance: options.MinimumImportanceOption = None,
    since: options.SinceOption = None,
    until: options.UntilOption = None,
    sort: Annotated[
        str,
        typer.Option("--sort", metavar="ORDER", help="recent, oldest, importance or access."),
    ] = "recent",
    limit: options.LimitOption = None,
    offset: Annotated[
        int, typer.Option("--offset", metavar="N", min=0, help="Leave out the first N.")
    ] = 0,
    forgotten: Annotated[
        bool, typer.Option("--forgotten", help="Those that were forgotten instead.")
    ] = False,
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Those too in whose place another one stands.")
    ] = False,
) -> None:
    """List memories, the newest first.

    \b
    Examples:
      memctl list --type todo
      memctl list --tag billing --since "last week" --sort importance
      memctl list --forgotten --json
    """
    runtime = session.runtime
    now = runtime.clock()
    memory_filter = options.build_filter(
        now=now,
        types=types,
        tags=tags,
        channels=channels,
        sessions=sessions,
        sources=sources,
        origins=origins,
        minimum_importance=minimum_importance,
        since=since,
        until=until,
    )
    memories = runtime.graph.list_memories(
        memory_filter,
        sort=_parse_sort(sort),
        limit=limit or DEFAULT_LIMIT,
        offset=offset,
        only_forgotten=forgotten,
        include_superseded=forgotten or superseded,
        now=now,
    )
    citations = runtime.graph.citations([memory.id for memory in memories])
    output = session.output
    if output.as_json:
        output.json(
            {"memories": [memory_record(memory, citations.get(memory.id)) for memory in memories]}
        )
        return
    if not memories:
        output.notice("no memories" if memory_filter.is_empty else "no memories fit the filter")
        return
    output.table(
        MEMORY_COLUMNS,
        [
            memory_row(memory, citations.get(memory.id), now, is_rich=output.is_rich)
            for memory in memories
        ],
    )


def _parse_sort(name: str) -> MemorySort:
    try:
        return MemorySort(name)
    except ValueError:
        names = ", ".join(MemorySort)
        raise UsageError(what=f"sort by {name!r}", why=f"it must be one of {names}") from None
