"""Print the curve of a year: `python -m tests.simulation [DAYS] [FACTS_A_DAY] [SEED]`."""

from __future__ import annotations

import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.simulation.curve import HEADER, row
from tests.simulation.year import Year, no_disk

DEFAULTS = ("365", "0.5", "1")


def main(arguments: list[str]) -> None:
    """Live the year in a temporary folder and print a line at the end of each month."""
    days, per_day, seed = (*arguments, *DEFAULTS[len(arguments) :])
    print(HEADER)
    with tempfile.TemporaryDirectory() as folder, no_disk():
        year = Year(Path(folder), days=int(days), per_day=float(per_day), seed=int(seed))
        with closing(year):
            for measure in year.live():
                print(row(measure), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
