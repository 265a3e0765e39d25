"""Words meet in any inflection, and words that say nothing are left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.words import content_stems, share, stem, stems, words


@pytest.mark.parametrize(
    "forms",
    [
        "commit commits committed committing",
        "release releases released releasing",
        "deploy deploys deployed deploying deployment deployments",
        "publish publishes published publishing",
        "rebase rebases rebased rebasing",
        "crash crashes crashed crashing",
        "fix fixes fixed fixing",
        "copy copies copied copying",
        "try tries tried trying",
        "query queries queried querying",
        "test tests tested testing",
        "embed embeds embedded embedding embeddings",
        "package packages packaging packaged",
        "class classes",
        "process processes processed processing",
        "pass passes passed passing",
        "log logs logged logging",
        "add adds added adding",
        "use uses used using",
        "need needs needed",
        "api apis",
        "key keys",
        "bus buses",
        "string strings",
        "環境",
    ],
)
def test_inflections_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("test", "text"),
        ("string", "stir"),
        ("class", "clash"),
        ("analysis", "analyst"),
        ("feed", "fee"),
    ],
)
def test_different_words_keep_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_a_stem_is_never_empty(word: str) -> None:
    assert stem(word)


def test_words_part_at_punctuation_and_underscores() -> None:
    assert words("src/billing_web/App.tsx: don't, Straße") == [
        "src", "billing", "web", "app", "tsx", "don", "t", "strasse",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("writing tests", {"test"}),
        ("when you are deploying to production", {"deploi", "production"}),
        # Nothing else is there: vague words count, and then even those that say nothing.
        ("writing code", {"writ", "cod"}),
        ("on it", {"on", "it"}),
        ("🚀", set()),
    ],
)
def test_only_telling_words_count_where_there_are_any(phrase: str, expected: set[str]) -> None:
    assert content_stems(phrase) == expected


def test_stems_of_a_text_are_those_of_all_words() -> None:
    assert stems("Testing a test") == {"test", "a"}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("a b", "b c d", 0.5), ("a", "a b c", 1.0), ("a", "b", 0.0), ("", "a", 0.0), ("", "", 0.0)],
)
def test_share_is_of_the_smaller_set(one: str, other: str, expected: float) -> None:
    assert share(frozenset(one.split()), frozenset(other.split())) == expected
