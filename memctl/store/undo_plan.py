"""What taking an operation back means for the rows as they are now: a plan on plain rows.

Only the columns that the operation changed are put back, so that later changes of other columns
stay. A column that has another value than the operation left there was changed later: that is a
conflict, and the plan says what would be overwritten. Counts of accesses are taken back by their
difference, for recalls are not in the journal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memctl.store.journal_reads import RowChange
from memctl.store.rows import Row

RowKey = tuple[str, str]
"""Table and key of a row."""

COUNTER_COLUMNS = frozenset({"access_count"})
"""Grow without the journal: what an operation added is subtracted."""

UNJOURNALLED_COLUMNS = COUNTER_COLUMNS | {"last_accessed_at"}
"""May change without the journal, so a difference is no conflict."""

PLACE_COLUMNS = frozenset({("documents", "path")})
"""By table: where a file lies. A file that was moved since is still the one that was taken in."""

FOLLOWING_COLUMNS = UNJOURNALLED_COLUMNS | {"updated_at"}
"""Of no meaning of their own: they stay when something else changed them."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A row that something changed after the operation: ``columns`` would be overwritten, none
    where the whole row is gone, is back or is needed by another one."""

    table_name: str
    row_key: str
    columns: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class RowRepair:
    """What to make of one row: no ``now`` is to be added, no ``then`` removed."""

    table_name: str
    row_key: str
    now: Row | None
    then: Row | None


def net_changes(changes: Iterable[RowChange]) -> dict[RowKey, RowChange]:
    """What an operation came to for each row, whatever it did in between; rows that ended as they
    began are left out."""
    net: dict[RowKey, RowChange] = {}
    for change in changes:
        key = (change.table_name, change.row_key)
        earlier = net.get(key)
        net[key] = change if earlier is None else _combined(earlier, change)
    return {key: change for key, change in net.items() if change.before != change.after}


def repair(change: RowChange, current: Row | None) -> tuple[RowRepair | None, Conflict | None]:
    """How to take back one net change, given the row as it is now (all columns, or None).

    With a conflict, the repair overwrites what was changed later.
    """
    if change.before is None:
        return _remove(change, current)
    if change.after is None:
        return _bring_back(change, current)
    return _put_back(change, change.before, change.after, current)


def _combined(earlier: RowChange, later: RowChange) -> RowChange:
    """One change that does what two changes of one row did."""
    if earlier.before is None:
        after = None if later.after is None else _overlaid(earlier.after, later.before, later.after)
        return RowChange(earlier.table_name, earlier.row_key, None, after)
    if earlier.after is None:
        return RowChange(earlier.table_name, earlier.row_key, earlier.before, later.after)
    if later.after is None:
        before = _overlaid(later.before, earlier.after, earlier.before)
        return RowChange(earlier.table_name, earlier.row_key, before, None)
    before = {**_filled(later.before, later.after), **_filled(earlier.before, earlier.after)}
    after = {**_filled(earlier.after, earlier.before), **_filled(later.after, later.before)}
    return RowChange(
        earlier.table_name,
        earlier.row_key,
        {name: value for name, value in before.items() if value != after[name]},
        {name: value for name, value in after.items() if value != before[name]},
    )


def _overlaid(row: Row | None, before: Row | None, after: Row) -> Row:
    """``row`` with the columns of a change set to ``after``; those that it empties go."""
    changed = _filled(after, before)
    merged = {**(row or {}), **changed}
    return {name: value for name, value in merged.items() if value is not None}


def _filled(row: Row | None, other: Row | None) -> Row:
    """``row`` with None for the columns that only ``other`` has."""
    return {**dict.fromkeys(other or {}), **(row or {})}


def _remove(change: RowChange, current: Row | None) -> tuple[RowRepair | None, Conflict | None]:
    if current is None:
        return None, None
    after = change.after or {}
    changed = tuple(
        name
        for name, value in current.items()
        if name not in FOLLOWING_COLUMNS
        and (change.table_name, name) not in PLACE_COLUMNS
        and value != after.get(name, value if _left(name) else None)
    )
    conflict = _conflict(change, changed, "changed") if changed else None
    return RowRepair(change.table_name, change.row_key, current, None), conflict


def _left(name: str) -> bool:
    """Whether a column may be missing in the journal although the row has a value in it."""
    return name in {"content", "sequence"}


def _bring_back(change: RowChange, current: Row | None) -> tuple[RowRepair | None, Conflict | None]:
    before = change.before or {}
    if current is None:
        return RowRepair(change.table_name, change.row_key, None, before), None
    then = {name: before.get(name) for name in current}
    conflict = _conflict(change, (), "added again")
    return RowRepair(change.table_name, change.row_key, current, then), conflict


def _put_back(
    change: RowChange, before: Row, after: Row, current: Row | None
) -> tuple[RowRepair | None, Conflict | None]:
    if current is None:
        return None, _conflict(change, (), "removed")
    then = dict(current)
    conflicting = []
    for name in _filled(before, after):
        old, new = before.get(name), after.get(name)
        if old == new or name not in current:
            continue
        if current[name] == new:
            then[name] = old
        elif name in COUNTER_COLUMNS:
            then[name] = max(0, current[name] + (old or 0) - (new or 0))
        elif name not in FOLLOWING_COLUMNS:
            then[name] = old
            if current[name] != old:
                conflicting.append(name)
    if conflicting and "updated_at" in before:
        then["updated_at"] = before["updated_at"]
    conflict = _conflict(change, tuple(conflicting), "changed") if conflicting else None
    if then == current:
        return None, conflict
    return RowRepair(change.table_name, change.row_key, current, then), conflict


def _conflict(change: RowChange, columns: tuple[str, ...], why: str) -> Conflict:
    return Conflict(change.table_name, change.row_key, columns, why)


def repairs(
    changes: Mapping[RowKey, RowChange], current: Mapping[RowKey, Row]
) -> tuple[list[RowRepair], list[Conflict]]:
    """How to take back an operation, and what stands against it."""
    planned: list[RowRepair] = []
    conflicts: list[Conflict] = []
    for key, change in changes.items():
        row_repair, conflict = repair(change, current.get(key))
        if row_repair is not None:
            planned.append(row_repair)
        if conflict is not None:
            conflicts.append(conflict)
    return planned, conflicts
