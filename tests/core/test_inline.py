"""Code spans are those of CommonMark, and what is hidden is found outside them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.examples import many
from vaultmem.core.inline import Span, Ticks, code_spans, visible_part

ticked = st.lists(
    st.sampled_from(["`", "``", "```", "a", " b", "\\", "\\`", "\\\\", "*", "c "]), max_size=12
).map("".join)


@many(4)
@given(ticked)
def test_code_spans_are_those_that_markdown_it_finds(text: str) -> None:
    source = f"x{text}"
    paragraph = MarkdownIt("commonmark").parseInline(source)[0]
    expected = [
        (child.content.strip(), len(child.markup))
        for child in paragraph.children or []
        if child.type == "code_inline"
    ]
    found = [
        (source[span.start + span.ticks : span.end - span.ticks].strip(), span.ticks)
        for span in code_spans(source, source=True)
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "source", "spans"),
    [
        ("no ticks", True, []),
        ("a `b` c", True, [Span(2, 5, 1)]),
        ("`` a ` b ``", True, [Span(0, 11, 2)]),
        ("` a `` b", True, []),
        (r"\`a`", True, []),
        (r"\`a`", False, [Span(1, 4, 1)]),
        (r"`a\`", True, [Span(0, 4, 1)]),
    ],
)
def test_spans(text: str, source: bool, spans: list[Span]) -> None:
    assert code_spans(text, source=source) == spans


def test_the_next_run_of_that_length_closes() -> None:
    ticks = Ticks("` `` ` ``")
    assert ticks.close(1, 1) == 6
    assert ticks.close(4, 2) == 9
    assert ticks.close(7, 2) == 9
    assert ticks.close(8, 2) is None
    assert ticks.close(0, 3) is None


@pytest.mark.parametrize(
    ("text", "text_kept", "source_kept"),
    [
        ("a <word> b", "a <word> b", "a  b"),
        (r"a \<b> c", "a \\ c", r"a \<b> c"),
        ("a %% b", "a %% b", "a "),
        (r"a \%% b", r"a \%% b", r"a \%% b"),
        (r"a \%%% b", r"a \%%% b", r"a \%"),
        ("`<b>`<i>", "`<b>`", "`<b>`"),
        ("a < b > c <1> <=", "a < b > c <1> <=", "a < b > c <1> <="),
        ("<B CLASS=x>shout</B >z", "z", "z"),
        ("<img class=x>z", "z", "z"),
        ("<details><summary>a</summary>b</details>", "ab", "ab"),
        ("<https://a.b>", "<https://a.b>", "<https://a.b>"),
    ],
)
def test_plain_text_and_markdown_source_hide_different_things(
    text: str, text_kept: str, source_kept: str
) -> None:
    assert visible_part(text, source=False).text == text_kept
    assert visible_part(text, source=True).text == source_kept
