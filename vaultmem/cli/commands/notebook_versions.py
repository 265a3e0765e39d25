"""`vaultmem notebook history`, `show`, `restore`, `accept`, `reset`: versions, and undoing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.asking import confirm, refuse_unattended
from vaultmem.cli.notebook_lines import (
    VERSION_SHOWN,
    published_json,
    reach_json,
    restored_json,
    say_history,
    say_left_out,
    say_published,
    say_reach,
    say_version,
    shown_json,
    version_json,
)
from vaultmem.cli.opening import call_of_person
from vaultmem.cli.output import finding_json, json_option, print_json, say, say_findings

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.restore import Foreseen

_yes_option = click.option("--yes", is_flag=True, help="Go ahead without a question.")


@click.command("history")
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    help="How many versions at most.",
)
@json_option
@click.pass_obj
def history_command(app: App, *, limit: int, as_json: bool) -> None:
    """List the versions of the notebook, the newest first."""
    from vaultmem.services.notebook.versions import history

    call = app.call()
    wrong = _standing(call)
    found = history(call, limit)
    if as_json:
        print_json(
            {
                "versions": [version_json(one) for one in found],
                "findings": [finding_json(one) for one in wrong],
            }
        )
        return
    say_history(found)
    say_findings(wrong)


@click.command("show")
@click.argument("version", required=False)
@click.option("--file", "path", metavar="PATH", help="One file of it, such as MEMORY.md.")
@click.option("--diff", is_flag=True, help="What it changed, in place of what it says.")
@json_option
@click.pass_obj
def show_command(
    app: App, version: str | None, *, path: str | None, diff: bool, as_json: bool
) -> None:
    """Show a VERSION of the notebook, or the one in force.

    VERSION is the beginning of an id that `vaultmem notebook history` lists, seven digits or more.
    """
    from vaultmem.services.notebook.looking import look_at

    call = app.call()
    wrong = _standing(call)
    found = look_at(call, version, path=path, diff=diff)
    if as_json:
        print_json(shown_json(found, wrong))
        return
    say_version(found)
    say_findings(wrong)


@click.command("restore")
@click.argument("version", required=False)
@_yes_option
@json_option
@click.pass_obj
def restore_command(app: App, version: str | None, *, yes: bool, as_json: bool) -> None:
    """Put a VERSION of the notebook back.

    Without VERSION the one in force is put back over what was changed in its files. What stood
    there stays in the history, but without secrets that you typed. Your own skills stay.
    """
    from vaultmem.services.notebook.restore import foresee_restore, restore
    from vaultmem.services.notebook.versions import show

    call = call_of_person(app, "notebook restore")
    there = show(call, version).version
    seen = None if yes else foresee_restore(call, version)
    if seen is not None:
        question = f"Put version {there.id[:VERSION_SHOWN]} into the vault's files?"
        _confirm_change(seen, question, as_json=as_json)
    done = restore(call, version, seen=seen)
    if as_json:
        print_json(restored_json(done))
    else:
        say_published(done)


@click.command("accept")
@_yes_option
@json_option
@click.pass_obj
def accept_command(app: App, *, yes: bool, as_json: bool) -> None:
    """Publish the notebook as it lies in the vault.

    For a change that an agent made in its files, and that you want to keep.
    """
    from vaultmem.services.notebook.restore import accept, foresee_accept

    call = call_of_person(app, "notebook accept")
    seen = None if yes else foresee_accept(call)
    if seen is not None:
        question = "Publish the notebook as it lies in the vault?"
        _confirm_change(seen, question, as_json=as_json)
    done = accept(call, seen=seen)
    if as_json:
        print_json(published_json(done))
    else:
        say_published(done)


@click.command("reset")
@_yes_option
@json_option
@click.pass_obj
def reset_command(app: App, *, yes: bool, as_json: bool) -> None:
    """Delete the notebook, its versions and its cards.

    Sessions, memories, ad-hoc notes and your own skills stay. It is not switched off.
    """
    from vaultmem.services.notebook.reset import foresee_reset, reset

    call = call_of_person(app, "notebook reset")
    seen = None if yes or as_json else foresee_reset(call, app.notebook)
    if seen is not None:
        say_reach(seen)
    if not yes:
        _confirm("Delete all of it? It cannot be undone.", as_json=as_json)
    done = reset(call, app.notebook, yes=True, seen=seen)
    if as_json:
        print_json({**reach_json(done.reach), "findings": list(map(finding_json, done.findings))})
        return
    reach = done.reach
    was_there = bool(reach.files or reach.cards or reach.versions)
    say("Deleted." if was_there else "There was nothing to delete.")
    if app.config.config.notebook:
        say("It is still on; `vaultmem notebook off` keeps it from being made anew.")
    say_findings(done.findings)


def _standing(call: Call) -> list[Finding]:
    """What is wrong with the notebook's files in the vault, which are then not in force."""
    from vaultmem.services.sync import catch_up
    from vaultmem.services.syncing.record import notebook_findings

    catch_up(call)
    return notebook_findings(call)


def _confirm_change(what: Foreseen, question: str, *, as_json: bool) -> None:
    """Show what would change, and ask; where nothing would, nothing is asked.

    Raises:
        NotConfirmedError: as `_confirm`.
    """
    if not what.paths:
        return
    if not as_json:
        say(what.diff)
        say_left_out(what.left_out)
    _confirm(question, as_json=as_json, would=f" It would change {', '.join(what.paths)}.")


def _confirm(question: str, *, as_json: bool, would: str = "") -> None:
    """Ask before something is replaced or deleted.

    Raises:
        NotConfirmedError: if nobody could be asked, or the person said no.
    """
    refuse_unattended(
        f"Nothing was changed.{would} Add `--yes` to go ahead without a question.", as_json=as_json
    )
    confirm(question, "Nothing was changed. Answer `y` to go ahead.")
