"""Stores of reviews as other tools wrote them, made with SQLite as they do."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

REVIEWS = (
    "CREATE TABLE pr_reviews (id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL,"
    " repo TEXT NOT NULL, pr_number INTEGER NOT NULL, head_sha TEXT NOT NULL{more},"
    " created_at TEXT NOT NULL)"
)
COMMENTS = (
    "CREATE TABLE pr_comments (id INTEGER PRIMARY KEY AUTOINCREMENT, review_id INTEGER NOT NULL"
    " REFERENCES pr_reviews(id) ON DELETE CASCADE, thread_id TEXT, comment_id INTEGER, path TEXT,"
    " line INTEGER, body TEXT, severity TEXT, posted_at TEXT{more})"
)
LATER = (
    ", status TEXT DEFAULT 'posted', skip_reason TEXT, resolution_status TEXT, author_response TEXT"
)
DAY = "2026-03-01T10:00:00+00:00"


def make(path: Path, *, old: bool = False) -> Path:
    """A store without reviews; an old one lacks the columns that came later."""
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute(REVIEWS.format(more="" if old else ", author TEXT"))
        sql.execute(COMMENTS.format(more="" if old else LATER))
    return path


def insert(path: Path, table: str, /, **values: object) -> None:
    """Add a row."""
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute(f"INSERT INTO {table}({names}) VALUES({marks})", [*values.values()])


def review(path: Path, /, **values: object) -> None:
    """Add a review of `acme/tide#12`."""
    usual = {"owner": "acme", "repo": "tide", "pr_number": 12, "head_sha": "abc", "created_at": DAY}
    insert(path, "pr_reviews", **usual | values)


def comment(path: Path, /, **values: object) -> None:
    """Add a comment to the first review."""
    usual = {"review_id": 1, "path": "src/a.py", "line": 3, "body": "Name the constant."}
    insert(path, "pr_comments", **usual | values)
