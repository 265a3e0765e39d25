"""The index of clauses finds what a comparison with every statement would find."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.contradiction_pairs import PAIRS
from vaultmem.core.clauses import clauses_of
from vaultmem.core.contradiction import contradicts
from vaultmem.core.importing.opposition import Opposition

_TEXT = "use run avoid never always uv pip tests main branch before push with without only docker"
WORDS = _TEXT.split()
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


def found(known: list[str], new: str) -> list[str]:
    index: Opposition[str] = Opposition()
    for statement in known:
        index.add(statement, statement)
    return [one.known for one in index.against(new)]


def compared(known: list[str], new: str) -> list[str]:
    return [one for one in known if contradicts(new, one) is not None]


@given(st.lists(SENTENCES, max_size=12), SENTENCES)
def test_it_finds_what_comparing_all_pairs_finds(known: list[str], new: str) -> None:
    empty = any(not clause.bag for text in (*known, new) for clause in clauses_of(text))
    there = found(known, new)
    assert set(there) <= set(compared(known, new))
    if not empty:
        assert there == compared(known, new)


def test_every_pair_of_the_corpus_is_found() -> None:
    for one in PAIRS:
        assert found([one.existing], one.new) == compared([one.existing], one.new)


def test_what_says_nothing_of_an_action_contradicts_nothing() -> None:
    assert found(["The build takes an hour."], "Never use pip.") == []
    assert found(["Never use pip."], "The build takes an hour.") == []


@pytest.mark.parametrize("wide", ["Never use pip.", "Always use pip."])
def test_the_words_are_told(wide: str) -> None:
    index: Opposition[int] = Opposition()
    index.add(wide, 7)
    other = "Always use pip." if wide.startswith("Never") else "Never use pip."
    ((known, said),) = index.against(other)
    assert known == 7
    assert said.existing in wide
