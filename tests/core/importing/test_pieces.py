"""A long text is cut up and nothing of it is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.importing.pieces import cut_up


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("  \n", []),
        (" ab ", ["ab"]),
        ("aaaa bbbb cc", ["aaaa bbbb", "cc"]),
        ("aaaaaaaaaabbb", ["aaaaaaaaaa", "bbb"]),
        ("a bbbbbbbbbbb", ["a bbbbbbbb", "bbb"]),
        ("aaaaaaaaaa b", ["aaaaaaaaaa", "b"]),
    ],
)
def test_it_is_cut_at_blanks_where_there_are_any(text, pieces):
    assert list(cut_up(text, 10)) == pieces


@given(st.text(alphabet="ab \n", max_size=200), st.integers(1, 20))
def test_every_visible_character_is_in_a_piece_and_none_is_too_long(text, size):
    pieces = list(cut_up(text, size))
    assert all(0 < len(one) <= size for one in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
