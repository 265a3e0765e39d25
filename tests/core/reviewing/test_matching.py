"""Which skipped comment a new one repeats."""

from __future__ import annotations

import pytest

from vaultmem.core.reviewing.comment import (
    CommentStatus,
    PullRequest,
    ReviewComment,
    StoredComment,
)
from vaultmem.core.reviewing.matching import NEAR_LINES, Likeness, match

BODY = "The result of load_config() may be null here, so check it before it is used."
REWORDED = "The result of load_config() may be null, so check it here before it is used again."


def skipped(body=BODY, *, path="src/a.py", line=10, number=1):
    comment = ReviewComment(
        path=path, line=line, body=body, status=CommentStatus.SKIPPED, skip_reason="Checked above."
    )
    return StoredComment(number, "abc", comment)


def new(body=BODY, *, path="src/a.py", line=10):
    return ReviewComment(path=path, line=line, body=body)


@pytest.mark.parametrize(
    ("comment", "likeness", "drift"),
    [
        (new(), Likeness.SAME, 0),
        (new(line=900), Likeness.SAME, 890),  # the code moved; the words did not change
        (new(line=None), Likeness.SAME, None),
        (new(path="./src/a.py"), Likeness.SAME, 0),
        (new(path="src\\a.py"), Likeness.SAME, 0),
        (new(f"Line 37: {BODY}", line=37), Likeness.SAME, 27),  # the colon does not count
        (new(f"{BODY.upper()}!"), Likeness.SAME, 0),
        (new(REWORDED, line=10 + NEAR_LINES), Likeness.ALIKE, NEAR_LINES),
        (new(REWORDED, line=None), Likeness.ALIKE, None),
        (new(BODY.replace("load_config()", "`load_config()`")), Likeness.SAME, 0),
        (
            new("load_config() may return null, so check the result before it is used here."),
            Likeness.ALIKE,
            0,
        ),
        (
            new("Check the result of `load_config` here before it is used: it may be null."),
            Likeness.ALIKE,
            0,
        ),
    ],
)
def test_it_is_the_same_comment(comment, likeness, drift):
    found = match(comment, [skipped()])

    assert found is not None
    assert (found.likeness, found.drift) == (likeness, drift)
    assert found.skipped.comment.skip_reason == "Checked above."


@pytest.mark.parametrize(
    "comment",
    [
        new(path="src/b.py"),
        new(REWORDED, line=10 + NEAR_LINES + 1),
        new("Name the constant."),
        new(BODY.replace("load_config", "load_users")),  # another name
        new(BODY.replace("may be", "is never")),  # another claim
        new(BODY.replace("may be", "can't be")),
        new(BODY.replace("null", "NULL, see RFC 12,")),
        new(""),
    ],
)
def test_it_is_another_comment(comment):
    assert match(comment, [skipped()]) is None


def test_without_words_nothing_is_repeated():
    assert match(new(""), [skipped("")]) is None
    assert match(new("!"), [skipped("?")]) is None


def test_the_nearest_is_told_and_of_two_the_newer():
    old = [
        skipped(REWORDED, number=1),
        skipped(line=200, number=2),
        skipped(line=12, number=3),
        skipped(line=12, number=4),
    ]

    found = match(new(), old)

    assert found is not None
    assert found.skipped.id == 4


def test_a_pull_request_is_written_as_people_write_it():
    assert str(PullRequest("acme", "tide", 12)) == "acme/tide#12"


@pytest.mark.parametrize("piece", ["a", "_", "A", "`", "a.", "line ", "1"])
def test_long_hostile_comments_are_matched_like_any_other(piece):
    # A scan that is quadratic in the length would not come back from this in minutes.
    body = "one two three four " + piece * 200_000
    found = match(new(body + " five"), [skipped(body + " six seven")])
    assert found is None or found.likeness is Likeness.ALIKE
