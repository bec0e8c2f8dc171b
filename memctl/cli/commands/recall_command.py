"""``memctl recall``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from memctl.cli import options
from memctl.cli.declaration import Argument, Option
from memctl.cli.filter_words import unknown_words
from memctl.cli.inputs import read_lines
from memctl.cli.output import Column
from memctl.cli.recall_request import make_request, parse_days, parse_weights
from memctl.cli.render import HIT_COLUMNS, hit_json, hit_row
from memctl.cli.session import Session
from memctl.cli.warm.autostart import leave_server_behind
from memctl.errors import UsageError
from memctl.light_runtime import LightRuntime
from memctl.memory import ID_DISPLAY_LENGTH
from memctl.search.asked_type import asked_type
from memctl.search.request import RecallKind, RecallMode, RecallRequest, RecallSort
from memctl.search_hit import SearchHit, SearchResult
from memctl.times import utc_now

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
        list[str] | None,
        Argument(metavar="QUERY", help="What you want to know; - reads it from stdin."),
    ] = None,
    *,
    filters: options.FilterOptions,
    limit: Annotated[
        int | None,
        Option(
            "--limit",
            "-n",
            metavar="N",
            minimum=1,
            maximum=options.MAXIMUM_LIMIT,
            help="How many (default: the setting recall.limit).",
        ),
    ] = None,
    mode: Annotated[
        str,
        Option(
            "--mode",
            metavar="MODE",
            help="hybrid (needs a query), recent, important or typed (needs --type).",
        ),
    ] = RecallMode.HYBRID.value,
    sort: Annotated[
        str,
        Option("--sort", metavar="ORDER", help="Order of typed: recent, importance or accessed."),
    ] = RecallSort.RECENT.value,
    kind: Annotated[
        str,
        Option(
            "--kind",
            metavar="KIND",
            help="best (memories, or passages where none is an answer), memory, chunk (verbatim "
            "passages of files) or all.",
        ),
    ] = RecallKind.BEST.value,
    as_of: options.AsOfOption = None,
    minimum_score: Annotated[
        float | None,
        Option(
            "--min-score",
            metavar="N",
            help="Evidence that an answer needs, 0 to 1 (default: 0.49); 0 shows the nearest.",
        ),
    ] = None,
    weights: Annotated[
        str | None,
        Option(
            "--weights",
            metavar="LIST",
            help="Order by semantic=0.6,recency=0.2,importance=0.2 instead.",
        ),
    ] = None,
    mmr: Annotated[
        float | None,
        Option("--mmr", metavar="N", help="Relevance (1) against variety (0)."),
    ] = None,
    half_life: Annotated[
        str | None,
        Option("--half-life", metavar="SPAN", help="Halve scores with age: 30d."),
    ] = None,
    batch: Annotated[
        Path | None,
        Option("--batch", metavar="FILE", help="One query a line (- is stdin); JSON lines."),
    ] = None,
    answer: Annotated[
        bool,
        Option("--answer", help="Let the language model answer from what was found."),
    ] = False,
    explain: Annotated[bool, Option("--explain", help="Show every part of each score.")] = False,
) -> None:
    """Find memories by meaning and by keyword.

    A query that the store knows nothing about finds nothing. --since and --until look at when a
    thing happened, or else at when it was saved.

    \b
    Examples:
      memctl recall "which database for billing?"
      memctl recall router --type fact --limit 3 --json
      memctl recall --mode typed --type todo --sort importance
      memctl recall "who runs the till?" --kind all --explain
      memctl recall --batch queries.txt --limit 3
    """
    now = utc_now()
    request = make_request(
        query=session.read_stdin(ACTION).strip()
        if query == ["-"]
        else options.join_words(query or [], ACTION),
        mode=_choose(RecallMode, mode, "--mode"),
        sort=_choose(RecallSort, sort, "--sort"),
        kind=_choose(RecallKind, kind, "--kind"),
        limit=limit or session.settings.recall.limit,
        as_of=None if as_of is None else options.parse_time(as_of, now, "--as-of"),
        minimum_score=minimum_score,
        weights=None if weights is None else parse_weights(weights),
        mmr_lambda=mmr,
        half_life_days=None if half_life is None else parse_days(half_life),
        memory_filter=filters.to_filter(now),
    )
    if batch is not None:
        if answer:
            raise UsageError(what=ACTION, why="--answer concludes from one query, not from --batch")
        _answer_batch(session, request, batch, explain=explain)
        return
    _check_request(request)
    runtime = session.light if LightRuntime.takes(request) else session.runtime
    result = runtime.recall(request)
    for warning in result.warnings:
        session.output.warn(warning)
    if answer:
        _print_answer(session, request, result, filters, explain=explain)
    else:
        _print_result(session, request, result, filters, explain=explain)
    runtime.record_accesses(result)
    leave_server_behind(session)


def _choose(choices: type[Choice], name: str, option: str) -> Choice:
    try:
        return choices(name)
    except ValueError:
        names = ", ".join(choices)
        raise UsageError(what=f"use {option} {name!r}", why=f"it must be one of {names}") from None


def _answer_batch(session: Session, request: RecallRequest, file: Path, *, explain: bool) -> None:
    """Each line's answer as one JSON object, in order; blank lines are passed over."""
    if request.query:
        raise UsageError(what=ACTION, why="--batch takes its queries from a file alone")
    for line in read_lines(session, file, ACTION):
        query = line.strip()
        if not query:
            continue
        result = session.runtime.recall(replace(request, query=query))
        session.output.json_item(
            _result_json(query, result, warnings=list(result.warnings), explain=explain)
        )
        session.streams.stdout.flush()
        session.runtime.record_accesses(result)


def _check_request(request: RecallRequest) -> None:
    if request.mode is RecallMode.HYBRID and not request.query.strip():
        raise UsageError(what=ACTION, why="hybrid recall needs a query; `--mode recent` needs none")
    if request.mode is RecallMode.TYPED and not request.memory_filter.types:
        raise UsageError(what=ACTION, why="`--mode typed` needs at least one --type")


def _print_result(
    session: Session,
    request: RecallRequest,
    result: SearchResult,
    filters: options.FilterOptions,
    *,
    explain: bool,
) -> None:
    output = session.output
    if output.as_json:
        output.json(_result_json(request.query, result, warnings=output.warnings, explain=explain))
        return
    if not result.hits:
        _print_nothing_found(session, request, filters)
        return
    now = utc_now()
    output.table(HIT_COLUMNS, [hit_row(hit, now, is_rich=output.is_rich) for hit in result.hits])
    if explain:
        output.table(EXPLAIN_COLUMNS, [row for hit in result.hits for row in _explain_rows(hit)])


def _print_nothing_found(
    session: Session, request: RecallRequest, filters: options.FilterOptions
) -> None:
    """An empty store is told apart from one that knows nothing about the query, and words of the
    filter that no memory has are named."""
    counts = session.runtime.graph.counts()
    if counts.live or counts.superseded or counts.expired or counts.chunks:
        unknown = unknown_words(session, filters.words)
        session.output.notice(f"nothing found: {unknown}" if unknown else _nothing_found(request))
        return
    session.output.notice("nothing found: the store is empty")
    session.output.tip("`memctl save TEXT` saves a memory, `memctl ingest FOLDER` takes in files")


def _nothing_found(request: RecallRequest) -> str:
    """Says so, and how to see what is nearest where the gate may have kept it back, or the memories
    of the type that the question names."""
    if request.mode is not RecallMode.HYBRID or not request.threshold:
        return "nothing found"
    kind = asked_type(request.query)
    listed = "" if kind is None else f", `memctl list --type {kind}` lists every {kind}"
    return f"nothing found; `--min-score 0` shows the nearest anyway{listed}"


def _print_answer(
    session: Session,
    request: RecallRequest,
    result: SearchResult,
    filters: options.FilterOptions,
    *,
    explain: bool,
) -> None:
    """The model's conclusion and the ids that it used; nothing is asked when nothing was found."""
    output = session.output
    conclusion = session.runtime.answer(request.query, result) if result.hits else None
    if output.as_json:
        document = _result_json(request.query, result, warnings=output.warnings, explain=explain)
        document["answer"] = None if conclusion is None else conclusion.text
        document["used"] = [] if conclusion is None else list(conclusion.used)
        output.json(document)
        return
    if conclusion is None:
        _print_nothing_found(session, request, filters)
        return
    output.line(conclusion.text)
    if conclusion.used:
        ids = ", ".join(memory_id[:ID_DISPLAY_LENGTH] for memory_id in conclusion.used)
        output.line(f"({ids})")


def _result_json(
    query: str, result: SearchResult, *, warnings: list[str], explain: bool
) -> dict[str, Any]:
    return {
        "query": query,
        "results": [hit_json(hit, explain=explain) for hit in result.hits],
        "warnings": warnings,
    }


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
