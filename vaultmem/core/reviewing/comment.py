"""A review of a pull request: its comments, those that were posted and those that were skipped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class PullRequest(NamedTuple):
    """One pull request of a repository, `owner/repo#number`; owner and repository in any case."""

    owner: str
    repo: str
    number: int

    def __str__(self) -> str:
        return f"{self.owner}/{self.repo}#{self.number}"


class CommentStatus(StrEnum):
    """What the reviewer did with a comment; topic-memory.md, section 17."""

    POSTED = "posted"
    SKIPPED = "skipped"


class Resolution(StrEnum):
    """What became of a posted comment; likewise."""

    FIXED = "resolved_fixed"
    ACCEPTED = "resolved_accepted"
    BAD_FIX = "resolved_bad_fix"
    NO_FIX = "resolved_no_fix"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewComment:
    """One comment.

    Attributes:
        path: the file in the repository; "" for a comment on the whole.
        line: its line, from 1; None for the whole file.
        body: what it says, in one or more lines.
        skip_reason: why it was not posted; never blank where it was skipped.
        thread_id, comment_id: how the host of the pull request names it, where it does.
        posted_at: the moment as the reviewer wrote it, "" where it did not.
        resolution: None as long as nobody said.
        response: what the author answered.
    """

    path: str
    line: int | None = None
    body: str = ""
    severity: str = ""
    status: CommentStatus = CommentStatus.POSTED
    skip_reason: str = ""
    thread_id: str = ""
    comment_id: int | None = None
    posted_at: str = ""
    resolution: Resolution | None = None
    response: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One review of a pull request at one commit.

    Attributes:
        created: when it was stored, in UTC, ISO 8601; "" before.
        origin: names the review in another tool's store; "" where it is none's.
    """

    of: PullRequest
    head_sha: str = ""
    author: str = ""
    comments: tuple[ReviewComment, ...] = ()
    created: str = ""
    origin: str = ""


class StoredComment(NamedTuple):
    """A comment as the store has it, with its number there and the commit of its review."""

    id: int
    head_sha: str
    comment: ReviewComment


class StoredReview(NamedTuple):
    """A review as the store has it, its comments in their order."""

    id: int
    review: Review
    comments: tuple[StoredComment, ...]
