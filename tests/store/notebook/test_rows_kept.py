"""What the rows of the notebook's file must say after an act, and what a strange row must not allow."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.store.notebook.cards import NOW, card
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import GLOBAL, RETRIES, JobKind, JobStatus
from vaultmem.store.notebook.modes import Mode, SessionMode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOUR = 3600.0


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[NotebookCatalog]:
    made = NotebookCatalog(tmp_path / "state")
    yield made
    made.close()


def by_hand(tmp_path: Path, statement: str, *values: object) -> None:
    """Change a row as no version of ours does."""
    with closing(sqlite3.connect(tmp_path / "state" / "catalog.sqlite")) as sql, sql:
        sql.execute(statement, values)


@pytest.mark.parametrize("status", [JobStatus.PENDING, JobStatus.DONE, JobStatus.ERROR])
@pytest.mark.parametrize("act", ["heartbeat", "succeed", "fail", "release"])
def test_a_token_counts_only_while_its_job_runs(catalog, tmp_path, act, status):
    claim = catalog.jobs.claim(JobKind.EXTRACT, "s1", NOW, NOW, "w1")
    by_hand(tmp_path, "UPDATE jobs SET status = ?", status)
    before = catalog.jobs.get(JobKind.EXTRACT, "s1")
    assert getattr(catalog.jobs, act)(JobKind.EXTRACT, "s1", claim.token, NOW + 1) is False
    assert not catalog.finish_extraction("s1", claim.token, NOW + 1, card(watermark=NOW))
    assert catalog.jobs.get(JobKind.EXTRACT, "s1") == before
    assert catalog.cards.all() == []


def test_a_success_gives_all_tries_back(catalog):
    def claim(now: float) -> str:
        return catalog.jobs.claim(JobKind.CONSOLIDATE, GLOBAL, 0.0, now, "w1").token

    assert catalog.jobs.fail(JobKind.CONSOLIDATE, GLOBAL, claim(NOW), NOW, "The disk is full.")
    later = NOW + HOUR
    assert catalog.finish_consolidation(claim(later), later, generation=0, cards=[])
    job = catalog.jobs.get(JobKind.CONSOLIDATE, GLOBAL)
    assert (job.retries, job.error) == (RETRIES, "")


def test_a_mode_that_nobody_can_read_is_no_permission(catalog, tmp_path):
    catalog.modes.set("s1", Mode.ENABLED, NOW)
    by_hand(tmp_path, "UPDATE modes SET mode = 'of a newer version'")
    assert catalog.modes.get("s1") == SessionMode(Mode.DISABLED)
    assert not catalog.modes.all()["s1"].counts


def test_after_a_reset_no_use_is_left_of_a_card_that_comes_again(catalog):
    catalog.cards.put(card(), NOW)
    assert catalog.cards.use(["s1"], NOW) == 1
    catalog.wipe(NOW + 1)
    catalog.cards.put(card(), NOW + 2)
    found = catalog.cards.get("s1")
    assert (found.used, found.last_used) == (0, None)


def test_nothing_that_was_deleted_can_be_read_in_the_file(catalog, tmp_path):
    said = "The heron sleeps at noon. " * 40
    catalog.cards.put(card(summary=said), NOW)
    catalog.cards.put(card("s2"), NOW)
    catalog.close()
    place = tmp_path / "state" / "catalog.sqlite"
    assert b"heron" in place.read_bytes()
    assert catalog.cards.remove("s1", NOW + 1)
    catalog.close()
    assert b"heron" not in place.read_bytes()


def test_a_card_that_ends_before_its_claim_leaves_the_session_pending(catalog):
    claim = catalog.jobs.claim(JobKind.EXTRACT, "s1", NOW, NOW, "w1")
    assert catalog.finish_extraction("s1", claim.token, NOW, card(watermark=NOW - 1))
    job = catalog.jobs.get(JobKind.EXTRACT, "s1")
    assert (job.status, job.watermark, job.succeeded) == (JobStatus.PENDING, NOW, NOW - 1)
