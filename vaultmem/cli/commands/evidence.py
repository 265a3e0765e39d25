"""`vaultmem evidence`: what speaks for a memory or a candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import count, json_option, print_json, say, say_wrapped
from vaultmem.services.capturing.evidence_list import PieceState, list_evidence, show_evidence

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.services.capturing.evidence_list import Piece

_WORTH = {
    PieceState.INTACT: "as it was recorded",
    PieceState.UNSIGNED: "not signed on this device; it supports nothing by itself",
    PieceState.ALTERED: "altered since it was recorded; it supports nothing",
    PieceState.REDACTED: "its words were taken out",
    PieceState.MISSING: "not there any more",
}


@click.group
def command() -> None:
    """Show what speaks for a memory or a candidate."""


@command.command("list")
@click.argument("name", metavar="ID")
@json_option
@click.pass_obj
def list_command(app: App, name: str, *, as_json: bool) -> None:
    """List the evidence of a memory or a candidate.

    ID is an id, the end of one (six characters or more), a path in the vault, or a title.
    """
    found = list_evidence(app.call(), name)
    if as_json:
        print_json(
            {
                "id": found.id,
                "path": found.path,
                "statement": found.statement,
                "evidence": [to_json(one) for one in found.pieces],
            }
        )
        return
    say(found.statement)
    for one in found.pieces:
        say()
        _say(one)
    say()
    say(f"{count(len(found.pieces), 'piece')} of evidence for {found.id}.")


@command.command("show")
@click.argument("name", metavar="EV")
@json_option
@click.pass_obj
def show_command(app: App, name: str, *, as_json: bool) -> None:
    """Show one piece of evidence with its words.

    EV is its id, or the link to its block that a note embeds.
    """
    piece = show_evidence(app.call(), name)
    if as_json:
        print_json(to_json(piece))
    else:
        _say(piece)


def to_json(piece: Piece) -> dict[str, Json]:
    """The stable shape of one piece; of one that is missing only id and state are known."""
    found = piece.evidence
    told: dict[str, Json] = dict.fromkeys(_KEYS)
    if found is not None:
        told = {
            "source_kind": found.source_kind.value,
            "trust": found.trust.value,
            "polarity": found.polarity.value,
            "durability": found.durability.value,
            "project": found.project,
            "session": found.session,
            "ref": found.source_ref,
            "created": found.created.isoformat() if found.created else None,
            "excerpt": found.excerpt,
            "summary": found.summary,
        }
    return {"id": piece.id, "state": piece.state.value} | told


_KEYS = (
    "source_kind",
    "trust",
    "polarity",
    "durability",
    "project",
    "session",
    "ref",
    "created",
    "excerpt",
    "summary",
)


def _say(piece: Piece) -> None:
    say(f"{piece.id}  {_WORTH[piece.state]}")
    found = piece.evidence
    if found is None:
        return
    said = f" on {found.created.date()}" if found.created else ""
    where = f", session {found.session}" if found.session else ""
    say(f"  {found.polarity} it: {found.source_kind}, {found.trust}{said}{where}")
    for line in found.text.splitlines():
        say_wrapped(line, first="  > ", indent=4)
