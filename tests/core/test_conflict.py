"""Which file names are conflict copies, and of what."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.conflict import conflict_original, is_conflict_copy

COPIES = [
    # Obsidian Sync
    ("Note (Conflicted copy laptop 202607100709).md", "Note.md"),
    ("Note (Conflicted copy My old laptop 202607100709).md", "Note.md"),
    ("Note (Conflicted copy 202607100709).md", "Note.md"),
    # Nextcloud
    ("Note (conflicted copy 2026-07-10 070952).md", "Note.md"),
    ("Note (conflicted copy 2026-07-10).md", "Note.md"),
    # Dropbox; the owner may be named with either apostrophe
    ("Note (Ann's conflicted copy 2026-07-10).md", "Note.md"),
    ("Note (Ann Lee’s conflicted copy 2026-07-10).md", "Note.md"),
    ("Note (James' conflicted copy 2026-07-10).md", "Note.md"),
    ("Note (Ann's conflicted copy 2026-07-10 (1)).md", "Note.md"),
    ("Note (Ann's conflicted copy).md", "Note.md"),
    # the word and a date alone
    ("Note (conflict 2026-11-01).md", "Note.md"),
    ("Note (Conflict 2026-11-01 07-09-52).md", "Note.md"),
    # Syncthing
    ("Note.sync-conflict-20260710-070952-ABCDEFG.md", "Note.md"),
    ("v1.2 notes.sync-conflict-20260710-070952-abc2EFG.md", "v1.2 notes.md"),
    # other extensions, none, names with parentheses of their own, a copy of a copy
    ("inbox (conflicted copy 2026-07-10 070952).base", "inbox.base"),
    ("README (conflicted copy 2026-07-10 070952)", "README"),
    ("Plan (draft) (conflicted copy 2026-07-10 070952).md", "Plan (draft).md"),
    (
        "N (conflicted copy 2026-07-10 070952) (Ann's conflicted copy 2026-07-11).md",
        "N (conflicted copy 2026-07-10 070952).md",
    ),
    ("Cafe\u0301 (conflicted copy 2026-07-10 070952).md", "Caf\u00e9.md"),
]

ORDINARY = [
    "Note.md",
    "Note 2.md",
    "Note (2).md",
    "How a conflicted copy comes about.md",
    "Meeting (conflicted copy policy).md",
    "Note (conflicted copy).md",
    "Note (conflict).md",
    "Note (the conflict of 2026-11-01).md",
    "(Conflicted copy laptop 202607100709).md",  # nothing is left to be the original
    "Note(conflicted copy 2026-07-10 070952).md",
    "Note.sync-conflict.md",
    "Note.sync-conflict-2026-07-ABC.md",
    "Sync-conflict-20260710 notes.md",
    "",
    ".md",
]


@pytest.mark.parametrize(("name", "original"), COPIES)
def test_names_the_original_of_a_conflict_copy(name: str, original: str) -> None:
    assert conflict_original(name) == original
    assert is_conflict_copy(name)


@pytest.mark.parametrize("name", ORDINARY)
def test_leaves_the_names_that_people_write_alone(name: str) -> None:
    assert conflict_original(name) is None
    assert not is_conflict_copy(name)


@pytest.mark.parametrize(
    ("name", "original"),
    [
        ("Note 2.md", "Note.md"),
        ("Note 17.md", "Note.md"),
        ("Note 2", "Note"),
        ("Note 1.md", None),
        ("Note 02.md", None),
        ("Note 2026.md", None),
        ("Note2.md", None),
        ("2.md", None),
        ("Note (conflicted copy 2026-07-10 070952).md", "Note.md"),
    ],
)
def test_a_number_counts_only_where_both_hold_the_same_id(name: str, original: str | None) -> None:
    assert conflict_original(name, same_id=True) == original


@given(st.text(max_size=300))
def test_any_name_is_answered_and_an_original_is_shorter(name: str) -> None:
    original = conflict_original(name, same_id=True)
    assert original is None or 0 < len(original) < len(unicodedata.normalize("NFC", name))
