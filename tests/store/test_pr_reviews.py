"""The reviews of pull requests on this machine."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import replace

import pytest

from tests.store import old_reviews
from vaultmem.core.reviewing.comment import (
    CommentStatus,
    PullRequest,
    Resolution,
    Review,
    ReviewComment,
)
from vaultmem.errors import BusyError, ReadOnlyError, VaultError
from vaultmem.store import pr_reviews
from vaultmem.store.pr_reviews import NAME, ReviewStore

OF = PullRequest("acme", "tide", 12)
POSTED = ReviewComment(path="src/a.py", line=3, body="Name it.", thread_id="t1", comment_id=7)
SKIPPED = ReviewComment(
    path="src/b.py", body="Why?", status=CommentStatus.SKIPPED, skip_reason="It is a test."
)


def review(*comments, created="2026-03-01T10:00:00+00:00", **more):
    return Review(of=OF, head_sha="abc", comments=comments, created=created, **more)


@pytest.fixture
def store(tmp_path):
    return ReviewStore(tmp_path / "state")


def test_what_was_stored_is_read_back_whole(store):
    full = replace(POSTED, severity="high", posted_at="now", resolution=Resolution.FIXED)
    stored = review(full, SKIPPED, author="bot", origin="pr_reviews:1")

    assert store.put([stored]) == (1,)

    (found,) = store.history(OF)
    assert (found.id, found.review) == (1, stored)
    assert [one.id for one in found.comments] == [1, 2]


def test_only_this_user_can_read_it_and_nothing_lies_beside_it(store):
    store.put([review(POSTED)])

    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
    assert [one.name for one in store.path.parent.iterdir()] == [NAME]


def test_reading_makes_no_file(store):
    assert not store.exists
    assert store.history(OF) == ()
    assert store.skipped(OF) == ()
    assert store.resolve(OF, "a", None, Resolution.FIXED, "") is None
    assert store.cut(str) == 0
    assert not store.path.exists()


def test_names_of_repositories_have_no_case_and_numbers_and_paths_are_exact(store):
    store.put([review(POSTED, SKIPPED)])

    assert len(store.history(PullRequest("Acme", "TIDE", 12))) == 1
    assert [one.id for one in store.skipped(PullRequest("Acme", "TIDE", 12))] == [2]
    assert store.history(PullRequest("acme", "tide", 1)) == ()
    assert store.resolve(OF, "SRC/A.py", None, Resolution.FIXED, "") is None


def test_the_history_is_by_date_then_number(store):
    days = ("2026-03-02T10:00:00+00:00", "2026-03-01T10:00:00+00:00", "2026-03-02T10:00:00+00:00")
    store.put([review(created=day) for day in days])

    assert [one.id for one in store.history(OF)] == [2, 1, 3]


def test_all_or_none(store):
    broken = review(replace(POSTED, line=object()))  # what SQLite cannot keep

    with pytest.raises(sqlite3.ProgrammingError):
        store.put([review(POSTED), broken])
    assert store.history(OF) == ()


def test_an_origin_comes_once(store):
    assert store.put([review(origin="x:1"), review(origin="x:1"), review(origin="x:2")]) == (
        *(1, None),
        2,
    )
    assert store.put([review(origin="x:2"), review(), review()]) == (None, 3, 4)


class TestResolve:
    def test_the_newest_posted_comment_of_the_place_is_meant(self, store):
        store.put(
            [review(POSTED, replace(POSTED, line=9), POSTED, replace(SKIPPED, path="src/a.py"))]
        )
        store.put([review(POSTED, created="2026-01-01T10:00:00+00:00")])

        done = store.resolve(OF, "src/a.py", 3, Resolution.BAD_FIX, "Sorry.")

        assert done is not None
        assert (done.id, done.comment.resolution) == (3, Resolution.BAD_FIX)
        assert done.comment.response == "Sorry."
        anywhere = store.resolve(OF, "src/a.py", None, Resolution.NO_FIX, "")
        assert anywhere is not None
        assert anywhere.id == 3
        assert anywhere.comment.response == "Sorry.", "an empty answer keeps what is there"

    def test_an_answer_that_was_replaced_is_gone_from_the_file(self, store):
        store.put([review(POSTED)])
        store.resolve(OF, "src/a.py", 3, Resolution.FIXED, "quokka " * 50)
        store.resolve(OF, "src/a.py", 3, Resolution.FIXED, "Done.")

        assert b"quokka" not in store.path.read_bytes()

    @pytest.mark.parametrize(
        ("path", "line"), [("src/a.py", 4), ("src/c.py", None), ("src/b.py", None)]
    )
    def test_without_such_a_comment_nothing_changes(self, store, path, line):
        store.put([review(POSTED, SKIPPED)])
        before = store.history(OF)

        assert store.resolve(OF, path, line, Resolution.FIXED, "x") is None
        assert store.history(OF) == before


def test_topic_row_104_an_older_file_gets_the_columns_and_its_comments_are_posted(store):
    store.path.parent.mkdir(mode=0o700)
    old_reviews.make(store.path, old=True)
    old_reviews.review(store.path)
    old_reviews.comment(store.path)

    (found,) = store.history(OF)

    assert [one.comment.status for one in found.comments] == ["posted"]
    with closing(sqlite3.connect(store.path)) as sql:
        reviews = {row[1] for row in sql.execute("PRAGMA table_info(pr_reviews)")}
        comments = {row[1] for row in sql.execute("PRAGMA table_info(pr_comments)")}
        names = {row[1] for row in sql.execute("PRAGMA index_list(pr_comments)")}
    assert {"author", "origin"} <= reviews
    assert {"status", "skip_reason", "resolution_status", "author_response"} <= comments
    assert {"idx_pr_comments_review", "idx_pr_comments_posted"} <= names
    assert store.put([review(POSTED)]) == (2,)


def test_odd_values_of_another_program_stop_nothing(store):
    store.put([review(POSTED)])
    with closing(sqlite3.connect(store.path)) as sql, sql:
        sql.execute("UPDATE pr_comments SET status = 'odd', resolution_status = 'odd', line = 'x'")

    (one,) = store.history(OF)[0].comments
    assert (one.comment.status, one.comment.resolution, one.comment.line) == ("posted", None, None)


@pytest.mark.parametrize("path", [None, 3, 2.5, b"\xff", b"src/a.py", "\0"])
def test_an_odd_path_of_another_program_stops_no_answer(store, path):
    store.put([review(POSTED), review(POSTED)])
    with closing(sqlite3.connect(store.path)) as sql, sql:
        sql.execute("UPDATE pr_comments SET path = ? WHERE id = 2", (path,))
    found = store.resolve(OF, POSTED.path, POSTED.line, Resolution.FIXED, "Done.")
    assert found is not None
    assert found.id == 1
    assert store.path.exists()


def test_cut_texts_are_gone_from_the_file(store):
    store.put(
        [review(replace(POSTED, body="Keep.\nquokka"), replace(SKIPPED, skip_reason="quokka"))]
    )

    assert store.cut(lambda text: text.replace("quokka", "").strip()) == 2
    assert store.cut(lambda text: text) == 0
    assert b"quokka" not in store.path.read_bytes()
    assert store.history(OF)[0].comments[0].comment.body == "Keep."


class TestTrouble:
    def test_a_newer_file_is_left_alone(self, store):
        store.put([review(POSTED)])
        with closing(sqlite3.connect(store.path)) as sql:
            sql.execute("PRAGMA user_version = 99")
        before = store.path.read_bytes()

        with pytest.raises(VaultError, match="newer vaultmem"):
            store.history(OF)
        assert store.path.read_bytes() == before

    def test_a_damaged_file_is_set_aside_and_the_next_call_begins_anew(self, store):
        store.put([review(POSTED)])
        store.path.write_bytes(b"no database at all, but long enough to be looked at" * 9)

        with pytest.raises(VaultError, match="set aside"):
            store.history(OF)
        assert store.path.with_suffix(".broken").is_file()
        assert store.put([review(POSTED)]) == (1,)

    def test_tables_of_another_program_are_set_aside(self, store):
        store.path.parent.mkdir(mode=0o700)
        with closing(sqlite3.connect(store.path)) as sql, sql:
            sql.execute("CREATE TABLE pr_reviews (a)")

        with pytest.raises(VaultError, match="set aside"):
            store.put([review(POSTED)])

    def test_another_writer_is_waited_for_and_then_named(self, store, monkeypatch):
        store.put([review(POSTED)])
        monkeypatch.setattr(pr_reviews, "_WAIT_SECONDS", 0.01)
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(BusyError):
                store.put([review(POSTED)])
        assert len(store.history(OF)) == 1

    def test_a_folder_in_its_place_is_named(self, store):
        store.path.mkdir(parents=True)
        with pytest.raises(VaultError):
            store.put([review(POSTED)])

    def test_what_cannot_be_opened_is_named(self, store, monkeypatch):
        really = os.open

        def refuse(path, *more, **named):
            if str(path).endswith(NAME):
                raise PermissionError(13, "Permission denied")
            return really(path, *more, **named)

        monkeypatch.setattr(os, "open", refuse)
        with pytest.raises(ReadOnlyError, match=NAME):
            store.put([review(POSTED)])
