"""`vaultmem inbox`: what waits for a person, and their decisions."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import goes_with
from vaultmem.cli.asking import ratify_option, refuse_unattended
from vaultmem.cli.candidate_lines import say_candidate, to_json
from vaultmem.cli.deciding import decide_and_ask, edit_in_editor, say_decided, say_edited
from vaultmem.cli.hinting import chosen_note, hints_for
from vaultmem.cli.opening import call_of_person
from vaultmem.cli.output import count, json_option, print_json, say, say_wrapped
from vaultmem.cli.several import exit_code, for_each, refused_json
from vaultmem.notes.candidate import Decision
from vaultmem.services.curating.candidates import find_waiting
from vaultmem.services.curating.foresee import those_waiting
from vaultmem.services.curating.proposals import in_open_patches
from vaultmem.services.edit import edit
from vaultmem.services.inbox_edit import edit_candidate
from vaultmem.services.sync import catch_up
from vaultmem.services.waiting import what_waits

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.services.inbox import Decided


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """List the candidates that wait, or decide about one."""
    if ctx.invoked_subcommand is None:
        _list(ctx.obj, as_json=as_json)


@command.command("list")
@json_option
@click.pass_obj
def list_command(app: App, *, as_json: bool) -> None:
    """List the candidates that wait, as `vaultmem inbox` does."""
    _list(app, as_json=as_json)


def _list(app: App, *, as_json: bool) -> None:
    call = app.call()
    catch_up(call)
    hints = hints_for(app)  # before the list: it renews the notes of the candidates
    found, waits = those_waiting(call), what_waits(call)
    if as_json:
        shown: list[Json] = [to_json(one, seen, hints.get(one.id, ())) for one, seen in found]
        more = {
            "patches": len(waits.patches),
            "promotions": len(waits.promotions),
            "questions": len(waits.questions),
        }
        print_json({"candidates": shown, **more})
        return
    if not found:
        say_wrapped(waits.no_candidate)
        return
    for one, foreseen in found:
        say_candidate(one, foreseen, hints.get(one.id, ()))
    say_wrapped(
        f"{count(len(found), 'candidate')}. Decide one after the other with `vaultmem inbox "
        "review`, or one alone with `vaultmem inbox approve ID`, `vaultmem inbox reject ID` or "
        "`vaultmem inbox defer ID` (`vaultmem inbox edit ID` changes it first), or write "
        "`decision: approve` into the note and run `vaultmem sync`."
    )
    proposed = in_open_patches(call)
    if twice := sum(one.id in proposed for one, _ in found):
        say_wrapped(f"{twice} of them in an open patch too: see `vaultmem patch list`.")
    if rest := waits.elsewhere():
        say_wrapped(rest)


@command.command("approve")
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@click.option(
    "--vault-ref",
    "note",
    metavar="NOTE",
    help="Link the memory to a knowledge note: a suggestion's number, a title, a path or a link.",
)
@ratify_option
@json_option
@click.pass_obj
def approve_command(
    app: App, names: tuple[str, ...], *, note: str | None, ratified: bool, as_json: bool
) -> int:
    """Make the candidate ID a memory.

    Where it supersedes or rewords a memory, that one is named; `vaultmem inbox` names it before.
    """
    if note is not None and len(names) > 1:
        raise click.UsageError("Give one ID with `--vault-ref`.")
    return _decide(app, names, Decision.APPROVE, ratified=ratified, as_json=as_json, note=note)


@command.command("reject")
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@json_option
@click.pass_obj
def reject_command(app: App, names: tuple[str, ...], *, as_json: bool) -> int:
    """Remove the candidate ID; the ledger keeps the decision."""
    return _decide(app, names, Decision.REJECT, as_json=as_json)


@command.command("defer")
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@json_option
@click.pass_obj
def defer_command(app: App, names: tuple[str, ...], *, as_json: bool) -> int:
    """Leave the candidate ID in the inbox, marked as put off."""
    return _decide(app, names, Decision.DEFER, as_json=as_json)


@command.command("edit")
@click.argument("name", metavar="ID")
@click.option("--statement", metavar="TEXT", help="The new statement.")
@click.option("--category", metavar="C", help="The category that the memory would have.")
@click.option(
    "--set",
    "properties",
    type=(str, str),
    multiple=True,
    metavar="KEY VALUE",
    help="Set a property; items of a list are separated by commas, an empty VALUE clears it.",
)
@click.option("--approve", is_flag=True, help="Approve it at once.")
@ratify_option
@json_option
@click.pass_obj
def edit_command(
    app: App,
    name: str,
    *,
    statement: str | None,
    category: str | None,
    properties: tuple[tuple[str, str], ...],
    approve: bool,
    ratified: bool,
    as_json: bool,
) -> int:
    """Change the candidate ID; it goes on waiting.

    Without an option that says what to change, the note opens in the editor that $VISUAL or $EDITOR
    names.
    """
    goes_with("--approve", "--ratify")
    wanted = dict(properties) if category is None else {**dict(properties), "category": category}
    if statement is None and not wanted:
        done = edit_in_editor(app, name)
    else:
        done = edit_candidate(app.call(), name, statement=statement, properties=wanted)
    if approve:
        return _decide(app, (done.id,), Decision.APPROVE, ratified=ratified, as_json=as_json)
    if as_json:
        print_json({"id": done.id, "path": done.path, "changed": done.changed})
    else:
        say_edited(done)
    return 0


@command.command("review")
@json_option
@click.pass_obj
def review_command(app: App, *, as_json: bool) -> None:
    """Decide about what waits, one after the other.

    First the candidates, then the open patches. With --json the dialogue is held on standard error.
    """
    app.call().person_only("inbox review")
    refuse_unattended(
        "Nobody is there to ask. Run `vaultmem inbox`, then `vaultmem inbox approve ID`."
    )
    from vaultmem.cli.review import review

    if not as_json:
        review(app)
        return
    with redirect_stdout(sys.stderr):
        done = review(app)
    decided: list[Json] = [dict(one._asdict()) for one in done.decided]
    print_json({"decided": decided, "left": done.left, "patches": done.patches})


def _note_for(app: App, name: str, note: str) -> str:
    """The link that `--vault-ref` means for a candidate; a number is that of a suggestion."""
    shown = hints_for(app) if note.strip().isdigit() else {}
    one = find_waiting(app.call(), name)
    return chosen_note(app, note, shown.get(one.id, ()))


def _decide(
    app: App,
    names: tuple[str, ...],
    decision: Decision,
    *,
    as_json: bool,
    ratified: bool = False,
    note: str | None = None,
) -> int:
    """Decide each; one that cannot be decided does not keep the others from it."""
    call_of_person(app, f"inbox {decision.value}")
    link = None if note is None else _note_for(app, names[0], note)
    done: list[Decided] = []

    def decide_one(name: str) -> None:
        done.append(decide_and_ask(app, name, decision, ratified=ratified, as_json=as_json))
        if link is not None:
            edit(app.call(), done[-1].id, properties={"vault_ref": link})
        if not as_json:
            say_decided(done[-1])
            if link:
                say(f"  It links to {link}.")

    refused = for_each(names, decide_one, as_json=as_json)
    if as_json:
        decided: list[Json] = [dict(one._asdict()) for one in done]
        print_json({"decided": decided, "refused": refused_json(refused)})
    return exit_code(refused)
