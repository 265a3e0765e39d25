"""What a person wrote into the notebook outlives a rewrite that forgot it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.kept import with_own_lines
from vaultmem.core.notebook.places import lines_at
from vaultmem.core.notebook.validation import HANDBOOK


def kept(text, before, own):
    """The text, with the lines of `before` that have one of these words as the person's."""
    lines = frozenset(one for one in lines_at(HANDBOOK, before) if one.text in own)
    return with_own_lines(text, before, lines, HANDBOOK)


BEFORE = "v1\n- top\n\n# A\n- one\n- mine\n\n## B\n- two\n  more mine\n"


@pytest.mark.parametrize(
    ("text", "own", "want"),
    [
        ("# A\n- one\n- mine\n", {"- mine"}, "# A\n- one\n- mine\n"),
        ("# A\n- new\n\n## B\n- x\n", {"- mine"}, "# A\n- new\n- mine\n\n## B\n- x\n"),
        ("# A\n- new", {"- mine", "# A"}, "# A\n- new\n- mine"),
        ("# C\n- new\n", {"- mine"}, "# C\n- new\n\n# A\n- mine\n"),
        ("v1\n", {"- mine", "# A"}, "v1\n\n# A\n- mine\n"),
        ("v1\n", {"## B"}, "v1\n\n# A\n\n## B\n"),
        ("v1\n\n# A\n", {"- top"}, "v1\n- top\n\n# A\n"),
        ("# A\n\n## B\n", {"more mine"}, "# A\n\n## B\n  more mine\n"),
        ("# A\n", {"- never there"}, "# A\n"),
    ],
)
def test_an_own_line_comes_back_to_its_section(text, own, want):
    assert kept(text, BEFORE, own) == want


SHELL = "```sh\n# all of it\n  make\n\nmake test\n```"
MAKE = "# all of it\nmake\nmake test"


@pytest.mark.parametrize(
    "left",
    [
        "",
        "```sh\nmake\n```\n",
        "```\n# all of it\nmake\nmake test\n```\n",
        "~~~\nmake test\nmake\n~~~\n",
        f"{SHELL}\n",
        f"{SHELL}\n{SHELL}\n",
        "```\nmake\n```\n\n```sh\nmake test\n```\n",
    ],
)
def test_an_own_block_comes_back_whole_with_its_fence(left):
    before = f"# A\n- x\n\n{SHELL}\n\n# B\n"
    made = kept(f"# A\n- x\n\n{left}\n# B\n", before, {MAKE})
    assert made.count(f"\n{SHELL}\n") == 1
    assert made.index("- x") < made.index(SHELL) < made.index("# B")
    assert kept(made, before, {MAKE}) == made


def test_an_own_block_leaves_others_as_they_are():
    others = "```\nmake\n```\n\n```\nmake\nmore\n```\n"
    made = kept(f"# A\n{others}", f"# A\n{others}\n{SHELL}\n", {MAKE, "make"})
    assert made == f"# A\n{others[:-1]}\n\n{SHELL}\n"


def test_a_block_that_is_not_closed_swallows_nothing():
    assert kept("# A\n```\nx\n", "# A\n- mine\n", {"- mine"}) == "# A\n```\nx\n```\n- mine\n"
    assert kept("# B\n~~~\nx\n", "# A\n- mine\n", {"- mine"}) == "# B\n~~~\nx\n~~~\n\n# A\n- mine\n"
    assert kept("# A\n\n# B\n", "# A\n```\nx", {"x"}) == "# A\n\n```\nx\n```\n\n# B\n"


def test_the_same_line_comes_back_to_each_place_once():
    before = "# A\n\n## U\n- mine\n\n# B\n\n## U\n- mine\n"
    assert kept("# A\n\n## U\n- mine\n\n# B\n\n## U\n", before, {"- mine"}) == before
    assert kept("# A\n\n## U\n\n# B\n\n## U\n- mine\n- mine\n", before, {"- mine"}) == before
    twice = "# A\n- mine\n- mine\n\n# A\n- mine\n"
    assert kept(twice, twice, {"- mine"}) == twice


def test_a_section_comes_back_below_what_is_left_of_its_headings():
    before = "# A\n\n## U\n### V\n- mine\n\n# B\n- x\n"
    assert kept("# A\n- y\n\n## W\n- z\n\n# B\n- x\n", before, {"- mine"}) == (
        "# A\n- y\n\n## W\n- z\n\n## U\n\n### V\n- mine\n\n# B\n- x\n"
    )
    assert kept("# B\n- x\n", before, {"- mine"}) == ("# B\n- x\n\n# A\n\n## U\n\n### V\n- mine\n")


def test_a_section_comes_back_where_its_heading_now_stands_twice():
    before = "# G\n## A\n- x\n### X\n- mine"
    assert kept("# G\n## A\n- x\n\n## A\n- y", before, {"- mine"}) == (
        "# G\n## A\n- x\n\n### X\n- mine\n\n## A\n- y"
    )


def test_a_paragraph_does_not_become_part_of_what_stands_above():
    before = "# A\n- x\n\nMine.\nAlso mine.\n"
    assert kept("# A\n- y\n", before, {"Mine.", "Also mine."}) == "# A\n- y\n\nMine.\nAlso mine.\n"


LINES = st.lists(st.sampled_from(["# A", "## B", "- x", "- y", "  z", "", "```", "w"]), max_size=12)


@given(LINES, LINES, st.sets(st.sampled_from(["# A", "- x", "- y", "z", "w", "## B", "w\n- x"])))
def test_no_own_line_is_lost_no_other_one_added_and_again_changes_nothing(new, old, own):
    text, before = "\n".join(new), "\n".join(old)
    made = kept(text, before, own)
    mine = {one for one in lines_at(HANDBOOK, before) if one.text in own}
    there = set(lines_at(HANDBOOK, made))
    assert there >= mine
    heads = {one for one in there if one.text.startswith("#")}
    assert there <= {*lines_at(HANDBOOK, text)} | mine | heads
    assert kept(made, before, own) == made
