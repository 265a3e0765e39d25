"""`vaultmem status`: which vault, and what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import json_option, print_json, say
from vaultmem.services.status import status

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """Tell which vault is used and why, what is in it, and what waits for you."""
    model = app.config.config.model or "all-MiniLM-L6-v2 (comes with vaultmem)"
    found = status(app.call(), why=app.found.why.value, model=model)
    project = app.project
    if as_json:
        print_json(
            {
                "vault": str(found.vault),
                "root": found.root,
                "id": found.id,
                "why": found.why,
                "device": found.device,
                "has_key": found.has_key,
                "memories": dict(found.memories),
                "lifecycle": dict(found.lifecycle),
                "notes": dict(found.notes),
                "waiting": found.waiting,
                "missing": found.missing,
                "unreviewed": found.unreviewed,
                "state": str(found.state),
                "cache": str(found.cache),
                "model": model,
                "indexed": found.indexed,
                "project": project.id,
                "agent": app.env.agent,
            }
        )
        return
    say(f"Vault     {found.vault} (by {found.why})")
    say(f"Root      {found.root}/")
    say(f"Project   {project.id} (by {project.source.value})")
    say(f"Device    {found.device}, {'has the key' if found.has_key else 'has no key'}")
    say(f"Model     {model}")
    total = sum(found.memories.values())
    parts = ", ".join(f"{number} {word}" for word, number in found.memories.items() if number)
    say(
        f"Memories  {total}: {parts}"
        if total
        else "Memories  none yet; add one with `vaultmem add`"
    )
    lives = ", ".join(f"{number} {word}" for word, number in sorted(found.lifecycle.items()))
    if lives:
        say(f"Today     {lives}")
    say(
        f"Notes     {found.notes.get('knowledge', 0)} of yours, "
        f"{found.notes.get('log', 0)} agent logs"
    )
    if found.waiting:
        say(f"Inbox     {found.waiting} waiting in {found.root}/Inbox")
    if found.unreviewed:
        say(
            f"Ratify    {found.unreviewed} want to act: `vaultmem ratify --review`, "
            "identity notes one by one"
        )
    if found.missing:
        say(f"Missing   {found.missing} notes vanished; `vaultmem doctor` names them")
    if not found.indexed:
        say("Index     not built yet; the first search does it")
