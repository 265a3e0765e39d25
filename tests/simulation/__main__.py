"""Live a year: `python -m tests.simulation [--days N] [--facts N] [--seed N] [--write]`."""

from __future__ import annotations

import argparse
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from tests.simulation.chart import svg
from tests.simulation.curve import HEADER, UPKEEP, row, table, upkeep
from tests.simulation.year import Year, no_disk

if TYPE_CHECKING:
    from tests.simulation.year import Measure

PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "a-year.md"
BEGIN, END = "<!-- generated: year -->", "<!-- end -->"


def main() -> None:
    """Live the year in a temporary folder and print a line at the end of each month."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--facts", type=float, default=0.5, help="a day, on average")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put it into the docs")
    chosen = parser.parse_args()
    print(HEADER)
    measures = []
    with tempfile.TemporaryDirectory() as folder, no_disk():
        year = Year(Path(folder), days=chosen.days, per_day=chosen.facts, seed=chosen.seed)
        with closing(year):
            for measure in year.live():
                measures.append(measure)
                print(row(measure), flush=True)
    print("", table(UPKEEP, map(upkeep, measures)), sep="\n")
    if chosen.write:
        write(measures)


def write(measures: list[Measure]) -> None:
    """Renew the tables and the picture of the docs."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{tables(measures)}\n{END}{after}")
    PAGE.with_suffix(".svg").write_text(svg(measures))


def tables(measures: list[Measure]) -> str:
    """What stands between the marks of the page."""
    told = "\n".join((HEADER, *map(row, measures)))
    days = f"Lived: {measures[-1].day + 1} days."
    return f"\n{days}\n\n```text\n{told}\n```\n\n```text\n{table(UPKEEP, map(upkeep, measures))}\n```\n"


if __name__ == "__main__":
    main()
