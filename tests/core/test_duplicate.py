"""Two statements are kept apart by a number, a version, a negation or a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.duplicate import Difference, difference, same_text

PAIRS = Path(__file__).parents[1] / "fixtures" / "pairs" / "statements.jsonl"
ROWS = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if "differs" in row], ids=lambda row: row["a"] + " / " + row["b"]
)
def test_labelled_hard_negatives_are_never_merged(row: dict[str, str]) -> None:
    assert difference(row["a"], row["b"]) is not None
    assert difference(row["a"], row["b"]) == difference(row["b"], row["a"])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Retry 3 times.", "Retry 5 times.", Difference.NUMBER),
        ("Retry 3 times.", "Retry three times.", None),
        ("Wait 30 s.", "Wait 30 seconds.", None),
        ("Wait 30s.", "Wait 30 seconds.", None),
        ("Wait 30 s.", "Wait 30 min.", Difference.NUMBER),
        # a unit that only one side names is no difference of the number
        ("Limit it to 10.", "Limit it to 10 MB.", Difference.IDENTIFIER),
        ("Wait 30.", "Wait 30 seconds.", None),
        ("Insert 1,000 rows.", "Insert 1000 rows.", None),
        ("Insert 1000 rows.", "Insert rows.", Difference.NUMBER),
        # "one" is a pronoun as often as a number
        ("Keep the one in the root.", "Keep the root one.", None),
        ("It is at level2 now.", "It is at level3 now.", Difference.NUMBER),
        ("At 100 % of the load.", "At 100 percent of the load.", None),
    ],
)
def test_numbers(first: str, second: str, expected: Difference | None) -> None:
    assert difference(first, second) is expected
    assert difference(second, first) is expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Use Python 3.11.", "Use Python 3.12.", Difference.VERSION),
        ("Use API v1.", "Use API v2.", Difference.VERSION),
        ("Pin ruff to v0.9.1.", "Pin ruff to 0.9.1.", None),
        ("Pin ruff to 0.9.1.", "Pin ruff.", Difference.VERSION),
    ],
)
def test_versions(first: str, second: str, expected: Difference | None) -> None:
    assert difference(first, second) is expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Commit generated files.", "Never commit generated files.", Difference.NEGATION),
        ("Do not log tokens.", "Don't log tokens", None),
        ("Never log tokens.", "Don’t log tokens.", None),
        ("You can't push to main.", "You cannot push to main.", None),
        ("Use npm, not pnpm.", "Use pnpm, not npm.", Difference.NEGATION),
        ("Use pnpm instead of npm.", "Use npm instead of pnpm.", Difference.NEGATION),
        ("Prefer tabs over spaces.", "Prefer spaces over tabs.", Difference.NEGATION),
        ("Lint before testing.", "Test before linting.", Difference.NEGATION),
        ("Lint before testing.", "Lint after testing.", Difference.NEGATION),
        ("Before testing, lint.", "Lint before testing.", None),
        ("The cache is enabled.", "The cache is disabled.", Difference.NEGATION),
        # both words on one side say nothing
        ("Turn it on or off.", "Turn it off or on.", None),
        ("Never do it. Ask.", "Do it never; ask.", None),
    ],
)
def test_negations(first: str, second: str, expected: Difference | None) -> None:
    assert difference(first, second) is expected
    assert difference(second, first) is expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Run `make test` first.", "Run `make lint` first.", Difference.IDENTIFIER),
        ("Set MAX_RETRIES.", "Set MAX_TIMEOUT.", Difference.IDENTIFIER),
        ("Call fetchUser early.", "Call fetchOrder early.", Difference.IDENTIFIER),
        ("Pass --force to it.", "Pass --quiet to it.", Difference.IDENTIFIER),
        ("Pass -f to it.", "Pass -q to it.", Difference.IDENTIFIER),
        ("Edit src/a.py there.", "Edit src/b.py there.", Difference.IDENTIFIER),
        ("Serve it by HTTP.", "Serve it by FTP.", Difference.IDENTIFIER),
        ("Sessions live in Redis.", "Sessions live in Postgres.", Difference.IDENTIFIER),
        # a name at the beginning of a sentence is found in the other's words
        ("Redis stores the sessions.", "The sessions are stored in Redis.", None),
        ("Use npm in the shop.", "Use pnpm in the shop.", Difference.IDENTIFIER),
        # a condition that only one side has would be lost
        ("Run the tests.", "Run the tests in docker.", Difference.IDENTIFIER),
        ("Delete stale branches.", "Remove stale branches.", None),
        ("Tests run in any order.", "Run tests in any order.", None),
        ("The repository's dependencies are big.", "Dependencies of the repository are big.", None),
        ("I review it.", "It is what I review.", None),
    ],
)
def test_identifiers(first: str, second: str, expected: Difference | None) -> None:
    assert difference(first, second) is expected
    assert difference(second, first) is expected


def test_wholly_reworded_statements_are_left_to_the_meaning() -> None:
    first = "Reproduce a bug with a failing test before you repair it."
    assert (
        difference(
            first,
            "Repairs begin by showing the defect in an automated check that goes red; mend the code only then.",
        )
        is None
    )


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Use  tabs.", "use tabs", True),
        ("Say “hello”!", 'Say "hello"', True),
        ("Use `make`.", "Use make", True),
        ("It’s late.", "It's late.", True),
        ("Use tabs.", "Use tab.", False),
    ],
)
def test_same_text_ignores_case_blanks_quotes_and_end_marks(
    first: str, second: str, same: bool
) -> None:
    assert same_text(first, second) is same


@given(st.text(max_size=200), st.text(max_size=200))
def test_difference_is_symmetric_and_never_fails(first: str, second: str) -> None:
    assert difference(first, second) == difference(second, first)


@given(st.text(max_size=200))
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert difference(text, text) is None
    assert same_text(text, f" {text} ")


@given(st.integers(2, 10**6), st.integers(2, 10**6))
def test_any_two_numbers_differ(first: int, second: int) -> None:
    found = difference(f"Keep {first} copies.", f"Keep {second} copies.")
    assert found is (None if first == second else Difference.NUMBER)
