"""`vaultmem curate`: turn what waits in the inbox into a patch, and apply what may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import goes_with, not_together
from vaultmem.cli.asking import ask, refuse_unattended
from vaultmem.cli.curated import curated_json, say_curated
from vaultmem.cli.hinting import hints_for
from vaultmem.cli.opening import call_of_person, open_or_adopt
from vaultmem.cli.output import json_option, print_json, say, say_wrapped
from vaultmem.core.governance_keys import AUTO, PROPOSE, SUPERVISED
from vaultmem.services.curate import apply_chosen, curate, look, session_end

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.core.operation import Operation
    from vaultmem.services.curate import Curated, Look


@click.command
@click.option(
    "--mode",
    type=click.Choice([PROPOSE, SUPERVISED, AUTO]),
    help="Be more careful than `curator_mode` says; it can never be less.",
)
@click.option(
    "--session-end",
    "at_end",
    is_flag=True,
    help="Apply what policy may by itself, as when a session ends.",
)
@click.option("--session", metavar="S", help="With --session-end: the agent's session that ends.")
@json_option
@click.pass_obj
def command(
    app: App, *, mode: str | None, at_end: bool, session: str | None, as_json: bool
) -> None:
    """Turn what waits in the inbox into a patch.

    Candidates are checked against their evidence and compared with what is known. By default the
    patch waits in the inbox for your ticks; the settings `curator_mode` and `curator_auto_curate`
    say what may be applied without.
    """
    not_together("--mode", "--session-end")
    goes_with("--session-end", "--session")
    open_or_adopt(app)
    if at_end:
        call = app.call()
        call.person_only("curate --session-end")
        done = session_end(call, session)
    else:
        done = _curate(app, mode, as_json=as_json)
    if as_json:
        print_json(curated_json(done, mode))
    else:
        say_curated(done, mode)


def _curate(app: App, mode: str | None, *, as_json: bool) -> Curated:
    call_of_person(app, "curate")
    hints_for(app)  # the patch names what was found
    call = app.call()
    seen = look(call, mode=mode)
    if seen.mode != SUPERVISED:
        return curate(call, mode=mode)
    refuse_unattended(
        "Nobody is there to ask about each operation. Run it in a terminal, or add "
        "`--mode propose`.",
        as_json=as_json,
    )
    return apply_chosen(app.call(), seen, _chosen(seen))


def _chosen(seen: Look) -> frozenset[str]:
    """The operations that the person says yes to; an empty line says no, the end of input too."""
    chosen: set[str] = set()
    for number, operation in enumerate(seen.patch.operations, 1):
        say()
        _show(operation, f"{number}/{len(seen.patch.operations)}")
        answer = ask("Apply it? [y]es [N]o [q]uit:")
        if answer is None or answer.casefold() in ("q", "quit"):
            break
        if answer.casefold() in ("y", "yes"):
            chosen.add(operation.id)
    return frozenset(chosen)


def _show(operation: Operation, place: str) -> None:
    new = operation.changes.get("statement")
    if operation.memory is not None:
        new = operation.memory.statement
    say_wrapped(f"{place}  {operation.op}, {operation.risk} risk: {new or operation.target}")
    if was := operation.before.get("statement"):
        say_wrapped(f"now: {was}", indent=5)
    say_wrapped(operation.reason, indent=5)
