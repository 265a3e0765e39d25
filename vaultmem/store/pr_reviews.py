"""This machine's reviews of pull requests: one SQLite file in a vault's state folder.

The tables and their columns are those of topic-memory.md, section 17, with `origin` beside them:
the name of a review in the store of another tool. A file that lacks columns gets them. The file is
opened for each call, so that nothing is left of it but itself.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from vaultmem.core.reviewing.comment import (
    CommentStatus,
    PullRequest,
    Resolution,
    Review,
    ReviewComment,
    StoredComment,
    StoredReview,
)
from vaultmem.core.reviewing.matching import place
from vaultmem.errors import VaultError
from vaultmem.store.sqlite_failures import (
    UNREADABLE,
    set_opened_aside,
    sqlite_refusal,
)
from vaultmem.store.sqlite_file import leave_no_trace, make_private, version_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

NAME = "pr-reviews.sqlite"
VERSION = 1
_WAIT_SECONDS = 10.0

_TABLES = (
    "CREATE TABLE IF NOT EXISTS pr_reviews (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " owner TEXT NOT NULL, repo TEXT NOT NULL, pr_number INTEGER NOT NULL, head_sha TEXT NOT NULL,"
    " created_at TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS pr_comments (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " review_id INTEGER NOT NULL REFERENCES pr_reviews(id) ON DELETE CASCADE, thread_id TEXT,"
    " comment_id INTEGER, path TEXT, line INTEGER, body TEXT, severity TEXT, posted_at TEXT)",
)
_ADDED = {
    "pr_reviews": {"author": "TEXT", "origin": "TEXT"},
    "pr_comments": {
        "status": "TEXT DEFAULT 'posted'",
        "skip_reason": "TEXT",
        "resolution_status": "TEXT",
        "author_response": "TEXT",
    },
}
"""Columns that an older file may lack."""
_INDEXES = (
    "CREATE INDEX IF NOT EXISTS idx_pr_comments_review ON pr_comments(review_id)",
    "CREATE INDEX IF NOT EXISTS idx_pr_comments_posted ON pr_comments(posted_at)",
    "CREATE INDEX IF NOT EXISTS idx_pr_reviews_pr ON pr_reviews(owner COLLATE NOCASE,"
    " repo COLLATE NOCASE, pr_number)",
    "CREATE UNIQUE INDEX IF NOT EXISTS idx_pr_reviews_origin ON pr_reviews(origin)"
    " WHERE origin <> ''",
)

_OF = "r.owner = ?1 COLLATE NOCASE AND r.repo = ?2 COLLATE NOCASE AND r.pr_number = ?3"
_REVIEW = "id, owner, repo, pr_number, head_sha, author, created_at, origin"
_COMMENT = (
    "c.id, r.head_sha, c.path, c.line, c.body, c.severity, c.status, c.skip_reason, c.thread_id,"
    " c.comment_id, c.posted_at, c.resolution_status, c.author_response"
)
_POSTED = (
    "c.status = 'posted' AND place(c.path) = ?4 AND (?5 IS NULL OR c.line = ?5)"
    " ORDER BY r.created_at DESC, c.id DESC LIMIT 1"
)
_FROM = "FROM pr_comments c JOIN pr_reviews r ON r.id = c.review_id"
_TEXTS = ("path", "body", "severity", "skip_reason", "author_response")
"""Columns of a comment that hold somebody's words."""


class ReviewStore:
    """The file; safe to use from several processes.

    Methods raise `BusyError` where another process writes for longer than ten seconds,
    `ReadOnlyError`, `DiskFullError` and `DiskFailedError` where the state folder cannot be written,
    and `VaultError` where the file is damaged, and set aside then, or of a newer vaultmem.
    """

    def __init__(self, folder: Path) -> None:
        """Name the state folder; nothing is opened yet."""
        self.path = folder / NAME

    @property
    def exists(self) -> bool:
        """Whether anything was ever stored."""
        return self.path.is_file()

    def put(self, reviews: Iterable[Review]) -> tuple[int | None, ...]:
        """Store reviews, all or none, and return their numbers.

        One whose `origin` is there already is passed over: None.
        """
        with self._changing() as sql:
            return tuple(_put(sql, review) for review in reviews)

    def history(self, of: PullRequest) -> tuple[StoredReview, ...]:
        """Every review of a pull request, the oldest first."""
        if not self.exists:
            return ()
        with self._open() as sql:
            rows = sql.execute(
                f"SELECT {_REVIEW} FROM pr_reviews r WHERE {_OF} ORDER BY created_at, id",  # noqa: S608
                of,
            ).fetchall()
            return tuple(_review(row, _comments(sql, "r.id = ?", (row[0],))) for row in rows)

    def skipped(self, of: PullRequest) -> tuple[StoredComment, ...]:
        """The comments of a pull request that were skipped, by their numbers."""
        if not self.exists:
            return ()
        with self._open() as sql:
            return _comments(sql, f"{_OF} AND c.status = 'skipped'", of)

    def resolve(
        self, of: PullRequest, path: str, line: int | None, resolution: Resolution, response: str
    ) -> StoredComment | None:
        """Say what became of the newest posted comment at a place; None where there is none.

        Args:
            of: the pull request.
            path: the file, in any spelling that `core.reviewing.matching.place` takes for one.
            line: its line; None for any.
            resolution: what became of it.
            response: what its author answered; "" keeps what is there.
        """
        if not self.exists:
            return None
        with self._changing() as sql:
            sql.create_function("place", 1, _place, deterministic=True)
            found = sql.execute(
                f"SELECT c.id {_FROM} WHERE {_OF} AND {_POSTED}",
                (*of, place(path), line),
            ).fetchone()
            if found is None:
                return None
            sql.execute(
                "UPDATE pr_comments SET resolution_status = ?,"
                " author_response = CASE WHEN ?2 = '' THEN author_response ELSE ?2 END"
                " WHERE id = ?3",
                (resolution, response, found[0]),
            )
            return _comments(sql, "c.id = ?", found)[0]

    def cut(self, cut: Callable[[str], str]) -> int:
        """Replace every text by what `cut` leaves of it, for good; returns how many changed."""
        if not self.exists:
            return 0
        changed = 0
        with self._changing() as sql:
            for column in _TEXTS:
                rows = sql.execute(f"SELECT id, {column} FROM pr_comments").fetchall()  # noqa: S608
                for number, text in rows:
                    if text and (left := cut(text)) != text:
                        changed += 1
                        sql.execute(
                            f"UPDATE pr_comments SET {column} = ? WHERE id = ?",  # noqa: S608
                            (left, number),
                        )
        if changed:
            with self._open() as sql:
                sql.execute("VACUUM")
        return changed

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction; an exception undoes all of it."""
        with self._open() as sql:
            sql.execute("BEGIN IMMEDIATE")
            yield sql
            sql.execute("COMMIT")

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection to a file of this version; closing it takes back what is not committed."""
        make_private(self.path)
        opened = self.path.stat()
        sql = sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)
        try:
            _prepare(sql, self.path)
            yield sql
        except sqlite3.OperationalError as error:
            refused = None if UNREADABLE in str(error) else sqlite_refusal(error, self.path)
            raise refused or self._damaged(sql, opened) from error
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise  # a mistake of ours
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise self._damaged(sql, opened) from error
        finally:
            sql.close()

    def _damaged(self, sql: sqlite3.Connection, opened: os.stat_result) -> VaultError:
        """Set the file aside, unless another process has done so already."""
        sql.close()
        set_opened_aside(self.path, opened)
        return VaultError(
            f"The reviews of pull requests on this machine were damaged; they are set aside as "
            f"{self.path.with_suffix('.broken')}. Run the command again; it begins anew."
        )


def _prepare(sql: sqlite3.Connection, path: Path) -> None:
    """Bring a file up to this version; several processes may make the first one at once."""
    leave_no_trace(sql)
    sql.execute("PRAGMA foreign_keys = ON")
    if version_of(sql, path, newest=VERSION) == VERSION:
        return
    sql.execute("BEGIN IMMEDIATE")
    for statement in _TABLES:
        sql.execute(statement)
    for table, columns in _ADDED.items():
        known = {row[1] for row in sql.execute(f"PRAGMA table_info({table})")}
        for column, kind in columns.items():
            if column not in known:
                sql.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
    for statement in _INDEXES:
        sql.execute(statement)
    sql.execute(f"PRAGMA user_version = {VERSION}")
    sql.execute("COMMIT")


def _put(sql: sqlite3.Connection, review: Review) -> int | None:
    if review.origin:
        sought = "SELECT 1 FROM pr_reviews WHERE origin = ?"
        if sql.execute(sought, (review.origin,)).fetchone():
            return None
    done = sql.execute(
        "INSERT INTO pr_reviews(owner, repo, pr_number, head_sha, author, created_at, origin)"
        " VALUES(?, ?, ?, ?, ?, ?, ?)",
        (*review.of, review.head_sha, review.author, review.created, review.origin),
    )
    sql.executemany(
        "INSERT INTO pr_comments(review_id, thread_id, comment_id, path, line, body, severity,"
        " posted_at, status, skip_reason, resolution_status, author_response)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                done.lastrowid,
                one.thread_id,
                one.comment_id,
                one.path,
                one.line,
                one.body,
                one.severity,
                one.posted_at,
                one.status,
                one.skip_reason,
                one.resolution,
                one.response,
            )
            for one in review.comments
        ),
    )
    return done.lastrowid


def _comments(
    sql: sqlite3.Connection, where: str, values: tuple[object, ...]
) -> tuple[StoredComment, ...]:
    rows = sql.execute(f"SELECT {_COMMENT} {_FROM} WHERE {where} ORDER BY c.id", values)
    return tuple(map(_comment, rows))


def _comment(row: tuple[object, ...]) -> StoredComment:
    number, head, path, line, body, severity, status, reason, thread, comment, posted, end, said = (
        row
    )
    return StoredComment(
        _number(number) or 0,
        _text(head),
        ReviewComment(
            path=_text(path),
            line=_number(line),
            body=_text(body),
            severity=_text(severity),
            status=_status(status),
            skip_reason=_text(reason),
            thread_id=_text(thread),
            comment_id=_number(comment),
            posted_at=_text(posted),
            resolution=next((one for one in Resolution if one == end), None),
            response=_text(said),
        ),
    )


def _review(row: tuple[object, ...], comments: tuple[StoredComment, ...]) -> StoredReview:
    number, owner, repo, pull, head, author, created, origin = row
    review = Review(
        of=PullRequest(_text(owner), _text(repo), _number(pull) or 0),
        head_sha=_text(head),
        author=_text(author),
        comments=tuple(one.comment for one in comments),
        created=_text(created),
        origin=_text(origin),
    )
    return StoredReview(_number(number) or 0, review, comments)


def _status(value: object) -> CommentStatus:
    skipped = value == CommentStatus.SKIPPED
    return CommentStatus.SKIPPED if skipped else CommentStatus.POSTED


def _place(path: object) -> str | None:
    return place(path) if isinstance(path, str) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None
