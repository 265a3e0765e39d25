"""Three weeks with citations: the used cards stay, the unused go; `just weeks` lives busier ones."""

from __future__ import annotations

from contextlib import closing

from tests.simulation.weeks import DAYS, HEADER, Measure, Weeks, Worker, row
from tests.simulation.year import no_disk


def check(measures: list[Measure], *, per_day: int) -> None:
    """What must hold after three weeks."""
    last = measures[-1]
    assert (last.day, last.taught) == (DAYS, DAYS * per_day)
    assert all(one.kept == one.used for one in measures), "what is used stays"
    assert all(one.gone == one.unused for one in measures), "what is not used goes"
    assert last.used >= 3 * per_day
    assert last.unused >= 3 * per_day
    assert last.cards == last.notes == last.lines == last.taught - last.unused


def test_the_used_cards_stay_and_the_unused_go(tmp_path, capsys) -> None:
    with no_disk(), Worker() as server, closing(Weeks(tmp_path, server, per_day=1)) as weeks:
        measures = list(weeks.live())
    with capsys.disabled():
        print("", HEADER, *map(row, measures), sep="\n")
    check(measures, per_day=1)
