"""What holds for the notebook: where it is on, what waits or failed, what comes next, its cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.settings import HOUR_SECONDS
from vaultmem.llm.prompts import load
from vaultmem.services.notebook.copying import selected
from vaultmem.services.notebook.eligible import eligible, watermark
from vaultmem.services.notebook.enable import is_consolidating, is_enabled
from vaultmem.services.notebook.failures import by_clock, claimable, job_lines
from vaultmem.services.notebook.published import versions
from vaultmem.services.notebook.rewrite import hindrance
from vaultmem.services.notebook.sending import why_nothing
from vaultmem.services.remember_note import notes_left
from vaultmem.services.switch import READ, WRITE, switched_off
from vaultmem.services.syncing.record import notebook_findings
from vaultmem.store.notebook.jobs import JobKind, JobStatus
from vaultmem.store.notebook_agreed import agreed_destinations, is_agreed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from vaultmem.config import UserConfig
    from vaultmem.core.finding import Finding
    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.llm.model import Purpose
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.failures import JobLine
    from vaultmem.store.notebook.catalog import NotebookCatalog
    from vaultmem.store.notebook.jobs import Job
    from vaultmem.store.notebook.usage import Spent
    from vaultmem.store.notebook_history import Commit
    from vaultmem.store.sessions.rows import SessionRow


class ModelLine(NamedTuple):
    """Which model is asked for a purpose.

    Attributes:
        name, destination: of the model; empty where there is none.
        agreed: whether the person said yes to the destination on this machine.
        prompt: the version of its instructions.
        trouble: why there is no model, one sentence with the next step; empty where there is one.
    """

    purpose: Purpose
    name: str
    destination: str
    agreed: bool
    prompt: int
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookStatus:
    """The answer of `notebook status`.

    Attributes:
        project: that of the working folder.
        on: whether the notebook is on there.
        projects: all in which it is on, on this machine.
        off: remembering or recalling is switched off here.
        device: the id of the device that rewrites the notebook, None where none does yet.
        is_here: whether that is this device.
        models: which model is asked for what.
        agreed: the destinations to which the person said yes on this machine.
        settings: the numbers that hold.
        cards: of this machine's sessions.
        ready: sessions that can be read now.
        ignored: sessions that the person leaves out.
        jobs: that run or failed, as `job_lines` says.
        consolidated: when the last rewrite was done here.
        dirty: whether something is there to be told that the last rewrite did not know.
        blocked: what holds a rewrite up until a person settles it; "" where nothing does.
        generation: how often its input changed.
        next: when there is something to do; None where nothing is in sight, or there is no model.
        version: of the notebook that is published, None where there is none.
        published: when that was made, by the person's clock, as all times here.
        usage: tokens and cost by purpose and model, over all days.
        today: the sum of the person's present day.
        findings: what is wrong with the notebook's files, so that they are not in force.
    """

    project: str
    on: bool
    projects: tuple[str, ...]
    off: tuple[Finding, ...]
    device: str | None
    is_here: bool
    models: tuple[ModelLine, ...]
    agreed: tuple[str, ...]
    settings: NotebookSettings
    cards: int
    ready: int
    ignored: tuple[str, ...]
    jobs: tuple[JobLine, ...]
    consolidated: datetime | None
    dirty: bool
    blocked: str
    generation: int
    next: datetime | None
    version: Commit | None
    published: datetime | None
    usage: tuple[Spent, ...]
    today: Spent
    findings: tuple[Finding, ...]


def notebook_status(
    call: Call,
    config: UserConfig,
    catalog: NotebookCatalog,
    rows: Sequence[SessionRow],
    models: Sequence[ModelLine],
    *,
    project: str,
) -> NotebookStatus:
    """Look at the notebook; nothing is claimed, sent or written.

    Args:
        call: the circumstances.
        config: the user config.
        catalog: of the notebook.
        rows: the sessions that are known.
        models: which model is asked for what, as `model_line` says.
        project: that of the working folder.

    Raises:
        BusyError, ReadOnlyError, DiskFailedError, VaultError: as `NotebookCatalog`.
        HistoryDamagedError: if the published version cannot be read.
    """
    now = call.now.timestamp()
    settings = config.notebook_settings
    jobs = catalog.jobs.all()
    rewrite = next((one for one in jobs if one.kind is JobKind.CONSOLIDATE), None)
    known = {one.key: one for one in jobs if one.kind is JobKind.EXTRACT}
    at_once = settings._replace(idle_hours=0)
    new = [
        row
        for row in eligible(call, rows, catalog, at_once, projects=config.notebook)
        if _is_new(row, known.get(row.id))
    ]
    rested = [(row, watermark(row) + settings.idle_hours * HOUR_SECONDS) for row in new]
    waiting = [row for row, moment in rested if moment <= now]
    here = is_consolidating(call)
    away = next((one for one in jobs if one.kind is JobKind.MODEL), None)
    answers = _answer_moment(away, waiting, now)
    moments = [_later(claimable(known.get(row.id), now), answers) for row in waiting]
    moments += [moment for _, moment in rested if moment > now]
    with versions(call) as history:
        head = history.head()
    dirty = _is_dirty(call, catalog, settings, rewrite, head)
    off = why_nothing(call, config.notebook)
    blocked = hindrance(call, catalog) if here and off is None else ""
    if dirty and here and off is None and not blocked:
        moments.append(claimable(rewrite, now))
    may_ask = any(one.destination for one in models)
    soonest = min((max(one, now) for one in moments if one is not None and may_ask), default=None)
    return NotebookStatus(
        project=project,
        on=is_enabled(config, project),
        projects=config.notebook,
        off=_off(call, project),
        device=call.vault.settings.notebook_device,
        is_here=here,
        models=tuple(models),
        agreed=tuple(sorted(agreed_destinations(call.vault.state.folder))),
        settings=settings,
        cards=len(catalog.cards.all()),
        ready=sum(1 for row in waiting if claimable(known.get(row.id), now) == now),
        ignored=tuple(sorted(key for key, one in catalog.modes.all().items() if one.ignored)),
        jobs=job_lines(call, jobs, settings),
        consolidated=_done(call, rewrite),
        dirty=dirty,
        blocked=blocked,
        generation=catalog.jobs.generation(),
        next=None if soonest is None else by_clock(call, soonest),
        version=head,
        published=None if head is None else by_clock(call, head.when.timestamp()),
        usage=tuple(catalog.usage.by_purpose()),
        today=catalog.usage.total(call.local.date()),
        findings=tuple(notebook_findings(call)),
    )


def model_line(
    call: Call, purpose: Purpose, *, name: str, destination: str, trouble: str = ""
) -> ModelLine:
    """Which model is asked, and whether the person agreed to it on this machine."""
    agreed = bool(destination) and is_agreed(call.vault.state.folder, destination)
    return ModelLine(purpose, name, destination, agreed, load(purpose).version, trouble)


def _off(call: Call, project: str) -> tuple[Finding, ...]:
    found = (switched_off(call, what, project=project) for what in (WRITE, READ))
    return tuple(filter(None, found))


def _is_new(row: SessionRow, job: Job | None) -> bool:
    """Whether a session holds more than what was read of it."""
    return job is None or job.succeeded is None or job.succeeded < watermark(row)


def _answer_moment(job: Job | None, waiting: Sequence[SessionRow], now: float) -> float | None:
    """From when on a timer asks the model, as `model_away` has it; None as for `claimable`."""
    newest = max(map(watermark, waiting), default=0.0)
    if job is None or job.status is not JobStatus.ERROR or newest > job.watermark:
        return now
    return claimable(job, now)


def _later(one: float | None, other: float | None) -> float | None:
    """The later of two moments; None where one of them never comes by itself."""
    return None if one is None or other is None else max(one, other)


def _is_dirty(
    call: Call,
    catalog: NotebookCatalog,
    settings: NotebookSettings,
    job: Job | None,
    head: Commit | None,
) -> bool:
    """Whether a rewrite would have anything to tell that the last one did not know.

    Before the first version, and after a reset, that needs a card or a note of any device.
    """
    if job is None or job.status is JobStatus.DONE:
        return False
    if head is not None:
        return True
    return bool(selected(call, catalog, settings, call.now.timestamp()) or notes_left(call))


def _done(call: Call, job: Job | None) -> datetime | None:
    """When the last rewrite ended well."""
    if job is None or job.succeeded is None or job.finished is None:
        return None
    return by_clock(call, job.finished) if job.status is JobStatus.DONE else None
