"""`vaultmem init`: make a memory root, or take it back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import not_together
from vaultmem.cli.asking import ask, go_ahead, somebody_types
from vaultmem.cli.output import (
    count,
    counter,
    finding_json,
    json_option,
    print_json,
    project_name,
    say,
    say_findings,
    say_wrapped,
)
from vaultmem.cli.projects import is_no_projects_folder
from vaultmem.cli.typed_path import TypedPath
from vaultmem.errors import NotConfirmedError
from vaultmem.services.call import refuse_agent
from vaultmem.services.init import InitPlan, init, plan_init
from vaultmem.services.init_look import There, look
from vaultmem.services.notebook.enable import enable, is_enabled
from vaultmem.services.undo_init import undo_init
from vaultmem.store.discovery import trusted_entry
from vaultmem.store.obsidian import OUR_PLUGIN
from vaultmem.store.vault import open_vault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.app import App


@click.command
@click.argument("path", type=TypedPath(path_type=Path, file_okay=False), default=".")
@click.option(
    "--root",
    metavar="NAME",
    default="Memory",
    show_default=True,
    help="The folder that will be the memory root, such as `Brain/Memory`.",
)
@click.option(
    "--exclude-system", is_flag=True, help="Add the machine notes to Obsidian's Excluded files."
)
@click.option(
    "--templates", is_flag=True, help="Also make the notes for Obsidian's plugin Templates."
)
@click.option(
    "--notebook/--no-notebook",
    default=None,
    help="Let sessions of the working folder's project become a notebook, or do not ask.",
)
@click.option("--undo", is_flag=True, help="Take back exactly what `init` made in the vault.")
@click.option("--yes", is_flag=True, help="Go ahead without a question.")
@json_option
@click.pass_obj
def command(
    app: App,
    path: Path,
    *,
    root: str,
    exclude_system: bool,
    templates: bool,
    notebook: bool | None,
    undo: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Make a memory root in a vault, or take it back.

    PATH is the folder of the vault; without it, the working folder. Every file that would be made
    and every setting that would be merged is printed before anything is done.
    """
    refuse_agent("init", app.env.agent)
    not_together("--undo", "--exclude-system")
    not_together("--undo", "--templates")
    not_together("--undo", "--notebook")
    vault = path.resolve()
    if undo:
        _undo(app, vault, root, yes=yes, as_json=as_json)
        return
    plan = plan_init(app.home, vault, root, exclude_system=exclude_system, templates=templates)
    used = trusted_entry(vault, app.config.config) is not None
    if not as_json:
        _show(plan, used=used)
    if not yes and not (used and plan.is_done):
        if as_json:
            raise NotConfirmedError("Nothing was made. Add `--yes` to go ahead without a question.")
        go_ahead("Go ahead?")
    default = app.config.config.vault
    state = init(app.home, app.config.config, plan, now=app.now, random=app.random)
    if notebook is None:
        notebook = _may_ask(app, yes=yes, as_json=as_json) and _wants_notebook(app)
    if notebook:
        with closing(open_vault(app.home, vault, root)) as opened:
            enable(app.call(opened), app.home, app.project.id)
    if as_json:
        print_json(
            {
                "path": str(vault),
                "root": root,
                "id": state.vault_id,
                "notebook": notebook,
                "created": list(plan.create),
                "renewed": list(plan.renew),
                "left_out": list(plan.templates.taken) if plan.templates is not None else [],
                "settings": list(plan.settings),
                "clashes": list(plan.clashes),
                "findings": [finding_json(one) for one in plan.findings],
            }
        )
        return
    say(f"Done. The vault's id is {state.vault_id}.")
    if plan.foreign:
        say_wrapped(
            "This device has no key for it yet. On a device that has it run `vaultmem key export`, "
            "then here `vaultmem key import`."
        )
    if default is not None and default.expanduser().resolve() != vault:
        say(f"The user config goes on naming {default}.")
        say("For this vault run the commands in its folder, or with `--vault`.")
    if plan.templates is not None:
        say_wrapped(
            f"The templates lie in {plan.templates.folder}. Name that folder in the settings of "
            "Obsidian's plugin Templates, if it is another one there.",
            whole=(plan.templates.folder,),
        )
    if notebook:
        say(f"The notebook is on for {project_name(app.project.id)}; nothing was sent.")
        say("Next for it: `vaultmem notebook run --dry-run`.")
    _say_next(_there(app, vault, root))


def _there(app: App, vault: Path, root: str) -> There:
    """What the vault holds already; `app` itself may be of another one."""
    with closing(open_vault(app.home, vault, root)) as opened, counter("Reading the notes"):
        return look(app.call(opened))


def _may_ask(app: App, *, yes: bool, as_json: bool) -> bool:
    """Whether there is a project to ask about, and somebody to answer."""
    asked = yes or as_json or not somebody_types()
    return not (
        asked or is_no_projects_folder(app) or is_enabled(app.config.config, app.project.id)
    )


def _wants_notebook(app: App) -> bool:
    """Ask whether a model may read the sessions of the working folder's project; no by default."""
    say_wrapped(
        f"A language model can make a notebook of what the agent's sessions in "
        f"{project_name(app.project.id)} taught. It is off; nothing is sent before a model is set "
        "up and you have seen what and where."
    )
    answer = ask("Switch it on for this project? [y/N]:")
    return (answer or "").casefold() in ("y", "yes")


def _say_next(there: There) -> None:
    if there.unreadable:
        notes = count(there.unreadable, "note")
        say(f"{notes} cannot be read; `vaultmem doctor` lists what is wrong.")
    if there.unreviewed:
        memories = count(there.memories, "memory", "memories")
        say_wrapped(
            f"Of {memories} there, {there.unreviewed} would act, as a rule or a pin, and will only "
            "inform until you say so."
        )
        say("Next: `vaultmem ratify --review`, then `vaultmem report`.")
    elif there.memories:
        say("Next: `vaultmem report` tells what is there; `vaultmem add` adds to it.")
    else:
        say('Next: `vaultmem add "…" --category lesson`, then `vaultmem report`.')


def _show(plan: InitPlan, *, used: bool) -> None:
    say(f"In {plan.vault} this will be made:")
    for file, entries in _by_file(plan.settings).items():  # long; the paths stand at the question
        say(f"  merged into {file}:")
        for value, names in _by_value(entries).items():
            say_wrapped(": ".join(filter(None, (value, ", ".join(names)))), indent=4)
    for path in plan.create:
        say(f"  {path}")
    for path in plan.renew:
        say(f"  {path}, made anew: nobody changed the old one")
    if plan.is_done:
        say("  nothing; everything is there already")
        if not used:
            say("  it becomes a vault that this machine uses")
    if plan.new_id:
        say("  an id in the settings, and a key on this machine, outside of the vault")
    for clash in plan.clashes:
        say(f"  left alone: the property {clash}")
    for path in plan.templates.taken if plan.templates is not None else ():
        say(f"  left out: {path}; another note has its name")
    say_findings(plan.findings)


def _by_file(settings: tuple[str, ...]) -> dict[str, list[str]]:
    """The entries of the plan, below the settings file that each is merged into."""
    found: dict[str, list[str]] = {}
    for line in settings:
        file, _, entry = line.partition(": ")
        found.setdefault(file, []).append(entry)
    return found


def _by_value(entries: Iterable[str]) -> dict[str, list[str]]:
    """The names of entries as `name → value`, below the value that each gets."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        name, _, value = entry.partition(" → ")
        found.setdefault(value, []).append(name)
    return found


def _undo(app: App, vault: Path, root: str, *, yes: bool, as_json: bool) -> None:
    if not yes and not as_json:
        go_ahead(f"Take back what `init` made in {vault}?")
    elif not yes:
        raise NotConfirmedError("Nothing was removed. Add `--yes` to go ahead without a question.")
    undone = undo_init(app.home, vault, root)
    if as_json:
        print_json(
            {
                "removed": list(undone.removed),
                "restored": list(undone.restored),
                "kept": list(undone.kept),
            }
        )
        return
    for path in undone.removed:
        say(f"removed {path}")
    for path in undone.restored:
        say(f"restored {path}: it is as it was before `init`")
    for path in undone.kept:
        say(f"kept {path}: it was changed or is in use")
    if f"{root}/" in undone.kept:
        say_wrapped(
            f"Your notes stay. To have them gone as well, delete the folder {root}.", whole=(root,)
        )
    if (vault / OUR_PLUGIN).is_dir():
        say_wrapped("The companion plugin is still there. Uninstall it in Obsidian's settings.")
