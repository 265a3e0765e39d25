"""Several processes on one catalog, and processes that are killed in the middle of their work."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.store.notebook.cards import NOW, card
from tests.store.notebook.claiming import run
from tests.together import ROOT
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import (
    LEASE_SECONDS,
    Claimed,
    JobKind,
    JobStatus,
    Refusal,
)

if TYPE_CHECKING:
    from pathlib import Path

SESSIONS = 200

KILLED = """
import os, sys
from pathlib import Path
from tests.store.notebook.cards import NOW, card
from vaultmem.store.notebook.card_rows import put_card
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.job_rows import JobKind, finished, mark_dirty, owned, put_job

catalog = NotebookCatalog(Path(sys.argv[1]))
token = catalog.jobs.claim(JobKind.EXTRACT, "s1", NOW, NOW, "killed").token
print(token, flush=True)
if sys.argv[2] == "working":
    os.kill(os.getpid(), 9)
with catalog._db.changing() as sql:
    put_card(sql, card(watermark=NOW, summary="half"))
    mark_dirty(sql, NOW)
    put_job(sql, finished(owned(sql, JobKind.EXTRACT, "s1", token), NOW, NOW))
    os.kill(os.getpid(), 9)
"""


def test_four_processes_read_each_of_two_hundred_sessions_once(tmp_path: Path) -> None:
    met = run(tmp_path / "state", workers=4, sessions=SESSIONS).workers
    claimed = sorted(name for one in met for name in one.claimed)
    assert claimed == [f"s{number:03}" for number in range(SESSIONS)]
    assert sum(one.stored for one in met) == SESSIONS
    assert all(
        len(one.claimed) + one.running + one.read == SESSIONS == len(one.claims) for one in met
    )
    catalog = NotebookCatalog(tmp_path / "state")
    assert [one.session for one in catalog.cards.all()] == claimed
    assert catalog.jobs.generation() == SESSIONS
    assert {job.status for job in catalog.jobs.all(JobKind.EXTRACT)} == {JobStatus.DONE}
    catalog.close()


@pytest.mark.parametrize("when", ["working", "storing"])
def test_what_a_killed_worker_held_is_taken_over_and_nothing_is_doubled(
    tmp_path: Path, when: str
) -> None:
    folder = tmp_path / "state"
    command = [sys.executable, "-c", KILLED, str(folder), when]
    killed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    assert killed.returncode == -9
    catalog = NotebookCatalog(folder)
    assert catalog.cards.all() == []
    assert catalog.jobs.generation() == 0

    def claim(now: float):
        return catalog.jobs.claim(JobKind.EXTRACT, "s1", NOW, now, "second")

    late = NOW + 1
    found = claim(late)  # its process is gone, and nobody waits for the lease's end
    assert isinstance(found, Claimed)
    assert found.token != killed.stdout.strip()
    made = card(watermark=NOW)
    assert catalog.finish_extraction("s1", found.token, late, made)
    assert not catalog.finish_extraction("s1", killed.stdout.strip(), late, card(summary="old"))
    assert catalog.cards.all() == [made]
    assert catalog.jobs.generation() == 1
    assert claim(late + 1).reason is Refusal.UP_TO_DATE
    catalog.close()
    sql = sqlite3.connect(folder / "catalog.sqlite")
    assert sql.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    sql.close()


def test_a_killed_workers_lease_stops_no_maintenance(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "state"), "working"]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    catalog = NotebookCatalog(tmp_path / "state")
    assert not any(one.is_live(NOW + 1) for one in catalog.jobs.all())
    with catalog.maintenance("test", NOW + 1):
        pass
    catalog.close()


@pytest.mark.parametrize("there", ["", "another boot 4026531836"])
def test_a_worker_of_which_this_machine_cannot_tell_keeps_its_lease(
    tmp_path: Path, there: str
) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "state"), "working"]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    sql = sqlite3.connect(tmp_path / "state" / "catalog.sqlite")
    sql.execute("UPDATE jobs SET place = ?", (there,))
    sql.commit()
    sql.close()
    catalog = NotebookCatalog(tmp_path / "state")

    def claim(now: float):
        return catalog.jobs.claim(JobKind.EXTRACT, "s1", NOW, now, "second")

    assert claim(NOW + LEASE_SECONDS - 1).reason is Refusal.RUNNING
    assert isinstance(claim(NOW + LEASE_SECONDS), Claimed)
    catalog.close()
