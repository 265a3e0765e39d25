"""Which words a text is found by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.lang.porter2 import stem

from vaultmem.index.terms import LONGEST_TERM, fold, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running the tests", ["run", "test"]),
        ("debugging", ["debug"]),
        ("RUNNING Tests", ["run", "test"]),
        # names as a whole and in parts
        ("retryCount", ["retrycount", "retri", "count"]),
        ("max_age", ["max_age", "max", "age"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("app.config.ts", ["app.config.ts", "app", "config", "ts"]),
        ("python3", ["python3", "python"]),
        ("v1.12.0", ["v1.12.0", "12"]),
        ("2026-11-29", ["2026", "11", "29"]),
        ("__init__", ["init"]),
        ("user's config", ["user", "config"]),
        ("user’s café", ["user", "cafe"]),
        ("don't", ["don't", "don"]),
        # accents, compatibility forms, other scripts
        ("Über naïve café", ["uber", "naiv", "cafe"]),
        ("ﬁle", ["file"]),
        ("привет мир", ["привет", "мир"]),
        # runs without blanks: characters and pairs
        ("数据库", ["数", "据", "库", "数据", "据库"]),
        ("库", ["库"]),
        ("用git提交", ["用", "git", "提", "交", "提交"]),
        ("ภาษา", ["ภ", "า", "ษ", "า", "ภา", "าษ", "ษา"]),
        ("ship it 🚀", ["ship", "🚀"]),
        # nothing to find
        ("the of and", []),
        ("", []),
        ("_ __ _._", []),
        ("\x00\x01 --- !!!", []),
        ("\ud800", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert list(terms(text, stem)) == expected


def test_accents_do_not_matter() -> None:
    assert list(terms("Résumé", stem)) == list(terms("resume", stem))
    assert fold("Ångström") == "Angstrom"
    assert fold("plain") == "plain"


def test_a_long_token_is_cut() -> None:
    assert next(len(term) for term in terms("x1" * 5_000, stem)) == LONGEST_TERM
    assert max(map(len, terms("a" * 100_000, stem))) <= LONGEST_TERM


@given(st.text())
def test_any_text_has_terms_that_can_be_stored(text: str) -> None:
    for term in terms(text, stem):
        assert 0 < len(term) <= LONGEST_TERM
        term.encode("utf-8")


@given(st.text(alphabet=st.characters(categories=["L", "N", "Zs", "P"])))
def test_a_query_of_the_whole_text_has_the_same_terms(text: str) -> None:
    assert list(terms(text, stem)) == list(terms(text, stem))
    assert set(terms(text, stem)) == set(terms(f"  {text}\n", stem))
