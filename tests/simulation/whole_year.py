"""A year passes: what is used stays, what is not leaves, and nothing with force is lost.

Minutes long, so it is collected only where it is named: `just year`.
"""

from __future__ import annotations

import statistics
from contextlib import closing
from itertools import pairwise

import pytest

from tests.simulation.curve import HEADER, UPKEEP, lost, row, table, upkeep
from tests.simulation.year import MONTH, Measure, Year, no_disk
from vaultmem.core.settings import REPORT_TOKENS

LEAST = 0.9
"""The part of what was cited lately that is recalled, and of what was not used that is gone."""


@pytest.fixture(scope="module")
def measures(tmp_path_factory: pytest.TempPathFactory) -> list[Measure]:
    with no_disk(), closing(Year(tmp_path_factory.mktemp("year"), days=365, per_day=0.5)) as year:
        lived = list(year.live())
    print("", HEADER, *map(row, lived), sep="\n")
    print("", table(UPKEEP, map(upkeep, lived)), sep="\n")
    return lived


def test_the_report_stays_within_its_budgets(measures: list[Measure]) -> None:
    assert all(one.tokens <= REPORT_TOKENS for one in measures)
    assert not [one for one in measures if one.overflow]


def test_what_is_pinned_or_enforced_never_leaves(measures: list[Measure]) -> None:
    assert measures[-1].forced >= 3
    assert all(one.kept == one.forced for one in measures)


def test_what_was_cited_within_a_half_life_is_recalled(measures: list[Measure]) -> None:
    assert measures[-1].fresh >= 10
    assert all(one.recalled >= LEAST * one.fresh for one in measures)


def test_what_was_not_cited_for_three_half_lives_has_left_the_report(
    measures: list[Measure],
) -> None:
    assert measures[-1].cold >= 10
    assert all(one.gone >= LEAST * one.cold for one in measures)


def test_the_vault_stays_tidy(measures: list[Measure]) -> None:
    """DESIGN §2: at most 1.2 notes per memory plus three per working day."""
    for one in measures:
        assert one.notes <= 1.2 * one.known + 3 * (one.day + 1), one


def test_a_cold_memory_is_archived_and_not_deleted(measures: list[Measure]) -> None:
    assert measures[-1].archived
    assert not [one for one in measures if lost(one)]


def test_nothing_that_the_person_wrote_is_lost(measures: list[Measure]) -> None:
    assert measures[-1].words >= 100
    assert not [one for one in measures if one.lost_words]


def test_the_vault_grows_with_what_is_put_in(measures: list[Measure]) -> None:
    """The change per day is flat, so the growth per month is, too: no month doubles another."""
    sizes = [one.upkeep.vault_bytes for one in measures if (one.day + 1) % MONTH == 0]
    grown = [after - before for before, after in pairwise(sizes)]
    assert max(grown) <= 2 * statistics.median(grown)
