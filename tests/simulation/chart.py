"""A year as a picture: three small charts of lines, drawn as one SVG that loads nothing."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, NamedTuple

from tests.simulation.upkeep import MEMORIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.simulation.year import Measure

_WIDTH, _HEIGHT = 760, 170
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 150, 34, 26
_COLOURS = ("#3b6ea8", "#b5543a", "#4d8a57")


class Line(NamedTuple):
    """One line of a chart: a value for each month."""

    name: str
    values: Sequence[float]


class Chart(NamedTuple):
    """A title with the unit, and at most three lines."""

    title: str
    lines: Sequence[Line]


def charts(measures: Sequence[Measure]) -> tuple[Chart, ...]:
    """What is worth a look in a year."""
    cost = [one.upkeep for one in measures]
    return (
        Chart(
            "Notes: all memories, those told in a report, everything below the memory root",
            (
                Line("memories", [one.folders.get(MEMORIES, 0) for one in cost]),
                Line("in the report", [one.standing for one in measures]),
                Line("all notes", [one.notes for one in measures]),
            ),
        ),
        Chart(
            "Size, kB: the vault, and this machine's state",
            (
                Line("vault", [one.vault_bytes / 1000 for one in cost]),
                Line("state", [one.state_bytes / 1000 for one in cost]),
            ),
        ),
        Chart(
            "CPU time, ms: a day's first sync, and a report",
            (
                Line("sync", [one.sync_ms for one in cost]),
                Line("report", [one.report_ms for one in cost]),
            ),
        ),
    )


def svg(measures: Sequence[Measure]) -> str:
    """The picture of a year; the horizontal axis counts days."""
    days = [one.day + 1 for one in measures]
    drawn = charts(measures)
    panels = "\n".join(
        f'<g transform="translate(0 {place * _HEIGHT})">\n{_panel(one, days)}\n</g>'
        for place, one in enumerate(drawn)
    )
    height = _HEIGHT * len(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img"'
        ' font-family="sans-serif" font-size="12">\n'
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>\n{panels}\n</svg>\n'
    )


def _panel(chart: Chart, days: Sequence[int]) -> str:
    top = max((value for line in chart.lines for value in line.values), default=0) or 1
    bottom = _HEIGHT - _BOTTOM
    parts = [
        f'<text x="{_LEFT}" y="20" font-weight="bold">{html.escape(chart.title)}</text>',
        f'<path d="M{_LEFT} {_TOP}V{bottom}H{_WIDTH - _RIGHT}" fill="none" stroke="#888888"/>',
        f'<text x="{_LEFT - 6}" y="{_TOP + 8}" text-anchor="end">{top:.0f}</text>',
        f'<text x="{_LEFT - 6}" y="{bottom}" text-anchor="end">0</text>',
        f'<text x="{_WIDTH - _RIGHT}" y="{bottom + 16}" text-anchor="end">day {days[-1]}</text>',
    ]
    for place, (line, colour) in enumerate(zip(chart.lines, _COLOURS, strict=False)):
        points = " ".join(
            f"{_across(day, days[-1]):.1f},{bottom - (bottom - _TOP) * value / top:.1f}"
            for day, value in zip(days, line.values, strict=True)
        )
        parts += [
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{_WIDTH - _RIGHT + 10}" y="{_TOP + 12 + 18 * place}" fill="{colour}">'
            f"{html.escape(line.name)} {line.values[-1]:.0f}</text>",
        ]
    return "\n".join(parts)


def _across(day: int, last: int) -> float:
    return _LEFT + (_WIDTH - _RIGHT - _LEFT) * day / last
