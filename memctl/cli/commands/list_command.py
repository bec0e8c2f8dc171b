"""``memctl list``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from memctl.cli import options
from memctl.cli.declaration import Option
from memctl.cli.errors import CommandLineError
from memctl.cli.filter_words import unknown_words
from memctl.cli.render import MEMORY_COLUMNS, memory_row
from memctl.cli.session import Session
from memctl.errors import UsageError
from memctl.memory import Citation, Memory, MemoryFilter, MemorySort
from memctl.records import memory_record
from memctl.times import utc_now

MOST_LEFT_OUT = 1_000_000_000
"""More than any store holds, and less than SQLite counts."""


def list(  # the command's own name
    session: Session,
    *,
    filters: options.FilterOptions,
    sort: Annotated[
        str,
        Option(
            "--sort",
            metavar="ORDER",
            help="recent, oldest, happened, updated, importance or access.",
        ),
    ] = "recent",
    reverse: Annotated[bool, Option("--reverse", "-r", help="The last first.")] = False,
    limit: options.LimitOption = options.DEFAULT_LIMIT,
    offset: Annotated[
        int,
        Option(
            "--offset", metavar="N", minimum=0, maximum=MOST_LEFT_OUT, help="Leave out the first N."
        ),
    ] = 0,
    forgotten: Annotated[
        bool, Option("--forgotten", help="Those that were forgotten instead.")
    ] = False,
    superseded: Annotated[
        bool, Option("--superseded", help="Those too in whose place another one stands.")
    ] = False,
    as_of: options.AsOfOption = None,
) -> None:
    """List memories, the newest first.

    A todo stays in the list until it is done: tick its box in the file that it comes from and
    ingest that again, or give its id to memctl edit ID --type event or to memctl forget.

    \b
    Examples:
      memctl list --type todo
      memctl list --tag billing --since "last week" --sort importance
      memctl list --type event --sort happened --limit 50 --offset 50
      memctl list --type decision --as-of 2026-01-31
      memctl list --forgotten --json
    """
    if forgotten and as_of is not None:
        why = "--forgotten and --as-of exclude each other"
        raise CommandLineError(command="memctl list", why=why)
    now = utc_now()
    page = Page(
        memory_filter=filters.to_filter(now),
        sort=_parse_sort(sort),
        reverse=reverse,
        only_forgotten=forgotten,
        include_superseded=forgotten or superseded,
        as_of=None if as_of is None else options.parse_time(as_of, now, "--as-of"),
        limit=limit,
        offset=offset,
    )
    memories, total = _read(session, page, now)
    citations = session.light.graph.citations([memory.id for memory in memories])
    if session.output.as_json:
        records = [memory_record(memory, citations.get(memory.id)) for memory in memories]
        session.output.json({"memories": records, "total": total, "offset": page.offset})
        return
    _print_page(session, page, memories, citations, total, filters)


class Page(NamedTuple):
    """Which part of which memories is asked for."""

    memory_filter: MemoryFilter
    sort: MemorySort
    reverse: bool
    only_forgotten: bool
    include_superseded: bool
    as_of: datetime | None
    limit: int
    offset: int


def _read(session: Session, page: Page, now: datetime) -> tuple[Sequence[Memory], int]:
    """The memories of the page, and how many there are in all."""
    if page.as_of is not None:
        return _read_known_then(session, page, page.as_of)
    graph = session.light.graph
    memories = graph.list_memories(
        page.memory_filter,
        sort=page.sort,
        reverse=page.reverse,
        limit=page.limit,
        offset=page.offset,
        only_forgotten=page.only_forgotten,
        include_superseded=page.include_superseded,
        now=now,
    )
    total = graph.count_memories(
        page.memory_filter,
        only_forgotten=page.only_forgotten,
        include_superseded=page.include_superseded,
        now=now,
    )
    return memories, total


def _read_known_then(session: Session, page: Page, as_of: datetime) -> tuple[Sequence[Memory], int]:
    from memctl.search.listing import known_then

    graph = session.runtime.graph
    with graph.one_state():
        known = known_then(
            graph,
            page.memory_filter,
            as_of,
            page.sort,
            reverse=page.reverse,
            include_superseded=page.include_superseded,
        )
    return known[page.offset : page.offset + page.limit], len(known)


def _print_page(
    session: Session,
    page: Page,
    memories: Sequence[Memory],
    citations: Mapping[str, Citation],
    total: int,
    filters: options.FilterOptions,
) -> None:
    output = session.output
    if not memories:
        _say_why_empty(session, page, total, filters)
        return
    now = utc_now()
    output.table(
        MEMORY_COLUMNS,
        [
            memory_row(memory, citations.get(memory.id), now, is_rich=output.is_rich)
            for memory in memories
        ],
    )
    last = page.offset + len(memories)
    if len(memories) < total:
        more = f"; --offset {last} shows more" if last < total else ""
        output.notice(f"{page.offset + 1:,} to {last:,} of {total:,}{more}")


def _say_why_empty(
    session: Session, page: Page, total: int, filters: options.FilterOptions
) -> None:
    if total:
        session.output.notice(f"there are only {total:,}; choose a smaller --offset")
    elif page.memory_filter.is_empty:
        session.output.notice("no memories" if page.as_of is None else "nothing was known then")
    else:
        unknown = unknown_words(session, filters.words)
        session.output.notice(unknown or "no memories fit the filter")


def _parse_sort(name: str) -> MemorySort:
    try:
        return MemorySort(name)
    except ValueError:
        names = ", ".join(MemorySort)
        raise UsageError(what=f"sort by {name!r}", why=f"it must be one of {names}") from None
