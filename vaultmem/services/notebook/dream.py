"""Dream: sort what waits, propose how to tidy up, fill in where memories came from, promote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.notebook.dream import EVERY_SECONDS
from vaultmem.llm.model import never
from vaultmem.services.notebook.dreaming.asking import question
from vaultmem.services.notebook.dreaming.night import Night
from vaultmem.services.notebook.dreaming.result import Dreamed, DreamOutcome
from vaultmem.services.notebook.sending import why_nothing
from vaultmem.services.sync import ensure_current
from vaultmem.store.notebook.jobs import GLOBAL, JobKind, Refusal, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from vaultmem.core.finding import Finding
    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.index.engine import SearchEngine
    from vaultmem.llm.model import Model
    from vaultmem.services.call import Call
    from vaultmem.store.notebook.catalog import NotebookCatalog

__all__ = ["DreamOutcome", "Dreamed", "dream"]


def dream(
    call: Call,
    engine: SearchEngine,
    model: Model | None,
    catalog: NotebookCatalog,
    settings: NotebookSettings,
    *,
    projects: Collection[str],
    worker: str,
    force: bool = False,
    dry: bool = False,
    stop: Callable[[], bool] = never,
) -> Dreamed:
    """Dream once: review, reorganisation, provenance, promotion, in this order.

    Whoever calls, policy acts. Nothing that the model says is applied: it becomes one patch, which
    waits. One dream runs at a time, and the next one three hours later. The last two steps need no
    model and are done also where it gives no answer.

    Args:
        call: the circumstances.
        engine: searches the knowledge notes that promotions suggest.
        model: None where none is set up.
        catalog: holds the claim, and the cards of this machine's sessions.
        settings: how much of the model's allowance must be left.
        projects: identities of those in which the notebook is on; what belongs to another one is
            not sent.
        worker: who asks, for people to read.
        force: a person asks for it now.
        dry: write, claim and send nothing; `asks` tells what would be sent.
        stop: whether to end before the next step.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    if off := _off(call, projects):
        return Dreamed(outcome=DreamOutcome.OFF, findings=(off,))
    night = Night(
        call.by_policy(),
        engine=engine,
        model=model,
        catalog=catalog,
        settings=settings,
        projects=projects,
        stop=stop,
    )
    now = call.now.timestamp()
    if dry:
        ensure_current(night.call)
        wait = catalog.jobs.look(
            JobKind.DREAM, GLOBAL, _newest(catalog), now, cooldown=EVERY_SECONDS, force=force
        )
        return _planned(night) if wait is None else _refused(wait)
    claim = catalog.jobs.claim(
        JobKind.DREAM,
        GLOBAL,
        _newest(catalog),
        now,
        worker,
        cooldown=EVERY_SECONDS,
        force=force,
    )
    if isinstance(claim, Refused):
        return _refused(claim)
    return night.run(claim.token)


def _off(call: Call, projects: Collection[str]) -> Finding | None:
    """Why nothing is dreamed here at all."""
    if off := why_nothing(call, projects):
        return off
    return _NO_KEY if call.vault.key is None else None


def _planned(night: Night) -> Dreamed:
    """What a dream would send now."""
    if waiting := night.waiting():
        return Dreamed(outcome=DreamOutcome.WAITING, waiting=waiting)
    shown = night.show()
    return Dreamed(outcome=DreamOutcome.PLANNED, asks=(question(shown.text),) if shown else ())


def _newest(catalog: NotebookCatalog) -> float:
    """The watermark of the newest card; a newer one begins the tries anew."""
    return max((one.watermark for one in catalog.cards.all()), default=0.0)


def _refused(refused: Refused) -> Dreamed:
    return Dreamed(outcome=_REFUSED.get(refused.reason, DreamOutcome.RETRY))


_NO_KEY = finding(
    "VM957",
    "This device has no key for the vault, so nobody could tell what was proposed before.",
    remedy="Run `vaultmem key export` where the key is, then `vaultmem key import` here.",
)
_REFUSED = {
    Refusal.COOLDOWN: DreamOutcome.COOLDOWN,
    Refusal.RUNNING: DreamOutcome.RUNNING,
    Refusal.MAINTENANCE: DreamOutcome.RUNNING,
}
