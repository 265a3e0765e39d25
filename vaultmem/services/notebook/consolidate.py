"""Phase 2: the cards and notes become the notebook, by a worker on a copy, published if it holds.

The order is that of facts/notebook.md §5. Whatever fails before the version is published leaves the
notebook as it was; two workers cannot both publish, since each names the version that it replaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.visible import visible_line
from vaultmem.errors import ModelStoppedError, NotebookChangedError, VaultmemError
from vaultmem.llm.model import never
from vaultmem.llm.prompts import load
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.notebook.card_notes import settle_notes
from vaultmem.services.notebook.consolidated import Consolidated, Outcome, Work
from vaultmem.services.notebook.copying import prepare, task_text
from vaultmem.services.notebook.enable import is_consolidating
from vaultmem.services.notebook.holding import JOB, USUAL_PACE, Holding
from vaultmem.services.notebook.rewrite import Rewrite, ended, hindrance
from vaultmem.services.notebook.sending import why_nothing
from vaultmem.services.sync import ensure_current
from vaultmem.store.notebook.jobs import Refusal, Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.llm.model import Model
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.holding import Pace
    from vaultmem.store.notebook.catalog import NotebookCatalog


def consolidate(
    call: Call,
    model: Model,
    catalog: NotebookCatalog,
    settings: NotebookSettings,
    *,
    worker: str,
    now: float,
    force: bool = False,
    dry: bool = False,
    stop: Callable[[], bool] = never,
    pace: Pace = USUAL_PACE,
) -> Consolidated:
    """Rewrite the notebook, if it is due and this device's turn.

    Args:
        call: the circumstances.
        model: who does the work.
        catalog: of this machine.
        settings: how many cards, and how old.
        worker: who asks, for people to read.
        now: seconds since the epoch.
        force: a person asks: neither cooldown nor earlier failures hold it up.
        dry: claim, write and send nothing; say what would be sent, or what is in the way.
        stop: asked while the model works; True gives the job back.
        pace: how often the lease is renewed.

    Raises:
        BusyError, ReadOnlyError, DiskFailedError, VaultError: if the job cannot be claimed, or its
            end cannot be recorded; the lease then ends by itself.
    """
    if off := why_nothing(call, call.vault.notebook):
        return Consolidated(Outcome.OFF, message=off.sentence)
    if not is_consolidating(call):
        return Consolidated(Outcome.NOT_THIS_DEVICE, message=_NOT_HERE)
    call = call.by_policy()
    ensure_current(call)  # a person's edit is published, and counts as input, before the claim
    if dry:
        return _foreseen(call, catalog, settings, now, force=force)
    settled = settle_notes(call, catalog)
    claimed = catalog.jobs.claim(*JOB, 0.0, now, worker, force=force)
    if isinstance(claimed, Refused):
        return _refused(claimed)._replace(findings=settled)
    spent = model.spent()
    with Holding(catalog, claimed, now, stop, pace) as holding:
        try:
            done = Rewrite(call, model, catalog, settings, holding).run()
        except NotebookChangedError as error:
            done = Consolidated(Outcome.OUTDATED, message=str(error))
        except ModelStoppedError:
            done = ended(holding)
        except VaultmemError as error:
            why = visible_line(redact(str(error)), _MOST_TOLD)  # it may name a worker's file
            failed = Consolidated(Outcome.FAILED, message=why)
            done = failed if holding.confirm() else ended(holding)
        except BaseException:
            catalog.jobs.fail(*JOB, claimed.token, holding.now, "The rewrite broke off.")
            raise
        _settle(catalog, claimed.token, holding.now, done)
    usage = model.spent().since(spent)
    return done._replace(usage=usage, findings=(*settled, *done.findings))


def _foreseen(
    call: Call, catalog: NotebookCatalog, settings: NotebookSettings, now: float, *, force: bool
) -> Consolidated:
    """What would be sent now, or what is in the way."""
    if why := hindrance(call, catalog):
        return Consolidated(Outcome.BLOCKED, message=why)
    if wait := catalog.jobs.look(*JOB, 0.0, now, force=force):
        return _refused(wait)
    prepared = prepare(call, catalog, settings, now)
    if not prepared.is_due:
        return Consolidated(Outcome.NOTHING, prepared.commit, findings=prepared.findings)
    work = Work(load("consolidate").text, task_text(prepared), prepared.copy)
    return Consolidated(Outcome.PLANNED, prepared.commit, findings=prepared.findings, task=work)


def _settle(catalog: NotebookCatalog, token: str, now: float, done: Consolidated) -> None:
    """Record the end of a job that did not come to a version."""
    if done.outcome is Outcome.FAILED:
        catalog.jobs.fail(*JOB, token, now, done.message)
    elif done.outcome in (Outcome.OUTDATED, Outcome.STOPPED, Outcome.BLOCKED):
        catalog.jobs.release(*JOB, token, now)


_MOST_TOLD = 500
"""Characters of why a rewrite failed that are kept."""
_NOT_HERE = (
    "Another device rewrites the notebook of this vault. "
    "To let this one do it, set `notebook_device` in Settings.md to its id."
)
_REFUSALS = {Refusal.COOLDOWN: Outcome.COOLDOWN, Refusal.RUNNING: Outcome.RUNNING}
_WHY = {
    Refusal.COOLDOWN: "The last rewrite was less than six hours ago, and nothing is new since.",
    Refusal.RUNNING: "Another process rewrites it.",
    Refusal.MAINTENANCE: "The notebook is being reset.",
    Refusal.EXHAUSTED: "It failed three times, and nothing is new since. "
    "`vaultmem notebook consolidate --now` tries again.",
    Refusal.WAITING: "It failed less than an hour ago and is tried again an hour after that. "
    "`vaultmem notebook consolidate --now` tries at once.",
}


def _refused(refused: Refused) -> Consolidated:
    """What a claim that was refused comes to."""
    outcome = _REFUSALS.get(refused.reason, Outcome.WAITING)
    return Consolidated(outcome, message=_WHY.get(refused.reason, "It is up to date."))
