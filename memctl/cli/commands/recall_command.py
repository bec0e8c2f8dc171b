"""``memctl recall``."""

from __future__ import annotations

from typing import Annotated, TypeVar

import typer

from memctl.cli import options
from memctl.cli.output import Column
from memctl.cli.render import HIT_COLUMNS, hit_json, hit_row
from memctl.cli.session import Session
from memctl.errors import UsageError
from memctl.memory import ID_DISPLAY_LENGTH, SearchHit, SearchResult
from memctl.search.request import RecallKind, RecallMode, RecallRequest, RecallSort

ACTION = "recall"

Choice = TypeVar("Choice", RecallMode, RecallSort, RecallKind)

EXPLAIN_COLUMNS = (
    Column("memory"),
    Column("strategy"),
    Column("rank", right=True),
    Column("raw score", right=True),
    Column("contribution", right=True),
)


def recall(
    session: Session,
    query: Annotated[
        list[str] | None, typer.Argument(metavar="QUERY", help="What you want to know.")
    ] = None,
    types: options.TypeFilterOption = None,
    tags: options.TagFilterOption = None,
    channels: options.ChannelFilterOption = None,
    sessions: options.SessionFilterOption = None,
    sources: options.SourceFilterOption = None,
    origins: options.OriginFilterOption = None,
    minimum_importance: options.MinimumImportanceOption = None,
    since: options.SinceOption = None,
    until: options.UntilOption = None,
    limit: options.LimitOption = None,
    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            metavar="MODE",
            help="hybrid (needs a query), recent, important or typed (needs --type).",
        ),
    ] = RecallMode.HYBRID.value,
    sort: Annotated[
        str,
        typer.Option(
            "--sort", metavar="ORDER", help="Order of typed: recent, importance or accessed."
        ),
    ] = RecallSort.RECENT.value,
    kind: Annotated[
        str,
        typer.Option(
            "--kind", metavar="KIND", help="memory, chunk (verbatim passages of files) or all."
        ),
    ] = RecallKind.MEMORY.value,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every part of each score.")
    ] = False,
) -> None:
    """Find memories by meaning and by keyword.

    A query that the store knows nothing about finds nothing. --since and --until look at when a
    thing happened, or else at when it was saved.

    \b
    Examples:
      memctl recall "which database for billing?"
      memctl recall router --type fact --limit 3 --json
      memctl recall --mode typed --type todo --sort importance
    """
    runtime = session.runtime
    now = runtime.clock()
    request = RecallRequest(
        query=options.join_words(query or [], ACTION),
        mode=_choose(RecallMode, mode, "--mode"),
        sort=_choose(RecallSort, sort, "--sort"),
        kind=_choose(RecallKind, kind, "--kind"),
        limit=limit or session.settings.recall.limit,
        memory_filter=options.build_filter(
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
        ),
    )
    _check_request(request)
    result = runtime.recall(request)
    for warning in result.warnings:
        session.output.warn(warning)
    _print_result(session, request, result, explain=explain)
    runtime.record_accesses(result)


def _choose(choices: type[Choice], name: str, option: str) -> Choice:
    try:
        return choices(name)
    except ValueError:
        names = ", ".join(choices)
        raise UsageError(what=f"use {option} {name!r}", why=f"it must be one of {names}") from None


def _check_request(request: RecallRequest) -> None:
    if request.mode is RecallMode.HYBRID and not request.query.strip():
        raise UsageError(what=ACTION, why="hybrid recall needs a query; `--mode recent` needs none")
    if request.mode is RecallMode.TYPED and not request.memory_filter.types:
        raise UsageError(what=ACTION, why="`--mode typed` needs at least one --type")


def _print_result(
    session: Session, request: RecallRequest, result: SearchResult, *, explain: bool
) -> None:
    output = session.output
    if output.as_json:
        output.json(
            {
                "query": request.query,
                "results": [hit_json(hit, explain=explain) for hit in result.hits],
                "warnings": output.warnings,
            }
        )
        return
    if not result.hits:
        output.notice("nothing found")
        return
    now = session.runtime.clock()
    output.table(HIT_COLUMNS, [hit_row(hit, now, is_rich=output.is_rich) for hit in result.hits])
    if explain:
        output.table(EXPLAIN_COLUMNS, [row for hit in result.hits for row in _explain_rows(hit)])


def _explain_rows(hit: SearchHit) -> list[list[str]]:
    entry = hit.memory or hit.chunk
    name = entry.id[:ID_DISPLAY_LENGTH] if entry else ""
    return [
        [
            name,
            part.strategy,
            "" if part.rank is None else str(part.rank),
            "" if part.raw_score is None else f"{part.raw_score:.3f}",
            f"{part.contribution:+.4f}",
        ]
        for part in hit.parts
    ]
