"""Every row of section 13 of the facts about the notebook is held by tests that are named after it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.acceptance.rows import NOTEBOOK, Row

TESTS = Path(__file__).resolve().parents[1]
NAMED = re.compile(r"^def (test_notebook_row_(\d+(?:_and_\d+)*)_\w+)\(", re.M)


def named_tests() -> dict[int, set[str]]:
    """The tests that are named after a row, by its number."""
    found: dict[int, set[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for name, numbers in NAMED.findall(file.read_text(encoding="utf-8")):
            for number in numbers.split("_and_"):
                test = f"{file.relative_to(TESTS).as_posix()}::{name}"
                found.setdefault(int(number), set()).add(test)
    return found


def test_every_row_is_there_and_held():
    assert list(NOTEBOOK) == list(range(1, 39))
    assert [number for number, row in NOTEBOOK.items() if not isinstance(row, Row)] == []


@pytest.mark.parametrize("number", NOTEBOOK)
def test_a_row_names_exactly_the_tests_that_are_named_after_it(number):
    row = NOTEBOOK[number]
    assert isinstance(row, Row)
    assert set(row.tests) == named_tests()[number]
