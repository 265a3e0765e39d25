"""`vaultmem migrate`: bring the memories of another tool into the vault."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli.migrated import Removal, migrated_json, say_migrated
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import json_option, print_json, progress
from vaultmem.cli.projects import written_of
from vaultmem.cli.typed_path import TypedPath
from vaultmem.core.importing.item import ImportKind
from vaultmem.errors import VaultmemError
from vaultmem.services.call import refuse_agent
from vaultmem.services.migrating.carry_out import Migrated, carry_out
from vaultmem.services.migrating.gather import READERS, gather, remove_source, usual_place
from vaultmem.services.migrating.plan import VERB, plan

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@click.argument("kind", metavar="KIND", type=click.Choice([one.value for one in READERS]))
@click.argument("path", type=TypedPath(path_type=Path), required=False)
@click.option("--project", metavar="P", help="The project of records that do not name theirs.")
@click.option("--yes", is_flag=True, help="Import it; without this, only tell what would be.")
@click.option("--all", "whole", is_flag=True, help="Show every record, not the first of each fate.")
@click.option(
    "--remove-source",
    "remove",
    is_flag=True,
    help="With --yes: remove what the old tool removed after its own import.",
)
@json_option
@click.pass_obj
def command(
    app: App,
    kind: str,
    path: Path | None,
    *,
    project: str | None,
    yes: bool,
    whole: bool,
    remove: bool,
    as_json: bool,
) -> int:
    r"""Bring the memories of another tool into the vault.

    KIND is one of these:

    \b
      pi-config     topic files of a project, `.pi/memory`
      pi-memory     a governed memory, `~/.pi/agent/pi-memory`
      memories-db   an old `memories.db`
      notebook      the notebook of an agent, `~/.pi/agent/memories`
      markdown      a folder of notes and lists
      basic-memory  the folder of a project of basic-memory

    PATH is that store, which is only read. The two whose folder is named here are found without it,
    there or where PI_MEMORY_ROOT and PI_MEMORY_HOME say. Without --yes nothing is written: it tells
    what would become a memory, what would go into the inbox, and what cannot be taken (the first
    ones of each; all of them with --all, and always in --json). With it, the memories come in one
    patch, which can be reverted. The same import run again brings only what is new.
    """
    refuse_agent(VERB, app.env.agent)
    if yes:
        open_or_adopt(app)
    path = path or usual_place(ImportKind(kind), app.env)
    found = gather(app.call(), ImportKind(kind), path, project=written_of(app, project))
    with progress(len(found.items)) as told:
        if yes:
            done = carry_out(app.call(), found, told=told)
        else:
            done = Migrated(plan=plan(app.call(), found, told=lambda number: told("Look", number)))
    gone = _remove(app, path, done) if yes and remove else Removal()
    if as_json:
        print_json(migrated_json(path, done, dry_run=not yes, gone=gone))
    else:
        say_migrated(done, dry_run=not yes, whole=whole, remove=remove, gone=gone)
    return gone.refused.exit_code if gone.refused is not None else 0


def _remove(app: App, path: Path, done: Migrated) -> Removal:
    """Remove the source; the import is done, and is told also where that is refused."""
    try:
        return Removal(remove_source(app.call(), path, done.plan))
    except VaultmemError as error:
        return Removal(refused=error)
