"""Paths, lists and lines of the notebook: facts/notebook.md, section 13, rows 21 to 28."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.budget import tokens
from vaultmem.core.notebook.browsing import (
    Entry,
    list_folder,
    read_lines,
    safe_path,
    split_lines,
)
from vaultmem.errors import BrowseError, NoteNotFoundError, UnsafePathError

FILES = ("MEMORY.md", "Skills/tests/SKILL.md", "Skills/tests/scripts/run.py", "memory_summary.md")
GREEK = "alpha\nbeta\ngamma\n"


def names(*given: str, folder: str = "", **options) -> list[str]:
    return [one.path for one in list_folder(given, folder, **options).entries]


# lists


def test_notebook_row_21_the_root_is_listed_shallowly():
    listed = list_folder(FILES, "")

    assert listed.cursor is None
    assert listed.entries == (
        Entry("MEMORY.md", is_folder=False),
        Entry("Skills", is_folder=True),
        Entry("memory_summary.md", is_folder=False),
    )


def test_notebook_row_22_siblings_come_by_name():
    assert names("b.txt", "a.txt", "a/x.md") == ["a", "a.txt", "b.txt"]


def test_notebook_row_23_a_page_names_the_next_one():
    files = ("a", "b", "c", "d")
    first = list_folder(files, "", most=2)

    assert [one.path for one in first.entries] == ["a", "b"]
    assert first.cursor == "2"
    assert list_folder(files, "", most=2, cursor="2") == (
        (Entry("c", is_folder=False), Entry("d", is_folder=False)),
        None,
    )


@pytest.mark.parametrize("cursor", ["bogus", "-1", "1.5", "", "5", "٣", "9999999999"])
def test_notebook_row_24_a_cursor_of_nobody_is_refused(cursor):
    with pytest.raises(BrowseError, match="`cursor`"):
        list_folder(("a", "b", "c", "d"), "", cursor=cursor)


def test_a_cursor_at_the_end_is_an_empty_page():
    assert list_folder(("a",), "", cursor="1") == ((), None)


def test_a_folder_lists_what_lies_in_it_and_a_file_itself():
    assert names(*FILES, folder="Skills/tests/") == [
        "Skills/tests/SKILL.md",
        "Skills/tests/scripts",
    ]
    assert names(*FILES, folder="./Skills") == ["Skills/tests"]
    assert names(*FILES, folder="MEMORY.md") == ["MEMORY.md"]


def test_nothing_is_where_no_folder_is_and_what_is_hidden_is_not_listed():
    assert names(*FILES, folder="Skill") == []
    assert names(".git/HEAD", ".x", "a") == ["a"]


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../MEMORY.md", "Skills/../../x", "C:\\x", "c:x", "\\\\host\\x", "a\0b"]
)
def test_a_path_that_leads_out_is_refused(path):
    with pytest.raises(UnsafePathError, match="never leads upwards"):
        safe_path(path)


@pytest.mark.parametrize("path", [".git/HEAD", "Skills/.hidden", "..."])
def test_what_is_hidden_is_not_there(path):
    with pytest.raises(NoteNotFoundError):
        safe_path(path)


@given(st.text())
def test_a_safe_path_has_one_form_and_leads_nowhere_else(path):
    try:
        safe = safe_path(path)
    except (UnsafePathError, NoteNotFoundError):
        return
    assert safe_path(safe) == safe
    assert not any(part.startswith(".") for part in safe.split("/"))


# lines


def test_notebook_row_25_lines_are_read_from_an_offset_to_the_end():
    read = read_lines("x", GREEK, offset=2)

    assert (read.start, read.text, read.truncated, read.end) == (2, "beta\ngamma\n", False, 3)


def test_notebook_row_26_fewer_lines_say_that_more_follow():
    read = read_lines("x", GREEK, offset=2, most_lines=1)

    assert (read.text, read.truncated, read.next) == ("beta\n", True, 3)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"offset": 0}, "`line_offset` counts"),
        ({"most_lines": 0}, "`max_lines`"),
        ({"most_tokens": 0}, "`max_tokens`"),
        ({"offset": 3}, "The file has 1 line."),
    ],
)
def test_notebook_row_27_numbers_that_cannot_be_are_refused(options, sentence):
    with pytest.raises(BrowseError, match=sentence):
        read_lines("x", "alone\n", **options)


def test_an_empty_file_has_an_empty_first_line():
    read = read_lines("x", "")

    assert (read.text, read.truncated, read.start, read.end) == ("", False, 1, 1)


def test_a_page_ends_with_a_line_and_a_long_line_is_cut():
    assert read_lines("x", "aaaa\nbbbb\n", most_tokens=2).text == "aaaa\n"
    assert read_lines("x", "aaaa\nbbbb\n", most_tokens=1) == ("x", 1, "aaaa", 2)
    assert read_lines("x", "漢字かな\n", most_tokens=2).text == "漢字"


@given(st.text(alphabet="ab漢\n\u2028\r"), st.integers(1, 9), st.integers(1, 9))
def test_pages_together_are_the_file_and_none_is_over_its_room(text, most_lines, most_tokens):
    shown, offset, longest = "", 1, max(map(tokens, split_lines(text)), default=0)
    while True:
        read = read_lines("x", text, offset=offset, most_lines=most_lines, most_tokens=most_tokens)
        assert tokens(read.text) <= most_tokens
        assert len(split_lines(read.text)) <= most_lines
        shown += read.text
        if read.next is None:
            break
        assert read.next > offset
        offset = read.next
    assert shown == text or longest > most_tokens
