"""`vaultmem promote`: stronger forms that memories have earned, and the person's decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.opening import call_of_person
from vaultmem.cli.output import count, json_option, print_json, say, say_wrapped
from vaultmem.cli.promotion_lines import (
    say_decided,
    say_listed,
    say_proposed,
    say_shown,
    say_suggestions,
    shown_json,
    to_json,
    ways_to_decide,
)
from vaultmem.core.ids import short_id
from vaultmem.core.promotion_words import Destination, PromotionStatus
from vaultmem.services import promote
from vaultmem.services.call import Actor
from vaultmem.services.lookup import find_memory
from vaultmem.services.promote import Filling
from vaultmem.services.promoting.suggesting import Knowledge, suggestions
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.services.promote import Decided


@click.group()
def command() -> None:
    """Give memories a stronger form: guardrail, skill, note."""


@command.command("list")
@click.option("--all", "everything", is_flag=True, help="Also what was decided or deleted.")
@json_option
@click.pass_obj
def list_command(app: App, *, everything: bool, as_json: bool) -> None:
    """List the promotions that wait for a decision."""
    call = app.call()
    catch_up(call)
    found = promote.list_(call, everything=everything)
    if as_json:
        print_json({"promotions": [to_json(one) for one in found]})
        return
    if not found:
        none = "was proposed yet" if everything else "waits"
        say(f"No promotion {none}; `vaultmem promote run` looks for what was earned.")
        return
    for one in found:
        say_listed(one)
    if all(one.status != PromotionStatus.PROPOSED for one in found):
        return
    say_wrapped(
        f"Look at one with `vaultmem promote show ID`, then {ways_to_decide(())}; or decide in its "
        "note. Only you can propose again what you reject (`vaultmem promote propose`)."
    )


@command.command("show")
@click.argument("name", metavar="ID")
@json_option
@click.pass_obj
def show_command(app: App, name: str, *, as_json: bool) -> None:
    """Show what the promotion ID proposes, and why."""
    call = app.call()
    catch_up(call)
    found = promote.show(call, name, knowledge=_knowledge(app))
    if as_json:
        print_json(shown_json(found))
    else:
        say_shown(found)


@command.command("run")
@json_option
@click.pass_obj
def run_command(app: App, *, as_json: bool) -> None:
    """Propose every form that a memory has earned.

    What you said in several sessions counts. A guardrail that a memory's words spell out is made at
    once, where `curator_auto_curate` lets policy act; everything else waits for you.
    """
    done = promote.run(app.call(), knowledge=_knowledge(app))
    if as_json:
        print_json(
            {
                "proposed": [to_json(one) for one in done.proposed],
                "applied": [to_json(one) for one in done.applied],
                "kept_back": done.kept_back or None,
            }
        )
        return
    for one in (*done.applied, *done.proposed):
        say_proposed(one)
    if not (done.proposed or done.applied):
        say("Nothing new was earned.")
    elif done.proposed:
        say_wrapped(f"{count(len(done.proposed), 'promotion')} to decide: `vaultmem promote list`.")


@command.command("propose")
@click.argument("name", metavar="MEMORY")
@click.option(
    "--to",
    "destination",
    required=True,
    type=click.Choice([one.value for one in Destination]),
    help="The form that the memory should have.",
)
@click.option("--reason", metavar="TEXT", default="", help="Why, in one sentence.")
@json_option
@click.pass_obj
def propose_command(app: App, name: str, *, destination: str, reason: str, as_json: bool) -> None:
    """Propose one form for the memory MEMORY, earned or not.

    MEMORY is an id, the end of one (six characters or more), a path in the vault, or a title.
    """
    done = promote.propose_one(
        app.call(), name, Destination(destination), reason=reason, knowledge=_knowledge(app)
    )
    if as_json:
        print_json(to_json(done))
        return
    say_proposed(done)
    say_wrapped(
        f"It waits for a decision: look with `vaultmem promote show {short_id(done.id)}`, then "
        f"{ways_to_decide((done.id,))}."
    )


@command.command("accept")
@click.argument("name", metavar="ID")
@click.option("--trigger", metavar="T", default="", help="What the guardrail looks for.")
@click.option("--action", metavar="A", default="", help="What it does: block, warn, run_after.")
@click.option("--verifier", metavar="V", default="", help="A check, `tool_called X before Y`.")
@click.option("--skill", metavar="NAME", default="", help="Another name for the skill.")
@click.option("--note", metavar="NOTE", default="", help="The knowledge note that you wrote.")
@json_option
@click.pass_obj
def accept_command(
    app: App,
    name: str,
    *,
    trigger: str,
    action: str,
    verifier: str,
    skill: str,
    note: str,
    as_json: bool,
) -> None:
    """Do what the promotion ID proposes.

    A guardrail is signed in your name. A skill is written below `Skills/`. A project's rules and
    your knowledge notes are yours to write: what can be copied is printed.
    """
    call = call_of_person(app, "promote accept")
    filling = Filling(trigger, action, verifier, skill, note)
    _print(promote.accept(call, name, filling=filling), as_json=as_json)


@command.command("reject")
@click.argument("name", metavar="ID")
@json_option
@click.pass_obj
def reject_command(app: App, name: str, *, as_json: bool) -> None:
    """Turn the promotion ID down; only you can propose it again.

    That is `vaultmem promote propose MEMORY --to FORM`.
    """
    call = call_of_person(app, "promote reject")
    _print(promote.reject(call, name), as_json=as_json)


@command.command("suggest")
@click.argument("name", metavar="MEMORY")
@json_option
@click.pass_obj
def suggest_command(app: App, name: str, *, as_json: bool) -> None:
    """Suggest knowledge notes for the memory MEMORY.

    MEMORY is an id, the end of one (six characters or more), a path in the vault, or a title.
    """
    call = app.call()
    call.person_only("promote suggest")  # your notes are not in an agent's scope
    catch_up(call)
    memory = find_memory(call, name).decoded.memory
    found = suggestions(call, _knowledge(app), memory, Destination.VAULT_REF)
    if as_json:
        print_json({"id": memory.id, "suggestions": [to_json(one) for one in found]})
        return
    say(memory.statement)
    say_suggestions(found)


def _print(done: Decided, *, as_json: bool) -> None:
    if as_json:
        print_json(to_json(done))
    else:
        say_decided(done)


def _knowledge(app: App) -> Knowledge | None:
    """Where notes to link are looked for; an agent is not told of the person's own notes."""
    return Knowledge(app.engine, app.knowledge_vaults) if app.actor is Actor.PERSON else None
