"""The stream of a year and its first weeks; `just year` lives the whole of it."""

from __future__ import annotations

from contextlib import closing
from xml.etree import ElementTree

from tests.simulation.__main__ import tables
from tests.simulation.chart import charts, svg
from tests.simulation.curve import HEADER, UPKEEP, lost, row, upkeep
from tests.simulation.stream import facts
from tests.simulation.year import Year, no_disk


def test_the_facts_of_a_year_are_all_different_and_always_the_same() -> None:
    year = facts(1, 365, per_day=1.4)
    assert len({one.statement for one in year}) == len(year)
    assert facts(1, 365, per_day=1.4) == year


def test_in_the_first_weeks_everything_that_was_learned_is_told(tmp_path) -> None:
    with no_disk(), closing(Year(tmp_path, days=10, per_day=1.0)) as year:
        (measure,) = year.live()
    assert measure.known >= 10
    assert measure.standing == measure.known == measure.files
    assert measure.words > measure.lost_words == lost(measure) == 0
    assert measure.recalled == measure.fresh > 0
    assert measure.kept == measure.forced > 0
    assert len(row(measure)) == len(HEADER)
    assert len(upkeep(measure)) == len(UPKEEP)
    assert sum(measure.upkeep.folders.values()) == measure.notes
    assert row(measure) in tables([measure])
    drawn = ElementTree.fromstring(svg([measure]))
    assert len(drawn.findall(".//{*}polyline")) == sum(len(one.lines) for one in charts([measure]))
