"""Work on the notebook that runs or failed: when it is tried again, and what tries it at once."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import finding
from vaultmem.core.notebook.settings import DAY_SECONDS
from vaultmem.core.visible import visible_line
from vaultmem.services.notebook.enable import is_consolidating
from vaultmem.services.notebook.transcripts import without_secrets
from vaultmem.store.notebook.jobs import GLOBAL, JobKind, JobStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.core.finding import Finding
    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.errors import VaultmemError
    from vaultmem.services.call import Call
    from vaultmem.store.notebook.catalog import NotebookCatalog
    from vaultmem.store.notebook.jobs import Job

_AT_ONCE = {
    JobKind.EXTRACT: "vaultmem notebook extract --now",
    JobKind.CONSOLIDATE: "vaultmem notebook consolidate --now",
    JobKind.DREAM: "vaultmem notebook dream --now",
    JobKind.MODEL: "vaultmem notebook extract",
}
"""The command that does not wait for the hour after a failure."""


MOST_TOLD = 300
"""Characters of what went wrong that are kept."""


class JobLine(NamedTuple):
    """A job that runs or failed; moments are by the person's clock.

    Attributes:
        kind: extract, consolidate, dream or model.
        key: the session's id, or `global`.
        status: running or error.
        error: what went wrong at the last try.
        retries: tries that are left.
        failed: when that was; None where it runs.
        again: from when it is tried again; None where it runs, or only a change brings it back.
    """

    kind: str
    key: str
    status: str
    error: str
    retries: int
    failed: datetime | None
    again: datetime | None

    @property
    def name(self) -> str:
        """What it is called, with the session that it is about."""
        return self.kind if self.key == GLOBAL else f"{self.kind} {self.key}"

    @property
    def sentence(self) -> str:
        """What failed, when, and when it is tried again."""
        again = _minute(self.again) if self.again else "when it changes"
        tries = "1 try" if self.retries == 1 else f"{self.retries} tries"
        at = f"failed {_minute(self.failed)} and is" if self.failed else "is"
        why = f" {self.error}" if self.error else ""  # a purge takes what was told
        return f"{self.name}:{why} It {at} tried again {again}; {tries} left."

    @property
    def next_step(self) -> str:
        """How it is tried at once."""
        return f"Run `{_AT_ONCE[JobKind(self.kind)]}` to try at once."


def failure(error: VaultmemError) -> str:
    """What is kept of an error: its sentence, without secrets."""
    return visible_line(without_secrets(str(error)), MOST_TOLD)


def job_lines(call: Call, jobs: Iterable[Job], settings: NotebookSettings) -> tuple[JobLine, ...]:
    """Those of the jobs that run, or failed and are still to be done on this device.

    Nothing that failed where the notebook is off for every project, nor of a session that is too
    old to be read, nor of the rewrite and the dream where another device does them.

    Args:
        call: the circumstances.
        jobs: of this device.
        settings: until when a session counts.
    """
    now = call.now.timestamp()
    return tuple(
        _line(call, one, now)
        for one in jobs
        if one.is_live(now) or (one.status is JobStatus.ERROR and _is_to_do(call, one, settings))
    )


def check_work(
    call: Call, catalog: NotebookCatalog, settings: NotebookSettings
) -> Iterator[Finding]:
    """What failed, as `job_lines` has it, for `doctor`.

    Args:
        call: the circumstances.
        catalog: of the notebook.
        settings: until when a session counts.

    Raises:
        BusyError, VaultError, ReadOnlyError, DiskFailedError: as `NotebookCatalog`.
    """
    if not call.vault.notebook or not catalog.exists:
        return
    for one in job_lines(call, catalog.jobs.all(), settings):
        if one.status == JobStatus.ERROR:
            yield finding("VM958", f"notebook {one.sentence}", remedy=one.next_step)


def claimable(job: Job | None, now: float) -> float | None:
    """From when on a session or rewrite can be claimed; None where only a change brings it back."""
    if job is None:
        return now
    if job.is_live(now):
        return job.lease_until
    if job.retries <= 0:
        return None
    return job.retry_at if job.waits(now) and job.retry_at is not None else now


def by_clock(call: Call, at: float) -> datetime:
    """A moment in seconds of the Unix epoch by the person's clock, without its zone."""
    found = datetime.fromtimestamp(at, call.now.tzinfo)
    return found.replace(tzinfo=None, microsecond=0)


def _is_to_do(call: Call, job: Job, settings: NotebookSettings) -> bool:
    if not call.vault.notebook:
        return False
    if job.kind is JobKind.EXTRACT:
        return job.watermark >= call.now.timestamp() - settings.max_age_days * DAY_SECONDS
    return job.kind is JobKind.MODEL or is_consolidating(call)


def _line(call: Call, job: Job, now: float) -> JobLine:
    runs = job.is_live(now)
    again = None if runs else claimable(job, now)
    failed = None if runs else job.finished
    return JobLine(
        job.kind.value,
        job.key,
        JobStatus.RUNNING.value if runs else job.status.value,
        job.error,
        job.retries,
        None if failed is None else by_clock(call, failed),
        None if again is None else by_clock(call, again),
    )


def _minute(moment: datetime) -> str:
    return moment.isoformat(sep=" ")[:16]
