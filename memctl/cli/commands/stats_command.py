"""``memctl stats``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Annotated

from memctl.cli.charts import bar_lines
from memctl.cli.declaration import Option
from memctl.cli.session import Session
from memctl.maintaining import Maintaining
from memctl.maintenance.forecast import Fading, Forecast, forecast
from memctl.memory import MemoryType
from memctl.store.statistics import MemoryFigures
from memctl.times import start_of_day

BINS = 10
"""Of the importance histogram."""

SHOWN_TAGS = 8

WIDEST_CHART = 72
"""Columns: longer bars say no more."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A title and rows of name, value and the value's text."""

    key: str
    title: str
    rows: Sequence[tuple[str, float, str]]


def stats(
    session: Session,
    weeks: Annotated[
        int, Option("--weeks", metavar="N", minimum=1, maximum=520, help="How many weeks back.")
    ] = 12,
) -> None:
    """Show figures about the memories as small charts.

    Live memories by type, by the week in which they were saved, by importance, by who stated them
    and by tag, and how important they would be if nobody used them for a month to a year: what
    `maintain` does then. In a pipe each figure is a line of chart, name and number.

    \b
    Examples:
      memctl stats
      memctl stats --weeks 52
      memctl stats --json
    """
    runtime = session.runtime
    now = runtime.clock()
    mondays = last_mondays(now.astimezone().date(), weeks)
    figures = runtime.graph.figures(now=now, since=start_of_day(mondays[0]), most_tags=SHOWN_TAGS)
    by_week = count_by_week(figures.saved_at, mondays)
    bins = count_by_bin([use.importance for use in figures.uses])
    policy = Maintaining(runtime).policy
    fading = [
        Fading(
            use.importance,
            use.decayed_from,
            use.touched_at,
            is_exempt=use.pinned or use.memory_type is MemoryType.IDENTITY,
        )
        for use in figures.uses
    ]
    forecasts = forecast(fading, now, policy.decay, policy.prune_below)
    if session.output.as_json:
        session.output.json(_json(figures, by_week, bins, forecasts))
        return
    _print_charts(session, _charts(figures, by_week, bins, forecasts, policy.prune_below))


def last_mondays(today: date, weeks: int) -> list[date]:
    """The first days of the last ``weeks`` weeks, this one included, in order."""
    monday = today - timedelta(days=today.weekday())
    return [monday - timedelta(weeks=back) for back in reversed(range(weeks))]


def count_by_week(moments: Sequence[datetime], mondays: Sequence[date]) -> dict[date, int]:
    """How many moments lie in each week, in local time."""
    days = (moment.astimezone().date() for moment in moments)
    counts = Counter(day - timedelta(days=day.weekday()) for day in days)
    return {monday: counts[monday] for monday in mondays}


def count_by_bin(importances: Sequence[float]) -> list[int]:
    """How many importances lie in each tenth from 0 to 1; 1 itself is in the last."""
    counts = Counter(min(int(value * BINS + 1e-9), BINS - 1) for value in importances)
    return [counts[number] for number in range(BINS)]


def _json(
    figures: MemoryFigures,
    by_week: dict[date, int],
    bins: Sequence[int],
    forecasts: Sequence[Forecast],
) -> dict[str, object]:
    return {
        "memories": len(figures.uses),
        "by_type": {kind.value: count for kind, count in figures.by_type.items()},
        "by_week": [{"week": day.isoformat(), "saved": count} for day, count in by_week.items()],
        "by_importance": [
            {"from": number / BINS, "to": (number + 1) / BINS, "memories": count}
            for number, count in enumerate(bins)
        ],
        "by_origin": {origin.value: count for origin, count in figures.by_origin.items()},
        "tags": [{"tag": tag, "memories": count} for tag, count in figures.tags],
        "forecast": [asdict(one) for one in forecasts],
    }


def _charts(
    figures: MemoryFigures,
    by_week: dict[date, int],
    bins: Sequence[int],
    forecasts: Sequence[Forecast],
    prune_below: float,
) -> list[Chart]:
    def counted(pairs: Sequence[tuple[str, int]]) -> list[tuple[str, float, str]]:
        return [(name, count, f"{count:,}") for name, count in pairs]

    by_importance = [
        (f"{number / BINS:.1f}-{(number + 1) / BINS:.1f}", count)
        for number, count in enumerate(bins)
    ]
    return [
        Chart("type", "By type", counted([(k.value, n) for k, n in figures.by_type.items()])),
        Chart("week", "Saved by week", counted([(d.isoformat(), n) for d, n in by_week.items()])),
        Chart("importance", "By importance", counted(by_importance)),
        Chart("origin", "By origin", counted([(o.value, n) for o, n in figures.by_origin.items()])),
        Chart("tag", "By tag", counted(figures.tags)),
        Chart(
            "forecast",
            f"Mean importance unless used (how many below {prune_below:g})",
            _forecast_rows(forecasts),
        ),
    ]


def _forecast_rows(forecasts: Sequence[Forecast]) -> list[tuple[str, float, str]]:
    """With how many would then be less important than what pruning keeps."""
    return [
        (
            f"in {one.days} days" if one.days else "now",
            one.mean_importance,
            f"{one.mean_importance:.2f}" + (f" ({one.below:,})" if one.below else ""),
        )
        for one in forecasts
    ]


def _print_charts(session: Session, charts: Sequence[Chart]) -> None:
    output = session.output
    if not any(value for chart in charts for _, value, _ in chart.rows):
        output.notice("no memories")
        return
    if not output.is_rich:
        for chart in charts:
            for name, value, _ in chart.rows:
                output.line(f"{chart.key}\t{name}\t{value:g}")
        return
    width = min(output.width, WIDEST_CHART)
    for number, chart in enumerate(one for one in charts if one.rows):
        if number:
            output.line()
        output.line(chart.title)
        for line in bar_lines(chart.rows, width, unicode=output.is_unicode):
            output.line(line)
