"""`vaultmem export jsonl` and `topics`: the way back to the tools that memories came from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import not_together
from vaultmem.cli.asking import somebody_types
from vaultmem.cli.output import (
    count,
    counter,
    json_option,
    other_project_option,
    print_json,
    say,
    say_wrapped,
)
from vaultmem.cli.projects import read_of
from vaultmem.cli.typed_path import TypedPath
from vaultmem.errors import NotConfirmedError, ProjectNotFoundError
from vaultmem.services.call import refuse_agent
from vaultmem.services.exporting.way_back import JSONL, TOPICS, export_records, export_topics
from vaultmem.services.projects import is_known
from vaultmem.store.project import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.services.exporting.way_back import WayBack

to_option = click.option(
    "--to",
    "folder",
    required=True,
    type=TypedPath(path_type=Path),
    metavar="DIR",
    help="The folder to write into; it is made where it is not there.",
)
project_option = click.option(
    "--project",
    metavar="P",
    help="Only what belongs to this project or to none, by identity or its last part.",
)
yes_option = click.option(
    "--yes",
    is_flag=True,
    help="Replace files there that this export did not write, without a question.",
)


@click.command(JSONL)
@to_option
@project_option
@yes_option
@json_option
@click.pass_obj
def jsonl_command(app: App, *, folder: Path, project: str | None, yes: bool, as_json: bool) -> None:
    """Write everything as the JSONL of a pi-memory root.

    Secrets are taken out. What this export wrote before, and nobody changed since, is replaced.
    """
    refuse_agent(f"export {JSONL}", app.env.agent)
    named = read_of(app, project) or ""

    def write(over: bool) -> WayBack:  # noqa: FBT001 - `_written` is ours
        return export_records(app.call(), folder, project=named, over=over)

    _say(_written(write, yes=yes, as_json=as_json), named, as_json=as_json)


@click.command(TOPICS)
@to_option
@other_project_option
@click.option("--every-project", "every", is_flag=True, help="Memories of all projects.")
@yes_option
@json_option
@click.pass_obj
def topics_command(
    app: App, *, folder: Path, project: str | None, every: bool, yes: bool, as_json: bool
) -> None:
    """Write active memories as topic files with scores.

    DIR becomes what `.pi/memory` is in a project: it gets what belongs to the project of the
    working folder or to none. Secrets are taken out. What this export wrote before, and nobody
    changed since, is replaced.
    """
    refuse_agent(f"export {TOPICS}", app.env.agent)
    not_together("--project", "--every-project")
    named = "" if every else read_of(app, project) or _project_here(app)

    def write(over: bool) -> WayBack:  # noqa: FBT001 - `_written` is ours
        return export_topics(app.call(), folder, project=named, over=over)

    _say(_written(write, yes=yes, as_json=as_json), named, as_json=as_json)


def _project_here(app: App) -> str:
    """The project of the working folder, which may be a repository: others' memories stay out.

    A folder that nothing names as a project is one if a memory is of it; the vault is none.

    Raises:
        ProjectNotFoundError: if the working folder lies in none.
    """
    here, call = app.project, app.call()
    named = here.source is not Source.FOLDER or is_known(call, here.id)
    if named and not app.cwd.resolve().is_relative_to(call.vault.path.resolve()):
        return here.id
    raise ProjectNotFoundError(
        f"{app.cwd} lies in no project, and topic files are of one. Name it with `--project P`, or "
        "take all memories with `--every-project`."
    )


def _written(write: Callable[[bool], WayBack], *, yes: bool, as_json: bool) -> WayBack:
    """Write it; where a stranger's file is in the way and a person is there, ask about that."""
    try:
        with counter("Reading the memories"):
            return write(yes)
    except NotConfirmedError as missing:
        if as_json or not somebody_types():
            raise
        say(str(missing))
        if not click.confirm("Replace it?", default=False):
            raise NotConfirmedError("Nothing was written. Choose another folder.") from None
    return write(True)  # noqa: FBT003 - `write` is ours, and takes nothing else


def _say(made: WayBack, project: str, *, as_json: bool) -> None:
    if as_json:
        print_json(_json(made, project))
        return
    done = made.done
    told = ", ".join(f"{noun} {number}" for noun, number in made.taken.items())
    whose = f" (of {project}, and of no project)" if project else ""
    say_wrapped(f"In {made.folder}: {told or 'nothing'}{whose}.", whole=(str(made.folder),))
    changes = [f"{count(len(done.written), 'file')} written"]
    changes += [f"{len(done.unchanged)} unchanged"] if done.unchanged else []
    changes += [f"{len(done.removed)} removed"] if done.removed else []
    say(f"{', '.join(changes)}.")
    for noun, number in made.left_out.items():
        say_wrapped(f"Left out, {noun}: {number}.")


def _json(made: WayBack, project: str) -> dict[str, Json]:
    def counts(of: Mapping[str, int]) -> dict[str, Json]:
        return dict(of.items())

    return {
        "to": str(made.folder),
        "project": project or None,
        "exported": counts(made.taken),
        "left_out": counts(made.left_out),
        "written": list(made.done.written),
        "unchanged": list(made.done.unchanged),
        "removed": list(made.done.removed),
    }
