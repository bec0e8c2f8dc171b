"""``memctl channel``."""

from __future__ import annotations

from typing import Annotated, Any

from memctl.cli.declaration import Argument
from memctl.cli.options import LimitOption
from memctl.cli.output import Column
from memctl.cli.session import Session
from memctl.errors import UnknownChannelError
from memctl.message import ChannelSummary, Message
from memctl.times import format_iso, format_local

COLUMNS = (Column("when"), Column("who"), Column("message", wrap=True))
CHANNEL_COLUMNS = (
    Column("channel", wrap=True),
    Column("messages", right=True),
    Column("from"),
    Column("to"),
)
DEFAULT_LIMIT = 20


def channel(
    session: Session,
    name: Annotated[
        str | None,
        Argument(metavar="[ID]", help="The channel; without it all channels are listed."),
    ] = None,
    limit: LimitOption = None,
) -> None:
    """Read the transcript of a channel back, the newest messages last.

    \b
    Examples:
      memctl channel
      memctl channel agent:main:telegram:direct --limit 50
    """
    graph = session.runtime.graph
    if name is None:
        _print_channels(session, graph.channels()[:limit])
        return
    messages = graph.messages(name, limit=limit or DEFAULT_LIMIT)
    if not messages:
        known = ", ".join(one.channel_id for one in graph.channels()) or "none"
        raise UnknownChannelError(id=name, known=known)
    if session.output.as_json:
        records = [_message_json(message) for message in messages]
        session.output.json({"channel_id": name, "messages": records})
        return
    session.output.table(COLUMNS, [_row(message) for message in messages])


def _print_channels(session: Session, channels: list[ChannelSummary]) -> None:
    output = session.output
    if output.as_json:
        output.json({"channels": [_channel_json(one) for one in channels]})
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
