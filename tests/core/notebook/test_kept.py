"""What a person wrote into the notebook outlives a rewrite that forgot it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.kept import with_own_lines

BEFORE = "v1\n- top\n\n# A\n- one\n- mine\n\n## B\n- two\n  more mine\n"


@pytest.mark.parametrize(
    ("text", "own", "want"),
    [
        ("# A\n- one\n- mine\n", {"- mine"}, "# A\n- one\n- mine\n"),
        ("# A\n- new\n\n## B\n- x\n", {"- mine"}, "# A\n- new\n- mine\n\n## B\n- x\n"),
        ("# A\n- new", {"- mine", "# A"}, "# A\n- new\n- mine"),
        ("# C\n- new\n", {"- mine"}, "# C\n- new\n\n# A\n- mine\n"),
        ("v1\n", {"- mine", "# A"}, "v1\n\n# A\n- mine\n"),
        ("v1\n", {"## B"}, "v1\n\n## B\n"),
        ("v1\n\n# A\n", {"- top"}, "v1\n- top\n\n# A\n"),
        ("# A\n\n## B\n", {"more mine"}, "# A\n\n## B\n  more mine\n"),
        ("# A\n", {"- never there"}, "# A\n"),
    ],
)
def test_an_own_line_comes_back_to_its_section(text, own, want):
    assert with_own_lines(text, BEFORE, frozenset(own)) == want


def test_the_marks_of_an_own_block_do_not_come_back_alone():
    before = "# A\n```\nmake\n```\n"
    assert with_own_lines("# A\n", before, frozenset({"```", "make"})) == "# A\nmake\n"


LINES = st.lists(st.sampled_from(["# A", "## B", "- x", "- y", "  z", "", "```", "w"]), max_size=12)


@given(LINES, LINES, st.frozensets(st.sampled_from(["# A", "- x", "- y", "z", "w", "## B"])))
def test_no_own_line_is_lost_no_other_one_added_and_again_changes_nothing(new, old, own):
    text = "\n".join(new)
    made = with_own_lines(text, "\n".join(old), own)
    lines = {line.strip() for line in made.split("\n")}
    assert lines >= {line.strip() for line in (*new, *old)} & own
    assert lines - {""} <= {line.strip() for line in new} | own | {"# A", "## B"}
    assert with_own_lines(made, "\n".join(old), own) == made
