"""`vaultmem inbox`: what waits for a person, and their decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import count, json_option, print_json, say, say_wrapped
from vaultmem.notes.candidate import Decision
from vaultmem.services.inbox import Decided, Waiting, decide, waiting
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.cli.output import Json

_WORDS = {"approved": "Remembered", "rejected": "Rejected", "deferred": "Put off"}


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """List the candidates that wait, or decide about one."""
    if ctx.invoked_subcommand is not None:
        return
    call = ctx.obj.call()
    ensure_current(call)
    found = waiting(call)
    if as_json:
        print_json({"candidates": [_to_json(one) for one in found]})
        return
    for one in found:
        say_wrapped(one.candidate.memory.statement)
        reasons = "; ".join(one.candidate.reasons)
        say_wrapped(f"  {one.id}, {one.candidate.memory.category}: {reasons or 'proposed'}")
    if not found:
        say("Nothing waits for you.")
        return
    say_wrapped(
        f"{count(len(found), 'candidate')}. Decide with `vaultmem inbox approve ID`, `reject` or "
        "`defer`, or write `decision: approve` into the note and run `vaultmem sync`."
    )


@command.command("approve")
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@json_option
@click.pass_obj
def approve_command(app: App, names: tuple[str, ...], *, as_json: bool) -> None:
    """Make the candidate ID a memory."""
    _decide(app, names, Decision.APPROVE, as_json=as_json)


@command.command("reject")
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@json_option
@click.pass_obj
def reject_command(app: App, names: tuple[str, ...], *, as_json: bool) -> None:
    """Remove the candidate ID; the ledger keeps the decision."""
    _decide(app, names, Decision.REJECT, as_json=as_json)


@command.command("defer")
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@json_option
@click.pass_obj
def defer_command(app: App, names: tuple[str, ...], *, as_json: bool) -> None:
    """Leave the candidate ID in the inbox, marked as put off."""
    _decide(app, names, Decision.DEFER, as_json=as_json)


def _decide(app: App, names: tuple[str, ...], decision: Decision, *, as_json: bool) -> None:
    call = app.call()
    ensure_current(call)
    done = [decide(call, name, decision) for name in names]
    if as_json:
        print_json({"decided": [dict(one._asdict()) for one in done]})
        return
    for one in done:
        _tell(one)


def _tell(one: Decided) -> None:
    say_wrapped(f"{_WORDS[one.outcome]}: {one.statement}")
    if one.outcome == "approved":
        say(f"  {one.path}")


def _to_json(one: Waiting) -> dict[str, Json]:
    candidate = one.candidate
    return {
        "id": one.id,
        "path": one.path,
        "statement": candidate.memory.statement,
        "category": candidate.memory.category.value,
        "state": candidate.state.value,
        "decision": candidate.decision,
        "trust": candidate.trust,
        "verification": candidate.verification,
        "reasons": list(candidate.reasons),
        "vault_ref_suggestions": list(candidate.vault_ref_suggestions),
    }
