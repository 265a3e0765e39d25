"""Texts without what was purged: whole lines, bullets and paragraphs go, the rest stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.legend import LEGEND, with_legend, without_legend
from vaultmem.core.notebook.unsaid import bare, without_unsaid


def said(text: str) -> bool:
    return bare(text).removeprefix("- ").rstrip(".") in ("Use tabs", "Use tabs always")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("# A\n- Use tabs. [ab12]\n- No.\n", "# A\n- No.\n"),
        ("# A\n- Use\n  tabs. [ab12]\n- No.", "# A\n- No."),
        ("Use\ntabs\n\nNo.\n", "No.\n"),
        ("Use tabs.\nNo.\n", "No.\n"),
        ("Use tabs\nalways", "always"),
        ("```\nUse tabs\n```\n", "```\n```\n"),
        ("", ""),
    ],
)
def test_what_says_it_goes(text, left):
    assert without_unsaid(text, is_unsaid=said) == left


def test_own_lines_stay():
    text = "- Use tabs.\n- Use\n  tabs.\n"
    own = frozenset({"- Use tabs.", "tabs."})
    assert without_unsaid(text, is_unsaid=said, own=own) == text


def test_a_line_is_compared_as_it_was_said():
    assert bare("Use \\#tabs [ab12] [Task 1].") == "Use #tabs."


lines = st.lists(st.sampled_from(["# A", "- x", "  y", "", "```", "z", LEGEND])).map("\n".join)


@given(lines)
def test_where_nothing_says_it_nothing_changes(text):
    assert without_unsaid(text, is_unsaid=lambda _: False) == text


@given(lines)
def test_the_marks_are_explained_once_and_not_in_an_empty_text(text):
    once = with_legend(without_legend(text))
    assert with_legend(without_legend(once)) == once
    assert once.split("\n").count(LEGEND) == bool(without_legend(text).strip())
