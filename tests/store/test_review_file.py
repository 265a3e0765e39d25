"""A review in a JSON file: all of it right, or none of it."""

from __future__ import annotations

import json

import pytest

from vaultmem.core.reviewing.comment import CommentStatus, PullRequest, Resolution
from vaultmem.errors import ReviewFileError
from vaultmem.store import review_file
from vaultmem.store.review_file import read_review, review_of

ABOUT = {"owner": "acme", "repo": "tide", "pr_number": 12}


def given(*comments, **about):
    return json.dumps({"metadata": ABOUT | about, "comments": list(comments)}).encode()


def test_a_whole_review(tmp_path):
    path = tmp_path / "review.json"
    path.write_bytes(
        b"\xef\xbb\xbf"
        + given(
            {"path": "a.py", "line": 3, "body": "B", "severity": "high", "thread_id": "t",
             "comment_id": "77", "posted_at": "p", "resolution_status": "resolved_no_fix",
             "author_response": "r", "other": {}},
            {"path": "a.py", "line": None, "status": "skipped", "skip_reason": "Because."},
            {"path": "a.py", "line": "12"},
            head_sha="abc",
            author="bot",
        )
    )  # fmt: skip

    found = read_review(path)

    assert found.of == PullRequest("acme", "tide", 12)
    assert (found.head_sha, found.author, found.created) == ("abc", "bot", "")
    one, two, three = found.comments
    assert (one.comment_id, one.resolution, one.response) == (77, Resolution.NO_FIX, "r")
    assert (two.status, two.line, two.skip_reason) == (CommentStatus.SKIPPED, None, "Because.")
    assert (three.status, three.line, three.resolution) == (CommentStatus.POSTED, 12, None)


def test_the_commit_has_two_names_and_may_be_missing():
    assert review_of(given(commit_sha="def")).head_sha == "def"
    assert review_of(given(head_sha="abc", commit_sha="def")).head_sha == "abc"
    assert review_of(given(pr_number=" 12 ".strip())).of.number == 12
    assert review_of(given()) == review_of(given(head_sha=None, author=None))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"Hi.", "It is not JSON."),
        (b"[]", "It is no JSON object."),
        (b"\xff\xfe", "It is not JSON."),
        (b'{"comments": []}', "`metadata` is missing."),
        (b'{"metadata": 1, "comments": []}', "`metadata` is no object."),
        (json.dumps({"metadata": ABOUT}).encode(), "`comments` is missing."),
        (json.dumps({"metadata": ABOUT, "comments": {}}).encode(), "`comments` is no list"),
        (json.dumps({"metadata": ABOUT, "comments": ["a"]}).encode(), "`comments` is no list"),
        (given(owner=" "), "`owner` is missing."),
        (given(repo=None), "`repo` is missing."),
        (given(owner=7), "`owner` is no text."),
        (given(pr_number=None), "`pr_number` is missing."),
        *((given(pr_number=one), "`pr_number` is no whole number from 1.")
          for one in (0, -1, 1.5, True, "x", "0", "9" * 30, [], 1e300)),
        (given(head_sha=7), "`head_sha` is no text."),
        (given({}, {"line": 0}), "In comment 2, `line` is no whole number from 1."),
        (given({"body": 7}), "In comment 1, `body` is no text."),
        (given({"resolution_status": "done"}), "`resolution_status` is none of resolved_fixed"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_the_next_step(data, says):
    with pytest.raises(ReviewFileError) as refused:
        review_of(data)
    assert says in str(refused.value)
    assert "Nothing was stored" in str(refused.value)


@pytest.mark.parametrize("reason", [None, "", " \n\t"])
def test_topic_row_102_a_skipped_comment_says_why(reason):
    data = given({"path": "a"}, {"path": "b", "status": "skipped", "skip_reason": reason})
    with pytest.raises(ReviewFileError, match="In comment 2, `skip_reason` is missing"):
        review_of(data)


def test_a_file_that_is_not_there_or_too_large_is_named(tmp_path, monkeypatch):
    with pytest.raises(ReviewFileError, match="is not there"):
        read_review(tmp_path / "no.json")
    monkeypatch.setattr(review_file, "MAX_BYTES", 10)
    path = tmp_path / "large.json"
    path.write_bytes(given())
    with pytest.raises(ReviewFileError, match="large"):
        read_review(path)
    with pytest.raises(ReviewFileError, match="each part"):
        review_of(given())
