"""What a worker wrote stays Markdown and acts on nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.core.test_inert import PIECES
from vaultmem.core.notebook.inert_text import inert_markdown

NOBODY: frozenset[str] = frozenset()


def inert(text, own=NOBODY):
    return inert_markdown(text, own=own, is_note=lambda name: name == "Real")


@pytest.mark.parametrize(
    "text",
    [
        "# Task Group: builds",
        "scope: the build",
        "- Use `make -j2`, not *ninja*. [Task 1] [jqmb]",
        "  - deeper",
        "1. First",
        "- See [[Real]] and [[Real#Part|that]].",
        "```\ncode <b> [[x]]\n```",
        "~~~\n\n~~~",
        "",
        "- exact: `TypeError: List<String>`",
    ],
)
def test_what_acts_on_nothing_stays(text):
    assert inert(text) == text


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("- ![[x]]", "- !\\[\\[x]]"),
        ("- [[Fake]]", "- \\[\\[Fake]]"),
        ("- ![[Real]]", "- !\\[\\[Real]]"),
        ("- a <% tp %>", "- a \\< % tp %>"),
        ("- [ ] task", "- \\[ ] task"),
        ("- a %%b%% c", "- a c"),
        ("<!-- x -->y", "y"),
        ("a #tag", "a \\#tag"),
        ("key:: value", "key:\\: value"),
        ("> [!warning] x", "\\> \\[!warning] x"),
        ("```dataviewjs\nx\n```", "```\nx\n```"),
        ("- a\n    ```js\n  <% x %>\n    ```", "- a\n```\n  < % x %>\n```"),
        ("- ```js\nx", "- \\`\\`\\`js\nx"),
        ("`= this.x`", "\\`= this.x\\`"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("```\n\x00x\n```", "```\nx\n```"),
        ("\tx", "    x"),
        ("- [[Real]] [[Fake]]", "- [[Real]] \\[\\[Fake]]"),
    ],
)
def test_what_would_act_is_escaped(text, want):
    assert inert(text) == want


def test_a_persons_line_stays_but_its_fence_goes_to_the_margin():
    own = frozenset({"- mine [[x]] #tag", "```dataview", "```"})
    text = "- mine [[x]] #tag\n  ```dataview\n  x\n  ```"
    assert inert(text, own) == "- mine [[x]] #tag\n```dataview\n  x\n```"


HARMLESS = {
    "text", "code_inline", "em_open", "em_close", "strong_open", "strong_close", "s_open",
    "s_close", "text_special", "softbreak", "hardbreak",
}  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
def test_nothing_but_words_code_and_emphasis_is_left_and_again_changes_nothing(text):
    made = inert(text)
    assert inert(made) == made
    for token in MarkdownIt("commonmark").parse(made):
        if token.type == "fence":
            assert token.info == ""
        assert token.type != "html_block"
        assert {child.type for child in token.children or ()} <= HARMLESS, made
    assert "<%" not in made.replace("\\<", "")
