"""The log notes of a few days, by the day that their names begin with."""

from __future__ import annotations

from datetime import date

import pytest

from vaultmem.services.agent_log import read_log
from vaultmem.services.log_notes import log_notes

LOG = "Memory/System/Log"
FIRST, LAST = date(2026, 11, 28), date(2026, 11, 30)


def logged(world, name, text="- 10:00:00 #decision Ship it\n"):
    world.write(f"{LOG}/{name}.md", f"---\ntype: log\n---\n{text}")
    world.here.sync()


def days(world, first=FIRST, last=LAST):
    return [one.day.day for one in log_notes(world.here.call(), first, last)]


def test_the_logs_of_all_devices_count_from_the_first_day_to_the_last(ready):
    for name in ("2026-11-27 a", "2026-11-28 a", "2026-11-30 a", "2026-11-30 b", "2026-12-01 a"):
        logged(ready, name)

    assert days(ready) == [28, 30, 30]
    assert days(ready, LAST, date.max) == [30, 30, 1]


@pytest.mark.parametrize("name", ["2026-11-31 a", "2026-99-99 a", "2026-W48-7 a", "29 November"])
def test_a_name_that_begins_with_no_day_is_none_of_a_day(ready, name):
    logged(ready, name)

    assert days(ready, date.min, date.max) == []


def test_a_log_whose_properties_are_broken_keeps_no_other_one_from_being_read(ready):
    logged(ready, "2026-11-30 a")
    ready.write(f"{LOG}/2026-11-30 b.md", "---\nbroken: [\n- 11:00:00 Then\n")
    ready.here.sync()

    assert "Ship it" in read_log(ready.here.call(), LAST)
