"""The numbers of the notebook: defaults, bounds, and what is no number."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.settings import (
    NUMBERS,
    SKIP_EXTERNAL,
    Clamped,
    NotebookSettings,
    read_notebook_settings,
)

ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())
)


def test_what_is_not_said_has_the_defaults_of_the_facts():
    settings, wrong, clamped = read_notebook_settings({})

    assert settings == NotebookSettings(2, 10, 6, 256, 30, 25, skip_external=False)
    assert (wrong, clamped) == ((), ())


def test_notebook_row_1_a_limit_of_0_is_1():
    settings, wrong, clamped = read_notebook_settings({"notebook_sessions": 0, "notebook_cards": 0})

    assert (settings.sessions, settings.cards) == (1, 1)
    assert clamped == (Clamped("notebook_sessions", 0, 1), Clamped("notebook_cards", 0, 1))
    assert wrong == ()


@pytest.mark.parametrize(("asked", "holds"), [(101, 100), (-1, 0), ("-1", 0), (100, 100), (0, 0)])
def test_notebook_row_2_a_percentage_is_clamped(asked, holds):
    settings, _, clamped = read_notebook_settings({"notebook_rate_percent": asked})

    assert settings.rate_percent == holds
    assert [one.holds for one in clamped] == ([] if int(asked) == holds else [holds])


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        ("notebook_sessions", 1, 128),
        ("notebook_max_age_days", 0, 90),
        ("notebook_idle_hours", 1, 48),
        ("notebook_cards", 1, 4096),
        ("notebook_unused_days", 0, 365),
        ("notebook_rate_percent", 0, 100),
    ],
)
def test_every_number_has_the_bounds_of_the_facts(key, low, high):
    for asked, holds in ((low - 1, low), (low, low), (high, high), (high + 1, high)):
        settings, wrong, _ = read_notebook_settings({key: asked})

        assert getattr(settings, key.removeprefix("notebook_")) == holds
        assert wrong == ()


@pytest.mark.parametrize(
    "value", ["many", "1.5", 2.5, True, [1, 2], {}, math.inf, math.nan, "9" * 13]
)
def test_what_is_no_whole_number_has_the_default(value):
    settings, wrong, clamped = read_notebook_settings({"notebook_sessions": value})

    assert settings == NotebookSettings()
    assert clamped == ()
    assert [one.key for one in wrong] == ([] if value == {} else ["notebook_sessions"])


@pytest.mark.parametrize(
    ("value", "holds", "is_wrong"),
    [
        (True, True, False),
        ("True", True, False),
        ("false", False, False),
        (None, False, False),
        ("perhaps", False, True),
        (1, False, True),
    ],
)
def test_whether_sessions_that_saw_the_outside_count(value, holds, is_wrong):
    settings, wrong, _ = read_notebook_settings({SKIP_EXTERNAL.name: value})

    assert settings.skip_external is holds
    assert [one.key for one in wrong] == ([SKIP_EXTERNAL.name] if is_wrong else [])


@given(st.fixed_dictionaries({one.name: ANYTHING for one in NUMBERS}))
def test_whatever_is_said_every_number_is_within_its_bounds(raw):
    settings, _, clamped = read_notebook_settings(raw)

    for one, value in zip(NUMBERS, settings, strict=False):
        assert one.low <= value <= one.high
    assert all(one.asked != one.holds for one in clamped)
