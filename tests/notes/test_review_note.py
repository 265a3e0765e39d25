"""The note of a project's review guidelines."""

from __future__ import annotations

import pytest

from vaultmem.core.reviewing.guidelines import Standing
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.review import add_to_review, decode_review, is_about, new_review_note

PROJECT = "github.com/acme/tide"


def test_a_new_note_says_whose_it_is_and_has_no_guideline():
    data = new_review_note(PROJECT, "tide")

    assert data == (
        b"---\ntype: review\nproject: github.com/acme/tide\n---\n# Review guidelines of tide\n\n"
    )
    assert decode_review(data) == (PROJECT, ())


def test_lines_are_counted_from_the_notes_first():
    data = b"---\ntype: review\ntags:\n  - mine\n---\n# T\n- One\n"

    (one,) = decode_review(data).guidelines
    assert (one.text, one.line) == ("One", 7)  # the list of the properties is none


@pytest.mark.parametrize(
    ("properties", "path", "project", "its"),
    [
        ("project: github.com/acme/tide\n", "Memory/Review/x.md", PROJECT, True),
        ("project: GitHub.com/Acme/tide\n", "Memory/Review/x.md", PROJECT, True),
        ("project: github.com/acme/other\n", "Memory/Review/tide.md", PROJECT, False),
        ("", "Memory/Review/Tide.md", PROJECT, True),
        ("project:\n", "Memory/Review/tide.md", PROJECT, True),
        ("project:\n  - a\n", "Memory/Review/other.md", PROJECT, False),
        ("", "Memory/Review/tide.md", "tide", True),
    ],
)
def test_whose_a_note_is(properties, path, project, its):
    note = decode_review(f"---\ntype: review\n{properties}---\n- One\n".encode())

    assert is_about(note, path, project) is its


@pytest.mark.parametrize(
    ("before", "proposed", "after"),
    [
        (b"", False, b"- New one.\n"),
        (b"\xef\xbb\xbf- A\r\n", False, b"\xef\xbb\xbf- A\r\n- New one.\r\n"),
        (b"---\nb: 1\n---\n- A\n\nMine.", True, b"---\nb: 1\n---\n- A\n- [ ] New one.\n\nMine."),
        (b"- [ ] new one\n", False, b"- [x] new one\n"),
        (b"- [ ] new one\n", True, b"- [ ] new one\n"),
        (b"- [-] New one.\n", False, b"- [x] New one.\n"),
        (b"- New one\n", False, b"- New one\n"),
    ],
)
def test_one_more_guideline_changes_nothing_else(before, proposed, after):
    assert add_to_review(before, "New one.", proposed=proposed) == after


@pytest.mark.parametrize("data", [b"---\na: [\n---\n- A\n", b"---\na: 1\n- A\n", b"- \xff\n"])
def test_a_note_that_cannot_be_read_says_so_and_stays(data):
    with pytest.raises(NoteUnreadableError):
        decode_review(data)
    with pytest.raises(NoteUnreadableError):
        add_to_review(data, "New.", proposed=False)


def test_standing_is_read():
    marks = [one.standing for one in decode_review(b"- [ ] A\n- B\n- [-] C\n").guidelines]
    assert marks == [Standing.PROPOSED, Standing.HOLDS, Standing.UNWANTED]
