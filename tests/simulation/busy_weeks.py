"""The three weeks of `test_three_weeks.py` with five sessions a day.

Minutes long, so it is collected only where it is named: `just weeks`.
"""

from __future__ import annotations

from contextlib import closing

from tests.simulation.test_three_weeks import check
from tests.simulation.weeks import HEADER, Weeks, Worker, row
from tests.simulation.year import no_disk

PER_DAY = 5


def test_the_used_cards_stay_and_the_unused_go(tmp_path) -> None:
    with no_disk(), Worker() as server, closing(Weeks(tmp_path, server, per_day=PER_DAY)) as weeks:
        measures = list(weeks.live())
    print("", HEADER, *map(row, measures), sep="\n")
    check(measures, per_day=PER_DAY)
