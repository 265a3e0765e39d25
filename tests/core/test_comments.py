"""What a reader of a note does not see, and what only looks like it."""

from __future__ import annotations

import pytest

from vaultmem.core.comments import comments, with_blank_comments, without_comments
from vaultmem.core.inert import clean, escape_inline


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <!-- b --> c", "a  c"),
        ("a %%b%% c", "a  c"),
        ("a <!-- b", "a "),
        ("a %% b\nc", "a "),
        ("a\n<!--\nb\n-->\nc", "a\n\nc"),
        # escaped, as captured text is spelled: no comment; a backslash of its own escapes nothing
        (r"a \<!-- b", r"a \<!-- b"),
        (r"a \%\% b", r"a \%\% b"),
        (r"a \\<!-- b", "a \\\\"),
        (r"a \\\<!-- b %%c%%", r"a \\\<!-- b "),
    ],
)
def test_comments_go_and_escaped_marks_stay(text, left):
    assert without_comments(text) == left
    assert "".join(with_blank_comments(text).split("\n")) == left.replace("\n", "")
    assert with_blank_comments(text).count("\n") == text.count("\n")
    cut = text
    for start, end in reversed(list(comments(text))):
        cut = cut[:start] + cut[end:]
    assert cut == left


@pytest.mark.parametrize("text", ["x <!-- y", "x %% y", "<!--", "100%% sure", "a --> b"])
def test_nothing_that_we_spell_is_a_comment(text):
    spelled = escape_inline(text)
    assert without_comments(spelled) == spelled
    assert clean(text).text
