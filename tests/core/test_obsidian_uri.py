"""The address of a note in Obsidian: nothing in a name can end it, add to it, or drive anything."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.obsidian_uri import MAX_URI, open_uri

_SAFE = re.compile(r"obsidian://open\?vault=[A-Za-z0-9%._~-]+&file=[A-Za-z0-9%._~-]+")


@pytest.mark.parametrize(
    ("vault", "file", "uri"),
    [
        ("V", "Memory/Note.md", "obsidian://open?vault=V&file=Memory%2FNote.md"),
        ("My vault", "A b.md", "obsidian://open?vault=My%20vault&file=A%20b.md"),
        ("潮", "Ü.md", "obsidian://open?vault=%E6%BD%AE&file=%C3%9C.md"),
        ("V", "a&file=b?.md", "obsidian://open?vault=V&file=a%26file%3Db%3F.md"),
        ("V", "a\x1b\\\x07b\n.md", "obsidian://open?vault=V&file=a%1B%5C%07b%0A.md"),
        ("V", "50%.md", "obsidian://open?vault=V&file=50%25.md"),
        # Obsidian would open something else, or nothing
        ("", "A.md", ""),
        ("V", "", ""),
        ("V", "/A.md", ""),
        ("V", "A//B.md", ""),
        ("V", "A/../B.md", ""),
        ("V", ".pi/A.md", ""),
        ("V", "C#.md", ""),
        ("V", "A|B.md", ""),
        ("V", "half \udcff.md", ""),
        ("V", "x" * MAX_URI, ""),
    ],
)
def test_an_address_opens_just_that_file(vault, file, uri):
    assert open_uri(vault, file) == uri


@given(st.text(max_size=40), st.text(max_size=80))
def test_whatever_the_names_hold_the_address_is_one_word_of_plain_letters(vault, file):
    uri = open_uri(vault, file)
    if uri:
        assert _SAFE.fullmatch(uri)
        assert parse_qs(urlsplit(uri).query) == {"vault": [vault], "file": [file]}


@pytest.mark.parametrize(("length", "there"), [(MAX_URI, True), (MAX_URI + 1, False)])
def test_an_address_that_no_terminal_takes_is_none(length, there):
    start = len(open_uri("V", "x")) - 1
    assert bool(open_uri("V", "x" * (length - start))) is there
