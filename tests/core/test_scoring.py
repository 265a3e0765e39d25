"""The score: the facts' table with our thresholds, and how it moves with evidence and age."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.model import Category, Cue, Lifecycle
from vaultmem.core.scoring import (
    CUE_WEIGHT,
    FAINT,
    HALF_LIFE,
    PROVISIONAL,
    STRONG,
    lifecycle,
    score,
)

DAY = 86_400.0

CUES = st.sampled_from(sorted(CUE_WEIGHT))
CATEGORIES = st.sampled_from(sorted(HALF_LIFE))
EVIDENCE = st.floats(0, 1e6)
AGE = st.floats(0, 1e9)


def test_every_cue_and_category_has_its_number() -> None:
    assert set(CUE_WEIGHT) == set(Cue)
    assert set(HALF_LIFE) == set(Category)


# Scores as computed in the facts; the lifecycle is what our thresholds make of them.
@pytest.mark.parametrize(
    ("cue", "category", "evidence", "days", "expected", "stands"),
    [
        ("explicit", "lesson", 1, 0, 0.6931, "provisional"),
        ("behavioral", "lesson", 1, 0, 0.4852, "provisional"),
        ("recurrence", "lesson", 1, 0, 0.4159, "provisional"),
        ("explicit", "lesson", 2, 0, 1.0986, "provisional"),
        ("explicit", "lesson", 3, 0, 1.3863, "provisional"),
        ("explicit", "lesson", 4, 0, 1.6094, "strong"),
        ("behavioral", "lesson", 7, 0, 1.4556, "provisional"),
        ("behavioral", "lesson", 8, 0, 1.5381, "strong"),
        ("recurrence", "lesson", 11, 0, 1.4909, "provisional"),
        ("recurrence", "lesson", 12, 0, 1.5390, "strong"),
        ("structural", "lesson", 4, 0, 1.4485, "provisional"),
        ("structural", "lesson", 5, 0, 1.6126, "strong"),
        ("explicit", "preference", 1, 90, 0.2550, "faint"),
        ("explicit", "lesson", 4, 30, 0.9762, "provisional"),
        ("explicit", "lesson", 4, 60, 0.5921, "provisional"),
        ("explicit", "mistake", 3, 14, 0.5100, "provisional"),
        # No evidence, or less: nothing is left to stand on.
        ("explicit", "lesson", 0, 0, 0.0, "dropped"),
        ("explicit", "lesson", -3, 0, 0.0, "dropped"),
        # A date in the future counts as now.
        ("explicit", "lesson", 1, -40, 0.6931, "provisional"),
    ],
)
def test_scores_of_the_table(
    cue: str, category: str, evidence: float, days: float, expected: float, stands: str
) -> None:
    value = score(cue, category, evidence, days * DAY)
    assert value == pytest.approx(expected, abs=5e-5)
    assert lifecycle(value) == stands


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (STRONG, Lifecycle.STRONG),
        (math.nextafter(STRONG, 0), Lifecycle.PROVISIONAL),
        (PROVISIONAL, Lifecycle.PROVISIONAL),
        (math.nextafter(PROVISIONAL, 0), Lifecycle.FAINT),
        (FAINT, Lifecycle.FAINT),
        (math.nextafter(FAINT, 0), Lifecycle.DROPPED),
        (0.0, Lifecycle.DROPPED),
    ],
)
def test_thresholds_belong_to_the_stronger_side(value: float, expected: Lifecycle) -> None:
    assert lifecycle(value) is expected


def test_the_thresholds_are_those_of_the_design() -> None:
    assert (STRONG, PROVISIONAL, FAINT) == (1.5, 0.40, 0.15)


@pytest.mark.parametrize("category", sorted(HALF_LIFE))
def test_two_pieces_of_evidence_stand_for_a_whole_half_life(category: str) -> None:
    assert lifecycle(score("explicit", category, 2, HALF_LIFE[category])) is Lifecycle.PROVISIONAL
    assert lifecycle(score("explicit", category, 2, HALF_LIFE[category] * 1.1)) is Lifecycle.FAINT


@pytest.mark.parametrize(
    ("category", "days"),
    [
        ("preference", 90),
        ("lesson", 60),
        ("pattern", 30),
        ("decision", 30),
        ("done", 14),
        ("mistake", 14),
    ],
)
def test_a_half_life_leaves_one_part_in_e(category: str, days: int) -> None:
    fresh = score("explicit", category, 5, 0)
    assert score("explicit", category, 5, days * DAY) == pytest.approx(fresh / math.e)


@pytest.mark.parametrize("age", [-DAY, -1.0, 0.0])
def test_a_date_in_the_future_counts_as_now(age: float) -> None:
    assert score("explicit", "done", 1, age) == math.log1p(1)


def test_every_second_counts() -> None:
    assert score("explicit", "done", 1, 0.5) == math.exp(-0.5 / (14 * DAY)) * math.log1p(1)


@pytest.mark.parametrize("evidence", [-5, -1, 0])
def test_less_than_no_evidence_is_none(evidence: float) -> None:
    assert score("explicit", "lesson", evidence, 0) == 0.0


def test_half_a_piece_of_evidence_counts() -> None:
    assert score("explicit", "lesson", 0.5, 0) == math.log1p(0.5)


def test_an_unknown_cue_or_category_is_an_error() -> None:
    with pytest.raises(KeyError):
        score("guess", "lesson", 1, 0)
    with pytest.raises(KeyError):
        score("explicit", "rumour", 1, 0)


@given(CUES, CATEGORIES, EVIDENCE, EVIDENCE, AGE)
def test_more_evidence_never_lowers_a_score(
    cue: str, category: str, one: float, other: float, age: float
) -> None:
    low, high = sorted((one, other))
    assert score(cue, category, low, age) <= score(cue, category, high, age)


@given(CUES, CATEGORIES, st.integers(0, 10_000))
def test_one_more_piece_of_evidence_raises_a_fresh_score(
    cue: str, category: str, evidence: int
) -> None:
    assert score(cue, category, evidence, DAY) < score(cue, category, evidence + 1, DAY)


@given(CUES, CATEGORIES, EVIDENCE, AGE, AGE)
def test_more_age_never_raises_a_score(
    cue: str, category: str, evidence: float, one: float, other: float
) -> None:
    young, old = sorted((one, other))
    assert score(cue, category, evidence, young) >= score(cue, category, evidence, old) >= 0


@given(CUES, CATEGORIES, st.integers(1, 1000), st.integers(0, 1000))
def test_another_day_lowers_a_score(cue: str, category: str, evidence: int, days: int) -> None:
    before = score(cue, category, evidence, days * DAY)
    assert score(cue, category, evidence, (days + 1) * DAY) < before
