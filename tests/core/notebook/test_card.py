"""A card names itself by the short hash of its stem; a session's id must be able to stand in names."""

from __future__ import annotations

import pytest

from tests.store.notebook.cards import card
from vaultmem.core.notebook.card import is_session_name, with_tilde


def test_the_hash_is_that_of_the_stem():
    one = card("0194f5a6-89ab-7cde-8123-456789abcdef", slug=None)
    assert (one.stem, one.hash) == ("2025-02-11T15-35-19-jqmb", "jqmb")


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("0194f5a6-89ab-7cde-8123-456789abcdef", True),
        ("a.b:c@d+e_f", True),
        ("", False),
        ("x" * 200, True),
        ("x" * 201, False),
        ("../up", False),
        ("two words", False),
        ("line\n", False),
        ("Straße", False),
    ],
)
def test_a_session_is_called_by_letters_digits_and_few_marks(name: str, fits: bool):
    assert is_session_name(name) is fits


@pytest.mark.parametrize(
    ("path", "home", "told"),
    [
        ("/home/mel/app", "/home/mel", "~/app"),
        ("/home/mel", "/home/mel", "~"),
        ("/home/mellow/app", "/home/mel", "/home/mellow/app"),
        ("C:\\Users\\mel\\app", "C:\\Users\\mel", "~\\app"),
        ("/srv/app", "/", "/srv/app"),
        ("/srv/app", "", "/srv/app"),
        ("", "/home/mel", ""),
    ],
)
def test_a_home_folder_is_told_as_a_tilde(path, home, told):
    assert with_tilde(path, home) == told
