"""`vaultmem notebook`: what is on, what was made of sessions, and how to undo it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.commands.notebook_runs import (
    consolidate_command,
    dream_command,
    extract_command,
    run_command,
)
from vaultmem.cli.commands.notebook_versions import (
    accept_command,
    history_command,
    reset_command,
    restore_command,
    show_command,
)
from vaultmem.cli.notebook_lines import (
    enabled_json,
    say_enabled,
    say_status,
    status_json,
)
from vaultmem.cli.opening import call_of_person, open_or_adopt
from vaultmem.cli.output import counter, json_option, other_project_option, print_json, say
from vaultmem.cli.projects import is_no_projects_folder, say_taken
from vaultmem.errors import NoModelError, ProjectNotFoundError
from vaultmem.llm.model import Purpose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.app import App
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.status import ModelLine


@click.group()
def command() -> None:
    """Let sessions become a notebook, and look at it."""


@command.command("status")
@json_option
@click.pass_obj
def status_command(app: App, *, as_json: bool) -> None:
    """Tell what is on, what waits or failed, and the cost."""
    from vaultmem.services.notebook.status import notebook_status
    from vaultmem.services.sessions.sync import sync_sessions
    from vaultmem.services.sync import catch_up

    call = app.call()
    catch_up(call)
    with counter("Reading sessions") as progress:
        sync_sessions(call, app.sessions, progress=progress)
    found = notebook_status(
        call,
        app.config.config,
        app.notebook,
        app.sessions.catalog.rows(),
        tuple(_models(app, call)),
        project=app.project.id,
    )
    if as_json:
        print_json(status_json(found))
    else:
        say_status(found)


@command.command("on")
@other_project_option
@json_option
@click.pass_obj
def on_command(app: App, *, project: str | None, as_json: bool) -> None:
    """Let the sessions of a project become a notebook.

    Nothing is sent by this; the first run asks.
    """
    from vaultmem.services.notebook.enable import enable

    call = _of_person(app, "notebook on")
    done = enable(call, app.home, _to_enable(app, call, project))
    if as_json:
        print_json(enabled_json(done))
    else:
        say_enabled(done)


@command.command("off")
@other_project_option
@click.option(
    "--forget-destinations",
    "forget",
    is_flag=True,
    help="Take back your yes to where it is sent; the last `off` does that too.",
)
@json_option
@click.pass_obj
def off_command(app: App, *, project: str | None, forget: bool, as_json: bool) -> None:
    """Read and send nothing of a project any more.

    Where it is on for no project any more, your yes to where sessions are sent is taken back.
    """
    from vaultmem.services.notebook.enable import disable

    call = _of_person(app, "notebook off")
    done = disable(call, app.home, _to_disable(app, call, project), forget=forget)
    if as_json:
        print_json(enabled_json(done))
    else:
        say_enabled(done)


@command.command("ignore")
@click.argument("name", metavar="ID")
@click.option("--undo", is_flag=True, help="Allow the session again.")
@json_option
@click.pass_obj
def ignore_command(app: App, name: str, *, undo: bool, as_json: bool) -> None:
    """Leave the session ID out of the notebook.

    ID is a session's id, the beginning of one, a part of its file's name, or what the notebook
    calls it: the mark, the slug, the name of its note. What was read of it is deleted; the next
    rewrite takes out what rested on it alone.
    """
    from vaultmem.services.notebook.ignore import ignore_session

    call = _of_person(app, "notebook ignore")
    with counter("Reading sessions") as progress:
        done = ignore_session(
            call, app.sessions, app.notebook, name, ignored=not undo, progress=progress
        )
    if as_json:
        print_json({**done._asdict(), "title": done.title or None})
        return
    word = "is left out of the notebook" if done.ignored else "may be read for the notebook"
    say(f"The session {done.session} {word}{'' if done.changed else ' already'}.")
    if done.dropped:
        say("What was read of it is deleted. Next: `vaultmem notebook consolidate`.")


def _of_person(app: App, verb: str) -> Call:
    """The circumstances for a verb that only a person may use; a vault without an id gets one."""
    open_or_adopt(app)
    return call_of_person(app, verb)


def _to_enable(app: App, call: Call, project: str | None) -> str:
    """The identity of the project that is meant; one of which nothing is known is refused.

    Raises:
        ProjectNotFoundError: if the name means none, or the working folder is no project's.
    """
    from vaultmem.services.notebook.enable import project_to_enable
    from vaultmem.services.sessions.sync import sync_sessions

    here = app.project.id
    if project is None and is_no_projects_folder(app):
        raise ProjectNotFoundError(
            f"{app.cwd} is no project's folder, so nothing was switched on. Run it in the "
            "project's folder, or name the project with `--project`."
        )
    if project in (None, "."):
        return here
    with counter("Reading sessions") as progress:
        sync_sessions(call, app.sessions, progress=progress)
    known = (*app.config.config.notebook, *(row.project for row in app.sessions.catalog.rows()))
    found = project_to_enable(call, project, here=here, others=known)
    say_taken(project, found)
    return found


def _to_disable(app: App, call: Call, project: str | None) -> str:
    """The identity of the project that is meant; one that is on comes first.

    Raises:
        ProjectNotFoundError: if the name means none, or may mean several.
    """
    from vaultmem.services.notebook.enable import project_to_disable

    here = app.project.id
    if project in (None, "."):
        return here
    of_sessions = (row.project for row in app.sessions.catalog.rows())
    found = project_to_disable(
        call, project, here=here, on=app.config.config.notebook, others=of_sessions
    )
    say_taken(project, found)
    return found


def _models(app: App, call: Call) -> Iterator[ModelLine]:
    """Which model is asked for what, or why there is none."""
    from vaultmem.services.notebook.status import model_line

    for purpose in Purpose:
        try:
            model = app.language_model(purpose)
        except NoModelError as error:
            yield model_line(call, purpose, name="", destination="", trouble=str(error))
        else:
            yield model_line(call, purpose, name=model.name, destination=model.destination)


for _one in (
    run_command,
    extract_command,
    consolidate_command,
    dream_command,
    history_command,
    show_command,
    restore_command,
    accept_command,
    reset_command,
):
    command.add_command(_one)
