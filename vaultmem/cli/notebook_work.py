"""What the commands of the notebook ask of the services, with what the app has for them."""

from __future__ import annotations

import os
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.cli.notebook_results import DREAMS
from vaultmem.cli.output import counter
from vaultmem.errors import NoModelError
from vaultmem.llm.model import Purpose, never
from vaultmem.services.notebook.dreaming.result import DreamOutcome
from vaultmem.services.notebook.dry import planned, question_parts, task_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultmem.app import App
    from vaultmem.llm.model import Model
    from vaultmem.services.notebook.consolidated import Consolidated
    from vaultmem.services.notebook.dream import Dreamed
    from vaultmem.services.notebook.dry import Part, Planned
    from vaultmem.services.notebook.extract import ExtractRun
    from vaultmem.services.notebook.run import Ran

    Stop = Callable[[], bool]


class Models(NamedTuple):
    """The models that a whole run asks."""

    extract: Model
    consolidate: Model
    dream: Model

    @classmethod
    def of(cls, app: App, *, dry: bool = False) -> Models:
        """Those of the user config; one for all that goes to the same place.

        So what a provider told of its limits at one step counts at the next.

        Raises:
            NoModelError: if none is set up, unless `dry`.
        """
        known: dict[str, Model] = {}
        purposes = (Purpose.EXTRACT, Purpose.CONSOLIDATE, Purpose.DREAM)
        named = (model_of(app, purpose, dry=dry) for purpose in purposes)
        return cls(*(known.setdefault(one.destination, one) for one in named))


def model_of(app: App, purpose: Purpose, *, dry: bool) -> Model:
    """The model for a purpose; where nothing is sent, it need not be set up yet.

    Raises:
        NoModelError: if none is set up, unless `dry`.
    """
    try:
        return app.language_model(purpose)
    except NoModelError as error:
        if not dry:
            raise
        from vaultmem.llm.missing import MissingModel

        return MissingModel(error)


def extracted(
    app: App, model: Model, *, limit: int | None = None, dry: bool = False, stop: Stop = never
) -> ExtractRun:
    """Phase 1."""
    from vaultmem.services.notebook.extract import extract

    config = app.config.config
    with counter(_label("Reading sessions", dry=dry)) as progress:
        return extract(
            app.call(),
            app.sessions,
            app.engine,
            model,
            app.notebook,
            settings=config.notebook_settings,
            projects=config.notebook,
            own_session=app.env.pi_session or "",
            limit=limit,
            worker=_worker(),
            dry=dry,
            stop=stop,
            progress=progress,
        )


def consolidated(
    app: App, model: Model, *, force: bool = False, dry: bool = False, stop: Stop = never
) -> Consolidated:
    """Phase 2."""
    from vaultmem.services.notebook.consolidate import consolidate

    call = app.call().by_policy()
    with counter(_label("Rewriting the notebook", dry=dry)):
        return consolidate(
            call,
            model,
            app.notebook,
            app.config.config.notebook_settings,
            worker=_worker(),
            now=call.now.timestamp(),
            force=force,
            dry=dry,
            stop=stop,
        )


def dreamed(
    app: App, model: Model | None, *, force: bool = False, dry: bool = False, stop: Stop = never
) -> Dreamed:
    """The review of what was learned."""
    from vaultmem.services.notebook.dream import dream

    config = app.config.config
    call = app.call()
    with counter(_label("Dreaming", dry=dry)):
        return dream(
            call,
            app.engine,
            model,
            app.notebook,
            config.notebook_settings,
            projects=config.notebook,
            worker=_worker(),
            now=call.now.timestamp(),
            force=force,
            dry=dry,
            stop=stop,
        )


def ran(app: App, models: Models, *, timer: bool, stop: Stop) -> Ran:
    """Prune, phase 1 and phase 2."""
    from vaultmem.services.notebook.run import run

    config = app.config.config
    call = app.call().by_policy()
    with counter("Reading sessions") as progress:
        return run(
            call,
            app.sessions,
            app.engine,
            app.notebook,
            config.notebook_settings,
            extract_model=models.extract,
            consolidation_model=models.consolidate,
            projects=config.notebook,
            worker=_worker(),
            now=call.now.timestamp(),
            own_session=app.env.pi_session or "",
            timer=timer,
            stop=stop,
            progress=progress,
        )


def is_anything_due(app: App) -> bool:
    """Whether a run would claim anything; the session files are looked at first."""
    from vaultmem.services.notebook.due import what_is_due
    from vaultmem.services.sessions.sync import sync_sessions

    call = app.call()
    sync_sessions(call, app.sessions)
    config = app.config.config
    due = what_is_due(
        call,
        app.sessions.catalog.rows(),
        app.notebook,
        config.notebook_settings,
        projects=config.notebook,
        own_session=app.env.pi_session or "",
    )
    return bool(due)


def extract_parts(app: App, model: Model, limit: int | None = None) -> Iterator[Part]:
    """What an extraction would send."""
    for one in extracted(app, model, limit=limit, dry=True).asks:
        yield from question_parts(f"session {one.session} of {one.project}", one.ask)


def rewrite_plan(app: App, model: Model, *, force: bool = False, follows: bool = False) -> Planned:
    """What a rewrite would send; `follows` says that sessions are read before it."""
    done = consolidated(app, model, force=force, dry=True)
    parts = () if done.task is None else task_parts("the task", done.task)
    return planned(app.call(), model, parts, _THEN_REWRITE if follows else done.message)


def dream_plan(app: App, model: Model, *, force: bool = False, follows: bool = False) -> Planned:
    """What a dream would send; `follows` as for `rewrite_plan`."""
    done = dreamed(app, model, force=force, dry=True)
    asks = (question_parts("what waits, and topics", one) for one in done.asks)
    note = "" if done.outcome is DreamOutcome.PLANNED else DREAMS[done.outcome]
    if follows and not note:
        note = _THEN_DREAM
    return planned(app.call(), model, chain.from_iterable(asks), note)


_THEN_REWRITE = (
    "Where a session becomes a card, the cards, notes and MEMORY.md then go to a rewrite as well."
)
_THEN_DREAM = "What the sessions taught that are read before it goes to the dream as well."


def _label(what: str, *, dry: bool) -> str:
    """What a person sees meanwhile; before they agreed, nothing is done."""
    return "Looking for what would be sent" if dry else what


def _worker() -> str:
    return f"process {os.getpid()}"
