"""``memctl save``."""

from __future__ import annotations

from typing import Annotated

from memctl.cli import options
from memctl.cli.declaration import Argument, Option
from memctl.cli.render import receipt_json, redaction_notice, related_lines
from memctl.cli.session import Session
from memctl.errors import UsageError
from memctl.memory import ID_DISPLAY_LENGTH, Origin
from memctl.new_memory import NewMemory, Outcome, SaveReceipt
from memctl.times import format_iso, format_local

ACTION = "save this text"

OUTCOME_TEXTS = {
    Outcome.CREATED: "Saved",
    Outcome.UNCHANGED: "Known already",
    Outcome.SAME: "Saved as another wording of a known memory",
    Outcome.UPDATED: "Saved as an update",
    Outcome.CONTRADICTS: "Saved, and it contradicts a known memory",
    Outcome.RELATED: "Saved",
}


def save(
    session: Session,
    text: Annotated[
        list[str], Argument(metavar="TEXT", help="What to remember; - reads it from stdin.")
    ],
    memory_type: Annotated[
        str | None,
        Option(
            "--type",
            "-t",
            metavar="TYPE",
            help=f"One of {options.TYPE_NAMES}; by its wording when not given.",
        ),
    ] = None,
    importance: Annotated[
        float | None,
        Option("--importance", "-i", metavar="N", help="0 to 1; by the type if not given."),
    ] = None,
    tag: Annotated[
        list[str] | None, Option("--tag", metavar="TAG", help="A tag; may repeat.")
    ] = None,
    source: Annotated[
        str | None, Option("--source", metavar="TEXT", help="Where this comes from.")
    ] = None,
    channel: Annotated[
        str | None, Option("--channel", metavar="NAME", help="The channel it belongs to.")
    ] = None,
    session_id: Annotated[
        str | None, Option("--session", metavar="ID", help="The session it was said in.")
    ] = None,
    origin: Annotated[
        str,
        Option("--origin", metavar="NAME", help=f"Who states it: {', '.join(Origin)}."),
    ] = Origin.USER.value,
    key: Annotated[
        str | None,
        Option(
            "--key", metavar="NAME", help="A name for what it says; saving a key again updates it."
        ),
    ] = None,
    subject: Annotated[
        str | None, Option("--subject", metavar="TEXT", help="What it is about.")
    ] = None,
    event_at: Annotated[
        str | None,
        Option(
            "--event-at",
            metavar="WHEN",
            help="When it happened: 2026-03-04, yesterday; else by its wording.",
        ),
    ] = None,
    ttl: Annotated[
        str | None, Option("--ttl", metavar="SPAN", help="Expires after this: 12h, 7d, 6mo.")
    ] = None,
    pin: Annotated[bool, Option("--pin", help="Never decay or prune it.")] = False,
) -> None:
    """Remember a statement.

    What was done is not told by saving that it was: memctl edit ID --type event turns a todo into
    something that happened, and memctl forget ID hides it.

    What happened gets the day that the text names, if it names one alone ("yesterday", "on 3 March
    2026"); so does a decision or an observation that begins with its day. The day by which
    something is to be done is part of the text only.

    Passwords, pins, keys, tokens, codes of doors and safes, card numbers and recovery phrases that
    their form or the words before them give away are taken out of the text, and are kept nowhere:
    [redacted: password] stands in their place. Look at what was saved where the text says it in
    another way; `memctl forget --purge` erases it.

    \b
    Examples:
      memctl save "We chose PostgreSQL for billing" --type decision
      memctl save "Router: 192.0.2.1" --key router-address --tag network
      echo "Call the sweep by Friday" | memctl save - --type todo --ttl 7d
    """
    content = session.read_stdin(ACTION) if text == ["-"] else options.join_words(text, ACTION)
    _reject_unsavable(content)
    now = session.runtime.clock()
    new_memory = NewMemory(
        content=content,
        memory_type=None if memory_type is None else options.parse_memory_type(memory_type),
        importance=options.parse_importance(importance),
        source=source,
        channel_id=channel,
        session_id=session_id,
        subject=subject,
        key=key,
        tags=tuple(tag or ()),
        event_at=None if event_at is None else options.parse_event_time(event_at, now),
        expires_at=None if ttl is None else options.parse_time_to_live(ttl, now),
        pinned=True if pin else None,
        origin=options.parse_origin(origin),
    )
    receipt = session.runtime.save(new_memory)
    _print_receipt(session, receipt)


def _reject_unsavable(content: str) -> None:
    if "\0" in content:
        raise UsageError(what=ACTION, why="it holds NUL bytes, so it is no text")
    if not content.strip():
        raise UsageError(what=ACTION, why="it is empty")


def _print_receipt(session: Session, receipt: SaveReceipt) -> None:
    output = session.output
    if receipt.redactions:
        output.notice(redaction_notice(receipt))
    if output.as_json:
        when = None if receipt.event_at is None else format_iso(receipt.event_at)
        output.json({**receipt_json(receipt), "event_at": when, "warnings": output.warnings})
        return
    when = "" if receipt.event_at is None else f" (on {format_local(receipt.event_at)})"
    output.line(f"{OUTCOME_TEXTS[receipt.outcome]}: {receipt.id[:ID_DISPLAY_LENGTH]}{when}")
    for line in related_lines(receipt):
        output.line(line)
