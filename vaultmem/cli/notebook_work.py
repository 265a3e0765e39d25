"""What the commands of the notebook ask of the services, with what the app has for them."""

from __future__ import annotations

import os
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.cli.notebook_results import DREAMS
from vaultmem.cli.output import count, counter, stages
from vaultmem.core.visible import visible_line
from vaultmem.errors import NoModelError
from vaultmem.llm.model import Purpose, never
from vaultmem.services.notebook.consolidated import REWRITING, Outcome
from vaultmem.services.notebook.dreaming.result import DreamOutcome
from vaultmem.services.notebook.dry import planned, question_parts, task_parts
from vaultmem.services.notebook.failures import by_clock
from vaultmem.services.switch import WRITE, switched_off

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.app import App
    from vaultmem.llm.model import Model
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.consolidated import Consolidated
    from vaultmem.services.notebook.dream import Dreamed
    from vaultmem.services.notebook.dry import Planned
    from vaultmem.services.notebook.extracted import Asked, ExtractRun
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
    app: App,
    model: Model,
    *,
    limit: int | None = None,
    force: bool = False,
    dry: bool = False,
    stop: Stop = never,
) -> ExtractRun:
    """Phase 1."""
    from vaultmem.services.notebook.extract import extract

    config = app.config.config
    with stages(_label(_LOOKING, dry=dry)) as stage:
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
            force=force,
            dry=dry,
            stop=stop,
            progress=lambda done: stage(_label(f"{_LOOKING}: {done}", dry=dry)),
            stage=stage,
        )


def consolidated(
    app: App, model: Model, *, force: bool = False, dry: bool = False, stop: Stop = never
) -> Consolidated:
    """Phase 2."""
    from vaultmem.services.notebook.consolidate import consolidate

    call = app.call().by_policy()
    with counter(_label(REWRITING, dry=dry)):
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
            force=force,
            dry=dry,
            stop=stop,
        )


def ran(app: App, models: Models, *, timer: bool, stop: Stop) -> Ran:
    """Prune, phase 1 and phase 2."""
    from vaultmem.services.notebook.run import run

    config = app.config.config
    call = app.call().by_policy()
    with stages(_LOOKING) as stage:
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
            own_session=app.env.pi_session or "",
            timer=timer,
            stop=stop,
            progress=lambda done: stage(f"{_LOOKING}: {done}"),
            stage=stage,
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


def extract_plan(
    app: App, model: Model, limit: int | None = None, *, force: bool = False
) -> Planned:
    """What an extraction would send."""
    done = extracted(app, model, limit=limit, force=force, dry=True)
    call = app.call()
    parts = (question_parts(_called(call, one), one.ask) for one in done.asks)
    note = f"Another run reads {count(done.running, 'session')} now." if done.running else ""
    if done.more:
        wait = count(done.more, "more session waits", "more sessions wait")
        note = f"{note} {wait} for later runs.".strip()
    off = switched_off(call, WRITE, project=app.project.id)
    if off is not None and not done.asks:
        note = f"{off.sentence} {note}".rstrip()
    return planned(call, model, chain.from_iterable(parts), note)


def _called(call: Call, one: Asked) -> str:
    """How a session is named before it is sent: its words, its day, its id."""
    title = f" “{visible_line(one.title, _TITLE)}”" if one.title else ""
    day = f" of {by_clock(call, one.ended):%Y-%m-%d %H:%M}" if one.ended else ""
    return f"session{title}{day} in {one.project} ({one.session})"


_TITLE = 60
"""Characters of a session's title that name it."""


def rewrite_plan(app: App, model: Model, *, force: bool = False, follows: bool = False) -> Planned:
    """What a rewrite would send; `follows` says that sessions are read before it."""
    done = consolidated(app, model, force=force, dry=True)
    parts = () if done.task is None else task_parts("the task", done.task)
    then = follows and done.outcome in _NEWS_LIFTS
    note = _THEN_REWRITE if then else done.message
    return planned(app.call(), model, parts, note, follows=then)


def dream_plan(app: App, model: Model, *, force: bool = False, follows: bool = False) -> Planned:
    """What a dream would send; `follows` as for `rewrite_plan`."""
    done = dreamed(app, model, force=force, dry=True)
    asks = (question_parts("what waits, and topics", one) for one in done.asks)
    note = "" if done.outcome is DreamOutcome.PLANNED else DREAMS[done.outcome]
    note = " ".join((note, *(one.sentence for one in done.findings))).strip()
    then = follows and not note
    if then:
        note = _THEN_DREAM
    return planned(app.call(), model, chain.from_iterable(asks), note, follows=then)


def no_dream_plan(app: App, model: Model) -> Planned:
    """What a run's dream sends where another device rewrites the notebook."""
    return planned(app.call(), model, (), _DREAMS_ELSEWHERE)


_NEWS_LIFTS = (Outcome.PLANNED, Outcome.NOTHING, Outcome.COOLDOWN, Outcome.WAITING)
"""How a rewrite stands that a new card lets begin."""
_THEN_REWRITE = (
    "Where a session becomes a card, the cards, notes and MEMORY.md then go to a rewrite as well."
)
_THEN_DREAM = "What the sessions taught that are read before it goes to the dream as well."
_DREAMS_ELSEWHERE = (
    "A run dreams on the device that rewrites the notebook; `vaultmem notebook dream` does here."
)


_LOOKING = "Looking at session files"


def _label(what: str, *, dry: bool) -> str:
    """What a person sees meanwhile; before they agreed, nothing is done."""
    return "Looking for what would be sent" if dry else what


def _worker() -> str:
    return f"process {os.getpid()}"
