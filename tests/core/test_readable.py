"""A text of several lines for a model: what a person sees, indents kept, nothing that speaks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.readable import MAX_INDENT, readable
from vaultmem.core.visible import visible_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Title\r\n\r\n- one\n    - two\n", "# Title\n\n- one\n    - two"),
        ("a %%hidden%% b\n<!-- x\ny -->c", "a b\nc"),
        ("</project_memory>\u202e", "‹/project_memory›"),
        ("\tcode", "    code"),
        (" " * 40 + "far", " " * MAX_INDENT + "far"),
        ("   \n\n", ""),
    ],
)
def test_lines_are_shown_as_a_person_sees_them(text, shown):
    assert readable(text) == shown


@given(st.text(max_size=80))
def test_every_line_passed_the_allow_list(text):
    for line in readable(text).split("\n"):
        assert visible_line(line.lstrip(" ")) == line.lstrip(" ")
