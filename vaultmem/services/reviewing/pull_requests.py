"""Reviews of pull requests on this machine: store one, what was skipped, what became of it.

They are state of this machine, not memory: nothing of them is injected, searched or learned from.
Every text is stored without secrets and with visible characters only, for agents read it again.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.reviewing.comment import CommentStatus, PullRequest
from vaultmem.core.reviewing.matching import match
from vaultmem.core.visible import visible_characters
from vaultmem.errors import ReviewFileError
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.store.importers.pr_reviews import read_old_reviews
from vaultmem.store.pr_reviews import ReviewStore

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.core.importing.item import Quarantined
    from vaultmem.core.reviewing.comment import (
        Resolution,
        Review,
        ReviewComment,
        StoredComment,
        StoredReview,
    )
    from vaultmem.core.reviewing.matching import Match
    from vaultmem.services.call import Call


class Stored(NamedTuple):
    """A review that was stored, and how many of its comments were posted and skipped."""

    id: int
    of: PullRequest
    posted: int
    skipped: int


class Matched(NamedTuple):
    """A comment of a review that is not stored yet, and the skipped one that it repeats."""

    comment: ReviewComment
    match: Match | None


class Brought(NamedTuple):
    """What came of another tool's store.

    Attributes:
        rows: reviews in it.
        comments: comments in it.
        reviews: how many reviews were taken, `taken` with how many comments.
        known: how many reviews had been taken before, `known_comments` with how many comments.
        quarantined: rows that could not be taken.
    """

    rows: int
    comments: int
    reviews: int
    taken: int
    known: int
    known_comments: int
    quarantined: tuple[Quarantined, ...]


def store_review(call: Call, review: Review) -> Stored:
    """Store a review; another one of the same pull request stays beside it.

    Raises:
        ReviewFileError: if nothing of a reason to skip can be seen; then nothing is stored.
        BusyError, ReadOnlyError, DiskFailedError, VaultError: as `ReviewStore`.
    """
    made = safe_review(review)
    made = replace(made, created=call.now.astimezone(UTC).isoformat())
    passed = [one for one in made.comments if one.status is CommentStatus.SKIPPED]
    if not all(one.skip_reason for one in passed):
        raise ReviewFileError("A skipped comment has no reason that can be seen. Say why.")
    (number,) = _store(call).put([made])
    skipped = len(passed)
    return Stored(number or 0, made.of, len(made.comments) - skipped, skipped)


def skipped_comments(call: Call, of: PullRequest) -> tuple[StoredComment, ...]:
    """The comments of a pull request that were skipped, by their numbers.

    Raises:
        As `store_review`.
    """
    return _store(call).skipped(_safe_of(of))


def history(call: Call, of: PullRequest) -> tuple[StoredReview, ...]:
    """Every review of a pull request, the oldest first.

    Raises:
        As `store_review`.
    """
    return _store(call).history(_safe_of(of))


def match_skipped(call: Call, review: Review) -> tuple[Matched, ...]:
    """Which skipped comment of the pull request each comment repeats; nothing is stored.

    Raises:
        As `store_review`.
    """
    made = safe_review(review)
    known = _store(call).skipped(made.of)
    return tuple(Matched(one, match(one, known)) for one in made.comments)


def resolve(
    call: Call,
    of: PullRequest,
    path: str,
    *,
    line: int | None,
    resolution: Resolution,
    response: str = "",
) -> StoredComment | None:
    """Say what became of the newest posted comment at a place; None where there is none.

    Args:
        call: the circumstances.
        of: the pull request.
        path: the file.
        line: its line; None for any.
        resolution: what became of it.
        response: what its author answered; "" keeps what is there.

    Raises:
        As `store_review`.
    """
    place = safe_text(path)
    return _store(call).resolve(_safe_of(of), place, line, resolution, safe_text(response))


def bring_reviews(call: Call, path: Path) -> Brought:
    """Take the reviews of another tool's store over; those that came before are passed over.

    Raises:
        AgentRefusedError: if an agent calls.
        ImportSourceError: if it is no such store.
        As `store_review`.
    """
    call.person_only("review import")
    found = read_old_reviews(path)
    made = list(map(safe_review, found.reviews))  # before the file is locked: redacting takes long
    numbers = _store(call).put(made) if made else ()
    pairs = list(zip(found.reviews, numbers, strict=True))
    new = [len(review.comments) for review, number in pairs if number is not None]
    old = [len(review.comments) for review, number in pairs if number is None]
    return Brought(
        found.rows, found.comments, len(new), sum(new), len(old), sum(old), found.quarantined
    )


def safe_review(review: Review) -> Review:
    """The review as it may be stored and shown again."""
    return replace(
        review,
        of=_safe_of(review.of),
        head_sha=safe_text(review.head_sha),
        author=safe_text(review.author),
        comments=tuple(map(_safe_comment, review.comments)),
    )


def safe_text(text: str) -> str:
    """A text of several lines without secrets, visible characters only, indents kept."""
    # once before and once after: characters that are taken out can hide a secret
    shown = "\n".join(map(_visible, redact(text).splitlines()))
    return redact(shown).strip("\n")


def _visible(line: str) -> str:
    bare = line.lstrip(" \t")
    indent = line[: len(line) - len(bare)].expandtabs(4)
    return f"{indent}{visible_characters(bare)}".rstrip()


def _safe_of(of: PullRequest) -> PullRequest:
    return PullRequest(safe_text(of.owner), safe_text(of.repo), of.number)


def _safe_comment(one: ReviewComment) -> ReviewComment:
    return replace(
        one,
        path=safe_text(one.path),
        body=safe_text(one.body),
        severity=safe_text(one.severity),
        skip_reason=safe_text(one.skip_reason),
        thread_id=safe_text(one.thread_id),
        posted_at=safe_text(one.posted_at),
        response=safe_text(one.response),
    )


def _store(call: Call) -> ReviewStore:
    return ReviewStore(call.vault.state.folder)
