"""`vaultmem maintain identity`: what stable memories add up to, proposed to the person."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import count, counter, json_option, print_json, say, say_wrapped
from vaultmem.services.meta_consolidation import consolidate

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.services.meta_consolidation import Consolidated


@click.command("identity")
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """Propose identity memories from stable playbook ones.

    Each becomes a candidate of the inbox, with what speaks against it; only you can approve one.
    `meta_consolidation_enabled` switches this on, the other settings of that name set its limits.
    """
    open_or_adopt(app)
    with counter("Reading the memories"):
        done = consolidate(app.call())
    if as_json:
        print_json(
            {
                "proposed": [
                    {
                        "id": one.id,
                        "path": one.path,
                        "statement": one.statement,
                        "sources": list(one.sources),
                        "counterexamples": [
                            {"id": against.id, "reason": against.reason}
                            for against in one.counterexamples
                        ],
                        "questions": list(one.questions),
                    }
                    for one in done.proposed
                ],
                "left": [{"id": one.id, "reason": one.reason} for one in done.left],
                "off": done.off or None,
            }
        )
    elif done.off:
        say_wrapped(done.off)
    else:
        _say(done)


def _say(done: Consolidated) -> None:
    for one in done.proposed:
        say(one.statement)
        say(f"  {one.path}", note=one.path)
        for against in one.counterexamples:
            say_wrapped(against.reason, indent=2)
        for question in one.questions:
            say_wrapped(question, indent=2)
    reasons = Counter(one.reason for one in done.left)
    if reasons:
        listed = ", ".join(f"{key} {reasons[key]}" for key in sorted(reasons))
        say_wrapped(f"Left out: {listed}.")
    said = count(len(done.proposed), "identity candidate")
    step = " Decide with `vaultmem inbox`." if done.proposed else ""
    say(f"{said} proposed.{step}")
