"""Search in the notebook: facts/notebook.md, section 13, rows 29 to 31, and its section 8."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.text_search import MatchMode, Question, search_texts
from vaultmem.errors import BrowseError

TEXT = "alpha\nneedle\nomega\n"


def found(text: str, *queries: str, **options):
    return search_texts([("MEMORY.md", text)], Question(queries, **options)).matches


def lines(text: str, *queries: str, **options):
    return [(one.line, one.text, one.queries) for one in found(text, *queries, **options)]


def test_notebook_row_29_lines_around_a_match_are_shown():
    (match,) = found(TEXT, "needle", context=1)

    assert (match.line, match.start, match.text) == (2, 1, "alpha\nneedle\nomega")


def test_notebook_row_30_any_question_matches_and_is_named():
    assert lines("Alpha\nNEEDLE\nalpha needle\nomega", "alpha", "needle") == [
        (1, "Alpha", ("alpha",)),
        (2, "NEEDLE", ("needle",)),
        (3, "alpha needle", ("alpha", "needle")),
    ]


def test_notebook_row_31_all_questions_within_a_few_lines_are_one_match():
    (match,) = found(
        "alpha\nmiddle\nneedle\n", "alpha", "needle", mode=MatchMode.WITHIN_LINES, line_count=3
    )

    assert (match.line, match.text) == (1, "alpha\nmiddle\nneedle")
    assert match.queries == ("alpha", "needle")


@pytest.mark.parametrize(
    ("text", "count", "starts"),
    [
        ("a\nx\nb", 2, []),  # too far apart
        ("a\na\nb\nb", 2, [2]),  # the smallest of three that would do
        ("a\nb\na", 2, [1, 2]),
        ("a b\nx\na\nb", 3, [1, 3]),  # one line is enough
        ("a\nx\nx\nb\na", 2, [4]),
    ],
)
def test_only_the_smallest_windows_are_matches(text, count, starts):
    found_there = found(text, "a", "b", mode=MatchMode.WITHIN_LINES, line_count=count)

    assert [one.line for one in found_there] == starts


def test_all_on_one_line():
    text = "alpha needle\nalpha\nneedle\n"

    assert [one[0] for one in lines(text, "alpha", "needle", mode=MatchMode.SAME_LINE)] == [1]


def test_case_and_separators_count_only_where_they_are_asked_to():
    assert lines(TEXT, "NEEDLE", case_sensitive=True) == []
    assert lines("retry-limit\n", "Retry_Limit") == []
    assert [one[0] for one in lines("retry-limit\n", "Retry_Limit", normalized=True)] == [1]


def test_a_question_is_no_pattern():
    assert lines("axb\na.b\n", "a.b") == [(2, "a.b", ("a.b",))]


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (Question(()), "`queries` is missing"),
        (Question(("x", " ")), "`queries` is missing"),
        (Question(("--",), normalized=True), "`queries` is missing"),
        (Question(("x",), line_count=0), "`line_count`"),
        (Question(("x",), context=-1), "`context_lines`"),
    ],
)
def test_a_question_that_cannot_be_is_refused(question, sentence):
    with pytest.raises(BrowseError, match=sentence):
        search_texts([], question)


def test_matches_come_by_path_and_line_in_pages():
    texts = [("b.md", "x\nx"), ("a.md", "x")]
    first = search_texts(texts, Question(("x",)), most=2)

    assert [(one.path, one.line) for one in first.matches] == [("a.md", 1), ("b.md", 1)]
    assert first.cursor == "2"
    rest = search_texts(texts, Question(("x",)), most=2, cursor="2")
    assert ([(one.path, one.line) for one in rest.matches], rest.cursor) == ([("b.md", 2)], None)


@given(st.lists(st.text(alphabet="ab c")), st.integers(1, 5))
def test_a_window_holds_all_questions_and_none_smaller_does(every, count):
    for one in found("\n".join(every), "a", "b", mode=MatchMode.WITHIN_LINES, line_count=count):
        shown = one.text.split("\n")
        assert len(shown) <= count
        assert "a" in one.text
        assert "b" in one.text
        for smaller in ("\n".join(shown[1:]), "\n".join(shown[:-1])):
            assert "a" not in smaller or "b" not in smaller
