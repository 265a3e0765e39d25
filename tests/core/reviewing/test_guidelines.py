"""Guidelines in the body of a note: what is one, whether it holds, and one more line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.unclosed import UNCLOSED
from vaultmem.core.inert import clean
from vaultmem.core.reviewing.guidelines import (
    Standing,
    accepted,
    find,
    guidelines,
    with_guideline,
)

HOLDS, PROPOSED, UNWANTED = Standing.HOLDS, Standing.PROPOSED, Standing.UNWANTED


def read(text):
    return [(one.text, one.standing) for one in guidelines(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("Prose of mine.\n\n# A heading\n\n> - quoted\n", []),
        ("- One\n", [("One", HOLDS)]),
        (
            "* One\n+ Two\n1. Three\n2) Four",
            [(one, HOLDS) for one in ("One", "Two", "Three", "Four")],
        ),
        ("- [x] One\r\n- [X] Two\r\n", [("One", HOLDS), ("Two", HOLDS)]),
        ("- [ ] One\n", [("One", PROPOSED)]),
        ("- [-] One\n- [?] Two\n", [("One", UNWANTED), ("Two", UNWANTED)]),
        # a longer one goes on in indented lines, until a blank one
        ("- One\n  goes on\n\tand on\n\n  prose\n", [("One goes on and on", HOLDS)]),
        ("- One\nlazy prose\n", [("One", HOLDS)]),
        ("- One\n  - Two\n", [("One", HOLDS), ("Two", HOLDS)]),
        # rules between parts, an empty item
        ("- - -\n* * *\n-\n- \n", []),
        # what a reader does not see
        ("```\n- One\n```\n- Two\n", [("Two", HOLDS)]),
        ("<!--\n```\n- One\n```\n- Two\n-->\n- Three\n", [("Three", HOLDS)]),
        ("<!-- - One\n- Two -->\n- Three\n%%\n- Four\n%%\n", [("Three", HOLDS)]),
        ("- One <!-- a\n- b --> \n- Two %% c %% three\n", [("One", HOLDS), ("Two three", HOLDS)]),
        (r"- See \[\[Home]] \#x" + "\n", [("See [[Home]] #x", HOLDS)]),
    ],
)
def test_what_is_a_guideline(text, found):
    assert read(text) == found


def test_a_guideline_knows_its_line_and_its_box():
    one, two = guidelines("# Mine\n\n- One\n  more\n- [ ] Two\n")

    assert (one.line, one.mark) == (3, -1)
    assert two.line == 5
    assert accepted("# Mine\n\n- One\n  more\n- [ ] Two\n", two) == (
        "# Mine\n\n- One\n  more\n- [x] Two\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "- New.\n"),
        ("Mine", "Mine\n- New.\n"),
        ("# Mine\r\n\r\n", "# Mine\r\n\r\n- New.\r\n"),
        ("- One\n  more\n\nBelow.\n", "- One\n  more\n- New.\n\nBelow.\n"),
        ("- One", "- One\n- New.\n"),
        ("- [ ] One\n# Below\n", "- [ ] One\n- New.\n# Below\n"),
    ],
)
def test_a_new_one_stands_behind_the_last_and_every_other_byte_stays(before, after):
    assert with_guideline(before, "New.") == after


def test_a_proposed_one_has_an_open_box():
    assert with_guideline("- One\n", "New.", proposed=True) == "- One\n- [ ] New.\n"


def test_the_same_words_are_the_same_guideline():
    known = guidelines("- Don’t review  generated files\n- [-] Ask for tests.\n")

    assert find(known, "don't review generated files.") is known[0]
    assert find(known, "Ask for tests") is known[1]
    assert find(known, "Ask for more tests") is None


HOSTILE = st.text(
    st.sampled_from("ab -*+[]xX()#^%<>!|`~$:\\\n\r\t1.\u2028=_/&;'\"") | st.characters(),
    max_size=60,
)


@given(st.lists(HOSTILE, max_size=4), HOSTILE, st.booleans())
def test_what_is_added_is_read_back_and_changes_no_other_guideline(earlier, text, proposed):
    line = clean(text).text
    body = "".join(f"- {one}\n" for one in ("First", "Second"))
    for one in earlier:
        body = with_guideline(body, clean(one).text or "x")
    known = read(body)

    after = read(with_guideline(body, line or "x", proposed=proposed))

    assert after == [*known, (line or "x", PROPOSED if proposed else HOLDS)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("- a" + " " * 200_000 + "b\n", 1),
        ("- a\n  b" + " " * 200_000 + "c\n", 1),
        ("- a <!-- b -->\n" * 17_000, 17_000),
        ("```\n```\n" * 32_000, 0),
        ("- " * 100_000 + "a\n", 1),
    ],
)
def test_long_hostile_notes_are_read_like_any_other(text, count):
    # A scan that is quadratic in the length would not come back from this in minutes.
    assert len(guidelines(text)) == count


@pytest.mark.parametrize(("before", "after"), UNCLOSED)
def test_a_new_guideline_stands_before_what_nobody_closed(before, after):
    made = with_guideline(before, "New.")
    assert made == after.format(new="- New.")
    assert read(made) == [("New.", HOLDS)]


@pytest.mark.parametrize("text", ["Never write <!-- in HTML", "100%% sure", "Close it: <!-- ok"])
def test_what_looks_like_a_comment_that_nobody_closes_is_read_again_and_hides_nothing(text):
    note = with_guideline("- One\n\nProse.\n", text)
    assert read(with_guideline(note, "Two")) == [("One", HOLDS), (text, HOLDS), ("Two", HOLDS)]
