"""Whether the model gave an answer lately: for work that nobody watches, and for who looks at it.

Sessions lose no try where the model is away for all of them. Instead one job of its own keeps what
went wrong: a timer asks again after an hour, three times, and anew once a newer session is due. A
person's own run does not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.store.notebook.jobs import GLOBAL, Claimed, JobKind, JobStatus

if TYPE_CHECKING:
    from vaultmem.store.notebook.catalog import NotebookCatalog

_JOB = (JobKind.MODEL, GLOBAL)


def is_away(catalog: NotebookCatalog, newest: float, now: float) -> bool:
    """Whether the model failed less than an hour ago, or three times.

    Args:
        catalog: of the notebook.
        newest: watermark of the newest session that may be read.
        now: seconds since the epoch.
    """
    return catalog.jobs.look(*_JOB, newest, now) is not None


def went_away(catalog: NotebookCatalog, newest: float, now: float, worker: str, why: str) -> None:
    """Keep that the model gave no answer; arguments as `is_away`, and what it said.

    Within the hour of an earlier failure this is no further try.
    """
    claim = catalog.jobs.claim(*_JOB, newest, now, worker)
    if isinstance(claim, Claimed):
        catalog.jobs.fail(*_JOB, claim.token, now, why)


def answered(catalog: NotebookCatalog, now: float, worker: str) -> None:
    """Forget earlier failures: the model gave an answer."""
    job = catalog.jobs.get(*_JOB)
    if job is None or job.status is JobStatus.DONE:
        return
    claim = catalog.jobs.claim(*_JOB, job.watermark, now, worker, force=True)
    if isinstance(claim, Claimed):
        catalog.jobs.succeed(*_JOB, claim.token, now)
