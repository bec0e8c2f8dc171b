"""``memctl edit``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from memctl.cli import options
from memctl.cli.declaration import Argument, Option
from memctl.cli.editor import Task, edit_text
from memctl.cli.memory_draft import from_draft, parse_expiry, to_draft
from memctl.cli.render import receipt_json, redaction_notice, related_lines
from memctl.cli.session import Session
from memctl.cli.text import shorten
from memctl.errors import UsageError
from memctl.memory import ID_DISPLAY_LENGTH, EventTime, Memory, MemoryType
from memctl.new_memory import Outcome, SaveReceipt
from memctl.records import memory_record
from memctl.store.memory_writes import MemoryChanges
from memctl.times import format_local

CLEARABLE = {
    "subject": "subject",
    "key": "key",
    "source": "source",
    "channel": "channel_id",
    "session": "session_id",
    "event-at": "event_at",
    "expires": "expires_at",
}
"""What --clear takes, and the field that it empties."""

CONTENT_LENGTH = 70


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOptions:
    """What to change; nothing given opens the editor."""

    content: Annotated[
        str | None,
        Option(
            "--content",
            "-c",
            metavar="TEXT",
            prose=True,
            help="Another text; - reads it from stdin.",
        ),
    ] = None
    memory_type: Annotated[
        str | None,
        Option("--type", "-t", metavar="TYPE", help=f"One of {options.TYPE_NAMES}."),
    ] = None
    importance: Annotated[
        float | None, Option("--importance", "-i", metavar="N", help="0 to 1.")
    ] = None
    tag: Annotated[
        list[str] | None, Option("--tag", metavar="TAG", help="Add a tag; may repeat.")
    ] = None
    untag: Annotated[
        list[str] | None,
        Option("--untag", metavar="TAG", help="Take a tag away; may repeat."),
    ] = None
    subject: Annotated[
        str | None, Option("--subject", metavar="TEXT", help="What it is about.")
    ] = None
    key: Annotated[str | None, Option("--key", metavar="NAME", help="A name for what it says.")] = (
        None
    )
    source: Annotated[
        str | None, Option("--source", metavar="TEXT", help="Where this comes from.")
    ] = None
    channel: Annotated[
        str | None, Option("--channel", metavar="NAME", help="The channel it belongs to.")
    ] = None
    session_id: Annotated[
        str | None, Option("--session", metavar="ID", help="The session it was said in.")
    ] = None
    event_at: Annotated[
        str | None,
        Option("--event-at", metavar="WHEN", help="When it happens: 2026-03-04, next friday."),
    ] = None
    expires: Annotated[
        str | None,
        Option("--expires", metavar="WHEN", help="When it expires: 7d from now, 2026-03-04."),
    ] = None
    pin: Annotated[
        bool | None,
        Option("--pin/--unpin", help="Keep it from decay and pruning, or no longer."),
    ] = None
    clear: Annotated[
        list[str] | None,
        Option(
            "--clear", metavar="FIELD", help=f"Empty a field; may repeat: {', '.join(CLEARABLE)}."
        ),
    ] = None

    def is_given(self) -> bool:
        """Whether anything is to be changed without an editor."""
        return self != ChangeOptions()

    def changes(self, session: Session, memory: Memory, now: datetime) -> MemoryChanges:
        """What they change of ``memory``; raises UsageError for values that make no sense."""
        changes: MemoryChanges = {}
        if self.content is not None:
            what = f"edit memory {memory.short_id}"
            text = session.read_stdin(what) if self.content == "-" else self.content
            changes["content"] = options.join_words([text], what)
        if self.memory_type is not None:
            changes["memory_type"] = options.parse_memory_type(self.memory_type)
        if self.importance is not None:
            changes["importance"] = options.parse_importance(self.importance) or 0.0
        if self.tag or self.untag:
            kept = [tag for tag in memory.tags if tag not in set(self.untag or ())]
            changes["tags"] = tuple(dict.fromkeys([*kept, *(self.tag or ())]))
        if self.event_at is not None:
            changes["event_at"] = options.parse_event_time(self.event_at, now)
        if self.expires is not None:
            changes["expires_at"] = _parse_expires(self.expires, now)
        if self.pin is not None:
            changes["pinned"] = self.pin
        return {**changes, **self._texts(), **self._cleared()}  # type: ignore[typeddict-item]

    def _texts(self) -> dict[str, str]:
        texts = {
            "subject": self.subject,
            "key": self.key,
            "source": self.source,
            "channel_id": self.channel,
            "session_id": self.session_id,
        }
        return {name: text for name, text in texts.items() if text is not None}

    def _cleared(self) -> dict[str, None]:
        unknown = [name for name in self.clear or () if name not in CLEARABLE]
        if unknown:
            why = f"it must be one of {', '.join(CLEARABLE)}"
            raise UsageError(what=f"clear {unknown[0]!r}", why=why)
        return {CLEARABLE[name]: None for name in self.clear or ()}


def edit(
    session: Session,
    memory: Annotated[str, Argument(metavar="ID", help="Id or unique beginning of it.")],
    *,
    changes: ChangeOptions,
) -> None:
    """Change a memory, in your editor or by options.

    Without options the memory opens in the editor that VISUAL or EDITOR names, else in the one
    that is there. It keeps its id, its associations and its history; another text is compared with
    the other memories as a new one is. `undo` takes the change back.

    A todo that was done becomes an event, as one does whose box is ticked in a file.

    \b
    Examples:
      memctl edit 3fa9
      memctl edit 3fa9 --importance 0.9 --tag billing --pin
      memctl edit 3fa9 --content "We chose PostgreSQL 17 for billing"
      memctl edit 3fa9 --expires 30d --clear subject
      memctl edit 3fa9 --type event --event-at yesterday
    """
    runtime = session.runtime
    known = runtime.graph.memory(runtime.graph.resolve(memory, include_forgotten=True))
    if changes.is_given():
        wanted = changes.changes(session, known, runtime.clock())
    else:
        wanted = _edit_in_editor(session, known)
    edited, receipt = known, SaveReceipt(known.id, Outcome.UNCHANGED)
    if wanted:
        edited, receipt = runtime.edit(known.id, wanted)
    if receipt.redactions:
        session.output.notice(redaction_notice(receipt))
    if "expires_at" in wanted:
        _warn_if_expired(session, edited)
    if known.memory_type is MemoryType.TODO and edited.memory_type is MemoryType.EVENT:
        _warn_if_to_come(session, edited)
    changed = [name for name in wanted if getattr(edited, name) != getattr(known, name)]
    if session.output.as_json:
        document: dict[str, Any] = {**memory_record(edited, None), "changed": changed}
        document |= {"related": receipt_json(receipt)["related"]}
        document |= {"redactions": list(receipt.redactions), "warnings": session.output.warnings}
        session.output.json(document)
        return
    word = "Changed" if changed else "Nothing to change"
    session.output.line(f"{word}: {edited.short_id}  {shorten(edited.content, CONTENT_LENGTH)}")
    for line in related_lines(receipt):
        session.output.line(line)
    if edited.superseded_by is not None and known.superseded_by is None:
        successor = edited.superseded_by[:ID_DISPLAY_LENGTH]
        session.output.notice(f"{successor} is newer and stands in its place")


def _edit_in_editor(session: Session, known: Memory) -> MemoryChanges:
    now = session.runtime.clock()
    changes = edit_text(
        session,
        to_draft(known),
        Task(
            f"memory {known.short_id}",
            suffix=".md",
            instead=f"`memctl edit {known.short_id} --content TEXT` needs no editor.",
        ),
        lambda text: from_draft(text, known, now),
    )
    return changes or {}


def _warn_if_expired(session: Session, memory: Memory) -> None:
    """Says what follows from an end that lies in the past."""
    if memory.expires_at is None or memory.expires_at > session.runtime.clock():
        return
    session.output.warn(
        f"{memory.short_id} expired at {format_local(memory.expires_at)}, which is in the past: "
        f"list and recall no longer show it; `memctl edit {memory.short_id} --clear expires` "
        "shows it again"
    )


def _warn_if_to_come(session: Session, memory: Memory) -> None:
    """Says what follows from the day on which a todo was to be done, where that is still ahead."""
    when, now = memory.event_at, session.runtime.clock()
    if when is None or not _is_ahead(when, now):
        return
    session.output.warn(
        f"{memory.short_id} is an event of {format_local(when)} now, which is still to come; if it "
        f"was done, `memctl edit {memory.short_id} --event-at today` says so"
    )


def _is_ahead(when: EventTime, now: datetime) -> bool:
    """Whether an instant, or a day of the machine's own zone, has yet to come."""
    return when > now if isinstance(when, datetime) else when > now.astimezone().date()


def _parse_expires(text: str, now: datetime) -> datetime:
    try:
        return parse_expiry(text, now)
    except ValueError as error:
        raise UsageError(what="understand --expires", why=str(error)) from None
