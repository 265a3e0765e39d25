"""The curve of a year as a table: what stands, what is recalled, what has gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.year import Measure

HEADER = (
    " day  known  in report  tokens  |  cited lately  recalled  |  long unused  gone  |"
    "  with force  told  |  notes  archive"
)


def row(measure: Measure) -> str:
    """One line under `HEADER`."""
    return (
        f"{measure.day + 1:4}  {measure.known:5}  {measure.standing:9}  {measure.tokens:6}  |"
        f"  {measure.fresh:12}  {_percent(measure.recalled, measure.fresh):>8}  |"
        f"  {measure.cold:11}  {_percent(measure.gone, measure.cold):>4}  |"
        f"  {measure.forced:10}  {measure.kept:4}  |  {measure.notes:5}  {measure.archived:7}"
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "-"
