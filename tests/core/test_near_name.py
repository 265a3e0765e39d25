"""A misspelt name is told from a name of somebody's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.near_name import near_name

NAMES = ("category", "confidence", "pinned", "review", "review_days", "tags", "vault_ref")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("catgory", "category"),
        ("Category", "category"),
        ("CATAGORY", "category"),
        ("tag", "tags"),
        ("pined", "pinned"),
        ("vault ref", "vault_ref"),
        ("Vault-Ref", "vault_ref"),
        ("review-day", "review_days"),
        ("category", None),
        ("mood", None),
        ("pin", None),
        ("reviewed by", None),
        ("", None),
    ],
)
def test_only_what_is_near_is_taken_for_a_slip(typed, meant):
    assert near_name(typed, NAMES) == meant


def test_a_command_may_be_further_away():
    assert near_name("lst", ("list", "run"), likeness=0.6) == "list"
    assert near_name("serch", ("search", "status"), likeness=0.6) == "search"


@given(st.text(max_size=40))
def test_the_answer_is_another_one_of_the_names(typed):
    assert near_name(typed, NAMES) in {*NAMES, None} - {typed}
