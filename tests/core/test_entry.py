"""Lines of topic files are read as they are written, and known by the odd hash of the facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.category import Category
from vaultmem.core.importing.entry import Entry, entry_key, entry_line, read_entry

WORDS = st.lists(st.text(st.characters(exclude_categories=("Z", "C")), min_size=1), min_size=1).map(
    " ".join
)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("- [lesson] test rule", "5ece00d0"),
        ("- [lesson] Never use `git add .`", "b22fcb46"),
        ("- [preference] Always use uv run", "1b82e218"),
    ],
)
def test_the_keys_are_those_that_the_facts_were_checked_for(text, key):
    category, said = text.removeprefix("- [").split("] ", 1)
    assert entry_key(category, said) == key


@given(st.text())
def test_every_text_has_a_key_of_eight_digits(text):
    key = entry_key("lesson", text)
    assert len(key) == 8
    assert int(key, 16) >= 0


@given(st.sampled_from(Category), WORDS, st.booleans(), st.booleans())
def test_an_entry_that_was_written_is_read(category, text, pinned, enforced):
    entry = Entry(
        category,
        text.replace("*(pinned)*", "").replace("*(enforced)*", "") or "x",
        pinned,
        enforced,
    )
    plain = entry._replace(text=" ".join(entry.text.split()) or "x")
    assert read_entry(entry_line(plain)) == plain


@given(st.text(), st.booleans())
def test_no_text_pins_itself(text, pinned):
    found = read_entry(entry_line(Entry(Category.LESSON, text, pinned)))
    assert found is None or found.pinned is pinned


@pytest.mark.parametrize(
    "line",
    [
        "- [hint] A.",
        "- [lesson]A.",
        "- [lesson]  A.",
        " - [lesson] A.",
        "* [lesson] A.",
        "- [lesson] ",
        "- [lesson] *(pinned)*",
        "- [ ] A.",
    ],
)
def test_other_lines_are_no_entries(line):
    assert read_entry(line) is None


def test_a_marker_counts_wherever_it_stands():
    assert read_entry("- [lesson] A *(pinned)* rule *(enforced)*") == Entry(
        Category.LESSON, "A rule", pinned=True, enforced=True
    )


def test_a_long_line_of_blanks_is_read_like_any_other():
    # A scan that is quadratic in the length would not come back from this in minutes.
    found = read_entry("- [lesson] a" + " " * 200_000 + "b *(pinned)*")
    assert found is not None
    assert (len(found.text), found.pinned) == (200_002, True)
