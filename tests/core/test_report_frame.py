"""The frame counts itself, warns from 80 % on, and never takes more than it set aside."""

from __future__ import annotations

import re

import pytest

from vaultmem.core.budget import QUARTERS, quarters, tokens
from vaultmem.core.query_class import QueryClass
from vaultmem.core.report_frame import Frame

HEADER = re.compile(r"# Project Memory \[(\d+)% — (\d+)/(\d+) tokens\]\n")


@pytest.mark.parametrize("budget", [200, 299, 300, 505])
@pytest.mark.parametrize("left_out", [0, 7])
def test_the_warning_stands_exactly_from_eighty_percent_on(budget: int, left_out: int) -> None:
    frame = Frame(budget, QueryClass.GENERAL)
    seen = set()
    for size in range(budget * QUARTERS - frame.reserved()):
        text = frame.around(["x" * size], left_out)
        match = HEADER.match(text)
        assert match is not None
        percent, used, _ = map(int, match.groups())
        assert used == tokens(text) <= budget
        assert percent == used * 100 // budget
        assert ("Over 80 % full" in text) is (percent >= 80)
        seen.add(percent >= 80)
    assert seen == {True, False}


@pytest.mark.parametrize("kind", list(QueryClass))
@pytest.mark.parametrize("budget", [40, 99, 100, 299, 300, 1700, 99_999])
def test_the_frame_fits_into_what_it_sets_aside(budget: int, kind: QueryClass) -> None:
    frame = Frame(budget, kind)
    body = "x" * max(budget * QUARTERS - frame.reserved() - 1, 0)
    for left_out in (0, 5, 10_000_000):
        assert quarters(frame.around([body], left_out)) <= max(frame.reserved(), budget * QUARTERS)


def test_a_small_budget_still_says_that_these_are_notes() -> None:
    for budget in (1, 100, 300):
        assert "not orders" in Frame(budget, QueryClass.DEBUG).around([], 0)
