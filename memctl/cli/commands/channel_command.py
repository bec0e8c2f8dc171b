"""``memctl channel``."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from memctl.cli.declaration import Argument, Option
from memctl.cli.options import DEFAULT_LIMIT, MAXIMUM_LIMIT
from memctl.cli.output import Column
from memctl.cli.session import Session
from memctl.errors import UnknownChannelError
from memctl.message import ChannelSummary, Message
from memctl.times import format_iso, format_local

if TYPE_CHECKING:
    from memctl.store.graph import Graph

COLUMNS = (Column("when"), Column("who"), Column("message", wrap=True))
CHANNEL_COLUMNS = (
    Column("channel", wrap=True),
    Column("messages", right=True),
    Column("from"),
    Column("to"),
)


def channel(
    session: Session,
    name: Annotated[
        str | None,
        Argument(metavar="[ID]", help="The channel; without it all channels are listed."),
    ] = None,
    limit: Annotated[
        int | None,
        Option(
            "--limit",
            "-n",
            metavar="N",
            minimum=1,
            maximum=MAXIMUM_LIMIT,
            help=f"How many (default: {DEFAULT_LIMIT} messages, or all channels).",
        ),
    ] = None,
) -> None:
    """Read the transcript of a channel back, the newest messages last.

    \b
    Examples:
      memctl channel
      memctl channel agent:main:telegram:direct --limit 50
    """
    graph = session.runtime.graph
    if name is None:
        channels = graph.channels()[:limit]
        _print_channels(session, channels, () if channels else graph.known_values("channels"))
        return
    counts = {one.channel_id: one.message_count for one in graph.channels()}
    if name not in counts:
        raise _unknown_channel(graph, name, list(counts))
    messages, total = graph.messages(name, limit=limit or DEFAULT_LIMIT), counts[name]
    output = session.output
    if output.as_json:
        records = [_message_json(message) for message in messages]
        output.json({"channel_id": name, "messages": records, "total": total})
        return
    output.table(COLUMNS, [_row(message) for message in messages])
    if len(messages) < total:
        output.notice(f"the newest {len(messages):,} of {total:,}; --limit {total} shows more")


def _unknown_channel(graph: Graph, name: str, known: list[str]) -> UnknownChannelError:
    """Names the channels that have a transcript, and the list of memories where some are of it."""
    advice = "`memctl migrate-openclaw --sessions` takes transcripts."
    if name in graph.known_values("channels"):
        advice = f"`{_listing(name)}` shows the memories of this channel."
    return UnknownChannelError(id=name, known=", ".join(known) or "none", advice=advice)


def _listing(name: str) -> str:
    return f"memctl list --channel {shlex.quote(name)}"


def _print_channels(
    session: Session, channels: list[ChannelSummary], of_memories: Sequence[str]
) -> None:
    """``of_memories`` are the channels that memories belong to."""
    output = session.output
    if output.as_json:
        output.json({"channels": [_channel_json(one) for one in channels]})
    elif not channels and of_memories:
        output.notice(
            f"no transcripts are stored; memories are of {', '.join(of_memories)}: "
            f"`{_listing(of_memories[0])}` shows them"
        )
    elif not channels:
        output.notice("no transcripts are stored; `memctl migrate-openclaw --sessions` takes them")
    else:
        rows = [
            [
                one.channel_id,
                f"{one.message_count:,}",
                "" if one.first_at is None else format_local(one.first_at),
                "" if one.last_at is None else format_local(one.last_at),
            ]
            for one in channels
        ]
        output.table(CHANNEL_COLUMNS, rows)


def _row(message: Message) -> list[str]:
    when = "" if message.said_at is None else format_local(message.said_at)
    return [when, message.author or message.role, message.content]


def _message_json(message: Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "channel_id": message.channel_id,
        "session_id": message.session_id,
        "role": message.role,
        "author": message.author,
        "said_at": None if message.said_at is None else format_iso(message.said_at),
        "content": message.content,
        "document_id": message.document_id,
        "line": message.line,
    }


def _channel_json(one: ChannelSummary) -> dict[str, Any]:
    return {
        "channel_id": one.channel_id,
        "messages": one.message_count,
        "first_at": None if one.first_at is None else format_iso(one.first_at),
        "last_at": None if one.last_at is None else format_iso(one.last_at),
    }
