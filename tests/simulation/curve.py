"""A year as tables: what is told and what has gone, and what the vault weighs and costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.simulation.upkeep import MEMORIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.simulation.year import Measure

HEADER = (
    " day  known  in report  tokens  |  cited lately  recalled  |  long unused  gone  |"
    "  with force  told  |  notes  archive"
)
UPKEEP = (
    "day",
    "memories",
    "archive",
    "ledger",
    "evidence",
    "other",
    "deleted by hand",
    "lost",
    "words by hand",
    "lost",
    "vault kB",
    "state kB",
    "sync ms",
    "report ms",
)
"""The columns of the second table; the first `lost` is of notes, the second of sentences."""


def row(measure: Measure) -> str:
    """One line under `HEADER`."""
    return (
        f"{measure.day + 1:4}  {measure.known:5}  {measure.standing:9}  {measure.tokens:6}  |"
        f"  {measure.fresh:12}  {_percent(measure.recalled, measure.fresh):>8}  |"
        f"  {measure.cold:11}  {_percent(measure.gone, measure.cold):>4}  |"
        f"  {measure.forced:10}  {measure.kept:4}  |  {measure.notes:5}  {measure.archived:7}"
    )


def upkeep(measure: Measure) -> tuple[str, ...]:
    """The cells under `UPKEEP`."""
    cost = measure.upkeep
    named = {
        name: cost.folders.get(folder, 0)
        for name, folder in (
            ("memories", MEMORIES),
            ("archive", "System/Archive"),
            ("ledger", "System/Ledger"),
            ("evidence", "System/Evidence"),
        )
    }
    cells: tuple[object, ...] = (
        measure.day + 1,
        *named.values(),
        measure.notes - sum(named.values()),
        measure.deleted,
        lost(measure),
        measure.words,
        measure.lost_words,
        cost.vault_bytes // 1000,
        cost.state_bytes // 1000,
        f"{cost.sync_ms:.0f}",
        f"{cost.report_ms:.1f}",
    )
    return tuple(map(str, cells))


def lost(measure: Measure) -> int:
    """Captured memories that have no note though nobody deleted it."""
    return measure.known - measure.deleted - measure.files


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells in aligned columns."""
    lines = [headers, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "-"
