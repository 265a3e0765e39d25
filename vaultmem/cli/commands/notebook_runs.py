"""`vaultmem notebook run`, `extract`, `consolidate` and `dream`: what asks a model."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

import click

from vaultmem.cli import notebook_work as work
from vaultmem.cli.apart import not_together
from vaultmem.cli.notebook_lines import planned_json, say_planned
from vaultmem.cli.notebook_results import (
    consolidated_json,
    dreamed_json,
    exit_code,
    extracted_json,
    is_silent,
    run_json,
    say_consolidated,
    say_dreamed,
    say_extracted,
    say_run,
)
from vaultmem.cli.notebook_sending import (
    consent,
    dry_option,
    now_option,
    opened,
    stoppable,
    yes_option,
)
from vaultmem.cli.output import json_option, print_json
from vaultmem.errors import NoModelError, NotebookOffError
from vaultmem.llm.model import Purpose
from vaultmem.services.notebook.enable import is_consolidating
from vaultmem.store.notebook_agreed import is_agreed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultmem.app import App
    from vaultmem.llm.model import Model
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.dry import Planned


@click.command("run")
@click.option("--if-due", is_flag=True, help="For timers: say and do nothing where nothing is due.")
@dry_option
@yes_option
@json_option
@click.pass_obj
def run_command(app: App, *, if_due: bool, dry: bool, yes: bool, as_json: bool) -> int:
    """Read what rested, rewrite the notebook, then dream.

    Each step is done as far as it is due. The first time you are told where it is sent, and asked.
    """
    not_together("--if-due", "--dry-run", "--yes")
    try:
        call = opened(app, dry=dry)
        models = work.Models.of(app, dry=dry)
    except (NotebookOffError, NoModelError):
        if not if_due:
            raise
        return _print_none(as_json=as_json)
    if if_due and not _is_due(app, call, models):
        return _print_none(as_json=as_json)
    plans = cache(partial(_plans, app, call, models))
    if dry:
        if as_json:
            print_json({name: planned_json(plan) for name, plan in plans().items()})
        for name, plan in plans().items() if not as_json else ():
            say_planned(plan, name)
        return 0
    for model in {one.destination: one for one in models}.values():
        consent(app, model, partial(_plans_to, model, plans), yes=yes, as_json=as_json)
    with stoppable(with_parent=if_due) as stop:
        ran = work.ran(app, models, timer=if_due, stop=stop)
        rests = bool(ran.skipped) or stop() or not is_consolidating(call)
        dreamed = None if rests else work.dreamed(app, models.dream, stop=stop)
    if as_json:
        print_json(run_json(ran, dreamed))
    elif not (if_due and is_silent(ran, dreamed)):
        say_run(ran, dreamed)
    return exit_code(ran.extracted, ran.consolidated, stopped=stop())


@click.command("extract")
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(1, 128),
    help="How many sessions at most; without it, what `notebook_sessions` says.",
)
@click.option(
    "--now", "force", is_flag=True, help="Also sessions that failed lately, or too often."
)
@dry_option
@yes_option
@json_option
@click.pass_obj
def extract_command(
    app: App, *, limit: int | None, force: bool, dry: bool, yes: bool, as_json: bool
) -> int:
    """Ask a model what rested sessions taught.

    Each session becomes a card, and rules in it become candidates in the inbox.
    """
    not_together("--dry-run", "--yes")
    opened(app, dry=dry)
    model = work.model_of(app, Purpose.EXTRACT, dry=dry)
    plan = partial(work.extract_plan, app, model, limit, force=force)
    if dry:
        return _print_plan(plan(), "extract", as_json=as_json)
    consent(app, model, lambda: (plan(),), yes=yes, as_json=as_json)
    with stoppable(with_parent=False) as stop:
        done = work.extracted(app, model, limit=limit, force=force, stop=stop)
    if as_json:
        print_json(extracted_json(done))
    else:
        say_extracted(done)
    return exit_code(done, None, stopped=stop())


@click.command("consolidate")
@now_option
@dry_option
@yes_option
@json_option
@click.pass_obj
def consolidate_command(app: App, *, force: bool, dry: bool, yes: bool, as_json: bool) -> int:
    """Let a model rewrite the notebook from the cards.

    It works on a copy; what it leaves is checked before it is published.
    """
    not_together("--dry-run", "--yes")
    opened(app, dry=dry)
    model = work.model_of(app, Purpose.CONSOLIDATE, dry=dry)
    plan = partial(work.rewrite_plan, app, model, force=force)
    if dry:
        return _print_plan(plan(), "consolidate", as_json=as_json)
    consent(app, model, lambda: (plan(),), yes=yes, as_json=as_json)
    with stoppable(with_parent=False) as stop:
        done = work.consolidated(app, model, force=force, stop=stop)
    if as_json:
        print_json(consolidated_json(done))
    else:
        say_consolidated(done)
    return exit_code(None, done, stopped=stop())


@click.command("dream")
@now_option
@dry_option
@yes_option
@json_option
@click.pass_obj
def dream_command(app: App, *, force: bool, dry: bool, yes: bool, as_json: bool) -> int:
    """Review what waits, and propose how to tidy up.

    What it proposes is one patch, which waits for you. Where memories came from and what earned a
    stronger form is looked at without a model as well.
    """
    not_together("--dry-run", "--yes")
    opened(app, dry=dry)
    model = _model_or_none(app, dry=dry)
    if model is not None:
        plan = partial(work.dream_plan, app, model, force=force)
        if dry:
            return _print_plan(plan(), "dream", as_json=as_json)
        consent(app, model, lambda: (plan(),), yes=yes, as_json=as_json)
    with stoppable(with_parent=False) as stop:
        done = work.dreamed(app, model, force=force, stop=stop)
    if as_json:
        print_json(dreamed_json(done))
    else:
        say_dreamed(done)
    return exit_code(None, None, stopped=stop())


def _print_none(*, as_json: bool) -> int:
    """What a timer is told where nothing is due."""
    if as_json:
        from vaultmem.services.notebook.run import Ran  # every step, and a timer does none

        print_json(run_json(Ran(), None))
    return 0


def _is_due(app: App, call: Call, models: work.Models) -> bool:
    """Whether anything may and can be done without asking anybody."""
    state = call.vault.state.folder
    return all(is_agreed(state, one.destination) for one in models) and work.is_anything_due(app)


def _model_or_none(app: App, *, dry: bool) -> Model | None:
    try:
        return work.model_of(app, Purpose.DREAM, dry=dry)
    except NoModelError:
        return None


def _plans(app: App, call: Call, models: work.Models) -> dict[str, Planned]:
    """What each step of a run would send."""
    read = work.extract_plan(app, models.extract)
    follows = bool(read.parts)
    dream = (
        work.dream_plan(app, models.dream, follows=follows)
        if is_consolidating(call)
        else work.no_dream_plan(app, models.dream)
    )
    return {
        "extract": read,
        "consolidate": work.rewrite_plan(app, models.consolidate, follows=follows),
        "dream": dream,
    }


def _plans_to(model: Model, plans: Callable[[], dict[str, Planned]]) -> Iterator[Planned]:
    """What would go where the model is."""
    return (plan for plan in plans().values() if plan.destination == model.destination)


def _print_plan(plan: Planned, what: str, *, as_json: bool) -> int:
    if as_json:
        print_json(planned_json(plan))
    else:
        say_planned(plan, what)
    return 0
