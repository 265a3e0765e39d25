"""Only the nearest statements are compared closely, and those that matter are among them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.shortlist import NEAREST, Shortlist

WORDS = st.frozensets(st.sampled_from("abcdefghij"), max_size=5)


def listed(*statements: str) -> Shortlist:
    made = Shortlist()
    for statement in statements:
        made.add(frozenset(statement.split()))
    return made


def nearest(made: Shortlist, statement: str) -> list[int]:
    return made.nearest(frozenset(statement.split()))


def test_what_shares_no_word_is_not_near() -> None:
    made = listed("use bun", "never npm", "bun test")
    assert nearest(made, "run bun") == [0, 2]
    assert nearest(made, "tabs") == []
    assert nearest(made, "") == []
    assert nearest(Shortlist(), "bun") == []


def test_a_place_is_the_number_of_those_before() -> None:
    made = Shortlist()
    assert [made.add(frozenset({"a"})), made.add(frozenset()), made.add({"a"})] == [0, 1, 2]
    assert made.nearest({"a"}) == [0, 2]


def test_a_rare_word_counts_more_than_many_common_ones() -> None:
    common = ["use test run" for _ in range(3 * NEAREST)]
    made = listed(*common, "use npm")
    found = nearest(made, "use test run npm")
    assert len(found) == NEAREST
    assert 3 * NEAREST in found
    assert found == sorted(found)


@given(st.lists(WORDS, max_size=60), WORDS)
def test_few_statements_are_all_near_that_share_a_word(
    statements: list[frozenset[str]], asked: frozenset[str]
) -> None:
    made = Shortlist()
    for statement in statements:
        made.add(statement)
    sharing = [at for at, statement in enumerate(statements) if statement & asked]
    found = made.nearest(asked)
    assert set(found) <= set(sharing)
    assert len(found) == min(len(sharing), NEAREST)
