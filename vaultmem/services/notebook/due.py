"""What of the notebook's work could be done now; the look opens no engine and no history."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from vaultmem.core.notebook.dream import EVERY_SECONDS
from vaultmem.services.notebook.eligible import eligible, watermark
from vaultmem.services.notebook.enable import is_consolidating
from vaultmem.services.notebook.model_away import is_away
from vaultmem.services.notebook.sending import why_nothing
from vaultmem.store.notebook.jobs import GLOBAL, JobKind, JobStatus

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.services.call import Call
    from vaultmem.store.notebook.catalog import NotebookCatalog
    from vaultmem.store.sessions.rows import SessionRow


def what_is_due(
    call: Call,
    rows: Iterable[SessionRow],
    catalog: NotebookCatalog,
    settings: NotebookSettings,
    *,
    projects: Collection[str],
    own_session: str = "",
) -> tuple[JobKind, ...]:
    """The kinds of work for which a claim would be given, in the order in which they are done.

    Args:
        call: the circumstances.
        rows: the sessions that the session catalog knows.
        catalog: of the notebook.
        settings: for how long a session rests, and until when it counts.
        projects: identities of those in which the notebook is on; where nothing may be sent,
            nothing is due.
        own_session: the session that runs now.

    Raises:
        As the methods of `NotebookCatalog`.
    """
    if why_nothing(call, projects):
        return ()
    now, jobs = call.now.timestamp(), catalog.jobs
    found = eligible(call, rows, catalog, settings, projects=projects, own_session=own_session)
    due: list[JobKind] = []
    first = next(found, None)
    if (
        first is not None
        and not is_away(catalog, watermark(first), now)
        and any(
            jobs.look(JobKind.EXTRACT, row.id, watermark(row), now) is None
            for row in chain((first,), found)
        )
    ):
        due.append(JobKind.EXTRACT)
    if is_consolidating(call):
        job = jobs.get(JobKind.CONSOLIDATE, GLOBAL)
        changed = job is not None and job.status is not JobStatus.DONE
        if changed and jobs.look(JobKind.CONSOLIDATE, GLOBAL, 0.0, now) is None:
            due.append(JobKind.CONSOLIDATE)
        dreamt = jobs.look(JobKind.DREAM, GLOBAL, 0.0, now, cooldown=EVERY_SECONDS) is not None
        if not dreamt and not _found_nothing(catalog, now):
            due.append(JobKind.DREAM)
    return tuple(due)


def _found_nothing(catalog: NotebookCatalog, now: float) -> bool:
    """Whether the last dream had nothing to do, lately, and no card is new since.

    It does not cool down; but a timer that asks every minute need not look as often.
    """
    job = catalog.jobs.get(JobKind.DREAM, GLOBAL)
    if job is None or job.status is not JobStatus.DONE or job.finished is not None:
        return False
    if job.started is None or not job.started <= now < job.started + EVERY_SECONDS:
        return False
    return all(card.watermark <= job.watermark for card in catalog.cards.all())
