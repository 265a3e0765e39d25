"""`vaultmem obsidian`: give a vault's Obsidian the companion plugin, and take it away again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.asking import go_ahead
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import json_option, print_json, say, say_wrapped
from vaultmem.services.call import refuse_agent
from vaultmem.services.obsidian_plugin import (
    INSTALL,
    UNINSTALL,
    install_plugin,
    plan_install,
    planned_uninstall,
    plugin_status,
    uninstall_plugin,
)
from vaultmem.store.obsidian import OUR_PLUGIN as FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultmem.app import App

_yes_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--yes", is_flag=True, help="Go ahead without a question."
)
_TURN_ON = (
    "Next: in Obsidian open Settings → Community plugins, reload the list, and turn on "
    "Vaultmem. Its commands are in the command palette, for the note that is open."
)


@click.group
def command() -> None:
    """Decide in Obsidian, with a small plugin."""


@command.command("install")
@_yes_option
@json_option
@click.pass_obj
def install_command(app: App, *, yes: bool, as_json: bool) -> None:
    """Write the companion plugin into the vault.

    It goes into the vault's `.obsidian/plugins/vaultmem`. You turn it on in Obsidian yourself. Run
    it again after an update of vaultmem.
    """
    refuse_agent(INSTALL, app.env.agent)
    open_or_adopt(app)
    call = app.call()
    plan = plan_install(call)
    if plan.write and not yes:
        _show(app, "written", tuple(plan.write), plan.replaced, as_json=as_json)
        go_ahead("Go ahead?", as_json=as_json)
    written = install_plugin(call, plan)
    turned_on = plugin_status(call.vault.path).turned_on
    if as_json:
        print_json({"path": FOLDER, "changed": list(written), "turned_on": turned_on})
        return
    for path in written:
        say(f"Wrote {path}")
    if not written:
        say("The plugin of this version is there already.")
    if not turned_on:
        say_wrapped(_TURN_ON)
    elif written:
        say_wrapped("Obsidian loads it when it starts again, or when you turn it off and on.")


@command.command("uninstall")
@_yes_option
@json_option
@click.pass_obj
def uninstall_command(app: App, *, yes: bool, as_json: bool) -> None:
    """Take the plugin out of the vault; memories stay.

    Exactly what `vaultmem obsidian install` wrote on this machine goes; a file that was changed
    since stays.
    """
    refuse_agent(UNINSTALL, app.env.agent)
    open_or_adopt(app)
    call = app.call()
    planned = planned_uninstall(call)
    if planned and not yes:
        _show(app, "removed", planned, (), as_json=as_json)
        go_ahead("Go ahead?", as_json=as_json)
    done = uninstall_plugin(call)
    if as_json:
        print_json({"path": FOLDER, "removed": list(done.removed), "kept": list(done.kept)})
        return
    for path in done.removed:
        say(f"Removed {path}")
    for path in done.kept:
        say(f"Left {path}: it is not as it was written, or something else is in it.")
    if not done.removed and not done.kept:
        say("Nothing of the plugin was written on this machine.")
        if plugin_status(call.vault.path).version:
            say("What is there came from elsewhere. Uninstall it in Obsidian's settings.")
    elif done.removed:
        say("An Obsidian that runs keeps the plugin until it is started again.")


@command.command("status")
@json_option
@click.pass_obj
def status_command(app: App, *, as_json: bool) -> None:
    """Tell whether the vault has the plugin of this version."""
    found = plugin_status(app.found.path)
    if as_json:
        print_json(
            {
                "ok": found.ok,
                "path": FOLDER,
                "version": found.version or None,
                "complete": found.complete,
                "missing": list(found.missing),
                "other": list(found.other),
                "turned_on": found.turned_on,
            }
        )
        return
    say(f"The plugin: {FOLDER}, {f'version {found.version}' if found.version else 'not there'}")
    if found.version:
        for path in found.missing:
            say(f"{path} is missing.")
        for path in found.other:
            say(f"{path} is not the one of this version.")
    if not found.complete:
        say("Next: `vaultmem obsidian install`.")
    elif not found.turned_on:
        say_wrapped(_TURN_ON)
    else:
        say("Obsidian has the plugin of this version, and it is turned on.")


def _show(
    app: App, done: str, paths: Sequence[str], replaced: Sequence[str], *, as_json: bool
) -> None:
    """Tell what an answer of yes does, in the words of `init`."""
    if as_json:
        return
    say(f"In {app.found.path} this will be {done}:")
    for path in paths:
        others = " (replaces a file that was not written here)" if path in replaced else ""
        say(f"  {path}{others}")
