"""A review as an agent or a script hands it over: one JSON file, all of it right or none of it.

`{metadata: {owner, repo, pr_number, head_sha or commit_sha, author}, comments: [{path, line, body,
severity, status, skip_reason, thread_id, comment_id, posted_at, resolution_status,
author_response}]}`; topic-memory.md, section 17. Other keys are passed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.reviewing.comment import (
    CommentStatus,
    PullRequest,
    Resolution,
    Review,
    ReviewComment,
)
from vaultmem.errors import ReviewFileError
from vaultmem.store.bounded import Unread, read_bounded
from vaultmem.store.json_record import Record, RecordError

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 16 * 1024 * 1024
"""Of a file; a review of a hundred comments has some hundred kilobytes."""
_GREATEST = 2**63 - 1
"""What SQLite keeps as a whole number."""


def read_review(path: Path) -> Review:
    """The review in a file.

    Raises:
        ReviewFileError: if it cannot be read, or anything in it is wrong.
    """
    return review_of(read_text_file(path))


def read_text_file(path: Path) -> bytes:
    """The bytes of a file that the caller names.

    Raises:
        ReviewFileError: if it cannot be read or is too large.
    """
    data = read_bounded(path, limit=MAX_BYTES)
    if isinstance(data, Unread):
        raise ReviewFileError(f"{path} {data.why}. Check the path.")
    return data


def review_of(data: bytes) -> Review:
    """The review in a text.

    Raises:
        ReviewFileError: as `read_review`.
    """
    if len(data) > MAX_BYTES:
        raise ReviewFileError(
            "The review is larger than 16 MiB. Run the command for each part of it."
        )
    try:
        return _review(Record.of(data.decode("utf-8-sig", "replace")))
    except RecordError as error:
        raise ReviewFileError(
            f"This is no review: {error} Nothing was stored; mend it and run the command again."
        ) from None


def _review(whole: Record) -> Review:
    for name in ("metadata", "comments"):
        if not whole.has(name):
            raise RecordError(f"`{name}` is missing.")
    about = whole.record("metadata")
    comments = enumerate(whole.records("comments"), 1)
    return Review(
        of=PullRequest(about.needed("owner"), about.needed("repo"), number_of(about)),
        head_sha=about.text("head_sha") or about.text("commit_sha"),
        author=about.text("author"),
        comments=tuple(_numbered(number, one) for number, one in comments),
    )


def _numbered(number: int, record: Record) -> ReviewComment:
    try:
        return comment_of(record)
    except RecordError as error:
        raise RecordError(f"In comment {number}, {error}") from None


def number_of(about: Record) -> int:
    """The number of a pull request.

    Raises:
        RecordError: if it is none.
    """
    found = whole_number(about, "pr_number")
    if found is None:
        raise RecordError("`pr_number` is missing.")
    return found


def comment_of(record: Record) -> ReviewComment:
    """One comment.

    Raises:
        RecordError: if anything of it is wrong.
    """
    status = record.word("status", CommentStatus, CommentStatus.POSTED)
    reason = record.text("skip_reason")
    if status is CommentStatus.SKIPPED and not reason.strip():
        raise RecordError("`skip_reason` is missing; a skipped comment says why.")
    return ReviewComment(
        path=record.text("path"),
        line=whole_number(record, "line"),
        body=record.text("body"),
        severity=record.text("severity"),
        status=status,
        skip_reason=reason,
        thread_id=record.text("thread_id"),
        comment_id=whole_number(record, "comment_id"),
        posted_at=record.text("posted_at"),
        resolution=record.word("resolution_status", Resolution, None),
        response=record.text("author_response"),
    )


def whole_number(record: Record, name: str) -> int | None:
    """A whole number from 1, also as a text; None where there is none.

    Raises:
        RecordError: if it is anything else.
    """
    if not record.has(name):
        return None
    try:
        found = record.number(name, 0)
    except RecordError:
        found = _spelled(record, name)
    if not 1 <= found <= _GREATEST or found != int(found):
        raise RecordError(f"`{name}` is no whole number from 1.")
    return int(found)


def _spelled(record: Record, name: str) -> int:
    """The number that a text spells, 0 for none."""
    try:
        text = record.text(name).strip()
    except RecordError:
        return 0
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0
