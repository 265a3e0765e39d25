"""Reviews that other tools kept: every row becomes one of ours or is named, and nothing changes."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store import old_reviews
from vaultmem.core.reviewing.comment import PullRequest
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers import pr_reviews
from vaultmem.store.importers.pr_reviews import read_old_reviews

RELEASED = Path(__file__).parents[2] / "fixtures/reviews/myk-pi-tools-2.3.0.sql"
"""The dump of a store that the released tool wrote: one review, four comments of three sources."""


def counted(found):
    taken = sum(len(one.comments) for one in found.reviews)
    rows = len(found.reviews) + taken + len(found.quarantined)
    return rows == found.rows + found.comments


def folder(path):
    return {one.name: (one.read_bytes(), one.stat().st_mtime_ns) for one in path.parent.iterdir()}


@pytest.fixture
def path(tmp_path):
    return old_reviews.make(tmp_path / "pr-reviews.db")


def test_reviews_come_whole_and_the_file_is_only_read(path):
    old_reviews.review(path, author="bot")
    old_reviews.comment(path, severity="low", status="skipped", skip_reason="A test.")
    old_reviews.comment(path, resolution_status="resolved_fixed", author_response="Done.")
    path.chmod(0o400)
    before = folder(path)

    found = read_old_reviews(path)

    (review,) = found.reviews
    assert review.of == PullRequest("acme", "tide", 12)
    assert (review.author, review.head_sha, review.created) == ("bot", "abc", old_reviews.DAY)
    assert [one.status for one in review.comments] == ["skipped", "posted"]
    assert review.comments[1].response == "Done."
    assert counted(found)
    assert folder(path) == before


def test_a_store_with_a_write_ahead_log_gets_no_file_beside_it(path):
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA journal_mode = WAL")
    old_reviews.review(path)
    before = folder(path)

    assert read_old_reviews(path).rows == 1
    assert folder(path) == before


def test_an_older_store_lacks_columns(tmp_path):
    path = old_reviews.make(tmp_path / "old.db", old=True)
    old_reviews.review(path, created_at="2026-03-01 10:00:00")
    old_reviews.comment(path)

    found = read_old_reviews(path)

    assert found.reviews[0].created == old_reviews.DAY
    assert [one.status for one in found.reviews[0].comments] == ["posted"]


def test_what_cannot_be_taken_is_named_and_stops_nothing(path):
    old_reviews.review(path)
    old_reviews.review(path, owner=" ")
    old_reviews.review(path, pr_number=0)
    old_reviews.review(path, created_at="soon")
    old_reviews.comment(path)
    old_reviews.comment(path, status="skipped")
    old_reviews.comment(path, status="odd")
    old_reviews.comment(path, line=-3)
    old_reviews.comment(path, review_id=2)
    old_reviews.comment(path, review_id=99)
    old_reviews.comment(path, body=b"\xff\xfe")

    found = read_old_reviews(path)

    assert len(found.reviews) == 1
    assert len(found.reviews[0].comments) == 1
    assert counted(found)
    told = {one.where: one.reason for one in found.quarantined}
    assert set(told) == {
        *(f"pr_comments:{number}" for number in (2, 3, 4, 6, 7)),
        *(f"pr_reviews:{number}" for number in (2, 3, 4)),
        "pr_comments of pr_reviews:2",
    }
    assert "skip_reason" in told["pr_comments:2"]
    assert told["pr_reviews:4"] == "`created_at` is no date."


def test_each_review_has_a_name_that_stays(path):
    old_reviews.review(path)
    old_reviews.review(path)

    first, again = read_old_reviews(path), read_old_reviews(path)

    names = [one.origin for one in first.reviews]
    assert names == [one.origin for one in again.reviews]
    assert len(set(names)) == 2


def test_the_store_of_the_released_tool(tmp_path):
    path = tmp_path / "reviews.db"
    with closing(sqlite3.connect(path)) as sql:
        sql.executescript(RELEASED.read_text(encoding="utf-8"))
    old_reviews.insert(path, "comments", review_id=1, source="human", status="pending")

    found = read_old_reviews(path)

    assert counted(found)
    assert (found.rows, found.comments) == (1, 5)
    assert [one.where for one in found.quarantined] == ["comments:4"]  # skipped, and no reason
    done, skipped, left, pending = found.reviews[0].comments
    assert (done.status, done.resolution, done.response) == (
        *("posted", "resolved_fixed"),
        "Fixed it.",
    )
    assert (done.path, done.line, done.severity, done.comment_id) == ("a.py", 3, "HIGH", 5)
    assert (skipped.status, skipped.skip_reason) == ("skipped", "Out of scope.")
    assert (left.status, left.skip_reason) == ("skipped", "Not needed; measured.")
    assert (pending.status, pending.resolution, pending.body) == ("posted", None, "")
    assert found.reviews[0].of == PullRequest("acme", "tide", 12)
    assert len(found.reviews[0].head_sha) == 40


class TestRefused:
    def test_no_file(self, tmp_path):
        with pytest.raises(ImportSourceError, match="cannot be opened"):
            read_old_reviews(tmp_path / "no.db")

    def test_a_link_and_a_folder(self, path):
        link = path.with_name("link.db")
        link.symlink_to(path)
        for one in (link, path.parent):
            with pytest.raises(ImportSourceError, match="no regular file"):
                read_old_reviews(one)

    def test_a_file_that_is_no_database(self, path):
        path.write_text(json.dumps({"a": 1}) * 99)
        with pytest.raises(ImportSourceError, match="cannot be read as a store"):
            read_old_reviews(path)

    def test_a_database_of_something_else(self, tmp_path):
        path = tmp_path / "other.db"
        with closing(sqlite3.connect(path)) as sql, sql:
            sql.execute("CREATE TABLE comments (id)")
        with pytest.raises(ImportSourceError, match="has no tables of reviews"):
            read_old_reviews(path)

    def test_one_that_is_being_written(self, path):
        path.with_name(path.name + "-wal").write_bytes(b"x")
        with pytest.raises(ImportSourceError, match="End the tool that uses it"):
            read_old_reviews(path)
        path.with_name(path.name + "-wal").write_bytes(b"")
        assert read_old_reviews(path).rows == 0

    def test_a_very_large_one(self, path, monkeypatch):
        monkeypatch.setattr(pr_reviews, "MAX_FILE", 10)
        with pytest.raises(ImportSourceError, match="larger than"):
            read_old_reviews(path)


def test_a_column_that_is_computed_is_not_read(path):
    old_reviews.review(path)
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute("ALTER TABLE pr_reviews ADD COLUMN much AS (abs(-9223372036854775808))")
        sql.execute("""ALTER TABLE pr_reviews ADD COLUMN "an ""odd"" name" TEXT""")
    assert len(read_old_reviews(path).reviews) == 1


@pytest.mark.parametrize(
    "made",
    [
        "VIEW pr_reviews AS SELECT 1 AS id",
        "VIRTUAL TABLE pr_reviews USING fts5(id, owner, repo, pr_number, head_sha, created_at)",
    ],
)
def test_what_is_no_table_is_not_read(path, made):
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute("DROP TABLE pr_reviews")
        sql.execute(f"CREATE {made}")
    with pytest.raises(ImportSourceError, match="has no tables of reviews"):
        read_old_reviews(path)
