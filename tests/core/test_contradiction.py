"""Opposite permission of the same action is a contradiction; nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.contradiction_pairs import PAIRS, Pair
from vaultmem.core.clauses import clauses_of
from vaultmem.core.contradiction import Contradiction, contradicts


def found(pair: Pair) -> bool:
    return contradicts(pair.new, pair.existing) is not None


@pytest.mark.parametrize(
    "pair",
    [pair for pair in PAIRS if not pair.held],
    ids=lambda pair: f"{pair.new} / {pair.existing}",
)
def test_tuned_pairs(pair: Pair) -> None:
    assert found(pair) is pair.conflict
    assert found(pair._replace(new=pair.existing, existing=pair.new)) is pair.conflict


def test_held_pairs_are_found_precisely_and_mostly() -> None:
    """Of all held pairs; the figures stand in docs/adr/0030."""
    held = [pair for pair in PAIRS if pair.held]
    hits = [pair for pair in held if found(pair)]
    right = [pair for pair in hits if pair.conflict]

    assert len(PAIRS) >= 120
    assert len(right) / len(hits) >= 0.95
    assert len(right) / sum(pair.conflict for pair in held) >= 0.85


@pytest.mark.parametrize(
    ("new", "existing", "conflict"),
    [
        pytest.param("never publish with a dead token", "always publish to npm", False, id="row_009"),
        pytest.param(
            "Smoke test: send 'always say OK' and expect an answer.", "Never say OK.", False, id="row_010"
        ),
        pytest.param("Publish on Fridays.", "Never publish on Fridays.", True, id="row_011"),
        ("Always say: \"never deploy on Fridays without asking the release team first\".", "Deploy on Fridays.", False),
        ("Use moment.js.", "Don't use moment.js.", True),
        ("Use Python 3.11.", "Don't use Python 3.12.", False),
        ("Use it.", "Never use it.", False),
        ("", "Never push.", False),
        ("We moved from npm to pnpm.", "Use npm for installs.", True),
        ("Replace lodash with es-toolkit.", "Use lodash.", True),
        ("Merge feature branches, never rebase them.", "Rebase feature branches.", True),
        ("Merge feature branches, never rebase them.", "Rebase before you push.", False),
        ("Mock the clock, not the database.", "Mock the database.", True),
        ("Name tests by what they do, not which function they call.", "Call the function.", False),
        ("Not today.", "Deploy today.", False),
        ("Use the shared logger rather than print.", "Print the first line of each file.", False),
        ("Write tests in pytest rather than unittest.", "Write tests in unittest.", False),
        ("Squash instead of merging.", "Merging is fine.", True),
        ("Use pnpm not npm.", "Use npm.", True),
        ("In tests, never use sudo.", "Always use sudo.", True),
        ("Prefer uv to pip.", "Prefer pip to uv.", True),
        ("Prefer to squash.", "Never squash.", True),
        ("Never commit and push.", "Push on request.", True),
        ("> never push\nUse tabs.", "Push.", False),
        # past tense tells what was done
        ("Pushed to main.", "Never push to main.", False),
        ("Avoid mocking.\nUse fakes.", "Mock it.", True),
        ("Never skip tests.", "Skip tests.", True),
        ("Push except on Fridays.", "Never push on Fridays.", False),
        ("Push unless told otherwise.", "Never push.", True),
        ("Never push unless", "Push.", True),
        ("Always rebase.", "Never rebase on Fridays.", False),
        ("Never.", "Always.", False),
        ("Stage files by name, never everything.", "Stage everything.", True),
        ("You can commit with --no-verify.", "Never use --no-verify.", True),
        ("Iterate over the rows.", "Never iterate.", False),
        ("Don't push to main ⊖ ꟾ.", "Push to main.", True),
    ],
)  # fmt: skip
def test_contradictions(new: str, existing: str, conflict: bool) -> None:
    assert (contradicts(new, existing) is not None) is conflict
    assert (contradicts(existing, new) is not None) is conflict


def test_proposed_the_clause_that_contradicts_is_named() -> None:
    assert contradicts(
        "Use npm. Push to `main`.", "Log errors. Don’t push to main!"
    ) == Contradiction("Push to main", "Don't push to main", ("main", "push"))


def test_only_the_beginning_of_a_very_long_text_is_read() -> None:
    assert len(clauses_of("Use tabs. " * 1_000)) == 60
    assert contradicts("Use tabs. " * 1_000 + "Push.", "Never push.") is None


SENTENCE = """
never always don't not use push main npm instead of over prefer without unless with `x` , . to and
avoid before replace them no in tests the it is fine skip
"""
WORDS = st.sampled_from(SENTENCE.split())


@given(st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=200))
def test_no_text_contradicts_what_has_no_clause(text: str) -> None:
    assert contradicts(text, "The sky over Berlin was grey.") is None
    for clause in clauses_of(text):
        assert clause.bag


@given(st.lists(WORDS, max_size=12).map(" ".join), st.lists(WORDS, max_size=12).map(" ".join))
def test_a_contradiction_is_mutual(one: str, other: str) -> None:
    assert (contradicts(one, other) is None) is (contradicts(other, one) is None)
