"""`vaultmem why`: where a memory comes from and what happened to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import json_option, print_json, say
from vaultmem.cli.used import record_json, record_lines
from vaultmem.core.ids import short_id
from vaultmem.services.why import why

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@click.argument("name", metavar="ID")
@json_option
@click.pass_obj
def command(app: App, name: str, *, as_json: bool) -> None:
    """Tell where a memory comes from.

    Its origin, its evidence, who approved it, and what happened to it. ID is an id, the end of one
    (six characters or more), a path in the vault, or a title; also that of a candidate.
    """
    found = why(app.call(), name)
    if as_json:
        print_json(
            {
                "id": found.id,
                "path": found.path,
                "statement": found.statement,
                "origin": found.origin,
                "approved_by": found.approved_by or None,
                "evidence": list(found.evidence),
                "evidence_count": found.evidence_count,
                "injections": list(found.injections),
                "waiting": found.waiting,
                "record": None if found.record is None else record_json(found.record),
                "events": [
                    {
                        "at": one.at,
                        "act": one.act,
                        "by": one.by or None,
                        "via": one.via or None,
                        "keys": list(one.keys),
                        "device": one.device,
                        "signed": one.signed,
                    }
                    for one in found.events
                ],
            }
        )
        return
    say(found.statement)
    say()
    say(found.origin)
    approver = (
        f"the {found.approved_by}" if found.approved_by else "nobody that this device knows of"
    )
    decided = "It waits for your decision" if found.waiting else f"Approved by {approver}"
    say(f"{decided}. Evidence count: {found.evidence_count:g}.")
    for link in found.evidence:
        say(f"  {link}")
    if found.evidence:
        say(f"  `vaultmem evidence list {short_id(found.id)}` shows what they say.")
    for line in () if found.record is None else record_lines(found.record):
        say(f"  {line}")
    for at in found.injections:
        say(f"  told to an agent: {at.replace('T', ' ')}")
    for one in found.events:
        what = f" ({', '.join(one.keys)})" if one.keys else ""
        who = f" by {one.by}" if one.by else ""
        unsigned = "" if one.signed else ", not signed"
        act = "force given" if one.act == "given" else one.act
        say(f"  {one.at[:19].replace('T', ' ')} UTC  {act}{what}{who}{unsigned}")
    say(f"  {found.path}", note=found.path)
