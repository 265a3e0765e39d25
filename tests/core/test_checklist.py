"""A checklist in a note: what is an item, and that a change moves no other byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.unclosed import UNCLOSED
from vaultmem.core.checklist import find_item, items, with_item, with_mark, without_done
from vaultmem.core.scratchpad import open_items

NOTE = """---
type: scratchpad
---
# Open

- [ ] Measure the pooler
* [x] Done already
1. [X] Done too
Prose stays.
- [y] no mark of ours
- [ ]not an item
```
- [ ] in a fence
```
%%
- [ ] in a comment
%%
<!-- - [ ] in another -->
  - [ ] nested \\#one
"""


def test_items_are_told_in_their_order():
    assert [(one.text, one.done) for one in items(NOTE)] == [
        ("Measure the pooler", False),
        ("Done already", True),
        ("Done too", True),
        ("nested #one", False),
    ]


@pytest.mark.parametrize(
    ("part", "done", "found"),
    [
        ("pooler", False, "Measure the pooler"),
        ("MEASURE  THE", False, "Measure the pooler"),
        ("done", True, "Done already"),
        ("Done too", True, "Done too"),
        ("done", False, None),
        ("fence", False, None),
    ],
)
def test_an_item_is_found_by_a_part_of_its_words_an_equal_one_first(part, done, found):
    one = find_item(NOTE, part, done=done)

    assert (one.text if one else None) == found


def test_a_tick_changes_one_character():
    item = find_item(NOTE, "pooler", done=False)

    ticked = with_mark(NOTE, item, done=True)

    assert ticked == NOTE.replace("- [ ] Measure", "- [x] Measure")
    again = find_item(ticked, "pooler", done=True)
    assert with_mark(ticked, again, done=False) == NOTE


def test_what_is_done_goes_with_its_line_and_nothing_else():
    left = NOTE.replace("* [x] Done already\n", "").replace("1. [X] Done too\n", "")

    assert without_done(NOTE) == left
    assert without_done(left) == left


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "- [ ] new\n"),
        ("Prose", "Prose\n- [ ] new\n"),
        ("- [ ] a\nProse\n", "- [ ] a\n- [ ] new\nProse\n"),
        ("- [ ] a\r\nProse\r\n", "- [ ] a\r\n- [ ] new\r\nProse\r\n"),
        ("- [ ] a", "- [ ] a\n- [ ] new\n"),
        ("Prose\r\n", "Prose\r\n- [ ] new\r\n"),
        ("- [ ] a %% b\nc\n", "- [ ] new\n- [ ] a %% b\nc\n"),
    ],
)
def test_a_new_item_stands_behind_the_last_one(before, after):
    assert with_item(before, "new") == after


@given(st.text(alphabet="-*[] xX\nab`%", max_size=60))
def test_an_added_item_is_there_and_the_other_lines_stay(text):
    after = with_item(text, "new")

    assert "new" in [one.text for one in items(after)]
    kept = [line for line in after.splitlines() if line != "- [ ] new"]
    assert kept == [line for line in text.splitlines() if line != "- [ ] new"]


@pytest.mark.parametrize(
    "text",
    [
        "- [ ] a" + " " * 200_000 + "b",
        "- [ ] a <!-- b -->\n" * 20_000,
        "```\n```\n" * 40_000,
        "<!-- a\n" * 40_000,
        "\n" * 200_000,
    ],
)
def test_long_hostile_notes_are_read_like_any_other(text):
    # A scan that is quadratic in the length would not come back from this in minutes.
    assert len(items(text)) == text.count("- [ ]")
    assert len(open_items(text)) == text.count("- [ ]")


def test_a_comment_that_nobody_closes_hides_the_rest_from_both():
    text = "- [ ] seen\n<!-- a note to myself\n- [ ] not seen\n"
    assert [one.text for one in items(text)] == ["seen"]
    assert open_items(text) == ("seen",)


@pytest.mark.parametrize(("before", "after"), UNCLOSED)
def test_a_new_item_stands_before_what_nobody_closed(before, after):
    made = with_item(before, "new")
    assert made == after.format(new="- [ ] new")
    assert [one.text for one in items(made)] == ["new"]
