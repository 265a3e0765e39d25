"""Texts without what was purged: whole lines, bullets and paragraphs go, the rest stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.legend import LEGEND, with_legend, without_legend
from vaultmem.core.notebook.unsaid import forms, without_unsaid


def said(text: str) -> bool:
    said = {one.removeprefix("- ") for one in forms(text)}
    return not said.isdisjoint({"Use tabs", "Use tabs always"})


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


@pytest.mark.parametrize(
    "line",
    [
        "Use \\#tabs [ab12] [Task 1].",
        "`Use #tabs` [ab12]",
        "**Use #tabs.** [ab12]",
        "Use **#tabs** [ab12]",
        "_Use_ *#tabs*! [ab12]",
        "***Use #tabs***",
        "~~Use #tabs~~ ==Use #tabs==",
        '"Use #tabs." [ab12]',
        "“Use #tabs!”",
        "«Use #tabs»",
        "'Use #tabs'",
        "‘Use #tabs’",
        "The user said: `Use #tabs.` [ab12]",
        "| when | Use #tabs. | always |",
        "|Use #tabs|",
        "Use #tabs …",
        "Use #tabs:",
        "<b>Use #tabs</b>",
        "[[Use #tabs]]",
        "[Use #tabs.](x)",
        "\\*\\*Use #tabs\\*\\*",
    ],
)
def test_a_line_is_compared_as_it_was_said_however_it_is_set_off(line):
    assert "Use #tabs" in forms(line)


def test_what_belongs_to_the_words_stays_in_a_form():
    assert "Use snake_case_names" in forms("**Use snake_case_names** [ab12]")
    assert "Run `make`." in forms("Run `make`. [ab12]")
    for line in ("**Run `make`** [ab12]", 'He said: "Run `make`."', "| Run `make` | x |"):
        assert "Run `make`" in forms(line)
    assert "Use 'tabs'" in forms("**Use 'tabs'**.")


lines = st.lists(st.sampled_from(["# A", "- x", "  y", "", "```", "z", LEGEND])).map("\n".join)


@given(lines)
def test_where_nothing_says_it_nothing_changes(text):
    assert without_unsaid(text, is_unsaid=lambda _: False) == text


@given(lines)
def test_the_marks_are_explained_once_and_not_in_an_empty_text(text):
    once = with_legend(without_legend(text))
    assert with_legend(without_legend(once)) == once
    assert once.split("\n").count(LEGEND) == bool(without_legend(text).strip())
