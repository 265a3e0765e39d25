"""What outcomes say about a memory; rows of the governed memory by their number."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Memory, Stability
from vaultmem.core.reinforcement import (
    Advice,
    Outcome,
    near,
    next_stability,
    recommend,
    says_otherwise,
    summarize,
)

R, S, N, C = Outcome.REINFORCED, Outcome.SUCCESS, Outcome.NEUTRAL, Outcome.CORRECTED
LOW, SEMI, STABLE = Stability.LOW, Stability.SEMI_STABLE, Stability.STABLE
TODAY = date(2026, 11, 30)
MEMORY = Memory(id=MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"), statement="Use bun for tests.")


@pytest.mark.parametrize(
    ("outcomes", "score", "stability", "review"),
    [
        pytest.param([N, N], 0.0, SEMI, False, id="row 69"),
        pytest.param([S, C], -0.8, LOW, True, id="row 70"),
        pytest.param([S, S], 0.4, SEMI, False, id="row 71, two successes"),
        pytest.param([R, S], 1.2, STABLE, False, id="row 71, one reinforcement"),
        pytest.param([S] * 5, 1.0, SEMI, False, id="row 72, mended: success alone is not stable"),
        pytest.param([R, R, C], 1.0, LOW, True, id="a correction is never outvoted"),
        pytest.param([], 0.0, SEMI, False, id="nothing happened"),
    ],
)
def test_outcomes_add_up(outcomes, score, stability, review):
    found = summarize(outcomes)
    assert (found.score, found.stability, found.needs_review) == (score, stability, review)


@pytest.mark.parametrize(
    ("outcomes", "before", "expected"),
    [
        pytest.param([C], STABLE, (Advice.REVIEW, Advice.LESS_STABLE), id="row 75"),
        pytest.param([C, C], SEMI, (Advice.REVIEW, Advice.LESS_STABLE, Advice.CONTEST), id="76"),
        pytest.param([C], LOW, (Advice.REVIEW,), id="nothing is below low"),
        pytest.param([R, R], SEMI, (Advice.MORE_STABLE,), id="row 77"),
        pytest.param([R, R], STABLE, (), id="nothing is above stable"),
        pytest.param([R], SEMI, (), id="once is not steady"),
        pytest.param([R, R, R, C], SEMI, (Advice.REVIEW, Advice.LESS_STABLE), id="both"),
    ],
)
def test_what_to_do_follows_from_the_outcomes(outcomes, before, expected):
    assert recommend(replace(MEMORY, stability=before), summarize(outcomes), TODAY) == expected


@pytest.mark.parametrize(
    ("review", "due"),
    [(None, False), (date(2026, 11, 29), True), (TODAY, False), (date(2026, 12, 1), False)],
)
def test_a_review_is_due_on_the_day_after(review, due):
    found = recommend(replace(MEMORY, review=review), summarize([]), TODAY)
    assert found == ((Advice.REVIEW_DUE,) if due else ())


@pytest.mark.parametrize(
    ("before", "advice", "after"),
    [
        (STABLE, Advice.LESS_STABLE, SEMI),
        (SEMI, Advice.LESS_STABLE, LOW),
        (SEMI, Advice.MORE_STABLE, STABLE),
        (LOW, Advice.MORE_STABLE, STABLE),
    ],
)
def test_stability_goes_by_steps(before, advice, after):
    assert next_stability(replace(MEMORY, stability=before), advice) is after


BUN, DOCS, LOCK = map(MemoryId, ("mem_bun", "mem_docs", "mem_lock"))


@pytest.mark.parametrize(
    ("correction", "shown", "expected"),
    [
        pytest.param(
            "Do not use bun for local tests here.",
            {BUN: "Use bun for local tests.", DOCS: "Write the docs in plain English."},
            BUN,
            id="row 73",
        ),
        pytest.param(
            "Do not use bun here.",
            {BUN: "Use bun for tests.", LOCK: "Commit bun lock files."},
            None,
            id="row 74",
        ),
        pytest.param("Use tabs.", {DOCS: "Write the docs in plain English."}, None, id="no words"),
        pytest.param("", {BUN: "Use bun."}, None, id="nothing said"),
    ],
)
def test_a_correction_is_linked_to_the_one_memory_that_it_is_about(correction, shown, expected):
    found = near(correction, shown)
    assert (found[0] if len(found) == 1 else None) == expected


def test_every_memory_that_a_correction_is_near_is_named():
    shown = {BUN: "Use bun for tests.", DOCS: "Write docs.", LOCK: "Commit bun lock files."}
    assert near("Do not use bun here.", shown) == (BUN, LOCK)
    assert near("Never ever use bun, always prefer npm.", {BUN: "Use bun for local tests."}) == (
        BUN,
    )
    assert near("Don’t ever use bun!", shown) == (BUN, LOCK), "how it forbids is no difference"
    assert near("", shown) == near("Use bun.", {}) == ()


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("Do not use bun for local tests here.", "Use bun for local tests."),
        ("Don't run the local tests with bun, it is too slow.", "Use bun for local tests."),
        ("Use pnpm instead of bun for local tests.", "Use bun for local tests."),
        ("Stop using bun for tests.", "Use bun for local tests."),
        ("You can stage everything at once here.", "Never stage everything at once."),
        ("Use bun 2.0 for local tests.", "Use bun 1.1 for local tests."),
        ("The retry limit is 5, not 3.", "Retry failed uploads at most 3 times."),
        ("Use vitest for local tests from now on.", "Use bun for local tests."),
        ("Actually, commit messages are in German.", "Write commit messages in English."),
    ],
)
def test_what_is_against_a_statement_says_otherwise(said, statement):
    assert says_otherwise(said, statement)


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("Use bun for local tests!", "Use bun for local tests."),
        ("I told you to use bun for local tests!", "Use bun for local tests."),
        ("No, always use bun for the local tests, as I said.", "Use bun for local tests."),
        ("Why npm? The tests run with bun, never with npm.", "Use bun for local tests."),
        ("From now on, always use bun for local tests.", "Use bun for local tests."),
        ("You must add files by name, not all at once.", "Add files by name."),
        ("Don't stage everything, I said so.", "Never stage everything at once."),
        ("Never use pip install, use uv add.", "Use uv for Python; never install with pip."),
        ("Stop committing without running the tests.", "Run the tests before every commit."),
        ("Please always run the type checker.", "Run the type checker before every push."),
    ],
)
def test_who_insists_on_a_statement_does_not_say_otherwise(said, statement):
    assert not says_otherwise(said, statement)


@given(st.lists(st.sampled_from(Outcome)))
def test_the_order_of_outcomes_does_not_count_and_a_correction_never_helps(outcomes):
    assert summarize(outcomes) == summarize(sorted(outcomes))
    more = summarize([*outcomes, C])
    assert more.score < summarize(outcomes).score
    assert more.stability is LOW
