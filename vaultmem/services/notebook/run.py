"""A whole run of the notebook: prune, look at the model's allowance, extract, consolidate."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.settings import DAY_SECONDS
from vaultmem.llm.model import never
from vaultmem.services.notebook.card_notes import settle_notes
from vaultmem.services.notebook.consolidate import consolidate
from vaultmem.services.notebook.consolidated import REWRITING, Consolidated, Outcome
from vaultmem.services.notebook.extract import extract
from vaultmem.services.notebook.published import versions
from vaultmem.services.notebook.sending import why_nothing
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from vaultmem.core.finding import Finding
    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.index.engine import SearchEngine
    from vaultmem.llm.model import Model
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.extracted import ExtractRun
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.store.notebook.catalog import NotebookCatalog

TRIES = 3
"""How often a rewrite begins again because its input changed while it ran."""


class Pruned(NamedTuple):
    """The cards that went, and what was met when their notes were deleted."""

    sessions: tuple[str, ...]
    findings: tuple[Finding, ...]


class Ran(NamedTuple):
    """What a run did.

    Attributes:
        pruned: cards that nobody used for long and that no notebook holds.
        extracted: phase 1, None where the run ended before it.
        consolidated: phase 2, likewise.
        rate: percent of the model's allowance that is left, None where it does not tell.
        skipped: why the run ended early, one sentence; "" where it did not.
        findings: of pruning; the phases have their own.
    """

    pruned: int = 0
    extracted: ExtractRun | None = None
    consolidated: Consolidated | None = None
    rate: float | None = None
    skipped: str = ""
    findings: tuple[Finding, ...] = ()


def run(
    call: Call,
    sessions: SessionIndex,
    engine: SearchEngine,
    catalog: NotebookCatalog,
    settings: NotebookSettings,
    *,
    extract_model: Model,
    consolidation_model: Model,
    projects: Collection[str],
    worker: str,
    own_session: str = "",
    timer: bool = False,
    stop: Callable[[], bool] = never,
    progress: Callable[[int], object] = int,
    stage: Callable[[str], object] = str,
) -> Ran:
    """Do what is due, in the order of facts/notebook.md §10.

    Args:
        call: the circumstances.
        sessions: the index of the agent's sessions.
        engine: the search engine of the vault.
        catalog: of cards and jobs.
        settings: the numbers of the notebook.
        extract_model: reads transcripts.
        consolidation_model: rewrites the notebook; may be the same.
        projects: identities of the projects in which the notebook is on.
        worker: who asks, for people to read.
        own_session: the session that runs now.
        timer: as for `extract`.
        stop: True ends the run, and gives claims back.
        progress: as for `extract`.
        stage: likewise.

    Raises:
        As `extract` and `consolidate`.
    """
    if off := why_nothing(call, projects):
        return Ran(skipped=off.sentence)
    ensure_current(call)
    now = call.now.timestamp()
    gone = prune(call, catalog, settings, now)
    done = Ran(len(gone.sessions), findings=gone.findings)
    for model in (extract_model, consolidation_model):
        if scarce := _scarce(model, settings):
            return done._replace(rate=model.remaining_percent(), skipped=scarce)
    extracted = extract(
        call,
        sessions,
        engine,
        extract_model,
        catalog,
        settings=settings,
        projects=projects,
        own_session=own_session,
        worker=worker,
        timer=timer,
        stop=stop,
        progress=progress,
        stage=stage,
    )
    rate = consolidation_model.remaining_percent()
    done = done._replace(extracted=extracted, rate=rate)
    if stop():
        return done._replace(skipped="It was told to stop.")
    if scarce := _scarce(consolidation_model, settings):
        return done._replace(skipped=scarce)

    def rewrite() -> Consolidated:
        return consolidate(
            call, consolidation_model, catalog, settings, worker=worker, now=now, stop=stop
        )

    stage(REWRITING)
    consolidated = _while_outdated(rewrite, stage)
    return done._replace(consolidated=consolidated, rate=consolidation_model.remaining_percent())


def _while_outdated(
    rewrite: Callable[[], Consolidated], stage: Callable[[str], object]
) -> Consolidated:
    """Rewrite, and begin again a few times where the input moved; the usage is that of all."""
    done = rewrite()
    for _ in range(TRIES - 1):
        if done.outcome is Outcome.OUTDATED:
            stage(f"{REWRITING} anew, for what it is made from changed")
            again = rewrite()
            done = again._replace(usage=done.usage.plus(again.usage))
    return done


def prune(call: Call, catalog: NotebookCatalog, settings: NotebookSettings, now: float) -> Pruned:
    """Let go of this machine's cards that nobody used for long, with their notes.

    A card that the last consolidation consumed, here or on the device that consolidates, stays.
    """
    findings = list(settle_notes(call, catalog))
    cutoff = now - settings.unused_days * DAY_SECONDS
    gone = catalog.cards.prune(cutoff, keep=_cited(call, catalog))
    if gone:
        findings += settle_notes(call, catalog)
    return Pruned(tuple(gone), tuple(findings))


def _cited(call: Call, catalog: NotebookCatalog) -> frozenset[str]:
    """The sessions whose marks the published notebook cites."""
    with versions(call) as history:
        text = b"\n".join(history.files().values()).decode(errors="replace")
    return frozenset(
        card.session
        for card in catalog.cards.all()
        if card.hash and (f"[{card.hash}]" in text or card.stem in text)
    )


def _scarce(model: Model, settings: NotebookSettings) -> str:
    """Why the model is not to be asked now, "" where it may; what is unknown is allowed."""
    left = model.remaining_percent()
    if left is None or left >= settings.rate_percent:
        return ""
    return (
        f"Only {left:.0f} % of the allowance of {model.name} is left, and "
        f"`notebook_rate_percent` asks for {settings.rate_percent} %. Run it again later."
    )
