"""The name of a session's card."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.stem import MAX_SLUG, card_stem, short_hash, slug_of, watermark_of

SESSION = "0194f5a6-89ab-7cde-8123-456789abcdef"
NOON = 1_700_000_000.0


def test_the_known_vector():
    assert card_stem(SESSION, NOON, None) == "2025-02-11T15-35-19-jqmb"


def test_a_slug_is_made_safe_for_a_file_and_cut():
    slug = "Unsafe Slug/With Spaces & Symbols + EXTRA_LONG_12345_67890_ABCDE_fghij_klmno"
    made = "unsafe_slug_with_spaces___symbols___extra_long_12345_67890_a"
    assert card_stem(SESSION, NOON, slug) == f"2025-02-11T15-35-19-jqmb-{made}"
    assert len(made) == MAX_SLUG


@pytest.mark.parametrize("slug", [None, "", "___", " / "])
def test_notebook_row_11_a_stem_without_slug_has_no_suffix(slug):
    assert card_stem(SESSION, NOON, slug) == "2025-02-11T15-35-19-jqmb"


@pytest.mark.parametrize(
    "session",
    [
        "not a uuid",
        "0194f5a6-89ab-4cde-8123-456789abcdef",  # version 4 tells no time
        "00000000-0000-7cde-8123-456789abcdef",  # 1970 is no time either
        "ffffffff-ffff-7cde-8123-456789abcdef",  # and this is the year 10889
    ],
)
def test_a_session_whose_id_tells_no_time_is_named_by_its_last_change(session):
    assert card_stem(session, NOON, None).startswith("2023-11-14T22-13-20-")


def test_ids_that_are_no_uuid_have_hashes_of_their_own():
    first, second = (card_stem(one, NOON, None) for one in ("abc", "abd"))
    assert short_hash(first) != short_hash(second)


@pytest.mark.parametrize(
    ("stem", "found"),
    [
        ("2025-02-11T15-35-19-jqmb", "jqmb"),
        ("2025-02-11T15-35-19-jqmb-a_slug", "jqmb"),
        ("2025-02-11T15-35-19", ""),
        ("2025-02-11T15-35-19-jq-b", ""),
        ("2025-02-11T15-35-19xjqmb", ""),
        ("", ""),
    ],
)
def test_the_hash_of_a_stem(stem, found):
    assert short_hash(stem) == found


@given(st.text(), st.floats(), st.none() | st.text())
def test_any_session_has_a_stem_that_every_disk_takes(session, watermark, slug):
    stem = card_stem(session, watermark, slug)
    assert stem.isascii()
    assert len(stem) <= 24 + 1 + MAX_SLUG
    assert set(stem.lower()) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")
    assert short_hash(stem) == stem[20:24]


@given(st.none() | st.text())
def test_a_slug_stays_as_it_is_made(text):
    assert slug_of(slug_of(text)) == slug_of(text)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, 1e18])
def test_a_moment_outside_of_every_calendar_is_none(value):
    assert watermark_of(value) == 0.0
