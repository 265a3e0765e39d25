"""The page of the docs with every figure, its reference and its goal, from one run on one machine."""

from __future__ import annotations

import os
import platform
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.figure import HEADERS, row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.figure import Figure

PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- generated: figures -->", "<!-- end -->"


def write(figures: Sequence[Figure], page: Path = PAGE) -> None:
    """Put the figures between the marks of the page; what is written by hand stays."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n\n{machine()}\n\n{table(figures)}\n\n{END}{after}", "utf-8")


def machine() -> str:
    """What the figures were measured on, in a sentence."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} on {platform.system()} with "
        f"{os.cpu_count()} cores and {memory:.0f} GiB, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}."
    )


def table(figures: Sequence[Figure]) -> str:
    """All figures as a Markdown table."""
    rows = [HEADERS, ("---",) * len(HEADERS), *map(row, figures)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
