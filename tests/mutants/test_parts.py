"""The parts name code and tests that are there, and the figures are told as they are."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.mutants.__main__ import NEEDED, ROOT, Tally, rows, settings_of
from tests.mutants.parts import PARTS

FATES = {
    "vaultmem.core.scoring.x_score__mutmut_1": "killed",
    "vaultmem.core.scoring.x_score__mutmut_2": "survived",
    "vaultmem.core.guards.x_refuse__mutmut_1": "timeout",
    "vaultmem.core.guards.x_refuse__mutmut_2": "no tests",
}


@pytest.mark.parametrize("name", PARTS)
def test_each_part_names_code_and_tests_that_are_there(name: str) -> None:
    part = PARTS[name]
    assert all((ROOT / test).is_file() for test in part.tests)
    assert all(list(ROOT.glob(source)) for source in part.sources)
    assert all(source.partition("/")[0] in NEEDED for source in (*part.sources, *part.tests))


def test_what_never_ends_is_killed_and_what_no_test_comes_by_lives() -> None:
    tally = Tally(Counter(FATES.values()))
    assert (tally.killed, tally.share) == (2, 0.5)
    assert tally.row("all").split() == ["all", "4", "2", "2", "1", "50.0%"]
    assert Tally(Counter()).share == 1.0


def test_a_part_is_told_with_its_modules() -> None:
    assert [row.split() for row in rows("part", FATES)] == [
        ["part", "4", "2", "2", "1", "50.0%"],
        ["core.scoring", "2", "1", "1", "0", "50.0%"],
        ["core.guards", "2", "1", "1", "1", "50.0%"],
    ]


def test_the_settings_name_one_value_a_line() -> None:
    text = settings_of(PARTS["scoring"])
    assert text.startswith("[mutmut]\nsource_paths =\n    vaultmem\nonly_mutate =\n")
    assert "\n    vaultmem/core/scoring.py\n" in text
    assert "\n    -m\n    not hypothesis\n" in text
