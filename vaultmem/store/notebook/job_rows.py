"""One job as a row of the notebook's file, read and stored within a transaction.

Times are seconds of the Unix epoch. A clock that jumps back makes nothing wait longer than twice
its span: a time further ahead than any of ours can be is not believed.
"""

from __future__ import annotations

import sqlite3
from enum import StrEnum
from typing import NamedTuple

from vaultmem.store.process import Process, is_running, place

LEASE_SECONDS = 3600.0
RETRY_SECONDS = 3600.0
RETRIES = 3
COOLDOWN_SECONDS = 6 * 3600.0
"""facts/notebook.md, section 2, fixed constants."""
HEARTBEAT_SECONDS = 60.0
"""How often a worker should say that it lives; between the 30 of one source and the 90 of another
(facts/notebook.md, section 14)."""

GLOBAL = "global"
"""The key of a kind of which there is one job."""


class JobKind(StrEnum):
    """What is to be done."""

    EXTRACT = "extract"
    """One session, by its id, becomes a card."""
    CONSOLIDATE = "consolidate"
    """The cards become the notebook; its key is `GLOBAL`."""
    DREAM = "dream"
    """The review of what was learned; its key is `GLOBAL`."""
    MODEL = "model"
    """No work of its own: an answer of the model that reads sessions; its key is `GLOBAL`."""


class JobStatus(StrEnum):
    """Where a job is."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    ERROR = "error"


class Job(NamedTuple):
    """One job as it stands."""

    kind: JobKind
    key: str
    status: JobStatus
    worker: str
    token: str
    started: float | None
    finished: float | None
    lease_until: float | None
    retry_at: float | None
    retries: int
    """How many failures are left."""
    error: str
    watermark: float
    succeeded: float | None
    """The watermark of the last success."""
    pid: int = 0
    """Of the process that claimed it last."""
    pid_started: str = ""
    """When that was started, as `Process` has it."""
    place: str = ""
    """Where the two count, as `store.process.place` says; elsewhere they mean nothing."""

    def is_live(self, now: float) -> bool:
        """Whether a worker holds it: its lease is not over, nor is its process known to be gone."""
        leased = self.status is JobStatus.RUNNING and _is_ahead(
            self.lease_until, now, LEASE_SECONDS
        )
        return leased and not self._is_orphaned()

    def _is_orphaned(self) -> bool:
        """Whether its process was one of this machine that has provably ended."""
        here = self.place and self.place == place()
        return bool(here) and not is_running(Process(self.pid, self.pid_started))

    def waits(self, now: float) -> bool:
        """Whether it failed too lately to be tried again."""
        return _is_ahead(self.retry_at, now, RETRY_SECONDS)

    def cools(self, now: float, span: float) -> bool:
        """Whether it was done less than `span` ago and nothing is new since."""
        done = self.status is JobStatus.DONE and self.finished is not None
        return done and _is_ahead((self.finished or 0.0) + span, now, span)


COLUMNS = ", ".join(Job._fields)


def read_job(sql: sqlite3.Connection, kind: JobKind, key: str) -> Job | None:
    """The job of a kind and key; None if there never was one."""
    found = sql.execute(
        f"SELECT {COLUMNS} FROM jobs WHERE kind = ? AND key = ?",  # noqa: S608 - our own names
        (kind, key),
    ).fetchone()
    return None if found is None else job_of(found)


def job_of(row: tuple[object, ...]) -> Job:
    """A job as `COLUMNS` give it.

    Raises:
        DatabaseError: if no version of ours wrote it.
    """
    job = Job._make(row)
    try:
        return job._replace(kind=JobKind(job.kind), status=JobStatus(job.status))
    except ValueError as error:
        raise sqlite3.DatabaseError(str(error)) from error


def put_job(sql: sqlite3.Connection, job: Job) -> None:
    """Store a job over the one of its kind and key."""
    marks = ", ".join("?" * len(Job._fields))
    sql.execute(f"INSERT OR REPLACE INTO jobs ({COLUMNS}) VALUES({marks})", job)


def owned(sql: sqlite3.Connection, kind: JobKind, key: str, token: str) -> Job | None:
    """The job if it runs and the token is its own; None says that nothing may be written."""
    job = read_job(sql, kind, key)
    if job is None or job.status is not JobStatus.RUNNING or job.token != token or not token:
        return None
    return job


def finished(job: Job, now: float, watermark: float, *, cools: bool = True) -> Job:
    """A job that is done up to there; one whose input went on meanwhile is pending at once.

    What found nothing to do does not cool down; no moment is kept at which it was done.
    """
    status = JobStatus.PENDING if job.watermark > watermark else JobStatus.DONE
    return job._replace(
        status=status,
        token="",
        finished=now if cools else None,
        lease_until=None,
        retry_at=None,
        retries=RETRIES,
        error="",
        watermark=max(job.watermark, watermark),
        succeeded=max(job.succeeded or watermark, watermark),
    )


def mark_dirty(sql: sqlite3.Connection, watermark: float) -> int:
    """As `Jobs.mark_dirty`, within a transaction."""
    job = read_job(sql, JobKind.CONSOLIDATE, GLOBAL) or new_job(JobKind.CONSOLIDATE, GLOBAL, 0.0)
    grown = watermark if watermark > job.watermark else job.watermark + 1
    job = job._replace(watermark=grown, retry_at=None, retries=RETRIES)
    if job.status is not JobStatus.RUNNING:
        job = job._replace(status=JobStatus.PENDING)
    put_job(sql, job)
    number = generation(sql) + 1
    sql.execute("INSERT OR REPLACE INTO meta VALUES('generation', ?)", (str(number),))
    return number


def generation(sql: sqlite3.Connection) -> int:
    """How often the input of the consolidation changed."""
    found = sql.execute("SELECT value FROM meta WHERE name = 'generation'").fetchone()
    return 0 if found is None else int(found[0])


def maintained(sql: sqlite3.Connection) -> bool:
    """Whether a process that still runs holds the maintenance lock."""
    found = sql.execute("SELECT pid, started FROM maintenance").fetchone()
    return found is not None and is_running(Process(int(found[0]), str(found[1])))


def live_jobs(sql: sqlite3.Connection, now: float) -> list[Job]:
    """The jobs that a worker holds."""
    rows = sql.execute(f"SELECT {COLUMNS} FROM jobs WHERE status = 'running'")  # noqa: S608 - as above
    return [job for job in map(job_of, rows.fetchall()) if job.is_live(now)]


def new_job(kind: JobKind, key: str, watermark: float) -> Job:
    """A job that nobody has claimed yet."""
    return Job(
        kind, key, JobStatus.PENDING, "", "", None, None, None, None, RETRIES, "", watermark, None
    )


def _is_ahead(moment: float | None, now: float, span: float) -> bool:
    """Whether a moment is still to come, and near enough that our clock can have meant it."""
    return moment is not None and now < moment <= now + 2 * span
