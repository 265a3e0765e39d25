"""Reviews of pull requests and guidelines, for the terminal and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import count, finding_json, project_name, say, say_findings, say_wrapped
from vaultmem.core.reviewing.comment import CommentStatus
from vaultmem.core.reviewing.guidelines import Standing
from vaultmem.core.reviewing.matching import Likeness
from vaultmem.core.wording import short
from vaultmem.services.reviewing.guidelines import GuidelineOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.cli.output import Json
    from vaultmem.core.reviewing.comment import (
        PullRequest,
        ReviewComment,
        StoredComment,
        StoredReview,
    )
    from vaultmem.services.reviewing.guidelines import Added, Guidelines
    from vaultmem.services.reviewing.pull_requests import Brought, Matched, Stored

_SHOWN = 300
"""Characters of a comment's body in a list; `--json` has all of it."""

_ADDED = {
    GuidelineOutcome.ADDED: "Added to",
    GuidelineOutcome.ACCEPTED: "Accepted in",
    GuidelineOutcome.PROPOSED: "Proposed in",
    GuidelineOutcome.KNOWN: "Known already in",
    GuidelineOutcome.UNWANTED: "The person does not want this; see",
}
_TOLD = {
    Standing.HOLDS: "",
    Standing.PROPOSED: "Proposed; tick the box in the note to let it hold:",
    Standing.HELD: "Written while an agent could write, and not told; `vaultmem review guideline "
    "add` with the same words lets it hold:",
}
"""The standings that a list shows, in order, each with what stands above it."""


def say_stored(done: Stored) -> None:
    """What was stored."""
    say_wrapped(
        f"Review {done.id} of {done.of} is stored: {done.posted} posted, {done.skipped} skipped."
    )
    if done.skipped:
        say_wrapped(
            "A reason that holds in general can become a guideline: "
            "`vaultmem review guideline add TEXT`."
        )


def stored_json(done: Stored) -> dict[str, Json]:
    """The stable shape."""
    return {"id": done.id, **_of_json(done.of), "posted": done.posted, "skipped": done.skipped}


def say_skipped(found: Sequence[StoredComment]) -> None:
    """Each skipped comment with its reason."""
    if not found:
        say("No comment of this pull request was skipped.")
    for one in found:
        _say_comment(one.comment)
        say_wrapped(_skipped(one.comment), indent=2)


def _say_comment(comment: ReviewComment) -> None:
    place = _place(comment)
    say_wrapped(f"{place}  {_body(comment)}", first="- ", indent=2, whole=(place,))


def skipped_json(one: StoredComment) -> dict[str, Json]:
    """The stable shape of a skipped comment."""
    comment = one.comment
    return {
        "id": one.id,
        "path": comment.path,
        "line": comment.line,
        "body": comment.body,
        "severity": comment.severity,
        "skip_reason": comment.skip_reason,
        "head_sha": one.head_sha,
    }


def say_matched(found: Sequence[Matched]) -> None:
    """What each comment repeats."""
    for one in found:
        _say_comment(one.comment)
        if one.match is None:
            say("  New.")
            continue
        old = one.match.skipped
        says = "the same as" if one.match.likeness is Likeness.SAME else "much like"
        reason = old.comment.skip_reason
        place = _place(old.comment)
        say_wrapped(f"It is {says} {old.id} at {place}: {reason}", indent=2, whole=(place,))
    repeated = sum(one.match is not None for one in found)
    say(f"{count(len(found), 'comment')}, {repeated} skipped before.")


def matched_json(one: Matched) -> dict[str, Json]:
    """The stable shape of a comment and of what it repeats."""
    match = one.match
    return {
        "path": one.comment.path,
        "line": one.comment.line,
        "body": one.comment.body,
        "likeness": None if match is None else match.likeness.value,
        "drift": None if match is None else match.drift,
        "skipped": None if match is None else skipped_json(match.skipped),
    }


def say_resolved(found: StoredComment | None, of: PullRequest, path: str, line: int | None) -> None:
    """What became of the comment, or that there is none."""
    if found is None:
        place = path if line is None else f"{path}:{line}"
        say_wrapped(
            f"No posted comment of {of} is at {place}. `vaultmem review history` lists them.",
            whole=(place,),
        )
    elif found.comment.resolution is not None:
        place = _place(found.comment)
        say_wrapped(f"{place} is marked {found.comment.resolution.value}.", whole=(place,))


def resolved_json(found: StoredComment | None) -> dict[str, Json]:
    """The stable shape; null where there is no such comment."""
    return {"resolved": found is not None, "comment": found and comment_json(found)}


def say_history(found: Sequence[StoredReview]) -> None:
    """Each review with its comments."""
    if not found:
        say("No review of this pull request is stored.")
    for stored in found:
        review = stored.review
        head = f" at {review.head_sha[:12]}" if review.head_sha else ""
        by = f" by {review.author}" if review.author else ""
        total = count(len(stored.comments), "comment")
        say_wrapped(f"Review {stored.id}{by}{head}, {review.created[:10]}: {total}")
        for one in stored.comments:
            _say_comment(one.comment)
            say_wrapped(_fate(one.comment), indent=2)


def review_json(stored: StoredReview) -> dict[str, Json]:
    """The stable shape of a review."""
    review = stored.review
    return {
        "id": stored.id,
        **_of_json(review.of),
        "head_sha": review.head_sha,
        "author": review.author,
        "created_at": review.created,
        "comments": [comment_json(one) for one in stored.comments],
    }


def comment_json(one: StoredComment) -> dict[str, Json]:
    """The stable shape of a comment."""
    comment = one.comment
    return {
        **skipped_json(one),
        "status": comment.status.value,
        "thread_id": comment.thread_id,
        "comment_id": comment.comment_id,
        "posted_at": comment.posted_at,
        "resolution_status": comment.resolution and comment.resolution.value,
        "author_response": comment.response,
    }


def say_brought(done: Brought) -> None:
    """What came of another tool's store."""
    say(f"{count(done.rows, 'review')} read, with {count(done.comments, 'comment')}.")
    say(f"{count(done.reviews, 'review')} stored, with {count(done.taken, 'comment')}.")
    if done.known:
        say(f"{count(done.known, 'review')} stored before.")
    if done.quarantined:
        say(f"{count(len(done.quarantined), 'row')} could not be taken:")
    for one in done.quarantined:
        say_wrapped(f"{one.where}: {one.reason}", first="- ", indent=2, whole=(one.where,))


def brought_json(done: Brought) -> dict[str, Json]:
    """The stable shape."""
    return {
        "read": {"reviews": done.rows, "comments": done.comments},
        "stored": {"reviews": done.reviews, "comments": done.taken},
        "known": {"reviews": done.known, "comments": done.known_comments},
        "quarantined": [{"where": one.where, "reason": one.reason} for one in done.quarantined],
    }


def say_added(done: Added) -> None:
    """What came of a guideline, and for a proposal what makes it hold."""
    say_wrapped(f"{_ADDED[done.outcome]} {done.path}: {done.text}", whole=(done.path,))
    if done.outcome is GuidelineOutcome.PROPOSED:
        say_wrapped("It holds once the person ticks its box in the note.")


def say_guidelines(found: Guidelines) -> None:
    """What holds, what waits, and what an agent may have written."""
    if not any(one.guideline.standing in _TOLD for one in found.guidelines):
        name = project_name(found.project)
        say_wrapped(
            f"There are no review guidelines for {name}. "
            "Add one with `vaultmem review guideline add`."
        )
    for standing, heading in _TOLD.items():
        placed = [one for one in found.guidelines if one.guideline.standing is standing]
        if placed and heading:
            say_wrapped(heading)
        for one in placed:
            say_wrapped(one.guideline.text, first="- ", indent=2)
            if heading:
                say(f"  {one.path}:{one.guideline.line}", note=one.path)
    say_findings(found.findings)


def guidelines_json(found: Guidelines) -> dict[str, Json]:
    """The stable shape."""
    return {
        "project": found.project,
        "guidelines": [
            {
                "text": one.guideline.text,
                "standing": one.guideline.standing.value,
                "path": one.path,
                "line": one.guideline.line,
            }
            for one in found.guidelines
        ],
        "findings": [finding_json(one) for one in found.findings],
    }


def _of_json(of: PullRequest) -> dict[str, Json]:
    return {"owner": of.owner, "repo": of.repo, "pr_number": of.number}


def _place(comment: ReviewComment) -> str:
    path = comment.path or "(the whole)"
    return path if comment.line is None else f"{path}:{comment.line}"


def _body(comment: ReviewComment) -> str:
    severity = f"[{comment.severity}] " if comment.severity else ""
    return f"{severity}{short(' '.join(comment.body.split()), _SHOWN)}"


def _skipped(comment: ReviewComment) -> str:
    """Why a comment was skipped; a purge may have taken the reason out."""
    return f"Skipped: {comment.skip_reason}" if comment.skip_reason else "Skipped."


def _fate(comment: ReviewComment) -> str:
    """What the reviewer did with a comment, and what became of it."""
    if comment.status is CommentStatus.SKIPPED:
        return _skipped(comment)
    fate = "Posted." if comment.resolution is None else f"{comment.resolution.value}."
    return f"{fate} {short(comment.response, _SHOWN)}".rstrip()
