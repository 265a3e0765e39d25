"""Words and meaning become one ranking, with reasons."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.index.documents import Source
from vaultmem.index.hybrid import (
    COVERAGE_WEIGHT,
    SearchHit,
    from_meaning,
    from_words,
    fuse,
    one_per_note,
)
from vaultmem.index.keyword import KeywordHit
from vaultmem.index.vectors import VectorHit


def word(key: str, coverage: float, *terms: str) -> KeywordHit:
    return KeywordHit(key, key, f"{key}.md", key, Source.MEMORY, "", coverage, terms)


def near(key: str, cosine: float) -> VectorHit:
    return VectorHit(key, key, f"{key}.md", key, Source.MEMORY, "", cosine)


def test_the_score_is_the_cosine_plus_weighted_coverage() -> None:
    hits = fuse(
        [word("a", 0.8, "retry"), word("b", 0.4, "x")], [near("a", 0.5), near("c", 0.6)], {"b": 0.2}
    )
    assert {hit.key: hit.score for hit in hits} == pytest.approx(
        {"a": 0.5 + COVERAGE_WEIGHT * 0.8, "c": 0.6, "b": 0.2 + COVERAGE_WEIGHT * 0.4}
    )
    assert [hit.key for hit in hits] == ["a", "c", "b"]


def test_a_document_without_a_vector_still_counts_by_its_words() -> None:
    (hit,) = fuse([word("a", 0.5, "retry")], [], {})
    assert (hit.score, hit.cosine) == (COVERAGE_WEIGHT * 0.5, None)
    assert hit.why == "words: retry"


@pytest.mark.parametrize(
    ("hit", "why"),
    [
        (fuse([word("a", 0.5, "retry", "idempotency")], [near("a", 0.714)], {})[0], "words: retry, idempotency; meaning 0.71"),
        (from_meaning([near("a", 0.5)])[0], "meaning 0.50"),
        (from_words([word("a", 0.5, "retry")])[0], "words: retry"),
        (from_words([word("a", 0.5, *"abcdefgh")])[0], "words: a, b, c, d, e, f and 2 more"),
    ],
)  # fmt: skip
def test_every_hit_says_why(hit: SearchHit, why: str) -> None:
    assert hit.why == why


def test_equal_scores_are_in_the_order_of_keys() -> None:
    assert [hit.key for hit in from_words([word("b", 0.5), word("a", 0.5)])] == ["a", "b"]


def test_one_per_note_keeps_the_best() -> None:
    hits = from_meaning([near("a", 0.9), near("b", 0.8)])
    twice = [hits[0], hits[1], hits[0]]
    assert one_per_note(twice) == hits


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1)),
    st.dictionaries(st.sampled_from("abcdef"), st.floats(-1, 1)),
)
def test_fusion_is_the_union_in_falling_order(
    words: dict[str, float], meaning: dict[str, float]
) -> None:
    hits = fuse(
        [word(key, value) for key, value in words.items()],
        [near(key, value) for key, value in meaning.items()],
        meaning,
    )
    assert sorted(hit.key for hit in hits) == sorted({*words, *meaning})
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


def test_a_stranger_is_no_answer():
    hits = fuse(
        [word("a", 0.2, "retry")], [near("a", 0.05), near("b", 0.1), near("c", 0.3)], {}, floor=0.15
    )
    assert [hit.key for hit in hits] == ["c", "a"]
    assert [hit.key for hit in from_meaning([near("b", 0.1), near("c", 0.3)], floor=0.15)] == ["c"]
