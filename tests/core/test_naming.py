"""File names are legal on every system, link in Obsidian, and stay short."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import many
from vaultmem.core.naming import (
    FALLBACK,
    MAX_BYTES,
    MAX_CHARACTERS,
    base_name,
    name_key,
    part_of_name,
    title_of,
    with_suffix,
)

ID = "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9]) *(\.|$)", re.I)
statements = st.one_of(
    st.text(),
    st.lists(st.sampled_from(["con", "nul", ".", " ", "-", "*", "`", "a", "word", "/", ":", "#", "[[", "%%", "漢", "é", "e\u0301", "👩\u200d💻", "\ud800", "\n", "com1", "conflicted copy"]), max_size=60).map("".join),
)  # fmt: skip


@many(6)
@given(statements)
def test_a_name_is_legal_everywhere(statement: str) -> None:
    for name in (base_name(statement), with_suffix(base_name(statement), ID)):
        assert name
        assert not set(name) & set('\\/:*?"<>|#^[]`$')
        assert "%%" not in name
        assert name == name.strip(" .")
        assert name == unicodedata.normalize("NFC", name)
        assert len(name.encode()) <= MAX_BYTES
        assert not RESERVED.match(name)
        assert not any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in name)
    assert len(base_name(statement)) <= MAX_CHARACTERS


@many(3)
@given(statements)
def test_a_name_names_itself(statement: str) -> None:
    name = base_name(statement)
    assert base_name(name) == name


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("Never stage everything at once; add files by name.", "Never stage everything at once; add files by name"),
        ("**Never** use `npm`: use bun?", "Never use npm- use bun"),
        ("Keep snake_case and a*b", "Keep snake_case and a-b"),
        ("a/b\\c:d*e?f\"g<h>i|j#k^l[m]n", "a-b-c-d-e-f-g-h-i-j-k-l-m-n"),
        ("100%% sure, 5% not", "100- sure, 5% not"),
        ("...hidden.", "hidden"),
        ("-rf is not a flag", "rf is not a flag"),
        ("con", "con-"),
        ("NUL.txt stays", "NUL-.txt stays"),
        ("console", "console"),
        ("COM1", "COM1-"),
        ("", FALLBACK),
        ("???", FALLBACK),
        ("cafe\u0301", "café"),
        ("a\u202eb\u200bc\x00d", "abcd"),
        ("two\n  lines", "two lines"),
        ("Delete (conflicted copy 2026-07-10) files", "Delete (conflicted-copy 2026-07-10) files"),
        ("x.sync-conflict-20260710-070952-ABCDEFG", "x-sync-conflict-20260710-070952-ABCDEFG"),
        ("word " * 30, ("word " * 16).strip()),
        ("x" * 200, "x" * 80),
        ("a " + "x" * 200, "a " + "x" * 78),
        ("漢" * 100, "漢" * 40),
        ("e" * 79 + "x\u0323\u0307y", "e" * 79),
    ],
)  # fmt: skip
def test_names(statement: str, name: str) -> None:
    assert base_name(statement) == name


def test_a_cut_does_not_split_what_is_one_character_to_a_person() -> None:
    name = base_name("x" * 79 + "👩\u200d💻" + "y" * 9)
    assert name == "x" * 79


def test_a_suffix_comes_from_the_end_of_the_id() -> None:
    assert with_suffix("Use bun", ID) == "Use bun (v1w2)"


def test_a_long_name_makes_room_for_its_suffix() -> None:
    assert with_suffix("漢" * 40, ID) == "漢" * 37 + " (v1w2)"


@pytest.mark.parametrize(
    ("one", "other"), [("Café", "cafe\u0301"), ("STRASSE", "straße"), ("A b", "a B")]
)
def test_names_that_some_file_system_takes_for_one_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert name_key(one) != name_key(one + "x")


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("Memory/Lessons/Tea.md", "Tea"),
        ("Tea.MD", "Tea"),
        ("v1.2 of tea.md", "v1.2 of tea"),
        ("Folder.md/Tea", "Tea"),
        (".md", ""),
    ],
)
def test_a_notes_title_is_its_name_in_any_case_of_the_extension(path: str, title: str) -> None:
    assert title_of(path) == title


@given(st.text(max_size=300), st.text(alphabet="ab -", max_size=40))
def test_a_part_of_a_name_leaves_room_for_what_stands_beside_it(text, beside):
    whole = beside + part_of_name(text, beside)
    assert len(whole) <= MAX_CHARACTERS
    assert len(whole.encode()) <= MAX_BYTES


def test_a_part_of_a_name_is_cut_at_a_word():
    text = "The readings table has monthly partitions in production and staging"
    assert part_of_name(text, " " * 30) == "The readings table has monthly partitions in"
