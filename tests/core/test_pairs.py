"""Statements that share enough words meet; a crowd of others costs a bounded number of looks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core import pairs
from vaultmem.core.likeness import ABOUT
from vaultmem.core.pairs import CROWDED, NEAR, RAREST, Pair, near_pairs
from vaultmem.core.words import share

WORDS = st.frozensets(st.sampled_from("abcdefghij"), max_size=RAREST)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def test_what_likeness_may_call_near_is_near() -> None:
    assert NEAR <= ABOUT


def test_near_statements_meet_once_the_earlier_first() -> None:
    found = list(near_pairs([words("npm install"), words("open gl"), words("install npm lock")]))
    assert found == [Pair(0, 2)]


def test_a_statement_without_words_meets_nobody() -> None:
    assert list(near_pairs([words(""), words(""), words("npm")])) == []


@given(st.lists(WORDS, max_size=12))
def test_of_short_statements_exactly_the_near_ones_meet(statements) -> None:
    expected = {
        Pair(one, two)
        for two in range(len(statements))
        for one in range(two)
        if share(statements[one], statements[two]) >= NEAR
    }
    found = list(near_pairs(statements))
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_a_word_of_thousands_of_statements_costs_no_square(monkeypatch) -> None:
    looks = 0

    def counted(one, two):
        nonlocal looks
        looks += 1
        return share(one, two)

    monkeypatch.setattr(pairs, "share", counted)
    many = [words(f"use tests w{number}") for number in range(3_000)]
    assert list(near_pairs(many)) != []
    assert looks <= len(many) * RAREST * CROWDED / 2
