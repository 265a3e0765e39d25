"""Each acceptance row of the facts is held by a test that is there, or named with its reason."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.acceptance.rows import FIXED, GOVERNED, NOTEBOOK, TOPIC, Dropped, Row

TESTS = Path(__file__).resolve().parents[1]
HELD = [
    pytest.param(row.tests, id=f"{name}_{number:03}")
    for name, rows in (("governed", GOVERNED), ("topic", TOPIC), ("notebook", NOTEBOOK))
    for number, row in rows.items()
    if isinstance(row, Row)
]


@cache
def _read(file: str) -> tuple[frozenset[str], frozenset[str]]:
    """The functions and the texts of a file of tests."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    functions = (one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))
    texts = (
        one.value
        for one in ast.walk(tree)
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    )
    return frozenset(functions), frozenset(texts)


def test_every_row_is_there_once():
    assert list(GOVERNED) == list(range(1, 131))
    assert list(TOPIC) == sorted(TOPIC)
    assert TOPIC.keys() >= {*range(1, 28), *range(60, 86)}
    assert GOVERNED.keys() >= FIXED


@pytest.mark.parametrize("tests", HELD)
def test_the_tests_of_a_row_are_there(tests):
    assert tests
    for test in tests:
        file, name = test.split("::")
        function, _, parameters = name.partition("[")
        functions, texts = _read(file)
        assert function in functions, test
        assert not parameters or parameters.removesuffix("]") in texts, test


def test_what_is_not_held_says_why():
    for row in (*GOVERNED.values(), *TOPIC.values()):
        if isinstance(row, Dropped):
            assert row.because


def test_the_governed_writes_hold_all_their_rows():
    """Capture, trust, checks, matching, curation, patches, deletion, diagnostics, validity."""
    own = [*range(1, 69), *range(85, 91), 100, *range(107, 114), 119, 120, 121, 124, 125]
    assert [number for number in own if not isinstance(GOVERNED[number], Row)] == []


def test_a_fault_of_the_older_system_is_mended():
    for number in FIXED:
        assert isinstance(GOVERNED[number], Row), number
