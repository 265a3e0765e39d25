"""Before and while something is sent for the notebook: the person's yes, and the end of it."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING

import click

from vaultmem.cli.asking import confirm, refuse_unattended
from vaultmem.cli.notebook_lines import about
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import project_name, say, say_wrapped
from vaultmem.services.notebook.dry import agree, refuse_unagreed
from vaultmem.services.notebook.enable import refuse_disabled
from vaultmem.services.notebook.sending import why_nothing
from vaultmem.services.sync import ensure_current
from vaultmem.store.notebook_agreed import is_agreed
from vaultmem.store.process import parent_process, watch_parent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import FrameType

    from vaultmem.app import App
    from vaultmem.llm.model import Model
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.dry import Planned

yes_option = click.option(
    "--yes", is_flag=True, help="Agree to the destination without a question."
)
"""Gives a command the option `--yes`."""
dry_option = click.option(
    "--dry-run", "dry", is_flag=True, help="Print exactly what would be sent, and send nothing."
)
"""Gives a command the option `--dry-run`, as the argument `dry`."""
now_option = click.option(
    "--now", "force", is_flag=True, help="Also where the last one was lately, or failed."
)
"""Gives a command the option `--now`, as the argument `force`."""


def opened(app: App, *, dry: bool) -> Call:
    """The circumstances of a command that sends, where the notebook is on, synced.

    An agent's command does what a person allowed in the project that it works in; a person's is
    about all of theirs. What would be sent is of all of them, so only a person is shown it.

    Raises:
        AgentRefusedError: if an agent asks what would be sent.
        NotebookOffError: if the notebook is off.
        ConfigError: if what would say so cannot be read.
    """
    open_or_adopt(app)
    call = app.call()
    if dry:
        call.person_only("notebook --dry-run")
    config = app.config.config
    if call.agent is not None or not config.notebook:
        app.refuse_unread_config()
        refuse_disabled(config, app.project.id)
    ensure_current(call)
    return call


def consent(
    app: App, model: Model, plans: Callable[[], Iterable[Planned]], *, yes: bool, as_json: bool
) -> None:
    """Ask the person before the first time that anything goes to a destination.

    Where nothing may be sent at all, nothing is asked and nothing agreed to: the step says why.

    Args:
        app: of whoever runs the command.
        model: to be asked.
        plans: what would be sent there; looked up only where the person is asked.
        yes: what `--yes` said.
        as_json: a program reads the answer, so nothing is asked.

    Raises:
        NotebookOffError: if an agent calls.
        NotConfirmedError: if nobody could be asked, or the person said no.
    """
    call = app.call()
    is_off = why_nothing(call, app.config.config.notebook) is not None
    if is_off or is_agreed(call.vault.state.folder, model.destination):
        return
    if call.agent is not None:
        refuse_unagreed(call, model)
    if not yes:
        _ask(model, tuple(plans()), app.config.config.notebook, as_json=as_json)
    agree(call, model)


@contextmanager
def stoppable(*, with_parent: bool) -> Iterator[Callable[[], bool]]:
    """Whether the work is to end: on Ctrl-C or SIGTERM; a second one ends it at once.

    Args:
        with_parent: also when the process that started this one has ended.
    """
    asked = Event()
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}

    def end(number: int, _frame: FrameType | None) -> None:
        asked.set()
        signal.signal(number, before[signal.Signals(number)])

    watch = watch_parent(parent_process(), asked.set) if with_parent else None
    for one in before:
        signal.signal(one, end)
    try:
        yield asked.is_set
    finally:
        if watch is not None:
            watch.set()
        for one, handler in before.items():
            signal.signal(one, handler)


def _ask(model: Model, plans: Sequence[Planned], projects: Sequence[str], *, as_json: bool) -> None:
    much = _much(plans)
    refuse_unattended(
        f"Nothing was sent. It would go to {model.destination}: {much}. Look at it with "
        "`--dry-run`, then add `--yes` to agree to the destination.",
        as_json=as_json,
    )
    say_wrapped(
        f"What your sessions say, without secrets that are known as such, goes to "
        f"{model.destination}: {much}."
    )
    named = [one for plan in plans for one in plan.parts if not one.is_instruction]
    for one in named[:_LISTED]:
        say(f"  {one.what} ({about(one.tokens)})")
    if len(named) > _LISTED:
        say(f"  and {len(named) - _LISTED} more")
    for plan in plans:
        if plan.follows or (plan.parts and plan.note):
            say_wrapped(plan.note)
    say_wrapped(
        "You are asked once for each destination. Your yes is for later sessions of "
        f"{', '.join(map(project_name, projects))} as well, and for runs by a timer or while the "
        "agent rests. `vaultmem notebook off --forget-destinations` takes it back."
    )
    say("`--dry-run` prints it in full.")
    confirm("Send it?", "Nothing was sent. Add `--dry-run` to look at it first.")


def _much(plans: Sequence[Planned]) -> str:
    """How much is sent: at once, by later steps of the same run, and later."""
    tokens = sum(one.tokens for one in plans)
    follows = any(one.follows for one in plans)
    if tokens:
        return f"{about(tokens)} now{', and what this run makes of them' if follows else ''}"
    if follows:
        return "what this run makes of your sessions, and what comes to be due later"
    return "nothing now, and what comes to be due later"


_LISTED = 12
"""Texts that the question names."""
