"""Names of ad-hoc notes, and whether the user asked for one; more in tests of `remember_note`."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.ad_hoc import MOST_ALIKE, asked_to_keep, note_names
from vaultmem.errors import CaptureRefusedError

AT = datetime(2026, 5, 26, 13, 42, 8)
FORM = re.compile(r"2026-05-26T13-42-08-[a-z0-9-]{1,80}")


def test_names_of_one_title_and_second_are_numbered_and_end():
    names = list(note_names("Pooler & more", AT))

    assert names[:2] == ["2026-05-26T13-42-08-pooler-more", "2026-05-26T13-42-08-pooler-more-2"]
    assert len(set(names)) == len(names) == MOST_ALIKE


def test_a_whole_name_has_no_other():
    assert list(note_names(" 2026-01-02T03-04-05-x.md ", AT)) == ["2026-01-02T03-04-05-x"]


@given(st.text())
def test_any_title_makes_names_of_the_form_or_is_refused(title):
    try:
        names = list(note_names(title, AT))
    except CaptureRefusedError:
        return
    for name in names:
        assert FORM.fullmatch(name) or names == [title.strip().removesuffix(".md")]
        assert 24 <= len(f"{name}.md") <= 128


@pytest.mark.parametrize(
    ("said", "quote", "asked"),
    [
        ("Don't forget the pooler.", "", True),
        ("Schreib mir das auf", "schreib MIR das", True),
        ("Schreib mir das auf", "mir auf", False),
        ("Schreib mir das auf", "", False),
        ("", "", False),
    ],
)
def test_the_user_asks_in_known_words_or_in_quoted_ones(said, quote, asked):
    assert asked_to_keep((said,), quote) is asked
