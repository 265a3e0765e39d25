"""Jobs: which worker has which piece of work, until when, and what became of it before.

A claim gives a token; whoever does not hold the token that stands there any more writes nothing.
The lease of a worker whose process is gone from this machine ends at once.
Times are seconds of the Unix epoch.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.notebook.job_rows import (
    COLUMNS,
    COOLDOWN_SECONDS,
    GLOBAL,
    HEARTBEAT_SECONDS,
    LEASE_SECONDS,
    RETRIES,
    RETRY_SECONDS,
    Job,
    JobKind,
    JobStatus,
    finished,
    generation,
    job_of,
    maintained,
    mark_dirty,
    new_job,
    owned,
    put_job,
    read_job,
)
from vaultmem.store.process import place, this_process

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from vaultmem.store.notebook.tables import Database

__all__ = [
    "COOLDOWN_SECONDS",
    "GLOBAL",
    "HEARTBEAT_SECONDS",
    "LEASE_SECONDS",
    "RETRIES",
    "RETRY_SECONDS",
    "Claimed",
    "Job",
    "JobKind",
    "JobStatus",
    "Jobs",
    "Refusal",
    "Refused",
]

_MOST_ERROR = 500
"""Characters of what is told of a failure."""


class Refusal(StrEnum):
    """Why a claim got nothing."""

    UP_TO_DATE = "up_to_date"
    EXHAUSTED = "exhausted"
    WAITING = "waiting"
    """It failed less than an hour ago."""
    COOLDOWN = "cooldown"
    RUNNING = "running"
    MAINTENANCE = "maintenance"


class Claimed(NamedTuple):
    """The work is the caller's until its lease ends."""

    token: str
    generation: int
    """Of the input, when it was claimed."""


class Refused(NamedTuple):
    """The work is not to be done by the caller now."""

    reason: Refusal
    until: float | None = None
    """When it is worth asking again, where that is known."""


class Jobs:
    """The jobs in the notebook's file; methods raise as `Database` says."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def claim(
        self,
        kind: JobKind,
        key: str,
        watermark: float,
        now: float,
        worker: str,
        *,
        cooldown: float | None = None,
        force: bool = False,
    ) -> Claimed | Refused:
        """Take a job, or say why not; of any number of workers at most one gets it.

        Args:
            kind: what is to be done.
            key: the session's id, or `GLOBAL`.
            watermark: how far the input goes that the caller knows of; one that is newer than the
                job's begins its retries anew.
            now: seconds since the epoch.
            worker: who asks, for people to read.
            cooldown: seconds after a success without new input; None means six hours for a
                consolidation and none for others.
            force: a person asks: neither cooldown, nor failures, nor an hour's wait refuse it.
        """
        import uuid  # a few ms, and most that open the catalog claim nothing

        with self._db.changing() as sql:
            job = _asked(sql, kind, key, watermark)
            if refused := _refusal(sql, job, watermark, now, cooldown, force=force):
                return refused
            token, process = str(uuid.uuid4()), this_process()
            put_job(
                sql,
                job._replace(
                    status=JobStatus.RUNNING,
                    worker=worker,
                    token=token,
                    started=now,
                    finished=None,
                    lease_until=now + LEASE_SECONDS,
                    retry_at=None,
                    retries=job.retries or 1,  # one that is forced may fail once more
                    pid=process.pid,
                    pid_started=process.started,
                    place=place(),
                ),
            )
            return Claimed(token, generation(sql))

    def look(
        self,
        kind: JobKind,
        key: str,
        watermark: float,
        now: float,
        *,
        cooldown: float | None = None,
        force: bool = False,
    ) -> Refused | None:
        """Why `claim` would get nothing now, without claiming; None if it would get the job."""
        with self._db.reading() as sql:
            job = _asked(sql, kind, key, watermark)
            return _refusal(sql, job, watermark, now, cooldown, force=force)

    def confirm(self, kind: JobKind, key: str, token: str, now: float, generation: int) -> bool:
        """Renew the lease if the job is the caller's and the input is of that generation still.

        For the moment before something is published.
        """
        with self._db.changing():
            return self.generation() == generation and self.heartbeat(kind, key, token, now)

    def generation(self) -> int:
        """How often the input of the consolidation changed; it only grows."""
        with self._db.reading() as sql:
            return generation(sql)

    def heartbeat(self, kind: JobKind, key: str, token: str, now: float) -> bool:
        """Renew the lease; False if the job is not the caller's any more, who must stop then."""
        return self._put(
            kind, key, token, lambda job: job._replace(lease_until=now + LEASE_SECONDS)
        )

    def succeed(
        self, kind: JobKind, key: str, token: str, now: float, *, cools: bool = True
    ) -> bool:
        """Record a success; False, with nothing written, if the job is not the caller's any more.

        An extraction ends by `NotebookCatalog.finish_extraction`, a consolidation by
        `finish_consolidation`, which store their results in the same transaction.

        Args:
            kind: of the claim, as
            key: and
            token: the one that it gave.
            now: seconds since the epoch.
            cools: False where there was nothing to do, so that no cooldown begins.
        """
        return self._put(
            kind, key, token, lambda job: finished(job, now, job.watermark, cools=cools)
        )

    def fail(self, kind: JobKind, key: str, token: str, now: float, error: str = "") -> bool:
        """Record a failure, to be tried again in an hour; False as `succeed`.

        Args:
            kind: of the claim, as
            key: and
            token: the one that it gave.
            now: seconds since the epoch.
            error: one sentence without captured text; it is cut to 500 characters.
        """

        def failed(job: Job) -> Job:
            return job._replace(
                status=JobStatus.ERROR,
                token="",
                finished=now,
                lease_until=None,
                retry_at=now + RETRY_SECONDS,
                retries=max(job.retries - 1, 0),
                error=error[:_MOST_ERROR],
            )

        return self._put(kind, key, token, failed)

    def release(self, kind: JobKind, key: str, token: str, now: float) -> bool:
        """Give a job back unfinished, for instance because it was told to stop; False as `succeed`.

        It can be claimed at once, and no failure is counted.
        """

        def released(job: Job) -> Job:
            return job._replace(status=JobStatus.PENDING, token="", finished=now, lease_until=None)

        return self._put(kind, key, token, released)

    def forget(self, kind: JobKind, key: str) -> None:
        """Let a job be as if it never was: who holds it loses it, and it is to be done anew."""
        with self._db.changing() as sql:
            sql.execute("DELETE FROM jobs WHERE kind = ? AND key = ?", (kind, key))

    def mark_dirty(self, now: float) -> int:
        """Say that the input of the consolidation changed; returns its new generation.

        The job's watermark grows strictly; unless it runs it is pending, so that no cooldown and
        no failure holds it up.
        """
        with self._db.changing() as sql:
            return mark_dirty(sql, now)

    def get(self, kind: JobKind, key: str) -> Job | None:
        """The job as it stands."""
        with self._db.reading() as sql:
            return read_job(sql, kind, key)

    def all(self, kind: JobKind | None = None) -> list[Job]:
        """All jobs of that kind, or all, by kind and key."""
        with self._db.reading() as sql:
            rows = sql.execute(
                f"SELECT {COLUMNS} FROM jobs WHERE ?1 IS NULL OR kind = ?1"  # noqa: S608 - our own names
                " ORDER BY kind, key",
                (kind,),
            )
            return [job_of(row) for row in rows.fetchall()]

    def _put(self, kind: JobKind, key: str, token: str, change: Callable[[Job], Job]) -> bool:
        """Store what becomes of a job; False, with nothing written, if it is not the caller's."""
        with self._db.changing() as sql:
            job = owned(sql, kind, key, token)
            if job is not None:
                put_job(sql, change(job))
        return job is not None


def _refusal(  # noqa: PLR0911 - one answer a rule
    sql: sqlite3.Connection,
    job: Job,
    watermark: float,
    now: float,
    cooldown: float | None,
    *,
    force: bool,
) -> Refused | None:
    if maintained(sql):
        return Refused(Refusal.MAINTENANCE)
    if job.is_live(now):
        return Refused(Refusal.RUNNING, job.lease_until)
    if job.kind is JobKind.EXTRACT and _known(sql, job) >= watermark:
        return Refused(Refusal.UP_TO_DATE)
    if force:
        return None
    if job.retries <= 0:
        return Refused(Refusal.EXHAUSTED)
    if job.waits(now):
        return Refused(Refusal.WAITING, job.retry_at)
    span = COOLDOWN_SECONDS if job.kind is JobKind.CONSOLIDATE else 0.0
    span = span if cooldown is None else cooldown
    if job.cools(now, span):
        return Refused(Refusal.COOLDOWN, (job.finished or 0.0) + span)
    return None


def _asked(sql: sqlite3.Connection, kind: JobKind, key: str, watermark: float) -> Job:
    """The job as a claim finds it: one with newer input begins its retries anew."""
    job = read_job(sql, kind, key) or new_job(kind, key, watermark)
    if watermark > job.watermark:
        return job._replace(watermark=watermark, retries=RETRIES, retry_at=None)
    return job


def _known(sql: sqlite3.Connection, job: Job) -> float:
    """How far the session was read with success, with a card or without one."""
    found = sql.execute("SELECT watermark FROM cards WHERE session = ?", (job.key,)).fetchone()
    known = [one for one in (job.succeeded, found[0] if found else None) if one is not None]
    return max(known, default=float("-inf"))
