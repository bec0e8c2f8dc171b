"""``memctl context``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from memctl.cli import options
from memctl.cli.declaration import Option
from memctl.cli.filter_words import unknown_words
from memctl.cli.session import Session
from memctl.errors import UsageError
from memctl.memory import MemoryFilter
from memctl.plural import plural

if TYPE_CHECKING:
    from memctl.context.briefing import Briefing
    from memctl.context.bulletin import Bulletin

QUERY_HITS = 20
"""Memories asked for about the query; the budget decides how many of them are told."""


def context(
    session: Session,
    max_tokens: Annotated[
        int | None,
        Option(
            "--max-tokens",
            metavar="N",
            minimum=100,
            maximum=1_000_000,
            help="Budget of tokens, estimated without a model; context.max_tokens if not given.",
        ),
    ] = None,
    query: Annotated[
        str | None,
        Option("--query", "-q", metavar="TEXT", prose=True, help="Add the memories about this."),
    ] = None,
    channels: options.ChannelFilterOption = None,
    tags: options.TagFilterOption = None,
    llm: Annotated[
        bool,
        Option("--llm", help="Let the language model retell the memories as a bulletin."),
    ] = False,
    words: Annotated[
        int,
        Option(
            "--words",
            metavar="N",
            minimum=50,
            maximum=5_000,
            help="Length of that bulletin in words.",
        ),
    ] = 500,
) -> None:
    """Print a briefing for the prompt of an agent.

    Identity and pinned memories come first, the person's name before all, then goals, open tasks,
    decisions, preferences, events and facts, each with its id. SOUL.md, IDENTITY.md and USER.md
    from the folder of the configuration file are put in front as they are. Memories are fenced and
    marked as data. The same store gives the same text, and no model is needed unless --query or
    --llm asks for one. What is known about the query has a part of the budget of its own, and its
    best memory has room before all others.

    \b
    Examples:
      memctl context
      memctl context --max-tokens 800 --query "the bookings database"
      memctl context --llm --words 300
    """
    if query is not None and not query.strip():
        raise UsageError(what="brief about the query", why="it is empty")
    budget = max_tokens or session.settings.context.max_tokens
    briefing = session.runtime.briefing(
        memory_filter=MemoryFilter(channels=tuple(channels or ()), tags=tuple(tags or ())),
        folder=session.loaded_settings.config_path.parent,
        query=query,
        query_limit=QUERY_HITS,
        max_tokens=budget,
    )
    _tell_left_out(session, briefing, budget)
    for name in briefing.cut_profile:
        session.output.warn(f"{name} is longer than its part of --max-tokens and was cut")
    bulletin = None
    if llm and not briefing.is_empty:
        bulletin = session.runtime.bulletin(briefing, words=words)
    if session.output.as_json:
        _print_json(session, briefing, bulletin)
    elif briefing.is_empty:
        unknown = unknown_words(session, {"channels": channels, "tags": tags})
        session.output.notice(
            unknown or "nothing is remembered yet; `memctl save` adds the first memory"
        )
    else:
        text = briefing.text if bulletin is None else bulletin.text
        session.output.line(text.removesuffix("\n"))


def _tell_left_out(session: Session, briefing: Briefing, budget: int) -> None:
    left_out = sum(section.left_out for section in briefing.sections)
    if left_out:
        what = plural(left_out, "memory")
        session.output.tip(f"{what} found no room in {budget} tokens; --max-tokens makes more")


def _print_json(session: Session, briefing: Briefing, bulletin: Bulletin | None) -> None:
    session.output.json(
        {
            "text": briefing.text,
            "tokens": briefing.tokens,
            "profile": list(briefing.profile),
            "sections": [asdict(section) for section in briefing.sections],
            "bulletin": None if bulletin is None else bulletin.text,
            "cost_usd": None if bulletin is None else bulletin.usage.cost_usd,
            "warnings": session.output.warnings,
        }
    )
