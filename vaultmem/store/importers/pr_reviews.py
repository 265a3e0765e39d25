"""Read the reviews that another tool kept in SQLite; the file is opened so that nothing changes.

Two forms are known: `pr-reviews.db` (topic-memory.md, section 17), which may lack later columns,
and the `reviews.db` that the released tool writes, with the comments that others made on a pull
request and what was decided about them.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.importing.item import Quarantined
from vaultmem.core.reviewing.comment import CommentStatus, PullRequest, Resolution, Review
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers.source import MAX_FILE
from vaultmem.store.importers.tables import columns
from vaultmem.store.json_record import Record, RecordError
from vaultmem.store.review_file import comment_of, number_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from vaultmem.core.reviewing.comment import ReviewComment

    Row = Mapping[str, object]

_BESIDE = ("-journal", "-wal")
"""Files that hold what a program has not finished writing."""


class OldReviews(NamedTuple):
    """What a store holds.

    Attributes:
        reviews: each with its comments, and with its name in that store as `origin`.
        comments: how many comments the store has.
        rows: how many reviews it has.
        quarantined: rows that cannot be taken, by table and number; the comments of such a review
            are counted one by one.
    """

    reviews: tuple[Review, ...]
    rows: int
    comments: int
    quarantined: tuple[Quarantined, ...]


class _Form(NamedTuple):
    """One form of store: its tables, and how a row of them is said in the words of the first."""

    reviews: str
    comments: str
    head: str
    decided: bool


_FORMS = (
    _Form("pr_reviews", "pr_comments", "head_sha", decided=False),
    _Form("reviews", "comments", "commit_sha", decided=True),
)


def read_old_reviews(path: Path) -> OldReviews:
    """Every review in a store of another tool.

    Raises:
        ImportSourceError: if it is no such store, or its tool is writing it.
    """
    _refuse_unfit(path)
    try:
        with closing(_opened(path)) as sql:
            form = _form_of(sql, path)
            reviews = list(_rows(sql, form.reviews))
            comments = list(_rows(sql, form.comments))
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise ImportSourceError(
            f"{path} cannot be read as a store of reviews ({error}). Name another file."
        ) from error
    return _gathered(form, reviews, comments)


def _refuse_unfit(path: Path) -> None:
    try:
        found = path.lstat()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", "") or error
        raise ImportSourceError(f"{path} cannot be opened ({why}). Check the path.") from error
    if not stat.S_ISREG(found.st_mode):
        raise ImportSourceError(f"{path} is no regular file. Name the file of the reviews.")
    if found.st_size > MAX_FILE:
        raise ImportSourceError(f"{path} is larger than 256 MiB. Name the file of the reviews.")
    for ending in _BESIDE:
        beside = path.with_name(path.name + ending)
        if os.path.lexists(beside) and beside.lstat().st_size:
            raise ImportSourceError(
                f"{path} is being written, as {beside.name} beside it says. "
                "End the tool that uses it, then run the command again."
            )


def _opened(path: Path) -> sqlite3.Connection:
    """A connection that takes no lock and makes no file beside it."""
    sql = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    sql.execute("PRAGMA trusted_schema = OFF")
    sql.text_factory = lambda data: data.decode("utf-8", "replace")
    return sql


def _form_of(sql: sqlite3.Connection, path: Path) -> _Form:
    for form in _FORMS:
        if columns(sql, form.reviews) and columns(sql, form.comments):
            return form
    raise ImportSourceError(
        f"{path} has no tables of reviews (pr_reviews and pr_comments, or reviews and comments). "
        "Name the file `pr-reviews.db` or `reviews.db` of the old tool."
    )


def _rows(sql: sqlite3.Connection, table: str) -> Iterator[Row]:
    names = columns(sql, table)
    listed = ", ".join('"{}"'.format(name.replace('"', '""')) for name in names)
    for row in sql.execute(f"SELECT {listed} FROM {table} ORDER BY id"):  # noqa: S608  (as quoted)
        yield dict(zip(names, row, strict=True))


def _gathered(form: _Form, reviews: list[Row], comments: list[Row]) -> OldReviews:
    quarantined: list[Quarantined] = []
    held: dict[object, list[ReviewComment]] = {row.get("id"): [] for row in reviews}
    for row in comments:
        where, its = f"{form.comments}:{row.get('id')}", held.get(row.get("review_id"))
        if its is None:
            quarantined.append(Quarantined(where, "Its review is not there."))
            continue
        try:
            its.append(comment_of(Record(_said(row) if form.decided else row)))
        except RecordError as error:
            quarantined.append(Quarantined(where, str(error)))
    taken = []
    for row in reviews:
        try:
            review = _review(form, row, held[row.get("id")])
        except RecordError as error:
            quarantined.append(Quarantined(f"{form.reviews}:{row.get('id')}", str(error)))
            lost = Quarantined(f"{form.comments} of {form.reviews}:{row.get('id')}", str(error))
            quarantined += [lost] * len(held[row.get("id")])
        else:
            taken.append(review)
    return OldReviews(tuple(taken), len(reviews), len(comments), tuple(quarantined))


def _review(form: _Form, row: Row, comments: list[ReviewComment]) -> Review:
    record = Record(row)
    of = PullRequest(record.needed("owner"), record.needed("repo"), number_of(record))
    head, created = record.text(form.head), _moment(record)
    named = "\0".join((form.reviews, str(row.get("id")), *map(str, of), head, created))
    return Review(
        of=of,
        head_sha=head,
        author=record.text("author"),
        comments=tuple(comments),
        created=created,
        origin=f"{form.reviews}:{sha256(named.encode()).hexdigest()[:32]}",
    )


def _moment(record: Record) -> str:
    """When the review was stored, in UTC; the old tool writes UTC where it names no zone."""
    text = record.needed("created_at")
    try:
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        raise RecordError("`created_at` is no date.") from None


_NOT_DONE = ("skipped", "not_addressed")


def _said(row: Row) -> Row:
    """A comment of the second form: what was not done about it is a skipped one."""
    skipped = row.get("status") in _NOT_DONE
    reply = row.get("reply")
    return {
        **row,
        "severity": row.get("priority"),
        "status": CommentStatus.SKIPPED if skipped else CommentStatus.POSTED,
        "skip_reason": (row.get("skip_reason") or reply) if skipped else None,
        "resolution_status": Resolution.FIXED if row.get("status") == "addressed" else None,
        "author_response": reply,
    }
